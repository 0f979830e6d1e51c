/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a dataset: they stand in its node, and its elements are those of the input, whose
 * cursor is opened in its place. Options hold for all that is made from the node, until another
 * one brings its own (dataset.c). */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"

#include <math.h>

static cohort_status open_options(const cohort_dataset *dataset, const cohort_opening *how,
                                  cohort_cursor **out)
{
    return cohort_cursor_open(dataset->inputs[0], how, out);
}

/* All that elements are is as in the input; its cursor is the input's. */
static void derive_options(cohort_dataset *dataset)
{
    dataset->is_indexed = dataset->inputs[0]->is_indexed;
    dataset->is_lasting = dataset->inputs[0]->is_lasting;
    dataset->is_lent = dataset->inputs[0]->is_lent;
}

static void describe_options(const cohort_dataset *dataset, FILE *out)
{
    const cohort_dataset_options *o = &dataset->options;
    static const char *const splits[] = { "fill", "balanced", "ceil" };
    const char *shards = o->auto_shard == COHORT_SHARD_OFF    ? "off"
                         : o->auto_shard == COHORT_SHARD_FILE ? "file"
                         : o->auto_shard == COHORT_SHARD_DATA ? "data"
                         : o->auto_shard == COHORT_SHARD_HINT ? "hint"
                                                              : "auto";
    (void)fprintf(out, "auto_shard %s, split %s", shards, splits[o->split]);
    if (o->n_weights > 0)
        (void)fprintf(out, ", %d weights", o->n_weights);
    if (o->global_batch > 0)
        (void)fprintf(out, ", global_batch %lld", (long long)o->global_batch);
}

static const cohort_dataset_kind options_kind = { .name = "with_options",
                                                  .derive = derive_options,
                                                  .describe = describe_options,
                                                  .open = open_options,
                                                  .is_quiet = true,
                                                  .keeps_elements = true };

/* Weights say how rows are divided over replicas: shares of 0 are fine, as long as somebody gets
 * something. */
static cohort_status check_weights(const cohort_dataset_options *o)
{
    double most = 0;
    if (o->n_weights < 0 || o->n_weights > COHORT_LIMIT_REPLICAS ||
        (o->weights == NULL) != (o->n_weights == 0))
        return cohort_error_set(
            COHORT_EINVAL, "cohort_dataset_with_options: %d weights%s; expected 0 to %d",
            o->n_weights, o->weights == NULL ? " at NULL" : "", COHORT_LIMIT_REPLICAS);
    for (int32_t i = 0; i < o->n_weights; i++) {
        if (!isfinite(o->weights[i]) || o->weights[i] < 0)
            return cohort_error_set(
                COHORT_EINVAL,
                "cohort_dataset_with_options: weight %d is %g; expected a number from 0 on", i,
                o->weights[i]);
        most = o->weights[i] > most ? o->weights[i] : most;
    }
    if (o->n_weights > 0 && most <= 0)
        return cohort_error_set(
            COHORT_EINVAL, "cohort_dataset_with_options: all %d weights are 0; expected some above",
            o->n_weights);
    return COHORT_OK;
}

static cohort_status check_options(const cohort_dataset_options *o)
{
    if (o == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_dataset_with_options: the options are NULL");
    if ((int)o->auto_shard < COHORT_SHARD_OFF || (int)o->auto_shard > COHORT_SHARD_HINT)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_dataset_with_options: auto_shard is %d; expected one of cohort_auto_shard",
            (int)o->auto_shard);
    if ((int)o->split < COHORT_SPLIT_FILL || (int)o->split > COHORT_SPLIT_CEIL)
        return cohort_error_set(
            COHORT_EINVAL, "cohort_dataset_with_options: split is %d; expected one of cohort_split",
            (int)o->split);
    if (o->global_batch < 0)
        return cohort_error_number(
            o->global_batch,
            "cohort_dataset_with_options: a global batch of %lld rows; expected 0 or more",
            (long long)o->global_batch);
    /* set members of a later version would be silently ignored */
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; i++)
        if (o->reserved[i] != NULL)
            return cohort_error_set(
                COHORT_EINVAL,
                "cohort_dataset_with_options: reserved[%zu] is not NULL; expected all zero", i);
    return check_weights(o);
}

cohort_dataset *cohort_dataset_with_options(cohort_dataset *dataset,
                                            const cohort_dataset_options *options)
{
    cohort_dataset_builder node = {
        .kind = &options_kind, .inputs = &dataset, .n_inputs = 1, .options = options
    };
    if (!cohort_dataset_builder_begin(&node, "cohort_dataset_with_options"))
        return NULL;
    if (check_options(options) < 0)
        return cohort_dataset_builder_give_up(&node);
    return cohort_dataset_builder_make(&node);
}
