/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/opencl: what a call costs on an OpenCL device beside the same calls written by hand, in one
 * run and in turns.
 *
 *   launch     a kernel of one item, and a wait
 *   row        eight of them, and one wait
 *   saxpy      64 KiB to 64 MiB of float32 in each array, and a wait
 *   product    512 x 512 x 512, float32, and a wait
 *   step       two replicas on the device: four saxpy of 64 KiB on each, the sum of their arrays,
 *              and a wait; as calls, and recorded
 *   reduce     the sum of two contributions of 4 KiB to 64 MiB, each on one half of the device
 *              (opencl:0/2), beside the same on host/2
 *
 * The hand-written side has the same kernels, group sizes and build options, buffers that stay on
 * the device, one queue in order, clSetKernelArg for every argument of every launch, and clFinish.
 * bench/turns.h says how.
 * usage: bench/opencl [DEVICE], a device such as opencl:1; opencl:0 unless told. */
#include "config.h"

#include "bench/turns.h"

#include <cohort/cohort.h>
#include <cohort/opencl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLOATS = 1 << 24, SIDE = 512, ROW = 8 };

static const char source[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "kernel void touch(global float *x) { x[0] += 1; }\n"
    "kernel void saxpy(long n, float a, global const float *x, global float *y) {\n"
    "    long i = get_global_id(0);\n"
    "    if (i < n) y[i] += a * x[i];\n"
    "}\n"
    "kernel void add(global const float *x, global const float *y, global float *z) {\n"
    "    long i = get_global_id(0);\n"
    "    z[i] = x[i] + y[i];\n"
    "}\n"
    "kernel void product(long n, global const float *x, global const float *w,\n"
    "                    global float *z) {\n"
    "    long row = 4 * get_global_id(1), column = 16 * get_global_id(0);\n"
    "    float16 a = 0, b = 0, c = 0, d = 0;\n"
    "    for (long l = 0; l < n; l++) {\n"
    "        float16 right = vload16(0, w + l * n + column);\n"
    "        a += x[row * n + l] * right;\n"
    "        b += x[(row + 1) * n + l] * right;\n"
    "        c += x[(row + 2) * n + l] * right;\n"
    "        d += x[(row + 3) * n + l] * right;\n"
    "    }\n"
    "    vstore16(a, 0, z + row * n + column);\n"
    "    vstore16(b, 0, z + (row + 1) * n + column);\n"
    "    vstore16(c, 0, z + (row + 2) * n + column);\n"
    "    vstore16(d, 0, z + (row + 3) * n + column);\n"
    "}\n";

typedef struct bench {
    cohort_strategy *s;
    cohort_value *x, *y, *z, *one;
    cohort_function *touch, *saxpy, *product;
    cohort_program *program;
    cohort_opencl cl;
    cl_kernel kernels[4];
    cl_mem by_hand[3], sum;
    cl_long n; /* of saxpy */
    bool is_good;
} bench;

static bool good(bench *t, bool is_good)
{
    t->is_good = t->is_good && is_good;
    return is_good;
}

/* ------------------------------------------------------------------ what is timed */

static void cohort_launch(void *user)
{
    bench *t = user;
    good(t, cohort_run(t->s, t->touch, t->one) == COHORT_OK && cohort_wait(t->s) == COHORT_OK);
}

static void cohort_row(void *user)
{
    bench *t = user;
    for (int i = 0; i < ROW; i++)
        good(t, cohort_run(t->s, t->touch, t->one) == COHORT_OK);
    good(t, cohort_wait(t->s) == COHORT_OK);
}

static void cohort_saxpy(void *user)
{
    bench *t = user;
    good(t, cohort_run(t->s, t->saxpy, 0.5f, t->x, t->y) == COHORT_OK &&
                cohort_wait(t->s) == COHORT_OK);
}

static void cohort_product(void *user)
{
    bench *t = user;
    good(t, cohort_run(t->s, t->product, t->x, t->y, t->z) == COHORT_OK &&
                cohort_wait(t->s) == COHORT_OK);
}

static void enqueue(bench *t, cl_kernel kernel, cl_uint dims, const size_t global[],
                    const size_t local[])
{
    good(t, clEnqueueNDRangeKernel(t->cl.queue, kernel, dims, NULL, global, local, 0, NULL, NULL) ==
                CL_SUCCESS);
}

static void enqueue_touch(bench *t)
{
    good(t, clSetKernelArg(t->kernels[0], 0, sizeof(cl_mem), &t->by_hand[0]) == CL_SUCCESS);
    enqueue(t, t->kernels[0], 1, (const size_t[]){ 1 }, (const size_t[]){ 1 });
}

static void hand_launch(void *user)
{
    bench *t = user;
    enqueue_touch(t);
    good(t, clFinish(t->cl.queue) == CL_SUCCESS);
}

static void hand_row(void *user)
{
    bench *t = user;
    for (int i = 0; i < ROW; i++)
        enqueue_touch(t);
    good(t, clFinish(t->cl.queue) == CL_SUCCESS);
}

static void hand_saxpy(void *user)
{
    bench *t = user;
    cl_kernel k = t->kernels[1];
    good(t, clSetKernelArg(k, 0, sizeof t->n, &t->n) == CL_SUCCESS &&
                clSetKernelArg(k, 1, sizeof(cl_float), &(cl_float){ 0.5f }) == CL_SUCCESS &&
                clSetKernelArg(k, 2, sizeof(cl_mem), &t->by_hand[0]) == CL_SUCCESS &&
                clSetKernelArg(k, 3, sizeof(cl_mem), &t->by_hand[1]) == CL_SUCCESS);
    enqueue(t, k, 1, (const size_t[]){ (size_t)t->n }, (const size_t[]){ 256 });
    good(t, clFinish(t->cl.queue) == CL_SUCCESS);
}

static void hand_product(void *user)
{
    bench *t = user;
    cl_kernel k = t->kernels[2];
    good(t, clSetKernelArg(k, 0, sizeof(cl_long), &(cl_long){ SIDE }) == CL_SUCCESS &&
                clSetKernelArg(k, 1, sizeof(cl_mem), &t->by_hand[0]) == CL_SUCCESS &&
                clSetKernelArg(k, 2, sizeof(cl_mem), &t->by_hand[1]) == CL_SUCCESS &&
                clSetKernelArg(k, 3, sizeof(cl_mem), &t->by_hand[2]) == CL_SUCCESS);
    enqueue(t, k, 2, (const size_t[]){ SIDE / 16, SIDE / 4 }, (const size_t[]){ 8, 8 });
    good(t, clFinish(t->cl.queue) == CL_SUCCESS);
}

/* ------------------------------------------------------------------ both sides */

static cohort_function *make_function(const char *prototype, const char *global, const char *local)
{
    cohort_function *f = cohort_function_parse(prototype, NULL, NULL);
    cohort_body body = { .format = "opencl.c",
                         .data = source,
                         .bytes = sizeof source - 1,
                         .global = global,
                         .local = local };
    return cohort_function_add_body(f, &body) == COHORT_OK ? f : NULL;
}

static bool make_functions(bench *t)
{
    t->touch = make_function("void touch(float x[1])", "1", "1");
    t->saxpy =
        make_function("void saxpy(int64_t n, float a, const float x[n], float y[n])", "n", "256");
    t->product = make_function(
        "void product(int64_t n, const float x[n][n], const float w[n][n], out float z[n][n])",
        "n / 16, n / 4", "8, 8");
    return t->touch != NULL && t->saxpy != NULL && t->product != NULL;
}

/* On the device and context that the other side has, with a queue of its own. */
static bool make_by_hand(bench *t)
{
    static const char *const names[] = { "touch", "saxpy", "product", "add" };
    const char *text = source;
    if (cohort_opencl_of(t->s, 0, &t->cl) < 0)
        return false;
    t->cl.queue = clCreateCommandQueue(t->cl.context, t->cl.device, 0, NULL);
    cl_program program = clCreateProgramWithSource(t->cl.context, 1, &text, NULL, NULL);
    bool is_good =
        clBuildProgram(program, 1, &t->cl.device, "-cl-std=CL1.2", NULL, NULL) == CL_SUCCESS;
    for (int i = 0; i < 4; i++) {
        t->kernels[i] = clCreateKernel(program, names[i], NULL);
        is_good = is_good && t->kernels[i] != NULL;
    }
    for (int i = 0; i < 3; i++) {
        t->by_hand[i] = clCreateBuffer(t->cl.context, CL_MEM_READ_WRITE,
                                       MOST_FLOATS * sizeof(float), NULL, NULL);
        is_good = is_good && t->by_hand[i] != NULL;
    }
    (void)clReleaseProgram(program);
    return is_good;
}

static void free_by_hand(bench *t)
{
    for (int i = 0; i < 4; i++)
        (void)clReleaseKernel(t->kernels[i]);
    for (int i = 0; i < 3; i++)
        (void)clReleaseMemObject(t->by_hand[i]);
    (void)clReleaseCommandQueue(t->cl.queue);
}

/* The same numbers on both sides. */
static bool fill(bench *t, const float *numbers, int64_t n, int64_t columns)
{
    size_t bytes = (size_t)n * sizeof *numbers;
    cohort_array a =
        columns > 0 ? COHORT_ARRAY(numbers, n / columns, columns) : COHORT_ARRAY(numbers, n);
    cohort_value_destroy(t->x);
    cohort_value_destroy(t->y);
    t->x = cohort_value_plain(t->s, a);
    t->y = cohort_value_split(t->s, a);
    bool is_good = t->x != NULL && t->y != NULL;
    for (int i = 0; i < 2; i++)
        is_good = is_good && clEnqueueWriteBuffer(t->cl.queue, t->by_hand[i], CL_TRUE, 0, bytes,
                                                  numbers, 0, NULL, NULL) == CL_SUCCESS;
    t->n = n;
    return is_good;
}

static bool is_equal(bench *t, cohort_value *ours, cl_mem theirs, int64_t n)
{
    size_t bytes = (size_t)n * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes);
    bool is_same = a != NULL && b != NULL &&
                   cohort_value_read(ours, COHORT_ARRAY(a, n)) == COHORT_OK &&
                   clEnqueueReadBuffer(t->cl.queue, theirs, CL_TRUE, 0, bytes, b, 0, NULL, NULL) ==
                       CL_SUCCESS &&
                   memcmp(a, b, bytes) == 0;
    free(a);
    free(b);
    return is_same;
}

