/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of TFRecord files: as they are, or features of the tf.Example that each is. Features
 * with known extents are decoded straight to where a batch wants them; others to memory of the
 * reader, which grows to the longest seen. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/features.h"
#include "runtime/data/dataset/files.h"
#include "runtime/data/format/example.h"
#include "runtime/data/format/tfrecord.h"

#include <string.h>

static const char call[] = "cohort_dataset_tfrecord";

enum { WHERE_BYTES = COHORT_LIMIT_PATH_BYTES + 64 };

typedef struct tfrecord_settings {
    cohort_feature *features; /* [n]; NULL: records as they are */
    int32_t n;
    bool trust_checksums;
} tfrecord_settings;

typedef struct tfrecord_reader {
    cohort_reader head;
    cohort_bytes *bytes;
    const tfrecord_settings *settings;
    const char *path;
    cohort_array *parts;   /* [n]: what was decoded last */
    size_t *room, *needed; /* [n]: bytes of its memory */
    size_t *fixed;         /* [n]: bytes of a row, where all extents are known */
    void **memory;         /* [n]: of features whose extents are not all known */
} tfrecord_reader;

static const cohort_reader_kind kind;

/* ------------------------------------------------------------------ records */

static cohort_status next_record(tfrecord_reader *r, const uint8_t **out, size_t *out_bytes)
{
    return cohort_tfrecord_next(r->bytes, !r->settings->trust_checksums, out, out_bytes,
                                &r->head.can_go_on);
}

static cohort_status skip_records(cohort_reader *reader, int64_t n, int64_t *out_passed)
{
    tfrecord_reader *r = (tfrecord_reader *)reader;
    reader->can_go_on = false;
    return cohort_tfrecord_skip(r->bytes, !r->settings->trust_checksums, n, out_passed);
}

/* ------------------------------------------------------------------ features */

/* The same failure again, with the place of the record in front: it costs nothing where there is
 * none. */
static cohort_status explain(tfrecord_reader *r, int64_t at, const uint8_t *data, size_t bytes)
{
    char where[WHERE_BYTES];
    const tfrecord_settings *s = r->settings;
    (void)snprintf(where, sizeof where, "%s: record at %sbyte %lld", r->path,
                   cohort_bytes_is_packed(r->bytes) ? "unpacked " : "", (long long)at);
    return cohort_example_decode(data, bytes, s->features, s->n, r->parts, r->room, r->needed,
                                 where);
}

static bool has_room(const tfrecord_reader *r)
{
    bool all = true;
    for (int32_t k = 0; k < r->settings->n; k++)
        all = all && r->needed[k] <= r->room[k];
    return all;
}

/* Never smaller again: the next record is likely to be as long. */
static cohort_status make_room(tfrecord_reader *r)
{
    for (int32_t k = 0; k < r->settings->n; k++) {
        if (r->needed[k] <= r->room[k])
            continue;
        void *memory = cohort_allocate_aligned(r->needed[k], 128);
        if (memory == NULL)
            return cohort_error_memory(r->path);
        cohort_free(r->memory[k]);
        r->parts[k].data = r->memory[k] = memory;
        r->room[k] = r->needed[k];
    }
    return COHORT_OK;
}

/* The next record's features to parts[k].data, where room[k] bytes are; `grows`: to more memory of
 * ours. */
static cohort_status decode_next(tfrecord_reader *r, bool grows)
{
    const tfrecord_settings *s = r->settings;
    const uint8_t *data;
    size_t bytes;
    int64_t at = cohort_bytes_at(r->bytes);
    cohort_status status = next_record(r, &data, &bytes);
    if (status != COHORT_OK)
        return status;
    memset(r->needed, 0, (size_t)s->n * sizeof *r->needed);
    status = cohort_example_decode(data, bytes, s->features, s->n, r->parts, r->room, r->needed,
                                   r->path);
    /* The failure was that there is too little room, and `needed` says how much it takes. */
    if (status < 0 && grows && !has_room(r)) {
        status = make_room(r);
        if (status >= 0)
            status = cohort_example_decode(data, bytes, s->features, s->n, r->parts, r->room,
                                           r->needed, r->path);
    }
    return status == COHORT_EINVAL ? explain(r, at, data, bytes) : status;
}

/* Room is exactly that of the known extents, so decoding refuses a record of any other length. */
static cohort_status copy_features(cohort_reader *reader, int64_t n, void *const into[],
                                   int64_t *out_rows)
{
    tfrecord_reader *r = (tfrecord_reader *)reader;
    cohort_status status = COHORT_OK;
    for (*out_rows = 0; *out_rows < n && status == COHORT_OK; *out_rows += status == COHORT_OK) {
        for (int32_t k = 0; k < r->settings->n; k++) {
            r->parts[k].data = (char *)into[k] + (size_t)*out_rows * r->fixed[k];
            r->room[k] = r->fixed[k];
        }
        status = decode_next(r, false);
    }
    return status < 0 ? status : COHORT_OK;
}

