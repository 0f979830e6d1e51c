/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL plugin's vectors of 3, which have the size of 4: as elements of arrays, by value, as
 * members of structs and in scratch, and what is no match for them. */
#include "config.h"

#include "tests/opencl_subject.h"

#include <cohort/array.h>

static subject s;
static cohort_dev *dev;
static const char *const xs[] = { "x" };

static const cohort_member three_floats[] = { { COHORT_F32, 3, 0, 0 } },
                           ball[] = { { COHORT_STRUCT_BASE, 1, 0, 0 }, { COHORT_F32, 1, 16, 0 } };
static const cohort_layout threes[] = { { 16, 16, 1, 0, three_floats },
                                        { 32, 16, 2, 0, ball },
                                        { 12, 4, 1, 0, three_floats } };
enum { FLOAT3 = COHORT_STRUCT_BASE, BALL, TIGHT };

static cohort_sig sig_of_threes(const cohort_arg *args, const char *const *names, uint32_t n)
{
    cohort_sig sig = opencl_sig(args, names, n);
    sig.ntypes = COUNT(threes);
    sig.types = threes;
    return sig;
}

/* The error of a kernel whose argument has this type, "" where it is taken. */
static const char *error_of_three(uint32_t kind, uint32_t type, const char *declared)
{
    static cohort_error err;
    static char source[400];
    const cohort_arg arg = { kind, type, kind == COHORT_ARG_MEM ? COHORT_READ : 0,
                             threes[type - COHORT_STRUCT_BASE].size };
    cohort_sig sig = sig_of_threes(&arg, xs, 1);
    (void)snprintf(source, sizeof source,
                   "typedef float3 point; typedef struct { float3 at; float r; } ball;\n"
                   "typedef struct { float v[3]; float r; } flat;\nkernel void f(%s) { }",
                   declared);
    cohort_code code = opencl_code(source, "");
    cohort_kernel *kernel = NULL;
    err = (cohort_error){ .struct_size = sizeof err };
    if (s.ops.kernel_create(dev, &code, "f", &sig, &kernel, &err) == COHORT_OK)
        (void)s.ops.kernel_destroy(dev, kernel, NULL);
    return err.text;
}

static void refused(void)
{
    has_text(
        error_of_three(COHORT_ARG_MEM, FLOAT3, "global const float4 *x"),
        "'global const float4 *' in the kernel, array of vectors of 3 float32 in the prototype",
        "another vector");
    has_text(error_of_three(COHORT_ARG_MEM, FLOAT3, "global const float *x"),
             "array of vectors of 3 float32", "numbers");
    has_text(error_of_three(COHORT_ARG_VALUE, FLOAT3, "int3 x"), "a vector of 3 float32",
             "other numbers");
    has_text(error_of_three(COHORT_ARG_VALUE, TIGHT, "float3 x"), "takes the room of 4 numbers",
             "a struct of three numbers by value");
    has_text(error_of_three(COHORT_ARG_MEM, TIGHT, "global const float3 *x"),
             "takes the room of 4 numbers", "and as the element of an array");
    has_text(error_of_three(COHORT_ARG_MEM, BALL, "global const flat *x"), "'flat' of the kernel",
             "a member without its room");
}

static void taken(void)
{
    static const struct {
        uint32_t kind, type;
        const char *declared;
    } cases[] = {
        { COHORT_ARG_MEM, FLOAT3, "global const float3 *x" },
        { COHORT_ARG_MEM, FLOAT3, "constant float3 *x" },
        { COHORT_ARG_MEM, FLOAT3, "global const point *x" },
        { COHORT_ARG_VALUE, FLOAT3, "float3 x" },
        { COHORT_ARG_VALUE, FLOAT3, "point x" },
        { COHORT_ARG_LOCAL, FLOAT3, "local float3 *x" },
        { COHORT_ARG_VALUE, BALL, "ball x" },
        { COHORT_ARG_MEM, BALL, "global const ball *x" },
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        is_text(error_of_three(cases[i].kind, cases[i].type, cases[i].declared), "", "%s",
                cases[i].declared);
}

static void run(void)
{
    static const cohort_arg args[] = { { COHORT_ARG_VALUE, FLOAT3, 0, 16 },
                                       { COHORT_ARG_VALUE, BALL, 0, 32 },
                                       { COHORT_ARG_MEM, FLOAT3, COHORT_READ, 16 },
                                       { COHORT_ARG_LOCAL, FLOAT3, 0, 16 },
                                       MEM(COHORT_F32, float, COHORT_WRITE) };
    cohort_sig sig = sig_of_threes(args, NULL, COUNT(args));
    cohort_code code =
        opencl_code("typedef struct { float3 at; float r; } ball;\n"
                    "kernel void f(float3 by, ball b, global const float3 *x, local float3 *t, "
                    "global float *y)\n"
                    "{ int i = get_global_id(0); t[get_local_id(0)] = by * x[i] + b.at * b.r;\n"
                    "vstore3(t[get_local_id(0)], i, y); }",
                    "");
    cohort_kernel *kernel = opencl_make(&s, dev, &code, "f", &sig);
    float by[4] = { 1, 10, 100, -1 }, of[8] = { 1, 2, 3, -1, 1000 }, got[6] = { 0 };
    float x[8] = { 1, 2, 3, -1, 4, 5, 6, -1 };
    uint64_t room = 2 * sizeof(float[4]);
    cohort_mem *in = subject_alloc(&s, dev, sizeof x), *out = subject_alloc(&s, dev, sizeof got);
    (void)subject_write(&s, dev, in, 0, x, sizeof x);
    void *argv[] = { by, of, &in, &room, &out };
    cohort_status st = opencl_go(&s, dev, kernel, argv, COUNT(argv), items(2), NULL);
    (void)subject_read(&s, dev, out, 0, got, sizeof got);
    ok(st == COHORT_OK && got[0] == 1001 && got[1] == 2020 && got[2] == 3300 && got[3] == 1004 &&
           got[4] == 2050 && got[5] == 3600,
       "they arrive by value, in a struct, in memory and in scratch: %g %g %g, %g %g %g",
       (double)got[0], (double)got[1], (double)got[2], (double)got[3], (double)got[4],
       (double)got[5]);
    subject_free(&s, dev, in);
    subject_free(&s, dev, out);
    (void)s.ops.kernel_destroy(dev, kernel, NULL);
}

int main(void)
{
    const char *why = subject_load_built(&s, OPENCL_PLUGIN);
    if (why != NULL)
        return skip_all(why);
    dev = subject_open(&s, 0, 1);
    refused();
    taken();
    run();
    subject_close(&s, dev);
    return tap_done();
}
