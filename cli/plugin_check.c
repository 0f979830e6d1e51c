/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort plugin check: each rule in a child, which the plugin may end or keep; the results in the
 * order of the rules. This process never opens the plugin. */
#include "config.h"

#include "cli/plugin.h"

#include "cli/aside.h"
#include "cli/cli.h"
#include "cli/colour.h"
#include "cli/conformance/claim_report.h"
#include "cli/conformance/rules.h"
#include "cli/json.h"
#include "cli/visible.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_AT_ONCE = 4, MOST_REASONS = 12 };

/* ------------------------------------------------------------------ the child */

typedef struct task {
    const char *file, *kernels;
    const rule *rule;
} task;

static void try_devices(int reports, const task *t, const subject *s)
{
    subject device;
    for (uint32_t d = 0; d < s->n_devices; d++) {
        subject_choose(s, d, &device);
        aside_report(reports, "device %s:%u", s->plugin->name, d);
        t->rule->check(&device);
    }
}

static void try_rule(int reports, const void *what)
{
    const task *t = what;
    subject s = { .file = t->file };
    claim_report_to(reports);
    const char *why = t->rule->about == RULE_FILE ? NULL : subject_load(&s, t->file);
    s.kernels = t->kernels;
    if (why != NULL)
        claim_unproven("nothing was tried", why);
    else if (t->rule->about != RULE_DEVICE)
        t->rule->check(&s);
    else if (s.n_devices > 0)
        try_devices(reports, t, &s);
    else
        aside_report(reports, "deviceless");
    aside_report(reports, "done");
}

/* ------------------------------------------------------------------ what it reports */

typedef enum verdict { GOOD, SKIPPED, UNPROVEN, BROKEN } verdict;

/* One rule: its child, and what came of it. */
typedef struct trial {
    task task;
    aside child;
    bool is_started, is_done, is_deviceless; /* the last: the plugin has no device here */
    char device[96], begun[256];
    int n_good, n_bad, n_unproven, n_reasons;
    char skipped[512]; /* the first reason */
    char *reasons[MOST_REASONS];
} trial;

static void add_reason(trial *t, const char *text)
{
    char reason[ASIDE_REPORT_BYTES];
    if (t->n_reasons == MOST_REASONS)
        return;
    (void)snprintf(reason, sizeof reason, "%s%s%s", t->device, t->device[0] != '\0' ? ": " : "",
                   text);
    t->reasons[t->n_reasons] = strdup(reason);
    t->n_reasons += t->reasons[t->n_reasons] != NULL;
}

/* What stands behind the word, or NULL. */
static const char *behind(const char *report, const char *word)
{
    size_t length = strlen(word);
    return strncmp(report, word, length) == 0 ? report + length : NULL;
}

static void on_report(void *user, const char *report)
{
    trial *t = user;
    const char *text;
    if (behind(report, "good ") != NULL) {
        t->n_good++;
    } else if ((text = behind(report, "bad ")) != NULL) {
        t->n_bad++;
        add_reason(t, text);
    } else if ((text = behind(report, "unproven ")) != NULL) {
        t->n_unproven++;
        add_reason(t, text);
    } else if ((text = behind(report, "skip ")) != NULL) {
        if (t->skipped[0] == '\0')
            (void)snprintf(t->skipped, sizeof t->skipped, "%s", text);
    } else if ((text = behind(report, "device ")) != NULL) {
        (void)snprintf(t->device, sizeof t->device, "%s", text);
    } else if ((text = behind(report, "begin ")) != NULL) {
        (void)snprintf(t->begun, sizeof t->begun, "%s", text);
    }
    if (strcmp(report, "deviceless") == 0) {
        t->is_deviceless = true;
        (void)snprintf(t->skipped, sizeof t->skipped, "the plugin has no device here");
    }
    t->is_done = t->is_done || strcmp(report, "done") == 0;
}

/* A child that did not come to its end: how it ended is a reason. */
static void take_end(trial *t, int64_t limit_ns)
{
    char text[1024], end[64];
    if (t->is_done)
        return;
    const char *what = t->begun[0] != '\0' ? t->begun : t->task.rule->title;
    if (t->child.is_late) {
        (void)snprintf(text, sizeof text, "no sign of life for %.9g s (--timeout); it was at: %s",
                       (double)limit_ns * 1e-9, what);
    } else {
        aside_describe_end(&t->child, end, sizeof end);
        (void)snprintf(text, sizeof text, "the plugin ended the process, %s; it was at: %s", end,
                       what);
    }
    size_t used = strlen(text);
    if (t->child.last_line[0] != '\0')
        (void)snprintf(text + used, sizeof text - used, "; its last line: %s", t->child.last_line);
    t->n_bad++;
    add_reason(t, text);
}

static verdict verdict_of(const trial *t)
{
    return t->n_bad > 0 ? BROKEN : t->n_unproven > 0 ? UNPROVEN : t->n_good > 0 ? GOOD : SKIPPED;
}

/* ------------------------------------------------------------------ telling */

typedef struct report {
    const plugin_wish *wish;
    json out;
    int n, n_wrong, n_deviceless;
} report;

static void print_line(const char *label, const char *text)
{
    printf("# %s", label);
    visible_print(stdout, text, strlen(text));
    printf("\n");
}

