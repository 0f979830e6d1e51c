#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016,SC2317 # commands for other shells; set-ups are functions that are called by name
# It starts everywhere, and nobody ends it: set-ups that people have met, each with the demo, cohort devices, doctor and
# check, and a program. Where there is a device it is found; what cannot work is an error in words; nothing ends by a signal.
# Most want root, for owners, mounts, groups and limits. STARTS_LEAST is how many have to run here, or the test fails.
. "${srcdir:-.}/tests/tap.sh"
builddir=$(cd "$builddir" && pwd)
srcdir=$(cd "$srcdir" && pwd)
scratch starts
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR COHORT_PLUGIN_PATH COHORT_DATA_PATH COHORT_DEVICES COHORT_PLUGINS XDG_CACHE_HOME
unset OMP_NUM_THREADS OMP_WAIT_POLICY POCL_CACHE_DIR

# Outside of the build folder, so that none of its owners and modes is above, and open to a user without a name.
work=$(mktemp -d "${TMPDIR:-/tmp}/cohort-starts-XXXXXX") || skip_all "no folder for temporary files"
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$scratch" "$work"; rmdir /sys/fs/cgroup/*/cohort-starts-* /sys/fs/cgroup/cohort-starts-* 2>/dev/null' EXIT
chmod 755 "$work"
me=$(id -u)

# ------------------------------------------------------------------ what is run

variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}
make -s -C "$builddir" install "DESTDIR=$scratch/root" >"$scratch/install" 2>&1 || {
    ok 1 "Cohort is installed in a folder"
    diag "$(cat "$scratch/install")"
    tap_done
}
prefix=$work/prefix
told=$(find "$scratch/root" -path '*/bin/cohort')
mv "${told%/bin/cohort}" "$prefix"
rm -rf "$prefix/share/doc" "$prefix/share/man"
lib=$(dirname "$(find "$prefix" -name libcohort.so)")
lib=${lib#"$prefix/"}
eval "${CC:-cc} $(variable CFLAGS) -std=c11 -I'$srcdir/include' '$srcdir/examples/saxpy.c' $(variable LDFLAGS) -L'$prefix/$lib' -lcohort -lm -o '$work/program'" ||
    skip_all "no C compiler makes a program"
has_opencl=no
case $(env HOME="$scratch" LD_LIBRARY_PATH="$prefix/$lib" "$prefix/bin/cohort" devices 2>&1) in *" opencl:0 "*) has_opencl=yes ;; esac

# copy OWNER MODE: the installation again, in $prefix.
copy() {
    rm -rf "$work/copy" && cp -a "$prefix" "$work/copy" && chown -R "$1" "$work/copy" && chmod -R "$2" "$work/copy" || return 1
    tree=$work/copy
}

# build OWNER MODE: what a build folder needs to run, in $work/build, to be mounted over the real one.
build() {
    rm -rf "$work/build" && mkdir -p "$work/build/cli" || return 1
    (cd "$builddir" && find cohort cli/cohort cli/.libs .libs host/.libs opencl/.libs plugins/mpi/.libs -type f -o -type l) \
        2>/dev/null >"$scratch/files"
    tar cf - -C "$builddir" -T "$scratch/files" | tar xf - -C "$work/build" &&
        cp "$work/program" "$work/build" && chown -R "$1" "$work/build" && chmod -R "$2" "$work/build"
}

# home USER [new]: one for each user, in which kernels stay built, or an empty one.
home() {
    HOME=$work/home-$1${2-}
    export HOME
    [ "${2-}" = '' ] || rm -rf "$HOME"
    [ -d "$HOME" ] || { mkdir -m 700 "$HOME" && chown "$1" "$HOME"; }
}

# Every command of a set-up runs by these: as a user without a name, in a namespace of mounts after a script.
as_user() {
    setpriv --reuid=12345 --regid=12345 --clear-groups "$@"
}
after() {
    script=$1
    shift
    unshare -m sh -c "$script"' && exec "$@"' sh "$@"
}
in_group() {
    sh -c 'echo 0 >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
}

# ------------------------------------------------------------------ how it is judged

