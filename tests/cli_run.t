#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort run: wrong words first, then values, files, replicas and outputs.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch cli_run
find_python
find_numpy
unset COHORT_DEVICES
cos='double cos(double x)'
libm=libm.so.6
run "$cohort" run "$cos" --library $libm x=0.5
[ "$code" = 0 ] || skip_all "no $libm: $out"
is "$out" 0.8775825618903728 "the cosine of 0.5"

cat >"$scratch/f.c" <<'C'
#include <stdbool.h>
#include <stdint.h>
typedef struct { uint8_t tag; float w[2]; } pixel;
void saxpy(int64_t n, float a, const float *x, float *y) { for (int64_t i = 0; i < n; i++) y[i] += a * x[i]; }
double dot(int64_t n, const double *x, const double *y)
{ double s = 0; for (int64_t i = 0; i < n; i++) s += x[i] * y[i]; return s; }
void scale(int64_t n, int64_t d, int by, const int *x, int *y)
{ for (int64_t i = 0; i < n * d; i++) y[i] = by * x[i]; }
void fill(int64_t n, double by, double *y) { for (int64_t i = 0; i < n; i++) y[i] = by; }
float weigh(pixel p, int k) { return (float)p.tag + p.w[0] * p.w[1] * (float)k; }
void swap(int64_t n, pixel *p)
{ for (int64_t i = 0; i < n; i++) { float w = p[i].w[0]; p[i].w[0] = p[i].w[1]; p[i].w[1] = w; } }
bool negate(bool b) { return !b; }
uint64_t same(uint64_t x) { return x; }
float f32(float x) { return x; }
int i32(int x) { return x; }
void floats(int64_t n, const float *x, float *y) { for (int64_t i = 0; i < n; i++) y[i] = x[i]; }
void copied(int64_t n, const int64_t *x, int64_t *y) { for (int64_t i = 0; i < n; i++) y[i] = x[i]; }
void doubles(int64_t n, const double *x, double *y) { for (int64_t i = 0; i < n; i++) y[i] = x[i]; }
void complexes(int64_t n, const double _Complex *x, double _Complex *y) { for (int64_t i = 0; i < n; i++) y[i] = x[i]; }
int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
void copy(int n, const char *s, signed char *t) { for (int i = 0; i < n; i++) t[i] = s[i]; }
double _Complex c128(double _Complex z) { return z; }
long double ld(long double x) { return x; }
void many(int64_t n, const float *x, float *y, int *z) { for (int64_t i = 0; i < n; i++) y[i] = x[i], z[i] = (int)i; }
int is_null(void *p) { return p == 0; }
C
if ! ${CC:-cc} -O2 -fPIC -shared -o "$scratch/f.so" "$scratch/f.c" 2>/dev/null; then
    skip_all "no C compiler"
fi
# call PROTOTYPE WORDS...: of the functions above
call() {
    prototype=$1
    shift
    run "$cohort" run "$prototype" --library "$scratch/f.so" "$@"
}
saxpy='void saxpy(int64_t n, float a, const float x[n], float y[n])'
dot='double dot(int64_t n, const double x[n], const double y[n])'
scale='void scale(int64_t n, int64_t d, int by, const int x[n][d], out int y[n][d])'
pixel='pixel={ uint8_t tag; float w[2]; }'

# wrong CODE PART PROTOTYPE WORDS...
wrong() {
    wanted=$1
    part=$2
    shift 2
    call "$@"
    is "$code" "$wanted" "exit code $wanted: $*"
    has "$out" "$part" "and says why"
}

run "$cohort" run
is "$code" 2 "no prototype is wrong usage"
has "$out" "fix: cohort run 'double cos(double x)'" "and an example is given"
run "$cohort" run "$cos" x=1
is "$code" 2 "no body is wrong usage"
has "$out" "fix: --library FILE.so, --source FILE.c or --opencl FILE.cl" "and the bodies are listed"
run "$cohort" run "$cos" --librari $libm x=1
is "$code" 2 "an unknown option is wrong usage"
has "$out" "did you mean --library?" "with what was meant"
run "$cohort" run "$cos" --library libnone.so.9 x=1
is "$code" 1 "a library that is not there fails"
has "$out" "libnone.so.9" "and is named"
run "$cohort" run 'int f(void)' --library ./none.so
is "$code:$out" "1:cohort: --library ./none.so: No such file or directory" "so is a path that is not there"
run "$cohort" run 'int f(void)' --library ''
is "$code" 2 "no name of a library is wrong usage"
run "$cohort" run 'int f(void)' --library "$scratch/"
has "$out" "not a regular file" "a folder is no library"
mkfifo "$scratch/pipe.so"
run "$cohort" run 'int f(void)' --library "$scratch/pipe.so"
has "$out" "not a regular file" "a pipe is not waited for"
here=$PWD
cd "$scratch" || exit 1
run "$cohort" run 'uint64_t same(uint64_t x)' --library ./f.so x=7
is "$code:$out" "0:7" "a library in this folder"
run "$cohort" run 'uint64_t same(uint64_t x)' --library ../"$(basename "$scratch")"/f.so x=8
is "$code:$out" "0:8" "a path through another folder"
run "$cohort" run 'uint64_t same(uint64_t x)' --library f.so x=7
is "$code" 1 "a name without a slash is not looked for here"
has "$out" "fix: --library ./f.so for the file in this folder" "and it is said how it would be"
cd "$here" || exit 1
run "$cohort" run 'double cosinus(double x)' --library $libm x=1
is "$code" 1 "a symbol that is not there fails"
has "$out" "cosinus" "and is named"
run "$cohort" run "$cos" --opencl "$scratch/none.cl" x=1
is "$code" 2 "a kernel without --global is wrong usage"
run "$cohort" run "$saxpy" --opencl "$scratch/none.cl" a=1 x=1 y=1
has "$out" "fix: --global n" "and an integer parameter is named"
run "$cohort" run "$saxpy" --opencl "$scratch/none.cl" --global n a=1 x=1 y=1
is "$code" 1 "a kernel file that is not there fails"
has "$out" "none.cl: No such file" "and is named"
run "$cohort" run "$cos" --source "$scratch/none.c" x=1
is "$code" 1 "a source that is not there fails"

