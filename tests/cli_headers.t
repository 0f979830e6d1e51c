#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort run: 48 declarations as they stand in headers, with pointers that have no shape and parameters that have no name.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch cli_headers
unset COHORT_DEVICES

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
c=$(first_library libc.so.6)
z=$(first_library libz.so.1)
blas=$(first_library libopenblas.so.0 libgslcblas.so.0 libcblas.so.3)
gsl=$(first_library libgsl.so.28 libgsl.so.27 libgsl.so.25)
rows=0 tried=0 taken=0
# row LIBRARY NAME WANTED DECLARATION WORDS...: what is printed, or a part of the error after "..."
row() {
    library=$1
    claim="$4 of $2"
    wanted=$3
    rows=$((rows + 1))
    if [ -z "$library" ]; then
        skip "$claim" "no $2"
        return
    fi
    prototype=$4
    shift 4
    tried=$((tried + 1))
    run "$cohort" run "$prototype" --library "$library" --devices host:0 "$@"
    [ "$code" = 0 ] && taken=$((taken + 1))
    case $wanted in
    ...*) has "$code:$out" "2:cohort: ${wanted#...}" "$claim" ;;
    *) is "$code:$out" "0:$wanted" "$claim" ;;
    esac
}

row "$m" libm 1 'extern double cos (double __x) __attribute__ ((__nothrow__ , __leaf__));' __x=0
row "$m" libm 1 'double cos(double);' 1=0
row "$m" libm 8 'extern double pow (double __x, double __y);' __x=2 __y=3
row "$m" libm 'exponent = [4]
result = 0.625' 'double frexp (double x, int *exponent);' x=10 exponent=0
row "$m" libm '2 = [-3]
result = -0.75' 'double modf(double, double *);' 1=-3.75 2=0
row "$m" libm '__quo = [4]
result = -0.5' 'extern double remquo (double __x, double __y, int *__quo) __attribute__ ((__nothrow__));' __x=7.5 __y=2 __quo=0
row "$m" libm '__sinx = [0]
__cosx = [1]' 'extern void sincos (double __x, double *__sinx, double *__cosx);' __x=0 __sinx=9 __cosx=9
row "$m" libm nan 'double nan (const char *__tagb);' __tagb=x
row "$m" libm 2.5 'float fmaf(float, float, float);' 1=0.5 2=3 3=1
row "$m" libm 6 'double ldexp(double, int);' 1=0.75 2=3
row "$m" libm -3 'extern long int lround (double __x);' __x=-2.5
row "$m" libm 3 'int ilogb(double);' 1=10
row "$m" libm 1 'double jn(int, double);' 1=0 2=0
row "$m" libm 'signgamp = [1]
result = 0' 'double lgamma_r (double, int *signgamp);' 1=1 signgamp=0

row "$c" libc 0 'extern int memcmp (const void *__s1, const void *__s2, size_t __n);' '__s1="abc"' '__s2="abc"' __n=3
row "$c" libc 5 'size_t strlen(const char *s);' s=hello
row "$c" libc 0 'int strcmp(const char *, const char *);' 1=same 2=same
row "$c" libc 0 'int strncmp (const char *__s1, const char *__s2, size_t __n);' __s1=abcx __s2=abcy __n=3
row "$c" libc '[3, 1, 2]' 'void bcopy (const void *__src, void *__dest, size_t __n);' __src=3,1,2 '__dest=zeros(3)' __n=3
row "$c" libc '[0, 0, 7]' 'void bzero (void *__s, size_t __n);' __s=9,8,7 __n=2
row "$c" libc '[2, 1, 4, 3]' 'void swab (const void *__restrict __from, void *__restrict __to, ssize_t __n);' __from=1,2,3,4 \
    '__to=zeros(4)' __n=4
row "$c" libc 7 'int abs(int);' 1=-7
row "$c" libc 1099511627776 'extern long int labs (long int __x) __attribute__ ((__nothrow__)) __attribute__ ((__const__));' \
    __x=-1099511627776
row "$c" libc 81 'int toupper(int __c);' __c=113
row "$c" libc 42 'int atoi (const char *__nptr);' '__nptr="42"'
row "$c" libc 0.5 'extern double atof (const char *__nptr);' '__nptr="0.5"'
row "$c" libc 2 'size_t strspn(const char *, const char *);' 1=aabc 2=a
row "$c" libc 3 'size_t strcspn(const char *s, const char *reject);' s=aabc reject=c
row "$c" libc 4 'size_t strnlen (const char *__string, size_t __maxlen);' __string=hello __maxlen=4
row "$c" libc 0 'int strcasecmp (const char *__s1, const char *__s2);' __s1=Same __s2=SAME
# X = 0x5DEECE66D X + 0xB modulo 2^48, of X = 0x000300020001
row "$c" libc '__xsubi = [59000, 43974, 28966]
result = 0.44199632268870914' 'double erand48 (unsigned short int __xsubi[3]);' __xsubi=1,2,3
row "$c" libc '...strtol: a pointer to a pointer' 'long int strtol (const char *__nptr, char **__endptr, int __base);' __nptr=x

