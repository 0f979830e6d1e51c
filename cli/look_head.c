/* SPDX-License-Identifier: BSD-3-Clause */
/* The head of a file: its first elements, written while they are read, so that a head of any length
 * takes the memory of one element. */
#include "config.h"

#include "cli/look_head.h"

#include "cli/look_value.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 64 }; /* of a .npz file, side by side */

/* Where the elements come from, and where they go. */
typedef struct head {
    look *l;
    look_writer writer;
    int n;
    cohort_iterator *sources[MOST_ARRAYS]; /* NULL: at its end */
    const char *names[MOST_ARRAYS];
} head;

/* ------------------------------------------------------------------ sources */

static bool add_source(head *h, const char *array, const char *name)
{
    cohort_iterator *it = look_iterate(h->l, array);
    if (it == NULL)
        return look_fail(h->l);
    h->names[h->n] = name;
    h->sources[h->n++] = it;
    return true;
}

/* Arrays may have different numbers of rows, so each is read on its own. */
static bool open_sources(head *h)
{
    const look_names *parts = &h->l->parts;
    if (h->l->kind.format != FORMAT_NPZ)
        return add_source(h, NULL, parts->n > 0 ? parts->at[0].name : "");
    for (size_t i = 0; i < parts->n && h->n < MOST_ARRAYS; i++)
        if (parts->at[i].wrong == NULL && parts->at[i].spec.rank > 0 &&
            !add_source(h, parts->at[i].name, parts->at[i].name))
            return false;
    return true;
}

/* ------------------------------------------------------------------ tf.Example */

/* Of several strings there are only their sizes to show. */
static void put_feature(head *h, const cohort_array *record, const look_name *feature)
{
    cohort_feature wanted = {
        .name = feature->name, .dtype = feature->spec.dtype, .rank = 1, .shape = { -1 }
    };
    int64_t n = feature->spec.shape[0], room = n * cohort_dtype_bytes(wanted.dtype);
    cohort_array value = { .data = feature->spec.rank == 1 ? malloc((size_t)room + 1) : NULL };
    bool is_there = value.data != NULL &&
                    cohort_read_feature(record->data, record->shape[0], &wanted, room, &value) >= 0;
    if (is_there)
        look_value_put(&h->writer, feature->name, &value,
                       wanted.dtype == COHORT_U8 ? LOOK_BYTES : LOOK_NUMBERS);
    else
        look_value_put_absent(&h->writer, feature->name, n);
    free(value.data);
}

/* Whether the record is an Example; of features with the same name the last one counts. */
static bool put_example(head *h, const cohort_array *record)
{
    look l = { 0 };
    bool is_example = h->l->features.n > 0 && cohort_list_features(record->data, record->shape[0],
                                                                   look_keep, &l.features) >= 0;
    for (size_t i = 0; is_example && i < l.features.n; i++) {
        bool is_last = true;
        for (size_t k = i + 1; k < l.features.n && is_last; k++)
            is_last = strcmp(l.features.at[i].name, l.features.at[k].name) != 0;
        if (is_last)
            put_feature(h, record, &l.features.at[i]);
    }
    look_close(&l);
    return is_example;
}

/* ------------------------------------------------------------------ elements */

static void put_part(head *h, int source, const cohort_array *value)
{
    static const look_style styles[] = {
        [FORMAT_TEXT] = LOOK_TEXT, [FORMAT_RECORDS] = LOOK_BYTES, [FORMAT_TFRECORD] = LOOK_BYTES
    };
    file_format format = h->l->kind.format;
    if (format != FORMAT_TFRECORD || !put_example(h, value))
        look_value_put(&h->writer, h->names[source], value, styles[format]);
}

/* Element `index` of all that have it; false behind the last. */
static bool put_element(head *h, int64_t index)
{
    cohort_array value;
    bool has_begun = false;
    for (int i = 0; i < h->n; i++) {
        cohort_status status =
            h->sources[i] != NULL ? cohort_iterator_next(h->sources[i], &value) : COHORT_END;
        if (status < 0)
            (void)look_fail(h->l);
        if (status == COHORT_OK && !has_begun)
            look_value_begin(&h->writer, index);
        has_begun = has_begun || status == COHORT_OK;
        if (status == COHORT_OK) {
            put_part(h, i, &value);
            continue;
        }
        cohort_iterator_destroy(h->sources[i]);
        h->sources[i] = NULL;
    }
    if (has_begun)
        look_value_end(&h->writer);
    return has_begun;
}

/* Stops at the first element that cannot be read; what came before has been written. */
static void put_head(look *l, int64_t n, json *out)
{
    head h = { .l = l, .writer = { .json = out } };
    if (l->parts.n > 0 && open_sources(&h))
        for (int64_t i = 0; i < n && put_element(&h, i); i++)
            continue;
    for (int i = 0; i < h.n; i++)
        cohort_iterator_destroy(h.sources[i]);
}

void look_head_print(look *l, int64_t n)
{
    put_head(l, n, NULL);
}

void look_head_json(look *l, int64_t n, json *out)
{
    json_array(out, "head");
    put_head(l, n, out);
    json_array_end(out);
}