wrong 2 "unknown type 'flaot'" 'flaot cos(double x)' x=1
wrong 2 "fix: --type pixel=int" 'double f(pixel p)' p=1
wrong 2 "fix: --type 'pixel={" 'double f(struct pixel p)' p=1
wrong 2 "has no parameter 'x'" 'float f32(float)' x=1
wrong 2 "fix: 1=VALUE, for float f32(float)" 'float f32(float)'
wrong 1 "fix: n=NUMBER" 'void fill(int64_t n, double by, out double y[n])' by=1
wrong 2 "this parenthesis is never closed" 'double cos(double x' x=1
wrong 2 "the function has no parameter 'z'" "$dot" z=1
wrong 2 "did you mean by?" "$scale" bi=1
wrong 2 "'x' is given twice" "$dot" x=1 x=2 y=1
wrong 2 "argument 'y' is missing: an array of float64" "$dot" x=1
wrong 2 "fix: y=VALUE, for $dot" "$dot" x=1
wrong 2 "unexpected 'word'" "$dot" word
wrong 2 "no number" "$saxpy" a=one x=1 y=1
wrong 2 "a number is missing" "$saxpy" a=1 x=1,,2 y=1
wrong 2 "no number" "$saxpy" a=1 x=0x y=1
wrong 2 "lists of different lengths" "$scale" by=1 'x=[[1,2],[3]]'
wrong 2 "numbers beside lists" "$scale" by=1 'x=[[1,2],3]'
wrong 2 "expected a comma or a bracket" "$scale" by=1 'x=[[1,2'
wrong 2 "expected a comma or a bracket at ']'" "$scale" by=1 'x=[1]]'
wrong 2 "a fraction, for an integer" "$scale" by=1.5 x=1
wrong 2 "out of range" "$scale" by=3e9 x=1
wrong 2 "out of range" "$scale" by=1 x=2147483648
wrong 2 "an imaginary part" "$saxpy" a=1j x=1 y=1
wrong 2 "out of range" "$saxpy" a=1e39 x=1 y=1
wrong 2 "expected zeros(shape)" "$saxpy" a=1 x=1 'y=zeros(-1)'
wrong 2 "expected zeros(shape)" "$saxpy" a=1 x=1 'y=zeros(1'
wrong 2 "expected rand(seed, shape)" "$saxpy" a=1 x=1 'y=rand()'
wrong 1 "no memory" "$saxpy" a=1 x=1 'y=zeros(9223372036854775807)'
wrong 1 "no memory" "$saxpy" a=1 x=1 'y=zeros(4294967296,4294967296)'
wrong 2 "expected zeros(shape)" "$saxpy" a=1 x=1 'y=zeros(1,1,1,1,1,1,1,1,1)'
wrong 1 "none.npy: No such file" "$saxpy" a=1 x=@"$scratch/none.npy" y=1
wrong 1 "no .npy file" "$saxpy" a=1 x=@"$scratch/f.c" y=1
wrong 2 "there is no dtype 'float63'" "$saxpy" a=1 x=@"$scratch/f.c:float63:2" y=1
wrong 2 "did you mean float32?" "$saxpy" a=1 x=@"$scratch/f.c:flaot32:2,2" y=1
wrong 2 "there is no dtype ''" "$saxpy" a=1 x=@"$scratch/f.c::2" y=1
wrong 1 "none:2: No such file" "$saxpy" a=1 x=@"$scratch/none:2" y=1
wrong 1 "needs 8" "$saxpy" a=1 x=@"$scratch/f.c:float32:2" y=1
wrong 1 "not a regular file" "$saxpy" a=1 x=@"$scratch:float32:2" y=1
wrong 2 "not an array that the function reads" "$saxpy" a=1 x=1 y=1 --split a
wrong 2 "does not say how many rows" 'kernel void saxpy(long n, float a, global const float *x, global float *y)' --split x
wrong 2 "has no parameter 'q'" "$saxpy" a=1 x=1 y=1 --split x,q
wrong 2 "expected sum, mean, min or max" "$dot" x=1 y=1 --reduce result=average
wrong 2 "given twice" "$dot" x=1 y=1 --reduce result=sum --reduce result=sum
wrong 2 "the function does not write it" "$dot" x=1 y=1 --reduce x=sum
wrong 2 "the function does not write it" "$dot" x=1 y=1 --output x="$scratch/x.npy"
wrong 2 "expected NAME=FILE.npy" "$dot" x=1 y=1 --output result=
wrong 2 "expected NAME=..." "$dot" x=1 y=1 --output result
wrong 2 "not passed" "$dot" x=1 y=1 result=1
wrong 2 "expected an integer from 1" "$dot" x=1 y=1 --repeat 0
wrong 2 "expected an integer from 1" "$dot" x=1 y=1 --replicas 0
for word in pixel =int pixel=; do wrong 2 "expected NAME=DEFINITION" "$dot" x=1 y=1 --type $word; done
# What only a C program can write is not said to a shell.
for prototype in 'double f(pixel p)' 'double f(struct pixel p)' 'double f(union u p)' 'void f(int n, out double y[n])' \
    'kernel void f(global float *y, local float *t)'; do
    call "$prototype" --symbol f32
    case $out in
    *COHORT_STRUCT* | *COHORT_TYPE* | *COHORT_NAMED* | *cohort_value_* | *.types*) ok 1 "no word of C: $prototype: $out" ;;
    *) ok 0 "no word of C: $prototype" ;;
    esac
done
wrong 2 "argument 'p' is missing: NULL, or bytes" 'int is_null(void *p)'
wrong 2 "p=256: out of range" 'int is_null(void *p)' p=256
wrong 2 "fix: a void * takes bytes, such as 1,2 or" 'int is_null(void *p)' p=1.5
wrong 2 "2 replicas would write where this void * points to" 'int is_null(void *p)' p=7 --replicas 2
wrong 2 "what a void * points to is not combined" 'int is_null(void *p)' p=7 --reduce p=sum
wrong 2 "not an array that the function reads" 'int is_null(void *p)' p=7 --split p
wrong 2 "the function does not write it" 'int is_null(const void *p)' p=7 --output p="$scratch/p.npy"
wrong 2 "the function does not write it" 'int is_null(void *p)' p=NULL --output p="$scratch/p.npy"
wrong 3 "no device 'opencl:99'" "$dot" x=1 y=1 --devices opencl:99
wrong 1 "x" "$dot" x=1,2 y=1
wrong 1 "n" 'void fill(int64_t n, double by, out double y[n])' by=1
wrong 1 "none/y.npy: No such file" "$dot" x=1 y=1 --output result="$scratch/none/y.npy"
wrong 2 "numbers for a part of a struct" 'float weigh(pixel p, int k)' --type "$pixel" p=1,2 k=1
wrong 2 "the 3 numbers of one struct" 'float weigh(pixel p, int k)' --type "$pixel" p=1,2,3,4,5,6 k=1
i=0
words=
while [ $i -lt 65 ]; do words="$words x=1" i=$((i + 1)); done
# shellcheck disable=SC2086
wrong 2 "more than 64 arguments" "$dot" $words

# prints WANTED CLAIM PROTOTYPE WORDS...
prints() {
    wanted=$1
    claim=$2
    shift 2
    call "$@"
    is "$out" "$wanted" "$claim"
}
prints '[2, 4, 6]' "lists, zeros, and an array that is read and written" "$saxpy" a=2 x=1,2,3 'y=zeros(3)'
prints '[2, 4, 6]' "brackets and spaces" "$saxpy" a=2 'x= [ 1, 2 ,3 ] ' 'y=[0,0,0]'
prints '[[2, 4],
 [6, 8]]' "lists beside each other" "$scale" by=2 'x=[1,2],[3,4]'
