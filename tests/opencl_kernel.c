/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL plugin's kernels: what is refused and how it is said, geometry, scratch memory,
 * functions that enqueue. */
#include "config.h"

#include "tests/opencl_shim.h"
#include "tests/opencl_subject.h"

#include <cohort/array.h>

#include <CL/cl.h>
#include <dlfcn.h>

static subject s;
static cohort_dev *dev;
static char logged[8192];

static void keep_log(void *ctx, int32_t level, const char *text)
{
    (void)ctx;
    (void)level;
    size_t n = strlen(logged);
    (void)snprintf(logged + n, sizeof logged - n, "%s|", text);
}

/* Give the plugin, which is loaded, this host table. */
static void listen(const cohort_host *host)
{
    char path[4096];
    const char *folder = getenv("builddir");
    cohort_request request = { sizeof request, COHORT_ABI_MINOR, host, "test" };
    (void)snprintf(path, sizeof path, "%s/" OPENCL_PLUGIN, folder != NULL ? folder : ".");
    union {
        void *symbol;
        const cohort_plugin *(*entry)(const cohort_request *rq, cohort_error *err);
    } found = { dlsym(dlopen(path, RTLD_NOW | RTLD_LOCAL), "cohort_plugin_entry_1") };
    (void)found.entry(&request, NULL);
}

static void refused(cohort_status wanted, const char *part, const char *entry, const char *source,
                    const char *const *names, const cohort_arg *args, uint32_t n)
{
    cohort_kernel *kernel = NULL;
    cohort_error err = { .struct_size = sizeof err };
    cohort_code code = opencl_code(source, "");
    cohort_sig sig = opencl_sig(args, names, n);
    cohort_status st = s.ops.kernel_create(dev, &code, entry, &sig, &kernel, &err);
    ok(st == wanted && kernel == NULL && err.code == wanted, "refused: %d", (int)st);
    has_text(err.text, part, "with the reason");
}

static const char *const xs[] = { "x" };
static const cohort_arg float_out[] = { MEM(COHORT_F32, float, COHORT_WRITE) };

/* ---- Building. */

static void build_errors(void)
{
    logged[0] = '\0';
    bool is_simulated = strstr(s.info.name, "Oclgrind") != NULL; /* which counts lines itself */
    refused(COHORT_EBUILD,
            is_simulated ? "unknown type name"
                         : "grad.cl:12:22: unknown type name 'floot'; did you mean 'float'?",
            "f", "#line 12 \"grad.cl\"\nkernel void f(global floot *x) { x[0] = 1; }", xs,
            float_out, 1);
    ok(strstr(logged, "floot") != NULL && strstr(logged, "failed to build") == NULL,
       "the log is cleaned: %s", logged);
    refused(COHORT_EBUILD, is_simulated ? "line " : "line 2:", "f",
            "kernel void f(global float *x) {\n x[0] = nowhere; }", xs, float_out, 1);
    ok(strstr(logged, "tempfile") == NULL, "without temporary files: %s", logged);
    refused(
        COHORT_ENOENT, "no kernel 'g'; the source has f h", "g",
        "kernel void f(global float *x) { x[0] = 1; } kernel void h(global float *x) { x[0] = 2; }",
        xs, float_out, 1);
    refused(COHORT_ENOENT, "no source", "g", "", xs, float_out, 1);
    cohort_kernel *kernel = NULL;
    cohort_error err = { .struct_size = sizeof err };
    cohort_code code =
        opencl_code("kernel void f(global float *x) { x[0] = 1; }", "-no-such-option");
    cohort_sig sig = opencl_sig(float_out, xs, 1);
    ok(s.ops.kernel_create(dev, &code, "f", &sig, &kernel, &err) == COHORT_EBUILD &&
           strchr(err.text, '-') != NULL,
       "an option that is none: %s", err.text);
}

static float run_one(const char *source, const char *options, float a, float b, float c)
{
    static const cohort_arg args[] = { VALUE(COHORT_F32, float), VALUE(COHORT_F32, float),
                                       VALUE(COHORT_F32, float),
                                       MEM(COHORT_F32, float, COHORT_WRITE) };
    cohort_sig sig = opencl_sig(args, NULL, 4);
    cohort_code code = opencl_code(source, options);
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "f", &sig);
    float got = 0;
    cohort_mem *mem = subject_alloc(&s, dev, sizeof got);
    void *argv[] = { &a, &b, &c, &mem };
    (void)opencl_go(&s, dev, kernel, argv, 4, items(1), NULL);
    (void)subject_read(&s, dev, mem, 0, &got, sizeof got);
    subject_free(&s, dev, mem);
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
    return got;
}

