# Each examples/*/run changes to its own folder, and then sources this file. The file finds the two programs. When the
# example ends, it stops the processes that the example has started.
#
# usage of each: run [FOLDER with refreshd and refresh-probe], or set REFRESHD and REFRESH_PROBE to the two files
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
    [ -x "$program" ] || stop "$program does not exist: run swift build, or name the folder that contains it."
done

# The folder for files that the example writes. If the example fails, the end of every *.log in it is printed.
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

# Prints the ends of all logs, and ends the example with the sentence $1.
fail() {
    tail -n 40 "$work"/*.log "$work"/*/*.log >&2 2>/dev/null || true
    stop "$1"
}

# Waits until file $1, which process $2 writes, has a first line, and prints that line.
first_line() {
    for _ in $(seq 1200); do
        if [ "$(wc -l <"$1")" -gt 0 ]; then head -n 1 "$1"; return; fi
        kill -0 "$2" 2>/dev/null || break
        sleep 0.05
    done
    return 1
}

# Starts a program in the background: start NAME PROGRAM...
# Its output goes to $work/NAME.out and $work/NAME.log. When it is ready, the program must print one line. That line is
# stored in $ready, and the process id in $process.
start() {
    local name=$1
    shift
    : >"$work/$name.out"
    "$@" >"$work/$name.out" 2>>"$work/$name.log" &
    process=$!
    started+=("$process")
    ready="$(first_line "$work/$name.out" "$process")" || fail "$name did not start"
}

# Starts the daemon with a configuration: start_daemon FILE [PORT [OPTION...]]
# By default, and if PORT is 0, the daemon uses a free port. The port in use is stored in $port.
start_daemon() {
    start refreshd "$refreshd" --config "$1" --listen "127.0.0.1:${2:-0}" "${@:3}"
    # shellcheck disable=SC2034 # examples use it to stop the daemon
    daemon=$process
    port="$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["port"])' "$ready")"
}

# Runs a scenario against the daemon: play FILE
play() { "$probe" run "$1" --url "ws://127.0.0.1:$port/v1/session" || fail "$1 did not pass"; }
