/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions to chosen devices, alone and in batches; what a batch moves is counted by the loopback
 * plugin. */
#include "config.h"

#include "tests/core.h"
#include "tests/dtypes.h"
#include "tests/steer.h"

enum { N = 6, MANY = 40 };

static const char *device_id(cohort_strategy *s, int device)
{
    const cohort_device *devices[8] = { NULL };
    int n = cohort_strategy_devices(s, devices, 8);
    return cohort_device_id(devices[device < n ? device : n - 1]);
}

/* Component r is r + i / 8 at place i, or absent. */
static cohort_value *make_components(cohort_strategy *s, int replicas, int64_t n, int absent)
{
    static float data[CORE_MAX_REPLICAS][2000];
    cohort_array parts[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++) {
        for (int64_t i = 0; i < n; i++)
            data[r][i] = (float)r + (float)i / 8;
        parts[r] = COHORT_ARRAY(data[r], r == absent ? 0 : n);
    }
    return cohort_value_per_replica(s, parts);
}

static bool is_mirrored(cohort_value *out, cohort_value *same)
{
    float found[N], wanted[N];
    return good(cohort_value_kind_of(out) == COHORT_MIRRORED_VALUE) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, N)) == COHORT_OK) &&
           good(cohort_value_read(same, COHORT_ARRAY(wanted, N)) == COHORT_OK) &&
           good(memcmp(found, wanted, sizeof found) == 0);
}

/* ---- One value. */

static bool destinations(cohort_strategy *s, int replicas)
{
    float zeros[3] = { 7, 8, 9 }, content[3];
    char list[256];
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(zeros, 3), NULL);
    cohort_value *x = make_components(s, replicas, N, -1), *out = cohort_value_create(s),
                 *next = cohort_value_create(s), *same = cohort_value_create(s);
    (void)snprintf(list, sizeof list, " %s ", device_id(s, 7));
    bool is_good = true;
    for (uint32_t op = next_real_op(0); op != 0 && is_good; op = next_real_op(op))
        is_good =
            good(cohort_reduce((cohort_reduce_op)op, x, COHORT_NO_AXIS, same) == COHORT_OK) &&
            good(cohort_reduce_to((cohort_reduce_op)op, x, COHORT_AT(w), out) == COHORT_OK) &&
            is_mirrored(out, same) &&
            good(cohort_reduce_to((cohort_reduce_op)op, x, COHORT_AT(x), out) == COHORT_OK) &&
            is_mirrored(out, same) &&
            good(cohort_reduce_to((cohort_reduce_op)op, x, COHORT_AT(list), next) == COHORT_OK) &&
            is_mirrored(next, same) &&
            good(cohort_reduce_to((cohort_reduce_op)op, x, COHORT_AT(next), out) == COHORT_OK) &&
            is_mirrored(out, same);
    return is_good && good(cohort_variable_read(w, COHORT_ARRAY(content, 3)) == COHORT_OK) &&
           good(memcmp(content, zeros, sizeof zeros) == 0);
}

COHORT_FUNCTION(look_at, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

COHORT_FUNCTION(count_one, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += 1;
}

/* All devices read the value, and get copies of it. */
static bool stays(cohort_strategy *s, int replicas)
{
    float count = 0;
    cohort_variable *w = cohort_variable_create(
        s, "one", COHORT_ARRAY(&count, 1),
        &(cohort_variable_options){ .placement = cohort_placement_find("central") });
    cohort_value *x = make_components(s, replicas, N, -1), *there = cohort_value_create(s),
                 *seen = cohort_value_create(s);
    return good(cohort_reduce_to(COHORT_SUM, x, COHORT_AT(device_id(s, 0)), there) == COHORT_OK) &&
           good(cohort_run(s, look_at, there, seen) == COHORT_OK) &&
           good(cohort_update_non_slot(COHORT_AT(there), count_one, w) == COHORT_OK) &&
           good(cohort_variable_read(w, COHORT_ARRAY(&count, 1)) == COHORT_OK) && good(count == 1);
}

/* A mirrored value is like any other: every replica sees it. */
static bool goes_on(cohort_strategy *s, int replicas)
{
    cohort_value *x = make_components(s, replicas, N, -1), *out = cohort_value_create(s),
                 *mean = cohort_value_create(s);
    double sum = cohort_reduce_to(COHORT_SUM, COHORT_REPEATED(2.5), COHORT_AT(x), out) == COHORT_OK
                     ? cohort_value_scalar(out)
                     : -1;
    int32_t whole[2] = { 1, 4 };
    double means[2];
    return good(sum == 2.5 * replicas) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(out), COHORT_NO_AXIS, mean) ==
                COHORT_OK) &&
           good(cohort_value_scalar(mean) == 2.5 * replicas * replicas) &&
           good(cohort_reduce_to(COHORT_SUM, COHORT_ONCE(mean), COHORT_AT(x), out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 2.5 * replicas * replicas) &&
           good(cohort_reduce_to(COHORT_MEAN, COHORT_ARRAY(whole, 2), COHORT_AT(device_id(s, 0)),
                                 out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(means, 2)) == COHORT_OK) &&
           good(means[0] == 1 && means[1] == 4);
}

