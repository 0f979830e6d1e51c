/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/report_text.h"

#include <inttypes.h>

const char *report_time(double ns, char out[REPORT_TIME_BYTES])
{
    static const char *const units[] = { "ns", "us", "ms", "s" };
    int unit = 0;
    for (; unit < 3 && ns >= 999.5; unit++)
        ns /= 1000;
    (void)snprintf(out, REPORT_TIME_BYTES, "%.3g %s", ns < 999.5 ? ns : (double)(int64_t)ns,
                   units[unit]);
    return out;
}

/* What was not recorded costs what devices have nothing to do for meanwhile; what was recorded and
 * planned, what its call takes longer. */
const char *report_recording_text(const report *r, char out[REPORT_TEXT_BYTES])
{
    char planned[REPORT_TIME_BYTES], repeated[REPORT_TIME_BYTES];
    const double ns = (double)r->devices[r->busiest].ns[REPORT_DISPATCH] / (double)r->n_kept;
    if (r->t.planned + r->t.repeated == 0)
        (void)snprintf(
            out, REPORT_TEXT_BYTES,
            "no step is recorded: calls cost %s of a step, in which %s has nothing to do",
            report_time(ns, planned), r->t.devices[r->busiest]);
    else
        (void)snprintf(out, REPORT_TEXT_BYTES,
                       "%" PRId64 " steps were repeated, %s of the calling thread each; %" PRId64
                       " were planned, %s each%s%s",
                       r->t.repeated, report_time((double)r->repeated_ns, repeated), r->t.planned,
                       report_time((double)r->planned_ns, planned),
                       r->t.why[0] != '\0' ? ", the last because " : "", r->t.why);
    return out;
}

const char *report_replicas_text(const report *r, char out[REPORT_TEXT_BYTES])
{
    char slow[REPORT_TIME_BYTES], fast[REPORT_TIME_BYTES];
    const double steps = (double)r->n_kept;
    out[0] = '\0';
    if (r->slow >= 0)
        (void)snprintf(out, REPORT_TEXT_BYTES,
                       "replica %d, whose bodies take %s of a step; those of replica %d, the "
                       "fastest, %s",
                       (int)r->slow, report_time(r->slow_ns / steps, slow), (int)r->fast,
                       report_time(r->fast_ns / steps, fast));
    return out;
}

const char *report_verdict_text(const report *r, char out[REPORT_TEXT_BYTES])
{
    char now[REPORT_TIME_BYTES], then[REPORT_TIME_BYTES];
    if (r->n_causes == 0)
        (void)snprintf(out, REPORT_TEXT_BYTES,
                       "nothing to gain here: bodies take %.0f %% of a step on %s, and nothing "
                       "else a tenth; faster bodies or more devices would help",
                       100 * report_step_share(r, r->busiest, REPORT_COMPUTE),
                       r->t.devices[r->busiest]);
    else
        (void)snprintf(out, REPORT_TEXT_BYTES, "%.400s; without that a step takes %s, not %s",
                       r->causes[0].cause, report_time(r->causes[0].step_ns, then),
                       report_time(report_step_ns(r), now));
    return out;
}

const char *report_warning_text(const report *r, char out[REPORT_TEXT_BYTES])
{
    char all[REPORT_TIME_BYTES], step[REPORT_TIME_BYTES];
    out[0] = '\0';
    if (report_is_slower_than_one(r))
        (void)snprintf(out, REPORT_TEXT_BYTES,
                       "one device is faster: all bodies of a step take %s one after the other, "
                       "and the step takes %s on %d devices",
                       report_time(report_bodies_ns(r), all), report_time(report_step_ns(r), step),
                       (int)r->t.n_devices);
    return out;
}

const char *report_left_out_text(const report *r, char out[REPORT_TEXT_BYTES])
{
    out[0] = '\0';
    if (r->t.more > 0)
        (void)snprintf(out, REPORT_TEXT_BYTES,
                       "the first %d operations and calls are looked at, %" PRId64
                       " later ones are not",
                       TIMELINE_MOST_SLICES, r->t.more);
    else if (r->t.n_strategies > 1)
        (void)snprintf(
            out, REPORT_TEXT_BYTES,
            "the trace has %d strategies; this is the one with the most devices that ran "
            "bodies",
            (int)r->t.n_strategies);
    return out;
}

const char *report_unusual_text(const report *r, char out[REPORT_TEXT_BYTES])
{
    const int64_t slow = r->n_steps - r->n_kept;
    char more[REPORT_TEXT_BYTES / 2] = "";
    out[0] = '\0';
    if (slow > 0)
        (void)snprintf(more, sizeof more,
                       "%s%" PRId64
                       " that took three times as long as usual, or had such a neighbour",
                       r->left_out > 0 ? ", and " : "", slow);
    if (slow > 0 || r->left_out > 0)
        (void)snprintf(
            out, REPORT_TEXT_BYTES, "%" PRId64 " of %" PRId64 " steps %s left out: %s%s",
            slow + r->left_out, r->n_steps + r->left_out, slow + r->left_out == 1 ? "is" : "are",
            r->left_out > 0 ? "the first, which prepares what the others have" : "", more);
    return out;
}

const char *report_part_text(const report *r, const report_part *part, char out[REPORT_TEXT_BYTES])
{
    if (part->name < 0)
        (void)snprintf(out, REPORT_TEXT_BYTES, "%s", report_state_name(part->state));
    else
        (void)snprintf(out, REPORT_TEXT_BYTES, "%s on %s", r->t.names[part->name],
                       r->t.devices[part->device]);
    return out;
}
