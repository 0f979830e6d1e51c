/* SPDX-License-Identifier: BSD-3-Clause */
/* Every so many-th element. The elements of other shards are passed over, not read, where the
 * input knows how; they are passed when the next element of ours is asked for, so that a shard
 * does not wait for what it will not give. */
#include "config.h"

#include "runtime/data/dataset/shard.h"

#include "runtime/base/error.h"
#include "runtime/data/dataset/selection.h"

typedef struct shard_parameters {
    int64_t shards, index;
} shard_parameters;

typedef struct shard_cursor {
    cohort_unary_cursor unary;
    int64_t before; /* elements of others that stand before the next one of ours */
} shard_cursor;

static const shard_parameters *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* ------------------------------------------------------------------ reading */

/* COHORT_END: the input ended before our next element. */
static cohort_status pass_others(shard_cursor *c)
{
    int64_t passed = 0;
    if (c->before == 0)
        return COHORT_OK;
    cohort_status status = cohort_cursor_skip(c->unary.input, c->before, &passed);
    c->before -= passed;
    (void)cohort_cursor_pass(&c->unary.head, c->unary.input, status);
    return status == COHORT_OK && c->before > 0 ? COHORT_END : status;
}

static cohort_status next_of_shard(cohort_cursor *cursor, cohort_element *out)
{
    shard_cursor *c = (shard_cursor *)cursor;
    cohort_status status = pass_others(c);
    if (status != COHORT_OK)
        return status;
    status = cohort_cursor_next(c->unary.input, out);
    if (status == COHORT_OK)
        c->before = parameters_of(cursor->dataset)->shards - 1;
    return cohort_cursor_pass(cursor, c->unary.input, status);
}

/* Passes over up to n elements of ours at once, as many as the way to them can be counted for. */
static cohort_status skip_some(shard_cursor *c, int64_t n, int64_t *out_passed, bool *out_ended)
{
    int64_t shards = parameters_of(c->unary.head.dataset)->shards, passed = 0;
    /* the way to the n-th of ours, in elements of all, must fit an int64 */
    int64_t most = (INT64_MAX - c->before - 1) / shards + 1, ours = n < most ? n : most;
    int64_t wanted = c->before + (ours - 1) * shards + 1;
    cohort_status status = cohort_cursor_skip(c->unary.input, wanted, &passed);
    *out_ended = passed < wanted;
    *out_passed = passed <= c->before ? 0 : (passed - c->before - 1) / shards + 1;
    if (*out_passed == 0)
        c->before -= passed;
    else
        c->before += (*out_passed - 1) * shards - passed + shards;
    return cohort_cursor_pass(&c->unary.head, c->unary.input, status);
}

static cohort_status skip_of_shard(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    shard_cursor *c = (shard_cursor *)cursor;
    cohort_status status = COHORT_OK;
    bool is_ended = false;
    *out_passed = 0;
    while (status == COHORT_OK && !is_ended && *out_passed < n) {
        int64_t passed = 0;
        status = skip_some(c, n - *out_passed, &passed, &is_ended);
        *out_passed += passed;
    }
    return status;
}

static cohort_status at_of_shard(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    shard_cursor *c = (shard_cursor *)cursor;
    const shard_parameters *p = parameters_of(cursor->dataset);
    int64_t place = index * p->shards + p->index;
    return cohort_cursor_pass(cursor, c->unary.input, cohort_cursor_at(c->unary.input, place, out));
}

static const cohort_cursor_kind of_shard = { .next = next_of_shard,
                                             .close = cohort_cursor_close_unary,
                                             .skip = skip_of_shard,
                                             .at = at_of_shard };

static cohort_status open_shard(const cohort_dataset *dataset, const cohort_opening *how,
                                cohort_cursor **out)
{
    if (cohort_shard_is_hint(dataset))
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_dataset_shard: COHORT_NUM_PIPELINES was not filled in; it wants the option "
            "auto_shard = COHORT_SHARD_HINT, and an input that is distributed");
    cohort_status status =
        cohort_cursor_open_unary(dataset, &of_shard, how, sizeof(shard_cursor), out);
    if (status >= 0)
        ((shard_cursor *)*out)->before = parameters_of(dataset)->index;
    return status;
}

/* ------------------------------------------------------------------ making */

static void derive_shard(cohort_dataset *dataset)
{
    const shard_parameters *p = parameters_of(dataset);
    dataset->is_lasting = dataset->inputs[0]->is_lasting;
    if (cohort_shard_is_hint(dataset)) {
        dataset->has_hint = true;
        dataset->cardinality = COHORT_UNKNOWN;
        return;
    }
    /* the first shards have one more where the elements do not divide */
    int64_t all = dataset->cardinality;
    if (all >= 0)
        dataset->cardinality = all / p->shards + (p->index < all % p->shards);
    dataset->is_indexed = dataset->inputs[0]->is_indexed;
}

static void describe_shard(const cohort_dataset *dataset, FILE *out)
{
    const shard_parameters *p = parameters_of(dataset);
    if (cohort_shard_is_hint(dataset))
        (void)fputs("of each pipeline", out);
    else
        (void)fprintf(out, "%lld of %lld", (long long)p->index, (long long)p->shards);
}

static const cohort_dataset_kind shard = {
    .name = "shard", .derive = derive_shard, .describe = describe_shard, .open = open_shard
};

bool cohort_shard_is_hint(const cohort_dataset *dataset)
{
    return dataset->kind == &shard && parameters_of(dataset)->shards == COHORT_NUM_PIPELINES;
}

static cohort_dataset *make(cohort_dataset *dataset, int64_t shards, int64_t index,
                            bool is_selection)
{
    shard_parameters p = { shards, index };
    cohort_dataset_builder node = {
        .kind = &shard, .inputs = &dataset, .n_inputs = 1, .parameters = &p, .bytes = sizeof p
    };
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_shard"))
        return NULL;
    if (shards == COHORT_NUM_PIPELINES && index != 0)
        return cohort_dataset_builder_refuse(
            &node, COHORT_EINVAL,
            "cohort_dataset_shard: index %lld with COHORT_NUM_PIPELINES; expected 0, which is "
            "filled in too",
            (long long)index);
    if (shards != COHORT_NUM_PIPELINES && shards < 1)
        return cohort_dataset_builder_refuse_number(
            &node, shards,
            "cohort_dataset_shard: %lld shards; expected 1 or more, or COHORT_NUM_PIPELINES",
            (long long)shards);
    if (shards != COHORT_NUM_PIPELINES && (index < 0 || index >= shards))
        return cohort_dataset_builder_refuse_number(
            &node, index, "cohort_dataset_shard: index %lld; expected 0 to %lld", (long long)index,
            (long long)shards - 1);
    return is_selection ? cohort_selection_make(&node, "cohort_dataset_shard")
                        : cohort_dataset_builder_make(&node);
}

cohort_dataset *cohort_dataset_shard(cohort_dataset *dataset, int64_t shards, int64_t index)
{
    return make(dataset, shards, index, true);
}

cohort_dataset *cohort_shard_of_pipeline(cohort_dataset *dataset, int64_t pipelines, int64_t index)
{
    return make(dataset, pipelines, index, false);
}
