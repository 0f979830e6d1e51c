/* SPDX-License-Identifier: BSD-3-Clause */
/* The measurements of cohort bench: rows of calls, timed in turns with the machine's own limit. */
#ifndef COHORT_CLI_BENCH_H
#define COHORT_CLI_BENCH_H

#include "cli/bench_team.h"
#include "cli/cli.h"

typedef enum bench_kind {
    BENCH_LAUNCH = 0,
    BENCH_COPY,
    BENCH_REDUCE,
    BENCH_GEMM,
    BENCH_KINDS
} bench_kind;

enum {
    BENCH_MOST_TURNS = 15,
    BENCH_MOST_ROWS = 128,
    BENCH_MOST_DEVICES = 1024,
    BENCH_TEXT_BYTES = 512
};

/* Seconds of a call, one for each turn, sorted. */
typedef struct bench_times {
    int n;
    double at[BENCH_MOST_TURNS];
} bench_times;

/* what    which call: a static text
 * size    of its data, in the unit of its kind; 0: it has none
 * work    of a call, in bytes or operations; 0: what counts is its time
 * limit   what the machine can do without Cohort; n 0: not known
 * reason  why nothing was measured; "" else */
typedef struct bench_row {
    bench_kind kind;
    const char *what;
    int64_t size;
    double work;
    bool is_task; /* a point of the METG curve */
    bench_times cohort, limit;
    char reason[BENCH_TEXT_BYTES];
} bench_row;

/* The devices of a strategy, as the limit needs them.
 *
 * threads  of the host's devices together; 0 where there are others, whose limit is not known
 * share    of a replica's work that is left for each thread when replicas are shared out: the
 *          largest of all devices */
typedef struct bench_machine {
    cohort_strategy *strategy;
    int replicas, devices, threads;
    double share;
    bench_team *team; /* of so many threads; NULL without a limit */
} bench_machine;

/* kinds, from, to, seconds: as the options say; 0: the usual range. */
typedef struct bench {
    const char *devices, *svg;
    bool wants_json, has_kind[BENCH_KINDS];
    int64_t from, to;
    double seconds;
    int n_kinds, n_rows;
    bench_row rows[BENCH_MOST_ROWS];
    const char *limits[BENCH_KINDS]; /* what the limit of a kind is; static; NULL: not known */
    int replicas[BENCH_KINDS], n_used;
    const cohort_device *used[BENCH_MOST_DEVICES];
} bench;

/* One side of a row: make so many calls, and wait for what they started. */
typedef cohort_status (*bench_fn)(void *user, int calls);
typedef struct bench_side {
    bench_fn fn;
    void *user;
} bench_side;

/* Time the sides in turns for about so many seconds: Cohort, then one or two ways to do the same by
 * hand, of which the faster is the limit; fn NULL: no such way. A row tells that a device does not
 * offer something, and the bench goes on; any other failure is an exit code, after its reason. */
enum { BENCH_SIDES = 3 };
int bench_time(const bench_machine *machine, const bench_side sides[BENCH_SIDES], double seconds,
               bench_row *row);

/* Median, and the time that 95 % of the turns stay below. */
double bench_median(const bench_times *times);
double bench_p95(const bench_times *times);

/* limit / cohort; NaN: not known. */
double bench_efficiency(const bench_row *row);

/* The next row, cleared; NULL after a message when there is no room. */
bench_row *bench_add(bench *b, bench_kind kind, const char *what, int64_t size);

/* Open the strategy of a kind. least: replicas, more than that where there are more devices. An
 * exit code, after a message. */
int bench_open(bench *b, bench_kind kind, int least, bench_machine *out);
void bench_close(bench_machine *machine);

/* Whether so many bytes of the host may be taken, and of each device; false after a message. */
bool bench_fits(const bench_machine *machine, const char *what, double host, double device);

/* Call fn for each size, the last one included where the factor meets it, with its part of the
 * seconds, until one is no EXIT_OK. from, to: where the options say nothing. */
typedef int (*bench_size_fn)(void *user, int64_t size, double seconds);
int bench_each_size(const bench *b, int64_t from, int64_t to, int factor, double seconds,
                    bench_size_fn fn, void *user);

/* The largest of these sizes: what has room there has room everywhere. */
int64_t bench_largest(const bench *b, int64_t to);

/* Part `thread` of n of the elements, for loops that a team shares out. */
typedef struct bench_part {
    int64_t first, end;
} bench_part;
bench_part bench_part_of(int64_t elements, int thread, int n);

/* A call that a row begins with failed: a row with the reason where a device does not offer it;
 * else an exit code, after its reason. */
int bench_not_offered(bench *b, const bench_machine *machine, bench_kind kind, const char *what,
                      cohort_status status);

/* A call failed: say its reason, and return the exit code. */
int bench_failed(const char *what);

/* One kind each: an exit code, after a message. */
int bench_launch(bench *b, double seconds);
int bench_copy(bench *b, double seconds);
int bench_reduce(bench *b, double seconds);
int bench_gemm(bench *b, double seconds);

/* The smallest task that has half of the efficiency, in seconds that it takes alone; between two
 * sizes it lies on a straight line over the logarithm. NaN: no task has it; is_bound: all have, and
 * it is the smallest task that was tried. */
double bench_metg(const bench *b, bool *is_bound);

/* A measurement. */
const char *bench_size_text(const bench_row *row, char *out, size_t size); /* "32 KiB" */
void bench_print_devices(const bench *b);
void bench_print_kind(const bench *b, bench_kind kind);
void bench_print_busy(const bench *b); /* a note where the turns differ much */
void bench_print_json(const bench *b);
void bench_draw(FILE *file, const void *what); /* bench */

extern const char *const bench_names[BENCH_KINDS + 1]; /* ended by NULL */

#endif