static void contraction(void)
{
    static const char source[] =
        "kernel void f(float a, float b, float c, global float *x) { x[0] = a * b + c; }";
    volatile float a = 1.0f + 0x1p-12f, product = a * a, c = -product;
    ok(run_one(source, "", a, a, c) == 0, "a product and a sum are rounded one by one");
    float contracted = run_one(source, "-DCOHORT_FP_CONTRACT", a, a, c);
    ok(contracted == 0 || contracted == 0x1p-24f, "a body may ask for contraction: %g",
       (double)contracted);
    volatile float x = 1, y = 3, wanted = x / y;
    ok(run_one("kernel void f(float a, float b, float c, global float *x) { x[0] = a / b + c; }",
               "", x, y, 0) == wanted,
       "division is rounded correctly");
}

/* ---- Arguments. */

#define LONG_NAME "a_struct_whose_name_is_longer_than_anybody_reads_it_"
#define SAXPY                                                                                      \
    "kernel void saxpy(float a, global const float *x, global float *y) { y[0] = a * x[0]; }"
#define SAXPY_DECLARED                                                                             \
    "; the kernel is: kernel void saxpy(float a, global const float *x, global float *y)"

static void mismatches(void)
{
    static const char *const names[] = { "a", "x", "y" };
    cohort_arg good[] = { VALUE(COHORT_F32, float), MEM(COHORT_F32, float, COHORT_READ),
                          MEM(COHORT_F32, float, COHORT_WRITE) };
    cohort_arg args[3];
    cohort_sig sig = opencl_sig(good, names, 3);
    cohort_code code = opencl_code(SAXPY, "");
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "saxpy", &sig);
    ok(kernel != NULL, "a kernel as the prototype says is taken");
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
#define ARGS(i, ...) (memcpy(args, good, sizeof good), args[i] = (cohort_arg)__VA_ARGS__, args)
    refused(COHORT_EINVAL,
            "saxpy: argument 'a' is 'float' in the kernel, float64 in the prototype" SAXPY_DECLARED,
            "saxpy", SAXPY, names, ARGS(0, VALUE(COHORT_F64, double)), 3);
    refused(COHORT_EINVAL, "argument 'a' is 'float' in the kernel, int32 in the prototype", "saxpy",
            SAXPY, names, ARGS(0, VALUE(COHORT_I32, int32_t)), 3);
    refused(COHORT_EINVAL,
            "argument 'x' is 'global const float *' in the kernel, array of int32 in the prototype",
            "saxpy", SAXPY, names, ARGS(1, MEM(COHORT_I32, int32_t, COHORT_READ)), 3);
    refused(COHORT_EINVAL,
            "argument 'x' is 'global const float *' in the kernel, array of float32 that is "
            "written in the "
            "prototype",
            "saxpy", SAXPY, names, ARGS(1, MEM(COHORT_F32, float, COHORT_WRITE)), 3);
    refused(COHORT_EINVAL,
            "argument 'y' is 'global float *' in the kernel, float32 in the prototype", "saxpy",
            SAXPY, names, ARGS(2, VALUE(COHORT_F32, float)), 3);
    refused(COHORT_EINVAL,
            "argument 'y' is 'global float *' in the kernel, scratch memory of float32", "saxpy",
            SAXPY, names, ARGS(2, LOCAL(COHORT_F32, float)), 3);
    refused(COHORT_EINVAL, "argument 'a' is 'float' in the kernel, array of float32", "saxpy",
            SAXPY, names, ARGS(0, MEM(COHORT_F32, float, COHORT_READ)), 3);
    refused(COHORT_EINVAL, "the kernel has 3 arguments, the prototype 2" SAXPY_DECLARED, "saxpy",
            SAXPY, names, good, 2);
    refused(COHORT_EINVAL, "'constant float *' in the kernel, array of float32 that is written",
            "f", "kernel void f(constant float *x) { }", xs, float_out, 1);
    refused(COHORT_EINVAL, "in the kernel, array of float32 in the prototype", "f",
            "typedef struct { float v[2]; } " LONG_NAME LONG_NAME LONG_NAME ";\n"
            "kernel void f(" LONG_NAME LONG_NAME LONG_NAME " x) { }",
            xs, float_out, 1);
    refused(
        COHORT_EINVAL,
        "'global float3 *' in the kernel, array of float32 in the prototype (a vector of 3 takes "
        "the room of 4 numbers: have it in both)",
        "f", "kernel void f(global float3 *x) { }", xs, float_out, 1);
}

