/* SPDX-License-Identifier: BSD-3-Clause */
/* The digits that come with Cohort, read by the few rules that their file follows: anything else in
 * it is damage, told with the number of the line. */
#include "config.h"

#include "cli/digits.h"

#include "cli/cli.h"
#include "cli/installed.h"
#include "examples/nn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 100000, MOST_PIXEL = 16 };

/* A number of 0 to 99 and the character after it; -1 when it is none. Two digits at most: no cell
 * of the file is larger, and no number can overflow. */
static int read_cell(FILE *file, int *out_end)
{
    int number = -1, c = getc(file);
    for (int length = 0; c >= '0' && c <= '9' && length < 2; length++, c = getc(file))
        number = (number < 0 ? 0 : number * 10) + (c - '0');
    *out_end = c;
    return number;
}

static bool read_row(FILE *file, float *pixels, int32_t *label)
{
    int end;
    for (int j = 0; j < NN_PIXELS; j++) {
        int number = read_cell(file, &end);
        if (number < 0 || number > MOST_PIXEL || end != ',')
            return false;
        pixels[j] = (float)number / MOST_PIXEL;
    }
    *label = read_cell(file, &end);
    if (end == '\r')
        end = getc(file);
    return *label >= 0 && *label < NN_CLASSES && (end == '\n' || end == EOF);
}

/* A line end behind the last row makes no further row. */
static bool at_end(FILE *file)
{
    int c = getc(file);
    return c == EOF || ungetc(c, file) == EOF;
}

/* Rows read, or minus the number of the first line that is wrong. */
static int64_t read_rows(FILE *file, samples *out)
{
    int64_t rows = 0;
    for (; !at_end(file); rows++)
        if (rows == MOST_ROWS || !read_row(file, &out->x[rows * NN_PIXELS], &out->y[rows]))
            return -(rows + 1);
    return rows;
}

static bool complain(const char *path, int64_t rows)
{
    if (rows < 0)
        cli_fail(EXIT_FAILED,
                 "%s, line %lld: expected 64 pixels of 0 to 16 and a digit, and at most %d lines",
                 path, (long long)-rows, MOST_ROWS);
    else
        cli_fail(EXIT_FAILED, "%s: %lld images, expected at least %d", path, (long long)rows,
                 SAMPLES_LEAST_ROWS);
    return false;
}

/* Memory for all that the file may have is taken at once; what is not touched costs nothing. */
bool digits_load(samples *out)
{
    char path[4096];
    FILE *file = installed_open("digits.csv", path, sizeof path);
    if (file == NULL) {
        cli_fail(EXIT_FAILED, "%s: %s", path, strerror(errno));
        cli_fix("set COHORT_DATA_PATH to the folder that has digits.csv; in the sources it is "
                "examples/data");
        return false;
    }
    *out = (samples){ .features = NN_PIXELS,
                      .classes = NN_CLASSES,
                      .x = malloc(sizeof(float) * MOST_ROWS * NN_PIXELS),
                      .y = malloc(sizeof(int32_t) * MOST_ROWS) };
    if (out->x == NULL || out->y == NULL) {
        fclose(file);
        return cli_fail(EXIT_FAILED, "out of memory"), false;
    }
    out->rows = read_rows(file, out);
    bool is_read = !ferror(file);
    fclose(file);
    if (!is_read)
        return cli_fail(EXIT_FAILED, "%s: it cannot be read", path), false;
    return out->rows >= SAMPLES_LEAST_ROWS || complain(path, out->rows);
}
