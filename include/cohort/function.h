/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions: a C prototype and a body for each kind of device.
 *
 *     COHORT_FUNCTION(saxpy, (int64_t n, float a, const float x[n], float y[n]), COHORT_HOST_ONLY)
 *     {
 *         for (int64_t i = 0; i < n; i++) y[i] += a * x[i];
 *     }
 *
 * declares a static C function with that prototype, whose body the compiler checks, and `saxpy`,
 * which cohort_run(s, saxpy, 2.0f, x, y) takes. The text of the same tokens says the rest:
 *
 *   const T x[n][d]          read
 *   T y[n]                   read and written
 *   COHORT_OUT T z[n][k]     only written
 *   T a                      a number or struct by value
 *   int64_t n                used as a bound: not passed, but read off the arrays, per replica, and
 *                            checked
 *   int lda COHORT_IS(k)     not passed, computed from bounds
 *   T *x COHORT_SHAPE(n, d)  the same as T x[n][d], for C++ and existing functions
 *   COHORT_LOCAL T *t COHORT_SHAPE(n)
 *                            scratch memory of n elements: not passed
 *   void *p                  an opaque pointer (COHORT_POINTER), host bodies only
 *
 * COHORT_ITEMS writes one body for the host and for OpenCL devices, see below. The text may be
 * several lists, (int64_t n, float a)(float y[n]), which are one.
 *
 * Extents and COHORT_IS are expressions of bounds and integers with + - * / ( ), where / rounds up.
 * A bound that nothing else tells is solved from an extent that it stands in alone, where the
 * extent is linear in it: rows of start[rows + 1], and n of x[n * k] where k is known. n / 2, n * n
 * and n + m are not solved. x[n][d] takes an array of rank 2; a single bracket takes an array of
 * any rank, as its n elements. An output y[n] that nobody gave a shape gets the shape of the first
 * array x[n] of the call: a function that works on elements keeps rows and columns.
 *
 * The result of COHORT_FUNCTION_RETURNING is one more output after the last argument, one element
 * per replica. A returned cohort_status is the body's verdict instead: a negative one fails the
 * call with this status. A body must not return COHORT_EAGAIN: that fails the call with
 * COHORT_EINTERNAL.
 *
 * Bodies have the bits of Cohort's kernels when a * x + y is not contracted to one fma: pkg-config
 * --cflags cohort has -ffp-contract=off, and under clang this header switches contraction off in
 * all that follows it. Where -std=c11 would keep floats as doubles between two operations, as gcc
 * does for s390x, the flags have -fexcess-precision=fast too. Sign and payload of a NaN that a
 * body's arithmetic makes are the processor's; reductions and cohort/math.h make the same one
 * everywhere.
 *
 * Bodies are trusted code. A prototype that lies about its body is undefined behaviour;
 * COHORT_CHECK=bodies (cohort/strategy.h, check) runs bodies so that it shows: reads of outputs,
 * elements that are not written, an access out of bounds, and items that are not independent. A
 * body must not leave by longjmp, an exception or pthread_exit. A body must not call the strategy
 * that launched it: the call is refused, and fails the launch. */
#ifndef COHORT_FUNCTION_H
#define COHORT_FUNCTION_H

#include <cohort/helper.h>
#include <cohort/image.h>
#include <cohort/macros.h>
#include <cohort/status.h>

#include <stddef.h>

/* No contraction to fma, as in Cohort's kernels. Other compilers take the option that pkg-config
 * gives. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#ifdef __clang__
/* A body of COHORT_ITEMS that cannot be vectorised is no reason for a warning. With debugging
 * information clang gives the program's line for it, which no pragma in a macro reaches: so, as
 * with contraction, this holds for all that follows. */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* Words of a prototype, which are nothing to the compiler. */
#define COHORT_OUT
#define COHORT_LOCAL
#define COHORT_SHAPE(...)
#define COHORT_IS(expression)

/* A type that prototypes may name besides those of C: `is` is "{ uint8_t r; float w[4]; }" or the
 * name of a scalar type. Made by COHORT_STRUCT and COHORT_TYPE_ALIAS. */
typedef struct cohort_type {
    const char *name, *is;
    /* as the compiler has them, compared with what the text gives; 0: not known */
    size_t size, align;
} cohort_type;

