#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# cross.sh aarch64|i386 FOLDER [TEST...]: build for another architecture in FOLDER, run the demo and the tests there, and
# compare the demo's digest with that of the command $COHORT, where it is given. Prints TAP. Installs the compiler where
# it may; libffi is unpacked in FOLDER alone, so that the packages of this machine stay as they are.
set -u -o pipefail
srcdir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
usage() {
    echo "usage: $0 aarch64|i386 FOLDER [TEST...]" >&2
    exit 2
}
[ $# -ge 2 ] || usage
machine=$1
work=$2
shift 2
case $machine in
aarch64) debian=arm64 triplet=aarch64-linux-gnu multiarch=aarch64-linux-gnu flags=-O2 packages=(libc6-dev-arm64-cross qemu-user) ;;
# With SSE2, which has the bits of all others.
i386) debian=i386 triplet=i686-linux-gnu multiarch=i386-linux-gnu flags='-O2 -msse2 -mfpmath=sse' packages=(libc6-dev-i386-cross) ;;
*) usage ;;
esac
packages+=("gcc-$triplet")
mkdir -p "$work" && cd "$work" || exit 1
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
    if [ "$machine" = i386 ]; then
        linker+=("-Wl,--dynamic-linker=/usr/$triplet/lib/ld-linux.so.2")
    else
        command -v qemu-aarch64 >/dev/null || return
        runner=(qemu-aarch64 -L "/usr/$triplet")
    fi
    echo 'int main(void) { return 0; }' >probe.c
    "$triplet-gcc" "${linker[@]}" probe.c -o probe 2>/dev/null && "${runner[@]}" ./probe
}

# libffi of that architecture, by package lists of our own.
has_libffi() {
    [ -e "root/usr/lib/$multiarch/libffi.so" ] && return
    local apt=(apt-get -q -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Architectures::="$debian"
        -o APT::Sandbox::User=root) package
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
        make "${jobs[@]}" "${part[@]}" "$@"
}

# As libtool's wrapper, which cannot start a program of another machine.
there() {
    local program=$1
    shift
    [ ! -e "${program%/*}/.libs/${program##*/}" ] || program=${program%/*}/.libs/${program##*/}
    LD_LIBRARY_PATH=$work/.libs timeout 300 "${runner[@]}" "$program" "$@"
}

digest() {
    sed -n 's/.*, digest \([0-9a-f]*\)$/\1/p'
}

export DEBIAN_FRONTEND=noninteractive
has_tools || { [ "$(id -u)" = 0 ] && apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "${packages[@]}" >install.log 2>&1; }
has_tools || skip_all "no $triplet-gcc that makes programs which run here (Debian: ${packages[*]})"
has_libffi >libffi.log 2>&1 || skip_all "libffi-dev:$debian cannot be had, see $work/libffi.log"
build "$@" >build.log 2>&1
claim $? "$machine: libcohort, the command, the plugins and the tests build"
[ "$failures" = 0 ] || tail -n 20 build.log

export COHORT_PLUGIN_PATH="$work/host/.libs:$work/plugins/.libs" COHORT_DATA_PATH="$srcdir/examples/data"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive HOME="$work" srcdir builddir="$work"
unset COHORT_DEVICES COHORT_PLUGINS
demo=(demo --devices host/2 --epochs 5 --output-dir "$work")
there cli/cohort "${demo[@]}" >demo.log 2>&1
claim $? "$machine: the demo trains"
if [ -n "${COHORT-}" ]; then
    here=$(COHORT_PLUGIN_PATH='' "$COHORT" "${demo[@]}" 2>&1 | digest)
    [ -n "$here" ] && [ "$(digest <demo.log)" = "$here" ]
    claim $? "$machine: its digest is that of this machine, ${here:-none}"
fi
for test in "$@"; do
    there "$test" >"$test.log" 2>&1 && grep -q '^ok' "$test.log" # not skipped as a whole
    claim $? "$machine: $test"
    grep -A 4 '^not ok' "$test.log" | sed 's/^/# /'
done
printf '# PASS: %d\n# FAIL: %d\n1..%d\n' $((count - failures)) "$failures" "$count"
[ "$failures" = 0 ]
