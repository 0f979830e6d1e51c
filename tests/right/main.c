/* SPDX-License-Identifier: BSD-3-Clause */
/* The process of tests/right.t: all small programs under one kind of strategy.
 *
 *     right_programs REPLICAS DEVICES FOLDER [NAME]   of this process; one program alone
 *     right_programs workers REPLICAS FOLDER [NAME]   over all processes that mpirun has started
 *     right_programs names                            the programs
 *     right_programs exceptions                       what may differ, how, and why */
#include "config.h"

#include "tests/right/note.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const right_program *const groups[] = { right_values,   right_runs,    right_reduces,
                                               right_gathers,  right_kinds,   right_variables,
                                               right_scatters, right_steps,   right_inputs,
                                               right_datasets, right_sources, right_metrics,
                                               right_programs, right_logical };
enum { GROUPS = sizeof groups / sizeof *groups };

int64_t whole[CELLS];
float real[CELLS];
int32_t ids[ROWS];
static const char *folder;

/* ---- What programs work on. */

static void fill_arrays(void)
{
    for (int i = 0; i < CELLS; i++) {
        whole[i] = (i * 37 + 11) % 101 - 50;
        real[i] = 1.0f / (float)(i * i % 29 + 3) - 0.1f;
    }
    for (int i = 0; i < ROWS; i++)
        ids[i] = i * 7 % 5 % CLASSES;
}

cohort_value *whole_rows(cohort_strategy *s)
{
    return cohort_value_split(s, COHORT_ARRAY(whole, ROWS, COLUMNS));
}

cohort_value *real_rows(cohort_strategy *s)
{
    return cohort_value_split(s, COHORT_ARRAY(real, ROWS, COLUMNS));
}

/* None for the first replica and every second one behind it, where there are several. */
void uneven_counts(const cohort_strategy *s, int64_t counts[MAX_REPLICAS])
{
    const int replicas = cohort_strategy_num_replicas(s);
    int64_t left = ROWS;
    for (int r = 0; r < replicas; r++) {
        counts[r] = r == replicas - 1 ? left : r % 2 == 1 ? 4 + r : 0;
        left -= counts[r];
    }
}

cohort_value *uneven_rows(cohort_strategy *s)
{
    int64_t counts[MAX_REPLICAS];
    uneven_counts(s, counts);
    return cohort_value_split_by(s, COHORT_ARRAY(whole, ROWS, COLUMNS), counts);
}

COHORT_ITEMS(sum_columns, j, d,
             (int64_t n, int64_t d, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t *sum COHORT_SHAPE(d)),
             {
                 sum[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum[j] += x[i * d + j];
             });

cohort_value *own_sums(cohort_strategy *s)
{
    cohort_value *sums = cohort_value_create(s);
    cohort_run(s, sum_columns, uneven_rows(s), sums);
    return sums;
}

const char *own_file(const char *name)
{
    static char path[4096];
    (void)snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof path, "%s/%ld/%s", folder, (long)getpid(), name);
    return path;
}

const char *data_file(const char *name)
{
    static char path[4096];
    const char *srcdir = getenv("srcdir");
    (void)snprintf(path, sizeof path, "%s/tests/data/%s", srcdir != NULL ? srcdir : ".", name);
    return path;
}

/* ---- Running. */

static bool run_one(const right_program *program, const cohort_strategy_options *options)
{
    cohort_strategy *s = cohort_strategy_create(options);
    if (s == NULL) {
        printf("%s failed: %s\n", program->name, cohort_error_text());
        return false;
    }
    note_begin(program->name, s);
    program->run(s);
    bool is_good = note_end(s);
    cohort_strategy_destroy(s);
    return is_good;
}

static int run_all(const cohort_strategy_options *options, const char *only)
{
    bool is_good = true;
    for (size_t i = 0; i < GROUPS; i++)
        for (const right_program *program = groups[i]; program->name != NULL; program++)
            if (only == NULL || strcmp(only, program->name) == 0)
                is_good = run_one(program, options) && is_good;
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int list_names(void)
{
    for (size_t i = 0; i < GROUPS; i++)
        for (const right_program *program = groups[i]; program->name != NULL; program++)
            puts(program->name);
    return EXIT_SUCCESS;
}

static int list_exceptions(void)
{
    for (const right_exception *e = right_exceptions; e->name != NULL; e++)
        printf("%s\t%c\t%s\n", e->name, (char)e->how, e->reason);
    return EXIT_SUCCESS;
}

int main(int n, char *arguments[])
{
    cohort_strategy_options options = { 0 };
    if (n == 2 && strcmp(arguments[1], "names") == 0)
        return list_names();
    if (n == 2 && strcmp(arguments[1], "exceptions") == 0)
        return list_exceptions();
    if (n < 4)
        return 2;
    fill_arrays();
    folder = arguments[3];
    const char *only = n > 4 ? arguments[4] : NULL;
    if (strcmp(arguments[1], "workers") == 0) {
        options.name = "multi-worker-mirrored", options.devices = "host:0";
        options.replicas = (int32_t)strtol(arguments[2], NULL, 10);
    } else {
        options.replicas = (int32_t)strtol(arguments[1], NULL, 10);
        options.devices = arguments[2];
    }
    return options.replicas >= 1 && options.replicas <= MAX_REPLICAS ? run_all(&options, only) : 2;
}