prints '[]' "no elements" "$saxpy" a=2 x= 'y=zeros(0)'
prints '[]' "no rows of 400 GB each" "$scale" by=2 'x=zeros(0,100000000000)'
prints 32 "a result" "$dot" x=1,2,3 y=4,5,6
prints '[[-2, 4],
 [-6, 8],
 [-10, 12]]' "two axes, of an array that is only written" "$scale" by=-2 'x=[[1,-2],[3,-4],[5,-6]]'
prints '[1.5, 1.5, 1.5]' "a bound by name" 'void fill(int64_t n, double by, out double y[n])' n=3 by=1.5
prints '[1.5, 1.5]' "an output's shape by its value" 'void fill(int64_t n, double by, out double y[n])' 'y=zeros(2)' by=1.5
prints 13 "a struct by value" 'float weigh(pixel p, int k)' --type "$pixel" p=1,2,3 k=2
prints 13 "the same in braces" 'float weigh(pixel p, int k)' --type "$pixel" 'p={1, 2, 3}' k=2
prints '[{1, 3, 2}, {4, 6, 5}]' "an array of structs" 'void swap(int64_t n, pixel p[n])' --type "$pixel" 'p=[{1,2,3},{4,5,6}]'
prints 'y = [1, 2]
z = [0, 1]' "several outputs have names" 'void many(int64_t n, const float x[n], out float y[n], out int z[n])' x=1,2
prints '[0, 1]' "an output in a file is not printed" \
    'void many(int64_t n, const float x[n], out float y[n], out int z[n])' x=1,2 --output y="$scratch/y.npy" --output z=-
prints 1 "a pointer can be NULL" 'int is_null(void *p)' p=NULL
prints 0 "or point to bytes" 'int is_null(const void *p)' p=7
prints 'p = [1, 2]
result = 0' "which are an output where they may be written" 'int is_null(void *p)' p=1,2
prints '[4, 2, 0]' "a header's pointers" 'void copy(int, const char *, signed char *)' 1=2 2=4,2 '3=zeros(3)'
prints '[4, 2]' "or as bytes" 'void copy(int n, const void *s, void *t)' n=2 s=4,2 't=zeros(2)'
prints '[4, 2]' "on two replicas, where each has its own" 'void copy(int n, const void *s, signed char t[n])' n=2 s=4,2 't=zeros(2)' \
    --replicas 2 --reduce t=max
prints true "bools are words" 'bool negate(bool b)' b=false
prints 6 "the body may have another name" 'double product(int64_t n, const double x[n], const double y[n])' --symbol dot x=2 y=3

copy='void copy(int n, const char s[n], out signed char t[n])'
prints 5 "a text" 'int length(const char s[5 + 1])' 's="hello"'
prints 5 "a word" 'int length(const char s[5 + 1])' s=hello
prints '[104, 105, 0]' "with the 0 at its end" "$copy" 's="hi"'
prints '[104, 105]' "or without" "$copy" 's=b"hi"'
prints '[10, 9, 13, 0, 92, 34, -1, 0]' "with escapes" "$copy" 's="\n\t\r\0\\\"\xff"'
prints '[0]' "an empty one" "$copy" 's=""'
prints '[]' "without even the 0" "$copy" 's=b""'
prints '[97, 44, 32, 49, 0]' "a word and what follows it" "$copy" s='a, 1'
prints '[1, 2]' "numbers are numbers" "$copy" s=1,2
prints '[1, 0]' "also true and false" "$copy" s=true,false
prints '[0, 0]' "and zeros" "$copy" 's=zeros(2)'
wrong 2 "the quote is never closed" "$copy" 's="hi'
wrong 2 "more follows the quote" "$copy" 's="hi"x'
wrong 2 "after a backslash" "$copy" 's="\q"'
# shellcheck disable=SC1003 # one backslash
wrong 2 "after a backslash" "$copy" 's="\'
wrong 2 "after a backslash" "$copy" 's="\x1"'
wrong 2 "no number" 'void fill(int64_t n, double by, double y[n])' by=1 'y="text"'
fill='void fill(int64_t n, double by, out double y[n])'
prints '[1, 1, 1, ..., 1, 1, 1] (shape 1001; --all prints everything)' "over 1,000 elements are abbreviated" "$fill" n=1001 by=1
call "$fill" n=1000 by=1
is "$(printf '%s' "$out" | tr -cd , | wc -c | tr -d ' ')" 999 "1,000 are not"
call "$fill" n=1001 by=1 --all
is "$(printf '%s' "$out" | tr -cd , | wc -c | tr -d ' ')" 1000 "nor more when that is asked for"
call "$fill" n=1001 by=1 --json
is "$(printf '%s' "$out" | sed 's/"seconds".*//' | grep -o '\<1\>' | wc -l | tr -d " ")" 1003 "JSON has all, beside schema and replicas"
prints '[[0, 0],
 [0, 0],
 [0, 0],
 ...,
 [0, 0],
 [0, 0],
 [0, 0]] (shape 501,2; --all prints everything)' "each axis has its own first and last" "$scale" by=1 'x=zeros(501,2)'
prints '[[0, 0, 0, ..., 0, 0, 0],
 [0, 0, 0, ..., 0, 0, 0]] (shape 2,501; --all prints everything)' "and those with few have all" "$scale" by=1 'x=zeros(2,501)'

for x in 0.1 1e-45 3.4028235e+38 -0 inf -inf nan 16777216 0.3333333432674408; do
    call 'float f32(float x)' x=$x
    first=$out
    call 'float f32(float x)' x="$first"
    is "$out" "$first" "float32 $x reads back as $first"
done
prints 0.1 "float32 is printed in its own digits" 'float f32(float x)' x=0.1
prints 3 "hexadecimal floats" 'float f32(float x)' x=0x1.8p1
color='color=enum tint { RED, GREEN = -3, BLUE, LAST = BLUE, }'
for word in RED:0 GREEN:-3 BLUE:-2 LAST:-2 7:7; do
    prints "${word#*:}" "a constant of an enum: $word" 'color scale_one(color c)' --symbol i32 --type "$color" c="${word%:*}"
done
prints 0 "with the word enum too" 'enum color i32(enum color c)' --type "$color" c=RED
prints 4294967295 "a large one makes it unsigned" 'big i32(big c)' --type 'big=enum { BIG = 0xffffffff }' c=BIG
prints '[[0, -3]]' "in arrays of integers" 'void scale(int64_t n, int64_t d, int by, const int x[n][d], out int y[n][d])' by=1 \
    --type "$color" 'x=[[RED,GREEN]]'
wrong 2 "no number" 'color i32(color c)' --type "$color" c=PINK
wrong 2 "fix: --type 'color=enum { FIRST" 'enum color i32(enum color c)' c=RED
for is in 'enum' 'enum {' 'enum { A' 'enum { A B }' 'enum { 1 }' 'enum { A = B }' 'enum { A = }' 'enum { A, A }' 'enum { A } x' \
    'enum { A = 4294967296 }' 'enum { A = 4294967295, B }' 'enum { A = -2147483649 }' 'enum { A = 99999999999999999999 }'; do
    wrong 2 "--type 'e=enum { FIRST, SECOND = 5 }'" 'e i32(e c)' --type "e=$is" c=1
