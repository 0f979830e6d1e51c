#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each public header stands alone, in C and C++; those of runtime/ stand together.
. "${srcdir:-.}/tests/tap.sh"
scratch headers

# compiles COMPILER LANGUAGE STANDARD HEADER CLAIM; $CC and $CXX may have options
compiles() {
    printf '#include <cohort/%s>\ntypedef int nothing;\n' "$4" >"$scratch/one.src"
    case $2 in
    c++) strict="-Wold-style-cast -Wzero-as-null-pointer-constant" ;;
    *) strict= ;;
    esac
    # shellcheck disable=SC2086
    out=$($1 -x "$2" -std="$3" -Wall -Wextra -Wpedantic $strict -Werror -fsyntax-only -I"$srcdir/include" "$scratch/one.src" 2>&1)
    ok "$?" "$5"
    [ -z "$out" ] || diag "$out"
}

CC=${CC:-cc}
CXX=${CXX:-c++}
# shellcheck disable=SC2086
echo '#include <CL/cl.h>' | $CC -x c -DCL_TARGET_OPENCL_VERSION=120 -fsyntax-only - 2>/dev/null && has_cl=yes || has_cl=no
for path in "$srcdir"/include/cohort/*.h "$srcdir"/include/cohort/*.hpp; do
    header=${path##*/}
    if [ "$header" = opencl.h ] && [ "$has_cl" = no ]; then
        skip "$header alone" 'no CL/cl.h'
        continue
    fi
    case $header in
    *.h) compiles "$CC" c c11 "$header" "$header alone, as C11" ;;
    esac
    if [ "$CXX" = no ]; then
        skip "$header alone, as C++17" 'no C++17 compiler'
        continue
    fi
    compiles "$CXX" c++ c++17 "$header" "$header alone, as C++17"
    case $header in
    codes.h | math*.h | plugin.h | random.h) compiles "$CXX" c++ c++11 "$header" "$header alone, as C++11" ;;
    esac
done

# A plugin is built with whatever its vendor builds with, a program with the newest, too.
for standard in c17 c2x; do
    for header in plugin.h communicator.h cohort.h; do
        compiles "$CC" c "$standard" "$header" "$header, as $standard"
    done
done
for standard in c++11 c++14 c++17 c++20 c++2b; do
    for header in plugin.h communicator.h cohort.h; do
        case $header$standard in
        cohort.hc++1[14]) continue ;; # values of C++ are cohort/argument.hpp, which is C++17
        esac
        [ "$CXX" = no ] || compiles "$CXX" c++ "$standard" "$header" "$header, as $standard"
    done
done

# Inside the library a name is one type: all headers of runtime/ in one file, but for those that are included several
# times, which have no guard.
together() {
    {
        echo '#include "config.h"'
        (cd "$srcdir" && find runtime -name '*.h' -exec grep -l '^#ifndef COHORT_' {} +) | sort | sed 's/.*/#include "&"/'
        echo '#include <cohort/plugin.h>'
        echo "$1"
    } >"$scratch/together.c"
    # shellcheck disable=SC2086
    $CC -std=c11 -fsyntax-only -I"$builddir" -I"$srcdir/include" -I"$srcdir" "$scratch/together.c" 2>&1
}
out=$(together "")
ok "$?" "all headers of runtime/ compile together"
[ -z "$out" ] || diag "$out"
out=$(together 'typedef struct cohort_layout { int other; } cohort_layout;')
is "$?" 1 "which a second type of one name does not"
has "$out" cohort_layout "because of that name"

# plugin.h is the manual of its operations: SLOT LABEL for each label that the comment above a slot has not.
missing_labels() {
    awk '/^typedef struct cohort_ops \{/ { inside = 1 }
        /^} cohort_ops;/ { inside = 0 }
        inside && /^    \/\*/ { comment = "" }
        inside && /^    (\/\*| \*)/ { comment = comment $0 "\n" }
        inside && /\(\*[a-z_]+\)\(/ {
            slot = $0
            sub(/^[^*]*\*/, "", slot)
            sub(/\).*/, "", slot)
            n++
            split("When Thread Checked Owner Errors NULL", labels, " ")
            for (i in labels)
                if (comment !~ "[*] " labels[i] "  ")
                    print slot, labels[i]
            comment = ""
        }
        END { if (n != 34) print n, "slots" }' "$1"
}
is "$(missing_labels "$srcdir/include/cohort/plugin.h")" "" \
    "each operation of plugin.h says when, on which thread, what is checked, who owns, which errors, and what NULL means"