static bool compare_saxpy(bench *t, const float *numbers)
{
    bool is_same = true;
    for (int64_t n = 1 << 14; n <= MOST_FLOATS && is_same; n *= 4) {
        char name[64];
        (void)snprintf(name, sizeof name, "saxpy, %lld KiB", (long long)(n * 4 / 1024));
        is_same = fill(t, numbers, n, 0);
        cohort_saxpy(t);
        hand_saxpy(t);
        is_same = is_same && is_equal(t, t->y, t->by_hand[1], n);
        (void)turns_compare(name, "by hand", cohort_saxpy, hand_saxpy, t, n < 1 << 20 ? 400 : 20);
    }
    return is_same;
}

static bool compare_product(bench *t, const float *numbers)
{
    bool is_same = fill(t, numbers, (int64_t)SIDE * SIDE, SIDE);
    cohort_product(t);
    hand_product(t);
    is_same = is_same && is_equal(t, t->z, t->by_hand[2], (int64_t)SIDE * SIDE);
    (void)turns_compare("product, 512 x 512 x 512", "by hand", cohort_product, hand_product, t, 40);
    return is_same;
}

/* ------------------------------------------------------------------ a step with a reduction */

enum { STEP_FLOATS = 1 << 14, STEP_KERNELS = 8, STEP_REPLICAS = 2 };

