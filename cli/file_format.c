/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of files. The first bytes count before the name, since names are often wrong and magic
 * numbers hardly ever; a text has no magic number, so that the name comes before what its
 * characters look like. */
#include "config.h"

#include "cli/file_format.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/file_peek.h"
#include "cli/foreign.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [FORMAT_UNKNOWN] = "unknown",   [FORMAT_NPY] = "npy",
    [FORMAT_NPZ] = "npz",           [FORMAT_IDX] = "idx",
    [FORMAT_TFRECORD] = "tfrecord", [FORMAT_CSV] = "csv",
    [FORMAT_TEXT] = "text",         [FORMAT_SAFETENSORS] = "safetensors",
    [FORMAT_RECORDS] = "records",
};
enum { FORMATS = sizeof names / sizeof *names };

const char *file_format_name(file_format format)
{
    return names[format];
}

/* records:BYTES is the one format whose name says more than the format. */
bool file_format_read(const char *text, file_kind *out)
{
    uint64_t bytes;
    out->format = FORMAT_UNKNOWN;
    if (strncmp(text, "records:", strlen("records:")) == 0) {
        if (!cli_integer("--format records:BYTES", text + strlen("records:"), 1, INT32_MAX, &bytes))
            return false;
        out->format = FORMAT_RECORDS;
        out->record_bytes = (int64_t)bytes;
        return true;
    }
    for (int i = FORMAT_UNKNOWN + 1; i < FORMAT_RECORDS; i++)
        if (strcmp(text, names[i]) == 0)
            out->format = (file_format)i;
    if (out->format == FORMAT_UNKNOWN)
        cli_fail(EXIT_USAGE,
                 "--format %s: expected npy, npz, idx, tfrecord, csv, text, safetensors or "
                 "records:BYTES",
                 text);
    return out->format != FORMAT_UNKNOWN;
}

/* ------------------------------------------------------------------ from its bytes */

static uint32_t little_endian(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* CRC-32C of few bytes, bit by bit, and the mask of TFRecord. Source: RFC 3720, appendix B.4;
 * TensorFlow's guide "TFRecord and tf.train.Example". */
static uint32_t masked_crc(const uint8_t *p, size_t n)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    }
    crc = ~crc;
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

/* The length of the first record has a checksum of its own, which another file meets by accident
 * once in 2^32. */
static bool is_tfrecord(const uint8_t *p, size_t n)
{
    return n >= 12 && masked_crc(p, 8) == little_endian(p + 8);
}

/* Two zero bytes, the type, the number of axes. The format has no magic number but these four
 * bytes, and a text has no zero byte. */
static bool is_idx(const uint8_t *p, size_t n)
{
    static const uint8_t types[] = { 8, 9, 11, 12, 13, 14 };
    return n >= 4 && p[0] == 0 && p[1] == 0 && memchr(types, p[2], sizeof types) != NULL &&
           p[3] >= 1 && p[3] <= COHORT_MAX_RANK;
}

/* The length of a JSON object that follows. */
static bool is_safetensors(const file_peek *peek)
{
    const uint8_t *p = peek->bytes;
    return peek->n >= 10 && p[8] == '{' && little_endian(p + 4) == 0 &&
           little_endian(p) + INT64_C(8) <= peek->file_bytes;
}

/* Also of a file that is shorter than the magic number. */
static bool begins_with(const file_peek *peek, const char *magic)
{
    return peek->n >= strlen(magic) && memcmp(peek->bytes, magic, strlen(magic)) == 0;
}

static file_format format_of_bytes(const file_peek *peek)
{
    if (begins_with(peek, "\x93NUMPY"))
        return FORMAT_NPY;
    if (begins_with(peek, "PK\x03\x04") || begins_with(peek, "PK\x05\x06"))
        return FORMAT_NPZ;
    if (is_tfrecord(peek->bytes, peek->n))
        return FORMAT_TFRECORD;
    if (is_safetensors(peek))
        return FORMAT_SAFETENSORS;
    return is_idx(peek->bytes, peek->n) ? FORMAT_IDX : FORMAT_UNKNOWN;
}

/* ------------------------------------------------------------------ from its name */

/* In any case: names of files come from people. */
static bool ends_with(const char *name, size_t bytes, const char *end)
{
    size_t length = strlen(end);
    return bytes >= length && ascii_begins(name + bytes - length, end);
}

/* .gz does not count; files of a set of several go on behind .tfrecord. */
static file_format format_of_name(const char *path)
{
    static const struct {
        const char *end;
        file_format format;
    } ends[] = { { ".npy", FORMAT_NPY },
                 { ".npz", FORMAT_NPZ },
                 { ".idx", FORMAT_IDX },
                 { "-ubyte", FORMAT_IDX },
                 { ".ubyte", FORMAT_IDX },
                 { ".tfrecord", FORMAT_TFRECORD },
                 { ".tfrecords", FORMAT_TFRECORD },
                 { ".tfrec", FORMAT_TFRECORD },
                 { ".safetensors", FORMAT_SAFETENSORS },
                 { ".csv", FORMAT_CSV },
                 { ".tsv", FORMAT_CSV },
                 { ".txt", FORMAT_TEXT },
                 { ".text", FORMAT_TEXT },
                 { ".log", FORMAT_TEXT } };
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t bytes = strlen(name);
    if (ends_with(name, bytes, ".gz"))
        bytes -= strlen(".gz");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(name, bytes, ends[i].end))
            return ends[i].format;
    return strstr(name, ".tfrecord-") != NULL ? FORMAT_TFRECORD : FORMAT_UNKNOWN;
}

