/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations of OpenCL kernels as prototypes: address spaces, vectors, pointers without a
 * shape. */
#include <cohort/cohort.h>

#include "runtime/base/memory.h"
#include "runtime/function/bounds.h"
#include "runtime/function/native_call.h"
#include "runtime/function/prototype.h"
#include "tests/tap.h"

static const cohort_signature *signature;
static cohort_bounds bounds;

/* A text as cohort_function_parse takes it. */
static const cohort_signature *parse(const char *text)
{
    char *returns = NULL, *name = NULL, *prototype = NULL;
    cohort_signature_release(signature);
    signature = NULL;
    if (cohort_prototype_split(text, &returns, &name, &prototype) == COHORT_OK) {
        cohort_function function = {
            .struct_size = sizeof function, .name = name, .returns = returns, .prototype = prototype
        };
        signature = cohort_signature_create(&function);
    }
    cohort_free(returns);
    bounds = (cohort_bounds){ 0 };
    for (int i = 0; i < COHORT_MAX_ARGUMENTS; i++)
        bounds.arrays[i].rank = -1;
    return signature;
}

static void refuses(const char *text, const char *message)
{
    ok(parse(text) == NULL, "%s is refused", text);
    has_text(cohort_error_text(), message, "because: %.*s", (int)strcspn(message, "\n"), message);
}

/* ---- Errors */

static void test_refused(void)
{
    refuses("kernel void f(pipe int p)", "'pipe': pipes are not passed");
    refuses("kernel void f(event_t e)", "exists only inside kernels");
    refuses("kernel void f(__generic float *x)",
            "pointers to global, constant and local memory only");
    refuses("kernel void f(private float *x)",
            "x points to private memory, which no caller can give: write global");
    refuses("kernel void f(global float x)", "x has an address space, but is no pointer");
    refuses("kernel void f(constant int n)", "n has an address space, but is no pointer");
    refuses("kernel void f(local int n)", "n is scratch, but no array");
    refuses("kernel void f(global local float *x)", "'local' is a second address space");
    refuses("kernel void f(local void *x)", "x has elements of type void");
    refuses("kernel void f(global void x[3])", "x has elements of type void");
    refuses("kernel void f(global float **x)", "a pointer to a pointer");
    refuses("kernel void f(float *x)", "a pointer without a shape");
    refuses("kernel void f(out constant float *x)", "is an output, which cannot be const");
    refuses("kernel void f(out local float *x)", "is scratch, which is no output");
    refuses("kernel void f(local const float *x)", "is scratch, which cannot be const");
    refuses("kernel void f(half h)", "16-bit float");
    refuses("kernel void f(half4 h)", "16-bit float");
    refuses("kernel void f(kernel int n)", "'kernel' stands before the result");
    refuses("kernel float f(int n)", "a kernel returns nothing: write kernel void");
    refuses("float4 f(int n)", "a vector cannot be returned");
    refuses("float3 f(int n)", "a vector cannot be returned");
    refuses("kernel void f(half3 h)", "16-bit float");
    refuses("kernel void f(float3 x[1][1][1][1][1][1][1][1])", "more than 8 axes");
    refuses("kernel void f(global flaot3 *x)", "did you mean 'float3'?");
    refuses("global float f(int n)", "a result has no direction and no address space");
    refuses("kernel void f(unsigned float4 *x)", "found '*'");
    refuses("kernel void f(float4 int x)", "makes no type together");
    refuses("kernel void f(float5 x)", "unknown type 'float5'; did you mean 'float");
    refuses("kernel void f(global flaot4 *x)", "did you mean 'float4'?");
    refuses("kernel void f(uchra x)", "did you mean 'uchar'?");
    refuses("kernel void f(int n, float x[float4])", "'float4' is no parameter");
    refuses("kernel void f(float4 n, float x[n])", "n is no integer parameter");
    refuses("kernel void f(float4 n COHORT_IS(3))", "COHORT_IS computes integers");
    refuses("kernel void f(float4 x[1][1][1][1][1][1][1][1])", "more than 8 axes");
    refuses("kernel __attribute__ void f(int n)", "expected '(' after __attribute__");
    refuses("kernel __attribute__((x void f(int n)", "this parenthesis is never closed");
    refuses("kernel void f(int n) __attribute__((x)) y", "the prototype ends before this");
}