/* One more body, beside `host` and `opencl` of cohort_function. Lists end with a body whose format
 * is NULL.
 *   "native.fn"    fn
 *   "native.sym"   data: name of a shared library, such as "libm.so.6" (NULL: the program and its
 *                  libraries);
 *                  entry: symbol
 *   "opencl.c"     data, bytes: OpenCL C source; entry: kernel (NULL: the function's name);
 *                  options: of the build; global, local, offset: geometry, as in cohort_function
 *   "opencl.enqueue"  fn: cohort_status fn(cl_command_queue, ...), every array a cl_mem; it
 *                     enqueues and returns
 *   others         data, bytes and entry as the device plugin that takes the format defines it;
 *                  geometry as for opencl.c: global NULL says that the body is called once and
 *                  loops by itself, over all items. Where bodies of the format are of one
 *                  work-item, so that it would do one item of all, the device may have that
 *                  refused (COHORT_EINVAL) when the function is checked or first run */
typedef struct cohort_body {
    const char *format;
    const void *data;
    size_t bytes;
    const char *entry, *options, *global, *local;
    void (*fn)(void);
    const char *offset;
} cohort_body;

/* A function of the program, as the macros below describe it. All pointers live as long as the
 * program, or until cohort_function_destroy. */
typedef struct cohort_function {
    uint32_t struct_size;
    int32_t line;
    const char *name, *returns, *prototype, *file; /* prototype: "(int64_t n, ...)" */
    void (*host)(void);
    /* geometry (offset, below, is part of it) and source of an OpenCL C body: one to three
     * expressions of bounds and integers, as extents are, separated by commas, that of dimension 0
     * first; local NULL: the device chooses the size of groups */
    const char *global, *local, *opencl, *opencl_options;
    /* COHORT_ITEMS: its index, their number, the body's text; of several indices "i, j" and "n, m",
     * the outermost first */
    const char *item, *count, *item_body;
    const cohort_type *const *types; /* COHORT_TYPES(...), ended by NULL */
    const cohort_body *more;
    /* COHORT_ITEMS: what names of C expand to in item_body, a line each, "name\texpansion\n" */
    const char *expansions;
    cohort_helper *const *helpers; /* the newest of the translation unit (cohort/helper.h) */
    /* where the global ids of an OpenCL C body begin, as many expressions as `global` has; NULL:
     * 0 */
    const char *offset;
} cohort_function;

#ifdef __cplusplus
extern "C" {
#endif

/* A function from text, as in "double cos(double x)", or a kernel's own declaration:
 *     kernel void scan(global const float4 *x, out global uint *y, local uint *t, float2 scale)
 *
 *   global float *x       read and written; const or constant: read; an array of any rank and size.
 *                         The library cannot count its elements, so an output is made with
 *                         cohort_value_shaped, or gets a shape: global float y[n]
 *   local float *t        scratch: the call says how many elements, COHORT_NAMED(t, 64); or local
 *                         float t[n]
 *   float4 x[n], scale    a vector is the last axis: this array has n rows and 4 columns, and one
 *                         of global float4 *x any shape whose elements 4 divides; by value it is a
 *                         struct, COHORT_BYTES(&scale)
 *   float3 x[n], scale    a vector of 3 has the size of 4 elements, as in OpenCL C: this array has
 *                         4 columns, and what a kernel leaves in the last one is undefined; by
 *                         value and in a struct it has the room of a fourth number, as cl_float3
 *   read_only image2d_t x, sampler_t s
 *                         an array as an image, and how it is read (cohort/image.h)
 *   global void *x        an array of bytes, uint8
 *   uchar, half4, ...     types of OpenCL C; pipes are refused
 *
 * A declaration may stand as a header has it:
 *     float *x, float x[]   as global float *x: nothing compares its size with n, which is passed
 *                           like any other number; float x[n] is compared
 *     double, const int *   a parameter without a name, which is called by its place, "1"
 *
 * The macros' prototypes may have the words of kernels too. A word that is no keyword of C can
 * still be the name of a parameter.
 *
 * prototype  C declaration with a name; array bounds as above, and the words COHORT_OUT (or `out`),
 *            COHORT_SHAPE, COHORT_IS, COHORT_LOCAL (or `local`)
 * library    shared library that has a symbol of the function's name, or NULL: bodies are added
 *            later
 * types      ended by NULL; may be NULL
 * Returns    NULL, with the offending token marked in the error text, when the text does not parse
 *            or names an unknown type, and when the library or its symbol is missing
 * Owner      the caller, until cohort_function_destroy. Texts are copied; `types` are borrowed
 * Threads    any */
COHORT_API cohort_function *cohort_function_parse(const char *prototype, const char *library,
                                                  const cohort_type *const types[]);

/* Give a parsed function one more body; texts are copied, fn and data are borrowed until destroy.
 * COHORT_EINVAL: no format, or the function has a body of that format already; COHORT_ENOENT:
 * library or symbol missing. No device is asked: whether one takes the format is known when the
 * function is checked or run there. */
COHORT_API cohort_status cohort_function_add_body(cohort_function *function,
                                                  const cohort_body *body);

/* Check a function before its first use: parse the prototype, choose a body for each device of the
 * list, build it there, and compare it with the prototype; nothing of the program is launched.
 * devices: as for a strategy, or NULL: parse only. COHORT_EINVAL, COHORT_ENODEV,
 * COHORT_EINCOMPATIBLE when a device takes none of the bodies (the text has the formats of both),
 * COHORT_EBUILD, COHORT_ENOENT no such kernel or symbol. Blocks: opens the devices. */
COHORT_API cohort_status cohort_function_check(const cohort_function *function,
                                               const char *devices);

/* Destroy a parsed function, after a cohort_wait on every strategy that ran it. NULL is allowed. */
COHORT_API void cohort_function_destroy(cohort_function *function);

#ifdef __cplusplus
}
#endif