done
prints 18446744073709551615 "the largest integer" 'uint64_t same(uint64_t x)' x=18446744073709551615
prints 255 "hexadecimal integers" 'uint64_t same(uint64_t x)' x=0xff
prints 1000 "a real number that is whole" 'uint64_t same(uint64_t x)' x=1e3
prints 1+2j "complex numbers" 'double _Complex c128(double _Complex z)' z=1+2j
prints 0-2j "imaginary numbers" 'double _Complex c128(double _Complex z)' z=-2j
prints 1-infj "with parentheses, and infinities" 'double _Complex c128(double _Complex z)' 'z=(1-infj)'
prints 0.1 "long double" 'long double ld(long double x)' x=0.1

# Replicas
prints '[2, 4, 6, 8, 10]' "rows are split and gathered" "$saxpy" a=2 x=1,2,3,4,5 'y=zeros(5)' --devices host/2 --split x,y
prints '[[2, 4],
 [6, 8],
 [10, 12]]' "what is written has the rows of what was split" "$scale" by=2 'x=[[1,2],[3,4],[5,6]]' --devices host/2 --split x
prints 'result (replica 0) = 14
result (replica 1) = 18' "results are per replica" "$dot" x=1,2,3 y=4,5,6 --devices host/2 --split x,y
prints 32 "and can be combined" "$dot" x=1,2,3 y=4,5,6 --devices host/2 --split x,y --reduce result=sum
prints 18 "by max too" "$dot" x=1,2,3 y=4,5,6 --replicas 2 --split x --split y --reduce result=max
prints '[2, 4]' "fewer rows than replicas" "$saxpy" a=2 x=1,2 'y=zeros(2)' --replicas 5 --split x,y
prints 'y (replica 0) = [2]
y (replica 1) = [2]' "without a split each replica has all" "$saxpy" a=2 x=1 y=0 --replicas 2
prints '[4]' "and they can be combined" "$saxpy" a=2 x=1 y=0 --replicas 2 --reduce y=sum
prints '[8]' "what is read and written goes on when repeated" "$saxpy" a=2 x=1 y=0 --repeat 4
call "$dot" x=1 y=1 --time --repeat 3
has "$out" "seconds a call (median of 3)" "time is told"

# Files
call "$saxpy" a=1 x=1.5,2.5 'y=zeros(2)' --output y="$scratch/y.npy"
is "$code:$out" "0:" "an output can go to a file"
prints '[3, 5]' "and be read from it" "$saxpy" a=2 x=@"$scratch/y.npy" 'y=zeros(2)'
many='void many(int64_t n, const float x[n], out float y[n], out int z[n])'
rm -f "$scratch/same.npy"
wrong 2 "y goes to this file" "$many" x=1,2 --output y="$scratch/same.npy" --output z="$scratch/same.npy"
wrong 2 "y goes to this file" "$many" x=1,2 --output y="$scratch/same.npy" --output z="$scratch/./same.npy"
[ ! -e "$scratch/same.npy" ]
ok $? "and nothing is written"
: >"$scratch/same.npy"
ln -s same.npy "$scratch/link.npy"
wrong 2 "y goes to this file" "$many" x=1,2 --output y="$scratch/same.npy" --output z="$scratch/link.npy"
call "$many" x=1,2 --output y=- --output z=-
is "$code" 0 "but both can be printed"
printf '\1\0\0\0\2\0\0\0' >"$scratch/raw"
if [ "$(printf '\1\0' | od -An -td2 | tr -d ' ')" = 1 ]; then
    prints '[[3],
 [6]]' "raw bytes" "$scale" by=3 x=@"$scratch/raw:int32:2,1"
    prints '[[3, 6]]' "raw bytes with a shape in parentheses" "$scale" by=3 "x=@$scratch/raw:int32:(1,2)"
else
    skip "raw bytes" "not this byte order"
fi
wrong 1 "expects int32, got float32" "$scale" by=3 x=@"$scratch/raw:float32:2,1"
call "$scale" by=1 x=1,2 --devices host/2 --output y="$scratch/y.npy"
if [ -n "$numpy" ]; then
    "$numpy" - "$scratch" <<'P'
import sys
import numpy as np
folder = sys.argv[1]
np.savez(folder + "/a.npz", x=np.array([[1, 2]], np.int32), y=np.array([5.0]))
np.savez_compressed(folder + "/b.npz", x=np.array([[3, 4]], np.int32))
np.save(folder + "/f.npy", np.asfortranarray(np.arange(6, dtype=">i4").reshape(2, 3)))
P
    prints '[[2, 4]]' "a member of a .npz file" "$scale" by=2 x=@"$scratch/a.npz:x"
    call "$scale" by=2 x=@"$scratch/b.npz"
    case $out in
    *'without zlib'*) skip "a compressed .npz file" "no zlib" ;;
    *) is "$out" '[[6, 8]]' "a compressed .npz file, whose only member needs no name" ;;
    esac
    prints '[[0, 2, 4],
 [6, 8, 10]]' "Fortran order and the other byte order" "$scale" by=2 x=@"$scratch/f.npy"
    wrong 1 "no member 'z'; it has: x y" "$scale" by=2 x=@"$scratch/a.npz:z"
    call 'void fill(int64_t n, double by, out double y[n])' n=2 by=7 --replicas 3 --output y="$scratch/r.npy"
    is "$("$numpy" -c 'import sys, numpy; print(numpy.load(sys.argv[1]).tolist())' "$scratch/r.npy")" \
        '[[7.0, 7.0], [7.0, 7.0], [7.0, 7.0]]' "a file of several replicas has them as its first axis"
    "$numpy" - "$scratch" <<'P'
import sys
import numpy as np
random = np.random.RandomState(3)
def save(name, a):
    np.save(sys.argv[1] + "/" + name + ".npy", a)
