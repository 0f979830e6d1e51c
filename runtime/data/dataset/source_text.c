/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of text, as bytes without their ends: views into the window of the file. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/data/dataset/files.h"
#include "runtime/data/format/lines.h"

#include <cohort/files.h>

typedef struct text_reader {
    cohort_reader head;
    cohort_bytes *bytes;
} text_reader;

static const cohort_reader_kind kind;

static void close_text(cohort_reader *reader)
{
    cohort_bytes_close(((text_reader *)reader)->bytes);
    cohort_free(reader);
}

static cohort_status open_text(const char *path, const void *settings, cohort_reader_layout *layout,
                               cohort_reader **out)
{
    text_reader *r = cohort_reader_allocate(&kind, sizeof *r, path);
    (void)settings;
    if (r == NULL)
        return COHORT_ENOMEM;
    cohort_status status = cohort_bytes_open(path, COHORT_PACKING_AUTO, &r->bytes);
    if (status < 0) {
        close_text(&r->head);
        return status;
    }
    layout->specs[0] = (cohort_spec){ .dtype = COHORT_U8, .rank = 1, .shape = { -1 } };
    layout->n = 1;
    layout->rows = COHORT_UNKNOWN;
    *out = &r->head;
    return COHORT_OK;
}

/* A view into the file's window, good until the next call. */
static cohort_status next_text(cohort_reader *reader, cohort_array parts[])
{
    const char *line;
    size_t bytes;
    cohort_status status = cohort_lines_next(((text_reader *)reader)->bytes, &line, &bytes);
    parts[0].data = cohort_memory_read_only(line);
    parts[0].shape[0] = (int64_t)bytes;
    return status;
}

static cohort_status skip_text(cohort_reader *reader, int64_t n, int64_t *out_passed)
{
    return cohort_lines_skip(((text_reader *)reader)->bytes, n, out_passed);
}

static const cohort_dataset_kind node = COHORT_FILES_KIND("text");

static const cohort_reader_kind kind = { .node = &node,
                                         .call = "cohort_dataset_text",
                                         .open = open_text,
                                         .close = close_text,
                                         .next = next_text,
                                         .skip = skip_text };

cohort_dataset *cohort_dataset_text(const char *const files[], int n)
{
    return cohort_files_make(&kind, files, n, NULL);
}
