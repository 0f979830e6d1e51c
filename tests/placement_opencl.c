/* SPDX-License-Identifier: BSD-3-Clause */
/* What shares memory copies nothing: a device that works in the host's memory is given the
 * program's own arrays, and what it wrote is read where it lies.
 *
 * The rule: a row-major array is used in place when its address is a multiple of the device's
 * import_align, which is CL_DEVICE_MEM_BASE_ADDR_ALIGN (128 bytes on PoCL), and a page of 4096
 * bytes at least on GPUs, which share whole pages. Any other array is written to the device once
 * for each call. */
#include "config.h"

#include "cohort/opencl.h"
#include "tests/core.h"
#include "tests/opencl_shim.h"

enum { N = 4096, ALIGN = 4096, STEPS = 10 };

COHORT_ITEMS(axpy, i, n,
             (int64_t n, float a, const float x[n], const float y[n], COHORT_OUT float z[n]),
             { z[i] = a * x[i] + y[i]; });

static cohort_strategy *s;
static float *x, *y; /* aligned */

static void count_from_now(void)
{
    opencl_shim_fail(SHIM_ANY, 0, CL_SUCCESS, false);
}

static uint32_t transfers(void)
{
    return opencl_shim_count(SHIM_clEnqueueWriteBuffer) +
           opencl_shim_count(SHIM_clEnqueueReadBuffer) +
           opencl_shim_count(SHIM_clEnqueueCopyBuffer) + opencl_shim_count(SHIM_clEnqueueMapBuffer);
}

static void *host_of(cohort_value *value)
{
    cl_mem mem = NULL;
    void *host = NULL;
    if (good(cohort_opencl_mem(value, 0, &mem) == COHORT_OK))
        (void)clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof host, &host, NULL);
    return host;
}

static bool is_right(const float *z, float a, const float *from)
{
    for (int i = 0; i < N; i++)
        if (!good(z[i] == a * from[i] + y[i]))
            return false;
    return true;
}

/* The device shares memory, and the host sees its blocks. */
static bool is_shared(void)
{
    cohort_opencl gpu;
    cl_bool is_unified = CL_FALSE;
    cl_device_svm_capabilities svm = 0;
    if (!good(cohort_opencl_of(s, 0, &gpu) == COHORT_OK))
        return false;
    (void)clGetDeviceInfo(gpu.device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof is_unified, &is_unified,
                          NULL);
    (void)clGetDeviceInfo(gpu.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    return is_unified && (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
}

static void in_place(void)
{
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, N)),
                 *other = cohort_value_plain(s, COHORT_ARRAY(y, N)), *out = cohort_value_create(s);
    float z[N];
    bool is_good = true;
    count_from_now();
    ok(cohort_run(s, axpy, 2.0f, in, other, out) == COHORT_OK,
       "a function runs on borrowed arrays");
    ok(host_of(in) == x && host_of(other) == y,
       "the device's objects of its inputs are the arrays themselves");
    ok(cohort_value_read(out, COHORT_ARRAY(z, N)) == COHORT_OK && is_right(z, 2, x),
       "the result is right");
    ok(transfers() == 0, "and nothing was transferred: %u", (unsigned)transfers());
    void *first = host_of(out);
    for (int i = 0; i < STEPS && is_good; i++) {
        x[0] = (float)i;
        is_good = good(cohort_value_set(in, COHORT_ARRAY(x, N)) == COHORT_OK) &&
                  good(cohort_run(s, axpy, (float)i, in, other, out) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(z, N)) == COHORT_OK) &&
                  is_right(z, (float)i, x);
    }
    ok(is_good && transfers() == 0, "nor in a loop, whose arrays change: %u",
       (unsigned)transfers());
    ok(first != NULL && host_of(out) == first,
       "the output stays where it is, in memory that the host sees");
    for (int i = 0; i < STEPS && is_good; i++)
        is_good = good(cohort_run(s, axpy, 1.5f, COHORT_ARRAY(x, N), COHORT_ARRAY(y, N), out) ==
                       COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(z, N)) == COHORT_OK) &&
                  is_right(z, 1.5f, x);
    ok(is_good && transfers() == 0, "nor when a call is given the arrays themselves: %u",
       (unsigned)transfers());
}

static void not_aligned(void)
{
    cohort_value *out = cohort_value_create(s), *in = cohort_value_plain(s, COHORT_ARRAY(x + 1, N));
    float z[N];
    count_from_now();
    ok(good(cohort_run(s, axpy, 2.0f, in, COHORT_ARRAY(y, N), out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(z, N)) == COHORT_OK) && is_right(z, 2, x + 1),
       "an array that is not aligned");
    ok(transfers() == 1 && opencl_shim_count(SHIM_clEnqueueWriteBuffer) == 1,
       "is written once: %u transfers", (unsigned)transfers());
    ok(host_of(in) != x + 1, "to memory of the device");
}

/* A training: gradients and variables stay on the device. */
COHORT_ITEMS(move, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

static void training(void)
{
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(y, N), NULL);
    cohort_value *g = cohort_value_create(s), *total = cohort_value_create(s),
                 *in = cohort_value_plain(s, COHORT_ARRAY(x, N));
    float found[N];
    bool is_good = true;
    for (int i = 0; i <= STEPS && is_good; i++) {
        is_good = good(cohort_run(s, axpy, 0.5f, in, w, g) == COHORT_OK) &&
                  good(cohort_reduce(COHORT_SUM, g, COHORT_NO_AXIS, total) == COHORT_OK) &&
                  good(cohort_update(w, move, 0.1f, total, w) == COHORT_OK);
        if (i == 0) { /* the variable has its content */
            is_good = is_good && good(cohort_wait(s) == COHORT_OK);
            count_from_now();
        }
    }
    ok(is_good && good(cohort_variable_read(w, COHORT_ARRAY(found, N)) == COHORT_OK), "a training");
    ok(opencl_shim_count(SHIM_clEnqueueWriteBuffer) == 0 &&
           opencl_shim_count(SHIM_clEnqueueReadBuffer) == 0,
       "neither writes nor reads; it copies %u times on the device",
       (unsigned)opencl_shim_count(SHIM_clEnqueueCopyBuffer));
    ok(opencl_shim_count(SHIM_clEnqueueCopyBuffer) <= 2 * STEPS,
       "twice a step at most: for the sum, and for the update, which may be undone");
}

int main(void)
{
    s = cohort_strategy_create(&(cohort_strategy_options){ .devices = "opencl:0" });
    if (s == NULL)
        return skip_all("there is no OpenCL device");
    if (!is_shared())
        return skip_all("the OpenCL device has memory of its own");
    x = aligned_alloc(ALIGN, (N + ALIGN / sizeof *x) * sizeof *x);
    y = aligned_alloc(ALIGN, N * sizeof *y);
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 31);
        y[i] = (float)(i % 7) / 4;
    }
    x[N] = 3;
    in_place();
    not_aligned();
    training();
    cohort_strategy_destroy(s);
    free(x);
    free(y);
    return tap_done();
}
