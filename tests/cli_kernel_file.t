#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort run NAME --opencl FILE: what the file is found to say, and what is refused; tests/cli_kernel_names.t runs kernels.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch cli_kernel_file
unset COHORT_DEVICES
cd "$scratch" || exit 1

# of NAME WORDS...: the kernel of k.cl, without values
of() {
    run "$cohort" run "$@" --opencl k.cl --global 1
}
# refused TEXT PART WORDS...: of the kernel f
refused() {
    printf '%s\n' "$1" >k.cl
    part=$2
    shift 2
    of f "$@"
    has "$code:$out" "2:cohort: " "wrong usage: $(sed -n 1p k.cl)"
    has "$out" "$part" "which says: $part"
}
# says TEXT PROTOTYPE WORDS...: the missing value is told with the declaration that was read
says() {
    printf '%s\n' "$1" >k.cl
    wanted=$2
    shift 2
    of f "$@"
    has "$out" "VALUE, for kernel void f($wanted)" "$(sed -n '/kernel/p' k.cl | head -n 1) is f($wanted)"
}

# ---- Words
printf 'kernel void scale(global float *x, float by) { x[0] *= by; }\nkernel void shift(global float *x) { }\n' >k.cl
run "$cohort" run scale --global 1 x=1
is "$code" 2 "a name without --opencl is wrong usage"
has "$out" "'scale' is no declaration" "and what it is not is said"
has "$out" "fix: --opencl FILE.cl" "with what to do"
run "$cohort" run scale --library libm.so.6 x=1
is "$code" 2 "also with another body"
of
has "$code:$out" "2:cohort: --opencl k.cl: which kernel? It has: scale, shift" "without a name the kernels are listed"
has "$out" "fix: cohort run scale --opencl k.cl" "with one as an example"
of scael
has "$code:$out" "2:cohort: --opencl k.cl: no kernel 'scael'; it has: scale, shift" "a wrong name is told"
has "$out" "fix: did you mean scale?" "with what was meant"
of shift --symbol scale
has "$code:$out" "2:cohort: --symbol scale: the first word, shift, is the name" "a second name is refused"
of scale x=1
has "$out" "fix: by=VALUE, for kernel void scale(global float *x, float by)" "the declaration is shown"
run "$cohort" run scale --opencl k.cl x=1 by=2
has "$code:$out" "2:cohort: --opencl k.cl: how many items does the kernel have?" "the number of items is asked for"
run "$cohort" run scale --opencl none.cl --global 1
is "$code:$out" "1:cohort: --opencl none.cl: No such file or directory" "a file that is not there fails"
run "$cohort" run scale --opencl . --global 1
is "$code:$out" "1:cohort: --opencl .: not a regular file" "so does a folder"
mkfifo pipe.cl
run "$cohort" run scale --opencl pipe.cl --global 1
is "$code:$out" "1:cohort: --opencl pipe.cl: not a regular file" "a pipe is not waited for"
: >k.cl
of f
has "$code:$out" "2:cohort: --opencl k.cl: there is no kernel in this file" "an empty file has none"
dd if=/dev/zero of=large.cl bs=1024 count=0 seek=16385 2>/dev/null
run "$cohort" run f --opencl large.cl --global 1
has "$code:$out" "1:cohort: --opencl large.cl: not a regular file of at most 16777216 bytes" "one that is too large is not read"

# A file of the kernel's that has bytes, and whose reading fails: the speed of the loopback device.
if [ -f /sys/class/net/lo/speed ] && ! cat /sys/class/net/lo/speed >/dev/null 2>&1; then
    run "$cohort" run f --opencl /sys/class/net/lo/speed --global 1
    is "$code:$out" "1:cohort: --opencl /sys/class/net/lo/speed: Invalid argument" "a file that cannot be read is no empty one"
    run "$cohort" run 'void cos(const char *x)' --library libm.so.6 x=@/sys/class/net/lo/speed:int8:4096
    has "$code:$out" "1:cohort: /sys/class/net/lo/speed: Invalid argument" "nor one that became shorter"
