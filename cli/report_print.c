/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as lines. Names come from a file, and are printed so that they do nothing to a
 * terminal. */
#include "config.h"

#include "cli/colour.h"
#include "cli/report_text.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_LINES = 5, COLUMN = 16 };

static void print_text(const char *before, const char *text)
{
    if (text[0] == '\0')
        return;
    printf("%s", before);
    visible_print(stdout, text, strlen(text));
    printf("\n");
}

static void print_head(const report *r)
{
    char time[REPORT_TIME_BYTES];
    visible_print(stdout, r->path, strlen(r->path));
    printf(": %s a step, %" PRId64 " of them: %s\n\n", report_time(report_step_ns(r), time),
           r->n_kept, report_unit_text(r->unit));
}

static void print_devices(const report *r)
{
    char shown[4 * COLUMN];
    printf("%-*s", COLUMN, "");
    for (int state = 0; state < REPORT_STATES; state++)
        printf(" %8s", report_state_name((report_state)state));
    for (int32_t d = 0; d < r->t.n_devices; d++) {
        printf("\n%-*s", COLUMN, visible(r->t.devices[d], shown, sizeof shown));
        for (int state = 0; state < REPORT_STATES; state++)
            printf(" %6.1f %%", 100 * report_step_share(r, d, (report_state)state));
    }
    printf("\n\n");
}

static void print_path(const report *r)
{
    char time[REPORT_TIME_BYTES], text[REPORT_TEXT_BYTES];
    printf("critical path of a step: %s\n", report_time((double)r->path_ns, time));
    for (int i = 0; i < r->n_parts && i < MOST_LINES; i++) {
        printf("  %5.1f %%  ", 100 * (double)r->parts[i].ns / (double)r->path_ns);
        print_text("", report_part_text(r, &r->parts[i], text));
    }
}

static void print_cause(const report_cause *c)
{
    char time[REPORT_TIME_BYTES];
    printf("\n");
    colour_print(COLOUR_NOTE, c->id);
    print_text(": ", c->cause);
    print_text("  evidence  ", c->evidence);
    print_text("  change    ", c->change);
    printf("  expected  %s a step\n", report_time(c->step_ns, time));
}

void report_print(const report *r)
{
    char text[REPORT_TEXT_BYTES];
    print_head(r);
    print_devices(r);
    print_path(r);
    print_text("slowest replica: ", report_replicas_text(r, text));
    print_text("recording: ", report_recording_text(r, text));
    for (int i = 0; i < r->n_causes; i++)
        print_cause(&r->causes[i]);
    printf("\n");
    print_text("", report_verdict_text(r, text));
    print_text("warning: ", report_warning_text(r, text));
    print_text("note: ", report_left_out_text(r, text));
    print_text("note: ", report_unusual_text(r, text));
}
