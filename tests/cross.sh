#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# cross.sh MACHINE FOLDER [TEST...]: build for another architecture of Debian in FOLDER, run the demo and the tests there,
# and compare every number of the demo with those of the command $COHORT, where it is given. Prints TAP. Tests are
# programs, or scripts that use the command alone. Installs the compiler where it may; libffi is unpacked in FOLDER alone,
# so that the packages of this machine stay as they are.
set -u -o pipefail
srcdir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
usage() {
    echo "usage: $0 aarch64|armel|armhf|i386|ppc64el|riscv64|s390x FOLDER [TEST...]" >&2
    exit 2
}
[ $# -ge 2 ] || usage
machine=$1
work=$2
shift 2

# debian: its name there; release: the one that has its libffi, where this machine's own lists do not
debian=$machine flags=-O2 release='' emulator=qemu-$machine
case $machine in
aarch64) debian=arm64 triplet=aarch64-linux-gnu ;;
armel) triplet=arm-linux-gnueabi emulator=qemu-arm ;;
armhf) triplet=arm-linux-gnueabihf emulator=qemu-arm ;;
# With SSE2, which has the bits of all others.
i386) triplet=i686-linux-gnu emulator='' flags='-O2 -msse2 -mfpmath=sse' ;;
ppc64el) triplet=powerpc64le-linux-gnu emulator=qemu-ppc64le ;;
# Debian 12 has its compiler and C library, and no package for it.
riscv64) triplet=riscv64-linux-gnu release=trixie ;;
s390x) triplet=s390x-linux-gnu ;;
*) usage ;;
esac
multiarch=${triplet/#i686/i386}
packages=("gcc-$triplet" "libc6-dev-$debian-cross" ${emulator:+qemu-user})
COHORT=${COHORT:+$(realpath "$COHORT")}
mkdir -p "$work/tests" && cd "$work" || exit 1
work=$PWD
count=0
failures=0

claim() { # STATUS TEXT
    count=$((count + 1))
    [ "$1" = 0 ] && echo "ok $count - $2" && return
    echo "not ok $count - $2"
    failures=$((failures + 1))
}

skip_all() {
    printf '# SKIP: 1\n1..0 # SKIP %s: %s\n' "$machine" "$1"
    exit 0
}

# How programs of the other machine run here: a processor may do without an emulator.
has_tools() {
    command -v "$triplet-gcc" >/dev/null || return
    runner=()
    linker=("-Wl,-rpath,/usr/$triplet/lib:$work/root/usr/lib/$multiarch")
    if [ -z "$emulator" ]; then
        linker+=("-Wl,--dynamic-linker=/usr/$triplet/lib/ld-linux.so.2")
    else
        command -v "$emulator" >/dev/null || return
        runner=("$emulator" -L "/usr/$triplet")
    fi
    echo 'int main(void) { return 0; }' >probe.c
    "$triplet-gcc" "${linker[@]}" probe.c -o probe 2>/dev/null && "${runner[@]}" ./probe
}

# libffi of that architecture, by package lists of our own.
has_libffi() {
    [ -e "root/usr/lib/$multiarch/libffi.so" ] && return
    local apt=(apt-get -q -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Architectures::="$debian"
        -o APT::Sandbox::User=root -o Acquire::Languages=none) package
    if [ -n "$release" ]; then
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $release main" >sources
        apt+=(-o Dir::Etc::SourceList="$work/sources" -o Dir::Etc::SourceParts=- -o APT::Architectures="$debian")
    fi
    mkdir -p lists/partial cache/archives/partial root
    "${apt[@]}" update # one list that cannot be had is no reason to stop
    "${apt[@]}" download "libffi-dev:$debian" "libffi8:$debian" || return
    for package in libffi*"_$debian.deb"; do
        dpkg -x "$package" root || return
    done
}

build() {
    local part jobs=(-j "$(nproc)")
    [[ ${MAKEFLAGS-} != *--jobserver* ]] || jobs=() # whoever calls this says how many
    part=(libcohort.la cli/cohort host/cohort-host.la plugins/cohort-loopback.la plugins/cohort-stream.la
        plugins/wrong/cohort-wrong.la)
    "$srcdir/configure" --host="$triplet" --enable-assertions --with-opencl=no --with-cblas=no \
        --with-openmpi=no --with-mpich=no --with-zlib=no --with-jansson=no \
        CC="$triplet-gcc" CXX=no CFLAGS="$flags" LDFLAGS="${linker[*]}" \
        FFI_CFLAGS="-I$work/root/usr/include/$multiarch" FFI_LIBS="-L$work/root/usr/lib/$multiarch -lffi" &&
        make "${jobs[@]}" "${part[@]}" "$@" && wrap >cli/cohort
}

# In place of libtool's wrapper, which cannot start a program of another machine.
wrap() {
    printf '#!/usr/bin/env bash\n'
    printf 'LD_LIBRARY_PATH=%q exec' "$work/.libs"
    printf ' %q' "${runner[@]}" "$work/cli/.libs/cohort"
    printf ' "$@"\n'
}

# As that one, for programs of tests.
there() {
    local program=$1
    shift
    [ ! -e "${program%/*}/.libs/${program##*/}" ] || program=${program%/*}/.libs/${program##*/}
    LD_LIBRARY_PATH=$work/.libs timeout 1200 "${runner[@]}" "$program" "$@"
}

# Bodies are compiled elsewhere, by the standard that their program has.
has_equal_bodies() {
    printf '#include <float.h>\n#if FLT_EVAL_METHOD != 0\n#error more precision than the type has\n#endif\n' >body.c
    # shellcheck disable=SC2046,SC2086 # flags are a list
    "$triplet-gcc" $flags -std=c11 $(sed -n 's/^Cflags:.*includedir} *//p' cohort.pc) -E body.c >/dev/null
}

# What the demo says as JSON, but for its time.
numbers() {
    grep -v '^ *"seconds":'
}

# test_there TEST: it ran, and not all of it is skipped
test_there() {
    if [ "$(head -c 2 "$srcdir/$1" 2>/dev/null)" = '#!' ]; then
        timeout 1200 env CC="$triplet-gcc" "$srcdir/$1"
    else
        there "$1"
    fi >"$1.log" 2>&1 && awk '/^ok/ && !/# SKIP/ { found = 1 } END { exit !found }' "$1.log"
}

export DEBIAN_FRONTEND=noninteractive
has_tools || { [ "$(id -u)" = 0 ] && apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "${packages[@]}" >install.log 2>&1; }
has_tools || skip_all "no $triplet-gcc that makes programs which run here (Debian: ${packages[*]})"
has_libffi >libffi.log 2>&1 || skip_all "libffi-dev:$debian cannot be had, see $work/libffi.log"
echo "# $("$triplet-gcc" --version | head -n 1); $(ls libffi8_*); ${emulator:+$("$emulator" --version | head -n 1)}"
build "$@" >build.log 2>&1
claim $? "$machine: libcohort, the command, the plugins and the tests build"
[ "$failures" = 0 ] || tail -n 20 build.log
has_equal_bodies
claim $? "$machine: bodies that are compiled with -std=c11 and the flags of cohort.pc keep floats as they are"

export COHORT_PLUGIN_PATH="$work/host/.libs:$work/plugins/.libs" COHORT_DATA_PATH="$srcdir/examples/data"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive HOME="$work" srcdir builddir="$work"
unset COHORT_DEVICES COHORT_PLUGINS
demo=(demo --devices host/2 --epochs 5 --output-dir "$work" --json)
timeout 1200 cli/cohort "${demo[@]}" 2>demo.log >demo.json
claim $? "$machine: the demo trains"
if [ -n "$COHORT" ]; then
    COHORT_PLUGIN_PATH='' "$COHORT" "${demo[@]}" 2>/dev/null | numbers >here.json
    [ -s here.json ] && numbers <demo.json | diff here.json - >demo.diff
    claim $? "$machine: its digest is that of this machine, $(sed -n 's/.*"digest": "\(.*\)".*/\1/p' here.json | head -n 1), as is every number"
fi
for test in "$@"; do
    test_there "$test"
    claim $? "$machine: $test"
    grep -A 4 '^not ok' "$test.log" | sed 's/^/# /'
done
printf '# PASS: %d\n# FAIL: %d\n1..%d\n' $((count - failures)) "$failures" "$count"
[ "$failures" = 0 ]
