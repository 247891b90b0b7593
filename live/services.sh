# Services that a script of this folder starts, each on a port of the loopback interface that the system chooses, and that end
# with the script. Sourced behind install.sh.

started=()
stop() {
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# `start NAME COMMAND..` runs it and waits for the URL that it tells on its first line; `${url[NAME]}` is that.
declare -A url
start() {
    local name=$1 said=$home/$suite-$1
    # What an earlier run was told is no news.
    rm -f "$said.out"
    "${@:2}" >"$said.out" 2>"$said.log" &
    started+=($!)
    for _ in $(seq 1 120); do
        url[$name]=$(grep -om1 'http://[0-9.:]*' "$said.out" 2>/dev/null || true)
        [ -z "${url[$name]}" ] || return 0
        kill -0 "${started[-1]}" 2>/dev/null || fail "$name ended: $(tail -n 5 "$said.log")"
        sleep 0.25
    done
    fail "$name does not answer: $(tail -n 5 "$said.log")"
}

# Needs the environment of live/port.txt.
start_tables() {
    start dynalite env NODE_PATH="$home/node_modules" node live/dynalite.js
    start moto "$home/port-venv/bin/python" live/moto_port.py
}