else
    skip "files whose reading fails" "no /sys/class/net/lo/speed"
fi

# ---- What is refused
refused 'kernel void f(global real *x) { }' "k.cl:1: f: unknown type 'real'"
has "$out" "fix: the file does not say what it is: --build-options -Dreal=float, or --type real=float" "with two ways"
refused 'kernel void f(global struct s *x) { }' "k.cl:1: f: unknown struct 's'"
refused 'kernel void f(read_only image2d_depth_t x) { }' "images of depths, and of several samples, are not passed"
refused 'typedef image2d_msaa_t picture;
kernel void f(__write_only picture x) { }' "k.cl:2: f: 'image2d_msaa_t': images"
refused 'kernel void f(pipe int p) { }' "pipes are not passed"
refused 'typedef global float *row; kernel void f(global row *x) { }' "k.cl:1: f"
refused 'kernel void f(float *x, global float **y) { }' "a pointer to a pointer"
refused 'typedef union { int i; float f; } both;
kernel void f(global both *x) { }' "union types are not understood"
refused 'typedef struct { int a : 3; } bits; kernel void f(bits b) { }' "bit-fields have no layout"
refused 'struct s { int n; struct s *next; }; kernel void f(struct s x) { }' "contains itself"
refused 'typedef struct { char c; int n; } __attribute__((packed)) gap;
kernel void f(global gap *x) { }' "k.cl:1: struct gap is packed or aligned, which gives it another layout"
refused 'typedef struct __attribute__((aligned(16))) { float x, y; } pair; kernel void f(pair p) { }' "struct pair is packed or aligned"
refused 'typedef struct { char c; int n __attribute__((aligned(16))); } odd; kernel void f(odd p) { }' "struct odd is packed or aligned"
refused 'typedef struct { float x[N]; } row; kernel void f(global row *x) { }' "'N' is unknown in a struct"
refused 'enum e { A = sizeof(int) }; kernel void f(enum e x, global real *y) { }' 'k.cl:1: A: a value that is no constant'
refused '#include "none.h"
kernel void f(global number *x) { }' 'fix: k.cl:1: #include none.h: no such file; folders are given with --build-options'
refused '#error "not here"
kernel void g(void) { }' 'fix: k.cl:1: #error "not here"'
refused '#if 18446744073709551616 > 0
#endif
kernel void g(void) { }' 'fix: k.cl:1: #if: a number of more than 64 bits'
refused '#if 1u % 0
#endif
kernel void g(void) { }' 'fix: k.cl:1: #if: a division by zero'
refused '#if 1 / 0
#endif
kernel void g(void) { }' 'fix: k.cl:1: #if: a division by zero'
refused '#endif
kernel void g(void) { }' 'fix: k.cl:1: #endif without #if'
refused '#if 1
kernel void g(void) { }' 'fix: k.cl:1: #if without #endif'
refused 'kernel void g(void) { }
#ifdef A
kernel void f(void) { }
#else' 'fix: k.cl:2: #if without #endif'
refused '#define P(x
kernel void g(void) { }' "fix: k.cl:1: the list of a macro's parameters has no end"
refused '#define SQ(x) ((x) * (x))
kernel void g(int n) { n = SQ(n; }' 'the call of a macro is never closed'
refused '#include "k.cl"
kernel void f(int n) { }' 'fix: k.cl:1: #include k.cl: more than 32 files inside each other'
refused 'kernel void g(int n) { /* without an end' 'no kernel'
refused 'kernel void f(int n' 'there is no kernel'
# A macro whose expansion doubles 60 times, and calls within calls, end with a sentence.
{
    echo '#define M0 x x'
    i=0
    while [ $i -lt 60 ]; do
        echo "#define M$((i + 1)) M$i M$i"
        i=$((i + 1))
    done
    echo 'kernel void g(void) { M60 }'
    echo 'kernel void f(int n) { }'
} >k.cl
of f
has "$code:$out" "1:cohort: --opencl k.cl: to read it takes more than 256 MiB; k.cl:62: no memory for what the macros" \
    "macros that expand without an end are told"
{
    echo '#define I(x) x'
    printf 'kernel void g(int n) { n = '
    i=0
    while [ $i -lt 400 ]; do printf 'I('; i=$((i + 1)); done
    printf 'n'
    i=0
    while [ $i -lt 400 ]; do printf ')'; i=$((i + 1)); done
    echo '; } kernel void f(int n) { }'
} >k.cl
of f
has "$code:$out" "k.cl:2: too many calls of macros inside each other" "so are calls inside of each other"
# parameters N: a macro of so many, whose last one is its text, and a call
parameters() {
    awk -v n="$1" 'BEGIN {
        printf "#define LAST("
        for (i = 1; i <= n; i++) printf "%sp%d", (i > 1 ? ", " : ""), i
        printf ") p%d\nkernel void f(LAST(", n
        for (i = 1; i <= n; i++) printf "%sint a%d", (i > 1 ? ", " : ""), i
        print ")) { }"
    }'
}
parameters 127 >k.cl
of f
has "$out" "for kernel void f(int a127)" "a macro may have 127 parameters"
parameters 300 >k.cl
of g
has "$code:$out" "2:cohort: --opencl k.cl: " "more are not taken"
has "$out" "fix: k.cl:1: a macro has more than 127 parameters" "which is said"
awk 'BEGIN {
    print "#define SQ(x) ((x) * (x))\nkernel void g(global int *x) {"
    for (i = 0; i < 60000; i++) print "x[0] += SQ(x[1]);"
    print "}\nkernel void f(int n) { }"
}' >k.cl
of f
has "$out" "for kernel void f(int n)" "60000 calls of macros are read"
{
    i=0
    while [ $i -lt 200 ]; do echo '#if 1'; i=$((i + 1)); done
    echo 'kernel void f(int n) { }'
} >k.cl
of f
has "$code:$out" "more than 128 conditions inside each other" "and conditions"