static void never(void)
{
    static const struct {
        cohort_arg arg;
        const char *why;
    } cases[] = {
        { { COHORT_ARG_VALUE, COHORT_BOOL, 0, 1 }, "no bool" },
        { { COHORT_ARG_VALUE, COHORT_F16, 0, 2 }, "no half by value" },
        { { COHORT_ARG_VALUE, COHORT_BF16, 0, 2 }, "no bfloat16" },
        { { COHORT_ARG_VALUE, COHORT_C64, 0, 8 }, "no complex numbers" },
        { { COHORT_ARG_VALUE, COHORT_LONG_DOUBLE, 0, sizeof(long double) }, "no long double" },
        { { COHORT_ARG_VALUE, COHORT_POINTER, 0, sizeof(void *) }, "pointer" },
        { { COHORT_ARG_VALUE, COHORT_F64, 0, 4 }, "size of its type" },
        { { 99, COHORT_F32, 0, 4 }, "unknown kind" },
        { { COHORT_ARG_IMAGE_2D, COHORT_F32, 0, 4 }, "neither read nor written" },
        { { COHORT_ARG_IMAGE_2D, COHORT_F64, COHORT_READ, 8 }, "no channels of this type" },
        { { COHORT_ARG_IMAGE_2D, COHORT_F32, COHORT_READ | COHORT_PIXEL_NORM, 4 },
          "are no fractions" },
        { { COHORT_ARG_SAMPLER, COHORT_U32, 0, 4 }, "not the size of a sampler" },
        { { COHORT_ARG_MEM, COHORT_F32, 0, 4 }, "neither read nor written" },
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        refused(COHORT_EINVAL, cases[i].why, "f", "kernel void f(float x) { }", xs, &cases[i].arg,
                1);
}

/* Types that differ in name only, by their storage. */
static void taken(void)
{
    static const struct {
        const char *declared;
        cohort_arg arg;
    } cases[] = {
        { "char x", VALUE(COHORT_I8, int8_t) },
        { "unsigned char x", VALUE(COHORT_U8, uint8_t) },
        { "short x", VALUE(COHORT_I16, int16_t) },
        { "ushort x", VALUE(COHORT_U16, uint16_t) },
        { "unsigned int x", VALUE(COHORT_U32, uint32_t) },
        { "long x", VALUE(COHORT_I64, int64_t) },
        { "ulong x", VALUE(COHORT_U64, uint64_t) },
        { "real x", VALUE(COHORT_F32, float) },
        { "global half *x", MEM(COHORT_F16, uint16_t, COHORT_WRITE) },
        { "global ushort *x", MEM(COHORT_BF16, uint16_t, COHORT_WRITE) },
        { "global float4 *x", MEM(COHORT_F32, float, COHORT_WRITE) },
        { "global float2 *x", { COHORT_ARG_MEM, COHORT_C64, COHORT_WRITE, 8 } },
        { "global uchar *x", { COHORT_ARG_MEM, COHORT_BOOL, COHORT_WRITE, 1 } },
        { "global struct pair *x", { COHORT_ARG_MEM, COHORT_RECORD, COHORT_WRITE, 8 } },
        { "local float *x", LOCAL(COHORT_F32, float) },
        { "constant float *x", MEM(COHORT_F32, float, COHORT_READ) },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char source[300];
        (void)snprintf(source, sizeof source,
                       "typedef float real; struct pair { int a; float b; }; kernel void f(%s) { }",
                       cases[i].declared);
        cohort_code code = opencl_code(source, "");
        cohort_sig sig = opencl_sig(&cases[i].arg, xs, 1);
        cohort_kernel *kernel = opencl_make(&s, dev, &code, "f", &sig);
        if (ok(kernel != NULL, "'%s' is taken", cases[i].declared))
            (void)s.ops.kernel_destroy(dev, kernel, NULL);
    }
}

static void structs(void)
{
    static const cohort_member vector[] = { { COHORT_F32, 4, 0, 0 } };
    static const cohort_member mixed[] = { { COHORT_I32, 1, 0, 0 }, { COHORT_F64, 1, 8, 0 } };
    static const cohort_layout types[] = { { 16, 4, 1, 0, vector }, { 16, 8, 2, 0, mixed } };
    static const cohort_arg args[] = { { COHORT_ARG_VALUE, COHORT_STRUCT_BASE, 0, 16 },
                                       { COHORT_ARG_VALUE, COHORT_STRUCT_BASE + 1, 0, 16 },
                                       MEM(COHORT_F64, double, COHORT_WRITE) };
    static const char *const names[] = { "v", "m", "out" };
    cohort_sig sig = opencl_sig(args, names, 3);
    sig.ntypes = 2;
    sig.types = types;
    cohort_code code =
        opencl_code("struct mixed { int i; double d; };\n"
                    "kernel void f(float4 v, struct mixed m, global double *out)\n"
                    "{ out[0] = v.x + v.y * 10 + v.z * 100 + v.w * 1000 + m.i * 10000 + m.d; }",
                    "");
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "f", &sig);
    float v[4] = { 1, 2, 3, 4 };
    struct {
        int32_t i;
        double d;
    } m = { 5, 0.5 };
    double got = 0;
    cohort_mem *mem = subject_alloc(&s, dev, sizeof got);
    void *argv[] = { v, &m, &mem };
    cohort_status st = opencl_go(&s, dev, kernel, argv, 3, items(1), NULL);
    (void)subject_read(&s, dev, mem, 0, &got, sizeof got);
    ok(st == COHORT_OK && got == 54321.5, "a vector and a struct arrive by value: %g", got);
    subject_free(&s, dev, mem);
    (void)s.ops.kernel_destroy(dev, kernel, NULL);

    cohort_error err = { .struct_size = sizeof err };
    code = opencl_code("kernel void f(int4 v, float4 m, global double *out) { }", "");
    ok(s.ops.kernel_create(dev, &code, "f", &sig, &kernel, &err) == COHORT_EINVAL,
       "another vector: %s", err.text);
}

