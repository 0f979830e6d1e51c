/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a split: what would not stay apart is refused, and the parts are counted, so that they are
 * the same on every machine and in every process. */
#include "config.h"

#include "runtime/data/dataset/split.h"

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <math.h>
#include <string.h>

static const char call[] = "cohort_dataset_split";

/* ------------------------------------------------------------------ checks */

static cohort_status check_fractions(int n, const double fractions[])
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (!(fractions[i] >= 0) || !isfinite(fractions[i]))
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: fraction %d is %g; expected a number from 0 on", call, i,
                                    fractions[i]);
        sum += fractions[i];
    }
    if (sum > 0 && isfinite(sum))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: the fractions add up to %g; expected at least one above 0", call, sum);
}

static cohort_status check_key(const cohort_dataset *dataset, int32_t key)
{
    if (key < 0 || key >= dataset->n_components)
        return cohort_error_set(COHORT_EINVAL, "%s: key %d; the elements have components 0 to %d",
                                call, key, dataset->n_components - 1);
    cohort_dtype dtype = dataset->specs[key].dtype;
    if (dtype != COHORT_BOOL && !cohort_dtype_is_integer(dtype))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: component %d, the key, has numbers with a fraction, of which "
                                "equal ones may differ; expected integers or bools",
                                call, key);
    if (dataset->batch_rows > 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: an element is a batch of %lld rows, with as many keys; split "
                                "before cohort_dataset_batch",
                                call, (long long)dataset->batch_rows);
    return COHORT_OK;
}

static cohort_status check_options(const cohort_dataset *dataset, const cohort_split_options *o)
{
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; i++)
        if (o->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: reserved word %zu of the options is not zero", call, i);
    switch (o->by) {
    case COHORT_SPLIT_BY_ROWS:
    case COHORT_SPLIT_BY_BLOCKS:
        return COHORT_OK;
    case COHORT_SPLIT_BY_KEY:
        return check_key(dataset, o->key);
    }
    return cohort_error_set(COHORT_EINVAL,
                            "%s: by %d is none of COHORT_SPLIT_BY_ROWS, _BLOCKS and _KEY", call,
                            (int)o->by);
}

static bool repeats(const cohort_dataset *dataset)
{
    bool is_so = dataset->kind->is_repeated;
    for (int32_t i = 0; i < dataset->n_inputs && !is_so; i++)
        is_so = repeats(dataset->inputs[i]);
    return is_so;
}

/* What has other elements at the same places another time, or the same ones at several places. */
static cohort_status check_order(const cohort_dataset *dataset, cohort_split_by by)
{
    if (dataset->is_reshuffled)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: the dataset shuffles anew each time, so that its parts would not stay apart; "
            "shuffle the parts, or use cohort_dataset_shuffle_once before",
            call);
    if (dataset->has_hint)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: the dataset is a shard of COHORT_NUM_PIPELINES, and so another "
            "one in each pipeline; make the shards of its parts",
            call);
    if (by != COHORT_SPLIT_BY_KEY && repeats(dataset))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the dataset repeats its elements, which would be in several "
                                "parts; repeat the parts",
                                call);
    if (by != COHORT_SPLIT_BY_BLOCKS || dataset->cardinality >= 0)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: blocks of %s elements have no end that is known; split by rows or "
        "by key, or take and skip as many as you have counted",
        call, dataset->cardinality == COHORT_INFINITE ? "infinitely many" : "an unknown number of");
}

static cohort_status check(const cohort_dataset *dataset, int n, const double fractions[],
                           const cohort_split_options *options, cohort_dataset *const parts[])
{
    if (parts == NULL)
        return cohort_error_null(call, "the list of parts");
    if (fractions == NULL)
        return cohort_error_null(call, "the list of fractions");
    if (n < 1 || n > COHORT_LIMIT_SPLIT_PARTS)
        return cohort_error_number(n, "%s: %d parts; 1 to %d are possible", call, n,
                                   COHORT_LIMIT_SPLIT_PARTS);
    cohort_status status = check_fractions(n, fractions);
    if (status >= 0)
        status = check_options(dataset, options);
    return status < 0 ? status : check_order(dataset, options->by);
}

/* ------------------------------------------------------------------ the plan */

/* Rounded down, where what a double lacks to a whole number counts as nothing: 0.29 of 100 are 29,
 * though it is a little less. */
static int64_t part_of(int64_t all, double before, double sum)
{
    double end = floor((double)all * (before / sum) * (1 + 0x1p-40));
    return end < (double)all ? (int64_t)end : all;
}

static void place_parts(cohort_split_plan *plan, int64_t all, const double fractions[])
{
    double sum = 0, before = 0;
    int32_t last = 0;
    for (int32_t i = 0; i < plan->n; i++) {
        sum += fractions[i];
        last = fractions[i] > 0 ? i : last;
    }
    for (int32_t i = 0; i < plan->n; i++) {
        before += fractions[i];
        plan->starts[i + 1] = i >= last ? all : part_of(all, before, sum);
        if (plan->starts[i + 1] < plan->starts[i])
            plan->starts[i + 1] = plan->starts[i];
    }
}

void cohort_split_plan_release(cohort_split_plan *plan)
{
    if (plan == NULL || atomic_fetch_sub_explicit(&plan->owners, 1, memory_order_acq_rel) != 1)
        return;
    cohort_free(plan->starts);
    cohort_free(plan->numbers);
    cohort_free(plan);
}