# zrow WANTED DECLARATION WORDS...
zrow() {
    wanted=$1
    prototype=$2
    shift 2
    row "$z" zlib "$wanted" "$prototype" --type 'uLong=unsigned long' --type 'uLongf=unsigned long' --type uInt=unsigned \
        --type 'Bytef=unsigned char' --type z_off_t=long "$@"
}
zrow 907060870 'uLong crc32(uLong crc, const Bytef *buf, uInt len);' crc=0 'buf=b"hello"' len=5
zrow 103547413 'uLong adler32(uLong adler, const Bytef *buf, uInt len);' adler=1 'buf=b"hello"' len=5
zrow 1013 'uLong compressBound(uLong sourceLen);' sourceLen=1000
zrow 'dest = [104, 105]
destLen = [2]
result = 0' 'int uncompress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen);' 'dest=zeros(2)' destLen=2 \
    source=0x78,0x9c,0xcb,0xc8,0x04,0x00,0x01,0x3b,0x00,0xd2 sourceLen=10
zrow 0 'uLong crc32_combine(uLong, uLong, z_off_t);' 1=0 2=0 3=4
zrow '...zlibVersion: a pointer cannot be returned' 'const char * zlibVersion(void);'

row "$blas" cblas 32 'double cblas_ddot(const int N, const double *X, const int incX, const double *Y, const int incY);' \
    N=3 X=1,2,3 incX=1 Y=4,5,6 incY=1
row "$blas" cblas '[9, 12]' \
    'void cblas_daxpy(const int N, const double alpha, const double *X, const int incX, double *Y, const int incY);' \
    N=2 alpha=2 X=1,2 incX=1 Y=7,8 incY=1
row "$blas" cblas '[-2, -4]' 'void cblas_dscal(int N, double alpha, double *X, int incX);' N=2 alpha=-2 X=1,2 incX=1
row "$blas" cblas 5 'double cblas_dnrm2(const int N, const double *X, const int incX);' N=2 X=3,4 incX=1
row "$blas" cblas '[3, 7]' 'void cblas_dgemv(const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE trans, const int m, const int n,
    const double alpha, const double *a, const int lda, const double *x, const int incx, const double beta, double *y,
    const int incy);' order=CblasRowMajor trans=CblasNoTrans m=2 n=2 alpha=1 a=1,2,3,4 lda=2 x=1,1 incx=1 beta=0 y=0,0 incy=1 \
    --type 'CBLAS_ORDER=enum CBLAS_ORDER {CblasRowMajor=101, CblasColMajor=102}' \
    --type 'CBLAS_TRANSPOSE=enum CBLAS_TRANSPOSE {CblasNoTrans=111, CblasTrans=112, CblasConjTrans=113}'
# what a void * points to has the numbers of the file
printf '\0\0\0\0\0\0\360\077\0\0\0\0\0\0\0\100' >"$scratch/z" # 1+2j
if [ "$(printf '\1\0' | od -An -td2 | tr -d ' ')" = 1 ]; then
    row "$blas" cblas '[-3+4j]' 'void cblas_zdotu_sub(const int n, const void *x, const int incx, const void *y, const int incy, void *ret);' \
        n=1 x=@"$scratch/z:complex128:1" incx=1 y=@"$scratch/z:complex128:1" incy=1 ret=@"$scratch/z:complex128:1"
else
    row '' 'this byte order'
fi

row "$gsl" gsl 2 'double gsl_stats_mean (const double data[], const size_t stride, const size_t n);' data=1,2,3 stride=1 n=3
row "$gsl" gsl 17 'double gsl_poly_eval(const double c[], const int len, const double x);' c=1,2,3 len=3 x=2
row "$gsl" gsl '[1, 2, 3]' 'void gsl_sort (double * data, const size_t stride, const size_t n);' data=3,1,2 stride=1 n=3
row "$gsl" gsl 'x0 = [1]
x1 = [2]
result = 2' 'int gsl_poly_solve_quadratic (double a, double b, double c, double *x0, double *x1);' a=1 b=-3 c=2 x0=0 x1=0

is $rows 48 "48 declarations"
is $((tried - taken)) 2 "all that are here are taken but one with a pointer to a pointer and one that returns a pointer"
tap_done
