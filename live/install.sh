# What the scripts of this folder share: how they end, what they install into .live/ (at the versions and checksums of this
# folder), how they build the emulator. Sourced at the root of the repository, with `suite` as the name that stands before each line.

fail() {
    echo "$suite: $1" >&2
    [ $# -lt 2 ] || echo "help: $2" >&2
    exit 1
}

# `need COMMAND PURPOSE HELP`
need() {
    command -v "$1" >/dev/null || fail "\`$1\` is not installed, and the suite needs it for $2" "$3"
}

home=$PWD/.live
mkdir -p "$home"

# `installed STAMP FILE..` is true if the FILEs are as they were when `stamp STAMP FILE..` was called.
installed() { [ -f "$home/$1" ] && [ "$(cat "${@:2}" | cksum)" = "$(cat "$home/$1")" ]; }
stamp() { cat "${@:2}" | cksum >"$home/$1"; }

install_node() {
    ! installed node.stamp live/package.json live/package-lock.json || return 0
    echo "$suite: installing kinesis-mock and dynalite" >&2
    cp live/package.json live/package-lock.json "$home/"
    # Their storage addons are for persistence, which is off: no install script needs to run.
    (cd "$home" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >&2 \
        || fail "kinesis-mock and dynalite could not be installed by npm" "install Node.js 20 or newer with npm"
    stamp node.stamp live/package.json live/package-lock.json
}

# `install_python NAME FILE..` makes the virtual environment .live/NAME, of exactly what the FILEs name.
install_python() {
    local name=$1 file files=()
    shift
    # An environment whose interpreter is gone is made anew.
    ! installed "$name.stamp" "$@" || ! "$home/$name/bin/python" -c '' 2>/dev/null || return 0
    echo "$suite: installing $*" >&2
    for file in "$@"; do files+=(-r "$file"); done
    rm -rf "${home:?}/$name"
    python3 -m venv "$home/$name"
    "$home/$name/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps "${files[@]}" >&2 \
        || fail "$* could not be installed by pip" \
            "use CPython 3.10 to 3.13 on Linux with x86-64, or add your wheels' hashes there"
    stamp "$name.stamp" "$@"
}

# Sets `emulator` to the program. Built as the tests of `.ci/run` are, so that nothing is compiled twice.
build_emulator() {
    cargo test --quiet --workspace --features kinesis-app/dynamodb,kinesis-app-emulator/dynamodb,kinesis-app-emulator/server \
        --lib --test dynamodb --test server --locked --no-run
    emulator=${CARGO_TARGET_DIR:-target}/debug/kinesis-app-emulator
}
