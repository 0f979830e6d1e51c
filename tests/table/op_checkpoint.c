/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: what is read of a variable lies in a file, and another variable begins with it. */
#include "config.h"

#include "tests/table/table.h"

static cohort_variable *create(table_case *c, const char *name, cohort_array initial, bool is_plain)
{
    const cohort_placement *one_copy = cohort_placement_find("one-device");
    cohort_variable *v = cohort_variable_create(
        c->s, name, initial, &(cohort_variable_options){ .placement = is_plain ? one_copy : NULL });
    if (v == NULL)
        (void)table_failed(c);
    return v;
}

static bool save(table_case *c, const char *file, bool is_plain)
{
    double value = 0;
    float content = 0;
    const cohort_array array = { .data = &content, .dtype = COHORT_F32 };
    cohort_variable *v = table_number(c, "value", &value)
                             ? create(c, "saved", table_scalar(c, value, COHORT_F32), is_plain)
                             : NULL;
    if (v == NULL)
        return false;
    bool is_good =
        cohort_variable_read(v, array) == COHORT_OK && cohort_npy_save(file, array) == COHORT_OK;
    return is_good || table_failed(c) != NULL;
}

static json_t *restored(table_case *c, bool was_plain, bool is_plain)
{
    const char *file = table_file(c);
    if (file == NULL || !save(c, file, was_plain))
        return NULL;
    cohort_npy *npy = cohort_npy_open(file, NULL);
    cohort_variable *v =
        npy == NULL ? NULL : create(c, TABLE_VARIABLE, cohort_npy_array(npy), is_plain);
    cohort_npy_close(npy);
    return v == NULL ? table_failed(c)
                     : table_state_of(c, v, is_plain ? 1 : table_copies_of_variable(c));
}

static json_t *mirrored_to_mirrored(table_case *c)
{
    return restored(c, false, false);
}

static json_t *mirrored_to_plain(table_case *c)
{
    return restored(c, false, true);
}

static json_t *plain_to_mirrored(table_case *c)
{
    return restored(c, true, false);
}

const table_operation table_checkpoint_operations[] = {
    { "checkpoint mirrored -> mirrored", mirrored_to_mirrored },
    { "checkpoint mirrored -> plain", mirrored_to_plain },
    { "checkpoint plain -> mirrored", plain_to_mirrored },
    { NULL, NULL },
};
