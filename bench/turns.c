/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/turns.h"

#include "bench/peers.h"
#include "bench/quiet.h"

#include <errno.h> /* program_invocation_short_name */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_TURNS = 60, MOST_SIDES = 32, MOST_PEER_SIDES = 512, MOST_TEXT = 200 };

/* turns     at least so many quiet ones
 * most      turns in all; then those that were not quiet count too
 * seconds   of a batch of calls; 0: one call */
typedef struct size {
    const char *name;
    int turns, most;
    double seconds;
} size;

static const size sizes[] = {
    { "full", 15, 45, 0.1 },
    { "quick", 9, 15, 0.02 },
    { "tiny", 2, 2, 0 },
};

static const char *table_now; /* NULL: that of the program's name */
static peers_side peer_sides[MOST_PEER_SIDES];
static int n_peer_sides;

static const size *size_now(void)
{
    const char *wanted = getenv("BENCH_SIZE");
    for (size_t i = 0; wanted != NULL && i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(sizes[i].name, wanted) == 0)
            return &sizes[i];
    return &sizes[0];
}

bool turns_are_tiny(void)
{
    return size_now()->seconds <= 0;
}

bool turns_are_quick(void)
{
    return size_now() != &sizes[0];
}

/* ------------------------------------------------------------------ times */

double turns_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double time_calls(const turns_side *side, int calls)
{
    if (side->begin != NULL)
        side->begin(side->bench, calls);
    double start = turns_now();
    for (int i = 0; i < calls; i++)
        side->call(side->bench);
    if (side->finish != NULL)
        side->finish(side->bench);
    return turns_now() - start;
}

/* Calls that take the time of a batch, found by doubling. */
static int calls_of(const turns_side *side, double seconds)
{
    int calls = 1;
    double taken = time_calls(side, calls);
    while (taken < seconds / 8 && calls < 1 << 24) {
        calls *= 2;
        taken = time_calls(side, calls);
    }
    double wanted = taken > 0 ? calls * seconds / taken : calls;
    return wanted < 1 ? 1 : (int)wanted;
}

static double time_turn(const turns_side *side, int calls)
{
    (void)time_calls(side, calls / 4 + 1);
    return time_calls(side, calls) / calls / (side->steps > 0 ? side->steps : 1);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double turns_median(double times[], int n)
{
    qsort(times, (size_t)n, sizeof *times, by_size);
    return times[n / 2];
}

/* ------------------------------------------------------------------ lines */

static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        if ((unsigned char)*text >= ' ')
            fputc(*text, out);
    }
    fputc('"', out);
}

/* Of a program that has no name for its table. */
static const char *table_name(void)
{
    const char *name = program_invocation_short_name;
    return table_now != NULL ? table_now : strncmp(name, "lt-", 3) == 0 ? name + 3 : name;
}

typedef struct line {
    const char *row, *who, *how, *unit;
    double median, min, max, ratio; /* ratio 0: there is none */
    int turns;
    bool is_quiet;
} line;

static void add_json(const line *l)
{
    const char *path = getenv("BENCH_JSON"), *flags = getenv("BENCH_FLAGS");
    FILE *out = path != NULL && *path != '\0' ? fopen(path, "a") : NULL;
    if (out == NULL)
        return;
    const char *const texts[][2] = {
        { "{\"table\": ", table_name() }, { ", \"row\": ", l->row },
        { ", \"who\": ", l->who },        { ", \"how\": ", l->how },
        { ", \"unit\": ", l->unit },      { ", \"flags\": ", flags != NULL ? flags : "" }
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fputs(texts[i][0], out);
        print_text(out, texts[i][1]);
    }
    fprintf(out, ", \"median\": %.9g, \"min\": %.9g, \"max\": %.9g, \"turns\": %d, \"quiet\": %s",
            l->median, l->min, l->max, l->turns, l->is_quiet ? "true" : "false");
    if (l->ratio > 0)
        fprintf(out, ", \"ratio\": %.6g}\n", l->ratio);
    else
        fputs(", \"ratio\": null}\n", out);
    (void)fclose(out);
}

static void print_line(const line *l)
{
    bool is_time = strcmp(l->unit, "s") == 0;
    double scale = is_time ? 1e6 : 1;
    printf("  %-40s %12.3f %-4s (%.3f to %.3f)", l->who, l->median * scale,
           is_time ? "us" : l->unit, l->min * scale, l->max * scale);
    if (l->ratio > 0)
        printf("  %8.3g", l->ratio);
    printf("%s%s%s\n", *l->how != '\0' ? "  " : "", l->how, l->is_quiet ? "" : "  (not quiet)");
    fflush(stdout);
    add_json(l);
}

/* Says the row once, before its first line. */
static void begin_row(const char *row)
{
    static char last[MOST_TEXT];
    if (strncmp(last, row, sizeof last - 1) == 0 && *row != '\0')
        return;
    (void)snprintf(last, sizeof last, "%s", row);
    printf("%s\n", row);
}

