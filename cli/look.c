/* SPDX-License-Identifier: BSD-3-Clause */
/* A look at a file: what stands in its header, or in its first record, and no more; look_check
 * reads the rest. Whatever goes wrong is kept as a text, so that the other files of the command
 * line are still looked at. */
#include "config.h"

#include "cli/look.h"

#include <stdlib.h>
#include <string.h>

/* Keep the reason for the first failure. Returns false. */
static bool refuse(look *l, const char *why)
{
    if (l->error[0] == '\0')
        (void)snprintf(l->error, sizeof l->error, "%s", why);
    return false;
}

/* The library begins with the path. */
bool look_fail(look *l)
{
    const char *text = cohort_error_text();
    size_t bytes = strlen(l->path);
    bool has_path = strncmp(text, l->path, bytes) == 0 && strncmp(text + bytes, ": ", 2) == 0;
    return refuse(l, has_path ? text + bytes + 2 : text);
}

/* ------------------------------------------------------------------ names */

/* A callback of the library, which may be in the middle of a list: names are copied. */
cohort_status look_keep(const char *name, const cohort_spec *what, void *user)
{
    look_names *names = user;
    if (names->n == names->room) {
        size_t room = names->room > 0 ? 2 * names->room : 16;
        look_name *grown = realloc(names->at, room * sizeof *grown);
        if (grown == NULL)
            return COHORT_ENOMEM;
        names->at = grown;
        names->room = room;
    }
    look_name kept = { .name = strdup(name),
                       .wrong = what == NULL ? strdup(cohort_error_text()) : NULL };
    if (what != NULL)
        kept.spec = *what;
    if (kept.name == NULL || (what == NULL && kept.wrong == NULL)) {
        free(kept.name);
        free(kept.wrong);
        return COHORT_ENOMEM;
    }
    names->at[names->n++] = kept;
    return COHORT_OK;
}