/* ---- Layouts of structs. */

#define F(type) "kernel void f(" type ", global int *x) { x[0] = 1; }"

static const cohort_member two_ints[] = { { COHORT_I32, 1, 0, 0 }, { COHORT_U32, 1, 4, 0 } },
                           int_float[] = { { COHORT_I32, 1, 0, 0 }, { COHORT_F32, 1, 4, 0 } },
                           every[] = { { COHORT_U8, 3, 0, 0 },   { COHORT_I16, 1, 4, 0 },
                                       { COHORT_I64, 1, 8, 0 },  { COHORT_F64, 1, 16, 0 },
                                       { COHORT_F32, 2, 24, 0 }, { COHORT_U16, 1, 32, 0 } },
                           nested[] = { { COHORT_STRUCT_BASE, 2, 0, 0 }, { COHORT_I8, 1, 16, 0 } },
                           eight_floats[] = { { COHORT_F32, 8, 0, 0 } },
                           many[] = { { COHORT_F32, 2000, 0, 0 } };
static const cohort_layout all_layouts[] = {
    { 8, 4, 2, 0, two_ints }, { 8, 4, 2, 0, int_float },     { 40, 8, 6, 0, every },
    { 20, 4, 2, 0, nested },  { 32, 4, 1, 0, eight_floats }, { 8000, 4, 1, 0, many }
};
enum { TWO_INTS = COHORT_STRUCT_BASE, INT_FLOAT, EVERY, NESTED, FLOATS, MANY };

static uint32_t bytes_of(uint32_t type)
{
    return type >= COHORT_STRUCT_BASE ? all_layouts[type - COHORT_STRUCT_BASE].size
                                      : (uint32_t)cohort_dtype_bytes((cohort_dtype)type);
}

/* The message, or "" when the kernel is taken; what is of the type comes by value, in memory or in
 * local memory. */
static const char *layout_error(uint32_t type, uint32_t kind, const char *source)
{
    static cohort_error err;
    const cohort_arg args[] = { { kind, type, kind == COHORT_ARG_MEM ? COHORT_READ : 0,
                                  bytes_of(type) },
                                MEM(COHORT_I32, int32_t, COHORT_WRITE) };
    static const char *const names[] = { "p", "x" };
    cohort_sig sig = opencl_sig(args, names, 2);
    sig.ntypes = COUNT(all_layouts);
    sig.types = all_layouts;
    cohort_code code = opencl_code(source, "");
    cohort_kernel *kernel = NULL;
    err = (cohort_error){ .struct_size = sizeof err };
    if (s.ops.kernel_create(dev, &code, "f", &sig, &kernel, &err) == COHORT_OK)
        (void)s.ops.kernel_destroy(dev, kernel, NULL);
    return err.text;
}