/* ---- Declarations as they stand in programs */

/* r read, w inout, o output, l scratch, n number, b bound, s struct or vector; capital: unsized */
static char role_letter(const cohort_parameter *p)
{
    if (p->role == COHORT_ROLE_LOCAL)
        return p->is_unsized ? 'L' : 'l';
    if (p->role == COHORT_ROLE_ARRAY) {
        char letter = p->direction == COHORT_READ ? 'r' : p->direction == COHORT_WRITE ? 'o' : 'w';
        return p->is_unsized ? (char)(letter - 'a' + 'A') : letter;
    }
    return p->role == COHORT_ROLE_BOUND ? 'b' : p->role == COHORT_ROLE_STRUCT ? 's' : 'n';
}

static void reads(const char *text, const char *roles)
{
    char found[COHORT_MAX_ARGUMENTS + 1] = "";
    if (parse(text) == NULL)
        diag("%s", cohort_error_text());
    for (int i = 0; signature != NULL && i < signature->n_parameters; i++)
        found[i] = role_letter(&signature->parameters[i]);
    is_text(signature != NULL ? found : "nothing", roles, "%s", text);
}

static void test_kernels(void)
{
    reads("__kernel void vadd(__global const float *a, __global const float *b, __global float *c, "
          "const unsigned int n)",
          "RRWn");
    reads("kernel void copy(global const float4 *restrict in, global float4 *restrict out)", "RW");
    reads("__kernel void scan(__global uint *data, __local uint *block, uint n)", "WLn");
    reads("kernel void blur(constant float *mask, global const uchar4 *in, global uchar4 *out, int "
          "width, int height)",
          "RRWnn");
    reads("__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void f(__global double *x)",
          "W");
    reads("__attribute__((reqd_work_group_size(8, 8, 1))) kernel void f(global int *x);", "W");
    reads("kernel void f(global int *x) __attribute__((vec_type_hint(float4)));", "W");
    reads("kernel void nbody(global float4 *pos, global float4 *vel, float dt, float eps, local "
          "float4 *cache)",
          "WWnnL");
    reads("kernel void gemm(int m, int n, int k, float alpha, global const float *a, int lda, "
          "global const float *b, "
          "int ldb, float beta, global float *c, int ldc)",
          "nnnnRnRnnWn");
    reads("kernel void axpy(long n, float a, global const float x[n], global float y[n])", "bnrw");
    reads("kernel void sized(int n, int d, const float4 x[n][d], out float2 y[n])", "bbro");
    reads("kernel void hist(global volatile uint *bins, global const uchar *pixels, ulong count)",
          "WRn");
    reads("kernel void f(const global float *x, float global *y, float const __global *restrict z)",
          "RWR");
    reads("kernel void mandel(global uchar4 *image, float2 corner, float2 step, uint4 size)",
          "Wsss");
    reads("void kernel_like(float16 m, double2 z, char8 c, ushort16 u, long4 l)", "sssss");
    reads("kernel void f(global half *x, global const half8 *y)", "WR");
    reads("kernel void f(private int n, __private float a, private float4 v)", "nns");
    reads("kernel void f(global const float x[], global float *y COHORT_SHAPE(4))", "Rw");
    reads("kernel void reduce(global const float *x, out global float *sum, local float *scratch)",
          "ROL");
    reads("kernel void f(local float t[64], local int2 *u COHORT_SHAPE(8))", "ll");
    reads("kernel void f(uchar a, ushort b, uint c, ulong d, size_t e)", "nnnnn");
    reads("kernel void f(float local, int out, uint global, int kernel, long private, int "
          "constant, int pipe)",
          "nnnnnnn");
    reads("kernel void f(int global, float x[global])", "bw");
    reads("kernel void f(float float4, int uchar, global int *image2d_t)", "nnW");
    reads("kernel void f(int n, __constant float *restrict const w, __global int2 *z)", "nRW");
    reads("extern kernel void f(void)", "");
}

