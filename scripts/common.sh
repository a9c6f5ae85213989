# Each shell script of this project sources this file first. The file sets strict mode, and ensures that a script which
# fails always prints a reason.
#
# `stop "SENTENCE"` prints the sentence and ends the script.
# If a command fails unexpectedly, the script prints its name, the line and the command, and ends.
# shellcheck shell=bash
set -Eeuo pipefail
shopt -s inherit_errexit

script_name=${0##*/}

# Prints one line about the current action of the script.
say() { printf '%s: %s\n' "$script_name" "$*"; }

# Ends the script with one sentence of advice. If a disk is full, the sentence says so instead.
stop() {
    trap - ERR
    if disk_is_full; then
        printf '%s: the disk that holds %s is full: free some space and run this again.\n' "$script_name" "$full_folder" >&2
    else
        printf '%s: %s\n' "$script_name" "$*" >&2
    fi
    exit 1
}

# Prints the free space in MiB of the file system of a folder. The folder need not exist yet.
free_mebibytes() {
    local folder=$1
    while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
    df --output=avail -BM "$folder" | tail -n 1 | tr -dc 0-9
}

# The folders to which a script writes. A script that writes to another folder adds it.
used_folders=("$PWD" "${TMPDIR:-/tmp}")

# Succeeds if the disk of one of used_folders is full. Sets full_folder to that folder.
disk_is_full() {
    local free
    for full_folder in "${used_folders[@]}"; do
        free=$(free_mebibytes "$full_folder" 2>/dev/null) && [ "${free:-1000}" -lt 50 ] && return 0
    done
    return 1
}

# Ends the script if a file system has too little free space: need_gibibytes GIB PURPOSE [FOLDER]
# FOLDER is a folder of the file system. The default is the working folder.
need_gibibytes() {
    local free folder=${3-$PWD}
    free=$(free_mebibytes "$folder")
    [ "$free" -ge $(($1 * 1024)) ] ||
        stop "$2 requires $1 GiB of free disk space, and $folder has $((free / 1024)).$((free % 1024 * 10 / 1024)): free some and run this again."
}

# Prints which command failed and where. The trap below calls it.
report_failure() {
    local status=$1 file=$2 line=$3 command=$4
    trap - ERR
    # If a command in a command substitution fails, the surrounding command fails next and reports
    # the failure. If a command in a process substitution fails, the surrounding command does not
    # fail. The output of a command that may fail is therefore assigned to a variable first.
    [ "$BASH_SUBSHELL" -eq 0 ] || exit "$status"
    printf '%s: line %s of %s failed with status %s: %s\n' \
        "$script_name" "$line" "$file" "$status" "${command%%$'\n'*}" >&2
    if disk_is_full; then
        printf '%s: the disk that holds %s is full: free some space and run this again.\n' \
            "$script_name" "$full_folder" >&2
    fi
    exit "$status"
}
trap 'report_failure $? "${BASH_SOURCE[0]}" "$LINENO" "$BASH_COMMAND"' ERR

# Runs a command as root, directly or through sudo. The first argument is the purpose, and the command follows.
as_root() {
    local purpose=$1
    shift
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        stop "$purpose requires root privileges: run this as root, or install sudo."
    else
        sudo "$@" || {
            local status=$?
            sudo -n true 2>/dev/null ||
                stop "$purpose requires root privileges, and sudo refused: run 'sudo true' in this terminal, or run this as root."
            return "$status"
        }
    fi
}

# Acquires the lock of this checkout, because two builds in one folder would disturb each other. The
# lock is released when the script ends or calls release_lock. The scripts that this script starts
# use its lock.
hold_lock() {
    [ -z "${SCRIPTS_LOCK_HELD-}" ] || return 0
    mkdir -p .build || stop "$PWD/.build cannot be created: run this as the owner of $PWD."
    exec 9>>.build/lock || stop "$PWD/.build/lock cannot be written: run this as the owner of $PWD."
    flock --nonblock 9 || {
        # If the lock was taken just now, its holder may not have written its name yet.
        local holder
        holder=$(cat .build/lock)
        stop "${holder:-another script} is running in this folder: wait until it has ended, or end it, and run this again."
    }
    printf 'scripts/%s (process %s)\n' "$script_name" "$$" >.build/lock
    export SCRIPTS_LOCK_HELD=1
}

release_lock() {
    exec 9>&-
    unset SCRIPTS_LOCK_HELD
}

# Prints the folder of Swift's libraries, FOLDER/usr/lib/swift, as reported by the compiler. The swift on PATH may be a
# link to a program that selects a toolchain.
swift_resources() {
    local resources
    command -v swift >/dev/null || stop 'swift is not on PATH: install Swift 6.3 or newer from https://www.swift.org/install.'
    resources=$(swift -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath" *: *"\([^"]*\)".*/\1/p') || true
    resources=$(readlink -e "${resources:-/nowhere}") ||
        stop "swift does not report the folder of its libraries: run 'swift -print-target-info' to see why."
    printf '%s\n' "$resources"
}

# Prints the folder of the toolchain, which contains usr/bin/swift.
swift_toolchain() {
    local resources folder
    resources=$(swift_resources) || exit
    folder=${resources%/usr/lib/swift}
    if [ -z "$folder" ] || [ "$folder" = "$resources" ] || [ ! -x "$folder/usr/bin/swift" ]; then
        stop "a toolchain in a folder of its own (FOLDER/usr/bin/swift) is required, and this one is spread over the system ($resources): unpack one from https://www.swift.org/install and put it on PATH first."
    fi
    printf '%s\n' "$folder"
}

# Runs a command up to three times, with a pause between attempts, because an archive may be unavailable for a moment.
three_times() {
    local try
    for try in 1 2 3; do
        if "$@"; then return; fi
        say "try $try of 3 failed: $1" >&2
        [ "$try" = 3 ] || sleep $((try * 10))
    done
    return 1
}

# Writes the apt sources of this machine that belong to Debian 12 to a file, one in each line. If there are no package
# lists, fetches them.
debian_sources() {
    local file=$1 try
    for try in old new; do
        # shellcheck disable=SC2016 # apt-get expands it
        apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)|$(CODENAME)|$(COMPONENT)' 'Created-By: Packages' |
            sed -n 's/^Debian|\([^|]*\)|\(bookworm[^|]*\)|\([^|]*\)$/deb \1 \2 \3/p' | sort -u >"$file"
        if [ -s "$file" ]; then return; fi
        if [ "$try" = old ]; then
            three_times apt-get -o APT::Update::Error-Mode=any update -q >&2 ||
                stop "the package archive cannot be reached: check the network and apt's settings (see the error above), and run this again."
        fi
    done
    stop "apt on this machine has no archive of Debian 12 (no source whose Release says 'Origin: Debian'): add one, and run this again."
}

# Writes apt's settings for proxies and certificates to a file, and its settings for the permitted age of package lists.
# The lists of a copied archive may be older than apt permits by default.
apt_settings() { apt-config dump | grep -E '^Acquire::(https?::(Proxy|CaInfo)[^ ]*|Check-Valid-Until|Check-Date) "' >"$1" || true; }

# Writes the checksums of the files of one version in a folder to SHA256SUMS. The files are the packages, the bills of
# materials and the image, if they exist.
write_sums() {
    local folder=$1 version=$2 made
    # Each pattern contains a star. With nullglob, a pattern without a match is removed from the list,
    # but a plain name stays in the list even if there is no such file.
    mapfile -t made < <(cd "$folder" && shopt -s nullglob && printf '%s\n' refresh*_"$version"_*.deb refreshd_"$version".spdx.json* refreshd_"$version"_oci.*)
    [ -n "${made[*]}" ] || stop "there are no files of version $version in $folder: build the packages with scripts/package."
    (cd "$folder" && sha256sum "${made[@]}" >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS) ||
        stop "the checksums in $folder could not be written (see the error above): fix this, and run this again."
}

# Creates a folder for a script, and marks it with the file FOLDER.mine. If the folder exists without the mark and is not
# empty, the script ends, so that a wrong option removes nothing. File descriptor 8 locks the mark until the script ends,
# so that no other run uses the folder.
own_folder() {
    local folder=$1 option=$2
    case "$folder" in
        / | /bin | /boot | /dev | /etc | /home | /lib* | /media | /mnt | /opt | /proc | /root | /run | /sbin | /srv | /sys | /tmp | /usr | /var)
            stop "$folder is a system folder: choose another one with $option." ;;
    esac
    if [ -e "$folder" ] && [ ! -e "$folder.mine" ] && [ -n "$(ls -A "$folder")" ]; then
        stop "$folder is not empty, and this script did not create it: choose another folder with $option."
    fi
    mkdir -p "$(dirname "$folder")" || stop "$folder cannot be created: choose a folder that you may write to with $option."
    exec 8>>"$folder.mine" || stop "$folder.mine cannot be written: choose a folder that you may write to with $option."
    flock --nonblock 8 || stop "another run uses $folder: wait until it has ended, or choose another folder with $option."
}

# Removes a folder that own_folder has created, and its mark.
remove_own_folder() { rm -rf --one-file-system "$1" "$1.mine"; }