void turns_put(const char *row, const char *who, const char *how, const char *unit,
               double figures[], int n, double first)
{
    double median = turns_median(figures, n);
    begin_row(row);
    print_line(&(line){ row, who, how != NULL ? how : "", unit, median, figures[0], figures[n - 1],
                        first > 0 ? median / first : 0, n, true });
}

/* ------------------------------------------------------------------ rows */

void turns_table(const char *table)
{
    table_now = table;
    printf("\n== %s\n", table);
    fflush(stdout);
    n_peer_sides = peers_sides(table, peer_sides, MOST_PEER_SIDES);
}

/* One row while it is measured: own sides first, then those of peers. */
typedef struct running {
    const char *row;
    turns_side *sides;
    const peers_side *peers[MOST_SIDES];
    int own, all;
    int calls[MOST_SIDES];
    bool has_failed[MOST_SIDES];
    double times[MOST_SIDES][MOST_TURNS];
    int turns;
    bool is_quiet;
} running;

static void begin_sides(running *r, turns_side sides[], int n)
{
    double seconds = size_now()->seconds;
    r->sides = sides;
    r->own = r->all = n < MOST_SIDES ? n : MOST_SIDES;
    for (int i = 0; i < r->own; i++) {
        bool is_given = sides[i].calls > 0 && !turns_are_quick();
        r->calls[i] = is_given ? sides[i].calls : seconds > 0 ? calls_of(&sides[i], seconds) : 1;
    }
    for (int i = 0; i < n_peer_sides && r->all < MOST_SIDES; i++)
        if (strcmp(peer_sides[i].row, r->row) == 0)
            r->peers[r->all++] = &peer_sides[i];
    for (int i = r->own; i < r->all; i++) /* what they load, and compile, they do now */
        r->has_failed[i] = peers_time(r->peers[i], 0) < 0;
}

static void take_turn(running *r, int turn, quiet_turn *quiet)
{
    for (int i = 0; i < r->all; i++) {
        if (!turns_are_tiny())
            quiet_rest(quiet);
        if (i < r->own) {
            r->times[i][turn] = time_turn(&r->sides[i], r->calls[i]);
            continue;
        }
        double time = r->has_failed[i] ? -1 : peers_time(r->peers[i], size_now()->seconds);
        r->has_failed[i] = time < 0;
        r->times[i][turn] = time;
    }
}

/* Quiet turns move to the front. */
static void take_turns(running *r)
{
    const size *z = size_now();
    double usual = 0;
    int quiet = 0, turn = 0;
    for (; turn < z->most && quiet < z->turns; turn++) {
        quiet_turn q = quiet_begin();
        take_turn(r, turn, &q);
        bool was_quiet = quiet_end(&q, &usual) || turns_are_tiny();
        for (int i = 0; was_quiet && i < r->all; i++) {
            double time = r->times[i][turn];
            r->times[i][turn] = r->times[i][quiet];
            r->times[i][quiet] = time;
        }
        quiet += was_quiet;
    }
    r->is_quiet = quiet >= z->turns;
    r->turns = r->is_quiet ? quiet : turn;
}

/* Medians of all sides of its own; returns what ratios refer to. */
static double find_limit(running *r)
{
    double limit = 0;
    for (int i = 0; i < r->own; i++) {
        r->sides[i].median = turns_median(r->times[i], r->turns);
        if (r->sides[i].is_limit && (limit <= 0 || r->sides[i].median < limit))
            limit = r->sides[i].median;
    }
    return limit > 0 ? limit : r->sides[0].median;
}

void turns_row(const char *row, turns_side sides[], int n)
{
    static running r;
    memset(&r, 0, sizeof r);
    r.row = row;
    begin_sides(&r, sides, n);
    take_turns(&r);
    begin_row(row);
    double limit = find_limit(&r);
    for (int i = 0; i < r.all; i++) {
        if (r.has_failed[i])
            continue;
        double median = i < r.own ? sides[i].median : turns_median(r.times[i], r.turns);
        const char *who = i < r.own ? sides[i].who : r.peers[i]->who;
        const char *how = i < r.own ? sides[i].how : r.peers[i]->how;
        print_line(&(line){ row, who, how != NULL ? how : "", "s", median, r.times[i][0],
                            r.times[i][r.turns - 1], limit > 0 ? median / limit : 0, r.turns,
                            r.is_quiet });
    }
}

double turns_compare(const char *row, const char *peer, turns_fn ours, turns_fn theirs, void *bench,
                     int calls)
{
    turns_side sides[] = {
        { .who = peer, .call = theirs, .bench = bench, .calls = calls },
        { .who = "cohort", .call = ours, .bench = bench, .calls = calls },
    };
    turns_row(row, sides, 2);
    return sides[1].median / sides[0].median;
}
