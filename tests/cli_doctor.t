#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort doctor: what it finds wrong with an environment, and what it says to do. The plugins stand in a folder of its own,
# so that nothing but the environment of a case makes a difference.
. "${srcdir:-.}/tests/tap.sh"
cohort=$(cd "$builddir" && pwd)/cli/cohort
scratch cli_doctor
scratch=$(cd "$scratch" && pwd)
find_python
mkdir "$scratch/home" "$scratch/plugins" "$scratch/vendors"
cp "$builddir/host/.libs/cohort-host.so" "$scratch/plugins"
export HOME="$scratch/home" COHORT_PLUGIN_PATH="$scratch/plugins"
unset XDG_CACHE_HOME COHORT_CACHE OMP_NUM_THREADS OMP_WAIT_POLICY OMP_THREAD_LIMIT OCL_ICD_VENDORS OCL_ICD_FILENAMES COHORT_TEST_OPENCL

# line CHECK: those of it, with what to do.
line() {
    printf '%s\n' "$out" | awk -v check="$1" '$1 ~ /^(ok|note|wrong)$/ { is = $2 == check } is'
}
# wrong CHECK TEXT FIX CLAIM: the environment is bad in this way.
wrong() {
    is "$code" 1 "$4"
    has "$(line "$1")" "$2" "... which is told"
    has "$(line "$1" | grep '^fix: ')" "$3" "... with what to do"
}

run "$cohort" doctor --nonsense
is "$code" 2 "an unknown option is wrong usage"
run "$cohort" doctor word
is "$code" 2 "so is a word"

run "$cohort" doctor
good=$code
printf '%s\n' "$out" | grep -A1 '^wrong' | grep -v '^wrong\|^fix: \|^--' >"$scratch/bare"
is "$(cat "$scratch/bare")" "" "whatever is wrong with this machine has its fix"
[ "$(printf '%s\n' "$out" | grep -c '^wrong')" = 0 ]
is $? "$good" "the exit code says whether anything is"
has "$(line host)" "ok     host" "the host plugin opens"
has "$(line settings)" "ok     settings" "the variables are fine"
has "$(line cache)" "kept in $scratch/home/.cache/cohort" "the cache has its folder"
case $out in *"$(printf '\033')"*) false ;; *) true ;; esac
ok "$?" "there is no colour where no terminal is"

# on_terminal NAME=VALUE...: whether there is colour on a terminal.
on_terminal() {
    if env "$@" script -qec "'$cohort' doctor" /dev/null </dev/null 2>/dev/null | grep -q "$(printf '\033')\[3[123]m"; then
        echo colour
    else
        echo none
    fi
}
if [ "$(script -qec 'test -t 1 && echo yes' /dev/null </dev/null 2>/dev/null | tr -d '\r')" = yes ]; then
    is "$(on_terminal -u NO_COLOR TERM=xterm)" colour "there is on one"
    is "$(on_terminal NO_COLOR=1 TERM=xterm)" none "but with NO_COLOR"
    is "$(on_terminal NO_COLOR= TERM=xterm)" colour "which counts where it is not empty"
    is "$(on_terminal -u NO_COLOR TERM=dumb)" none "and on one that has none"
else
    skip "there is on one" "script makes no terminal"
fi

# ------------------------------------------------------------------ variables

run env COHORT_DEVICE=host "$cohort" doctor
wrong settings "COHORT_DEVICE is set, and nothing reads it" "did you mean COHORT_DEVICES?" "a variable that is misspelt is wrong"
run env COHORT_SOMETHING_OF_MINE=1 "$cohort" doctor
is "$code" "$good" "one that is near none is no fault"
has "$(line settings)" "note   settings  COHORT_SOMETHING_OF_MINE" "and is noted"
for value in -1 x 1e10 nan; do
    run env COHORT_TIMEOUT_COPY=$value "$cohort" doctor
    wrong settings "COHORT_TIMEOUT_COPY=$value: expected seconds" "unset COHORT_TIMEOUT_COPY" "$value seconds are wrong"