ties = np.float32(1) + np.arange(8) * 2.0**-24
save("f64", np.concatenate([random.randn(500) * 10.0**random.randint(-44, 38, 500), ties, [0.0, -0.0, np.inf, -np.inf, np.nan]]))
save("i64", np.concatenate([random.randint(-2**62, 2**62, 500), [2**24 + 1, 2**53 + 1, -2**63, 2**63 - 1]]))
save("u64", np.array([2**64 - 1, 2**63, 0, 7], np.uint64))
save("whole", np.array([3.0, -2.0, 2.0**31 - 1]))
save("half", np.array([1.5]))
save("large", np.array([1.0, 1e39]))
save("nan", np.array([np.nan]))
save("complex", np.array([1 + 0j, 2 - 1j]))
save("c64", np.array([1 - 2j], np.complex64))
P
    # converts PROTOTYPE FILE DTYPE: as NumPy does
    converts() {
        call "$1" x=@"$scratch/$2.npy" --convert --output y="$scratch/to.npy"
        is "$code:$out:$("$numpy" -W ignore -c 'import sys, numpy as n
a, b = n.load(sys.argv[1]).astype(sys.argv[3]), n.load(sys.argv[2])
print(a.dtype == b.dtype and a.tobytes() == b.tobytes())' "$scratch/$2.npy" "$scratch/to.npy" "$3" 2>&1)" 0::True "$2 becomes $3"
    }
    floats='void floats(int64_t n, const float x[n], out float y[n])'
    for file in f64 i64 u64 whole; do converts "$floats" $file float32; done
    copied='void copied(int64_t n, const int64_t x[n], out int64_t y[n])'
    converts "$copied" whole int64
    converts 'void doubles(int64_t n, const double x[n], out double y[n])' i64 float64
    wrong 1 "element 0, 1.5: a fraction, for an integer" "$copied" x=@"$scratch/half.npy" --convert
    wrong 1 "element 0, nan: not finite, for an integer" "$copied" x=@"$scratch/nan.npy" --convert
    wrong 1 "element 0, 18446744073709551615: out of range" "$copied" x=@"$scratch/u64.npy" --convert
    wrong 1 "element 1, -2: out of range" 'void copied(int64_t n, const uint64_t x[n], out uint64_t y[n])' \
        x=@"$scratch/whole.npy" --convert
    wrong 1 "element 1, 1e+39: out of range" "$floats" x=@"$scratch/large.npy" --convert
    wrong 1 "element 1, 2-1j: an imaginary part, for a real number" "$floats" x=@"$scratch/complex.npy" --convert
    prints '[1-2j]' "a complex number becomes a wider one" 'void complexes(int64_t n, const double _Complex x[n],
        out double _Complex y[n])' x=@"$scratch/c64.npy" --convert
    prints '[3+0j, -2+0j, 2147483647+0j]' "and a real one complex" 'void complexes(int64_t n, const double _Complex x[n],
        out double _Complex y[n])' x=@"$scratch/whole.npy" --convert
    wrong 1 "expects float32, got float64" "$floats" x=@"$scratch/f64.npy"
    wrong 1 "fix: --convert" "$floats" x=@"$scratch/f64.npy"
    # of_structs CODE EXPRESSION CLAIM, of the file as a
    of_structs() {
        is "$code:$out:$("$numpy" -c "import sys, numpy; a = numpy.load(sys.argv[1]); print($1)" "$scratch/s.npy" 2>&1)" \
            "0::$2" "$3"
    }
    call 'void swap(int64_t n, pixel p[n])' --type "$pixel" 'p=1,2,3,4,5,6' --output p="$scratch/s.npy"
    of_structs 'a.dtype.names, a.dtype.itemsize, a["tag"].tolist(), a["w"].tolist()' \
        "('tag', 'w') 12 [1, 4] [[3.0, 2.0], [6.0, 5.0]]" "structs go to a file with their names, arrays and gaps"
    call 'void swap(int64_t n, pixel p[n])' --type "$pixel" 'p=1,2,3' --replicas 2 --output p="$scratch/s.npy"
    of_structs 'a.shape, a["tag"].tolist()' '(2, 1) [[1], [1]]' "of several replicas too"
    call 'void swap(int64_t n, pixel p[n])' --type 'half_pixel={ float a, b; }' --type 'pixel={ uint8_t tag; half_pixel h; }' \
        p=1,2,3 --output p="$scratch/s.npy"
    of_structs 'a.dtype.names, a.tolist()' "('f0', 'f1', 'f2') [(1, 3.0, 2.0)]" "those with structs inside have numbers for names"
    call 'long double ld(long double x)' x=0.5 --output result="$scratch/s.npy"
    of_structs 'a.dtype == numpy.longdouble, float(a)' 'True 0.5' "and long double is NumPy's"
    call 'void swap(int64_t n, pixel p[n])' --type "$pixel" 'p=zeros(0)' --output p="$scratch/s.npy"
    of_structs 'a.shape' '(0,)' "no structs are a file as well"
    call 'void fill(int64_t n, double by, double y[n])' by=0 'y=rand(7,3)' --output y="$scratch/r.npy"
    call 'void saxpy(int64_t n, float a, const float x[n], float y[n])' a=1 'x=rand(7,4)' 'y=zeros(4)'
    is "$out" "$("$numpy" - <<'P'
state, out = 7, []
for _ in range(4):
    state = (state + 0x9e3779b97f4a7c15) % 2**64
    z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9 % 2**64
    z = (z ^ z >> 27) * 0x94d049bb133111eb % 2**64
    out.append((z ^ z >> 31) >> 40)
import numpy
print("[" + ", ".join(str(numpy.float32(x / 2**24)) for x in out) + "]")
P
    )" "rand is SplitMix64"
else
    skip "NumPy's files" "no python3-numpy"
fi

# Declarations as they stand in headers: right with at most brackets added and --type, or refused with what to write.
# first_library NAMES...: one that opens, or ""
first_library() {
    for library; do
        run "$cohort" run 'void cohort_none(void)' --library "$library"
        case $out in
        *'has no symbol'*)
            echo "$library"
            return
            ;;
        esac
    done
}
m=$(first_library libm.so.6)
z=$(first_library libz.so.1)
blas=$(first_library libopenblas.so.0 libgslcblas.so.0 libcblas.so.3)
gsl=$(first_library libgsl.so.28 libgsl.so.27 libgsl.so.25)
# row LIBRARY NAME WANTED DECLARATION WORDS...: what is printed, or a part of it after "..."
row() {
    library=$1
    claim="$4 of $2"
    wanted=$3
    if [ -z "$library" ]; then
        skip "$claim" "no $2"
        return
    fi
    prototype=$4
    shift 4
    run "$cohort" run "$prototype" --library "$library" "$@"
    case $wanted in
    ...*) has "$code:$out" "2:cohort: ${wanted#...}" "$claim" ;;
    *) is "$code:$out" "0:$wanted" "$claim" ;;
    esac
}
# has_fix PART: of the row before
has_fix() {
    [ -z "$library" ] || has "$out" "fix: $1" "and what to write is said: $1"
}

row "$m" libm 1 'extern double cos (double __x) __attribute__ ((__nothrow__ , __leaf__));' __x=0
row "$m" libm 1024 'double pow(double x, double y);' x=2 y=10
row "$m" libm 10 'double fma(double x, double y, double z);' x=2 y=3 z=4
row "$m" libm 2.5 'float fmaf(float x, float y, float z);' x=0.5 y=3 z=1
row "$m" libm 6 'double ldexp(double x, int exp);' x=0.75 exp=3
row "$m" libm -3 'long int lround(double x);' x=-2.5
row "$m" libm 3 'int ilogb(double x);' x=10
row "$m" libm 'exp = [4]
result = 0.625' 'double frexp(double x, int exp[1]);' x=10 exp=0
row "$m" libm 'iptr = [-3]
result = -0.75' 'double modf(double x, double iptr[1]);' x=-3.75 iptr=0
row "$m" libm 'quo = [4]
result = -0.5' 'double remquo(double x, double y, int quo[1]);' x=7.5 y=2 quo=0
row "$m" libm 'sin = [0]
cos = [1]' 'void sincos(double x, double sin[1], double cos[1]);' x=0 sin=9 cos=9
row "$m" libm 0+2j 'double complex csqrt(double complex z);' z=-4
row "$m" libm nan 'double nan(const char tagp[8]);' 'tagp="1234567"'
row "$m" libm nan 'double nan(const char *tagp);' tagp=1
row "$m" libm "...nan: 'n' is no parameter" 'double nan(const char tagp[n]);' tagp=1
has_fix 'an extent is a number, such as 16'
row "$m" libm 'exp = [4]
result = 0.625' 'double frexp(double x, int *exp);' x=10 exp=0

