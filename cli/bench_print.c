/* SPDX-License-Identifier: BSD-3-Clause */
/* The measurements as a table with bars, and as JSON. */
#include "config.h"

#include "cli/bench.h"
#include "cli/colour.h"
#include "cli/json.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BAR = 20, PERCENT = 100 };

const char *bench_size_text(const bench_row *row, char *out, size_t size)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    int64_t bytes = row->size, unit = 0;
    if (row->kind == BENCH_LAUNCH)
        (void)snprintf(out, size, "%" PRId64 " item%s", row->size, row->size == 1 ? "" : "s");
    else if (row->kind == BENCH_GEMM)
        (void)snprintf(out, size, "%" PRId64 " x %" PRId64, row->size, row->size);
    else {
        for (; bytes >= 1024 && bytes % 1024 == 0 && unit < 4; unit++)
            bytes /= 1024;
        (void)snprintf(out, size, "%" PRId64 " %s", bytes, units[unit]);
    }
    return out;
}

/* ------------------------------------------------------------------ table */

/* Microseconds, or 10^9 bytes or operations per second. */
static void print_figure(const bench_row *row, double seconds)
{
    if (isnan(seconds))
        printf(" %12s", "-");
    else if (row->work > 0)
        printf(" %12.2f", row->work / seconds / 1e9);
    else
        printf(" %12.2f", seconds * 1e6);
}

static void print_bar(double efficiency)
{
    char bar[BAR + 1] = "";
    int length = (int)lround(fmin(efficiency, 1) * BAR);
    memset(bar, '#', (size_t)length);
    bar[length] = '\0';
    printf(" %7.0f %%  ", efficiency * PERCENT);
    colour_print(efficiency >= 0.5 ? COLOUR_GOOD : COLOUR_NOTE, bar);
}

static void print_row(const bench_row *row)
{
    char size[64] = "", what[128];
    if (row->size > 0)
        (void)bench_size_text(row, size, sizeof size);
    (void)snprintf(what, sizeof what, "%s%s%s", row->what, row->size > 0 ? ", " : "", size);
    printf("  %-28s", what);
    if (row->reason[0] != '\0') {
        printf(" not offered: ");
        visible_print(stdout, row->reason, strlen(row->reason));
        printf("\n");
        return;
    }
    print_figure(row, bench_median(&row->cohort));
    print_figure(row, row->cohort.at[0]);
    print_figure(row, bench_p95(&row->cohort));
    print_figure(row, bench_median(&row->limit));
    if (row->limit.n > 0)
        print_bar(bench_efficiency(row));
    printf("\n");
}

static void print_metg(const bench *b)
{
    bool is_bound;
    double metg = bench_metg(b, &is_bound);
    if (isnan(metg))
        printf("  METG(50 %%): no task of these has half of the efficiency\n");
    else
        printf("  METG(50 %%): %s%.2f us; smaller tasks spend more than half of their time on "
               "being launched\n",
               is_bound ? "at most " : "", metg * 1e6);
}

void bench_print_kind(const bench *b, bench_kind kind)
{
    static const char *const units[] = { "us", "GB/s", "GB/s", "GFLOP/s" };
    printf("\n%s, %d replica%s; limit: %s\n", bench_names[kind], b->replicas[kind],
           b->replicas[kind] == 1 ? "" : "s",
           b->limits[kind] != NULL ? b->limits[kind] : "not known");
    printf("  %-28s %12s %12s %12s %12s %9s\n", units[kind], "median", "best", "95 %", "limit",
           "reached");
    for (int i = 0; i < b->n_rows; i++)
        if (b->rows[i].kind == kind)
            print_row(&b->rows[i]);
    if (kind == BENCH_LAUNCH)
        print_metg(b);
    (void)fflush(stdout);
}

void bench_print_devices(const bench *b)
{
    printf("cohort %s on", cohort_version());
    for (int i = 0; i < b->n_used; i++) {
        const char *id = cohort_device_id(b->used[i]);
        printf(" ");
        visible_print(stdout, id, strlen(id));
    }
    printf("\n");
}

/* Half of a turn's time or less is what comes of nothing but chance. */
static bool is_busy(const bench_row *row)
{
    return row->limit.n > 1 && bench_median(&row->limit) > 2 * row->limit.at[0];
}

void bench_print_busy(const bench *b)
{
    int busy = 0, all = 0;
    for (int i = 0; i < b->n_rows; i++) {
        all += b->rows[i].limit.n > 1;
        busy += is_busy(&b->rows[i]);
    }
    if (busy * 4 <= all)
        return;
    printf("\n");
    colour_print(COLOUR_NOTE, "note");
    printf(
        ": of %d of %d limits half of the turns took more than twice as long as the best: others "
        "work on this machine\n",
        busy, all);
}

/* ------------------------------------------------------------------ JSON */

static void times_to_json(json *out, const char *key, const bench_times *times)
{
    if (times->n == 0) {
        json_null(out, key);
        return;
    }
    json_object(out, key);
    json_real(out, "median", bench_median(times));
    json_real(out, "min", times->at[0]);
    json_real(out, "p95", bench_p95(times));
    json_array(out, "turns");
    for (int i = 0; i < times->n; i++)
        json_real(out, NULL, times->at[i]);
    json_array_end(out);
    json_object_end(out);
}

static void row_to_json(json *out, const bench *b, const bench_row *row)
{
    static const char *const size_units[] = { "items", "bytes", "bytes", "rows" };
    static const char *const work_units[] = { NULL, "bytes", "bytes", "operations" };
    json_object(out, NULL);
    json_text(out, "bench", bench_names[row->kind]);
    json_text(out, "what", row->what);
    json_integer(out, "replicas", b->replicas[row->kind]);
    json_integer(out, "size", row->size);
    json_text(out, "size_unit", size_units[row->kind]);
    json_real(out, "work", row->work);
    json_text(out, "work_unit", work_units[row->kind]);
    times_to_json(out, "cohort", &row->cohort);
    json_text(out, "limit_is", b->limits[row->kind]);
    times_to_json(out, "limit", &row->limit);
    json_real(out, "efficiency", bench_efficiency(row));
    json_text(out, "not_offered", row->reason[0] != '\0' ? row->reason : NULL);
    json_object_end(out);
}

static void devices_to_json(json *out, const bench *b)
{
    json_array(out, "devices");
    for (int i = 0; i < b->n_used; i++) {
        json_object(out, NULL);
        json_text(out, "id", cohort_device_id(b->used[i]));
        json_text(out, "plugin", cohort_device_property(b->used[i], "plugin"));
        json_text(out, "name", cohort_device_property(b->used[i], "name"));
        json_object_end(out);
    }
    json_array_end(out);
}

void bench_print_json(const bench *b)
{
    json out = { .file = stdout };
    bool is_bound = false;
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_text(&out, "version", cohort_version());
    json_real(&out, "seconds", b->seconds);
    devices_to_json(&out, b);
    json_object(&out, "metg");
    json_real(&out, "seconds", b->has_kind[BENCH_LAUNCH] ? bench_metg(b, &is_bound) : NAN);
    json_bool(&out, "is_bound", is_bound);
    json_object_end(&out);
    json_array(&out, "results");
    for (int i = 0; i < b->n_rows; i++)
        row_to_json(&out, b, &b->rows[i]);
    json_array_end(&out);
    json_object_end(&out);
}
