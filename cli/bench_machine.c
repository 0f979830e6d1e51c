/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices that are measured, and whether what is measured has room there. */
#include "config.h"

#include "cli/bench.h"
#include "cli/devices.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static bool is_host(const cohort_device *device)
{
    return strcmp(devices_property(device, "plugin"), "host") == 0;
}

/* "host:0.1" is a part of "host:0", and so is each part of itself. */
static bool is_of_one(const cohort_device *a, const cohort_device *b)
{
    const char *one = cohort_device_id(a), *other = cohort_device_id(b);
    size_t length = strcspn(one, ".");
    return length == strcspn(other, ".") && strncmp(one, other, length) == 0;
}

/* A part's properties are those of its whole device. */
static double units_of(const bench_machine *m, const cohort_device *const devices[], int device)
{
    int parts = 0;
    for (int i = 0; i < m->devices; i++)
        parts += is_of_one(devices[i], devices[device]);
    return fmax((double)devices_number(devices[device], "compute_units") / parts, 1);
}

/* The threads of all, while all are the host's; no more than it has cores, however many parts it is
 * cut into. */
static void look_at_devices(bench_machine *m, const cohort_device *const devices[])
{
    bool is_known = true;
    double threads = 0;
    m->share = 0;
    for (int i = 0; i < m->devices; i++) {
        double units = units_of(m, devices, i);
        threads =
            fmin(threads + units, fmax((double)devices_number(devices[i], "compute_units"), 1));
        m->share = fmax(m->share, cohort_strategy_hosted(m->strategy, i) / units);
        is_known = is_known && is_host(devices[i]);
    }
    m->threads = is_known ? (int)threads : 0;
    m->share = is_known ? fmax(m->share, m->replicas / threads) : 1;
}

/* One replica per device, or, where there are fewer devices, so many. */
static cohort_strategy *create(const char *devices, int least)
{
    cohort_strategy *s = cohort_mirrored(devices);
    if (s == NULL || cohort_strategy_num_replicas(s) >= least)
        return s;
    cohort_strategy_destroy(s);
    return cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = least });
}

int bench_open(bench *b, bench_kind kind, int least, bench_machine *out)
{
    *out = (bench_machine){ .strategy = create(b->devices, least) };
    if (out->strategy == NULL)
        return cli_no_strategy(b->devices, 0);
    b->replicas[kind] = out->replicas = cohort_strategy_num_replicas(out->strategy);
    b->n_used = out->devices = cohort_strategy_devices(out->strategy, b->used, BENCH_MOST_DEVICES);
    if (out->devices > BENCH_MOST_DEVICES) {
        bench_close(out);
        return cli_fail(EXIT_USAGE, "bench: more than %d devices", BENCH_MOST_DEVICES);
    }
    look_at_devices(out, b->used);
    if (out->threads == 0 || (out->team = bench_team_create(out->threads)) != NULL)
        return EXIT_OK;
    int code = cli_fail(EXIT_FAILED, "bench: the system does not start %d threads", out->threads);
    bench_close(out);
    return code;
}

void bench_close(bench_machine *machine)
{
    cohort_strategy_destroy(machine->strategy);
    bench_team_destroy(machine->team);
}

/* Half of the memory: a machine that pages measures its disk. */
bool bench_fits(const bench_machine *machine, const char *what, double host, double device)
{
    const cohort_device *devices[BENCH_MOST_DEVICES];
    const double gib = 1 << 30;
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory > 0 && host > memory / 2)
        return cli_fail(EXIT_FAILED, "bench %s: %.1f GiB are more than half of the %.1f GiB here",
                        what, host / gib, memory / gib),
               cli_fix("name the kind, with a smaller --to"), false;
    int n = cohort_strategy_devices(machine->strategy, devices, BENCH_MOST_DEVICES);
    for (int i = 0; i < n; i++) {
        memory = (double)devices_number(devices[i], "memory_bytes");
        if (memory > 0 && device > memory / 2)
            return cli_fail(EXIT_FAILED, "bench %s: %.1f GiB are more than half of %s's %.1f GiB",
                            what, device / gib, cohort_device_id(devices[i]), memory / gib),
                   cli_fix("name the kind, with a smaller --to"), false;
    }
    return true;
}

int bench_each_size(const bench *b, int64_t from, int64_t to, int factor, double seconds,
                    bench_size_fn fn, void *user)
{
    int code = EXIT_OK, n = 1;
    to = bench_largest(b, to);
    from = b->from > 0 ? b->from : to < from ? to : from;
    for (int64_t size = from; size <= to / factor; size *= factor)
        n++;
    for (int i = 0; i < n && code == EXIT_OK; i++, from *= factor)
        code = fn(user, from, seconds / n);
    return code;
}

int64_t bench_largest(const bench *b, int64_t to)
{
    return b->to > 0 ? b->to : b->from > to ? b->from : to;
}

bench_part bench_part_of(int64_t elements, int thread, int n)
{
    int64_t each = elements / n, more = elements % n, first = thread * each;
    first += thread < more ? thread : more;
    return (bench_part){ first, first + each + (thread < more) };
}

bench_row *bench_add(bench *b, bench_kind kind, const char *what, int64_t size)
{
    if (b->n_rows == BENCH_MOST_ROWS) {
        cli_fail(EXIT_FAILED, "bench %s: more than %d sizes", bench_names[kind], BENCH_MOST_ROWS);
        return NULL;
    }
    bench_row *row = &b->rows[b->n_rows++];
    *row = (bench_row){ .kind = kind, .what = what, .size = size };
    return row;
}

int bench_failed(const char *what)
{
    return cli_fail(EXIT_FAILED, "bench %s: %s", what, cohort_error_text());
}