row "$z" zlib "...crc32: unknown type 'uLong'" 'uLong crc32(uLong crc, const Bytef buf[len], uInt len);' crc=0 'buf=b"hello"'
has_fix '--type uLong=int'
# zrow WANTED DECLARATION WORDS...
zrow() {
    wanted=$1
    prototype=$2
    shift 2
    row "$z" zlib "$wanted" "$prototype" --type 'uLong=unsigned long' --type 'uLongf=unsigned long' --type uInt=unsigned \
        --type 'Bytef=unsigned char' --type z_off_t=long "$@"
}
zrow 907060870 'uLong crc32(uLong crc, const Bytef buf[len], uInt len);' crc=0 'buf=b"hello"'
zrow 103547413 'uLong adler32(uLong adler, const Bytef buf[len], uInt len);' adler=1 'buf=b"hello"'
zrow 907060870 'uLong crc32_combine(uLong crc1, uLong crc2, z_off_t len2);' crc1=907060870 crc2=0 len2=0
zrow 1013 'uLong compressBound(uLong sourceLen);' sourceLen=1000
zrow 'dest = [97, 97, 97, 97]
destLen = [4]
result = 0' 'int uncompress(Bytef dest[4], uLongf destLen[1], const Bytef source[sourceLen], uLong sourceLen);' 'dest=zeros(4)' \
    destLen=4 source=120,156,75,76,76,76,4,0,3,206,1,133
zrow "...run: argument 'dest' is missing: an array of uint8" \
    'int uncompress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen);'
zrow '...zlibVersion: a pointer cannot be returned' 'const char * zlibVersion(void);'
has_fix 'let a function in a --source FILE.c call it'
zrow "...inflateEnd: unknown type 'z_streamp'" 'int inflateEnd(z_streamp strm);' strm=NULL
has_fix '--type z_streamp='
zrow "...OF: unknown type 'ZEXTERN'" 'ZEXTERN uLong ZEXPORT crc32 OF((uLong crc, const Bytef *buf, uInt len));'
has_fix '--type ZEXTERN=int, or what it is in C'

row "$blas" cblas 32 'double cblas_ddot(const int n, const double x[n], const int incx, const double y[n], const int incy);' \
    x=1,2,3 incx=1 y=4,5,6 incy=1
row "$blas" cblas 6 'float cblas_sasum(const int n, const float x[n], const int incx);' x=1,-2,3 incx=1
row "$blas" cblas 5 'double cblas_dnrm2 (const int N, const double X[N], const int incX);' X=3,4 incX=1
row "$blas" cblas '[9, 12]' \
    'void cblas_daxpy(const int n, const double alpha, const double x[n], const int incx, double y[n], const int incy);' \
    alpha=2 x=1,2 incx=1 y=7,8 incy=1
row "$blas" cblas '[-2, -4]' 'void cblas_dscal(const int N, const double alpha, double X[N], const int incX);' alpha=-2 X=1,2 incX=1
row "$blas" cblas 'x = [3, 4]
y = [1, 2]' 'void cblas_dswap(const int n, double x[n], const int incx, double y[n], const int incy);' x=1,2 incx=1 y=3,4 incy=1
row "$blas" cblas '[-2+4j]' 'void cblas_zdotu_sub(const int n, const double complex x[n], const int incx, const double complex y[n],
    const int incy, double complex ret[1]);' x=1+2j incx=1 y=1.2+1.6j incy=1 ret=0
row "$blas" cblas "...x=1+2j: no number" \
    'void cblas_zdotu_sub(const int n, const void *x, const int incx, const void *y, const int incy, void *ret);' \
    n=1 x=1+2j incx=1 y=1 incy=1 ret=0
has_fix 'a void * takes bytes, such as 1,2 or'
gemv='void cblas_dgemv(const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE trans, const int m, const int n,
    const double alpha, const double a[m][n], const int lda, const double x[n], const int incx, const double beta,
    double y[m], const int incy);'
row "$blas" cblas "...cblas_dgemv: unknown enum 'CBLAS_ORDER'" "$gemv" order=CblasRowMajor
has_fix "--type 'CBLAS_ORDER=enum {"
row "$blas" cblas '[3, 7]' "$gemv" order=CblasRowMajor trans=CblasNoTrans alpha=1 'a=[[1,2],[3,4]]' lda=2 x=1,1 incx=1 beta=0 \
    y=0,0 incy=1 --type 'CBLAS_ORDER=enum CBLAS_ORDER {CblasRowMajor=101, CblasColMajor=102}' \
    --type 'CBLAS_TRANSPOSE=enum CBLAS_TRANSPOSE {CblasNoTrans=111, CblasTrans=112, CblasConjTrans=113}'

row "$gsl" gsl 1 'double gsl_sf_bessel_J0(const double x);' x=0
row "$gsl" gsl 1024 'double gsl_pow_int(double x, int n);' x=2 n=10
row "$gsl" gsl 2 'double gsl_stats_mean (const double data[n], const size_t stride, const size_t n);' data=1,2,3 stride=1
row "$gsl" gsl 2 'double gsl_stats_mean (const double data[], const size_t stride, const size_t n);' data=1,2,3 stride=1 n=3
row "$gsl" gsl '[1, 2, 3]' 'void gsl_sort (double data[n], const size_t stride, const size_t n);' data=3,1,2 stride=1
row "$gsl" gsl 17 'double gsl_poly_eval(const double c[len], const int len, const double x);' c=1,2,3 x=2
row "$gsl" gsl 'x0 = [1]
x1 = [2]
result = 2' 'int gsl_poly_solve_quadratic (double a, double b, double c, double x0[1], double x1[1]);' a=1 b=-3 c=2 x0=0 x1=0
row "$gsl" gsl 'result = [{1, 0}]
result = 0' 'int gsl_sf_bessel_J0_e(const double x, gsl_sf_result result[1]);' x=0 result=9,9 \
    --type 'gsl_sf_result={ double val; double err; }'
row "$gsl" gsl "...gsl_sf_bessel_J0_e: unknown type 'gsl_sf_result'" 'int gsl_sf_bessel_J0_e(const double x, gsl_sf_result * result);' x=0
has_fix "--type gsl_sf_result=int, or what it is in C, such as 'gsl_sf_result={"
row "$gsl" gsl '{0, 2}' 'gsl_complex gsl_complex_sqrt (gsl_complex z);' z=-4,0 --type 'gsl_complex={ double dat[2]; }'
row "$gsl" gsl "...gsl_vector_alloc: unknown type 'gsl_vector'" 'gsl_vector *gsl_vector_alloc (const size_t n);' n=3
row "$gsl" gsl '...gsl_strerror: a pointer cannot be returned' 'const char * gsl_strerror (const int gsl_errno);' gsl_errno=1
has_fix 'let a function in a --source FILE.c call it'

