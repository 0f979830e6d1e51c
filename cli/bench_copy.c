/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies: bytes of the program to a variable, which brings them to every device, and back. */
#include "config.h"

#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>

enum { FROM = 32 << 10, TO = 16 << 20, FACTOR = 8, ROWS_OF_A_SIZE = 2 };

typedef struct copy {
    bench *b;
    bench_machine machine;
    cohort_variable *variable;
    uint8_t *source, *back;
    int64_t bytes;
} copy;

/* ------------------------------------------------------------------ what is timed */

static cohort_status assign(void *user, int calls)
{
    const copy *c = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < calls && status >= 0; i++)
        status = cohort_variable_assign(c->variable, COHORT_ARRAY(c->source, c->bytes));
    return status < 0 ? status : cohort_wait(c->machine.strategy);
}

static cohort_status read_back(void *user, int calls)
{
    const copy *c = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < calls && status >= 0; i++)
        status = cohort_variable_read(c->variable, COHORT_ARRAY(c->back, c->bytes));
    return status;
}

static void copy_part(void *user, int thread)
{
    const copy *c = user;
    bench_part part = bench_part_of(c->bytes, thread, c->machine.threads);
    memcpy(&c->back[part.first], &c->source[part.first], (size_t)(part.end - part.first));
}

static cohort_status copy_by_hand(void *user, int calls)
{
    const copy *c = user;
    for (int i = 0; i < calls; i++)
        bench_team_run(c->machine.team, copy_part, user);
    return COHORT_OK;
}

static cohort_status copy_alone(void *user, int calls)
{
    const copy *c = user;
    for (int i = 0; i < calls; i++)
        memcpy(c->back, c->source, (size_t)c->bytes);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ rows */

static int time_row(copy *c, const char *what, bench_fn fn, double seconds)
{
    bench_row *row = bench_add(c->b, BENCH_COPY, what, c->bytes);
    if (row == NULL)
        return EXIT_FAILED;
    row->work = (double)c->bytes;
    const bench_side sides[BENCH_SIDES] = { { fn, c }, { copy_by_hand, c }, { copy_alone, c } };
    return bench_time(&c->machine, sides, seconds, row);
}

/* The bytes that come back have to be those that went there. */
static int time_both(copy *c, double seconds)
{
    int code = time_row(c, "to the devices", assign, seconds / ROWS_OF_A_SIZE);
    if (code != EXIT_OK)
        return code;
    code = time_row(c, "from the devices", read_back, seconds / ROWS_OF_A_SIZE);
    if (code != EXIT_OK || c->b->rows[c->b->n_rows - 1].cohort.n == 0)
        return code;
    memset(c->back, 0, (size_t)c->bytes);
    if (read_back(c, 1) < 0)
        return bench_failed("copy");
    return memcmp(c->source, c->back, (size_t)c->bytes) == 0
               ? EXIT_OK
               : cli_fail(EXIT_FAILED, "bench copy: other bytes come back than went there");
}

static int time_variable(copy *c, double seconds)
{
    c->variable = cohort_variable_create(c->machine.strategy, "bytes",
                                         COHORT_ARRAY(c->source, c->bytes), NULL);
    int code = c->variable != NULL ? time_both(c, seconds) : bench_failed("copy");
    cohort_variable_destroy(c->variable);
    return code;
}

static int time_size(void *user, int64_t size, double seconds)
{
    copy *c = user;
    c->bytes = size;
    c->source = malloc((size_t)size);
    c->back = calloc((size_t)size, 1);
    for (int64_t i = 0; i < size && c->source != NULL; i++)
        c->source[i] = (uint8_t)(i * 31 % 251);
    int code = c->source != NULL && c->back != NULL
                   ? time_variable(c, seconds)
                   : cli_fail(EXIT_FAILED, "bench copy: out of memory");
    free(c->source);
    free(c->back);
    return code;
}

/* The program's two, and of each device two, as writes can be undone, and one on the way. */
static bool has_room(const copy *c, double bytes)
{
    return bench_fits(&c->machine, "copy", bytes * (2 + 3 * c->machine.devices), bytes * 2);
}

int bench_copy(bench *b, double seconds)
{
    copy c = { .b = b };
    int code = bench_open(b, BENCH_COPY, 1, &c.machine);
    if (code != EXIT_OK)
        return code;
    b->limits[BENCH_COPY] = c.machine.team != NULL ? "memcpy, by one thread or by all" : NULL;
    code = has_room(&c, (double)bench_largest(b, TO))
               ? bench_each_size(b, FROM, TO, FACTOR, seconds, time_size, &c)
               : EXIT_FAILED;
    bench_close(&c.machine);
    return code;
}
