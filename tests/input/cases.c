/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/input/cases.h"

static cohort_dataset *make_case(const cohort_input_context *context, void *user)
{
    return dataset_of(user, context->num_input_pipelines, context->input_pipeline_id);
}

cohort_input *input_of(const input_case *it, cohort_strategy *s, int worker)
{
    cohort_input_options options = {
        .replication_mode = it->by == BY_REPLICA ? COHORT_PER_REPLICA : COHORT_PER_WORKER,
        .pipeline = { it->workers, worker, it->workers * it->replicas }
    };
    void *text = (void *)(uintptr_t)it->dataset;
    cohort_input *input = NULL;
    if (it->by == BY_FUNCTION || it->by == BY_REPLICA)
        return cohort_distribute_datasets_from_function_with(s, make_case, text, &options);
    if (it->by == BY_DATASET)
        return cohort_distribute_dataset_with(s, dataset_of(it->dataset, it->workers, worker),
                                              &options);
    input = cohort_make_dataset_iterator(s, dataset_of(it->dataset, 1, 0));
    (void)cohort_input_initialize(input);
    return input;
}

/* "!": an error whose text has the words; all of them, whatever was given before. */
static bool fits(const char *found, const char *wanted)
{
    char word[100];
    if (wanted[0] != '!')
        return is_line(found, wanted);
    for (const char *at = wanted + 1; at != NULL;
         at = strchr(at, ';') != NULL ? strchr(at, ';') + 1 : NULL) {
        (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ";"), at);
        if (strchr(found, '!') == NULL || strstr(strchr(found, '!'), word) == NULL)
            return is_line(found, wanted);
    }
    return true;
}

/* As many steps as the text has, or it is not known. */
static bool counts_steps(const char *text, const cohort_input *input)
{
    int64_t steps = text[0] != '\0';
    for (const char *at = text; *at != '\0'; at++)
        steps += *at == ' ';
    int64_t found = cohort_input_cardinality(input);
    return good(found == steps || found == COHORT_UNKNOWN);
}

static bool is_right(const input_case *it, const char *devices, int worker)
{
    cohort_strategy *s = open_on(devices, it->replicas);
    cohort_input *input = s != NULL ? input_of(it, s, worker) : NULL;
    bool is_good = good(s != NULL) && fits(steps_of(s, input, 100), it->gets[worker]);
    if (is_good && it->gets[worker][0] != '!')
        is_good = good(cohort_input_rows(input) == 0) && counts_steps(it->gets[worker], input) &&
                  good(cohort_input_initialize(input) == COHORT_OK) &&
                  fits(steps_of(s, input, 100), it->gets[worker]) &&
                  is_line(steps_of(s, input, 1), "");
    cohort_strategy_destroy(s);
    return is_good;
}

void check_cases(const input_case cases[])
{
    for (const input_case *it = cases; it->id != NULL; it++) {
        const char *bad = NULL, *devices;
        for (int i = 0; bad == NULL && (devices = place_of(it->replicas, i)) != NULL; i++)
            for (int w = 0; w < it->workers && w < MOST_WORKERS; w++)
                if (it->gets[w] != NULL && !is_right(it, devices, w))
                    bad = devices;
        if (!ok(bad == NULL, "%s: %s, to %d x %d", it->id, it->dataset, it->workers, it->replicas))
            diag("on %s; latest error: %s", bad, cohort_error_text());
    }
}
