/* SPDX-License-Identifier: BSD-3-Clause */
/* Both cursors make the same draws, so an order depends on the seed, the salt and the size of
 * the buffer, not on whether the input is indexed. */
#include "config.h"

#include "runtime/data/dataset/shuffle.h"

/* The salt makes each iteration and each repetition another order; shuffle_once leaves it out. */
void cohort_shuffle_seed(const cohort_dataset *dataset, const cohort_opening *how,
                         cohort_random *random)
{
    const cohort_shuffle_parameters *p = dataset->parameters;
    cohort_random_seed(random, p->seed, p->is_once ? 0 : how->salt);
}

/* Where any element can be had by its number, numbers are shuffled and not elements: the buffer
 * costs eight bytes for each, and an element is read when it is drawn. The order is the same. */
static cohort_status open_shuffle(const cohort_dataset *dataset, const cohort_opening *how,
                                  cohort_cursor **out)
{
    return dataset->inputs[0]->is_indexed ? cohort_shuffle_numbers_open(dataset, how, out)
                                          : cohort_shuffle_elements_open(dataset, how, out);
}

static void derive_shuffle(cohort_dataset *dataset)
{
    dataset->is_lasting = dataset->inputs[0]->is_lasting;
    dataset->is_reshuffled = dataset->is_reshuffled || cohort_shuffle_is_anew(dataset);
}

static void describe_shuffle(const cohort_dataset *dataset, FILE *out)
{
    const cohort_shuffle_parameters *p = dataset->parameters;
    (void)fprintf(out, "buffer %lld, seed %llu", (long long)p->elements,
                  (unsigned long long)p->seed);
}

static const cohort_dataset_kind shuffle = { .name = "shuffle",
                                             .derive = derive_shuffle,
                                             .describe = describe_shuffle,
                                             .open = open_shuffle,
                                             .keeps_elements = true };
static const cohort_dataset_kind shuffle_once = { .name = "shuffle_once",
                                                  .derive = derive_shuffle,
                                                  .describe = describe_shuffle,
                                                  .open = open_shuffle,
                                                  .keeps_elements = true };

bool cohort_shuffle_is_anew(const cohort_dataset *dataset)
{
    return dataset->kind == &shuffle &&
           ((const cohort_shuffle_parameters *)dataset->parameters)->elements > 1;
}

static cohort_dataset *make(cohort_dataset *dataset, const cohort_shuffle_parameters *p,
                            const char *call)
{
    cohort_dataset_builder node = { .kind = p->is_once ? &shuffle_once : &shuffle,
                                    .inputs = &dataset,
                                    .n_inputs = 1,
                                    .parameters = p,
                                    .bytes = sizeof *p };
    if (!cohort_dataset_builder_begin(&node, call))
        return NULL;
    if (p->elements < 1)
        return cohort_dataset_builder_refuse_number(
            &node, p->elements, "%s: a buffer of %lld elements; expected 1 or more", call,
            (long long)p->elements);
    return cohort_dataset_builder_make(&node);
}

cohort_dataset *cohort_dataset_shuffle(cohort_dataset *dataset, int64_t elements, uint64_t seed)
{
    return make(dataset, &(cohort_shuffle_parameters){ elements, seed, false },
                "cohort_dataset_shuffle");
}

cohort_dataset *cohort_dataset_shuffle_once(cohort_dataset *dataset, int64_t elements,
                                            uint64_t seed)
{
    return make(dataset, &(cohort_shuffle_parameters){ elements, seed, true },
                "cohort_dataset_shuffle_once");
}