sed '/^     \* Owner    dev is gone/d' "$srcdir/include/cohort/plugin.h" >"$scratch/plugin.h"
is "$(missing_labels "$scratch/plugin.h")" "device_close Owner" "... and one that does not is found"

# A const array, in a program whose compiler looks for what takes const away.
cat >"$scratch/const.c" <<'END'
#include <cohort/cohort.h>
static const float x[4] = { 1, 2, 3, 4 };
cohort_array view(void);
cohort_array view(void)
{
    return COHORT_ARRAY(x, 2, 2);
}
END
for compiler in "$CC" clang; do
    command -v "${compiler%% *}" >/dev/null 2>&1 || continue
    # shellcheck disable=SC2086 # $CC may have options
    out=$($compiler -std=c11 -Wall -Wextra -Wpedantic -Wcast-qual -Wshadow -Wconversion -Werror -I"$srcdir/include" \
        -c "$scratch/const.c" -o "$scratch/user.o" 2>&1)
    ok "$?" "$compiler has nothing to say of COHORT_ARRAY with a const array"
    [ -z "$out" ] || diag "$out"
done

# ... and says of those that the core does not call that it does not, and of no others.
uncalled() {
    awk '/^     \* When     Not called/ { uncalled = 1 }
        /\(\*[a-z_]+\)\(/ && uncalled { sub(/^[^*]*\*/, ""); sub(/\).*/, ""); print; uncalled = 0 }' "$1"
}
slots=$(sed -n '/^typedef struct cohort_ops {/,/^} cohort_ops;/s/^    cohort_status (\*\([a-z_]*\)).*/\1/p' "$srcdir/include/cohort/plugin.h" | sort)
grep -rhoE '\bops(->|\.)[a-z_]+' "$srcdir/runtime" | sed 's/^ops[->.]*//' | sort -u >"$scratch/called"
is "$(echo "$slots" | grep -vxFf "$scratch/called")" "$(uncalled "$srcdir/include/cohort/plugin.h" | sort)" \
    "it says of the operations that the core does not call that they are not called"

# Kernels are compiled with it in front. Debian's PoCL brings a clang with a number.
for clang in /usr/bin/clang-[1-9]*[0-9] clang; do
    ! command -v "$clang" >/dev/null 2>&1 || break
done
opencl_compiles() {
    "$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
        -I"$srcdir/include" "$1" 2>&1
}
claim="math.h and random.h alone, as OpenCL C 1.2"
echo 'kernel void k(global float *x) { *x = as_float(1); }' >"$scratch/probe.cl"
if opencl_compiles "$scratch/probe.cl" >/dev/null; then
    cat >"$scratch/math.cl" <<'END'
#include <cohort/random.h>
kernel void k(global float *x)
{
    x[0] = cohort_expf(cohort_logf(cohort_tanhf(x[0])));
    cohort_random r = cohort_random_at(1, 2, 3, get_global_id(0));
    x[3] = cohort_random_normalf(&r) + cohort_random_uniformf(&r) + cohort_random_below(&r, 3);
    x[4] = cohort_hypotf(cohort_erff(x[4]), cohort_atan2f(x[5], x[6])) + cohort_fmaf(x[1], 2, 3);
}
#ifdef cl_khr_fp64
kernel void of_doubles(global double *x)
{
    cohort_random r = cohort_random_at(1, 2, 3, get_global_id(0));
    x[0] = cohort_random_normal(&r) + cohort_random_uniform(&r) + cohort_pow(x[1], cohort_tan(x[2]));
    x[1] = cohort_hypot(cohort_erfc(x[4]), cohort_atan2(x[5], x[6])) + cohort_fma(x[1], 2, 3);
}
#endif
END
    out=$(opencl_compiles "$scratch/math.cl")
    ok "$?" "$claim"
    [ -z "$out" ] || diag "$out"
else
    skip "$claim" 'no clang for OpenCL C'
fi
tap_done
