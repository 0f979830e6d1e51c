/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver's own objects behind a strategy, bodies that enqueue on its queue, and bodies that are
 * looked at before their first use: wrong calls first. */
#include "config.h"

#include "cohort/opencl.h"
#include "tests/core.h"

#include <dlfcn.h>

enum { N = 64 };

static cohort_strategy *s;

COHORT_ITEMS(twice, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = 2 * x[i]; });

/* Refused, until recover, and no handle is given, also while the error is up. */
#define gives_none(status, call)                                                                   \
    (handle = &handle, refused(s, (status), (call)) && good(handle == NULL))

static void wrong_calls(void)
{
    void *handle = &handle;
    cohort_value *empty = cohort_value_create(s);
    ok(cohort_replica_handle(NULL, 0, "cl_context", &handle) == COHORT_EINVAL && handle == NULL &&
           cohort_strategy_status(s) == COHORT_OK,
       "no strategy");
    ok(refused(s, COHORT_EINVAL, cohort_replica_handle(s, 0, NULL, &handle)), "no name");
    ok(refused(s, COHORT_EINVAL, cohort_replica_handle(s, 0, "cl_context", NULL)),
       "no place for the handle");
    ok(gives_none(COHORT_EINVAL, cohort_replica_handle(s, -1, "cl_context", &handle)),
       "replica -1");
    ok(gives_none(COHORT_EINVAL, cohort_replica_handle(s, 2, "cl_context", &handle)),
       "replica 2 of 2");
    has_text(cohort_error_text(), "replica 2", "is named");
    ok(gives_none(COHORT_ENOENT, cohort_replica_handle(s, 0, "cuda_stream", &handle)),
       "no such object");
    has_text(cohort_error_text(), "cuda_stream", "is named");
    ok(gives_none(COHORT_ENOTSUP, cohort_replica_handle(s, 1, "cl_context", &handle)),
       "the host shows no objects");
    has_text(cohort_error_text(), "host:0", "and is named");
    handle = &handle;
    ok(cohort_value_handle(NULL, 0, "cl_mem", &handle) == COHORT_EINVAL && handle == NULL &&
           cohort_strategy_status(s) == COHORT_OK,
       "no value");
    ok(refused(s, COHORT_EINVAL, cohort_value_handle(empty, 0, NULL, &handle)),
       "no name of memory");
    ok(refused(s, COHORT_EINVAL, cohort_value_handle(empty, 0, "cl_mem", NULL)),
       "no place for memory");
    ok(gives_none(COHORT_EINVAL, cohort_value_handle(empty, 0, "cl_mem", &handle)),
       "a value without content");
    has_text(cohort_error_text(), "no content", "with the reason");
    ok(gives_none(COHORT_EINVAL, cohort_value_handle(empty, 7, "cl_mem", &handle)),
       "replica 7 of a value");
    (void)cohort_replica_handle(s, 2, "cl_context", &handle);
    ok(gives_none(COHORT_EINVAL, cohort_replica_handle(s, 0, "cl_context", &handle)),
       "an error that is up");
    (void)cohort_replica_handle(s, 2, "cl_context", &handle);
    ok(gives_none(COHORT_EINVAL, cohort_value_handle(empty, 0, "cl_mem", &handle)),
       "also for memory");
    cohort_value_destroy(empty);
}

static void memory(void)
{
    float x[2 * N], found[N];
    void *handle = NULL;
    cl_mem mem = NULL;
    size_t bytes = 0;
    cohort_opencl cl;
    for (int i = 0; i < 2 * N; i++)
        x[i] = (float)i;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 2 * N)), *out = cohort_value_create(s);
    ok(good(cohort_run(s, twice, in, out) == COHORT_OK) &&
           good(cohort_opencl_mem(out, 0, &mem) == COHORT_OK),
       "the memory of an output");
    ok(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) == CL_SUCCESS &&
           bytes >= sizeof found,
       "is a cl_mem");
    ok(good(cohort_opencl_of(s, 0, &cl) == COHORT_OK) &&
           clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) ==
               CL_SUCCESS &&
           found[0] == 0 && found[N - 1] == 2 * (N - 1),
       "the queue reads its complete content");
    ok(gives_none(COHORT_ENOTSUP, cohort_value_handle(out, 1, "cl_mem", &handle)),
       "that of the host is none");
    ok(gives_none(COHORT_ENOENT, cohort_value_handle(out, 0, "cl_image", &handle)),
       "nor is there a cl_image");
    cohort_value_destroy(in);
    cohort_value_destroy(out);
}