static cohort_status make_calls(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    bench *t = user;
    (void)batch;
    for (int i = 0; i < STEP_KERNELS / STEP_REPLICAS; i++)
        good(t, cohort_run(s, t->saxpy, 0.5f, t->x, t->y) == COHORT_OK);
    return cohort_reduce(COHORT_SUM, t->y, COHORT_NO_AXIS, t->z);
}

static void cohort_step(void *user)
{
    bench *t = user;
    good(t, make_calls(t->s, NULL, t) == COHORT_OK && cohort_wait(t->s) == COHORT_OK);
}

static void recorded_step(void *user)
{
    bench *t = user;
    good(t, cohort_program_run(t->program, NULL, 1) == COHORT_OK && cohort_wait(t->s) == COHORT_OK);
}

/* x is by_hand[0]; y of replica r by_hand[1 + r]; the sum goes to a buffer of its own. */
static void hand_step(void *user)
{
    bench *t = user;
    const size_t global = STEP_FLOATS, local = 256;
    for (int i = 0; i < STEP_KERNELS; i++) {
        cl_kernel k = t->kernels[1];
        good(t, clSetKernelArg(k, 0, sizeof(cl_long), &(cl_long){ STEP_FLOATS }) == CL_SUCCESS &&
                    clSetKernelArg(k, 1, sizeof(cl_float), &(cl_float){ 0.5f }) == CL_SUCCESS &&
                    clSetKernelArg(k, 2, sizeof(cl_mem), &t->by_hand[0]) == CL_SUCCESS &&
                    clSetKernelArg(k, 3, sizeof(cl_mem), &t->by_hand[1 + i % STEP_REPLICAS]) ==
                        CL_SUCCESS);
        enqueue(t, k, 1, &global, &local);
    }
    good(t, clSetKernelArg(t->kernels[3], 0, sizeof(cl_mem), &t->by_hand[1]) == CL_SUCCESS &&
                clSetKernelArg(t->kernels[3], 1, sizeof(cl_mem), &t->by_hand[2]) == CL_SUCCESS &&
                clSetKernelArg(t->kernels[3], 2, sizeof(cl_mem), &t->sum) == CL_SUCCESS);
    enqueue(t, t->kernels[3], 1, &global, &local);
    good(t, clFinish(t->cl.queue) == CL_SUCCESS);
}

