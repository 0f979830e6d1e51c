/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/program/condition.h"

#include "runtime/base/array.h"
#include "runtime/base/dtype.h"
#include "runtime/base/memory.h"
#include "runtime/value/agreement.h"
#include "runtime/value/operand.h"
#include "runtime/value/value.h"

#include <math.h>
#include <string.h>

static const char when_call[] = "cohort_program_when";

enum { NUMBER_BYTES = 8 }; /* of any real dtype */

/* ------------------------------------------------------------------ what is wrong with it */

static int32_t n_numbers(const cohort_value *value)
{
    return value->kind == COHORT_PER_REPLICA_VALUE ? value->strategy->n_replicas : 1;
}

/* "replica 3 has ", or of a plain value "it is ". */
static const char *whose(const cohort_value *value, int32_t replica, char out[64])
{
    if (value->kind == COHORT_PER_REPLICA_VALUE)
        (void)snprintf(out, 64, "replica %d has ",
                       cohort_strategy_replica_id(value->strategy, replica));
    else
        (void)snprintf(out, 64, "it is ");
    return out;
}

static cohort_status refuse_content(const cohort_value *value, int32_t replica,
                                    const cohort_content *c)
{
    char who[64], shape[128];
    return cohort_error_set(
        COHORT_EINVAL, "%s%s; a condition is one real number", whose(value, replica, who),
        cohort_shape_to_string(c->dtype, c->extents.rank, c->extents.shape, shape));
}

static cohort_status check_content(const cohort_value *value, int32_t replica)
{
    const cohort_content *c = cohort_value_content(value, replica);
    char who[64];
    switch (c->state) {
    case COHORT_CONTENT_EMPTY:
        return cohort_error_set(COHORT_EINVAL, "nothing has written it");
    case COHORT_CONTENT_LOST:
        return cohort_error_set(COHORT_EINVAL,
                                "the call that was to write it failed; write it again");
    case COHORT_CONTENT_ABSENT:
        return cohort_error_set(
            COHORT_EINVAL,
            "%snothing, for it has no rows; cohort_reduce makes one number of what the others have",
            whose(value, replica, who));
    default:
        return cohort_dtype_is_real(c->dtype) && c->item_bytes <= NUMBER_BYTES &&
                       cohort_content_items(c) == 1
                   ? COHORT_OK
                   : refuse_content(value, replica, c);
    }
}

static cohort_status check_contents(const cohort_value *value)
{
    cohort_status status = value->kind != COHORT_EMPTY_VALUE
                               ? COHORT_OK
                               : cohort_error_set(COHORT_EINVAL, "nothing has written it");
    for (int32_t r = 0; r < n_numbers(value) && status >= 0; r++)
        status = check_content(value, r);
    return status;
}

/* ------------------------------------------------------------------ what it says */

static cohort_status check_number(const cohort_value *value, int32_t replica, double number)
{
    char who[64];
    return isfinite(number)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s%g; a condition is finite, for whether it is can be asked "
                                  "before (isfinite in a body)",
                                  whose(value, replica, who), number);
}

static cohort_status compare(const cohort_value *value, int32_t replica, double number,
                             double first)
{
    const cohort_strategy *s = value->strategy;
    if (number == first)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "replica %d has %.17g, and replica %d %.17g; all replicas go the same way, so give it a "
        "value that cohort_reduce has made",
        cohort_strategy_replica_id(s, 0), first, cohort_strategy_replica_id(s, replica), number);
}

/* All contents are numbers of one dtype each, which are looked at one behind the other. */
static cohort_status read_numbers(const cohort_condition *c, double *out)
{
    cohort_value *value = c->value;
    const cohort_content *content = cohort_value_content(value, 0);
    const int32_t n = n_numbers(value);
    const cohort_array into = { .data = c->numbers,
                                .dtype = content->dtype,
                                .rank = 1,
                                .shape = { n },
                                .item_bytes = content->item_bytes };
    cohort_status status = cohort_value_read_whole(value, &into, when_call);
    if (status >= 0)
        *out = cohort_dtype_load_real(content->dtype, c->numbers, 0);
    for (int32_t r = 0; r < n && status >= 0; r++) {
        const double number = cohort_dtype_load_real(content->dtype, c->numbers, r);
        status = check_number(value, r, number);
        if (status >= 0)
            status = compare(value, r, number, *out);
    }
    return status;
}

/* A worker that has found something wrong meets nobody: it tells the others as its call ends. */
static cohort_status compare_workers(cohort_workers *w, double number)
{
    cohort_status status = cohort_workers_meet(w, when_call, &number, sizeof number);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        double theirs;
        memcpy(&theirs, cohort_workers_note(w, i), sizeof theirs);
        if (theirs != number)
            status =
                cohort_error_set(COHORT_EINVAL,
                                 "worker %d has %.17g, and worker %d %.17g; all workers go "
                                 "the same way, so give it a value that cohort_reduce has made",
                                 i, theirs, w->rank, number);
    }
    return status;
}

static cohort_status decide(cohort_condition *c)
{
    cohort_workers *workers = c->value->strategy->workers;
    double number = 0;
    cohort_status status = read_numbers(c, &number);
    if (status >= 0 && workers != NULL)
        status = compare_workers(workers, number);
    if (status < 0)
        return status;
    c->block.is_true = number != 0;
    c->block.asked++;
    c->block.true_times += c->block.is_true;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the recorded call */

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    cohort_condition *c = cohort_memory_own(request);
    cohort_status status = check_contents(c->value);
    if (status >= 0 && !strategy->is_trial)
        status = decide(c);
    return status < 0
               ? cohort_error_prefix(status, "its value%s%s", c->block.site != NULL ? " at " : "",
                                     c->block.site != NULL ? c->block.site : "")
               : COHORT_OK;
}

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    cohort_condition *c = request;
    cohort_status status = cohort_operand_keep_value(recorder, call, c->value, "the value");
    if (status >= 0)
        status = cohort_program_block_keep(recorder, &c->block);
    if (status < 0)
        return status;
    c->numbers =
        cohort_arena_take(recorder->arena, (size_t)recorder->strategy->n_replicas, NUMBER_BYTES);
    return c->numbers != NULL ? COHORT_OK : cohort_error_memory("a recorded call");
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const cohort_program_block *b = request;
    (void)strategy;
    (void)fprintf(out, "its value%s%s is not 0, as %lld of %lld times",
                  b->site != NULL ? " at " : "", b->site != NULL ? b->site : "",
                  (long long)b->true_times, (long long)b->asked);
}

static void agree(cohort_strategy *strategy, const void *request)
{
    const cohort_condition *c = request;
    const cohort_argument x = { .kind = COHORT_ARGUMENT_VALUE, .as.p = c->value };
    cohort_agreement_note(strategy, cohort_agreement_add(0, &x), when_call, NULL, c->block.site);
}

const cohort_recordable cohort_condition_recordable = { .bytes = sizeof(cohort_condition),
                                                        .keep = keep,
                                                        .run = run,
                                                        .describe = describe,
                                                        .agree = agree };
