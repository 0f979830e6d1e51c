/* SPDX-License-Identifier: BSD-3-Clause */
/* Scales: numbers brought to a size that a network learns from. What is measured is measured on the
 * rows to train with alone, as always, or the test rows would take part in the training. */
#include "config.h"

#include "cli/scale.h"

#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [SCALE_AUTO] = "auto", [SCALE_NONE] = "none", [SCALE_COLUMNS] = "columns", [SCALE_MAX] = "max"
};
enum { LARGEST_BYTE = 255 };

bool scale_read(const char *text, scale_kind *out)
{
    for (int kind = SCALE_NONE; kind <= SCALE_MAX; kind++)
        if (strcmp(text, names[kind]) == 0) {
            *out = (scale_kind)kind;
            return true;
        }
    return cli_fail(EXIT_USAGE, "--scale %s: expected none, columns or max", text), false;
}

const char *scale_name(scale_kind kind)
{
    return names[kind];
}

const char *scale_text(const samples *s, char *out, size_t size)
{
    if (s->scale == SCALE_MAX)
        (void)snprintf(out, size, "max, all numbers divided by %g", (double)s->largest);
    else
        (void)snprintf(out, size, "%s",
                       s->scale == SCALE_NONE
                           ? "none, numbers as they are"
                           : "columns, each to mean 0 and deviation 1 of the rows to train with");
    return out;
}

/* ------------------------------------------------------------------ which */

static bool are_small_integers(const samples *s)
{
    for (int64_t i = 0; i < s->rows * s->features; i++)
        if (!(s->x[i] >= 0 && s->x[i] <= LARGEST_BYTE && s->x[i] == floorf(s->x[i])))
            return false;
    return true;
}

/* Pixels are divided, so that their zeros stay zeros; columns of a table have sizes of their
 * own. */
static scale_kind choose(const samples *s, scale_kind wanted, bool is_bytes)
{
    if (wanted != SCALE_AUTO)
        return wanted;
    return is_bytes || are_small_integers(s) ? SCALE_MAX : SCALE_COLUMNS;
}

/* ------------------------------------------------------------------ max */

/* 1 where all are zero, since it is divided by. */
static float find_largest(const samples *s, const int32_t *order)
{
    float largest = 0;
    for (int64_t i = 0; i < samples_training_rows(s); i++)
        for (int64_t k = 0; k < s->features; k++)
            largest = fmaxf(largest, fabsf(s->x[order[i] * s->features + k]));
    return largest > 0 ? largest : 1;
}

static void divide(samples *s)
{
    for (int64_t i = 0; i < s->rows * s->features; i++)
        s->x[i] /= s->largest;
}

/* ------------------------------------------------------------------ columns */

typedef struct column {
    double mean, deviation;
} column;

/* Two passes: the squares of large numbers that differ by little say nothing. Row by row, as they
 * lie there. */
static void measure(const samples *s, const int32_t *order, column *columns)
{
    int64_t rows = samples_training_rows(s);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < s->features; k++)
            columns[k].mean += (double)s->x[order[i] * s->features + k] / (double)rows;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < s->features; k++) {
            double apart = (double)s->x[order[i] * s->features + k] - columns[k].mean;
            columns[k].deviation += apart * apart / (double)rows;
        }
    for (int64_t k = 0; k < s->features; k++)
        columns[k].deviation = sqrt(columns[k].deviation);
}

/* Of one number only rounding is left, which is not worth magnifying. */
static float standard(double x, const column *c)
{
    return c->deviation <= 1e-7 * fabs(c->mean) ? 0 : (float)((x - c->mean) / c->deviation);
}

static bool standardise(samples *s, const int32_t *order)
{
    column *columns = calloc((size_t)s->features, sizeof *columns);
    if (columns == NULL)
        return cli_fail(EXIT_FAILED, "out of memory"), false;
    measure(s, order, columns);
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t k = 0; k < s->features; k++)
            s->x[i * s->features + k] = standard((double)s->x[i * s->features + k], &columns[k]);
    free(columns);
    return true;
}

/* The split is that of the training, by the same seed. */
bool scale_samples(samples *s, scale_kind wanted, bool is_bytes, uint64_t seed)
{
    int32_t *order = malloc((size_t)s->rows * sizeof *order);
    if (order == NULL)
        return cli_fail(EXIT_FAILED, "out of memory"), false;
    samples_split(s, &seed, order);
    s->scale = choose(s, wanted, is_bytes);
    s->largest = is_bytes ? LARGEST_BYTE : find_largest(s, order);
    if (s->scale == SCALE_MAX)
        divide(s);
    bool is_good = s->scale != SCALE_COLUMNS || standardise(s, order);
    free(order);
    return is_good;
}
