/* SPDX-License-Identifier: BSD-3-Clause */
/* One array of a NumPy file, read as a whole into memory of the library. */
#include "config.h"

#include <cohort/npy.h>

#include "runtime/base/handle.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/elements.h"
#include "runtime/data/format/npy_header.h"
#include "runtime/data/format/npz.h"

#include <string.h>

struct cohort_npy {
    cohort_handle handle; /* first */
    cohort_array array;
    cohort_npz *npz; /* NULL: the file is one array */
};

/* The header's array has no memory; that of the elements is the npy's from here on, also when the
 * end of the stream turns out to be wrong. */
static cohort_status read_array(cohort_stream *stream, cohort_array *out)
{
    cohort_npy_header header;
    cohort_status status = cohort_npy_header_read(stream, &header);
    if (status >= 0)
        status = cohort_elements_read(stream, &header, &out->data);
    if (status < 0)
        return status;
    void *data = out->data;
    *out = header.array;
    out->data = data;
    /* the elements were made row-major, which is how strides of 0 are read */
    memset(out->strides, 0, sizeof out->strides);
    return cohort_stream_finish(stream);
}

static cohort_status read_extent(const cohort_file *file, const char *name,
                                 const cohort_extent *extent, cohort_npy *npy)
{
    cohort_stream *stream = NULL;
    cohort_status status = cohort_stream_open(file, name, extent, &stream);
    if (status >= 0)
        status = read_array(stream, &npy->array);
    cohort_stream_close(stream);
    return status;
}

static cohort_status read_file(const cohort_file *file, const char *member, cohort_npy *npy)
{
    cohort_extent extent;
    const char *name = NULL;
    cohort_status status = cohort_npz_locate(file, member, &npy->npz, &name, &extent);
    return status < 0 ? status : read_extent(file, name, &extent, npy);
}

static void free_array(cohort_npy *npy)
{
    cohort_npz_close(npy->npz);
    cohort_free(npy->array.data);
}

/* The file is closed at once: names of members stay in npy->npz, elements in memory. */
cohort_npy *cohort_npy_open(const char *path, const char *member)
{
    cohort_file file;
    if (path == NULL) {
        (void)cohort_error_null("cohort_npy_open", "the path");
        return NULL;
    }
    if (cohort_file_open(path, &file) < 0)
        return NULL;
    cohort_npy *npy = cohort_allocate(1, sizeof *npy);
    cohort_status status = npy != NULL ? read_file(&file, member, npy) : cohort_error_memory(path);
    cohort_file_close(&file);
    if (status >= 0) {
        cohort_handle_begin(&npy->handle, COHORT_HANDLE_NPY);
        return npy;
    }
    if (npy != NULL)
        free_array(npy);
    cohort_free(npy);
    return NULL;
}

cohort_array cohort_npy_array(const cohort_npy *npy)
{
    return cohort_handle_is(npy, COHORT_HANDLE_NPY)
               ? npy->array
               : (cohort_array){ .dtype = COHORT_U8, .rank = 1 };
}

void cohort_npy_close(cohort_npy *npy)
{
    if (npy == NULL ||
        !cohort_handle_may_destroy(npy, COHORT_HANDLE_NPY, "cohort_npy_close", "the file"))
        return;
    free_array(npy);
    cohort_handle_free(&npy->handle, sizeof *npy, NULL);
}

const char *cohort_npy_member(const cohort_npy *npy, int index)
{
    return cohort_handle_is(npy, COHORT_HANDLE_NPY) && npy->npz != NULL
               ? cohort_npz_name(npy->npz, index)
               : NULL;
}