/* A function of the program, with its host body:
 *
 *     COHORT_FUNCTION(name, (prototype), bodies...) { body }
 *     COHORT_FUNCTION_RETURNING(type, name, (prototype), bodies...) { body }
 *
 * Other bodies are designators of cohort_function, such as .global = "n", .opencl =
 * COHORT_SOURCE(kernel void name(...) { ... }); COHORT_HOST_ONLY where there are none. */
#define COHORT_FUNCTION(NAME, PROTO, ...)                                                          \
    /* the prototype's text is taken here: further in, COHORT_OUT is already expanded away */      \
    COHORT_FUNCTION_(void, "void", NAME, #NAME, PROTO, #PROTO, __VA_ARGS__)
#define COHORT_FUNCTION_RETURNING(TYPE, NAME, PROTO, ...)                                          \
    COHORT_FUNCTION_(TYPE, #TYPE, NAME, #NAME, PROTO, #PROTO, __VA_ARGS__)

/* Bodies of a COHORT_FUNCTION: none but the host's; and a source as a text, from its tokens. */
#define COHORT_HOST_ONLY .opencl = COHORT_NULL_
#define COHORT_SOURCE(...) #__VA_ARGS__

/* Types for prototypes.
 *
 * COHORT_STRUCT(pixel, { uint8_t r; float w[4]; }); declares struct pixel, the type pixel, and its
 * description, so that a prototype can take it by value or as elements; members are scalars, other
 * described structs, and arrays of both. COHORT_TYPE_ALIAS(blasint); describes a typedef or enum,
 * whose real type the compiler tells. A function names both in .types = COHORT_TYPES(pixel,
 * blasint), in any order. */
#define COHORT_STRUCT(NAME, ...)                                                                   \
    typedef struct NAME __VA_ARGS__ NAME;                                                          \
    static const cohort_type NAME##_cohort_type = { #NAME, #__VA_ARGS__, sizeof(NAME),             \
                                                    COHORT_ALIGNOF_(NAME) }
#define COHORT_TYPE_ALIAS(NAME)                                                                    \
    static const cohort_type NAME##_cohort_type = { #NAME, COHORT_SCALAR_NAME_(NAME),              \
                                                    sizeof(NAME), COHORT_ALIGNOF_(NAME) }

