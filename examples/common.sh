# Sourced by examples/*/run, after they have gone to their folder: finds the two programs, and ends what was started.
#
# usage of each: run [FOLDER with refreshd and refresh-probe]; or name both in REFRESHD and REFRESH_PROBE
# shellcheck shell=bash
# shellcheck source=scripts/common.sh
. ../../scripts/common.sh

bin="${1:-}"
for folder in ../../.build/release ../../.build/debug; do
    [ -n "$bin" ] || [ ! -x "$folder/refreshd" ] || [ ! -x "$folder/refresh-probe" ] || bin="$folder"
done
refreshd="${REFRESHD:-$bin/refreshd}"
probe="${REFRESH_PROBE:-$bin/refresh-probe}"
for program in "$refreshd" "$probe"; do
    [ -x "$program" ] || stop "$program is not there: type swift build, or give the folder that holds it."
done

# What the example writes; every *.log in it is shown when the example fails.
work="$(mktemp -d)"
started=()
finish() {
    for process in "${started[@]}"; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap finish EXIT

# Ends the example with a sentence, behind the ends of all logs.
fail() {
    tail -n 40 "$work"/*.log "$work"/*/*.log >&2 2>/dev/null || true
    stop "$1"
}

# Prints the first line of file $1 once it is there; process $2 writes it.
first_line() {
    for _ in $(seq 1200); do
        if [ "$(wc -l <"$1")" -gt 0 ]; then head -n 1 "$1"; return; fi
        kill -0 "$2" 2>/dev/null || break
        sleep 0.05
    done
    return 1
}

# Starts a program in the background, which prints one line when it is ready, as $work/NAME.out and NAME.log: start NAME
# PROGRAM... That line is then in $ready, and the process in $process.
start() {
    local name=$1
    shift
    : >"$work/$name.out"
    "$@" >"$work/$name.out" 2>>"$work/$name.log" &
    process=$!
    started+=("$process")
    ready="$(first_line "$work/$name.out" "$process")" || fail "$name did not start"
}

# Starts the daemon with a configuration, on a port (0: a free one) that is then in $port: start_daemon FILE [PORT [OPTION...]]
start_daemon() {
    start refreshd "$refreshd" --config "$1" --listen "127.0.0.1:${2:-0}" "${@:3}"
    # shellcheck disable=SC2034 # an example may end it
    daemon=$process
    port="$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["port"])' "$ready")"
}

# Plays a scenario against the daemon: play FILE
play() { "$probe" run "$1" --url "ws://127.0.0.1:$port/v1/session" || fail "$1 did not pass"; }
