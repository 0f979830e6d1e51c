/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/top.h"

#include "cli/cli.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { CELLS = 10 };

/* A number in few characters: 1234, 56.7k, 8.9M. */
static const char *shorten(double number, char *out, size_t size)
{
    static const char *const units[] = { "k", "M", "G", "T", "P", "E" };
    const char *unit = "";
    for (size_t i = 0; number >= 10000 && i < sizeof units / sizeof *units; i++) {
        number /= 1000;
        unit = units[i];
    }
    const bool is_whole = number >= 100 || number == trunc(number);
    (void)snprintf(out, size, is_whole ? "%.0f%s" : "%.1f%s", number, unit);
    return out;
}

static const char *shorten_bytes(int64_t bytes, char *out, size_t size)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    double number = (double)bytes;
    size_t unit = 0;
    for (; number >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        number /= 1024;
    (void)snprintf(out, size, unit > 0 ? "%.1f %s" : "%.0f %s", number, units[unit]);
    return out;
}

/* What there is none of is left out. */
static const char *shorten_rate(int64_t count, double rate, char *out, size_t size)
{
    if (count > 0)
        return shorten(rate, out, size);
    (void)snprintf(out, size, "-");
    return out;
}

/* ------------------------------------------------------------------ lines */

static void print_head(FILE *file)
{
    fprintf(file, "%8s %-15s %-24s %7s %9s %8s %8s %8s  %s\n", "PID", "PROGRAM", "STRATEGY",
            "WORKER", "STEP", "STEPS/S", "ROWS/S", "CALLS/S", "STATE");
}

static void print_state(FILE *file, const top_strategy *s)
{
    fprintf(file, "%s", top_state_name(s->state));
    if (s->state == TOP_SILENT || s->state == TOP_STOPPED)
        fprintf(file, " %.0f s", s->age_s);
    if (s->why != NULL) {
        fprintf(file, ": ");
        visible_message(file, s->why);
    }
    if (s->record.status < 0)
        fprintf(file, ", failed: %s", cohort_status_name(s->record.status));
    fprintf(file, "\n");
}

static const char *tell_worker(const cohort_monitor_record *r, char *out, size_t size)
{
    if (r->workers > 0)
        (void)snprintf(out, size, "%d/%d", (int)r->worker, (int)r->workers);
    else
        (void)snprintf(out, size, "-");
    return out;
}

static void print_strategy(FILE *file, const top_strategy *s)
{
    const cohort_monitor_record *r = &s->record;
    char program[16], strategy[25], worker[24], steps[16], rows[16], calls[16], step[16];
    fprintf(file, "%8lld %-15s %-24s %7s %9s %8s %8s %8s  ", s->pid,
            visible(r->program, program, sizeof program),
            visible(r->strategy, strategy, sizeof strategy), tell_worker(r, worker, sizeof worker),
            shorten((double)top_steps(r), step, sizeof step),
            shorten_rate(top_steps(r), r->steps_per_s, steps, sizeof steps),
            shorten_rate(r->rows, r->rows_per_s, rows, sizeof rows),
            shorten_rate(r->calls, r->calls_per_s, calls, sizeof calls));
    print_state(file, s);
}

/* A call that is there and gone says nothing: a wait is one that lasts. */
static void print_call(FILE *file, const cohort_monitor_record *r)
{
    const double seconds = top_seconds(r, r->call_ns);
    char call[64];
    if (r->call[0] != '\0' && seconds >= 1)
        fprintf(file, "%8s in %s since %.0f s\n", "", visible(r->call, call, sizeof call), seconds);
}

static void print_share(FILE *file, int64_t permille)
{
    for (int i = 0; i < CELLS; i++)
        fputc(permille * CELLS >= (i + 1) * 1000 - 500 ? '#' : '.', file);
    fprintf(file, " %3d%%", (int)((permille + 5) / 10));
}

static void print_device(FILE *file, const cohort_monitor_device *d)
{
    char name[25], now[24], peak[24];
    fprintf(file, "%8s %-24s ", "", visible(d->name, name, sizeof name));
    print_share(file, d->busy_permille);
    fprintf(file, "  %s of memory, %s at most, %" PRId64 " queued\n",
            shorten_bytes(d->memory, now, sizeof now),
            shorten_bytes(d->memory_peak, peak, sizeof peak), d->queued);
}

static void print_devices(FILE *file, const top_strategy *s)
{
    for (int d = 0; d < s->n_devices; d++)
        print_device(file, &s->record.devices[d]);
    if (s->record.n_devices > s->n_devices)
        fprintf(file, "%8s and %d devices more\n", "", (int)s->record.n_devices - s->n_devices);
}

void top_print(FILE *file, const top_list *list)
{
    if (list->n == 0)
        fprintf(file, "no process of yours is watched: those that are started with COHORT_TOP=1 "
                      "are, as long as they have a strategy\n");
    else
        print_head(file);
    for (size_t i = 0; i < list->n; i++) {
        print_strategy(file, &list->strategies[i]);
        print_call(file, &list->strategies[i].record);
        print_devices(file, &list->strategies[i]);
    }
}

/* ------------------------------------------------------------------ one line */

/* The share of the device that has the most to do. */
static int64_t busiest_permille(const top_strategy *s)
{
    int64_t most = 0;
    for (int d = 0; d < s->n_devices; d++)
        if (s->record.devices[d].busy_permille > most)
            most = s->record.devices[d].busy_permille;
    return most;
}

static int64_t sum_of_memory(const top_strategy *s)
{
    int64_t sum = 0;
    for (int d = 0; d < s->n_devices; d++)
        if (sum <= INT64_MAX - s->record.devices[d].memory)
            sum += s->record.devices[d].memory;
    return sum;
}

/* Adds a text, cut where there is no room. */
__attribute__((format(printf, 3, 4))) static void add(char *out, size_t size, const char *format,
                                                      ...)
{
    const size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out + used, size - used, format, arguments);
    va_end(arguments);
}

static void add_count(char *out, size_t size, const char *what, int64_t count, double rate)
{
    char number[16], each[16];
    if (count > 0)
        add(out, size, "%s %s, %s %ss/s, ", what, shorten((double)count, number, sizeof number),
            shorten(rate, each, sizeof each), what);
}

void top_describe(const top_strategy *s, char *out, size_t size)
{
    const cohort_monitor_record *r = &s->record;
    const double seconds = top_seconds(r, r->call_ns);
    char memory[24], call[40];
    out[0] = '\0';
    if (s->why != NULL) {
        add(out, size, "%s: %s", top_state_name(s->state), s->why);
        return;
    }
    add_count(out, size, "step", top_steps(r), r->steps_per_s);
    add_count(out, size, "row", r->rows, r->rows_per_s);
    if (top_steps(r) == 0)
        add_count(out, size, "call", r->calls, r->calls_per_s);
    add(out, size, "busiest device %d%%, %s, %s", (int)((busiest_permille(s) + 5) / 10),
        shorten_bytes(sum_of_memory(s), memory, sizeof memory), top_state_name(s->state));
    if (r->status < 0)
        add(out, size, ", failed: %s", cohort_status_name(r->status));
    if (r->call[0] != '\0' && seconds >= 1)
        add(out, size, ", in %s since %.0f s", visible(r->call, call, sizeof call), seconds);
}