# ---- What is read
says '__kernel void f(__global const float* restrict in, const unsigned int n) { }' '__global const float *restrict in, const unsigned int n'
says 'typedef float real; typedef real data; kernel void f(global data *x, real4 y, data by) { }' 'global float *x, real4 y, float by' \
    --type real4=float
says 'typedef __global int *ints; kernel void f(const ints x) { }' '__global int *x'
says 'typedef float row[4]; kernel void f(global row *x) { }' 'global float *x'
says '#define N 4
#define T(n) float ## n
kernel void f(constant T(2) w[N * (1 + N)]) { }' 'constant float2 w[20]'
says '#define NAME(x) x
#define ARG(type, name) global type *name
kernel void NAME(f)(ARG(int, x), ARG(float, y)) { }' 'global int *x, global float *y'
says '#define EMPTY
#define CAT(a, b) a ## b
kernel void f(EMPTY global CAT(u, int) *CAT(x,), int CAT(,y)) { }' 'global uint *x, int y'
says '#define ALL(...) __VA_ARGS__
kernel void f(ALL(int a, int b), ALL()  int c) { }' 'int a, int b, int c'
says '#define LAST(a, b, ...) b __VA_ARGS__
kernel void f(LAST(char p, int a, , int b, int c)) { }' 'int a, int b, int c'
says '#define FIRST(a) a
kernel void f(FIRST(int a, int b)) { }' 'int a, int b'
says '#define f f
#define X Y
#define Y X
kernel void f(int X) { }' 'int X'
says '#define LONG unsigned \
    long
