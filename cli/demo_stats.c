/* SPDX-License-Identifier: BSD-3-Clause */
/* What the training over all devices has asked of them, for --stats. */
#include "config.h"

#include "cli/demo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static double mebibytes(int64_t bytes)
{
    return (double)bytes / (1 << 20);
}

static double percent(int64_t part, int64_t all)
{
    return all > 0 ? 100 * (double)part / (double)all : 0;
}

static void print_device(cohort_strategy *s, int device, int64_t all_ns, FILE *out)
{
    cohort_device_stats d = { .struct_size = sizeof d };
    if (cohort_strategy_device_stats(s, device, &d) < 0)
        return;
    fprintf(out, "  %-12s %.1f %% in bodies, %.1f %% in other operations, %.1f %% idle\n", d.device,
            percent(d.body_ns, all_ns), percent(d.other_ns, all_ns), percent(d.idle_ns, all_ns));
    fprintf(out,
            "  %-12s %" PRId64 " launches, %" PRId64 " reductions, %" PRId64
            " allocations; MiB: %.1f written, %.1f read, %.1f copied, %.1f held at most\n",
            "", d.launches, d.reductions, d.allocations, mebibytes(d.bytes_written),
            mebibytes(d.bytes_read), mebibytes(d.bytes_copied), mebibytes(d.memory_peak));
}

static void print_text(cohort_strategy *s, FILE *out)
{
    cohort_stats t = { .struct_size = sizeof t };
    if (cohort_strategy_stats(s, &t) < 0)
        return;
    fprintf(out,
            "statistics: %" PRId64 " calls, %" PRId64 " operations; steps: %" PRId64
            " repeated, %" PRId64 " planned%s%s\n",
            t.calls, t.operations, t.steps_repeated, t.steps_planned,
            t.why_planned[0] != '\0' ? ", the last because " : "", t.why_planned);
    for (int i = 0; i < t.n_devices; i++)
        print_device(s, i, t.timed_ns, out);
}

void demo_stats_begin(const demo *d, cohort_strategy *s)
{
    if (d->wants_stats)
        (void)cohort_strategy_stats_json(s); /* times are measured from now on */
}

/* A text, since ids of devices are lent as long as the strategy lives. */
bool demo_stats_take(demo *d, cohort_strategy *s)
{
    size_t bytes;
    FILE *out = d->wants_stats ? open_memstream(&d->stats, &bytes) : NULL;
    if (!d->wants_stats)
        return true;
    if (out != NULL && d->wants_json)
        fputs(cohort_strategy_stats_json(s), out);
    else if (out != NULL)
        print_text(s, out);
    if (out != NULL && fclose(out) == 0 && d->stats != NULL && d->stats[0] != '\0')
        return true;
    return cli_fail(EXIT_FAILED, "no statistics: %s", cohort_error_text()), false;
}
