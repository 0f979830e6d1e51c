/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/dataset/open_files.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

int64_t cohort_open_files_of_row(const cohort_files *files, int64_t row)
{
    int64_t low = 0, high = files->list.n; /* starts[low] <= row < starts[high] */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (files->starts[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A row of several components may take a descriptor for each. */
static cohort_status begin(cohort_open_files *open, const cohort_dataset *dataset, int64_t n)
{
    int32_t most = COHORT_FILES_MOST_OPEN / dataset->n_components;
    open->most = most < n ? most : (int32_t)n;
    open->readers = cohort_allocate((size_t)n, sizeof(cohort_reader *));
    open->opened = cohort_allocate((size_t)open->most, sizeof *open->opened);
    if (open->readers != NULL && open->opened != NULL)
        return COHORT_OK;
    cohort_open_files_fini(open);
    return cohort_error_memory(dataset->kind->name);
}

/* Make room for one more: the one that was opened first goes. Returns where its number stands. */
static int32_t make_room(cohort_open_files *open)
{
    if (open->n < open->most)
        return open->n++;
    int32_t place = open->oldest;
    cohort_reader **oldest = &open->readers[open->opened[place]];
    cohort_reader_close(*oldest);
    *oldest = NULL;
    open->oldest = (place + 1) % open->most;
    return place;
}

cohort_status cohort_open_files_find(cohort_open_files *open, const cohort_dataset *dataset,
                                     int64_t row, cohort_reader **out, int64_t *out_row)
{
    const cohort_files *p = dataset->parameters;
    int64_t file = cohort_open_files_of_row(p, row);
    *out = NULL;
    *out_row = row - p->starts[file];
    cohort_status status = open->readers == NULL ? begin(open, dataset, p->list.n) : COHORT_OK;
    if (status >= 0 && open->readers[file] == NULL) {
        cohort_reader *reader = NULL;
        status = cohort_files_open(dataset, file, &reader);
        if (status < 0)
            return status;
        open->opened[make_room(open)] = file;
        open->readers[file] = reader;
    }
    *out = status >= 0 ? open->readers[file] : NULL;
    return status;
}

void cohort_open_files_fini(cohort_open_files *open)
{
    for (int32_t i = 0; i < open->n; i++)
        cohort_reader_close(open->readers[open->opened[i]]);
    cohort_free(open->readers);
    cohort_free(open->opened);
    *open = (cohort_open_files){ 0 };
}
