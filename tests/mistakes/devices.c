/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with strategies, devices and scopes, and devices that fail. */
#include "config.h"

#include "tests/mistakes/mistakes.h"
#include "tests/steer.h"

enum { N = 8 };
static float x[N] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[N];

COHORT_FUNCTION(twice, (int64_t n, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= 2;
}

COHORT_ITEMS(grow, i, n, (int64_t n, float x[n]), { x[i] += 1; });

/* Few programs look whether their strategy was made; there is none then that the error could stay
 * on. */
static cohort_status train_on(cohort_strategy *strategy)
{
    s = strategy;
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    for (int step = 0; step < 3; step++)
        cohort_run(s, grow, xs);
    return cohort_value_read(xs, COHORT_ARRAY(y, N));
}

static cohort_status unknown_device(bool is_wrong)
{
    return train_on(cohort_mirrored(is_wrong ? "gpu:0" : "host:0"));
}

static cohort_status unknown_strategy(bool is_wrong)
{
    return train_on(cohort_strategy_create(&(cohort_strategy_options){
        .name = is_wrong ? "mirored" : "mirrored", .devices = "host" }));
}

static cohort_status one_device_of_two(bool is_wrong)
{
    return train_on(cohort_one_device(is_wrong ? "host/2" : "host"));
}

static cohort_status fewer_replicas_than_devices(bool is_wrong)
{
    return train_on(cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .replicas = is_wrong ? 1 : 2 }));
}

static cohort_status hosted_in_another_sum(bool is_wrong)
{
    return train_on(cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2",
                                    .replicas = 4,
                                    .n_hosted = 2,
                                    .hosted = (int32_t[]){ 1, is_wrong ? 2 : 3 } }));
}

static cohort_status wait_for_no_strategy(bool is_wrong)
{
    s = cohort_mirrored(is_wrong ? "host,gpu:0" : "host");
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(x, N), NULL);
    cohort_update(w, grow, w);
    return cohort_wait(s);
}

static cohort_status look_at_no_strategy(bool is_wrong)
{
    s = cohort_mirrored(is_wrong ? "host/x" : "host/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *sum = cohort_value_create(s);
    cohort_run(s, twice, xs);
    cohort_reduce(COHORT_SUM, xs, 0, sum);
    return mistaken_number(cohort_value_scalar(sum));
}

/* ---- Scopes. */

static cohort_status write_in_a_strange_scope(bool is_wrong)
{
    s = cohort_mirrored("host/2"), other = cohort_mirrored("host");
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(x, N), NULL);
    cohort_strategy *in = is_wrong ? other : s;
    cohort_scope_enter(in);
    cohort_variable_assign(w, 0);
    cohort_scope_exit(in);
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status read_in_a_strange_scope(bool is_wrong)
{
    s = cohort_mirrored("host/2"), other = cohort_mirrored("host");
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(x, N), NULL);
    cohort_strategy *in = is_wrong ? other : s;
    cohort_scope_enter(in);
    cohort_variable_read(w, COHORT_ARRAY(y, N));
    cohort_scope_exit(in);
    return cohort_wait(s);
}

static cohort_status two_scopes(bool is_wrong)
{
    s = cohort_mirrored("host/2"), other = cohort_mirrored("host");
    cohort_scope_enter(s);
    if (!is_wrong)
        cohort_scope_exit(s);
    cohort_scope_enter(other);
    cohort_value *xs = cohort_value_split(other, COHORT_ARRAY(x, N));
    cohort_run(other, twice, xs);
    return cohort_wait(other);
}

static cohort_variable *of_another;

static cohort_status write_another(cohort_replica *me, void *is_wrong)
{
    if (cohort_replica_id(me) == 0 && *(bool *)is_wrong)
        cohort_variable_assign(of_another, 0);
    return COHORT_OK;
}

static cohort_status write_in_a_strange_step(bool is_wrong)
{
    s = cohort_mirrored("host/2"), other = cohort_mirrored("host");
    of_another = cohort_variable_create(other, "w", COHORT_ARRAY(x, N), NULL);
    cohort_for_each_replica(s, write_another, &is_wrong);
    return cohort_wait(s);
}

/* ---- Devices that fail. */

/* The plugin under test, whose first part fails once at this operation. NULL: it is not there. */
static const cohort_loopback *failing(const cohort_loopback *plugin, uint32_t op, bool is_wrong)
{
    if (plugin == NULL)
        (void)cohort_error_set(COHORT_ENODEV, "there is no such plugin");
    else if (is_wrong)
        (void)steer_rule(plugin, COHORT_LOOPBACK_FAIL, 0, op, 1, 0);
    return plugin;
}

static cohort_status launch_that_fails(bool is_wrong)
{
    if (failing(steer(), COHORT_LOOPBACK_LAUNCH, is_wrong) == NULL)
        return MISTAKE_CANNOT;
    return train_on(cohort_mirrored("loopback,host"));
}

static cohort_status queued_launch_that_fails(bool is_wrong)
{
    if (failing(steer_stream(), COHORT_LOOPBACK_LAUNCH, is_wrong) == NULL)
        return MISTAKE_CANNOT;
    return train_on(cohort_mirrored("stream/2"));
}

