/* SPDX-License-Identifier: BSD-3-Clause */
/* Sharding rewrites the graph: nodes never change, so the nodes on the way from what is replaced
 * to the top are made anew, and all others are shared. A rewriting says for each node, from the
 * top, what stands in its place; where it says nothing the inputs are looked at. */
#include "config.h"

#include "runtime/data/dataset/auto_shard.h"

#include "runtime/data/dataset/shard.h"

#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"

/* ------------------------------------------------------------------ looking */

int64_t cohort_auto_shard_fewest_files(const cohort_dataset *dataset)
{
    int64_t fewest = dataset->kind->files != NULL ? dataset->kind->files(dataset) : -1;
    for (int32_t i = 0; i < dataset->n_inputs; i++) {
        int64_t files = cohort_auto_shard_fewest_files(dataset->inputs[i]);
        fewest = fewest < 0 || (files >= 0 && files < fewest) ? files : fewest;
    }
    return fewest;
}

/* The first source that is none of files: its rows beside, or behind, those of files cannot be
 * divided as files are; or what needs all of them. NULL: there is none. */
static const cohort_dataset *find_other_source(const cohort_dataset *dataset)
{
    const cohort_dataset *found = NULL;
    if (dataset->kind->is_whole)
        return dataset;
    if (dataset->n_inputs == 0)
        return dataset->kind->files == NULL ? dataset : NULL;
    for (int32_t i = 0; i < dataset->n_inputs && found == NULL; i++)
        found = find_other_source(dataset->inputs[i]);
    return found;
}

static void say_all_read_all(const cohort_dataset *other, int64_t files, int64_t pipelines)
{
    static const char then[] = "each reads everything and keeps its rows (COHORT_SHARD_DATA)";
    if (other != NULL)
        cohort_log(
            COHORT_SUBSYSTEM_DATA, COHORT_LOG_WARNING,
            "cohort_auto_shard: cohort_dataset_%s is no source of files; of %lld pipelines %s",
            other->kind->name, (long long)pipelines, then);
    else
        cohort_log(COHORT_SUBSYSTEM_DATA, COHORT_LOG_WARNING,
                   "cohort_auto_shard: a source has %lld files for %lld pipelines; %s",
                   (long long)files, (long long)pipelines, then);
}

cohort_auto_shard cohort_auto_shard_choose(const cohort_dataset *dataset, int64_t pipelines)
{
    if (dataset->options.auto_shard != COHORT_SHARD_AUTO)
        return dataset->options.auto_shard;
    const cohort_dataset *other = find_other_source(dataset);
    int64_t fewest = cohort_auto_shard_fewest_files(dataset);
    if (other == NULL && fewest >= pipelines)
        return COHORT_SHARD_FILE;
    if (pipelines > 1)
        say_all_read_all(other, fewest, pipelines);
    return COHORT_SHARD_DATA;
}

/* ------------------------------------------------------------------ rewriting */

typedef struct rewriting {
    /* The node to stand for this one, or NULL with a text; *out_done false: its inputs are to be
     * looked at. */
    cohort_dataset *(*replace)(const cohort_dataset *dataset, const struct rewriting *how,
                               bool *out_done);
    int64_t pipelines, index;
} rewriting;

static cohort_dataset *rewrite(const cohort_dataset *dataset, const rewriting *how);

/* The dataset that the rewriting of an input returns is in hand. with_inputs takes all of them;
 * where nothing has changed, or one failed, they are given back here. */
static cohort_dataset *rewrite_inputs(const cohort_dataset *dataset, const rewriting *how)
{
    int32_t n = dataset->n_inputs, done = 0;
    cohort_dataset **inputs = cohort_allocate((size_t)n, sizeof(cohort_dataset *));
    cohort_dataset *result = NULL;
    bool is_same = true;
    if (inputs == NULL) {
        (void)cohort_error_memory("cohort_auto_shard");
        return NULL;
    }
    for (; done < n && (inputs[done] = rewrite(dataset->inputs[done], how)) != NULL; done++)
        is_same = is_same && inputs[done] == dataset->inputs[done];
    if (done == n && !is_same)
        result = cohort_dataset_with_inputs(dataset, inputs);
    for (int32_t i = 0; (done < n || is_same) && i < done; i++)
        cohort_dataset_destroy(inputs[i]);
    cohort_free(inputs);
    return done == n && is_same ? cohort_dataset_share(cohort_memory_own(dataset)) : result;
}

static cohort_dataset *rewrite(const cohort_dataset *dataset, const rewriting *how)
{
    bool is_done = false;
    cohort_dataset *instead = how->replace(dataset, how, &is_done);
    return is_done ? instead : rewrite_inputs(dataset, how);
}