static void tell_tap(const report *r, const trial *t, verdict v)
{
    const rule *broken = t->task.rule;
    bool is_good = v == GOOD || v == SKIPPED;
    colour_print(is_good ? COLOUR_GOOD : COLOUR_BAD, is_good ? "ok" : "not ok");
    printf(" %d - CHP-%d %s", r->n, broken->number, broken->title);
    if (v == SKIPPED) {
        printf(" # SKIP ");
        visible_print(stdout, t->skipped, strlen(t->skipped));
    }
    printf("\n");
    for (int i = 0; i < t->n_reasons; i++)
        print_line(v == UNPROVEN ? "not proven: " : "", t->reasons[i]);
    if (v == BROKEN) {
        print_line("why it is a rule: ", broken->why);
        print_line("what usually breaks it: ", broken->breaks);
    }
    (void)fflush(stdout);
}

static void tell_json(json *out, const trial *t, verdict v)
{
    static const char *const results[] = { "ok", "skipped", "not proven", "failed" };
    char name[16];
    (void)snprintf(name, sizeof name, "CHP-%d", t->task.rule->number);
    json_object(out, NULL);
    json_text(out, "rule", name);
    json_text(out, "title", t->task.rule->title);
    json_text(out, "result", results[v]);
    json_integer(out, "claims", t->n_good + t->n_bad);
    json_array(out, "reasons");
    for (int i = 0; i < t->n_reasons; i++)
        json_text(out, NULL, t->reasons[i]);
    if (v == SKIPPED)
        json_text(out, NULL, t->skipped);
    json_array_end(out);
    json_object_end(out);
}

static verdict tell(report *r, trial *t)
{
    verdict v = verdict_of(t);
    r->n++;
    r->n_wrong += v == BROKEN || v == UNPROVEN;
    r->n_deviceless += t->is_deviceless;
    if (r->wish->wants_json)
        tell_json(&r->out, t, v);
    else
        tell_tap(r, t, v);
    for (int i = 0; i < t->n_reasons; i++)
        free(t->reasons[i]);
    t->n_reasons = 0;
    return v;
}

/* ------------------------------------------------------------------ all of them */

static void start(trial *t)
{
    t->child = (aside){ .on_report = on_report, .user = t };
    t->is_started = aside_start(&t->child, try_rule, &t->task);
    if (!t->is_started) {
        t->is_started = t->is_done = true;
        t->n_bad++;
        add_reason(t, strerror(errno));
    }
}

/* Start those for which there is room, and wait a moment for all that are under way. */
static void go_on(trial trials[], int first, int n, int most, int64_t limit_ns)
{
    aside *all[MOST_AT_ONCE];
    int n_running = 0;
    for (int i = first; i < n && n_running < most; i++) {
        if (!trials[i].is_started)
            start(&trials[i]);
        if (!trials[i].child.is_over)
            all[n_running++] = &trials[i].child;
    }
    if (n_running == 0)
        return;
    aside_wait(all, n_running, limit_ns);
    for (int i = first; i < n; i++)
        if (trials[i].is_started && trials[i].child.is_over)
            take_end(&trials[i], limit_ns), trials[i].is_done = true;
}

static int count_at_once(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MOST_AT_ONCE ? MOST_AT_ONCE : (int)cores;
}

/* The first rule is tried alone: a file that does not load breaks all others as well. */
static void try_all(report *r, trial trials[], int n)
{
    for (int i = 0; i < n; i++) {
        bool is_first = i == 0 && trials[0].task.rule->number == rules[0].number;
        while (!trials[i].is_started || !trials[i].child.is_over)
            go_on(trials, i, is_first ? 1 : n, count_at_once(), r->wish->limit_ns);
        if (tell(r, &trials[i]) == BROKEN && is_first && n > 1) {
            if (!r->wish->wants_json)
                printf("# nothing else was tried\n");
            return;
        }
    }
}

static bool is_wanted(const plugin_wish *wish, const rule *one)
{
    char name[16];
    (void)snprintf(name, sizeof name, "CHP-%d", one->number);
    return wish->rule == NULL || strcmp(wish->rule, name) == 0;
}

static int no_rule(const char *name)
{
    cli_fail(EXIT_USAGE, "plugin check: there is no rule '%s'; they are called CHP-%d to CHP-904",
             name, rules[0].number);
    cli_fix("cohort-plugin-rules(7) lists them");
    return EXIT_USAGE;
}

static int conclude(report *r)
{
    if (r->wish->wants_json) {
        json_array_end(&r->out);
        json_bool(&r->out, "ok", r->n_wrong == 0);
        json_object_end(&r->out);
    } else {
        printf("1..%d\n", r->n);
    }
    return r->n_wrong > 0 ? EXIT_FAILED : r->n_deviceless > 0 ? EXIT_NOTHING_TO_CHECK : EXIT_OK;
}

int plugin_check(const char *file, const plugin_wish *wish)
{
    int n = 0, n_rules = 0;
    char *path = realpath(file, NULL);
    if (path == NULL)
        return cli_fail(EXIT_FAILED, "plugin check: %s: %s", file, strerror(errno));
    while (rules[n_rules].title != NULL)
        n_rules++;
    trial *trials = calloc((size_t)n_rules, sizeof *trials);
    for (int i = 0; i < n_rules && trials != NULL; i++)
        if (is_wanted(wish, &rules[i]))
            trials[n++].task = (task){ path, wish->kernels, &rules[i] };
    report r = { .wish = wish, .out = { .file = stdout } };
    int code = trials == NULL ? cli_fail(EXIT_FAILED, "plugin check: no memory")
               : n == 0       ? no_rule(wish->rule)
                              : -1;
    if (code < 0) {
        if (wish->wants_json) {
            json_object(&r.out, NULL);
            json_integer(&r.out, "schema", 1);
            json_text(&r.out, "file", path);
            json_array(&r.out, "rules");
        }
        try_all(&r, trials, n);
        code = conclude(&r);
    }
    free(trials);
    free(path);
    return code;
}