static bool refuses(cohort_strategy *s, int replicas)
{
    char twice[512];
    cohort_value *x = make_components(s, replicas, N, -1), *out = cohort_value_create(s),
                 *empty = cohort_value_create(s);
    (void)snprintf(twice, sizeof twice, "%s,%s", device_id(s, 0), device_id(s, 0));
    const cohort_argument number = cohort_argument_integer_(COHORT_ARGUMENT_INT, 3);
    const cohort_argument value = cohort_argument_make_(COHORT_ARGUMENT_VALUE, x);
    const cohort_argument at[2] = { COHORT_AT(device_id(s, 0)), COHORT_AT("nowhere:0") };
    cohort_value *into[2] = { out, cohort_value_create(s) };
    return refused_for(s, "'nowhere:0' is no device of",
                       cohort_reduce_to(COHORT_SUM, x, COHORT_AT("nowhere:0"), out)) &&
           refused_for(s, "empty device id", cohort_reduce_to(COHORT_SUM, x, COHORT_AT(""), out)) &&
           refused_for(s, "twice", cohort_reduce_to(COHORT_SUM, x, COHORT_AT(twice), out)) &&
           refused_for(s, "NULL",
                       cohort_reduce_to(COHORT_SUM, x, COHORT_AT((const char *)NULL), out)) &&
           refused_for(s, "destination",
                       cohort_reduce_to(COHORT_SUM, x, COHORT_AT((cohort_value *)NULL), out)) &&
           refused_for(s, "destination",
                       cohort_reduce_to(COHORT_SUM, x, COHORT_AT((cohort_variable *)NULL), out)) &&
           refused_for(s, "nothing has written",
                       cohort_reduce_to(COHORT_SUM, x, COHORT_AT(empty), out)) &&
           refused_for(s, "COHORT_AT", cohort_reduce_to_argument(COHORT_SUM, value, number, out)) &&
           refused_for(s, "itself", cohort_reduce_to(COHORT_SUM, x, COHORT_AT(x), x)) &&
           refused_for(s, "value to fill", cohort_reduce_to(COHORT_SUM, x, COHORT_AT(x), NULL)) &&
           refused_for(s, "9 is no reduction",
                       cohort_reduce_to((cohort_reduce_op)9, x, COHORT_AT(x), out)) &&
           refused_for(
               s, "nowhere:0",
               cohort_batch_reduce_to(COHORT_SUM, 2, (cohort_value *[]){ x, x }, at, into)) &&
           refused_for(s, "result 0",
                       cohort_batch_reduce_to(COHORT_SUM, 2, (cohort_value *[]){ x, x }, at,
                                              (cohort_value *[]){ out, out })) &&
           refused_for(s, "1 values, a list is NULL",
                       cohort_batch_reduce_to(COHORT_SUM, 1, NULL, at, into)) &&
           refused_for(s, "1 values, a list is NULL",
                       cohort_batch_reduce_to(COHORT_SUM, 1, &x, NULL, into)) &&
           refused_for(s, "1 values, a list is NULL",
                       cohort_batch_reduce_to(COHORT_SUM, 1, &x, at, NULL)) &&
           good(cohort_batch_reduce_to(COHORT_SUM, -2, NULL, NULL, NULL) == COHORT_EINVAL) &&
           says("-2 values") &&
           good(cohort_batch_reduce_to(COHORT_SUM, 0, NULL, NULL, NULL) == COHORT_OK) &&
           good(cohort_value_kind_of(out) == COHORT_EMPTY_VALUE) &&
           good(cohort_strategy_status(s) == COHORT_OK);
}

/* ---- Batches: the bits of single calls, whatever is packed. */