static void layouts_taken(void)
{
    static const struct {
        uint32_t type, kind;
        const char *source;
    } cases[] = {
        { TWO_INTS, COHORT_ARG_VALUE, "struct pair { int a; int b; };" F("struct pair p") },
        { TWO_INTS, COHORT_ARG_MEM,
          "typedef struct { int a; uint b; } pair; " F("global const pair *p") " // no line end" },
        { TWO_INTS, COHORT_ARG_LOCAL, "typedef struct { int a[2]; } pair; " F("local pair *p") },
        { INT_FLOAT, COHORT_ARG_VALUE,
          "#define PAIR pair\ntypedef struct PAIR { int a; union { float f; int i; } b; } PAIR; " F(
              "PAIR p") },
        { EVERY, COHORT_ARG_MEM,
          "typedef struct { uchar a[3]; short b; long c; double d; float e, f; ushort g; } "
          "every; " F("constant every *p") },
        { NESTED, COHORT_ARG_VALUE,
          "typedef struct { int a, b; } pair; struct both { pair p, q; char c; };" F(
              "struct both p") },
        { FLOATS, COHORT_ARG_MEM,
          "typedef struct { float4 a, b; } two; " F("global const two *p") },
        { FLOATS, COHORT_ARG_MEM, "typedef float8 eight; " F("global const eight *p") },
        { MANY, COHORT_ARG_MEM,
          "typedef struct { float a[2000]; } many; " F("global const many *p") },
        { COHORT_F32, COHORT_ARG_VALUE, "typedef float real; " F("real p") },
        { COHORT_F32, COHORT_ARG_MEM, "typedef float real; " F("global const real *p") },
        { COHORT_F32, COHORT_ARG_MEM, "typedef float4 vec; " F("global const vec *p") },
        { COHORT_F32, COHORT_ARG_MEM,
          "typedef struct { float x, y, z; } vec; " F("global const vec *p") },
        { COHORT_F64, COHORT_ARG_MEM, "typedef double16 vec; " F("global const vec *p") },
        { COHORT_F64, COHORT_ARG_LOCAL, "typedef double real; " F("local real *p") },
        { COHORT_I16, COHORT_ARG_VALUE, "typedef short index; typedef index row; " F("row p") },
        { COHORT_U64, COHORT_ARG_VALUE, "typedef ulong count_t; " F("count_t p") },
        { COHORT_BOOL, COHORT_ARG_MEM, "typedef uchar flag; " F("global flag *p") },
        { COHORT_F16, COHORT_ARG_MEM, "typedef ushort half_bits; " F("global half_bits *p") },
        { COHORT_C64, COHORT_ARG_MEM, "typedef float2 complex_t; " F("global complex_t *p") },
        { COHORT_U8, COHORT_ARG_MEM,
          "typedef struct { int a; float b; } state; " F("global state *p") },
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        is_text(layout_error(cases[i].type, cases[i].kind, cases[i].source), "", "taken: %s",
                cases[i].source);
}

/* A pointer takes a number where a driver only warns of it (NVIDIA's): then it is told to be one
 * of 8 bytes. Others do not fill it, and compare sizes alone. */
static void layout_of_a_pointer(void)
{
    const char *text =
        layout_error(TWO_INTS, COHORT_ARG_MEM,
                     "typedef struct { global int *a; } other; " F("global const other *p"));
    ok(text[0] == '\0' || strstr(text, "long at 0") != NULL,
       "a pointer is not filled, or found out: %s", text);
}

static void layouts_refused(void)
{
    static const struct {
        uint32_t type, kind;
        const char *source, *message;
    } cases[] = {
        { TWO_INTS, COHORT_ARG_VALUE, "struct pair { int a, b, c; };" F("struct pair p"),
          "of the kernel has 12 bytes (of the prototype's members: int at 0, int at 4), the struct "
          "of the prototype 8 "
          "(int at 0, uint at 4)" },
        { TWO_INTS, COHORT_ARG_MEM,
          "typedef struct { int a, b, c; } pair; " F("global const pair *p"),
          "f: argument 'p': 'pair' of the kernel has 12 bytes" },
        { TWO_INTS, COHORT_ARG_LOCAL, "typedef struct { int a; } pair; " F("local pair *p"),
          "'pair' of the kernel has 4 bytes" },
        { INT_FLOAT, COHORT_ARG_MEM,
          "typedef struct { float a; int b; } pair; " F("global const pair *p"),
          "has 8 bytes (of the prototype's members: float at 0, int at 4), the struct of the "
          "prototype 8 (int at 0, "
          "float at 4)" },
        { TWO_INTS, COHORT_ARG_MEM, "typedef struct { long a; } pair; " F("global const pair *p"),
          "long at 0" },
        { EVERY, COHORT_ARG_MEM,
          "typedef struct __attribute__((packed)) { uchar a[3]; short b; long c; double d; float "
          "e, f; ushort g; } "
          "every; " F("global const every *p"),
          "has 31 bytes (of the prototype's members: " },
        { NESTED, COHORT_ARG_VALUE,
          "typedef struct { int a, b; } pair; struct both { pair p; char c; pair q; };" F(
              "struct both p"),
          "char at 8" },
        { MANY, COHORT_ARG_MEM,
          "typedef struct { float a[2001]; } many; " F("global const many *p"),
          "'many' of the kernel has 8004 bytes, the struct of the prototype 8000;" },
        { TWO_INTS, COHORT_ARG_MEM,
          "typedef struct { global int *a, *b; } other; " F("global const other *p"),
          "'other' of the kernel has 16 bytes" },
        { COHORT_F32, COHORT_ARG_VALUE, "typedef double real; " F("real p"),
          "f: argument 'p': 'real' of the kernel has 8 bytes (of the prototype's members: double "
          "at 0), the number of "
          "the prototype 4 (float at 0); give both the same type" },
        { COHORT_F32, COHORT_ARG_MEM, "typedef int real; " F("global const real *p"), "int at 0" },
        { COHORT_F32, COHORT_ARG_MEM, "typedef int4 vec; " F("global const vec *p"),
          "has 16 bytes" },
        { COHORT_F64, COHORT_ARG_MEM, "typedef long16 vec; " F("global const vec *p"),
          "'vec' of the kernel has 128 bytes (of the prototype's members: long at 0), the number" },
        { COHORT_F64, COHORT_ARG_MEM, "typedef float real; " F("global const real *p"),
          "has 4 bytes" },
        { COHORT_I64, COHORT_ARG_VALUE, "typedef int index; " F("index p"), "has 4 bytes" },
        { COHORT_F32, COHORT_ARG_MEM, "typedef struct { char c[5]; } odd; " F("global odd *p"),
          "has 5 bytes" },
        { COHORT_C64, COHORT_ARG_MEM, "typedef int2 complex_t; " F("global complex_t *p"),
          "int at 0" },
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        has_text(layout_error(cases[i].type, cases[i].kind, cases[i].source), cases[i].message,
                 "refused: %s", cases[i].source);
    cohort_arg record = { COHORT_ARG_MEM, COHORT_RECORD, COHORT_READ, 12 };
    refused(COHORT_EINVAL,
            "'struct pair' of the kernel has 8 bytes, the struct of the prototype 12", "f",
            "struct pair { int a, b; }; kernel void f(global const struct pair *x) { }", xs,
            &record, 1);
}

/* ---- Geometry. */

static const char mark_source[] = "kernel void mark(ulong n, global int *x)\n"
                                  "{ size_t i = (get_global_id(2) * get_global_size(1) + "
                                  "get_global_id(1)) * get_global_size(0) + get_global_id(0);\n"
                                  "  if (i < n) x[i] += 1 + (int)get_local_size(0) * 0; }";
static const cohort_arg mark_args[] = { VALUE(COHORT_U64, uint64_t),
                                        MEM(COHORT_I32, int32_t, COHORT_READ | COHORT_WRITE) };

static bool marks(cohort_range range, uint32_t flags, uint64_t n, cohort_status wanted,
                  cohort_error *err)
{
    cohort_code code = opencl_code(mark_source, "");
    cohort_sig sig = opencl_sig(mark_args, NULL, 2);
    code.flags = flags;
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "mark", &sig);
    int32_t *x = calloc(n + 1, sizeof *x);
    cohort_mem *mem = subject_alloc_from(&s, dev, x, (n + 1) * sizeof *x);
    void *argv[] = { &n, &mem };
    bool is_right = opencl_go(&s, dev, kernel, argv, 2, range, err) == wanted;
    (void)subject_read(&s, dev, mem, 0, x, (n + 1) * sizeof *x);
    for (uint64_t i = 0; wanted == COHORT_OK && i < n; i++)
        is_right = is_right && x[i] == 1;
    is_right = is_right && x[n] == 0;
    subject_free(&s, dev, mem);
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
    free(x);
    return is_right;
}

static void geometry(void)
{
    static const uint64_t sizes[] = { 1, 7, 16, 1000, 4096, 10007, 65536 };
    cohort_error err = { .struct_size = sizeof err };
    for (size_t i = 0; i < COUNT(sizes); i++) {
        ok(marks(items(sizes[i]), 0, sizes[i], COHORT_OK, &err), "%llu items, each once",
           (unsigned long long)sizes[i]);
        ok(marks(items(sizes[i]), COHORT_CODE_GUARDED, sizes[i], COHORT_OK, &err),
           "also when the range may be rounded up");
    }
    ok(marks((cohort_range){ .dims = 2, .global = { 30, 20 } }, 0, 600, COHORT_OK, &err),
       "two dimensions");
    static const uint64_t lines[][2] = {
        { 257, 3 }, { 120, 70 }, { 3, 5 }, { 1, 1000 }, { 17, 1 }
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        ok(marks((cohort_range){ .dims = 2, .global = { lines[i][0], lines[i][1] } },
                 COHORT_CODE_GUARDED, lines[i][0] * lines[i][1], COHORT_OK, &err),
           "%llu x %llu that may be rounded up", (unsigned long long)lines[i][0],
           (unsigned long long)lines[i][1]);
    ok(marks((cohort_range){ .dims = 3, .global = { 4, 5, 6 } }, 0, 120, COHORT_OK, &err), "three");
    ok(marks((cohort_range){ .dims = 2, .global = { 32, 8 }, .local = { 8, 4 } }, 0, 256, COHORT_OK,
             &err),
       "sizes of groups");
    ok(marks((cohort_range){ .dims = 3, .global = { 4, 0, 6 } }, 0, 0, COHORT_OK, &err),
       "nothing to do");
    ok(marks((cohort_range){ .dims = 0 }, 0, 0, COHORT_EINVAL, &err), "no geometry is refused: %s",
       err.text);
    has_text(err.text, "the OpenCL body has no global size", "with the reason");
    ok(marks((cohort_range){ .dims = 4 }, 0, 0, COHORT_EINVAL, &err), "four dimensions: %s",
       err.text);
    ok(marks((cohort_range){ .dims = 1, .global = { 10 }, .local = { 4 } }, 0, 0, COHORT_EINVAL,
             &err),
       "no multiple: %s", err.text);
    ok(marks((cohort_range){ .dims = 1,
                             .global = { UINT64_C(1) << 40 },
                             .local = { UINT64_C(1) << 40 } },
             0, 0, COHORT_EINVAL, &err),
       "too large a group: %s", err.text);
    ok(marks((cohort_range){ .dims = 1, .global = { UINT64_MAX } }, COHORT_CODE_GUARDED, 0,
             COHORT_EINVAL, &err),
       "more items than can be counted: %s", err.text);
}

static void scratch(void)
{
    static const char source[] = "kernel __attribute__((reqd_work_group_size(16, 1, 1))) void "
                                 "f(local int *work, global int *x)\n"
                                 "{ int i = get_local_id(0); work[i] = x[i]; "
                                 "barrier(CLK_LOCAL_MEM_FENCE); x[i] = work[15 - i]; }";
    static const cohort_arg args[] = { LOCAL(COHORT_I32, int32_t),
                                       MEM(COHORT_I32, int32_t, COHORT_READ | COHORT_WRITE) };
    cohort_sig sig = opencl_sig(args, NULL, 2);
    cohort_code code = opencl_code(source, "");
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "f", &sig);
    int32_t x[16];
    for (int32_t i = 0; i < 16; i++)
        x[i] = i;
    uint64_t bytes = sizeof x;
    cohort_mem *mem = subject_alloc_from(&s, dev, x, sizeof x);
    void *argv[] = { &bytes, &mem };
    cohort_error err = { .struct_size = sizeof err };
    cohort_status st = opencl_go(&s, dev, kernel, argv, 2, items(16), &err);
    (void)subject_read(&s, dev, mem, 0, x, sizeof x);
    ok(st == COHORT_OK && x[0] == 15 && x[15] == 0,
       "scratch memory, and the kernel's own size of groups");
    cohort_range other = { .dims = 1, .global = { 16 }, .local = { 8 } };
    ok(opencl_go(&s, dev, kernel, argv, 2, other, &err) == COHORT_EINVAL, "another size: %s",
       err.text);
    bytes = UINT64_C(1) << 50;
    ok(opencl_go(&s, dev, kernel, argv, 2, items(16), &err) == COHORT_EINVAL,
       "too much scratch memory: %s", err.text);
    ok(opencl_go(&s, dev, kernel, argv, 1, items(16), &err) == COHORT_EINVAL,
       "an argument too few: %s", err.text);
    subject_free(&s, dev, mem);
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
}

/* ---- Binaries. */

static void binaries(void)
{
    cohort_code code = opencl_code(mark_source, "");
    cohort_sig sig = opencl_sig(mark_args, NULL, 2);
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "mark", &sig);
    cohort_error err = { .struct_size = sizeof err };
    const char *format = NULL;
    uint64_t bytes = 0;
    ok(s.ops.kernel_binary(dev, kernel, &format, NULL, 0, &bytes, &err) == COHORT_OK && bytes > 0 &&
           strcmp(format, "opencl.bin") == 0,
       "a kernel has a binary: %llu bytes", (unsigned long long)bytes);
    void *binary = malloc((size_t)bytes);
    ok(s.ops.kernel_binary(dev, kernel, &format, binary, bytes, &bytes, &err) == COHORT_OK,
       "which is read");
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
    code.format = format;
    code.data = binary;
    code.bytes = bytes;
    kernel = opencl_make(&s, dev, &code, "mark", &sig);
    uint64_t n = 4;
    int32_t x[4] = { 0 };
    cohort_mem *mem = subject_alloc_from(&s, dev, x, sizeof x);
    void *argv[] = { &n, &mem };
    ok(opencl_go(&s, dev, kernel, argv, 2, items(4), &err) == COHORT_OK,
       "and runs when made again");
    (void)subject_read(&s, dev, mem, 0, x, sizeof x);
    ok(x[0] == 1 && x[3] == 1, "with the same result");
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
    subject_free(&s, dev, mem);
    code.data = "no binary of anything";
    code.bytes = 20;
    ok(s.ops.kernel_create(dev, &code, "mark", &sig, &kernel, &err) == COHORT_EINCOMPATIBLE,
       "what is none is refused: %s", err.text);
    free(binary);
}