/* ------------------------------------------------------------------ from its text */

/* Lines of numbers with the same separators; a first line of names is one more. */
static bool is_number(const char *text, size_t bytes)
{
    return bytes == 0 ||
           (strspn(text, " 0123456789.+-eE\r") >= bytes && strcspn(text, "0123456789") < bytes);
}

/* Two fields at least: one number in a line is no table. */
static bool are_numbers(const char *line, size_t bytes, char separator)
{
    size_t fields = 1;
    for (const char *at = line, *end = line + bytes, *next; at <= end; at = next + 1, fields++) {
        next = memchr(at, separator, (size_t)(end - at));
        if (next == NULL)
            return fields > 1 && is_number(at, (size_t)(end - at));
        if (!is_number(at, (size_t)(next - at)))
            return false;
    }
    return false;
}

static bool is_csv(const char *text)
{
    static const char separators[] = ",;\t ";
    static const char line_ends[] = "\r\n";
    size_t first = strcspn(text, line_ends), second = first + strspn(text + first, line_ends);
    const char *line = text[second] != '\0' ? text + second : text;
    size_t length = strcspn(line, line_ends);
    bool has_digit = strcspn(line, "0123456789") < length;
    for (const char *separator = separators; *separator != '\0' && has_digit; separator++)
        if (memchr(text, *separator, first) != NULL && are_numbers(line, length, *separator))
            return true;
    return false;
}

static file_format format_of_text(const file_peek *peek)
{
    if (!file_peek_is_text(peek))
        return FORMAT_UNKNOWN;
    return is_csv((const char *)peek->bytes) ? FORMAT_CSV : FORMAT_TEXT;
}

/* ------------------------------------------------------------------ the whole */

/* Options for tables make a table of a text: nobody gives them for anything else. */
const char *file_format_find(const char *path, file_kind *kind, file_look *out)
{
    file_peek peek;
    const char *wrong = file_peek_open(path, &peek);
    *out = (file_look){ peek.file_bytes, peek.is_packed, foreign_zip(&peek) };
    if (wrong != NULL || kind->format != FORMAT_UNKNOWN)
        return wrong;
    kind->format = format_of_bytes(&peek);
    if (kind->format == FORMAT_UNKNOWN)
        wrong = foreign_find(&peek);
    if (wrong != NULL)
        return wrong;
    if (kind->format == FORMAT_UNKNOWN)
        kind->format = format_of_name(path);
    if (kind->format == FORMAT_UNKNOWN && peek.n == 0)
        return "the file is empty";
    if (kind->format == FORMAT_UNKNOWN)
        kind->format = format_of_text(&peek);
    if (kind->format == FORMAT_TEXT && kind->table.is_given)
        kind->format = FORMAT_CSV;
    return kind->format != FORMAT_UNKNOWN ? NULL
                                          : "neither its first bytes nor its name tell what it is; "
                                            "--format NAME says it, records:BYTES for "
                                            "records of a fixed length";
}

/* Elements as they lie there, without a component or feature chosen. */
cohort_dataset *file_format_open(const char *path, const file_kind *kind, const char *array)
{
    table_reading reading;
    switch (kind->format) {
    case FORMAT_NPY:
        return cohort_dataset_npy(&path, 1);
    case FORMAT_NPZ:
        return cohort_dataset_npz(&path, 1, &array, 1);
    case FORMAT_IDX:
        return cohort_dataset_idx(&path, 1);
    case FORMAT_TFRECORD:
        return cohort_dataset_tfrecord(&path, 1, NULL);
    case FORMAT_CSV:
        return cohort_dataset_csv(&path, 1, table_options_csv(&kind->table, &reading));
    case FORMAT_TEXT:
        return cohort_dataset_text(&path, 1);
    case FORMAT_SAFETENSORS:
        (void)cohort_error_set(COHORT_ENOTSUP,
                               "%s: the tensors of a safetensors file have no rows in common: a "
                               "program takes them with cohort_checkpoint_restore or _read",
                               path);
        return NULL;
    default:
        return cohort_dataset_records(&path, 1, kind->record_bytes, 0, 0);
    }
}

/* ------------------------------------------------------------------ lists */

/* Copies, because an element lasts until the next one is asked for. */
static bool copy_names(cohort_iterator *it, char **list, int64_t n)
{
    cohort_array name;
    for (int64_t i = 0; i < n; i++) {
        if (cohort_iterator_next(it, &name) != COHORT_OK)
            return false;
        list[i] = strndup(name.data, (size_t)name.shape[0]);
        if (list[i] == NULL)
            return false;
    }
    return true;
}

/* By the library, so that a pattern finds here what a dataset of it would read; ended by NULL. */
char **file_format_list(const char *const files[], int n)
{
    cohort_dataset *d = cohort_dataset_list_files(files, n);
    int64_t found = cohort_dataset_cardinality(d);
    cohort_iterator *it = d != NULL ? cohort_dataset_iterate(d) : NULL;
    char **list = it != NULL ? calloc((size_t)found + 1, sizeof *list) : NULL;
    bool is_good = list != NULL && copy_names(it, list, found);
    cohort_iterator_destroy(it);
    if (is_good)
        return list;
    file_format_list_free(list);
    return NULL;
}

void file_format_list_free(char **list)
{
    for (char **name = list; name != NULL && *name != NULL; name++)
        free(*name);
    free(list);
}