/* Of several sizes, dtypes and replicas that are absent. */
static void make_batch(cohort_strategy *s, int replicas, cohort_value *values[MANY],
                       cohort_argument at[MANY])
{
    static int32_t whole[CORE_MAX_REPLICAS][3];
    cohort_array parts[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++) {
        whole[r][0] = r, whole[r][1] = -r, whole[r][2] = 1 << r % 20;
        parts[r] = COHORT_ARRAY(whole[r], 3);
    }
    for (int i = 0; i < MANY; i++) {
        values[i] = i % 5 == 4 ? cohort_value_per_replica(s, parts)
                               : make_components(s, replicas, 1 + i * 31 % 1999,
                                                 i % 7 == 3 && replicas > 1 ? 0 : -1);
        at[i] = i % 4 == 3 ? COHORT_AT(device_id(s, 0)) : COHORT_AT(values[0]);
    }
}

static bool is_like_single(cohort_strategy *s, cohort_reduce_op op, cohort_value *value,
                           cohort_argument at, cohort_value *batched)
{
    static double a[2000], b[2000];
    cohort_value *alone = cohort_value_create(s);
    cohort_array into = { .data = a }, other;
    bool is_good = good(cohort_reduce_to(op, value, at, alone) == COHORT_OK);
    into.rank = cohort_value_shape(alone, 0, &into.dtype, into.shape);
    other = into;
    other.data = b;
    is_good = is_good && good(cohort_value_kind_of(batched) == COHORT_MIRRORED_VALUE) &&
              good(cohort_value_read(alone, into) == COHORT_OK) &&
              good(cohort_value_read(batched, other) == COHORT_OK) &&
              good(memcmp(a, b, (size_t)(into.shape[0] * cohort_dtype_bytes(into.dtype))) == 0);
    cohort_value_destroy(alone);
    return is_good;
}

static bool batches(cohort_strategy *s, int replicas)
{
    cohort_value *values[MANY], *into[MANY];
    cohort_argument at[MANY];
    bool is_good = true;
    make_batch(s, replicas, values, at);
    for (int i = 0; i < MANY; i++)
        into[i] = cohort_value_create(s);
    for (uint32_t op = next_real_op(0); op != 0 && is_good; op = next_real_op(op)) {
        is_good =
            good(cohort_batch_reduce_to((cohort_reduce_op)op, MANY, values, at, into) == COHORT_OK);
        for (int i = 0; i < MANY && is_good; i++)
            is_good = is_like_single(s, (cohort_reduce_op)op, values[i], at[i], into[i]);
    }
    return is_good;
}

/* ---- What travels. */

static cohort_loopback_counts counts_of(const cohort_loopback *loopback)
{
    cohort_loopback_counts found;
    loopback->counts(COHORT_LOOPBACK_ANY, &found);
    return found;
}

/* What a batch reads from the devices of others, in packs of so many bytes at most. */
static bool count_reads(cohort_strategy *s, const cohort_loopback *loopback, int64_t bytes_per_pack,
                        cohort_value *const values[], const cohort_argument at[],
                        cohort_value *const into[], uint64_t *out)
{
    const cohort_communication_options packs = { .bytes_per_pack = bytes_per_pack };
    loopback->reset();
    bool is_good = good(cohort_strategy_set_communication(s, &packs) == COHORT_OK) &&
                   good(cohort_batch_reduce_to(COHORT_MEAN, MANY, values, at, into) == COHORT_OK) &&
                   good(cohort_wait(s) == COHORT_OK);
    *out = counts_of(loopback).ops[COHORT_LOOPBACK_READ];
    return is_good;
}

/* Values of 40 to 196 bytes, 4720 in all. */
static void few_transfers(const cohort_loopback *loopback)
{
    enum { THREE = 3, LARGEST = 4 * (10 + MANY - 1), ALL = 4720 };
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host,loopback/3", .replicas = 8 });
    cohort_value *values[MANY], *into[MANY];
    cohort_argument at[MANY];
    uint64_t packed = 0, all = 0, two = 0, single = 0;
    for (int i = 0; i < MANY; i++) {
        values[i] = make_components(s, 8, 10 + i, -1);
        into[i] = cohort_value_create(s);
        at[i] = COHORT_AT(device_id(s, 0));
    }
    /* from the second on everything lies where it is needed */
    ok(count_reads(s, loopback, 0, values, at, into, &packed) &&
           count_reads(s, loopback, 0, values, at, into, &packed) &&
           count_reads(s, loopback, 1, values, at, into, &single) && packed <= 3 * THREE &&
           single >= THREE * MANY,
       "%d values from three devices move as one from each, or alone", MANY);
    ok(count_reads(s, loopback, ALL, values, at, into, &all) && all == packed &&
           count_reads(s, loopback, ALL - 1, values, at, into, &two) && two > packed &&
           two <= 2 * packed && count_reads(s, loopback, LARGEST - 1, values, at, into, &two) &&
           two > 2 * packed && two < single,
       "in as many packs as their bytes want");
    diag("%llu reads packed, %llu alone", (unsigned long long)packed, (unsigned long long)single);
    bool is_good = count_reads(s, loopback, 500, values, at, into, &two);
    for (int i = 0; i < MANY && is_good; i++)
        is_good = is_like_single(s, COHORT_MEAN, values[i], at[i], into[i]);
    ok(is_good, "which have the bits of single calls");
    cohort_strategy_destroy(s);
    loopback->reset();
}

