/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples: rows of numbers with a class each, read into memory whole, as the demo's network takes
 * them. Every number is checked while it is read, so that a message names its row. */
#include "config.h"

#include "cli/samples_load.h"

#include "cli/cli.h"
#include "cli/one_hot.h"
#include "cli/samples_source.h"
#include "cli/scale.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ numbers */

/* Any number that is no complex one. */
static double number_at(const cohort_array *a, int64_t i)
{
    double number = (double)NAN;
    const char *element = (const char *)a->data + i * cohort_dtype_bytes(a->dtype);
    (void)cohort_dtype_convert(a->dtype, element, COHORT_F64, &number);
    return number;
}

/* ------------------------------------------------------------------ one row */

typedef struct reader {
    const samples_source *source;
    samples *out;
    int64_t room; /* rows that there is memory for */
} reader;

/* The number of rows is told: it is what the user can change. */
static bool refuse_memory(const reader *r)
{
    return cli_fail(EXIT_FAILED, "%s: out of memory for %" PRId64 " rows of %" PRId64 " numbers",
                    r->source->text, r->room, r->out->features),
           false;
}

/* What stands before it in a message: the files, and the number of the row. */
#define REFUSE_ROW(r, format, ...)                                                                 \
    (cli_fail(EXIT_FAILED, "%s: row %" PRId64 " (from 0): " format, (r)->source->text,             \
              (r)->out->rows, __VA_ARGS__),                                                        \
     false)

/* At most INT32_MAX rows, because the order of rows is a list of int32. */
static bool make_room(reader *r)
{
    samples *s = r->out;
    size_t bytes;
    if (s->rows < r->room)
        return true;
    r->room = r->room > 0 ? 2 * r->room : 1024;
    if (r->room > INT32_MAX)
        r->room = INT32_MAX;
    if (s->rows == INT32_MAX ||
        __builtin_mul_overflow((size_t)r->room, (size_t)s->features * sizeof *s->x, &bytes))
        return refuse_memory(r);
    float *x = realloc(s->x, bytes);
    s->x = x != NULL ? x : s->x;
    int32_t *y = x != NULL ? realloc(s->y, (size_t)r->room * sizeof *y) : NULL;
    s->y = y != NULL ? y : s->y;
    return y != NULL || refuse_memory(r);
}

static bool take_label(reader *r, double label)
{
    samples *s = r->out;
    if (!(label >= 0 && label < SAMPLES_MOST_CLASSES && label == floor(label)))
        return REFUSE_ROW(r, "its label is %g; expected an integer from 0 to %d", label,
                          SAMPLES_MOST_CLASSES - 1);
    s->y[s->rows] = (int32_t)label;
    if (s->y[s->rows] >= s->classes)
        s->classes = s->y[s->rows] + 1;
    return true;
}

/* The place of the only 1 among zeros, or -1. */
static double find_one(const cohort_array *a)
{
    int64_t found = -1;
    for (int64_t i = 0, n = cohort_array_items(a); i < n; i++) {
        double x = number_at(a, i);
        if (x != 0 && (x != 1 || found >= 0))
            return -1;
        found = x == 1 ? i : found;
    }
    return (double)found;
}

/* One number, or one-hot. */
static bool take_labels(reader *r, const cohort_array *a)
{
    int64_t n = cohort_array_items(a);
    if (n == 1)
        return take_label(r, number_at(a, 0));
    double label = n > 1 ? find_one(a) : -1;
    if (label < 0)
        return REFUSE_ROW(
            r, "it has %" PRId64 " labels; expected one, or one-hot: a single 1 among zeros", n);
    if (r->out->classes < n && n <= SAMPLES_MOST_CLASSES)
        r->out->classes = n;
    r->out->is_one_hot = true;
    return take_label(r, label);
}

/* As many as there are rows: else a file has changed meanwhile. */
static bool take_listed(reader *r)
{
    const labels *l = &r->source->labels;
    return r->out->rows < l->rows
               ? take_label(r, l->classes[r->out->rows])
               : REFUSE_ROW(r, "%s", "it has no label: do not write to files that are read");
}

