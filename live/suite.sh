# What the tests over sockets need: sourced by live/run and live/brokers behind install.sh and services.sh.

# Installs kinesis-mock, dynalite, moto and boto3, and sets `python` to the interpreter that has boto3.
install_suite() {
    need cargo "the tests" "install the Rust toolchain of rust-toolchain.toml"
    need node "kinesis-mock and dynalite" "install Node.js 20 or newer"
    need npm "the installation of kinesis-mock and dynalite" "install npm, which comes with Node.js"
    need python3 "boto3 and moto" "install Python 3.10 or newer"
    python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
        || fail "\`python3\` is older than 3.10 or cannot make virtual environments" "install Python 3.10 or newer with its venv module"
    install_node
    install_python port-venv live/requirements.txt live/port.txt
    python=$home/port-venv/bin/python
}

# Starts kinesis-mock and sets `mock` to its URL.
start_mock() {
    local package=$home/node_modules/kinesis-local port=$home/$suite-port
    rm -f "$port"
    # The ports are placeholders: loopback.js lets the system choose. No certificate in the folder, no start.
    LIVE_PORT_FILE=$port KINESIS_MOCK_CERT_PATH=$package/server.json \
        KINESIS_MOCK_PLAIN_PORT=4567 KINESIS_MOCK_TLS_PORT=4568 SHARD_LIMIT=1000 LOG_LEVEL=WARN \
        CREATE_STREAM_DURATION=200ms DELETE_STREAM_DURATION=200ms SPLIT_SHARD_DURATION=200ms MERGE_SHARDS_DURATION=200ms \
        node -r ./live/loopback.js "$package/main.js" >"$home/$suite-mock.log" 2>&1 &
    started+=($!)

    for attempt in $(seq 1 120); do
        kill -0 "${started[-1]}" 2>/dev/null || fail "kinesis-mock ended: $(tail -n 5 "$home/$suite-mock.log")"
        if [ -f "$port" ] && "$python" live/answers.py "http://127.0.0.1:$(cat "$port")" 2>"$home/answers.log"; then
            break
        fi
        [ "$attempt" -lt 120 ] || fail "kinesis-mock does not answer: $(tail -n 1 "$home/answers.log" 2>/dev/null)"
        sleep 0.5
    done
    mock=http://127.0.0.1:$(cat "$port")
    echo "$suite: kinesis-mock answers at $mock"
}

# `tests KINESIS DYNAMODB FILTER..` runs the tests whose names hold one of the filters, or all of them, on these services. The
# whole workspace is selected, so that dependencies have the features of `cargo test --workspace` and nothing is compiled twice;
# one test at a time, for kinesis-mock slows down with what it holds.
tests() {
    KINESIS_LIVE_PYTHON=$python KINESIS_LIVE_REQUIRED=1 KINESIS_TEST_ENDPOINT=$1 DYNAMODB_TEST_ENDPOINT=$2 \
        cargo test --workspace --test live -- --nocapture --test-threads=1 "${@:3}"
}