done
run env COHORT_LOG=loud "$cohort" doctor
wrong settings "COHORT_LOG=loud: expected error, warn, info or debug" "unset COHORT_LOG" "a level that is none is wrong"
run env COHORT_STATS=2 "$cohort" doctor
wrong settings "COHORT_STATS=2: expected one of 0|1|json" "unset COHORT_STATS" "so is a word that is none"
run env COHORT_LOG=warn,executor=info COHORT_REPEAT=memo COHORT_LOG_FORMAT=full "$cohort" doctor
is "$code" "$good" "levels of subsystems, and words that are, are no fault"
run env COHORT_DEVICES=host:7 "$cohort" doctor
wrong settings "COHORT_DEVICES=host:7: " "cohort devices" "a device that is none is wrong"
run env COHORT_DEVICES="$(printf 'host\033[31m')" "$cohort" doctor
case $out in *"$(printf '\033')"*) false ;; *) true ;; esac
ok "$?" "escapes in a variable are not sent to the terminal"
run env OMP_NUM_THREADS=many "$cohort" doctor
wrong openmp "OMP_NUM_THREADS=many is no number" "a number of threads" "a number of threads that is none is wrong"
run env OMP_WAIT_POLICY=ACTIVE "$cohort" doctor
has "$(line openmp)" "note   openmp    OMP_WAIT_POLICY=active" "threads that wait awake are noted"
run env OMP_NUM_THREADS=4000 "$cohort" doctor
has "$(line cores)" "host:0 has" "many more threads than cores are told"

# followed CHECK COMMAND NAME=VALUE...: doctor's advice for it, as far as that is a command, and it has none any more.
# COMMAND: of the shell, that makes the fault beside the variables.
followed() {
    followed_check=$1
    followed_fault=$2
    shift 2
    run env "$@" sh -c "$followed_fault; exec '$cohort' doctor"
    fix=$(line "$followed_check" | sed -n 's/^fix: //p' | sed 's/[;,].*//')
    before=$(line "$followed_check" | grep -c '^fix: ')
    run env "$@" sh -c "$followed_fault; $fix; exec '$cohort' doctor"
    is "$before $(line "$followed_check" | grep -c '^fix: ')" "1 0" "following '$fix' leaves nothing to do: $followed_fault $*"
}
if ! "$cohort" devices | grep -q ' host:0 .*, 1 unit'; then
    followed openmp : OMP_THREAD_LIMIT=1
else
    skip "following 'unset OMP_THREAD_LIMIT' leaves nothing to do" "one CPU, or a quota of one"
fi
followed openmp : OMP_NUM_THREADS=many
followed openmp : OMP_WAIT_POLICY=active
followed settings : COHORT_DEVICE=host
followed settings : COHORT_TIMEOUT_COPY=x
followed settings : COHORT_DEVICES=host:7
followed cache : COHORT_CACHE=off
followed limits "ulimit -S -n 100"
chmod o+w "$scratch/plugins"
followed plugins :
chmod o-w "$scratch/plugins"

# ------------------------------------------------------------------ folders

chmod o+w "$scratch/plugins"
run "$cohort" doctor
wrong plugins "$scratch/plugins" "chmod go-w" "a plugin folder that others may write to is wrong"
has "$(line host)" "wrong  host" "and the host plugin is not used"
chmod o-w "$scratch/plugins"
echo text >"$scratch/plugins/cohort-npu.so"
run "$cohort" doctor
wrong plugins "cohort-npu.so: " "the plugin" "a plugin that is none is wrong"
rm "$scratch/plugins/cohort-npu.so"
run env COHORT_PLUGINS=hots "$cohort" doctor
has "$(line plugins)" "note   plugins   $scratch/plugins/cohort-host.so: left out by COHORT_PLUGINS=hots" "a plugin that the user leaves out is noted"
wrong host "there is no host:0" "COHORT_PLUGINS" "and the host's is missed"
followed plugins : COHORT_PLUGINS=hots
run env COHORT_PLUGIN_PATH="$scratch/none" COHORT_PLUGINS=npu "$cohort" doctor
wrong host "there is no host:0" "libcohort1" "no host plugin is wrong"

run env COHORT_CACHE=relative "$cohort" doctor
wrong cache "not an absolute path" "export COHORT_CACHE" "a relative cache is wrong"
: >"$scratch/file"
run env COHORT_CACHE="$scratch/file" "$cohort" doctor
wrong cache "it is not a folder" "export COHORT_CACHE" "so is a file"
mkdir -m 777 "$scratch/open" && chmod 777 "$scratch/open"
run env COHORT_CACHE="$scratch/open" "$cohort" doctor
wrong cache "others can write to it" "export COHORT_CACHE" "so is one that others may write to"
run env -u HOME "$cohort" doctor
wrong cache "HOME is not set" "export HOME" "so is none at all"
run env COHORT_CACHE=off "$cohort" doctor
is "$code" "$good" "one that is off is no fault"
mkdir "$scratch/locked" && chmod 555 "$scratch/locked"
if [ "$(id -u)" != 0 ]; then
    run env COHORT_CACHE="$scratch/locked/cohort" "$cohort" doctor
    wrong cache "Permission denied" "export COHORT_CACHE" "so is one that cannot be made"
else
    skip "so is one that cannot be made" "root may write everywhere"
fi

run sh -c 'ulimit -n 100 && exec "$1" doctor' sh "$cohort"
has "$(line limits)" "note   limits    open files: the limit is 100" "few open files are noted"
has "$(line limits)" "fix: ulimit -n" "... with what to do"