/* ---- Functions that enqueue. */

static cohort_status fill_it(cl_command_queue queue, float value, int64_t n, cl_mem mem)
{
    if (n < 0)
        return COHORT_ENOENT;
    return clEnqueueFillBuffer(queue, mem, &value, sizeof value, 0, (size_t)n * sizeof value, 0,
                               NULL, NULL) == 0
               ? COHORT_OK
               : COHORT_EINTERNAL;
}

static void enqueues(void)
{
    static const cohort_arg args[] = { VALUE(COHORT_F32, float), VALUE(COHORT_I64, int64_t),
                                       MEM(COHORT_F32, float, COHORT_WRITE) };
    cohort_sig sig = opencl_sig(args, NULL, 3);
    cohort_code code = { .struct_size = sizeof code,
                         .uid = 2,
                         .format = "opencl.enqueue",
                         .fn = (cohort_native_fn)fill_it };
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "fill_it", &sig);
    float value = 2.5f, x[8] = { 0 };
    int64_t n = 8;
    cohort_mem *mem = subject_alloc(&s, dev, sizeof x);
    void *argv[] = { &value, &n, &mem };
    cohort_error err = { .struct_size = sizeof err };
    cohort_status st = opencl_go(&s, dev, kernel, argv, 3, (cohort_range){ .dims = 0 }, &err);
    (void)subject_read(&s, dev, mem, 0, x, sizeof x);
    ok(st == COHORT_OK && x[0] == 2.5f && x[7] == 2.5f, "a function of the host enqueues");
    n = -1;
    ok(opencl_go(&s, dev, kernel, argv, 3, (cohort_range){ .dims = 0 }, &err) == COHORT_ENOENT,
       "its verdict counts");
    has_text(err.text, "fill_it: the function that enqueues returned ENOENT (-4)", "by its name");
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
    subject_free(&s, dev, mem);
    code.fn = NULL;
    ok(s.ops.kernel_create(dev, &code, "fill_it", &sig, &kernel, &err) == COHORT_ENOENT,
       "no function: %s", err.text);
}