/* ---- A copy that fails is a part of the call: the value is what all its copies are. */

static cohort_status fill_both(cohort_strategy *s, bool is_broadcast, cohort_value *x,
                               cohort_value *out)
{
    const cohort_argument at = COHORT_AT("loopback:0.0,loopback:0.1");
    cohort_status status = is_broadcast ? cohort_broadcast(s, x, at, out)
                                        : cohort_reduce_to(COHORT_SUM, COHORT_REPEATED(x), at, out);
    return status < 0 ? status : cohort_wait(s);
}

/* The nth operation of the second part fails. *out_is_over: there are fewer. */
static bool loses_value(const cohort_loopback *loopback, bool is_broadcast, uint32_t nth,
                        bool *out_is_over)
{
    float old[3] = { 1, 2, 3 }, new[3] = { 4, 5, 6 }, found[3] = { 0 };
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host,loopback/2", .replicas = 3 });
    cohort_value *x = cohort_value_plain(s, COHORT_ARRAY(old, 3)), *out = cohort_value_create(s);
    bool is_good = good(fill_both(s, is_broadcast, x, out) == COHORT_OK) &&
                   good(cohort_value_set(x, COHORT_ARRAY(new, 3)) == COHORT_OK) &&
                   good(cohort_wait(s) == COHORT_OK);
    (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, 1, COHORT_LOOPBACK_ANY, nth, 0);
    cohort_status status = fill_both(s, is_broadcast, x, out);
    loopback->reset();
    *out_is_over = status >= 0;
    is_good = is_good && good(cohort_strategy_recover(s) == COHORT_OK);
    if (status < 0)
        is_good =
            is_good &&
            refused_for(s, "write it again", cohort_value_read(out, COHORT_ARRAY(found, 3))) &&
            good(fill_both(s, is_broadcast, x, out) == COHORT_OK);
    is_good = is_good && good(cohort_value_read(out, COHORT_ARRAY(found, 3)) == COHORT_OK) &&
              good(found[0] == (is_broadcast ? 4 : 12) && found[2] == (is_broadcast ? 6 : 18));
    cohort_strategy_destroy(s);
    return is_good;
}

/* The second copy is late, and fails: a read that had not waited for it would hand out what is lost
 * afterwards. */
static void late_copy(const cohort_loopback *loopback)
{
    float x[3] = { 1, 2, 3 }, found[3];
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host,loopback/2", .replicas = 3 });
    cohort_value *out = cohort_value_create(s);
    (void)loopback->rule(&(cohort_loopback_rule){ .part = 1,
                                                  .op = COHORT_LOOPBACK_ALLOC,
                                                  .nth = 1,
                                                  .action = COHORT_LOOPBACK_DELAY,
                                                  .delay_ns = 200000000 });
    (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, 1, COHORT_LOOPBACK_WRITE, 1, 1);
    bool is_good = good(cohort_broadcast(s, COHORT_ARRAY(x, 3), COHORT_AT("host:0,loopback:0.1"),
                                         out) == COHORT_OK);
    cohort_status read = cohort_value_read(out, COHORT_ARRAY(found, 3));
    loopback->reset();
    ok(is_good && good(read == COHORT_EINTERNAL) && good(cohort_strategy_recover(s) == COHORT_OK) &&
           refused_for(s, "write it again", cohort_value_read(out, COHORT_ARRAY(found, 3))),
       "who reads such a value waits for all its copies");
    cohort_strategy_destroy(s);
}

static void failed_copies(const cohort_loopback *loopback)
{
    for (int i = 0; i < 2; i++) {
        bool is_over = false, is_good = true;
        uint32_t nth = 0;
        while (is_good && !is_over && nth < 20)
            is_good = loses_value(loopback, i == 0, ++nth, &is_over);
        ok(is_good && is_over && nth > 1,
           "a value that %s to two devices is lost where the second fails, %d times",
           i == 0 ? "goes" : "is reduced", (int)nth - 1);
    }
}