/* COHORT_ITEMS(name, index, count, (prototype), { body }): the body of one item, for host and
 * OpenCL devices.
 *
 *     COHORT_ITEMS(axpy, i, n, (int64_t n, float a, const float x[n], float y[n]), {
 *         if (x[i] == 0)
 *             continue;
 *         y[i] += a * x[i];
 *     });
 *
 * runs the body for every int64_t i from 0 to count - 1, an expression of bounds as in an extent.
 * Items are independent: their order, and which of them run at the same time, is the device's. In
 * an update (cohort/run.h) devices that share memory do a range of the items each. Where a body
 * uses the updated array w[n] at w[i] alone, its content is copied for a rollback on the way, and
 * where it uses a sum so, a recorded step may pass the sum without storing it (cohort/program.h).
 * It makes no difference how the place is spelled: macros, constants, helpers, `const int64_t at =
 * i;` with w[at]; but a pointer, w + i, or an index in a variable that changes may be any place.
 * cohort_program_describe names what is in the way.
 *
 * Compile with -fopenmp or -O3 (gcc), -O2 (clang) to have the loop vectorised, and with
 * -fno-math-errno for sqrtf.
 *
 * The tokens of the body are also the text of an OpenCL C kernel. So it
 *   - leaves an item with `continue` or `break`; with return or goto the function is refused
 *     (COHORT_EINVAL) at its first use, and a macro that hides one ends the host's loop;
 *   - changes neither a parameter nor the index, only what they point to (COHORT_EINVAL): the
 *     host's loop would hand the change to the items behind it;
 *   - indexes flat, x[i * d + j] with COHORT_SHAPE(n, d): OpenCL C has no x[i][j] whose size is not
 *     constant;
 *   - calls functions that C and OpenCL C share, with C's meaning (sqrtf, expf, abs, those of
 *     cohort/math.h and cohort/random.h), and those of the program that COHORT_HELPER makes, as it
 *     uses its constants and tables (cohort/helper.h). Any other name that neither the body, the
 *     prototype nor C declares is refused (COHORT_EINVAL), on the host too. A call is refused, with
 *     what to write instead, where the two would differ: a function of doubles, such as sqrt, of
 *     floats alone, which C++ and <tgmath.h> read as sqrtf; abs of a number that is no int;
 *     functions of OpenCL C that C has not, such as min; the number that signbit or isinf gives; a
 *     NaN made of constants, 0.0 / 0.0, where NAN is the same everywhere; long double, auto and
 *     half precision;
 *   - with doubles (1.0, sqrt), is not built for a device that has none. exp, log, pow, sin and the
 *     like have no last bit that a rule fixes: 16 ulp at the most on a device, lgamma without one;
 *   - may have macros of the program, as may the numbers of items: they are expanded before the
 *     tokens become text. Names that are macros in C and known to OpenCL C, such as NAN, isnan and
 *     DBL_MAX, stay these names, whatever the C library makes of them. It has no directives;
 *   - keeps no variable from one item to the next, static or extern, and no pointer into an array
 *     of the prototype, not even in a variable of its own: in a kernel they lead to two memories;
 *   - has at most 4,095 characters, macros expanded, or -Woverlength-strings (-Wpedantic) warns,
 *     and is one line for a debugger.
 * It returns nothing; a body that adds up over its items is one of cohort/sums.h. Structs are
 * listed before the body, which comes last:
 *
 *     COHORT_ITEMS_OF_TYPES(grey, i, n, (int64_t n, pixel x[n]), COHORT_TYPES(pixel),
 *                           { x[i].g = x[i].b = x[i].r; }); */
