# Every task by name. Without `just`, type what a recipe says.

# Lists the tasks.
default:
    @just --list

# The main job: an application consumes a stream that is split and merged under its feet. `just run --help` for options.
run *options:
    cargo run -- {{ options }}

# Three processes on the emulator's port; one is killed, one is stopped, two join, a shard is split. The exit code is the verdict.
demo-instances:
    cargo run -p kinesis-app-examples --features instances --bin instances

# Orders, refunds, page views, and what was given up on, in one module. The exit code is the verdict.
demo-billing:
    cargo run -p kinesis-app-examples --bin billing

# All tests that need nothing but the toolchain.
test *options:
    cargo test --workspace {{ options }}

# Formatting, lints and documentation, as CI checks them.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps

# Formats everything.
fmt:
    cargo fmt --all

# Many instances through so many seeds of bad weather: every rule of the house must hold.
simulate seeds="500":
    SIM_SEEDS={{ seeds }} cargo test -p kinesis-app --profile simulation --test simulation every_rule

# The tests over sockets: kinesis-mock, dynalite, moto, boto3, the emulator. Needs Node.js and Python 3; installs into .live/.
live *filter:
    bash live/run {{ filter }}

# Starts a Kinesis and a DynamoDB of others (kinesis-mock, dynalite) and says where they are. LocalStack: compose.yaml.
brokers-up:
    bash live/brokers up

# Stops them.
brokers-down:
    bash live/brokers down

# The tests over sockets, one at a time, on the brokers that run, or on some of their own.
test-brokers *filter:
    bash live/brokers test {{ filter }}

# Records between ruststream-kinesis and this project, both ways. Compiles the other system, which takes some minutes once.
interop:
    cargo test --manifest-path interop/Cargo.toml --locked

# The emulators of others, put to what Kinesis is documented to do. `just conformance --write` renews emulator/README.md.
conformance *options:
    bash live/conformance {{ options }}

# What the emulator costs: pages, puts, memory, as ratios. Takes about a minute and 3 GiB.
emulator-bench:
    cargo bench -p kinesis-app-emulator --bench speed

# Records the compile errors in ui-tests/ anew. Read the diff.
bless:
    TRYBUILD=overwrite cargo test -p kinesis-app-ui-tests --test ui

# Hover and completion inside the attributes, asked of rust-analyzer. Says so where there is none; `just ide --required` fails.
ide *options:
    python3 ui-tests/ide/ask.py {{ options }}

# The emulator on its port, used by boto3 and the AWS CLI and compared with dynalite and moto.
live-port:
    bash live/port

# The emulated Kinesis and DynamoDB on a port. `just emulator --help` for options.
emulator *options:
    cargo run -p kinesis-app-emulator --features server,dynamodb -- {{ options }}

# Everything that must hold before a change lands.
ci:
    bash .ci/run
