#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2317 # functions that are called by name
# cohort top: folders and files that are no use, what runs, stands, ends and is killed, fifty at once, and the terminal.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
watched=$builddir/tests/monitor.t
find_python
unset COHORT_LOG

# until_true COMMAND...: it comes true; not within a minute: false.
until_true() {
    tries=600
    while ! "$@" && [ "$tries" -gt 0 ]; do
        tries=$((tries - 1))
        sleep 0.1
    done
    [ "$tries" -gt 0 ]
}
# says PART COMMAND...: its output has it.
says() {
    part=$1
    shift
    "$@" 2>&1 | grep -q -- "$part"
}

# Inside of a mount namespace: a watched process on a disk that is full, and once more with room.
if [ "${1-}" = inside ]; then
    XDG_RUNTIME_DIR=$2
    export XDG_RUNTIME_DIR
    mount -t tmpfs -o size=64k,mode=0700 none "$2" || exit 125
    head -c 65536 /dev/zero >"$2/filler"
    COHORT_LOG=warn "$watched" 0 2>"$3" &
    pid=$!
    until_true says 'is the disk full' "$cohort" top && echo "seen: $("$cohort" top | grep -c 'unreadable: it is empty')"
    rm "$2/filler"
    until_true says '"state": "running"' "$cohort" top --json && echo "goes on"
    kill -9 "$pid"
    echo "lines: $(grep -c 'cannot be written: No space left on device' "$3")"
    exit 0
fi

scratch cli_top
scratch=$(cd "$scratch" && pwd)
XDG_RUNTIME_DIR=$scratch/run
export XDG_RUNTIME_DIR
folder=$XDG_RUNTIME_DIR/cohort

# ------------------------------------------------------------------ wrong usage

run "$cohort" top all
is "$code" 2 "a word is wrong usage"
for interval in 0 -1 nan 3601 x ''; do
    run "$cohort" top --interval "$interval"
    is "$code:${out%%
*}" "2:cohort: --interval $interval: expected seconds from 0.1 to 3600" "so is an interval of '$interval'"
done
for pid in 0 -1 x 99999999999; do
    run "$cohort" top --pid "$pid"
    is "$code" 2 "and a process $pid"
done

# ------------------------------------------------------------------ folders

run env -u XDG_RUNTIME_DIR "$cohort" top
is "$code" 1 "without XDG_RUNTIME_DIR nothing can be seen"
has "$out" "top: XDG_RUNTIME_DIR is not set" "which is said"
has "$out" "fix: log in by a session that sets it" "and what to do"
run env XDG_RUNTIME_DIR=run "$cohort" top
has "$out" "XDG_RUNTIME_DIR is a relative path" "a relative one is none"
run "$cohort" top
is "$code" 0 "where no program has made the folder"
has "$out" "no process of yours is watched" "none is watched"
mkdir -m 700 "$XDG_RUNTIME_DIR"
ln -s "$scratch" "$folder"
run "$cohort" top
is "$code" 1 "a link is not followed"
has "$out" "is not read: it is no folder, or a symbolic link" "and said"
rm "$folder"
mkdir -m 777 "$folder"
chmod 777 "$folder"
run "$cohort" top --json
is "$code" 1 "nor is a folder read that others may write to"
has "$out" "others can write to it" "which is said"
chmod 700 "$folder"
if [ "$(id -u)" = 0 ]; then
    chown 1 "$folder"
    run "$cohort" top
    has "$out" "it belongs to another user" "nor one of another user"
    chown 0 "$folder"
else
    skip "nor one of another user" "takes root"
fi

# ------------------------------------------------------------------ files that are no records

ln -s /etc/passwd "$folder/11-1"
mkdir "$folder/14-1"
touch "$folder/01-1" "$folder/1-01" "$folder/1-0" "$folder/a-1" "$folder/-1-1" "$folder/1-1x" "$folder/99999999999999999999-1"
run "$cohort" top
has "$out" "unreadable: it is a symbolic link" "a link in the folder is told, not followed"
has "$out" "unreadable: it is no regular file" "and so is a folder"
is "$(echo "$out" | grep -c unreadable)" 2 "names that no writer gives are passed over"
is "$(find "$folder" -type f | wc -l | tr -d ' ')" 7 "and stay"
mkfifo "$folder/12-1"
run timeout 60 "$cohort" top --once
is "$code" 0 "a FIFO is not waited for"
find "$folder" -mindepth 1 -delete
touch "$folder/13-1"
run "$cohort" top
has "$out" "no process of yours is watched" "an empty file that nobody holds is of one that said nothing"
is "$(find "$folder" -type f)" "" "and is removed"
echo mine >"$folder/13-1"
run "$cohort" top
has "$out" "it is no record of Cohort's" "what is no record and nobody's is told"
is "$(find "$folder" -type f)" "$folder/13-1" "and stays"
rm "$folder/13-1"