/* ---- Arguments that were set before. */

static bool adds(cohort_kernel *kernel, cohort_mem *mem, float a, float wanted)
{
    float x = 0;
    void *argv[] = { &a, &mem };
    return opencl_go(&s, dev, kernel, argv, 2, items(1), NULL) == COHORT_OK &&
           subject_read(&s, dev, mem, 0, &x, sizeof x) == COHORT_OK && x == wanted;
}

static void again(void)
{
    static const cohort_arg args[] = { VALUE(COHORT_F32, float),
                                       MEM(COHORT_F32, float, COHORT_READ | COHORT_WRITE) };
    static const float zero = 0;
    cohort_sig sig = opencl_sig(args, NULL, 2);
    cohort_code code = opencl_code("kernel void f(float a, global float *x) { x[0] += a; }", "");
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "f", &sig);
    cohort_mem *mem = subject_alloc_from(&s, dev, &zero, sizeof zero),
               *other = subject_alloc_from(&s, dev, &zero, sizeof zero);
    bool is_good = adds(kernel, mem, 1, 1);
    opencl_shim_fail(SHIM_ANY, 0, CL_SUCCESS, false); /* counts from here */
    is_good = is_good && adds(kernel, mem, 1, 2);
    ok(is_good && opencl_shim_count(SHIM_clSetKernelArg) == 0, "the same arguments are not set");
    ok(adds(kernel, mem, 2, 4) && adds(kernel, other, 2, 2) && adds(kernel, mem, 2, 6),
       "another value, another array, and the first one again");
    for (int i = 0; i < 20 && is_good; i++) { /* drivers use the address of an object again */
        subject_free(&s, dev, mem);
        mem = subject_alloc_from(&s, dev, &zero, sizeof zero);
        is_good = adds(kernel, mem, 2, 2);
    }
    ok(is_good, "an array that was freed, and one in its place");
    subject_free(&s, dev, mem);
    subject_free(&s, dev, other);
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
}