static void test_types(void)
{
    static const struct {
        const char *text;
        uint32_t type, bytes;
    } wanted[] = {
        { "global uchar *x", COHORT_U8, 1 },    { "global ushort *x", COHORT_U16, 2 },
        { "global uint *x", COHORT_U32, 4 },    { "global ulong *x", COHORT_U64, 8 },
        { "global half *x", COHORT_F16, 2 },    { "global char2 *x", COHORT_I8, 1 },
        { "global short16 *x", COHORT_I16, 2 }, { "global int8 *x", COHORT_I32, 4 },
        { "global long2 *x", COHORT_I64, 8 },   { "global float4 *x", COHORT_F32, 4 },
        { "global double2 *x", COHORT_F64, 8 },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char text[80];
        (void)snprintf(text, sizeof text, "kernel void f(%s)", wanted[i].text);
        const cohort_signature *s = parse(text);
        ok(s != NULL && s->parameters[0].type == wanted[i].type &&
               s->parameters[0].bytes == wanted[i].bytes && s->sig.args[0].kind == COHORT_ARG_MEM &&
               s->sig.args[0].size == wanted[i].bytes,
           "%s has its elements", wanted[i].text);
    }
}

/* The numbers of an array are those of vectors of 4; plugins get the vector. */
static void test_vectors_of_3(void)
{
    const cohort_signature *s = parse(
        "kernel void f(int n, const float3 x[n], global uchar3 *y, double3 c, local int3 *t)");
    if (!ok(s != NULL, "vectors of 3 parse"))
        return;
    const cohort_parameter *p = s->parameters;
    const cohort_arg *args = s->sig.args;
    ok(p[1].rank == 2 && p[1].type == COHORT_F32 && p[1].bytes == 4 &&
           p[1].extents[1].nodes[0].operand == 4,
       "an array of them has 4 columns");
    ok(args[1].kind == COHORT_ARG_MEM && args[1].size == 16 && args[1].dir == COHORT_READ &&
           args[2].size == 4 && args[4].size == 16 && args[4].type == p[4].type,
       "plugins get elements of the size of 4");
    const cohort_layout *three = &s->sig.types[args[1].type - COHORT_STRUCT_BASE];
    ok(three->size == 16 && three->align == 16 && three->nmembers == 1 &&
           three->members[0].count == 3 && three->members[0].type == COHORT_F32,
       "which have three numbers");
    ok(p[3].role == COHORT_ROLE_STRUCT && p[3].bytes == 32 &&
           s->sig.types[p[3].type - COHORT_STRUCT_BASE].members[0].count == 3,
       "by value it is a struct with the room of a fourth");
}