/* ---- Bodies that enqueue. */

static cohort_status fill_and_copy(cl_command_queue queue, int64_t n, float by, cl_mem x, cl_mem y,
                                   cl_mem z)
{
    size_t bytes = (size_t)n * sizeof by;
    if (by < 0)
        return COHORT_ENODEV;
    if (clEnqueueFillBuffer(queue, y, &by, sizeof by, 0, bytes, 0, NULL, NULL) != CL_SUCCESS)
        return COHORT_EINTERNAL;
    return clEnqueueCopyBuffer(queue, x, z, 0, 0, bytes, 0, NULL, NULL) == CL_SUCCESS
               ? COHORT_OK
               : COHORT_EINTERNAL;
}

static const char prototype[] = "cohort_status spread(int64_t n, float by, const float x[n], "
                                "COHORT_OUT float y[n], COHORT_OUT float z[n])";

static void enqueues(void)
{
    float x[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    cohort_function *f = cohort_function_parse(prototype, NULL, NULL);
    cohort_body body = { .format = "opencl.enqueue", .fn = (void (*)(void))fill_and_copy };
    cohort_strategy *one =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "opencl:0", .replicas = 2 });
    cohort_value *in = cohort_value_plain(one, COHORT_ARRAY(x, N)),
                 *filled = cohort_value_create(one), *copied = cohort_value_create(one);
    if (!ok(good(f != NULL) && good(cohort_function_add_body(f, &body) == COHORT_OK),
            "a body that enqueues"))
        return;
    bool is_good = good(cohort_run(one, f, 2.5f, in, filled, copied) == COHORT_OK);
    float both[2][N], twice_filled[2][N];
    is_good =
        is_good && good(cohort_value_read(copied, COHORT_ARRAY(&both[0][0], 2 * N)) == COHORT_OK) &&
        good(cohort_value_read(filled, COHORT_ARRAY(&twice_filled[0][0], 2 * N)) == COHORT_OK);
    ok(is_good && memcmp(both[0], x, sizeof x) == 0 && memcmp(both[1], x, sizeof x) == 0 &&
           twice_filled[1][5] == 2.5f,
       "runs for two replicas, in line with the rest");
    cohort_status st = cohort_run(one, f, -1.0f, in, filled, copied), waited = cohort_wait(one);
    ok(st == COHORT_ENODEV || waited == COHORT_ENODEV, "its negative verdict fails the call");
    has_text(cohort_error_text(), "spread", "which is named");
    has_text(cohort_error_text(), "opencl:0", "with the device");
    has_text(cohort_error_text(), "ENODEV", "and the verdict");
    ok(cohort_strategy_recover(one) == COHORT_OK &&
           good(cohort_run(one, f, 1.0f, in, filled, copied) == COHORT_OK) &&
           good(cohort_wait(one) == COHORT_OK),
       "and the strategy recovers");
    cohort_strategy_destroy(one);
    cohort_function_destroy(f);
}

/* CLBlast, when it is there. */
typedef int (*saxpy_fn)(size_t n, float alpha, cl_mem x, size_t x_offset, size_t x_step, cl_mem y,
                        size_t y_offset, size_t y_step, cl_command_queue *queue, cl_event *event);
static saxpy_fn clblast_saxpy;

static cohort_status saxpy_body(cl_command_queue queue, int64_t n, float a, cl_mem x, cl_mem y)
{
    return clblast_saxpy((size_t)n, a, x, 0, 1, y, 0, 1, &queue, NULL) == 0 ? COHORT_OK
                                                                            : COHORT_EINTERNAL;
}

static void clblast(void)
{
    union {
        void *symbol;
        saxpy_fn call;
    } found = { NULL };
    void *library = dlopen("libclblast.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
        found.symbol = dlsym(library, "CLBlastSaxpy");
    clblast_saxpy = found.call;
    if (clblast_saxpy == NULL) {
        skip("CLBlast's saxpy", "no libclblast.so.1");
        return;
    }
    float x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    cohort_function *f = cohort_function_parse(
        "cohort_status saxpy(int64_t n, float a, const float x[n], float y[n])", NULL, NULL);
    cohort_body body = { .format = "opencl.enqueue", .fn = (void (*)(void))saxpy_body };
    cohort_strategy *one =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "opencl:0" });
    cohort_value *in = cohort_value_plain(one, COHORT_ARRAY(x, N)),
                 *out = cohort_value_split(one, COHORT_ARRAY(y, N));
    ok(good(cohort_function_add_body(f, &body) == COHORT_OK) &&
           good(cohort_run(one, f, 2.0f, in, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(x, N)) == COHORT_OK) && x[0] == 1 &&
           x[N - 1] == 2 * (N - 1) + 1,
       "CLBlast's saxpy on the queue of the replica");
    cohort_strategy_destroy(one);
    cohort_function_destroy(f);
}

