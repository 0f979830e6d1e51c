/* SPDX-License-Identifier: BSD-3-Clause */
/* A driver whose calls fail: each call of a training step in turn, once and for good. The error
 * names what failed, the host goes on, and a strategy recovers or says why not. */
#include "config.h"

#include "tests/core.h"
#include "tests/opencl_shim.h"

enum { WIDTH = 6, ROWS = 9, REPLICAS = 4 };

COHORT_ITEMS(gradient, j, d,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float w[d],
              COHORT_OUT float g[d]),
             {
                 g[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     g[j] += x[i * d + j] * (1 + w[j]);
             });

COHORT_ITEMS(momentum, i, n, (int64_t n, float rate, const float g[n], float v[n], float w[n]), {
    v[i] = 0.9f * v[i] + g[i];
    w[i] -= rate * v[i];
});

typedef struct training {
    cohort_strategy *s;
    cohort_variable *w, *v;
    cohort_value *x, *g, *total;
} training;

static float rows[ROWS * WIDTH + 1]; /* not aligned: written to the device in each step */
static float after[3][WIDTH];

static bool training_open(training *t, const char *devices)
{
    memset(t, 0, sizeof *t);
    t->s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = REPLICAS });
    t->w = cohort_variable_create(t->s, "w", COHORT_ARRAY(rows + 1 + WIDTH, WIDTH), NULL);
    t->v = cohort_variable_create(t->s, "v", COHORT_ARRAY((float *)NULL, WIDTH),
                                  &(cohort_variable_options){ .colocate_with = t->w });
    t->x = cohort_value_split(t->s, COHORT_ARRAY(rows + 1, ROWS, WIDTH));
    t->g = cohort_value_create(t->s);
    t->total = cohort_value_create(t->s);
    return t->v != NULL && t->total != NULL && cohort_wait(t->s) == COHORT_OK;
}

static cohort_status training_step(training *t)
{
    cohort_status status = cohort_value_set(t->x, COHORT_ARRAY(rows + 1, ROWS, WIDTH)), next;
    if ((next = cohort_run(t->s, gradient, t->x, t->w, t->g)) < 0)
        status = next;
    if ((next = cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->total)) < 0)
        status = next;
    if ((next = cohort_update(t->w, momentum, 0.1f, t->total, t->v, t->w)) < 0)
        status = next;
    next = cohort_wait(t->s);
    return status < 0 ? status : next;
}

/* How many steps the variable has taken; -1 when it is in between. */
static int steps_taken(training *t)
{
    float w[WIDTH];
    if (good(cohort_variable_read(t->w, COHORT_ARRAY(w, WIDTH)) == COHORT_OK))
        for (int i = 0; i < 3; i++)
            if (memcmp(w, after[i], sizeof w) == 0)
                return i;
    return -1;
}

static bool know_weights(void)
{
    training t;
    bool is_good = training_open(&t, "host");
    for (int i = 0; i < 3 && is_good; i++)
        is_good = good(cohort_variable_read(t.w, COHORT_ARRAY(after[i], WIDTH)) == COHORT_OK) &&
                  good(training_step(&t) == COHORT_OK);
    cohort_strategy_destroy(t.s);
    return is_good;
}

typedef struct fault {
    int call;
    cl_int code;
    const char *name;
} fault;

