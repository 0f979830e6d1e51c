/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files as elements. They are not opened. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/file_list.h"

#include "runtime/base/error.h"

#include <cohort/files.h>

static const char call[] = "cohort_dataset_list_files";

typedef struct names_cursor {
    cohort_cursor head;
    int64_t next;
    cohort_array part;
} names_cursor;

static const cohort_file_list *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* ------------------------------------------------------------------ iterating */

/* Names are the list's memory, which lives as long as the dataset: they need no copy. */
static cohort_status at_name(cohort_cursor *cursor, int64_t index, cohort_element *out)
{
    names_cursor *c = (names_cursor *)cursor;
    const cohort_file_list *list = parameters_of(cursor->dataset);
    c->part.data = cohort_memory_own(cohort_file_list_name(list, index));
    c->part.shape[0] = (int64_t)cohort_file_list_name_bytes(list, index);
    *out = (cohort_element){ .parts = &c->part, .n = 1, .is_lasting = true };
    return COHORT_OK;
}

static cohort_status next_name(cohort_cursor *cursor, cohort_element *out)
{
    names_cursor *c = (names_cursor *)cursor;
    return c->next < cursor->dataset->cardinality ? at_name(cursor, c->next++, out) : COHORT_END;
}

static cohort_status skip_names(cohort_cursor *cursor, int64_t n, int64_t *out_passed)
{
    names_cursor *c = (names_cursor *)cursor;
    int64_t left = cursor->dataset->cardinality - c->next;
    *out_passed = n < left ? n : left;
    c->next += *out_passed;
    return COHORT_OK;
}

static const cohort_cursor_kind names = {
    .next = next_name, .close = cohort_cursor_free, .skip = skip_names, .at = at_name
};

static cohort_status open_names(const cohort_dataset *dataset, const cohort_opening *how,
                                cohort_cursor **out)
{
    names_cursor *c = cohort_cursor_allocate(dataset, &names, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    c->part = (cohort_array){ .dtype = COHORT_U8, .rank = 1, .item_bytes = 1 };
    *out = &c->head;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ making */

static void derive_names(cohort_dataset *dataset)
{
    dataset->cardinality = parameters_of(dataset)->n;
    dataset->is_indexed = dataset->is_lasting = true;
}

static void describe_names(const cohort_dataset *dataset, FILE *out)
{
    cohort_file_list_describe(parameters_of(dataset), out);
}

static void free_names(void *parameters)
{
    cohort_file_list_fini(parameters);
}

/* A list of names is a source of files for sharding: pipelines share the names, and each opens
 * only its own. */
static int64_t count_names(const cohort_dataset *dataset)
{
    return parameters_of(dataset)->n;
}

static void look_at_name(const cohort_dataset *dataset, int64_t index, cohort_file_mark *out)
{
    cohort_file_list_look(parameters_of(dataset), index, out);
}

static cohort_dataset *share_names(const cohort_dataset *dataset, int64_t shards, int64_t index);

static const cohort_dataset_kind list_files = { .name = "list_files",
                                                .derive = derive_names,
                                                .describe = describe_names,
                                                .open = open_names,
                                                .free_parameters = free_names,
                                                .files = count_names,
                                                .shard_files = share_names,
                                                .look_at_file = look_at_name };

static cohort_dataset *make_names(cohort_file_list *list)
{
    cohort_spec spec = { .dtype = COHORT_U8, .rank = 1, .shape = { -1 } };
    cohort_dataset_builder node = { .kind = &list_files,
                                    .parameters = list,
                                    .bytes = sizeof *list,
                                    .specs = &spec,
                                    .n_components = 1 };
    return cohort_dataset_builder_make(&node);
}

/* A worker's share of the files is a dataset of those names alone. */
static cohort_dataset *share_names(const cohort_dataset *dataset, int64_t shards, int64_t index)
{
    const cohort_file_list *list = parameters_of(dataset);
    cohort_file_list share;
    return cohort_file_list_share(list, shards, index, call, &share) >= 0 ? make_names(&share)
                                                                          : NULL;
}

cohort_dataset *cohort_dataset_list_files(const char *const files[], int n)
{
    cohort_file_list list;
    return cohort_handle_made(COHORT_HANDLE_DATASET,
                              cohort_file_list_make(files, n, call, &list) >= 0 ? make_names(&list)
                                                                                : NULL);
}