static cohort_status next_any(cohort_reader *reader, cohort_array parts[])
{
    tfrecord_reader *r = (tfrecord_reader *)reader;
    const uint8_t *data = NULL;
    size_t bytes = 0;
    if (r->settings->n == 0) {
        cohort_status status = next_record(r, &data, &bytes);
        parts[0].data = cohort_memory_read_only(data);
        parts[0].shape[0] = (int64_t)bytes;
        return status;
    }
    cohort_status status = decode_next(r, true);
    for (int32_t k = 0; k < r->settings->n && status == COHORT_OK; k++) {
        parts[k].data = r->memory[k] != NULL ? r->memory[k] : r; /* no elements need no memory */
        memcpy(parts[k].shape, r->parts[k].shape, sizeof parts[k].shape);
    }
    return status;
}

/* ------------------------------------------------------------------ opening */

static void close_tfrecord(cohort_reader *reader)
{
    tfrecord_reader *r = (tfrecord_reader *)reader;
    for (int32_t k = 0; r->memory != NULL && k < r->settings->n; k++)
        cohort_free(r->memory[k]);
    cohort_free(r->memory);
    cohort_free(r->parts);
    cohort_free(r->room);
    cohort_free(r->needed);
    cohort_free(r->fixed);
    cohort_bytes_close(r->bytes);
    cohort_free(r);
}

/* A record as it is has bytes of any number; how many records there are only reading tells. */
static void lay_out(const tfrecord_settings *s, cohort_reader_layout *layout)
{
    layout->rows = COHORT_UNKNOWN;
    layout->n = s->n > 0 ? s->n : 1;
    if (s->n == 0)
        layout->specs[0] = (cohort_spec){ .dtype = COHORT_U8, .rank = 1, .shape = { -1 } };
    for (int32_t k = 0; k < s->n; k++)
        layout->specs[k] = cohort_feature_spec(&s->features[k]);
}

static cohort_status allocate_parts(tfrecord_reader *r)
{
    size_t n = (size_t)r->settings->n;
    r->parts = cohort_allocate(n, sizeof *r->parts);
    r->room = cohort_allocate(n, sizeof *r->room);
    r->needed = cohort_allocate(n, sizeof *r->needed);
    r->fixed = cohort_allocate(n, sizeof *r->fixed);
    r->memory = cohort_allocate(n, sizeof *r->memory);
    if (r->parts == NULL || r->room == NULL || r->needed == NULL || r->fixed == NULL ||
        r->memory == NULL)
        return cohort_error_memory(r->path);
    for (size_t k = 0; k < n; k++) {
        cohort_spec spec = cohort_feature_spec(&r->settings->features[k]);
        (void)cohort_spec_bytes(&spec, &r->fixed[k]);
    }
    return COHORT_OK;
}

static cohort_status open_tfrecord(const char *path, const void *settings,
                                   cohort_reader_layout *layout, cohort_reader **out)
{
    tfrecord_reader *r = cohort_reader_allocate(&kind, sizeof *r, path);
    if (r == NULL)
        return COHORT_ENOMEM;
    r->settings = settings;
    r->path = path;
    cohort_status status = cohort_tfrecord_open(path, &r->bytes);
    if (status >= 0)
        status = allocate_parts(r);
    if (status < 0) {
        close_tfrecord(&r->head);
        return status;
    }
    lay_out(settings, layout);
    *out = &r->head;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ making */

static void describe_tfrecord(const void *settings, FILE *out)
{
    const tfrecord_settings *s = settings;
    if (s->trust_checksums)
        (void)fputs(", trust_checksums", out);
    for (int32_t k = 0; k < s->n; k++)
        cohort_feature_describe(&s->features[k], out);
}

static void free_tfrecord(void *settings)
{
    tfrecord_settings *s = settings;
    if (s == NULL)
        return;
    cohort_features_free(s->features, s->n);
    cohort_free(s);
}

static const cohort_dataset_kind node = COHORT_FILES_KIND("tfrecord");

static const cohort_reader_kind kind = { .node = &node,
                                         .call = call,
                                         .open = open_tfrecord,
                                         .close = close_tfrecord,
                                         .copy = copy_features,
                                         .next = next_any,
                                         .skip = skip_records,
                                         .describe = describe_tfrecord,
                                         .free_settings = free_tfrecord };

static cohort_status copy_options(const cohort_tfrecord_options *options, tfrecord_settings *s)
{
    if (options == NULL)
        return COHORT_OK;
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: what is reserved in the options must be zero", call);
    s->trust_checksums = options->trust_checksums;
    if (options->features == NULL && options->n_features == 0)
        return COHORT_OK;
    cohort_status status =
        cohort_features_copy(options->features, options->n_features, call, &s->features);
    s->n = status >= 0 ? options->n_features : 0;
    return status;
}

cohort_dataset *cohort_dataset_tfrecord(const char *const files[], int n,
                                        const cohort_tfrecord_options *options)
{
    tfrecord_settings *s = cohort_allocate(1, sizeof *s);
    cohort_status status = s != NULL ? copy_options(options, s) : cohort_error_memory(call);
    if (status >= 0)
        return cohort_files_make(&kind, files, n, s);
    free_tfrecord(s);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}
