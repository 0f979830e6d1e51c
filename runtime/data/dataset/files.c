/* SPDX-License-Identifier: BSD-3-Clause */
/* A source of files is surveyed when it is made: the first file says what elements are, and
 * where a format tells its rows, all files are opened once to count them, unless they are very
 * many. When a file is opened to be read, it must still be what it was then: else rows that were
 * promised would not be there, or others. */
#include "config.h"

#include "runtime/data/dataset/files.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/answer.h"

/* More files than these are not opened before they are read, to count their rows. */
enum { MOST_COUNTED = 1024 };

static const cohort_files *parameters_of(const cohort_dataset *dataset)
{
    return dataset->parameters;
}

/* The file whose specs all others must have: also in a share of the files the first of all. */
static const char *model_of(const cohort_files *files)
{
    return cohort_file_list_name(
        files->whole != NULL ? &parameters_of(files->whole)->list : &files->list, 0);
}

/* ---- One file */

static cohort_status check_rows(const cohort_files *p, int64_t index,
                                const cohort_reader_layout *layout)
{
    int64_t expected = p->starts != NULL ? p->starts[index + 1] - p->starts[index] : layout->rows;
    if (layout->rows == expected && (layout->is_indexed || !p->is_indexed))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: it has %lld rows, and had %lld when the source was made, or is packed now: do not "
        "write to files that are read",
        cohort_file_list_name(&p->list, index), (long long)layout->rows, (long long)expected);
}

cohort_status cohort_files_open(const cohort_dataset *dataset, int64_t index, cohort_reader **out)
{
    const cohort_files *p = parameters_of(dataset);
    const char *path = cohort_file_list_name(&p->list, index);
    cohort_reader_layout layout = { 0 };
    *out = NULL;
    cohort_status status = p->kind->open(path, p->settings, &layout, out);
    if (status >= 0)
        status = cohort_reader_layout_check(&layout, path, dataset->specs, dataset->n_components,
                                            model_of(p));
    if (status >= 0)
        status = check_rows(p, index, &layout);
    if (status < 0) {
        cohort_reader_close(*out);
        *out = NULL;
    }
    return status;
}

/* ---- Counting rows */

/* A fault of a file is told when it is read; until then its rows are not known. */
static cohort_status look_at(const cohort_files *p, int64_t index, cohort_reader_layout *out)
{
    cohort_reader *reader = NULL;
    *out = (cohort_reader_layout){ .rows = COHORT_UNKNOWN };
    cohort_status status =
        p->kind->open(cohort_file_list_name(&p->list, index), p->settings, out, &reader);
    cohort_reader_close(reader);
    if (status >= 0 || !cohort_answer_is_refusal(status))
        return status;
    out->rows = COHORT_UNKNOWN;
    return COHORT_OK;
}

static void forget_counts(cohort_files *p)
{
    cohort_free(p->starts);
    p->starts = NULL;
    p->is_indexed = false;
}

static cohort_status count_rows(cohort_files *p, const cohort_reader_layout *first)
{
    cohort_status status = COHORT_OK;
    cohort_reader_layout layout = *first;
    if (!p->kind->is_counted || p->list.n > MOST_COUNTED)
        return COHORT_OK;
    p->starts = cohort_allocate((size_t)p->list.n + 1, sizeof *p->starts);
    if (p->starts == NULL)
        return cohort_error_memory(p->kind->call);
    p->is_indexed = true;
    for (int64_t i = 0; i < p->list.n && status >= 0; i++) {
        if (i > 0)
            status = look_at(p, i, &layout);
        p->is_indexed = p->is_indexed && layout.is_indexed;
        if (layout.rows < 0 ||
            __builtin_add_overflow(p->starts[i], layout.rows, &p->starts[i + 1])) {
            /* one file that does not tell makes the sum, and all that follows from it, unknown */
            forget_counts(p);
            return status;
        }
    }
    return status;
}

/* ---- Making */