# Sources
run "$cohort" run "$dot" --source "$scratch/f.c" x=1,2 y=3,4
is "$out" 11 "a C file is compiled"
printf 'int64_t triple(int64_t x) { return 3 * x; }\n' >"$scratch/plain.c"
run "$cohort" run 'int64_t triple(int64_t x)' --source "$scratch/plain.c" x=5
is "$out" 15 "one that uses int64_t needs no #include"
printf '#define _GNU_SOURCE\n#include <stdint.h>\n#include <string.h>\nint64_t f(void) { return strlen(basename("a/bcd")); }\n' >"$scratch/gnu.c"
run "$cohort" run 'int64_t f(void)' --source "$scratch/gnu.c" --cflags -Werror
is "$out" 3 "and one that asks for more of the C library gets it"
printf 'int f(void) { return nonsense; }\n' >"$scratch/bad.c"
run "$cohort" run 'int f(void)' --source "$scratch/bad.c"
is "$code" 1 "one that does not compile fails"
has "$out" "nonsense" "with the compiler's messages"
run env CC="$scratch/no-compiler" "$cohort" run 'int f(void)' --source "$scratch/bad.c"
has "$out" "does not start" "a compiler that is not there is said"
run env CC="false -x" "$cohort" run 'int f(void)' --source "$scratch/bad.c"
has "$out" "the C compiler 'false' failed" "CC may have options"
printf 'int f(void) { return N; }\n' >"$scratch/-n; touch x.c"
run "$cohort" run 'int f(void)' --source "$scratch/-n; touch x.c" --cflags '-DN=5  -Wall'
is "$out" 5 "any name and options for the compiler"
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
export TMPDIR
run "$cohort" run "$dot" --source "$scratch/f.c" x=1,2 y=3,4
is "$out:$(ls -A "$scratch/tmp")" "11:" "nothing is left in TMPDIR"
run "$cohort" run 'int f(void)' --source "$scratch/bad.c"
is "$(ls -A "$scratch/tmp")" "" "nor after a failure"
unset TMPDIR

# What crashes, calls exit or never ends is named
cat >"$scratch/bad.c" <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int zero;
void crash(long n, const int *x) { if (n > 0 && x[0] == 7) *(volatile int *)(long)zero = 1; }
void leave(long n, const int *x) { if (n > 0 && x[0] == 7) { printf("a last word\n"); exit(0); } }
int leave_quickly(void) { quick_exit(0); }
int divide(int a) { return raise(SIGFPE) + a; }
int give_up(void) { abort(); }
static int dig_on(int n) { volatile char page[4096]; page[0] = (char)n; return n < 0 ? 0 : dig_on(n + 1) + page[0]; }
int dig(long k, const int *n) { return k > 0 && n[0] == 7 ? dig_on(7) : 0; }
void hang(long n, const int *x) { while (n > 0 && x[0] == 7) sleep(1000); }
int wait_for(int crashes)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0 && crashes)
        *(volatile int *)(long)zero = 1;
    if (child == 0)
        exit(7);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
#if defined(LEAVES)
__attribute__((constructor)) static void start(void) { exit(0); }
#elif defined(CRASHES)
__attribute__((constructor)) static void start(void) { raise(SIGSEGV); }
#elif defined(HANGS)
__attribute__((constructor)) static void start(void) { for (;;) pause(); }
#endif
C
${CC:-cc} -O0 -fPIC -shared -o "$scratch/bad.so" "$scratch/bad.c"
address='crashed (SIGSEGV: a wrong address, or no stack left)'
# ends WANTED CLAIM PROTOTYPE WORDS...: with exit code 1 and this alone
ends() {
    wanted=$1
    claim=$2
    prototype=$3
    shift 3
    run "$cohort" run "$prototype" --library "$scratch/bad.so" "$@"
    is "$code:$out" "1:$wanted" "$claim"
}
crash='void crash(long n, const int x[n])'
dig='int dig(long k, const int n[k])'
hang='void hang(long n, const int x[n])'
leave='void leave(long n, const int x[n])'
ends "cohort: crash, replica 0 on host:0: $address" "a body that crashes is named" "$crash" x=7 --devices host
ends "cohort: crash, replica 1 on host:0.1: $address" "with its replica and device" "$crash" x=1,7 --split x --devices host/2
ends "cohort: crash, replica 2 on host:0.1: $address" "also where a device has several" "$crash" x=1,1,7 --split x --devices host/2 \
    --replicas 4
ends "a last word
cohort: leave, replica 1 on host:0.1: called exit" "a body that calls exit is named" "$leave" x=1,7 --split x --devices host/2
ends "cohort: leave_quickly, replica 0 on host:0: called exit" "or quick_exit" 'int leave_quickly(void)' --devices host
ends "cohort: divide, replica 0 on host:0: crashed (SIGFPE: an integer divided by 0)" "or divides by zero" \
    'int divide(int a)' a=1 --devices host
ends "cohort: give_up, replica 0 on host:0: called abort" "or calls abort" 'int give_up(void)' --devices host
case ${CFLAGS:-}$("$cohort" version) in
*-fsanitize=*) skip "a body that uses up its stack" "the sanitizer has a stack of its own" ;;
*)
    ends "cohort: dig, replica 0 on host:0: $address" "or uses up its stack" "$dig" n=7 --devices host
    ends "cohort: dig, replica 1 on host:0.1: $address" "on any thread" "$dig" n=1,7 --split n --devices host/2
    ;;
esac
ends "cohort: hang, replica 0 on host:0: not done after 0.2 s (--timeout)" "a body that never ends is ended" \
    "$hang" x=7 --timeout 0.2 --devices host
ends "cohort: hang, one of 2 replicas on host:0.0 host:0.1: not done after 0.2 s (--timeout)" "also on other threads" \
    "$hang" x=1,7 --split x --timeout 0.2 --devices host/2
run "$cohort" run 'int wait_for(int crashes)' --library "$scratch/bad.so" crashes=0 --devices host
is "$code:$(printf '%s\n' "$out" | tail -n 1)" "0:7" "a process that a body forks may call exit"
run "$cohort" run 'int wait_for(int crashes)' --library "$scratch/bad.so" crashes=1 --devices host
is "$code:$out" "0:-1" "or crash"
for timeout in 0 -1 nan inf 1e7 1s ''; do
    run "$cohort" run "$hang" --library "$scratch/bad.so" x=1 --timeout "$timeout"
    is "$code" 2 "no number of seconds: '$timeout'"