ran=0
# try NAME WANTED BEFORE...: BEFORE runs each command. WANTED: well, everything works; words, what does not is said.
try() {
    name=$1
    wanted=$2
    shift 2
    if ! "$@" sh -c 'test -x "$0"' "$cohort" 2>"$scratch/why"; then
        skip "$name" "it cannot be made here: $(head -n 1 "$scratch/why" | tr -d '#')"
        return
    fi
    ran=$((ran + 1))
    faults=
    rm -f "$out_folder"/*
    judge 0 "$@" timeout 120 "$cohort" demo --epochs 1 --output-dir "$out_folder"
    judge 0 "$@" timeout 120 "$cohort" devices
    judge 1 "$@" timeout 120 "$cohort" doctor
    judge 0 "$@" timeout 120 "$cohort" check
    judge 0 "$@" timeout 120 "$program" "$devices"
    [ -z "$faults" ]
    ok "$?" "$name"
    [ -z "$faults" ] || diag "$faults"
}

# judge MOST COMMAND...: the exit code is MOST at most, unless words are enough; see above.
judge() {
    most=$1
    shift
    run "$@"
    fault=
    [ "$code" -le "$most" ] || fault="ends with $code"
    case $wanted:$code:$out in
    words:[13]:*"not ok "* | words:[13]:*"cohort: "* | words:1:*saxpy:*) fault= ;;
    esac
    [ "$code" -lt 124 ] || fault="ends with $code"
    case $wanted:$out in
    well:*"usable device"* | well:*"no device 'host"* | *"chown "*" '/'"*) fault="says what is not so" ;;
    esac
    [ -z "$fault" ] || faults="$faults$* $fault:
$(echo "$out" | tail -n 5)
"
}

# The installation in $tree, or the build folder.
installed() {
    cohort=$tree/bin/cohort
    program=$work/program
    LD_LIBRARY_PATH=$tree/$lib
    export LD_LIBRARY_PATH
    unset COHORT_PLUGIN_PATH COHORT_DATA_PATH
}
built() {
    cohort=$builddir/cohort
    program=$builddir/program
    LD_LIBRARY_PATH=$builddir/.libs
    COHORT_PLUGIN_PATH=$builddir/host/.libs
    export LD_LIBRARY_PATH COHORT_PLUGIN_PATH
}
root_only() {
    [ "$me" = 0 ] && return
    skip "$1" "not root"
    return 1
}

devices=host/2
out_folder=$work/out
mkdir -m 1777 "$out_folder" && chmod 1777 "$out_folder"
tree=$prefix

# ------------------------------------------------------------------ whose the tree is

over_build() {
    after "mount --bind '$work/build' '$builddir'" "$@"
}
user_over_build() {
    over_build setpriv --reuid=12345 --regid=12345 --clear-groups "$@"
}
if root_only "build folders of other owners"; then
    built
    home 12345 && build 12345:12345 u+w,go-w,g+w && try "a clone under umask 002, by its user" well user_over_build
    home 0 && build 12345:12345 u+w,g+w && try "a clone under umask 002, by root" well over_build
    build 12345:12345 u+w,go-w && try "a clone of a user, by root (sudo ./quickstart)" well over_build
    build 0:12345 u+w,g+w && try "a build folder of root that a group may write to, by root" well over_build
    home 12345 && build 0:0 u+w,go-w && try "a build folder of root, by a user" well user_over_build
    build 23456:23456 u+w,go-w && try "a checkout of another owner, in a container" well user_over_build
    installed
    home 12345
    try "an installation of root, by a user" well as_user
    copy 23456:23456 go-w && installed && try "a tree of a service account, by a user" well as_user
    chmod -R g+w "$tree" && try "a tree that the group of its account may write to" well as_user
    chmod -R go+w "$tree" && try "a tree that everybody may write to" well as_user
    home 0 && copy 23456:23456 u+w,g+w && installed && try "a tree of a service account, by root" well env
    copy 12345:12345 go-w && try "a tree of a user, by root" well env
fi

# ------------------------------------------------------------------ users that are not mapped

if root_only "user namespaces"; then
    home 12345
    tree=$prefix
    installed
    mapped() { as_user unshare -U --map-current-user "$@"; }
    unmapped() { as_user unshare -U "$@"; }
    as_root() { as_user unshare -U --map-root-user "$@"; }
    try "root is not mapped" well mapped
    try "nobody is mapped" well unmapped
    try "the user is mapped to root" well as_root
    copy 23456:23456 go-w && installed && try "a tree of an account that is not mapped" well mapped
    tree=$prefix
    installed
fi
if command -v bwrap >/dev/null; then
    sandbox() { bwrap --ro-bind / / --dev /dev --proc /proc --bind "$work" "$work" "$@"; }
    sandbox_all() { bwrap --unshare-all --ro-bind / / --dev /dev --proc /proc --bind "$work" "$work" "$@"; }
    installed
    home "$me"
    try "bubblewrap, by this user" well sandbox
    try "bubblewrap with everything of its own" well sandbox_all
    if root_only "bubblewrap by another user"; then
        home 12345
        user_sandbox() { as_user bwrap --ro-bind / / --dev /dev --proc /proc --bind "$work" "$work" "$@"; }
        try "bubblewrap, by a user" well user_sandbox
    fi
else
    skip "bubblewrap" "it is not installed"
fi

# ------------------------------------------------------------------ where the tree is

home "$me"
cp -a "$prefix" "$work/with a space"
tree="$work/with a space"
installed
try "a copy whose path has a space" well env
mkdir -p "$work/profile/bin" "$work/profile/lib"
ln -s "$prefix/bin/cohort" "$work/profile/bin" && ln -s "$prefix/$lib"/libcohort.so* "$work/profile/lib"
tree=$work/profile
installed
LD_LIBRARY_PATH=$work/profile/lib
try "links to an installation" well env
tree=$prefix
installed
relative() { (cd "$prefix" && exec env LD_LIBRARY_PATH="$lib" "$@"); }
try "a relative LD_LIBRARY_PATH" well relative
mkdir -p "$work/bundle/bin"
cp -RP "$prefix/$lib"/libcohort.so* "$prefix/$lib/cohort" "$work/bundle" && cp "$prefix/bin/cohort" "$work/bundle/bin"
tree=$work/bundle
installed
LD_LIBRARY_PATH=$work/bundle
bundled() { env COHORT_DATA_PATH="$prefix/share/cohort" "$@"; }
try "a library that was bundled with its plugins" well bundled
tree=$prefix
installed
newline="$work/two
lines"
cp -a "$prefix" "$newline"
tree=$newline
installed
try "a copy whose path has a newline" well env
tree=$prefix
installed

# ------------------------------------------------------------------ what the system does not show

if root_only "roots and file systems of other kinds"; then
    home 0
    jail() { # FILE SYSTEMS, COMMAND...
        mounts=$1
        shift
        after "mkdir -p '$work/jail' && mount -t tmpfs none '$work/jail' && cd '$work/jail' && mkdir -p proc sys dev tmp '.$work' &&
            for f in usr bin lib lib32 lib64 libx32 sbin etc opt; do [ ! -e /\$f ] || { mkdir \$f && mount --bind /\$f \$f; }; done &&
            mount --bind /dev dev && mount --bind '$work' '.$work' && $mounts cd / && exec chroot '$work/jail' \"\$@\"" "$@"
    }
    chroot_bare() { jail '' "$@"; }
    chroot_proc() { jail 'mount -t proc none proc &&' "$@"; }
    without_sys() { after 'mount -t tmpfs none /sys' "$@"; }
    without_proc() { after 'mount -t tmpfs none /proc' "$@"; }
    without_shm() { after 'mount -t tmpfs -o ro none /dev/shm' "$@"; }
    read_only() { after "mount --bind / / && mount -o remount,bind,ro / && mount -t tmpfs none '$out_folder'" "$@"; }
    full_home() { after "mount -t tmpfs -o size=128k none '$HOME' && dd if=/dev/zero of='$HOME/full' bs=1k count=200 2>/dev/null; :" "$@"; }
    closed_home() { after "mount -t tmpfs -o ro none '$HOME'" "$@"; }
    try "a chroot without /proc and /sys" well chroot_bare
    try "a chroot with /proc alone" well chroot_proc
    try "no /sys" well without_sys
    try "no /proc" well without_proc
    try "a /dev/shm that cannot be written" well without_shm
    try "a root that cannot be written" well read_only
    try "a home on a full disk" words full_home
    try "a home that cannot be written" well closed_home
    if [ $has_opencl = yes ]; then
        devices=opencl:0
        try "a home on a full disk, and kernels" words full_home
        devices=host/2
    fi
fi
without_home() { env -u HOME "$@"; }
try "no HOME" well without_home
gone() { (mkdir "$work/gone" && cd "$work/gone" && rmdir "$work/gone" && exec "$@"); }
try "a folder that is gone" well gone
if [ $has_opencl = yes ]; then
    home "$me" new
    "$cohort" check --devices opencl:0 >/dev/null 2>&1
    cut_cache() { find "$HOME/.cache/pocl" -name '*.so' -exec truncate -s 100 {} + && "$@"; }
    devices=opencl:0
    try "kernels of PoCL that were cut off" well cut_cache
    devices=host/2
    home "$me"
    no_driver() { env OCL_ICD_VENDORS=/nowhere "$@"; }
    try "a loader without drivers" well no_driver
fi

# ------------------------------------------------------------------ limits, and what is told by the environment

if [ "$me" = 0 ]; then
    # of version 2 a folder of its own, of version 1 one for each kind
    make_group() {
        for parent in "/sys/fs/cgroup/$1" /sys/fs/cgroup; do
            group=$parent/cohort-starts-$$-$1
            [ -d "$parent" ] || continue
            [ "$parent" != /sys/fs/cgroup ] || echo "+$1" >/sys/fs/cgroup/cgroup.subtree_control
            mkdir "$group" && return
        done 2>/dev/null
        return 1
    }
    put() { # VALUE FILE...
        value=$1
        shift
        for file in "$@"; do
            [ -e "$group/$file" ] && echo "$value" >"$group/$file" 2>/dev/null && return
        done
        return 1
    }
    if make_group cpu && { put '150000 100000' cpu.max || put 150000 cpu.cfs_quota_us; }; then
        try "a control group of one and a half cores" well in_group
        { put '20000 100000' cpu.max || put 20000 cpu.cfs_quota_us; } && try "a control group of a fifth of a core" well in_group
    else
        skip "a control group with a quota" "none can be made here"
    fi
    if make_group pids && put 3 pids.max; then
        try "a control group of three tasks" words in_group
    else
        skip "a control group of few tasks" "none can be made here"
    fi
    home 12345
    few() { as_user prlimit --nproc=3 "$@"; }
    try "three processes of a user" words few
    home 0
fi
few_files() { prlimit --nofile=24 "$@"; }
try "24 open files" words few_files
huge_stack() { env OMP_STACKSIZE=100G "$@"; }
devices=host
try "stacks of 100 GB" words huge_stack
devices=host/2
hurried() { env COHORT_TIMEOUT_OPEN=0.05 "$@"; }
try "drivers that take longer than they may" words hurried
one_core() { taskset -c "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')" "$@"; }
try "one core" well one_core
one_thread() { env OMP_NUM_THREADS=1 "$@"; }
try "one thread of OpenMP" well one_thread
bound() { env OMP_PROC_BIND=true OMP_PLACES=cores "$@"; }
try "threads that OpenMP binds" well bound
closed() { "$@" <&-; }
try "no standard input" well closed
offline() { unshare -n "$@"; }
try "no network" well offline
if command -v localedef >/dev/null && localedef -i tr_TR -f UTF-8 "$work/tr_TR.UTF-8" 2>/dev/null; then
    turkish() { env LOCPATH="$work" LC_ALL=tr_TR.UTF-8 "$@"; }
    try "a Turkish locale" well turkish
else
    skip "a Turkish locale" "localedef makes none here"
fi
cat >"$scratch/unbound.c" <<'END_OF_PROGRAM'
/* Runs a command for which sched_getaffinity fails. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_getaffinity, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = { sizeof rules / sizeof *rules, rules };
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        return 125;
    execvp(argv[1], argv + 1);
    return 126;
}
END_OF_PROGRAM
if ${CC:-cc} "$scratch/unbound.c" -o "$work/unbound" 2>/dev/null; then
    try "a system that does not tell the affinity" well "$work/unbound"
else
    skip "a system that does not tell the affinity" "no program with a seccomp filter is made here"
fi

[ "$ran" -ge "${STARTS_LEAST:-0}" ]
ok "$?" "$ran set-ups ran, and ${STARTS_LEAST:-0} have to"
tap_done
