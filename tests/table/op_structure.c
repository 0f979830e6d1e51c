/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of several components, and what an element is said to be. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

/* ---- Structures: 7 rows in batches of 4, but for those that say otherwise. */

static cohort_dataset *tens(table_case *c)
{
    float *x = table_memory(c, 7 * sizeof *x);
    int64_t *y = table_memory(c, 7 * sizeof *y);
    for (int i = 0; i < 7; i++) {
        x[i] = (float)i;
        y[i] = 10 * i;
    }
    return cohort_dataset_slices(2, (cohort_array[]){ COHORT_ARRAY(x, 7), COHORT_ARRAY(y, 7) });
}

static cohort_dataset *pairs(table_case *c)
{
    float *x = table_memory(c, 7 * sizeof *x);
    int64_t *y = table_memory(c, 14 * sizeof *y);
    for (int i = 0; i < 14; i++) {
        x[i / 2] = (float)(i / 2);
        y[i] = i;
    }
    return cohort_dataset_slices(2, (cohort_array[]){ COHORT_ARRAY(x, 7), COHORT_ARRAY(y, 7, 2) });
}

static cohort_dataset *hundreds(table_case *c)
{
    int64_t *x = table_memory(c, 7 * sizeof *x), *y = table_memory(c, 7 * sizeof *y);
    for (int i = 0; i < 7; i++) {
        x[i] = i;
        y[i] = 100 + i;
    }
    return cohort_dataset_slices(2, (cohort_array[]){ COHORT_ARRAY(x, 7), COHORT_ARRAY(y, 7) });
}

static cohort_dataset *six_by_two(table_case *c)
{
    return table_slices(c, 6, 2, COHORT_I32);
}

static cohort_dataset *truths(table_case *c)
{
    static bool x[] = { true, false, true, true, false };
    cohort_array array = COHORT_ARRAY(x, 5);
    (void)c;
    return cohort_dataset_slices(1, &array);
}

static cohort_dataset *lines(table_case *c)
{
    const char *const *files = table_text_files(c, 1, 7);
    return files == NULL ? NULL : cohort_dataset_text(files, 1);
}

/* rows or chain: where the dataset comes from; rows are put into batches of 4. spec: the element as
 * TensorFlow writes it, with a % for each component. */
static const struct structure {
    const char *name;
    cohort_dataset *(*rows)(table_case *c);
    const char *chain, *spec;
} structures[] = {
    { "tuple", tens, NULL, "(%, %)" },
    { "dict", pairs, NULL, "{'x': %, 'y': %}" },
    { "nested", hundreds, NULL, "{'a': (%, {'b': %})}" },
    { "zip", NULL, "zip(range(7).batch(4),range(10,17).batch(4))", "(%, %)" },
    { "zip-before-batch", NULL, "zip(range(7),range(10,17)).batch(4)", "(%, %)" },
    { "2d", six_by_two, NULL, "%" },
    { "bool", truths, NULL, "%" },
    { "strings", lines, NULL, "%" },
    { "batch-batch", NULL, "range(16).batch(2).batch(4)", "%" },
};
enum { STRUCTURES = sizeof structures / sizeof *structures };

/* NULL: malformed, failed or skipped. */
static const struct structure *find(table_case *c, cohort_dataset **out)
{
    const char *name = table_text(c, "structure", "");
    (void)table_rest_repeats(c, "", "structure", "");
    const struct structure *found = structures;
    while (found < structures + STRUCTURES && strcmp(found->name, name) != 0)
        found++;
    *out = NULL;
    if (strcmp(name, "sparse") == 0)
        return (void *)table_skipped(c, "no counterpart: elements are arrays");
    if (found == structures + STRUCTURES)
        return (void *)table_malformed(c, "structure \"%s\"", name);
    *out = found->chain != NULL ? table_dataset(c, found->chain)
                                : cohort_dataset_batch(found->rows(c), 4, false);
    if (*out != NULL)
        *out = table_with_options(c, *out);
    if (*out == NULL)
        (void)table_failed(c);
    return *out == NULL ? NULL : found;
}

static json_t *split_structure(table_case *c)
{
    cohort_dataset *d;
    table_stepper it = { .is_structure = true };
    if (find(c, &d) == NULL ||
        !table_stepper_open(c, &it, c->s, cohort_distribute_dataset(c->s, d)))
        return NULL;
    json_t *steps = table_all_steps(c, &it, TABLE_MAX_STEPS);
    return steps == NULL ? NULL : json_pack("{s:o}", "steps", steps);
}

/* ---- Specs, as TensorFlow writes them. Texts are one axis shorter there. */

typedef struct text {
    char at[2 * TABLE_TEXT];
    size_t n;
} text;

static void append(text *t, const char *more)
{
    size_t left = sizeof t->at - t->n;
    int n = snprintf(t->at + t->n, left, "%s", more);
    t->n += n < 0 ? 0 : (size_t)n < left ? (size_t)n : left - 1;
}