/* With a strategy of two replicas, and the sum of what both have. */
static bool compare_step(const bench *whole, const char *device, const float *numbers)
{
    bench t = *whole;
    size_t bytes = STEP_FLOATS * sizeof(float);
    const int64_t n = STEP_FLOATS;
    t.s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = device, .replicas = STEP_REPLICAS });
    t.x = cohort_value_plain(t.s, COHORT_ARRAY(numbers, n));
    t.y = cohort_value_split(t.s, COHORT_ARRAY(numbers, STEP_REPLICAS * n));
    t.z = cohort_value_create(t.s);
    t.sum = clCreateBuffer(t.cl.context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    for (int i = 0; i < 3; i++)
        good(&t, clEnqueueWriteBuffer(t.cl.queue, t.by_hand[i], CL_TRUE, 0, bytes,
                                      numbers + (i == 2 ? n : 0), 0, NULL, NULL) == CL_SUCCESS);
    cohort_step(&t);
    t.program = cohort_program_record(t.s, make_calls, &t, NULL, 0);
    recorded_step(&t);
    for (int i = 0; i < 2; i++)
        hand_step(&t);
    bool is_same = is_equal(&t, t.z, t.sum, n);
    turns_side sides[] = {
        { .who = "by hand", .call = hand_step, .bench = &t, .calls = 200, .is_limit = true },
        { .who = "cohort, calls", .call = cohort_step, .bench = &t, .calls = 200 },
        { .who = "cohort, recorded", .call = recorded_step, .bench = &t, .calls = 200 }
    };
    if (is_same)
        turns_row("8 launches, a sum and a wait", sides, sizeof sides / sizeof *sides);
    (void)clReleaseMemObject(t.sum);
    cohort_strategy_destroy(t.s);
    return is_same && t.is_good;
}

/* ------------------------------------------------------------------ reductions over devices */