# held BYTES: what cohort top says of a file with these bytes, in the notation of Python, that a process holds.
held() {
    "$python" - "$folder/21-1" "$cohort" "$1" <<'END'
import fcntl, os, struct, subprocess, sys
path, cohort, text = sys.argv[1:]
with open(path, "wb") as file:
    file.write(eval(text, {"__builtins__": {"bytes": bytes, "pack": struct.pack}}))
    file.flush()
    fcntl.lockf(file, fcntl.LOCK_EX)
    print(subprocess.run([cohort, "top", "--once"], capture_output=True, text=True).stdout, end="")
    os.unlink(path)
END
}
# record CHANGES: a record, with members changed, as bytes in a file; its length.
cat >"$scratch/record.py" <<'END'
import struct, sys

def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff

values = dict(magic=b"COHORTOP", version=1, begin=7, end=7, program=b"p", strategy=b"mirrored", call=b"", status=0,
              worker=-1, workers=0, n_devices=1, steps=5, rate=1.0, name=b"host:0", busy=500, memory=1024)
values.update(eval(sys.argv[2]))
v = values
device = struct.pack("=96s4q", v["name"], v["busy"], 3, v["memory"], v["memory"])
body = struct.pack("=64s64s64sq6i7q3d", v["program"], v["strategy"], v["call"], 0, v["status"], v["worker"], v["workers"], 1,
                   v["n_devices"], 0, 9, 9, v["steps"], 0, 0, 9, 9, v["rate"], v["rate"], v["rate"])
size = 48 + len(body) + 64 * len(device) + 16
record = struct.pack("=8sIIQqqq", v["magic"], v["version"], size, v["begin"], 10**12, 0, 31) + body + device * 64
record += struct.pack("=Q", v["end"])
with open(sys.argv[1], "wb") as file:
    file.write(record + struct.pack("=II", crc32c(record) ^ v.get("flip", 0), 0))
END
# ended CHANGES: what cohort top says of such a record that nobody holds.
ended() {
    "$python" "$scratch/record.py" "$folder/31-1" "$1" && "$cohort" top --once 2>&1
}
if [ -z "$python" ]; then
    skip "files that are damaged are told" 'no python3'
else
    has "$(held 'b""')" "unreadable: it is empty; is the disk full?" "an empty file is told"
    has "$(held 'bytes(8560)')" "unreadable: it is no record of Cohort's" "one of zeros"
    has "$(held 'b"COHORTOP" + b"\x02" + bytes(9000)')" "another version of Cohort has written it" "one of another version"
    has "$(held 'b"COHORTOP" + pack("=I", 1) + bytes(100)')" "it is damaged, or is the disk full?" "one that is cut"
    has "$(held 'b"COHORTOP" + pack("=II", 1, 8560) + bytes(8544)')" "it is damaged" "one whose sum is wrong"
    has "$(ended '{}')" "mirrored" "a whole record is read"
    is "$(ended '{"flip": 1}' | grep -c mirrored)" 0 "with another sum it is not"
    is "$(ended '{"end": 8}' | grep -c mirrored)" 0 "nor with two numbers"
    has "$(ended '{"program": b"\x1b[2J\n\xff", "name": "a\u202eb".encode()}')" '\x1b[2J\n...' "escapes of a name are shown as such"
    run ended '{"program": b"x" * 64, "strategy": b"y" * 64, "call": b"z" * 64, "name": b"w" * 96}'
    has "$out" "xxxxxxxxxxxx..." "texts without an end, too"
    run ended '{"n_devices": 2**31 - 1, "busy": 2**63 - 1, "memory": -5, "steps": -2**63, "rate": float("nan"), "status": -2**31}'
    has "$out" "and 2147483583 devices more" "numbers that cannot be are put into bounds"
    is "$(echo "$out" | grep -Ec '100%  0 B of memory')" 64 "those of devices"
    run ended '{"n_devices": -1, "rate": 1e308, "workers": 2**31 - 1, "worker": 2**31 - 1}'
    is "$code" 0 "however large they are"
    "$python" "$scratch/record.py" "$folder/31-1" '{"rate": float("inf"), "program": b"\xff\"\\"}'
    "$cohort" top --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)["strategies"][0]["rows_per_s"])' >"$scratch/parsed" 2>&1
    is "$(cat "$scratch/parsed")" "0" "and as JSON they are numbers, and texts are texts"
    is "$(find "$folder" -type f)" "" "none is left"