static void test_vectors(void)
{
    const cohort_signature *s =
        parse("kernel void f(int n, float4 x[n], float4 a, float4 b, double2 c, local int2 *t)");
    if (!ok(s != NULL, "vectors parse"))
        return;
    const cohort_parameter *p = s->parameters;
    ok(p[1].rank == 2 && p[1].type == COHORT_F32 && p[1].extents[1].count == 1 &&
           p[1].extents[1].nodes[0].operand == 4,
       "the lanes are the last axis of an array");
    is_text(p[1].extents[1].text, "4", "with a text for messages");
    const cohort_layout *four = &s->sig.types[p[2].type - COHORT_STRUCT_BASE];
    ok(p[2].type == p[3].type && s->sig.ntypes == 3, "a vector is described once");
    ok(four->size == 16 && four->align == 16 && four->nmembers == 1 &&
           four->members[0].count == 4 && four->members[0].type == COHORT_F32 && p[2].bytes == 16,
       "by value it is a struct of that layout");
    is_text(cohort_signature_type_name(s, p[2].type), "float4", "with a name");
    ok(p[5].role == COHORT_ROLE_LOCAL && p[5].bytes == 8 && s->sig.args[5].size == 8,
       "scratch has whole vectors");
    ok(s->n_passed == 4, "vectors are passed");
    cohort_call *call = NULL;
    cohort_error error = { .struct_size = sizeof error };
    ok(cohort_call_prepare(&s->sig, &call, &error) == COHORT_EINVAL &&
           strstr(error.text, "layout") != NULL,
       "no C function takes them by value");
    static const cohort_type own = { "float4", "{ float x; }", 4, 4 };
    static const cohort_type holds = { "holds", "{ int a; float4 b; }", 32, 16 };
    cohort_function function = { .struct_size = sizeof function,
                                 .name = "f",
                                 .prototype = "(float4 x)",
                                 .types = (const cohort_type *const[]){ &own, NULL } };
    s = cohort_signature_create(&function);
    ok(s != NULL && s->parameters[0].bytes == 4, "a listed type of the same name hides a vector");
    cohort_signature_release(s);
    function.prototype = "(holds h, float4 v)";
    function.types = (const cohort_type *const[]){ &holds, NULL };
    s = cohort_signature_create(&function);
    ok(s != NULL && s->parameters[0].bytes == 32 && s->parameters[1].bytes == 16 &&
           s->sig.ntypes == 2,
       "structs may have vectors");
    cohort_signature_release(s);
    function.prototype = "(holds3 h, int n, float3 x[n])";
    static const cohort_type holds3 = { "holds3", "{ int a; float3 b; short3 c[2]; float d; }", 64,
                                        16 };
    function.types = (const cohort_type *const[]){ &holds3, NULL };
    s = cohort_signature_create(&function);
    ok(s != NULL &&
           s->sig.types[s->parameters[0].type - COHORT_STRUCT_BASE].members[3].offset == 48,
       "vectors of 3 among them, each with the room of 4");
    cohort_signature_release(s);
    test_vectors_of_3();
    ok(parse("kernel void f(int n, float4 x[n])") != NULL, "an array of vectors");
    bounds.arrays[1] = (cohort_extents){ 2, { 7, 4 } };
    ok(cohort_bounds_solve(signature, "", &bounds) == COHORT_OK && bounds.values[0] == 7,
       "has rows of that length");
    bounds.arrays[1] = (cohort_extents){ 2, { 7, 3 } };
    ok(cohort_bounds_solve(signature, "", &bounds) == COHORT_EINVAL, "and no others");
    is_text(cohort_error_text(), "f: x has 3 columns, but x[n][4] says 4", "which is told");
}

/* ---- Arrays whose length nobody names */

static void solve_fails(const char *message)
{
    ok(cohort_bounds_solve(signature, ", replica 0 on opencl:0", &bounds) == COHORT_EINVAL,
       "%s does not solve", signature->prototype);
    is_text(cohort_error_text(), message, "and it is told why");
}

static void test_unsized(void)
{
    const cohort_signature *s =
        parse("kernel void f(global const float *x, global float4 *y, out global int *z)");
    ok(s != NULL && s->parameters[0].rank == 1 && s->parameters[0].extents[0].count == 0 &&
           !s->parameters[0].is_plain,
       "it has one extent, which is empty");
    ok(s->parameters[1].rank == 2, "and the lanes of a vector");
    bounds.arrays[0] = (cohort_extents){ 3, { 4, 5, 6 } };
    bounds.arrays[1] = (cohort_extents){ 1, { 12 } };
    solve_fails("f, replica 0 on opencl:0: nothing says how large z is: it has no shape; write "
                "z[n] in the prototype or "
                "make z with cohort_value_shaped");
    bounds.arrays[2] = (cohort_extents){ 2, { 2, 3 } };
    ok(cohort_bounds_solve(s, "", &bounds) == COHORT_OK && bounds.arrays[0].rank == 3 &&
           bounds.arrays[2].rank == 2,
       "any rank and size is taken as it is");
    bounds.arrays[0] = (cohort_extents){ 0, { 0 } };
    bounds.arrays[1] = (cohort_extents){ 1, { 0 } };
    ok(cohort_bounds_solve(s, "", &bounds) == COHORT_OK, "also one element, and none");
    bounds.arrays[1] = (cohort_extents){ 2, { 3, 3 } };
    solve_fails("f, replica 0 on opencl:0: y is made of vectors of 4 elements; the array is 3 x 3, "
                "which does not divide "
                "by 4");
    bounds.arrays[1] = (cohort_extents){ 2, { INT64_MAX, 3 } };
    solve_fails("f, replica 0 on opencl:0: the array for y is 9223372036854775807 x 3, which is "
                "negative or too large");
    bounds.arrays[1] = (cohort_extents){ 9, { 1 } };
    solve_fails("f, replica 0 on opencl:0: the array for y has rank 9");
    bounds.arrays[1] = (cohort_extents){ 1, { -4 } };
    solve_fails("f, replica 0 on opencl:0: the array for y is -4, which is negative or too large");
}