static cohort_status make_plan(const cohort_dataset *dataset, int n, const double fractions[],
                               const cohort_split_options *options, cohort_split_plan **out)
{
    cohort_split_plan *plan = cohort_allocate(1, sizeof *plan);
    *out = NULL;
    if (plan == NULL)
        return cohort_error_memory(call);
    atomic_init(&plan->owners, 1);
    plan->options = *options;
    plan->n = n;
    plan->is_drawn = options->by == COHORT_SPLIT_BY_KEY || dataset->cardinality < 0;
    plan->starts = cohort_allocate((size_t)n + 1, sizeof *plan->starts);
    cohort_status status = plan->starts != NULL ? COHORT_OK : cohort_error_memory(call);
    if (status >= 0) {
        place_parts(plan, plan->is_drawn ? COHORT_SPLIT_DRAWS : dataset->cardinality, fractions);
        if (options->by == COHORT_SPLIT_BY_ROWS && dataset->is_indexed)
            status = cohort_split_list_rows(plan);
    }
    if (status < 0)
        cohort_split_plan_release(plan);
    else
        *out = plan;
    return status;
}

/* ------------------------------------------------------------------ the parts */

void cohort_split_part_derive(cohort_dataset *dataset)
{
    const cohort_split_part *part = dataset->parameters;
    const cohort_dataset *input = dataset->inputs[0];
    dataset->is_lasting = input->is_lasting;
    if (cohort_split_part_length(part) == 0 || input->cardinality == 0)
        dataset->cardinality = 0;
    else if (!part->plan->is_drawn)
        dataset->cardinality = cohort_split_part_length(part);
    else if (part->plan->options.by == COHORT_SPLIT_BY_KEY)
        dataset->cardinality = COHORT_UNKNOWN;
}

void cohort_split_part_describe(const cohort_dataset *dataset, FILE *out)
{
    static const char *const ways[] = { "rows", "blocks", "key" };
    const cohort_split_part *part = dataset->parameters;
    const cohort_split_plan *plan = part->plan;
    (void)fprintf(out, "part %d of %d, %lld to %lld of %lld", (int)part->number, (int)plan->n,
                  (long long)cohort_split_part_start(part),
                  (long long)(cohort_split_part_start(part) + cohort_split_part_length(part)),
                  (long long)plan->starts[plan->n]);
    (void)fprintf(out, ", by %s", ways[plan->options.by]);
    if (plan->options.by == COHORT_SPLIT_BY_KEY)
        (void)fprintf(out, " %d", (int)plan->options.key);
    if (plan->options.by != COHORT_SPLIT_BY_BLOCKS)
        (void)fprintf(out, ", seed %llu", (unsigned long long)plan->options.seed);
}

void cohort_split_part_free(void *parameters)
{
    cohort_split_plan_release(((cohort_split_part *)parameters)->plan);
}

static cohort_dataset *make_part(cohort_dataset *dataset, cohort_split_plan *plan, int32_t number)
{
    static const cohort_dataset_kind *const kinds[] = { &cohort_split_rows, &cohort_split_blocks,
                                                        &cohort_split_key };
    cohort_split_part part = { plan, number };
    cohort_dataset_builder node = { .kind = kinds[plan->options.by],
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = &part,
                                    .bytes = sizeof part };
    atomic_fetch_add_explicit(&plan->owners, 1, memory_order_relaxed);
    (void)cohort_dataset_retain(dataset);
    return cohort_dataset_builder_make(&node);
}

/* All of them, or none. */
static cohort_status make_parts(cohort_dataset *dataset, cohort_split_plan *plan,
                                cohort_dataset *parts[])
{
    int32_t made = 0;
    while (made < plan->n && (parts[made] = make_part(dataset, plan, made)) != NULL)
        made++;
    if (made == plan->n)
        return COHORT_OK;
    /* the others go before the reason is told, for their end may set the slot itself */
    char text[COHORT_ERROR_BYTES];
    cohort_status status = cohort_error_status();
    (void)snprintf(text, sizeof text, "%s", cohort_error_slot());
    while (made-- > 0) {
        cohort_dataset_destroy(parts[made]);
        parts[made] = NULL;
    }
    return cohort_error_set(status, "%s", text);
}

cohort_status cohort_dataset_split(cohort_dataset *dataset, int n, const double fractions[],
                                   const cohort_split_options *options, cohort_dataset *parts[])
{
    static const cohort_split_options defaults;
    cohort_split_plan *plan = NULL;
    for (int i = 0; parts != NULL && n <= COHORT_LIMIT_SPLIT_PARTS && i < n; i++)
        parts[i] = NULL;
    options = options != NULL ? options : &defaults;
    cohort_status status = cohort_handle_check(dataset, COHORT_HANDLE_DATASET, call, "the dataset");
    bool is_there = status >= 0;
    if (is_there) {
        (void)cohort_dataset_claim(dataset);
        status = check(dataset, n, fractions, options, parts);
    }
    if (status >= 0)
        status = make_plan(dataset, n, fractions, options, &plan);
    if (status >= 0)
        status = make_parts(dataset, plan, parts);
    cohort_split_plan_release(plan);
    if (is_there)
        cohort_dataset_release(dataset);
    if (status < 0 && parts != NULL)
        (void)cohort_handle_made(COHORT_HANDLE_DATASET, NULL); /* each of them */
    return status;
}