COHORT_FUNCTION(look, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

/* Bytes that move when all replicas read a value that is mirrored there. */
static uint64_t bytes_to_read(cohort_strategy *s, const cohort_loopback *loopback,
                              cohort_argument at)
{
    cohort_value *x = make_components(s, 6, N, -1), *out = cohort_value_create(s),
                 *y = cohort_value_create(s);
    bool is_good = good(cohort_reduce_to(COHORT_SUM, x, at, out) == COHORT_OK) &&
                   good(cohort_wait(s) == COHORT_OK);
    loopback->reset();
    is_good = is_good && good(cohort_run(s, look, out, y) == COHORT_OK) &&
              good(cohort_wait(s) == COHORT_OK);
    cohort_loopback_counts counts = counts_of(loopback);
    return is_good ? counts.bytes_in + counts.bytes_out + counts.bytes_inside : UINT64_MAX;
}

static void lies_there(const cohort_loopback *loopback)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "loopback/3", .replicas = 6 });
    char two[64];
    (void)snprintf(two, sizeof two, "%s,%s", device_id(s, 2), device_id(s, 0));
    cohort_value *everywhere = make_components(s, 6, 1, -1);
    uint64_t bytes[3] = { bytes_to_read(s, loopback, COHORT_AT(everywhere)),
                          bytes_to_read(s, loopback, COHORT_AT(two)),
                          bytes_to_read(s, loopback, COHORT_AT(device_id(s, 1))) };
    ok(bytes[0] == 0 && bytes[1] == 2 * N * sizeof(float) && bytes[2] == 4 * N * sizeof(float),
       "a mirrored value lies on the devices of its destination, and on no other");
    diag("%llu, %llu and %llu bytes moved", (unsigned long long)bytes[0],
         (unsigned long long)bytes[1], (unsigned long long)bytes[2]);
    cohort_strategy_destroy(s);
    loopback->reset();
}

/* What fails on the way leaves values that say so, and after recover everything works. */
static void fails_packed(const cohort_loopback *loopback)
{
    bool is_good = true;
    for (uint32_t nth = 1; nth < 12 && is_good; nth++) {
        cohort_strategy *s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = "host,loopback/3", .replicas = 8 });
        cohort_value *values[2] = { make_components(s, 8, N, -1), make_components(s, 8, N, -1) };
        cohort_value *into[2] = { cohort_value_create(s), cohort_value_create(s) },
                     *same = cohort_value_create(s);
        const cohort_argument at[2] = { COHORT_AT(values[0]), COHORT_AT(values[0]) };
        loopback->reset();
        (void)loopback->rule(&(cohort_loopback_rule){ .part = COHORT_LOOPBACK_ANY,
                                                      .op = COHORT_LOOPBACK_ANY,
                                                      .nth = 2 * nth,
                                                      .action = COHORT_LOOPBACK_FAIL,
                                                      .status = COHORT_ENODEV });
        (void)cohort_batch_reduce_to(COHORT_SUM, 2, values, at, into);
        is_good =
            good(cohort_wait(s) == COHORT_ENODEV) && good(cohort_strategy_recover(s) == COHORT_OK);
        loopback->reset();
        is_good = is_good &&
                  good(cohort_batch_reduce_to(COHORT_SUM, 2, values, at, into) == COHORT_OK) &&
                  good(cohort_reduce(COHORT_SUM, values[1], COHORT_NO_AXIS, same) == COHORT_OK) &&
                  is_mirrored(into[0], same) && is_mirrored(into[1], same);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "an operation that fails fails the batch, until recover");
}

int main(void)
{
    (void)core_warm();
    const cohort_loopback *loopback = steer();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        core_everywhere(refuses, "wrong destinations are refused, and nothing has changed");
        core_everywhere(destinations, "a variable, a value and device ids are destinations");
        core_everywhere(stays, "a value lies where it was put, whoever has read it since");
        core_everywhere(goes_on,
                        "a mirrored value is combined again, and means of integers go there too");
        core_everywhere(batches, "a batch has the bits of single calls");
        if (i == 0) {
            few_transfers(loopback);
            failed_copies(loopback);
            late_copy(loopback);
            lies_there(loopback);
            fails_packed(loopback);
            warm = core_live_now();
        }
    }
    core_no_leak(warm);
    return tap_done();
}