static const fault faults[] = {
    { SHIM_clCreateBuffer, -4, "CL_MEM_OBJECT_ALLOCATION_FAILURE" },
    { SHIM_clBuildProgram, -5, "CL_OUT_OF_RESOURCES" },
    { SHIM_clCreateKernel, -6, "CL_OUT_OF_HOST_MEMORY" },
    { SHIM_clSetKernelArg, -5, "CL_OUT_OF_RESOURCES" },
    { SHIM_clEnqueueNDRangeKernel, -5, "CL_OUT_OF_RESOURCES" },
    { SHIM_clEnqueueWriteBuffer, -5, "CL_OUT_OF_RESOURCES" },
    { SHIM_clEnqueueReadBuffer, -5, "CL_OUT_OF_RESOURCES" },
    { SHIM_clEnqueueCopyBuffer, -5, "CL_OUT_OF_RESOURCES" },
    { SHIM_clFlush, -6, "CL_OUT_OF_HOST_MEMORY" },
    { SHIM_clGetEventInfo, -14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST" },
    { SHIM_clEnqueueNDRangeKernel, -2, "CL_DEVICE_NOT_AVAILABLE" },
};

/* Where a device reduces itself, it may do without: then the core does it, and the log says so. */
static bool is_left_to_core;

static void listen(void *user, int level, const char *text)
{
    (void)user;
    (void)level;
    if (strstr(text, "the kernels of reductions") != NULL)
        is_left_to_core = true;
}

static bool host_works(void)
{
    training t;
    bool is_good = good(training_open(&t, "host/2")) && good(training_step(&t) == COHORT_OK) &&
                   good(steps_taken(&t) == 1);
    cohort_strategy_destroy(t.s);
    return is_good;
}

static bool says_what_failed(const fault *f)
{
    const char *text = cohort_error_text();
    return good(strstr(text, "opencl:0") != NULL) && good(strstr(text, f->name) != NULL);
}

/* One step whose nth such call fails; *out_is_over when there are fewer. */
static bool fails_at(const char *devices, const fault *f, uint32_t nth, bool is_sticky, int is_warm,
                     bool *out_is_over)
{
    training t;
    int64_t blocks = cohort_memory_blocks();
    bool is_lost = f->code == -2;
    bool is_good =
        good(training_open(&t, devices)) && (is_warm == 0 || good(training_step(&t) == COHORT_OK));
    is_left_to_core = false;
    opencl_shim_fail(f->call, nth, f->code, is_sticky);
    cohort_status status = is_good ? training_step(&t) : COHORT_OK;
    *out_is_over = !opencl_shim_struck();
    /* The sizes of arguments are tried out when a kernel is made: only a wrong size counts
     * there. */
    is_good = is_good &&
              good(status < 0 || *out_is_over || is_left_to_core || f->call == SHIM_clSetKernelArg);
    if (is_good && status < 0)
        is_good = says_what_failed(f) && good(!is_lost || status == COHORT_ELOST) &&
                  (nth > 1 || host_works());
    opencl_shim_fail(SHIM_ANY, 0, CL_SUCCESS, false);
    if (is_good && status < 0 && is_lost) {
        is_good = good(cohort_strategy_recover(t.s) ==
                       (cohort_strategy_devices(t.s, NULL, 0) == 1 ? COHORT_ELOST : COHORT_OK));
    } else if (is_good) {
        is_good = status >= 0 || good(cohort_strategy_recover(t.s) == COHORT_OK);
        int taken = is_good ? steps_taken(&t) : -1;
        is_good = is_good && good(taken == is_warm || taken == is_warm + 1) &&
                  good(status < 0 || taken == is_warm + 1);
        if (is_good && taken < 2)
            is_good = good(training_step(&t) == COHORT_OK) && good(steps_taken(&t) == taken + 1);
    }
    cohort_strategy_destroy(t.s);
    return is_good && (is_lost || good(cohort_memory_blocks() == blocks));
}

static void every_failure(const char *devices, const fault *f)
{
    for (int i = 0; i < 2; i++) {
        bool is_good = true, is_over = false, is_warm = i == 1, is_sticky = i == 1;
        uint32_t nth = 0;
        while (is_good && !is_over && nth < 200)
            is_good = fails_at(devices, f, ++nth, is_sticky, is_warm, &is_over);
        if (!ok(is_good && is_over, "on %s %s fails at each of its %u calls that give %s", devices,
                is_warm ? "a step, at all after it too," : "the first step, once,",
                (unsigned)nth - 1, f->name))
            diag("call %d, at number %u", f->call, (unsigned)nth);
    }
}

/* One step from nothing, in which programs do not build and the driver keeps silent: the first
 * time, or each time. */
static cohort_status build_silently_fails(bool is_sticky, uint32_t *out_builds)
{
    training t;
    if (!training_open(&t, "opencl:0"))
        return COHORT_ENODEV;
    opencl_shim_fail(SHIM_clBuildProgram, 1, CL_BUILD_PROGRAM_FAILURE, is_sticky);
    cohort_status status = training_step(&t);
    *out_builds = opencl_shim_struck() ? opencl_shim_count(SHIM_clBuildProgram) : 0;
    opencl_shim_fail(SHIM_ANY, 0, CL_SUCCESS, false);
    bool is_right = status < 0 || good(steps_taken(&t) == 1);
    cohort_strategy_destroy(t.s);
    return is_right ? status : COHORT_EINTERNAL;
}

/* What PoCL does when another process fills its folder at the same time; other drivers are taken at
 * their word. */
static void silent_failures_to_build(void)
{
    uint32_t builds = 0;
    cohort_status status = build_silently_fails(true, &builds);
    bool is_pocl = strstr(cohort_error_text(), "PoCL") != NULL;
    ok(good(status == COHORT_EBUILD) && says("does not say why") &&
           good(builds == (is_pocl ? 6 : 1)),
       "a program that never builds, and nobody says why, is an error; PoCL is asked six times");
    if (is_pocl)
        ok(good(build_silently_fails(false, &builds) == COHORT_OK) && good(builds > 1),
           "once is no error");
    else
        skip("once is no error", "this driver is not PoCL");
}

int main(void)
{
    (void)setenv("COHORT_CACHE", "off", 1);
    cohort_log_set(listen, NULL, COHORT_LOG_WARNING);
    for (int i = 0; i <= ROWS * WIDTH; i++)
        rows[i] = 0.1f * (float)(i % 7 - 2);
    training t;
    if (!training_open(&t, "opencl:0"))
        return skip_all("there is no OpenCL device");
    cohort_strategy_destroy(t.s);
    if (!ok(know_weights() && host_works(), "three steps give known weights"))
        return tap_done();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        every_failure(i % 2 == 0 ? "opencl:0" : "opencl:0,host", &faults[i]);
    silent_failures_to_build();
    return tap_done();
}