#define COHORT_ITEMS(NAME, INDEX, COUNT, PROTO, ...)                                               \
    COHORT_ITEMS_(NAME, #NAME, INDEX, #INDEX, COUNT, COHORT_EXPANDED_(COUNT), PROTO, #PROTO,       \
                  COHORT_NULL_, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_OF_TYPES(NAME, INDEX, COUNT, PROTO, TYPES, ...)                               \
    COHORT_ITEMS_(NAME, #NAME, INDEX, #INDEX, COUNT, COHORT_EXPANDED_(COUNT), PROTO, #PROTO,       \
                  TYPES, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_(NAME, TEXT, INDEX, ITEM, COUNT, COUNTED, PROTO, PROTOTYPE, TYPES, BODY, ...) \
    COHORT_ITEMS_HOST_(NAME, INDEX, COUNT, PROTO, __VA_ARGS__)                                     \
    COHORT_ITEMS_FUNCTION_(NAME, TEXT, ITEM, COUNTED, PROTOTYPE, TYPES, BODY)

/* COHORT_ITEMS_2D(name, i, n, j, m, (prototype), { body }) and COHORT_ITEMS_3D(name, i, n, j, m, k,
 * l, (prototype), { body }): items of two or three indices, each with its number.
 *
 *     COHORT_ITEMS_2D(blur, i, n, j, m,
 *                     (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m),
 *                      COHORT_OUT float *y COHORT_SHAPE(n, m)),
 *                     {
 *                         float left = j > 0 ? x[i * m + j - 1] : 0;
 *                         float right = j < m - 1 ? x[i * m + j + 1] : 0;
 *                         y[i * m + j] = (left + x[i * m + j] + right) / 3;
 *                     });
 *
 * The last index is the innermost: on the host a loop of its own, which becomes vector code where
 * the body's accesses are contiguous along it (gcc: -O3), also with what it does differently at
 * j == 0 and j == m - 1; on OpenCL devices get_global_id(0). Devices and threads divide the first
 * index alone, so let it be a large one. All else is as with one index: an item's own element is
 * w[i * m + j] of an array of n * m elements, also spelled m * i + j, and w[i] of one of n. Each
 * i * m is computed once a line, while from one index k of n * m, k / m and k % m are divisions in
 * each item.
 *
 * For the loop between the first and the last column the body is compiled several times, and a
 * compiler shows an error in it as often. Where the last number divides, m / 2, which rounds up
 * here and down in C, it has one loop for all. */
#define COHORT_ITEMS_2D(NAME, I, N, J, M, PROTO, ...)                                              \
    COHORT_ITEMS_2D_(NAME, #NAME, I, N, J, M, #I ", " #J, COHORT_EXPANDED_(N, M), PROTO, #PROTO,   \
                     COHORT_NULL_, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_2D_OF_TYPES(NAME, I, N, J, M, PROTO, TYPES, ...)                              \
    COHORT_ITEMS_2D_(NAME, #NAME, I, N, J, M, #I ", " #J, COHORT_EXPANDED_(N, M), PROTO, #PROTO,   \
                     TYPES, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_2D_(NAME, TEXT, I, N, J, M, ITEM, COUNTED, PROTO, PROTOTYPE, TYPES, BODY,     \
                         ...)                                                                      \
    COHORT_ITEMS_2D_HOST_(NAME, I, N, J, M, PROTO, __VA_ARGS__)                                    \
    COHORT_ITEMS_FUNCTION_(NAME, TEXT, ITEM, COUNTED, PROTOTYPE, TYPES, BODY)
#define COHORT_ITEMS_3D(NAME, I, N, J, M, K, L, PROTO, ...)                                        \
    COHORT_ITEMS_3D_(NAME, #NAME, I, N, J, M, K, L, #I ", " #J ", " #K, COHORT_EXPANDED_(N, M, L), \
                     PROTO, #PROTO, COHORT_NULL_, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_3D_OF_TYPES(NAME, I, N, J, M, K, L, PROTO, TYPES, ...)                        \
    COHORT_ITEMS_3D_(NAME, #NAME, I, N, J, M, K, L, #I ", " #J ", " #K, COHORT_EXPANDED_(N, M, L), \
                     PROTO, #PROTO, TYPES, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_3D_(NAME, TEXT, I, N, J, M, K, L, ITEM, COUNTED, PROTO, PROTOTYPE, TYPES,     \
                         BODY, ...)                                                                \
    COHORT_ITEMS_3D_HOST_(NAME, I, N, J, M, K, L, PROTO, __VA_ARGS__)                              \
    COHORT_ITEMS_FUNCTION_(NAME, TEXT, ITEM, COUNTED, PROTOTYPE, TYPES, BODY)

/* Ranges come first, so that a device can divide the items. The cast uses parameters that only the
 * count names. */
#define COHORT_ITEMS_HOST_(NAME, INDEX, COUNT, PROTO, ...)                                         \
    COHORT_PROTOTYPE_BEGIN_                                                                        \
    static void NAME##_host(int64_t cohort_begin, int64_t cohort_end, COHORT_UNPACK_ PROTO)        \
        COHORT_PROTOTYPE_END_                                                                      \
    {                                                                                              \
        (void)(COUNT);                                                                             \
        COHORT_ITEMS_RANGE_(INDEX, cohort_begin, cohort_end, __VA_ARGS__)                          \
    }

/* A line of items is all of the last index: that is what devices run, and with it the compiler
 * knows the index's bounds. Ranges of it are those of checks. */
#define COHORT_ITEMS_2D_HOST_(NAME, I, N, J, M, PROTO, ...)                                        \
    COHORT_PROTOTYPE_BEGIN_                                                                        \
    static void NAME##_host(int64_t cohort_begin, int64_t cohort_end, int64_t cohort_begin_1,      \
                            int64_t cohort_end_1, COHORT_UNPACK_ PROTO) COHORT_PROTOTYPE_END_      \
    {                                                                                              \
        (void)(N);                                                                                 \
        if (cohort_begin_1 == 0 && cohort_end_1 == COHORT_INT64_(M))                               \
            for (int64_t I = cohort_begin; I < cohort_end; I++) {                                  \
                COHORT_ITEMS_LINE_(J, COHORT_INT64_(M), __VA_ARGS__)                               \
            }                                                                                      \
        else                                                                                       \
            for (int64_t I = cohort_begin; I < cohort_end; I++) {                                  \
                COHORT_ITEMS_RANGE_(J, cohort_begin_1, cohort_end_1, __VA_ARGS__)                  \
            }                                                                                      \
    }
#define COHORT_ITEMS_3D_HOST_(NAME, I, N, J, M, K, L, PROTO, ...)                                  \
    COHORT_PROTOTYPE_BEGIN_                                                                        \
    static void NAME##_host(int64_t cohort_begin, int64_t cohort_end, int64_t cohort_begin_1,      \
                            int64_t cohort_end_1, int64_t cohort_begin_2, int64_t cohort_end_2,    \
                            COHORT_UNPACK_ PROTO) COHORT_PROTOTYPE_END_                            \
    {                                                                                              \
        (void)(N), (void)(M);                                                                      \
        if (cohort_begin_2 == 0 && cohort_end_2 == COHORT_INT64_(L))                               \
            for (int64_t I = cohort_begin; I < cohort_end; I++)                                    \
                for (int64_t J = cohort_begin_1; J < cohort_end_1; J++) {                          \
                    COHORT_ITEMS_LINE_(K, COHORT_INT64_(L), __VA_ARGS__)                           \
                }                                                                                  \
        else                                                                                       \
            for (int64_t I = cohort_begin; I < cohort_end; I++)                                    \
                for (int64_t J = cohort_begin_1; J < cohort_end_1; J++) {                          \
                    COHORT_ITEMS_RANGE_(K, cohort_begin_2, cohort_end_2, __VA_ARGS__)              \
                }                                                                                  \
    }

/* The inner loop makes `break` end the item, as in the kernel. */
#define COHORT_ITEMS_RANGE_(INDEX, BEGIN, END, ...)                                                \
    COHORT_INDEPENDENT_                                                                            \
    for (int64_t INDEX = BEGIN; INDEX < END; INDEX++)                                              \
        do                                                                                         \
            __VA_ARGS__                                                                            \
        while (0);

/* The first item and the last one stand by themselves: what bodies do differently at a rim, as in
 * j > 0 ? x[i * m + j - 1] : 0, is then decided when the loop between them is compiled, which would
 * not become vector code with it. */
#define COHORT_ITEMS_LINE_(INDEX, COUNT, ...)                                                      \
    for (int64_t INDEX = 0; INDEX < 1 && INDEX < COUNT; INDEX++)                                   \
        do                                                                                         \
            __VA_ARGS__                                                                            \
        while (0);                                                                                 \
    COHORT_ITEMS_RANGE_(INDEX, 1, COUNT - 1, __VA_ARGS__)                                          \
    for (int64_t INDEX = COUNT - 1; INDEX > 0; INDEX = 0)                                          \
        do                                                                                         \
            __VA_ARGS__                                                                            \
        while (0);
#define COHORT_UNPACK_(...) __VA_ARGS__

/* Before a loop whose iterations are independent. */
#if defined(_OPENMP)
#define COHORT_INDEPENDENT_ _Pragma("omp simd")
#elif defined(__clang__)
#define COHORT_INDEPENDENT_ _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define COHORT_INDEPENDENT_ _Pragma("GCC ivdep")
#else
#define COHORT_INDEPENDENT_
#endif

#ifndef __cplusplus

#define COHORT_ALIGNOF_(type) _Alignof(type)
/* clang-format off */
#define COHORT_SCALAR_NAME_(type)                                                                 \
    _Generic((type)0, _Bool: "bool", char: "char", signed char: "signed char",                    \
        unsigned char: "unsigned char", short: "short", unsigned short: "unsigned short",         \
        int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long",           \
        long long: "long long", unsigned long long: "unsigned long long",                         \
        float: "float", double: "double", long double: "long double")
/* clang-format on */

#define COHORT_FUNCTION_(TYPE, RETURNS, NAME, TEXT, PROTO, PROTOTYPE, ...)                         \
    COHORT_PROTOTYPE_BEGIN_ static TYPE NAME##_host PROTO;                                         \
    COHORT_PROTOTYPE_END_ static const cohort_function NAME[1] = { COHORT_DESCRIBE_(               \
        TEXT, RETURNS, PROTOTYPE, NAME##_host, __VA_ARGS__) };                                     \
    COHORT_PROTOTYPE_BEGIN_ static TYPE NAME##_host PROTO COHORT_PROTOTYPE_END_

/* COHORT_FUNCTION_OF(name, type, cfunction, (prototype), bodies...): an existing C function. The
 * macro declares it: a prototype that does not match its own is the compiler's "conflicting
 * types". */
#define COHORT_FUNCTION_OF(NAME, TYPE, CFUNCTION, PROTO, ...)                                      \
    COHORT_PROTOTYPE_BEGIN_ extern TYPE CFUNCTION PROTO;                                           \
    COHORT_PROTOTYPE_END_ static const cohort_function NAME[1] = { COHORT_DESCRIBE_(               \
        #NAME, #TYPE, #PROTO, CFUNCTION, __VA_ARGS__) }

#define COHORT_INT64_(number) ((int64_t)(number))

#define COHORT_ITEMS_FUNCTION_(NAME, TEXT, ITEM, COUNTED, PROTOTYPE, TYPES, BODY)                  \
    static const cohort_function NAME[1] = { COHORT_DESCRIBE_(                                     \
        TEXT, "void", PROTOTYPE, NAME##_host, .item = ITEM, .count = COUNTED, .item_body = BODY,   \
        .types = TYPES, .expansions = COHORT_EXPANSIONS_, .helpers = &cohort_helpers_) }

#define COHORT_DESCRIBE_(TEXT, RETURNS, PROTOTYPE, HOST, ...)                                      \
    {                                                                                              \
        .struct_size = (uint32_t)sizeof(cohort_function), .line = __LINE__, .name = TEXT,          \
        .returns = RETURNS, .prototype = PROTOTYPE, .file = __FILE__,                              \
        .host = (void (*)(void))HOST, __VA_ARGS__                                                  \
    }

/* COHORT_TYPES(pixel, blasint): described types, for .types of a function at file scope; up to
 * 8. */
#define COHORT_TYPES(...)                                                                          \
    ((const cohort_type *const[]){ COHORT_JOIN_(COHORT_TYPE_ADDRESS_, __VA_ARGS__), NULL })

#endif

/* COHORT_JOIN_(m, a, b) is m(a), m(b), up to 8. */
#define COHORT_TYPE_ADDRESS_(name) &name##_cohort_type
#define COHORT_COUNT_8_(...) COHORT_NINTH_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define COHORT_NINTH_(a, b, c, d, e, f, g, h, n, ...) n
#define COHORT_JOIN_(m, ...) COHORT_JOIN_OF_(COHORT_COUNT_8_(__VA_ARGS__), m, __VA_ARGS__)
#define COHORT_JOIN_OF_(n, ...) COHORT_JOIN_N_(n, __VA_ARGS__)
#define COHORT_JOIN_N_(n, ...) COHORT_JOIN_##n##_(__VA_ARGS__)
#define COHORT_JOIN_1_(m, a) m(a)
#define COHORT_JOIN_2_(m, a, ...) m(a), COHORT_JOIN_1_(m, __VA_ARGS__)
#define COHORT_JOIN_3_(m, a, ...) m(a), COHORT_JOIN_2_(m, __VA_ARGS__)
#define COHORT_JOIN_4_(m, a, ...) m(a), COHORT_JOIN_3_(m, __VA_ARGS__)
#define COHORT_JOIN_5_(m, a, ...) m(a), COHORT_JOIN_4_(m, __VA_ARGS__)
#define COHORT_JOIN_6_(m, a, ...) m(a), COHORT_JOIN_5_(m, __VA_ARGS__)
#define COHORT_JOIN_7_(m, a, ...) m(a), COHORT_JOIN_6_(m, __VA_ARGS__)
#define COHORT_JOIN_8_(m, a, ...) m(a), COHORT_JOIN_7_(m, __VA_ARGS__)

#ifdef __cplusplus
#include <cohort/function.hpp>
#endif
#endif