/* ---- What cohort_function_check finds out. */

COHORT_FUNCTION(misspelt, (int64_t n, float x[n]), .global = "n",
                .opencl = COHORT_SOURCE(kernel void misspelt(long n, global floot *x) {
                    x[0] = n;
                }))
{
    x[0] = (float)n;
}

COHORT_FUNCTION(wrong_type, (int64_t n, float x[n]), .global = "n",
                .opencl = COHORT_SOURCE(kernel void wrong_type(long n, global int *x) {
                    x[0] = n;
                }))
{
    x[0] = (float)n;
}

COHORT_FUNCTION(wrong_size, (int64_t n, float x[n]), .global = "m",
                .opencl = COHORT_SOURCE(kernel void wrong_size(long n, global float *x) {
                    x[0] = n;
                }))
{
    x[0] = (float)n;
}

static void checks(void)
{
    ok(cohort_function_check(misspelt, "opencl:0") == COHORT_EBUILD, "a body that does not build");
    has_text(cohort_error_text(), "opencl_handle.c", "is the caller's file");
    has_text(cohort_error_text(), "floot", "and the driver's reason");
    ok(cohort_function_check(wrong_type, "opencl:0") == COHORT_EINVAL,
       "a body with other arguments");
    has_text(cohort_error_text(), "'x'", "the argument is named");
    ok(cohort_function_check(wrong_size, "opencl:0") == COHORT_EINVAL,
       "a range of what is no integer");
    has_text(cohort_error_text(), "'m'", "it is named");
    ok(cohort_function_check(wrong_type, "host:0") == COHORT_OK, "the host takes its own body");
    ok(cohort_function_check(twice, "host:0,opencl:0") == COHORT_OK,
       "what is right is right on a list");
}

/* ---- What a launch keeps that has failed. */

static cl_uint uses_of(cohort_value *v)
{
    cl_mem mem = NULL;
    cl_uint n = 0;
    (void)good(cohort_opencl_mem(v, 0, &mem) == COHORT_OK &&
               clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL) == CL_SUCCESS);
    return n;
}

/* The first image is the value's own memory; the launch fails at the second. */
static void failed_launch(void)
{
    enum { WIDE = 1 << 21 };
    static float line[WIDE];
    static const char source[] =
        "kernel void f(read_only image1d_buffer_t x, read_only image2d_t w, global float *y)\n"
        "{ y[0] = read_imagef(x, 0).x + read_imagef(w, (int2)(0, 0)).x; }";
    cohort_function *f = cohort_function_parse(
        "void f(image1d_buffer_t x, image2d_t w, out float y[1])", NULL, NULL);
    (void)cohort_function_add_body(
        f, &(cohort_body){
               .format = "opencl.c", .data = source, .bytes = sizeof source - 1, .global = "1" });
    cohort_strategy *one = cohort_mirrored("opencl:0");
    cohort_value *x = cohort_value_plain(one, COHORT_ARRAY(line, 4)), *y = cohort_value_create(one);
    if (cohort_run(one, f, x, COHORT_ARRAY(line, 1, 4), y) == COHORT_OK &&
        cohort_wait(one) == COHORT_OK) {
        cl_uint before = uses_of(x);
        cohort_status status = cohort_run(one, f, x, COHORT_ARRAY(line, 1, WIDE), y);
        status = status < 0 ? status : cohort_wait(one);
        ok(status == COHORT_ENOTSUP, "a second image that is too wide is refused");
        (void)cohort_strategy_recover(one);
        ok(before > 0 && uses_of(x) <= before, "and nothing keeps the memory of the first one");
    } else {
        skip("what a launch keeps that has failed", cohort_error_text());
    }
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    cohort_strategy_destroy(one);
    cohort_function_destroy(f);
}

int main(void)
{
    s = cohort_strategy_create(&(cohort_strategy_options){ .devices = "opencl:0,host" });
    if (s == NULL)
        return skip_all("there is no OpenCL device");
    wrong_calls();
    checks();
    memory();
    cohort_strategy_destroy(s);
    enqueues();
    clblast();
    failed_launch();
    return tap_done();
}