/* a comment
*/ kernel // the rest
void f(LONG x /* in it */) { }' 'unsigned long x'
says '#if defined(N) && N > 3 || !defined FLAG
typedef float T;
#elif 1
typedef double T;
#else
#error "never"
#endif
kernel void f(T x) { }' 'float x' --build-options '-D N=4 -DFLAG'
says '#ifdef FLAG
typedef float T;
#else
typedef double T;
#endif
kernel void f(T x) { }' 'double x' --build-options '-DFLAG -UFLAG'
says '#if 1 ? (2 << 3) == 020 && 0x10 % 3 == 1 && -1 < 0 && ~0 == -1 && (5 & 4 | 2 ^ 2) == 4 : 0
kernel void f(int yes) { }
#else
kernel void f(int no) { }
#endif' 'int yes'
# Unsigned where either operand is, as in C: in a comparison, a quotient, a remainder and behind ?:, not in a shift; and what
# no signed number of 64 bits holds.
says '#if -1 > 0u && -1 / 2u == 0x7fffffffffffffff && -1 % 10u == 5 && (1 ? -1 : 0u) > 0 && 0xffffffffffffffff > 0
kernel void f(int yes) { }
#else
kernel void f(int no) { }
#endif' 'int yes'
says '#if -1 >> 1u < 0 && -1u >> 63 == 1 && 1 << 64 == 0 && !1u > -1 && (2u > 1) > -1 && -1 < 0L && ~0u > 1 && - -1u == 1
kernel void f(int yes) { }
#else
kernel void f(int no) { }
#endif' 'int yes'
says '#if 18446744073709551615 > 0 && -2 / -1 == 2 && -1 - 1u > 0 && 1u - 2 >= 1 && 2u <= -1 && (0x8000000000000000 | 0) > 0
kernel void f(int yes) { }
#else
kernel void f(int no) { }
#endif' 'int yes'
says '#if 0 && 1 / 0
#elif 1 || 1 / 0
kernel void f(int yes) { }
#endif' 'int yes'
says '#if 0
'"it's"' not "read
#define f g
#endif
kernel void f(int n) { }' 'int n'
says 'enum { A, B = 5, C }; typedef enum mode { M = C + 1 } mode; kernel void f(mode m, enum mode k, global int *x, constant int w[C]) { }' \
    'mode m, mode k, global int *x, constant int w[6]'
says 'enum { A = 0x7fffffffffffffff, B }; kernel void f(constant int w[(B >> 63) + 5]) { }' 'constant int w[4]'
says 'typedef image2d_t picture; kernel void f(read_only picture x, sampler_t s, __write_only image3d_t y) { }' \
    'read_only image2d_t x, sampler_t s, __write_only image3d_t y'
says 'struct p { float x; }; typedef struct p q; kernel void f(global struct p *a, global q *b) { }' 'global p *a, global p *b'
says 'typedef struct { float x; } __attribute__((packed)) p; kernel void f(global p *x) { }' 'global p *x'
says 'typedef struct { float x[4]; } __attribute__((aligned(16))) p; kernel void f(p x) { }' 'p x'
says 'constant float t[] = { 1, 2 }; float g(float x) { return x; } kernel void f(int n) { if (n) { } }' 'int n'
says 'kernel void f(int, float); kernel void f(int n, float by) { }' 'int n, float by'
says '__attribute__((reqd_work_group_size(2, 1, 1))) __kernel void f(int n) __attribute__((vec_type_hint(int))) { }' 'int n'
says 'typedef float color; kernel void f(global color *color, int f) { }' 'global float *color, int f'
says 'kernel void f(global float *, local int *) { }' 'global float *, local int *'
printf 'typedef float real;\n#define N 3\n' >types.h
says '#include "types.h"
kernel void f(global real *x, constant real w[N]) { }' 'global float *x, constant float w[3]'
mkdir -p include
mv types.h include/types.h
says '#include <types.h>
kernel void f(global real *x) { }' 'global float *x' --build-options '-Iinclude'
says '#define FILE "types.h"
#include FILE
kernel void f(global real *x) { }' 'global float *x' --build-options '-I include'
printf '#define A 1\r\n#define B \\\r\n  int\r\nkernel void f(B x) { }\r\n' >k.cl
of f
has "$out" "for kernel void f(int x)" "lines may end as on Windows"
tap_done