# ------------------------------------------------------------------ data, OpenCL, MPI

mkdir "$scratch/data" && mkfifo "$scratch/data/unused"
run env COHORT_DATA_PATH="$scratch/data" "$cohort" doctor
if [ "$code" = 1 ]; then
    wrong data "digits.csv: No such file" "COHORT_DATA_PATH" "data that is not there is wrong"
else
    skip "data that is not there is wrong" "it is installed"
fi

if [ -f "$builddir/opencl/.libs/cohort-opencl.so" ]; then
    cp "$builddir/opencl/.libs/cohort-opencl.so" "$scratch/plugins"
    echo libcohort-none.so.1 >"$scratch/vendors/none.icd"
    run env OCL_ICD_VENDORS="$scratch/vendors" "$cohort" doctor
    case $out in
    *none.icd*) wrong opencl "none.icd: libcohort-none.so.1" "install that driver" "a driver that does not load is wrong" ;;
    *) skip "a driver that does not load is wrong" "the loader reads no OCL_ICD_VENDORS" ;;
    esac
else
    run "$cohort" doctor
    has "$(line opencl)" "note   opencl    the OpenCL plugin is not there" "no OpenCL plugin is noted"
fi
rm -f "$scratch/plugins/cohort-opencl.so"

# A plugin of that name that offers one card by two drivers.
# shellcheck disable=SC2086 # CC may have options
if $CC -std=c11 -shared -fPIC -I"$srcdir/include" -I"$srcdir" -DNAME=opencl \
    -DINFO_LIE='strcpy(info->pci,"0000:01:00.0");info->driver[0]=(char)(65+index)' \
    -o "$scratch/plugins/cohort-opencl.so" "$srcdir/tests/plugins-bad/variant.c" 2>"$scratch/cc"; then
    run "$cohort" doctor
    has "$(line opencl)" "note   opencl    opencl:1 may be the same card as opencl:0, by another driver (PCI address 0000:01:00.0)" \
        "a card that two drivers offer is noted"
    has "$(line opencl | grep '^fix: ')" "name one of the two, such as --devices opencl:1" "... with what to do"
    is "$(line opencl | grep -c '^wrong')" 0 "... and no fault"
    run "$cohort" devices
    has "$out" "
  note: may be the same card as opencl:0, by another driver (PCI address 0000:01:00.0)" "so do the devices say"
    run "$cohort" devices --json
    has "$out" '"note": "may be the same card as opencl:0' "also in JSON"
else
    ok 1 "a plugin of one card by two drivers compiles"
    diag "$(cat "$scratch/cc")"
fi
rm -f "$scratch/plugins/cohort-opencl.so"
mkdir "$scratch/bin"
for program in sh printf; do ln -s "$(command -v $program)" "$scratch/bin/$program" 2>/dev/null; done
run env PATH="$scratch/bin" "$cohort" doctor
has "$(line mpi)" "no MPI: programs run on this machine alone" "no MPI is noted"
is "$code" "$good" "and no fault"
printf '#!/bin/sh\necho "mpirun (Open MPI) 9.0"\n' >"$scratch/bin/mpirun" && chmod +x "$scratch/bin/mpirun"
run env PATH="$scratch/bin" "$cohort" doctor
has "$(line mpi)" "openmpi: mpirun is there, and no communicator plugin" "an mpirun without its plugin is noted"
has "$(line mpi)" "fix: install cohort-communicator-openmpi" "... with the package that has it"
: >"$scratch/plugins/cohort-communicator-openmpi.so"
run env PATH="$scratch/bin" "$cohort" doctor
has "$(line mpi)" "openmpi: the communicator plugin and mpirun" "both are told"
rm "$scratch/plugins/cohort-communicator-openmpi.so"

# Packages that any of its lines may name are those of debian/control; %s is an MPI.
for name in $(cat "$srcdir"/cli/doctor*.c | tr -d '\n' | sed 's/"  *"//g' | grep -o '[a-z0-9%-]* (a package of Debian)' | sed 's/ (.*//' | sort -u); do
    case $name in
    %s) continue ;;
    *-%s) name=${name%\%s}openmpi ;;
    esac
    grep -qx "Package: $name" "$srcdir/debian/control"
    ok "$?" "$name is one of Cohort's packages"
done

# ------------------------------------------------------------------ JSON

env COHORT_LOG=loud "$cohort" doctor --json >"$scratch/json" 2>/dev/null
is "$?" 1 "--json has the same exit code"
json_has_keys "$scratch/json" "checks checks[].check checks[].fix checks[].result checks[].text ok schema" "and its keys"
has "$(cat "$scratch/json")" '"ok": false' "it says that something is wrong"
tap_done