static void test_unsized_scratch(void)
{
    const cohort_signature *s =
        parse("kernel void f(global float *x, local float *t, COHORT_LOCAL float4 *u)");
    ok(s != NULL && s->n_passed == 1 && s->sig.args[1].kind == COHORT_ARG_LOCAL,
       "scratch is not passed");
    bounds.arrays[0] = (cohort_extents){ 1, { 4 } };
    solve_fails("f, replica 0 on opencl:0: nothing says how large the scratch t is; pass "
                "COHORT_NAMED(t, 64) or write "
                "t[n] in the prototype");
    bounds.is_named[1] = bounds.is_named[2] = true;
    bounds.values[1] = 64, bounds.values[2] = 8;
    ok(cohort_bounds_solve(s, "", &bounds) == COHORT_OK && bounds.values[1] == 64 &&
           bounds.values[2] == 8,
       "its elements are given by name");
    ok(cohort_bounds_solve(s, "", &bounds) == COHORT_OK && bounds.values[2] == 8,
       "and stay when solved again");
    bounds.values[1] = 0;
    solve_fails(
        "f, replica 0 on opencl:0: the scratch t has 0 elements by name; it needs at least 1");
    bounds.values[1] = INT64_MAX;
    solve_fails("f, replica 0 on opencl:0: t[] would be 9223372036854775807, which is too large");
}

/* ---- The sig for kernels */

static void test_kernel_sig(void)
{
    const cohort_signature *s = parse("double dot(int n, const float x[n])");
    ok(s != NULL && s->kernel_sig.nargs == 3 && s->kernel_sig.ret == COHORT_VOID &&
           s->sig.nargs == 2 && s->sig.ret == COHORT_F64,
       "a kernel returns its result in memory");
    const cohort_arg *result = &s->kernel_sig.args[2];
    ok(result->kind == COHORT_ARG_MEM && result->type == COHORT_F64 &&
           result->dir == COHORT_WRITE && result->size == 8,
       "which is one more argument");
    is_text(s->kernel_sig.names[2], "result", "with a name");
    ok(s->kernel_sig.args[1].kind == COHORT_ARG_MEM && strcmp(s->kernel_sig.names[1], "x") == 0,
       "after the others");
    s = parse("cohort_status f(int n, const float x[n])");
    ok(s != NULL && s->kernel_sig.nargs == 2 && s->kernel_sig.ret == COHORT_VOID,
       "a verdict is not returned");
    ok(s->item_sig.nargs == 0 && s->item_sig.struct_size == 0 && s->item == NULL &&
           s->n_indices == 0,
       "and there are no items");
}

/* ---- Declarations as they stand in headers */

/* Roles of a function from text, as by reads, with p for a pointer; or the error. */
static void declares(const char *text, const char *roles)
{
    char found[COHORT_MAX_ARGUMENTS + 1] = "";
    cohort_function *f = cohort_function_parse(text, NULL, NULL);
    const cohort_signature *s = f != NULL ? cohort_signature_of(f) : NULL;
    for (int i = 0; s != NULL && i < s->n_parameters; i++)
        found[i] =
            s->parameters[i].role == COHORT_ROLE_POINTER ? 'p' : role_letter(&s->parameters[i]);
    if (s != NULL)
        is_text(found, roles, "%s", text);
    else
        has_text(cohort_error_text(), roles, "%s", text);
    cohort_function_destroy(f);
}