done
prints 7 "who is in time is not ended" 'uint64_t same(uint64_t x)' x=7 --timeout 100
mkdir "$scratch/watched"
TMPDIR=$scratch/watched
export TMPDIR
run "$cohort" run "$hang" --source "$scratch/bad.c" --cflags -DLEAVES x=1
is "$code:$out" "1:cohort: --source $scratch/bad.c, when it was loaded: called exit" "a constructor that calls exit is named"
run "$cohort" run "$hang" --source "$scratch/bad.c" --cflags -DCRASHES x=1
is "$code:$out" "1:cohort: --source $scratch/bad.c, when it was loaded: $address" "or crashes"
run "$cohort" run "$hang" --source "$scratch/bad.c" --cflags -DHANGS x=1 --timeout 0.2
is "$code:$out" "1:cohort: --source $scratch/bad.c, when it was loaded: not done after 0.2 s (--timeout)" "or never ends"
is "$(ls -A "$scratch/watched")" "" "and nothing is left in TMPDIR"
unset TMPDIR

# has_json EXPRESSION CLAIM, of the last call's output as j
has_json() {
    if [ -z "$python" ]; then
        skip "$2" "no python3"
        return
    fi
    printf '%s\n' "$out" | "$python" -c "import json, sys; j = json.load(sys.stdin); sys.exit(not ($1))"
    ok "$?" "$2"
}
# Kernels: what is wrong; tests/cli_kernels.t has those that are right
printf 'kernel void add(int n, float a, global float *x)\n{\n    int i = get_global_id(0);\n    if (i < n) x[i] += a;\n}\n' \
    >"$scratch/add.cl"
printf 'kernel void add(int n, float a, global float *x)\n{\n    x[0] = nonsense;\n}\n' >"$scratch/bad.cl"
# kernel FILE GLOBAL PROTOTYPE
kernel() {
    run "$cohort" run "$3" --opencl "$scratch/$1" --global "$2" a=1 x=1,2
}
run "$cohort" run 'void add(int n, float a, float x[n])' --opencl "$scratch/add.cl" --global n --devices host a=1 x=1,2
is "$code" 1 "a kernel on a device that takes none fails"
has "$out" "add: no body for host:0: it takes native.fn, the function has opencl.c" "with what it takes instead"
has_fix "a C function in --source FILE.c for the host"
kernel add.cl n 'void add(int n, float a, float x[n])'
case "$code:$out" in
3:*)
    skip "kernels that do not fit" "no OpenCL device: $out"
    ;;
*)
    is "$out" '[2, 3]' "a kernel with the prototype of a C function"
    kernel add.cl n 'void add(int n, double a, float x[n])'
    is "$code" 1 "a wrong prototype fails"
    has "$out" "kernel void add(int n, float a, global float *x)" "and shows the kernel's own"
    kernel add.cl m 'void add(int n, float a, float x[n])'
    has "$out" "'m' is no integer parameter" "a wrong size is told"
    kernel bad.cl n 'void add(int n, float a, float x[n])'
    is "$code" 1 "a kernel that does not build fails"
    has "$out" "bad.cl:3:" "with the line of the file"
    is "$(printf '%s\n' "$out" | grep -c nonsense)" 1 "and once"
    run "$cohort" run 'void add(int n, float a, float x[n])' --opencl "$scratch/add.cl" --global 24 --local 16 a=1 x=1
    has "$out" "the local size 16 does not divide the global size 24" "a local size that does not divide is told"
    printf 'kernel void say(int n, global int *x)\n{\n    x[0] = n;\n    printf("spoken %%d\\n", n);\n}\n' >"$scratch/say.cl"
    "$cohort" run say --opencl "$scratch/say.cl" --global 1 n=5 x=0 --json >"$scratch/say.json" 2>"$scratch/say.txt"
    out=$(cat "$scratch/say.json")
    has_json 'j["outputs"]["x"]["data"] == [5]' "what a kernel prints does not spoil the JSON"
    has "$(cat "$scratch/say.txt")" "spoken 5" "and is on standard error"
    kernel add.cl n 'void sub(int n, float a, float x[n])'
    has "$out" "no kernel 'sub'" "a kernel that is not there is told"
    case $("$cohort" devices) in
    *'opencl:0 '*pthread*)
        printf 'kernel void far(long at, global float *x)\n{\n    x[at] = 1;\n}\n' >"$scratch/far.cl"
        run "$cohort" run 'void far(int64_t at, float x[1])' --opencl "$scratch/far.cl" --global 1 --devices opencl:0 \
            at=1099511627776 x=1
        is "$code:$out" "1:cohort: far, replica 0 on opencl:0: $address" "a kernel that crashes is named"
        ;;
    *) skip "a kernel that crashes" "opencl:0 is not known to crash for it" ;;
    esac
    ;;
esac

# JSON
"$cohort" run "$saxpy" --library "$scratch/f.so" a=2 x=1,2,3 'y=zeros(3)' --json >"$scratch/saxpy.json"
json_has_keys "$scratch/saxpy.json" \
    "devices outputs outputs.y outputs.y.data outputs.y.dtype outputs.y.shape replicas result schema seconds" \
    "the JSON of a function that writes"
"$cohort" run "$saxpy" --library "$scratch/f.so" a=2 x=1 y=1 --output y="$scratch/y.npy" --json >"$scratch/file.json"
json_has_keys "$scratch/file.json" \
    "devices outputs outputs.y outputs.y.dtype outputs.y.file outputs.y.shape replicas result schema seconds" \
    "the JSON of an output in a file"
call "$dot" x=1,2,3 y=4,5,6 --devices host/2 --split x,y --json
has_json 'j["result"] == [14, 18] and j["replicas"] == 2 and j["devices"] == ["host:0.0", "host:0.1"]' "results per replica"
call "$saxpy" a=1 x=nan,inf,-inf,0.1 'y=zeros(4)' --json
has_json 'j["outputs"]["y"]["data"] == ["nan", "inf", "-inf", 0.1]' "what is not finite is a text"
"$cohort" run 'int puts(const char *)' --library libc.so.6 1=spoken --json --devices host:0 >"$scratch/puts.json" 2>"$scratch/puts.txt"
out=$(cat "$scratch/puts.json")
has_json 'j["result"] > 0' "what a body prints does not spoil the JSON"
is "$(cat "$scratch/puts.txt")" spoken "and is on standard error"
is "$("$cohort" run 'int puts(const char *)' --library libc.so.6 1=spoken --devices host:0 2>"$scratch/puts.txt" | head -n 1)" spoken \
    "and on standard output where nothing else has to be"
call 'double _Complex c128(double _Complex z)' z=1-2j --json
has_json 'j["result"] == [1, -2]' "a complex number is a list of two"
call 'bool negate(bool b)' b=false --json
has_json 'j["result"] is True' "a bool is one"
call "$saxpy" a=1 x=1 y=1 --replicas 2 --json
has_json 'j["outputs"]["y"]["data"] == [[2], [2]] and j["outputs"]["y"]["shape"] == [[1], [1]]' "outputs per replica"
call 'void swap(int64_t n, pixel p[n])' --type "$pixel" 'p=1,2,3,4,5,6' --json
has_json 'j["outputs"]["p"] == {"dtype": "pixel", "shape": [2], "data": [1, 3, 2, 4, 6, 5]}' "structs are flat"
tap_done