fi

# ------------------------------------------------------------------ processes

COHORT_TOP=1
export COHORT_TOP
"$watched" 0 &
pid=$!
until_true says "running" "$cohort" top --pid "$pid"
ok "$?" "a process that works is running"
run "$cohort" top --pid "$pid"
has "$out" "mirrored" "its strategy is told"
has "$out" "host:0.1" "and its devices"
"$cohort" top --json >"$scratch/json"
json_has_keys "$scratch/json" "folder schema strategies strategies[].age_s strategies[].bytes_moved strategies[].call strategies[].call_s strategies[].calls strategies[].calls_per_s strategies[].devices strategies[].devices[].busy strategies[].devices[].device strategies[].devices[].memory strategies[].devices[].memory_peak strategies[].devices[].queued strategies[].error strategies[].file strategies[].input_steps strategies[].n_devices strategies[].operations strategies[].pid strategies[].program strategies[].program_steps strategies[].replica_steps strategies[].replicas strategies[].rows strategies[].rows_per_s strategies[].state strategies[].steps strategies[].steps_per_s strategies[].strategy strategies[].uptime_s strategies[].why strategies[].worker strategies[].workers" "the keys of --json are those that cohort(1) has"
run sh -c '"$1" top >/dev/full' sh "$cohort"
[ ! -c /dev/full ] || is "$code" 1 "a view that cannot be written is a failure"
kill -STOP "$pid"
until_true says "stopped" "$cohort" top
ok "$?" "one that is stopped by a signal stands"
kill -CONT "$pid"
until_true says "running" "$cohort" top
ok "$?" "and goes on"
kill -9 "$pid"
wait "$pid" 2>/dev/null
run "$cohort" top --json
has "$out" '"state": "ended"' "one that is killed has ended"
run "$cohort" top --pid "$pid"
is "$code" 1 "which is told once"
has "$out" "fix: start it with COHORT_TOP=1" "then there is no such process"
is "$(find "$folder" -type f)" "" "and its file is removed"

pids=
while [ "${n:=0}" -lt 50 ]; do
    n=$((n + 1))
    "$watched" 0 &
    pids="$pids $!"
done
# are NUMBER STATE: so many are in that state.
are() {
    [ "$("$cohort" top --json | grep -c "\"state\": \"$2\"")" = "$1" ]
}
until_true are 50 running
ok "$?" "fifty processes at once are seen"
# shellcheck disable=SC2086 # all of them
kill -9 $pids
wait
are 50 ended
ok "$?" "and that they were killed"
unset COHORT_TOP

# ------------------------------------------------------------------ a full disk

mkdir "$scratch/disk"
run env COHORT_TOP=1 unshare -rm sh "$0" inside "$scratch/disk" "$scratch/said"
if [ "$code" = 0 ]; then
    is "$out" "seen: 1
goes on
lines: 1" "a process on a full disk goes on, says so once, and is seen again when there is room"
else
    skip "a process on a full disk goes on" "this user may mount no tmpfs"
fi

# ------------------------------------------------------------------ on a terminal

# looks HOW WANTED CLAIM
looks() {
    is "$("$python" "$srcdir/tests/cli_top.py" "$cohort" "$1" 2>&1)" "$2" "$3"
}
if [ -n "$python" ] && "$python" -c 'import pty; pty.openpty()' 2>/dev/null; then
    looks q "given back, exit 0" "q ends, and gives the terminal back"
    looks '^C' "given back, exit 0" "so does Ctrl-C"
    looks SIGTERM "given back, signal 15" "SIGTERM ends as it does, and gives it back"
    looks SIGHUP "given back, signal 1" "and SIGHUP"
    looks SIGQUIT "given back, signal 3" "and SIGQUIT"
    looks SIGTSTP "stands, given back, goes on, given back, exit 0" "while it is stopped the terminal is the shell's"
    looks SIGSTOP "stands, goes on, takes keys, given back, exit 0" "behind SIGSTOP it takes the terminal again"
    looks size "3 lines, 20 characters, given back, exit 0" "it is drawn in the size that the terminal has"
    looks close "ends" "it ends with its terminal"
else
    skip "on a terminal" "no python3, or no terminal for it"
fi
tap_done