static cohort_status write_that_fails(bool is_wrong)
{
    if (failing(steer(), COHORT_LOOPBACK_WRITE, is_wrong) == NULL)
        return MISTAKE_CANNOT;
    return train_on(cohort_mirrored("loopback/2"));
}

static cohort_status device_without_memory(bool is_wrong)
{
    if (failing(steer(), COHORT_LOOPBACK_ALLOC, is_wrong) == NULL)
        return MISTAKE_CANNOT;
    return train_on(cohort_mirrored("loopback/2"));
}

static cohort_status device_that_is_lost(bool is_wrong)
{
    const cohort_loopback *plugin = failing(steer(), 0, false);
    if (plugin == NULL)
        return MISTAKE_CANNOT;
    s = cohort_mirrored("loopback/2");
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    if (is_wrong)
        plugin->lose(1);
    cohort_run(s, grow, xs);
    cohort_run(s, grow, xs);
    return cohort_wait(s);
}

static cohort_status no_body_for_the_device(bool is_wrong)
{
    cohort_function *f = cohort_function_parse("void grow(int64_t n, float x[n])", NULL, NULL);
    cohort_function_add_body(
        f, is_wrong ? &(cohort_body){ .format = "opencl.c", .data = "kernel void grow() {}" }
                    : &(cohort_body){ .format = "native.fn", .fn = (void (*)(void))twice_host });
    s = cohort_mirrored("host");
    cohort_run(s, f, cohort_value_split(s, COHORT_ARRAY(x, N)));
    cohort_status status = cohort_wait(s);
    cohort_function_destroy(f);
    return status;
}

COHORT_FUNCTION(wrong_kernel, (int64_t n, float x[n]), .global = "n",
                .opencl = COHORT_SOURCE(kernel void wrong_kernel(long n, global float *x) {
                    x[get_global_id(0)] += ;
                }))
{
    twice_host(n, x);
}

COHORT_FUNCTION(right_kernel, (int64_t n, float x[n]), .global = "n",
                .opencl = COHORT_SOURCE(kernel void right_kernel(long n, global float *x) {
                    x[get_global_id(0)] *= 2;
                }))
{
    twice_host(n, x);
}

static cohort_status kernel_that_does_not_compile(bool is_wrong)
{
    s = cohort_mirrored("opencl:0");
    if (s == NULL)
        return MISTAKE_CANNOT;
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N));
    cohort_run(s, is_wrong ? wrong_kernel : right_kernel, xs);
    return cohort_value_read(xs, COHORT_ARRAY(y, N));
}

const mistaken_program mistaken_devices[] = {
    MISTAKE(unknown_device, "because of an earlier error: no device 'gpu:0'; have host:0"),
    MISTAKE(unknown_strategy, "because of an earlier error: strategy: no strategy 'mirored'; "
                              "mirrored, central, one-device"),
    MISTAKE(one_device_of_two, "because of an earlier error: one device: 'host/2' names 2 devices"),
    MISTAKE(fewer_replicas_than_devices, "because of an earlier error: strategy: 1 replica on 2 "
                                         "devices; name fewer devices, ask for more replicas"),
    MISTAKE(hosted_in_another_sum,
            "because of an earlier error: strategy: hosted[] sums to 3, but there are 4 replicas"),
    MISTAKE(wait_for_no_strategy, "because of an earlier error: no device 'gpu:0'; have host:0"),
    MISTAKE(look_at_no_strategy,
            "because of an earlier error: device 'host/x': expected NAME, NAME:INDEX, NAME/PARTS"),
    MISTAKE(write_in_a_strange_scope,
            "cohort_variable_assign: called for another strategy than the "
            "one in scope on this thread: mixing"),
    MISTAKE(read_in_a_strange_scope,
            "cohort_variable_read: called for another strategy than the one "
            "in scope on this thread: mixing strategies"),
    MISTAKE(two_scopes, "cohort_scope_enter: mixing strategies: another one is in scope on this "
                        "thread; leave that first"),
    MISTAKE(write_in_a_strange_step, "step function write_another|: replica 0 on host:0.0: "
                                     "cohort_variable_assign: called for another"),
    MISTAKE(launch_that_fails,
            "grow, replica 0 on loopback:0 (|): loopback:0: launch: loopback was "
            "told to fail LAUNCH (-1)"),
    MISTAKE(queued_launch_that_fails,
            "grow, replica 0 on stream:0.0 (|): stream:0.0: launch: stream "
            "was told to fail LAUNCH (-1)"),
    MISTAKE(write_that_fails, "loopback:0.0: write: loopback was told to fail WRITE (-1)"),
    MISTAKE(device_without_memory,
            "loopback:0.0: allocate memory: loopback was told to fail ALLOC (-1) (16 bytes)"),
    MISTAKE(device_that_is_lost,
            "loopback:0.1: allocate memory: loopback was told to be lost (-1) (16 bytes)"),
    MISTAKE(no_body_for_the_device,
            "grow: no body for host:0: it takes native.fn, the function has opencl.c"),
    MISTAKE(kernel_that_does_not_compile, "wrong_kernel"),
    { NULL, NULL, NULL },
};