typedef struct pair {
    struct side {
        cohort_strategy *s;
        cohort_value *x, *sum;
    } opencl, host;
    bool is_good;
} pair;

static bool side_fill(struct side *side, const float *numbers, int64_t n)
{
    cohort_value_destroy(side->x);
    side->x = cohort_value_split(side->s, COHORT_ARRAY(numbers, 2 * n));
    side->sum = side->sum != NULL ? side->sum : cohort_value_create(side->s);
    return side->sum != NULL && side->x != NULL;
}

static bool side_reduce(const struct side *side)
{
    return cohort_reduce(COHORT_SUM, side->x, COHORT_NO_AXIS, side->sum) == COHORT_OK &&
           cohort_wait(side->s) == COHORT_OK;
}

static void opencl_reduce(void *user)
{
    pair *p = user;
    p->is_good = side_reduce(&p->opencl) && p->is_good;
}

static void host_reduce(void *user)
{
    pair *p = user;
    p->is_good = side_reduce(&p->host) && p->is_good;
}

/* Contributions that a call has just been given are used in place, so none is copied here. */
static bool compare_reduce(const char *device, const float *numbers)
{
    char halves[64];
    (void)snprintf(halves, sizeof halves, "%s/2", device);
    pair p = { { cohort_mirrored(halves), NULL, NULL },
               { cohort_mirrored("host/2"), NULL, NULL },
               true };
    if (p.opencl.s == NULL)
        printf("reduce: %s\n", cohort_error_text()); /* a device that has no halves */
    for (int64_t n = 1 << 10; p.opencl.s != NULL && n <= MOST_FLOATS && p.is_good; n *= 4) {
        char name[64];
        (void)snprintf(name, sizeof name, "reduce, %lld KiB", (long long)(n * 4 / 1024));
        p.is_good = side_fill(&p.opencl, numbers, n) && side_fill(&p.host, numbers, n);
        (void)turns_compare(name, "host/2", opencl_reduce, host_reduce, &p, n < 1 << 20 ? 400 : 10);
    }
    cohort_strategy_destroy(p.opencl.s);
    cohort_strategy_destroy(p.host.s);
    return p.is_good;
}

static bool compare_all(bench *t, const char *device)
{
    float *numbers = aligned_alloc(4096, 2 * MOST_FLOATS * sizeof(float));
    bool is_good = numbers != NULL;
    for (int64_t i = 0; is_good && i < 2 * MOST_FLOATS; i++)
        numbers[i] = (float)(i % 1000) / 1000;
    is_good = is_good && cohort_value_set(t->one, COHORT_ARRAY(numbers, 1)) == COHORT_OK &&
              fill(t, numbers, 1, 0);
    if (is_good) {
        (void)turns_compare("launch and wait", "by hand", cohort_launch, hand_launch, t, 1000);
        (void)turns_compare("8 launches and a wait", "by hand", cohort_row, hand_row, t, 400);
        is_good = compare_step(t, device, numbers) && compare_saxpy(t, numbers) &&
                  compare_product(t, numbers) && compare_reduce(device, numbers);
    }
    (void)cohort_wait(t->s); /* the numbers are borrowed */
    free(numbers);
    return is_good && t->is_good;
}

int main(int argc, char **argv)
{
    static const float nothing[1];
    const char *device = argc > 1 ? argv[1] : "opencl:0";
    bench t = { .s = cohort_mirrored(device), .is_good = true };
    t.one = cohort_value_split(t.s, COHORT_ARRAY(nothing, 1));
    t.z = cohort_value_create(t.s);
    bool is_good = t.z != NULL && make_functions(&t) && make_by_hand(&t) && compare_all(&t, device);
    if (!is_good)
        fprintf(stderr, "opencl: %s\n",
                cohort_error_text()[0] != '\0' ? cohort_error_text() : "the sides differ");
    if (t.cl.queue != NULL)
        free_by_hand(&t);
    cohort_strategy_destroy(t.s);
    cohort_function_destroy(t.touch);
    cohort_function_destroy(t.saxpy);
    cohort_function_destroy(t.product);
    return !is_good;
}