static cohort_dataset *replace_files(const cohort_dataset *dataset, const rewriting *how,
                                     bool *out_done)
{
    *out_done = dataset->kind->shard_files != NULL;
    return *out_done ? dataset->kind->shard_files(dataset, how->pipelines, how->index) : NULL;
}

/* Below the hint there may be another one, so its input is rewritten as well. */
static cohort_dataset *replace_hint(const cohort_dataset *dataset, const rewriting *how,
                                    bool *out_done)
{
    *out_done = cohort_shard_is_hint(dataset);
    if (!*out_done)
        return NULL;
    return cohort_shard_of_pipeline(rewrite(dataset->inputs[0], how), how->pipelines, how->index);
}

static cohort_dataset *rewrite_taken(cohort_dataset *dataset, const rewriting *how)
{
    cohort_dataset *result = rewrite(dataset, how);
    cohort_dataset_destroy(dataset);
    return result;
}

static cohort_status check_files(const cohort_dataset *dataset, int64_t pipelines)
{
    const cohort_dataset *other = find_other_source(dataset);
    int64_t fewest = cohort_auto_shard_fewest_files(dataset);
    if (other != NULL)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_auto_shard: COHORT_SHARD_FILE, but cohort_dataset_%s is no source of files, "
            "whose rows would not be divided as those of files are; expected files alone, or "
            "COHORT_SHARD_DATA",
            other->kind->name);
    if (fewest < pipelines)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_auto_shard: COHORT_SHARD_FILE with %lld files for %lld pipelines; expected at "
            "least one each, or COHORT_SHARD_DATA",
            (long long)fewest, (long long)pipelines);
    return COHORT_OK;
}

cohort_dataset *cohort_auto_shard_files(cohort_dataset *dataset, int64_t pipelines, int64_t index)
{
    if (pipelines == 1)
        return dataset;
    if (check_files(dataset, pipelines) >= 0)
        return rewrite_taken(dataset, &(rewriting){ replace_files, pipelines, index });
    cohort_dataset_destroy(dataset);
    return NULL;
}

cohort_dataset *cohort_auto_shard_hint(cohort_dataset *dataset, int64_t pipelines, int64_t index)
{
    return dataset->has_hint
               ? rewrite_taken(dataset, &(rewriting){ replace_hint, pipelines, index })
               : dataset;
}

/* ------------------------------------------------------------------ for looking */

/* Rows are divided at the end of the graph, but below prefetch and options: those stay the last
 * word about how it is read. */
static cohort_dataset *shard_rows(cohort_dataset *dataset, int64_t pipelines, int64_t index)
{
    if (!dataset->kind->is_quiet || dataset->n_inputs != 1)
        return cohort_shard_of_pipeline(dataset, pipelines, index);
    cohort_dataset *input = shard_rows(cohort_dataset_share(dataset->inputs[0]), pipelines, index);
    cohort_dataset *result = input != NULL ? cohort_dataset_with_inputs(dataset, &input) : NULL;
    cohort_dataset_destroy(dataset);
    return result;
}

static cohort_dataset *shard_by_policy(cohort_dataset *dataset, int64_t pipelines, int64_t index)
{
    switch (cohort_auto_shard_choose(dataset, pipelines)) {
    case COHORT_SHARD_FILE:
        return cohort_auto_shard_files(dataset, pipelines, index);
    case COHORT_SHARD_HINT:
        return cohort_auto_shard_hint(dataset, pipelines, index);
    case COHORT_SHARD_OFF:
        return dataset;
    default:
        return pipelines == 1 ? dataset : shard_rows(dataset, pipelines, index);
    }
}

cohort_dataset *cohort_dataset_auto_shard(cohort_dataset *dataset, int64_t pipelines, int64_t index)
{
    if (cohort_handle_check(dataset, COHORT_HANDLE_DATASET, "cohort_dataset_auto_shard",
                            "the dataset") < 0)
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    dataset = cohort_dataset_hand_out(cohort_dataset_claim(dataset));
    if (pipelines >= 1 && index >= 0 && index < pipelines)
        return cohort_handle_made(COHORT_HANDLE_DATASET,
                                  shard_by_policy(dataset, pipelines, index));
    if (pipelines < 1)
        (void)cohort_error_number(pipelines,
                                  "cohort_dataset_auto_shard: %lld pipelines; expected 1 or more",
                                  (long long)pipelines);
    else
        (void)cohort_error_number(index,
                                  "cohort_dataset_auto_shard: index %lld; expected 0 to %lld",
                                  (long long)index, (long long)pipelines - 1);
    cohort_dataset_destroy(dataset);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}
