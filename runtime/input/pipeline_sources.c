/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources of an input's pipeline, and how their batches are shared with other pipelines. */
#include "config.h"

#include "runtime/input/input.h"

#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/auto_shard.h"

/* The dataset that one pipeline reads under a policy. Returned in hand: without an owner until
 * cohort_dataset_claim. */
static cohort_dataset *part_of(cohort_dataset *dataset, cohort_auto_shard policy,
                               const cohort_source *part)
{
    int32_t n = part->pipelines, index = part->pipeline;
    if (policy == COHORT_SHARD_HINT)
        return cohort_auto_shard_hint(cohort_dataset_share(dataset), n, index);
    if (policy == COHORT_SHARD_FILE && n > 1)
        return cohort_auto_shard_files(cohort_dataset_share(dataset), n, index);
    return cohort_dataset_share(dataset);
}

cohort_status cohort_input_make_sources(const cohort_input *input, cohort_auto_shard policy,
                                        const cohort_source parts[], int32_t n, cohort_source **out)
{
    cohort_source *sources = cohort_source_allocate(n);
    if (sources == NULL)
        return COHORT_ENOMEM;
    for (int32_t i = 0; i < n; i++) {
        sources[i].pipelines = parts[i].pipelines;
        sources[i].pipeline = parts[i].pipeline;
        sources[i].dataset = cohort_dataset_claim(part_of(input->dataset, policy, &sources[i]));
        if (sources[i].dataset == NULL) {
            cohort_source_free(sources, n);
            return COHORT_EINVAL;
        }
    }
    *out = sources;
    return COHORT_OK;
}

cohort_manner cohort_input_manner(const cohort_input *input)
{
    bool is_alone = input->context.num_input_pipelines == 1;
    if (input->dataset == NULL)
        return COHORT_MANNER_ELEMENTS;
    return is_alone || input->policy == COHORT_SHARD_DATA ? COHORT_MANNER_SHARED
                                                          : COHORT_MANNER_OWN;
}

/* With few files for each pipeline one more is a lot: whoever has it reads half as much again as
 * the others, or more, and those have no rows at the end. Said once, by the first pipeline. */
static void say_if_uneven(const cohort_input *input)
{
    const cohort_input_context *c = &input->context;
    int64_t n = c->num_input_pipelines;
    if (input->policy != COHORT_SHARD_FILE || n == 1 || c->input_pipeline_id != 0)
        return;
    int64_t files = cohort_auto_shard_fewest_files(input->dataset), least = files / n,
            most = least + (files % n != 0);
    if (most == least || 2 * most < 3 * least)
        return;
    cohort_log(COHORT_SUBSYSTEM_INPUT, COHORT_LOG_WARNING,
               "COHORT_SHARD_FILE: of %lld files %lld of the %lld pipelines read %lld, and the "
               "others %lld; a number of files that %lld divides, or COHORT_SHARD_DATA, is even",
               (long long)files, (long long)(files % n), (long long)n, (long long)most,
               (long long)least, (long long)n);
}

/* SHARED pipelines all read the same, so that the source is one part of one; what is whose is
 * decided row by row. */
cohort_status cohort_input_plan(cohort_input *input)
{
    const cohort_input_context *c = &input->context;
    cohort_source *sources = NULL;
    input->policy = cohort_auto_shard_choose(input->dataset, c->num_input_pipelines);
    bool is_shared = cohort_input_manner(input) == COHORT_MANNER_SHARED;
    cohort_source part = { .pipelines = is_shared ? 1 : c->num_input_pipelines,
                           .pipeline = is_shared ? 0 : c->input_pipeline_id };
    cohort_status status = cohort_input_make_sources(input, input->policy, &part, 1, &sources);
    if (status < 0)
        return status;
    input->manner = cohort_input_manner(input);
    input->source_policy = input->policy;
    say_if_uneven(input);
    cohort_input_replace_sources(input, sources, 1);
    return COHORT_OK;
}

void cohort_input_replace_sources(cohort_input *input, cohort_source *sources, int32_t n)
{
    cohort_source_free(input->sources, input->n_sources);
    input->sources = sources;
    input->n_sources = n;
    input->turn = 0;
}