int look_find(const look_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->at[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void free_names(look_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        free(names->at[i].name);
        free(names->at[i].wrong);
    }
    free(names->at);
    *names = (look_names){ 0 };
}

/* ------------------------------------------------------------------ the kinds of files */

/* Rows are those of all arrays that have any, where these agree. */
static void count_rows(look *l)
{
    bool has_rows = false;
    for (size_t i = 0; i < l->parts.n; i++) {
        const look_name *part = &l->parts.at[i];
        if (part->wrong != NULL || part->spec.rank == 0)
            continue;
        l->rows = has_rows && l->rows != part->spec.shape[0] ? -1 : part->spec.shape[0];
        if (l->rows < 0)
            return;
        has_rows = true;
    }
}

static bool look_at_arrays(look *l)
{
    if (cohort_list_arrays(l->path, look_keep, &l->parts) < 0)
        return look_fail(l);
    if (l->parts.n == 0) {
        l->kind.format = l->is_said ? l->kind.format : FORMAT_UNKNOWN;
        return refuse(l, l->file.zip);
    }
    count_rows(l);
    return true;
}

/* One whose dtype or rank arrays have not is told by name. */
static cohort_status keep_tensor(look *l, const cohort_checkpoint_tensor *t)
{
    cohort_spec spec = { .dtype = t->dtype, .rank = t->rank };
    if (t->dtype == COHORT_VOID || t->rank > COHORT_MAX_RANK) {
        (void)cohort_error_set(COHORT_ENOTSUP, "%s of %d axes, which arrays have not", t->type,
                               (int)t->rank);
        return look_keep(t->name, NULL, &l->parts);
    }
    for (int32_t i = 0; i < t->rank; i++)
        spec.shape[i] = t->shape[i];
    return look_keep(t->name, &spec, &l->parts);
}

static bool look_at_tensors(look *l)
{
    cohort_checkpoint_tensor t;
    cohort_checkpoint *c = cohort_checkpoint_open(l->path);
    if (c == NULL)
        return look_fail(l);
    bool is_good = true;
    for (int i = 0; is_good && cohort_checkpoint_tensor_at(c, i, &t); i++)
        is_good = keep_tensor(l, &t) >= 0 || refuse(l, "out of memory");
    cohort_checkpoint_close(c);
    return is_good;
}

/* Of the only part, whose rows only reading tells. */
static void set_rows(look *l, int64_t rows)
{
    l->rows = l->parts.at[0].spec.shape[0] = rows;
}

/* Of an element with the rows before it. */
static bool keep_part(look *l, const cohort_spec *element, const char *name)
{
    cohort_spec whole = *element;
    if (whole.rank == COHORT_MAX_RANK)
        return refuse(l, "it has more than 8 axes");
    memmove(&whole.shape[1], whole.shape, (COHORT_MAX_RANK - 1) * sizeof *whole.shape);
    whole.shape[0] = l->rows;
    whole.rank++;
    return look_keep(name, &whole, &l->parts) >= 0 || refuse(l, "out of memory");
}

/* Of a table, lines or records only reading to the end tells how many there are, and that is not
 * done here. */
static bool look_at_source(look *l, const char *name)
{
    cohort_spec element;
    cohort_dataset *d = file_format_open(l->path, &l->kind, NULL);
    if (d == NULL)
        return look_fail(l);
    cohort_dataset_element_spec(d, &element, 1);
    l->rows = cohort_dataset_cardinality(d);
    if (l->rows < 0)
        l->rows = -1;
    cohort_dataset_destroy(d);
    return keep_part(l, &element, name);
}

/* Names that are all empty mean that there was no header. */
static bool look_at_columns(look *l)
{
    table_reading reading;
    const cohort_csv_options *options = table_options_csv(&l->kind.table, &reading);
    if (cohort_list_columns(l->path, options, look_keep, &l->columns) < 0)
        return look_fail(l);
    bool has_header = false;
    l->n_columns = (int64_t)l->columns.n;
    for (size_t i = 0; i < l->columns.n; i++)
        has_header = has_header || l->columns.at[i].name[0] != '\0';
    if (!has_header)
        free_names(&l->columns);
    return look_at_source(l, "");
}

/* NULL with the library's text, for the caller to keep by look_fail. */
cohort_iterator *look_iterate(look *l, const char *array)
{
    cohort_dataset *d = file_format_open(l->path, &l->kind, array);
    return d != NULL ? cohort_dataset_iterate(d) : NULL;
}

/* A record that is no Example is fine too. One that looks like it, and has lists that would be left
 * out, is told, unless the records are asked for as such. */
static bool look_at_features(look *l, const cohort_array *record)
{
    cohort_status status =
        cohort_list_features(record->data, record->shape[0], look_keep, &l->features);
    if (status < 0)
        free_names(&l->features);
    return status != COHORT_ENOTSUP || l->is_said ||
           refuse(l, "its first record is a tf.SequenceExample, whose lists of features are not "
                     "read: write the numbers of all steps as one feature of a tf.Example; "
                     "--format tfrecord reads the records as bytes");
}

static bool look_at_first_record(look *l)
{
    cohort_array record;
    cohort_iterator *it = look_iterate(l, NULL);
    cohort_status status = it != NULL ? cohort_iterator_next(it, &record) : COHORT_EINVAL;
    bool is_good = status >= 0 || look_fail(l);
    if (status == COHORT_END)
        set_rows(l, 0);
    if (status == COHORT_OK)
        is_good = look_at_features(l, &record);
    cohort_iterator_destroy(it);
    return is_good;
}

static bool look_at(look *l)
{
    if (l->kind.table.is_given && l->kind.format != FORMAT_CSV)
        return refuse(
            l,
            "--columns, --header, --separator and --missing are for CSV files, and this is none");
    switch (l->kind.format) {
    case FORMAT_NPY:
    case FORMAT_NPZ:
        return look_at_arrays(l);
    case FORMAT_SAFETENSORS:
        return look_at_tensors(l);
    case FORMAT_CSV:
        return look_at_columns(l);
    case FORMAT_TFRECORD:
        return look_at_source(l, "record") && look_at_first_record(l);
    case FORMAT_TEXT:
        return look_at_source(l, "line");
    case FORMAT_RECORDS:
        return look_at_source(l, "record");
    default:
        return look_at_source(l, "");
    }
}

void look_open(look *out, const char *path, const file_kind *kind)
{
    *out = (look){
        .path = path, .kind = *kind, .is_said = kind->format != FORMAT_UNKNOWN, .rows = -1
    };
    const char *wrong = file_format_find(path, &out->kind, &out->file);
    if (wrong == NULL) {
        (void)look_at(out);
        return;
    }
    size_t bytes = strlen(path);
    bool has_path = strncmp(wrong, path, bytes) == 0 && strncmp(wrong + bytes, ": ", 2) == 0;
    (void)refuse(out, has_path ? wrong + bytes + 2 : wrong);
}

void look_close(look *l)
{
    free_names(&l->parts);
    free_names(&l->columns);
    free_names(&l->features);
}

/* ------------------------------------------------------------------ reading all of it */

/* The number of elements, -1 after a failure. */
static int64_t count_to_end(look *l)
{
    cohort_array element;
    int64_t rows = 0;
    cohort_iterator *it = look_iterate(l, NULL);
    cohort_status status = it != NULL ? COHORT_OK : COHORT_EINVAL;
    while (status == COHORT_OK && (status = cohort_iterator_next(it, &element)) == COHORT_OK)
        rows++;
    if (status < 0)
        (void)look_fail(l);
    cohort_iterator_destroy(it);
    return status < 0 ? -1 : rows;
}

/* The first that cannot be read ends it. */
static cohort_status check_array(const char *name, const cohort_spec *what, void *user)
{
    (void)name;
    if (what != NULL)
        return COHORT_OK;
    (void)look_fail(user);
    return COHORT_EINVAL;
}

/* By the library, which also compares the checksums of a zip. */
static bool check_arrays(look *l)
{
    if (cohort_check_arrays(l->path, check_array, l) >= 0)
        return true;
    return l->error[0] != '\0' ? false : look_fail(l);
}

/* One without a checksum, as others write it, can be read, or not. */
static bool read_tensor(const cohort_checkpoint *c, const cohort_checkpoint_tensor *t)
{
    void *bytes = (uint64_t)t->bytes < SIZE_MAX ? malloc((size_t)t->bytes + 1) : NULL;
    const cohort_array into = { .data = bytes,
                                .dtype = t->dtype,
                                .rank = 1,
                                .shape = { t->item_bytes > 0 ? t->bytes / t->item_bytes : 0 },
                                .item_bytes = t->item_bytes };
    if (bytes == NULL)
        (void)cohort_error_set(COHORT_ENOMEM, "out of memory for '%s'", t->name);
    bool is_read = bytes != NULL && (t->dtype == COHORT_VOID ||
                                     cohort_checkpoint_read(c, t->name, into) == COHORT_OK);
    free(bytes);
    return is_read;
}

static bool check_tensors(look *l)
{
    cohort_checkpoint_tensor t;
    cohort_checkpoint *c = cohort_checkpoint_open(l->path);
    bool is_good = c != NULL;
    for (int i = 0; is_good && cohort_checkpoint_tensor_at(c, i, &t); i++)
        is_good = t.has_crc ? cohort_checkpoint_check(c, t.name) == COHORT_OK : read_tensor(c, &t);
    cohort_checkpoint_close(c);
    return is_good || look_fail(l);
}

/* Of which nothing was read may be another file than it is taken for. */
static bool has_element(look *l)
{
    bool has = false;
    for (size_t i = 0; i < l->parts.n && !has; i++) {
        const cohort_spec *spec = &l->parts.at[i].spec;
        int axis = 0;
        while (axis < spec->rank && spec->shape[axis] > 0)
            axis++;
        has = axis == spec->rank;
    }
    return has || refuse(l, "nothing was read: no array in it has an element");
}

static bool check_rows(look *l)
{
    int64_t rows = count_to_end(l);
    if (rows >= 0)
        set_rows(l, rows);
    if (rows != 0)
        return rows > 0;
    return refuse(l, l->kind.format == FORMAT_CSV
                         ? "nothing was read: no row follows the names of its columns"
                         : "nothing was read: it is empty");
}

/* A file that could not be looked at is not checked: its first error is the answer. */
void look_check(look *l)
{
    bool has_arrays = l->kind.format == FORMAT_NPY || l->kind.format == FORMAT_NPZ;
    if (l->error[0] != '\0')
        return;
    if (l->kind.format == FORMAT_SAFETENSORS)
        l->is_checked = check_tensors(l);
    else
        l->is_checked = has_arrays ? check_arrays(l) && has_element(l) : check_rows(l);
}
