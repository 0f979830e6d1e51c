/* SPDX-License-Identifier: BSD-3-Clause */
/* The child's side of asking a plugin: it may end at any of these calls, and its parent says at
 * which. */
#include "config.h"

#include "cli/probe_child.h"

#include "cli/aside.h"
#include "cli/check.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Where the log goes, once devices are opened; static, as a line may be under way for long. */
static struct {
    int reports;
    const char *id;
} here;

void probe_child_list(int reports, const void *what)
{
    (void)what;
    for (const cohort_candidate *c = cohort_candidate_next(NULL); c != NULL;
         c = cohort_candidate_next(c))
        aside_report(reports, "plugin %s %s", cohort_candidate_name(c), cohort_candidate_file(c));
    aside_report(reports, "done");
}

/* A file that the user gave is in the way of no other: only that one is opened. */
static void open_alone(const probe_task *task)
{
    for (const cohort_candidate *c = cohort_candidate_next(NULL); c != NULL;
         c = cohort_candidate_next(c))
        if (task->is_given || strcmp(cohort_candidate_file(c), task->file) != 0)
            (void)cohort_candidate_leave_out(c, "another process asks it", NULL);
    if (task->is_given)
        (void)cohort_plugin_load(task->file);
}

static bool is_refused(const char *file)
{
    const cohort_unused *u = cohort_unused_next(NULL);
    while (u != NULL && strcmp(cohort_unused_candidate(u), file) != 0)
        u = cohort_unused_next(u);
    return u != NULL;
}

static void report_line(void *user, int level, const char *line)
{
    (void)user;
    (void)level;
    aside_report(here.reports, "said %s %s", here.id, line);
}

/* A body of the format that the device takes may be missing: then there is nothing to run. */
static void try_device(void)
{
    aside_report(here.reports, "open %s", here.id);
    cohort_strategy *s = cohort_mirrored(here.id);
    if (s == NULL) {
        aside_report(here.reports, "failed %s %s", here.id, cohort_error_text());
        return;
    }
    aside_report(here.reports, "run %s", here.id);
    check_reason reason = check_saxpy(s);
    cohort_strategy_destroy(s);
    if (reason.verdict == CHECK_FAILED)
        aside_report(here.reports, "failed %s %s", here.id, reason.text);
    else
        aside_report(here.reports, "good %s", here.id);
}

static void try_devices(const probe_task *task)
{
    int n = 0;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d)) {
        here.id = cohort_device_id(d);
        cohort_log_set(report_line, NULL, COHORT_LOG_WARNING);
        if (n++ >= task->n_skipped)
            try_device();
    }
}

/* The parent alone knows how long to wait. What the log says of opening plugins it says once more,
 * where it opens them itself. */
void probe_child_ask(int reports, const void *what)
{
    const probe_task *task = what;
    here.reports = reports;
    (void)setenv("COHORT_TIMEOUT_OPEN", "0", 1);
    cohort_log_set(NULL, NULL, COHORT_LOG_ERROR);
    open_alone(task);
    (void)cohort_device_next(NULL);
    if (is_refused(task->file))
        aside_report(reports, "refused");
    if (task->has_kernels)
        try_devices(task);
    aside_report(reports, "done");
}