/* Single precision: what is finite there is checked after the conversion. */
static bool take_features(reader *r, const cohort_array *a)
{
    samples *s = r->out;
    float *row = &s->x[s->rows * s->features];
    for (int64_t i = 0, n = cohort_array_items(a); i < n; i++) {
        *row = (float)number_at(a, i);
        if (!isfinite(*row++))
            return REFUSE_ROW(
                r, "number %" PRId64 " of it is %g; expected finite numbers of single precision", i,
                number_at(a, i));
    }
    return true;
}

/* The first row decides how many numbers a row has; files need not agree by themselves. */
static bool take_row(reader *r, const cohort_array parts[])
{
    int64_t features = cohort_array_items(&parts[0]);
    if (r->out->rows == 0)
        r->out->features = features;
    if (features < 1 || features > SAMPLES_MOST_FEATURES)
        return REFUSE_ROW(r, "it has %" PRId64 " numbers beside its label; expected 1 to %d",
                          features, SAMPLES_MOST_FEATURES);
    if (features != r->out->features)
        return REFUSE_ROW(r, "it has %" PRId64 " numbers, but the first has %" PRId64, features,
                          r->out->features);
    if (!make_room(r) || !take_features(r, &parts[0]))
        return false;
    if (!(r->source->labels.classes != NULL ? take_listed(r) : take_labels(r, &parts[1])))
        return false;
    r->out->rows++;
    return true;
}

/* ------------------------------------------------------------------ all of them */

static bool read_rows(reader *r, cohort_iterator *it)
{
    cohort_array parts[2];
    cohort_status status;
    while ((status = cohort_iterator_next(it, parts)) == COHORT_OK)
        if (!take_row(r, parts))
            return false;
    return status == COHORT_END || (cli_fail(EXIT_FAILED, "%s", cohort_error_text()), false);
}

/* With one class there is nothing to learn, and mostly the wrong column was taken. */
static bool check_rows(const samples *s, const char *text)
{
    if (s->rows < SAMPLES_LEAST_ROWS)
        return cli_fail(EXIT_FAILED,
                        "%s: %" PRId64 " rows; expected at least %d to train and to test with",
                        text, s->rows, SAMPLES_LEAST_ROWS),
               false;
    for (int64_t i = 1; i < s->rows; i++)
        if (s->y[i] != s->y[0])
            return true;
    return cli_fail(EXIT_FAILED, "%s: all labels are %d; expected two classes or more", text,
                    (int)s->y[0]),
           false;
}

/* Who is right about a label of which others are a part is hardly the network. */
static bool check_one_hot(const samples_source *source, const samples *s)
{
    int64_t columns = source->is_last_label && s->names == NULL ? one_hot_columns(s) : 0;
    if (columns == 0)
        return true;
    cli_fail(EXIT_FAILED,
             "%s: the last %" PRId64
             " columns are a one-hot label: each row has a single 1 there; the last alone is "
             "the label unless --label says otherwise",
             source->text, columns + 1);
    cli_fix("--label %" PRId64 "-%" PRId64 " takes all of them, --label %" PRId64 " the last alone",
            s->features - columns, s->features, s->features);
    return false;
}

/* The names of the classes go from the source to the samples, which live longer. */
static bool read_all(samples_source *source, samples *out)
{
    reader r = { .source = source, .out = out };
    cohort_iterator *it = cohort_dataset_iterate(source->dataset);
    source->dataset = NULL; /* the iterator's */
    bool is_good =
        it != NULL ? read_rows(&r, it) : (cli_fail(EXIT_FAILED, "%s", cohort_error_text()), false);
    cohort_iterator_destroy(it);
    if (is_good && source->labels.classes != NULL && out->rows != source->labels.rows)
        is_good = (cli_fail(EXIT_FAILED,
                            "%s: %" PRId64 " rows, but %" PRId64
                            " labels: do not write to files that are read",
                            source->text, out->rows, source->labels.rows),
                   false);
    if (is_good) { /* each name has a row, and so is a class */
        out->names = source->labels.names;
        source->labels.names = NULL;
        source->labels.n_names = 0;
    }
    return is_good;
}

bool samples_load(const samples_options *options, samples *out, int *out_code)
{
    samples_source source;
    *out_code = EXIT_FAILED;
    if (!samples_source_open(options, &source, out_code))
        return false;
    bool is_good = read_all(&source, out) && check_rows(out, options->files) &&
                   check_one_hot(&source, out) &&
                   scale_samples(out, options->scale, source.is_bytes, options->seed);
    samples_source_close(&source);
    return is_good;
}