static void append_spec(text *t, const cohort_spec *spec)
{
    bool is_text = spec->dtype == COHORT_U8;
    int rank = spec->rank - is_text;
    append(t, "TensorSpec(shape=(");
    for (int i = 0; i < rank; i++) {
        char extent[32];
        (void)snprintf(extent, sizeof extent, "%lld", (long long)spec->shape[i]);
        append(t, i > 0 ? ", " : "");
        append(t, spec->shape[i] < 0 ? "None" : extent);
    }
    append(t, rank == 1 ? ",), dtype=tf." : "), dtype=tf.");
    append(t, is_text ? "string" : cohort_dtype_name(spec->dtype));
    append(t, ", name=None)");
}

/* copies: how often each component stands there; 1: bare. */
static json_t *spec_text(const char *form, const cohort_spec specs[], int n, int copies)
{
    text t = { .n = 0 };
    t.at[0] = '\0';
    int k = 0;
    for (; *form != '\0'; form++)
        if (*form == '%' && k < n) {
            append(&t, copies > 1 ? "PerReplicaSpec(" : "");
            for (int i = 0; i < copies; i++) {
                append(&t, i > 0 ? ", " : "");
                append_spec(&t, &specs[k]);
            }
            append(&t, copies > 1 ? ")" : "");
            k++;
        } else
            append(&t, (char[]){ *form, '\0' });
    return json_string(k == n ? t.at : "another number of components");
}

static json_t *specs_of_structure(table_case *c)
{
    cohort_dataset *d;
    cohort_spec specs[TABLE_MAX_COMPONENTS], own[TABLE_MAX_COMPONENTS];
    const struct structure *structure = find(c, &d);
    if (structure == NULL)
        return NULL;
    int n = cohort_dataset_element_spec(d, specs, TABLE_MAX_COMPONENTS);
    cohort_input *input = cohort_distribute_dataset(c->s, d);
    if (input == NULL)
        return table_failed(c);
    int n_own = cohort_input_element_spec(input, own, TABLE_MAX_COMPONENTS);
    return json_pack("{s:o, s:o}", "dataset", spec_text(structure->spec, specs, n, 1),
                     "distributed", spec_text(structure->spec, own, n_own, c->replicas));
}

/* ---- Flags: are all rows given, how many elements are there, what are they? */

static const struct {
    const char *name, *chain;
} flagged[] = {
    { "drop-divides", "range(24).batch(12,drop)" },
    { "drop-divides-map", "range(24).batch(12,drop).map" },
    { "drop-not-divides", "range(24).batch(7,drop)" },
    { "drop-not-divides-map", "range(24).batch(7,drop).map" },
    { "nodrop", "range(31).batch(12)" },
    { "infinite", "range(31).repeat.batch(12)" },
    { "infinite-drop", "range(31).repeat.batch(12,drop)" },
};
enum { FLAGGED = sizeof flagged / sizeof *flagged };

/* What the replicas get in some steps is what the dataset has in as many elements. */
static bool gives_all_rows(table_case *c, cohort_dataset *d)
{
    enum { STEPS = 6 };
    cohort_input *input = cohort_distribute_dataset(c->s, cohort_dataset_share(d));
    table_stepper it = { .is_structure = false };
    json_t *alone = table_elements(c, cohort_dataset_take(cohort_dataset_share(d), STEPS), true),
           *given = json_array();
    json_t *steps = table_stepper_open(c, &it, c->s, input) ? table_all_steps(c, &it, STEPS) : NULL,
           *step, *rows;
    size_t i, k;
    json_array_foreach(steps, i, step) json_array_foreach(step, k, rows)
        json_array_extend(given, rows);
    bool is_same = json_array_size(given) > 0 && json_equal(alone, given);
    json_decref(alone);
    json_decref(given);
    json_decref(steps);
    return is_same;
}

static json_t *flags(table_case *c)
{
    const char *name = table_text(c, "pipeline", "");
    (void)table_rest_repeats(c, "", "pipeline", "");
    cohort_spec spec;
    int i = 0;
    while (i < FLAGGED && strcmp(flagged[i].name, name) != 0)
        i++;
    if (i == FLAGGED)
        return table_malformed(c, "pipeline \"%s\"", name);
    cohort_dataset *d = table_dataset(c, flagged[i].chain);
    if (d == NULL)
        return NULL;
    bool has_all = gives_all_rows(c, d);
    cohort_input *input = cohort_distribute_dataset(c->s, d);
    if (input == NULL)
        return table_failed(c);
    int n = cohort_input_element_spec(input, &spec, 1);
    return json_pack("{s:b, s:n, s:o}", "partial_batch_handling", has_all, "cardinality",
                     "element_spec", spec_text("%", &spec, n, c->replicas));
}

const table_operation table_structure_operations[] = {
    { "experimental_distribute_dataset, structure *", split_structure },
    { "element_spec, structure *", specs_of_structure },
    { "partial-batch handling, cardinality, element_spec: *", flags },
    { NULL, NULL },
};