/* Finds out what the elements of the source are, and how many. */
static cohort_status survey(cohort_files *p, cohort_reader_layout *out)
{
    cohort_reader *reader = NULL;
    const char *first = cohort_file_list_name(&p->list, 0);
    cohort_status status = p->kind->learn != NULL ? p->kind->learn(first, p->settings) : COHORT_OK;
    if (status >= 0)
        status = p->kind->open(first, p->settings, out, &reader);
    cohort_reader_close(reader);
    return status < 0 ? status : count_rows(p, out);
}

cohort_dataset *cohort_files_make(const cohort_reader_kind *kind, const char *const files[], int n,
                                  void *settings)
{
    cohort_files p = { .kind = kind, .settings = settings };
    cohort_reader_layout layout = { 0 };
    cohort_dataset_builder node = {
        .kind = kind->node, .parameters = &p, .bytes = sizeof p, .specs = layout.specs
    };
    cohort_status status = cohort_file_list_make(files, n, kind->call, &p.list);
    if (status >= 0)
        status = survey(&p, &layout);
    if (status >= 0)
        status = cohort_specs_check(layout.specs, layout.n, cohort_file_list_name(&p.list, 0));
    if (status < 0)
        return cohort_dataset_builder_give_up(&node);
    node.n_components = layout.n;
    return cohort_dataset_builder_make(&node);
}

void cohort_files_free(void *parameters)
{
    cohort_files *p = parameters;
    if (p->whole != NULL)
        cohort_dataset_release(p->whole);
    else if (p->kind->free_settings != NULL)
        p->kind->free_settings(p->settings);
    cohort_file_list_fini(&p->list);
    cohort_free(p->starts);
}

void cohort_files_derive(cohort_dataset *dataset)
{
    const cohort_files *p = parameters_of(dataset);
    dataset->cardinality = p->starts != NULL ? p->starts[p->list.n] : COHORT_UNKNOWN;
    dataset->is_indexed = p->is_indexed;
}

void cohort_files_describe(const cohort_dataset *dataset, FILE *out)
{
    const cohort_files *p = parameters_of(dataset);
    cohort_file_list_describe(&p->list, out);
    if (p->kind->describe != NULL)
        p->kind->describe(p->settings, out);
}

/* ---- Shares of the files */

int64_t cohort_files_count(const cohort_dataset *dataset)
{
    return parameters_of(dataset)->list.n;
}

/* The rows are those of when the source was made. */
void cohort_files_look(const cohort_dataset *dataset, int64_t index, cohort_file_mark *out)
{
    const cohort_files *p = parameters_of(dataset);
    cohort_file_list_look(&p->list, index, out);
    if (p->starts != NULL)
        out->rows = p->starts[index + 1] - p->starts[index];
}

static cohort_status share_counts(const cohort_files *from, int64_t shards, int64_t index,
                                  cohort_files *p)
{
    if (from->starts == NULL)
        return COHORT_OK;
    p->starts = cohort_allocate((size_t)p->list.n + 1, sizeof *p->starts);
    if (p->starts == NULL)
        return cohort_error_memory(p->kind->call);
    for (int64_t i = 0, file = index; i < p->list.n; i++, file += shards)
        p->starts[i + 1] = p->starts[i] + from->starts[file + 1] - from->starts[file];
    return COHORT_OK;
}

cohort_dataset *cohort_files_share(const cohort_dataset *dataset, int64_t shards, int64_t index)
{
    const cohort_files *from = parameters_of(dataset);
    const cohort_dataset *whole = from->whole != NULL ? from->whole : dataset;
    cohort_files p = { .kind = from->kind,
                       .settings = from->settings,
                       .is_indexed = from->is_indexed };
    cohort_dataset_builder node = { .kind = dataset->kind,
                                    .parameters = &p,
                                    .bytes = sizeof p,
                                    .specs = dataset->specs,
                                    .n_components = dataset->n_components };
    /* settings belong to the whole source, which a share keeps alive */
    p.whole = cohort_dataset_retain(cohort_memory_own(whole));
    cohort_status status =
        cohort_file_list_share(&from->list, shards, index, p.kind->call, &p.list);
    if (status >= 0)
        status = share_counts(from, shards, index, &p);
    return status < 0 ? cohort_dataset_builder_give_up(&node) : cohort_dataset_builder_make(&node);
}