static void test_wrong_headers(void)
{
    declares("void f(void, int n)", "parameter 1 has the type void");
    declares("void f(int, float complex, half)", "parameter 3 is a 16-bit float");
    declares("void f(out int)", "parameter 1 is an output, but no array");
    declares("void f(int COHORT_IS(3))", "parameter 1 has no name");
    declares("void f(float * COHORT_SHAPE(3))", "parameter 1 has no name");
    declares("void f(int, float x[1])", "nw"); /* 1 is a number here, and not the parameter */
    declares("void f(float *x, float **y)", "a pointer to a pointer");
    declares("void f(float *x[])", "x is an array of pointers");
    declares("void f(private float *x)", "points to private memory");
    declares("void f(int (*g)(int), int n)", "pointers to functions");
    declares("void f(char *s, ...)", "variable number of arguments");
    refuses("void f(float *x)", "x is a pointer without a shape: write x[n]");
    refuses("double cos(double)", "parameter 1 has no name");
}

static void test_headers(void)
{
    declares("double cos(double);", "n");
    declares("extern double pow (double __x, double __y) __attribute__ ((__nothrow__));", "nn");
    declares("double frexp(double, int *);", "nW");
    declares("void cblas_daxpy(const int N, const double alpha, const double *X, const int incX, "
             "double *Y, const int incY);",
             "nnRnWn");
    declares("int memcmp(const void *, const void *, size_t);", "ppn");
    declares("void saxpy(int64_t n, float a, const float *restrict x, float *restrict y)", "nnRW");
    declares("void mix(int n, const float x[], float y[n], float *z)", "bRwW");
    declares("void qsort(void *base, size_t count, size_t size, void *compare)", "pnnp");
    declares("float sum(const float [4], int)", "rn");
    declares("float first(const float *, unsigned)", "Rn");
    declares("kernel void add(float *x, global void *v, constant void *c)", "WWR");
    declares("int getloadavg (double __loadavg[], int __nelem)", "Wn");
    declares("void f(float global, int out, float *)", "nnW");
}

/* A name that is left out is the place, which no other parameter can have. */
static void test_places(void)
{
    cohort_function *f =
        cohort_function_parse("void f(int, float *, local float *, int n)", NULL, NULL);
    cohort_parameter_info p = { .struct_size = sizeof p };
    static const char *const names[] = { "1", "2", "3", "n" };
    for (int i = 0; i < 4; i++) {
        ok(cohort_function_parameter(f, i, &p) == COHORT_OK, "parameter %d", i);
        is_text(p.name, names[i], "is called %s", names[i]);
    }
    cohort_function_destroy(f);
}

/* Whether a void * may be written is said as of an array; a kernel's is one, of bytes. */
static void test_void(void)
{
    cohort_parameter_info p = { .struct_size = sizeof p };
    cohort_function *f =
        cohort_function_parse("void f(const void *x, void *y, global const void *z)", NULL, NULL);
    ok(cohort_function_parameter(f, 0, &p) == COHORT_OK && p.kind == COHORT_PARAMETER_POINTER &&
           p.flags == COHORT_PARAMETER_READ,
       "a const void * is read");
    ok(cohort_function_parameter(f, 1, &p) == COHORT_OK && p.kind == COHORT_PARAMETER_POINTER &&
           p.flags == (COHORT_PARAMETER_READ | COHORT_PARAMETER_WRITTEN),
       "a void * is read and written");
    ok(cohort_function_parameter(f, 2, &p) == COHORT_OK && p.kind == COHORT_PARAMETER_ARRAY &&
           p.dtype == COHORT_U8 && p.rank == 0 && p.flags == COHORT_PARAMETER_READ,
       "and a kernel's is an array of bytes");
    cohort_function_destroy(f);
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_refused();
    test_kernels();
    test_types();
    test_vectors();
    test_unsized();
    test_unsized_scratch();
    test_kernel_sig();
    test_wrong_headers();
    test_headers();
    test_places();
    test_void();
    cohort_signature_release(signature);
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