/* ---- Reductions that the driver does not build. */

static void no_fold(void)
{
    static const float one = 1;
    cohort_dev *other = subject_open(&s, 0, 1);
    cohort_term terms[2] = { { subject_alloc_from(&s, other, &one, sizeof one), 0, 0, 0 },
                             { subject_alloc_from(&s, other, &one, sizeof one), 0, 1, 0 } };
    cohort_reduction sum = { .struct_size = sizeof sum,
                             .order = COHORT_ORDER_STACK,
                             .op = COHORT_SUM,
                             .type = COHORT_F32,
                             .nterms = 2,
                             .terms = terms,
                             .dst = terms[0].mem,
                             .count = 1,
                             .divisor = 1 };
    opencl_shim_fail(SHIM_clBuildProgram, 1, CL_BUILD_PROGRAM_FAILURE, true);
    ok(subject_reduce(&s, other, &sum) == COHORT_ENOTSUP,
       "a reduction that does not build is left");
    opencl_shim_fail(SHIM_ANY, 0, CL_SUCCESS, false);
    ok(subject_reduce(&s, other, &sum) == COHORT_ENOTSUP &&
           opencl_shim_count(SHIM_clBuildProgram) == 0,
       "and not tried again");
    subject_free(&s, other, terms[0].mem);
    subject_free(&s, other, terms[1].mem);
    subject_close(&s, other);
}

int main(void)
{
    const char *why = subject_load_built(&s, OPENCL_PLUGIN);
    if (why != NULL)
        return skip_all(why);
    cohort_host host = *s.host;
    host.log = keep_log;
    listen(&host);
    dev = subject_open(&s, 0, 1);
    build_errors();
    contraction();
    mismatches();
    never();
    taken();
    structs();
    layouts_taken();
    layout_of_a_pointer();
    layouts_refused();
    geometry();
    scratch();
    again();
    no_fold();
    binaries();
    enqueues();
    subject_close(&s, dev);
    return tap_done();
}
