/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking plugins in children, and what became of them.
 *
 * This process uses the library only when all children are over: it may neither open a plugin,
 * which could end it, nor be known to have used devices, which a child could not use then. So a
 * child lists the plugins, too. */
#include "config.h"

#include "cli/probe.h"

#include "cli/aside.h"
#include "cli/cli.h"
#include "cli/number.h"
#include "cli/probe_child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 1536, ID_BYTES = 96 };

/* A plugin that is asked, device by device where one ends its process. */
typedef struct job {
    struct job *next; /* in the order of the search */
    char *name, *file;
    probe_task task;
    aside child;
    bool is_started, is_over, is_refused, is_done;
    char device[ID_BYTES]; /* at which the child is; "": it is asked for its devices */
    bool has_opened;       /* it runs a kernel there */
    int n_devices;         /* that it has begun to open, all children together */
    finding *findings;
    struct probe *probe;
} job;

typedef struct probe {
    const probe_wish *wish;
    job *jobs;
    int64_t limit_ns;
    bool is_told; /* that there is no process for it */
} probe;

/* ------------------------------------------------------------------ jobs */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void free_job(job *j)
{
    free(j->name);
    free(j->file);
    free(j);
}

static void on_report(void *user, const char *report);

static void add_job(probe *p, const char *name, const char *file, bool is_given)
{
    const char *devices = p->wish->devices;
    job **end = &p->jobs, *j = calloc(1, sizeof *j);
    if (j == NULL)
        return;
    j->probe = p;
    j->name = strdup(name);
    j->file = strdup(file);
    if (j->name == NULL || j->file == NULL) {
        free_job(j);
        return;
    }
    j->task = (probe_task){
        .file = j->file,
        .is_given = is_given,
        .has_kernels =
            p->wish->depth == PROBE_RUN && (devices == NULL || finding_is_meant(devices, name)),
    };
    while (*end != NULL)
        end = &(*end)->next;
    *end = j;
}

/* Of "plugin NAME FILE". */
static void on_listed(void *user, const char *report)
{
    probe *p = user;
    char name[ID_BYTES];
    if (!begins(report, "plugin "))
        return;
    report += strlen("plugin ");
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(report, " "), report);
    const char *file = strchr(report, ' ');
    if (file != NULL)
        add_job(p, name, file + 1, false);
}

static void say_no_process(probe *p)
{
    if (!p->is_told)
        cli_warn(
            "plugins are asked in this process, which a driver may end, as none can be started "
            "for it: %s",
            strerror(errno));
    p->is_told = true;
}

static void list_jobs(probe *p)
{
    aside lister = { .on_report = on_listed, .user = p };
    aside *const all[] = { &lister };
    for (int i = 0; i < p->wish->n_files; i++)
        add_job(p, p->wish->files[i], p->wish->files[i], true);
    if (!aside_start(&lister, probe_child_list, NULL))
        say_no_process(p);
    while (!lister.is_over)
        aside_wait(all, 1, 0);
}

/* ------------------------------------------------------------------ what a child reports */

/* "failed ID TEXT": the text of a report that has an id. */
static const char *text_of(const char *report, char id[ID_BYTES])
{
    (void)snprintf(id, ID_BYTES, "%.*s", (int)strcspn(report, " "), report);
    report += strcspn(report, " ");
    return report + strspn(report, " ");
}

static void on_report(void *user, const char *report)
{
    static const struct {
        const char *word;
        finding_kind kind;
    } kinds[] = { { "good ", FINDING_GOOD },
                  { "said ", FINDING_SAID },
                  { "failed ", FINDING_FAILED } };
    job *j = user;
    char id[ID_BYTES];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (begins(report, kinds[i].word)) {
            const char *text = text_of(report + strlen(kinds[i].word), id);
            finding_add(&j->findings, finding_new(kinds[i].kind, id, NULL, text));
        }
    if (begins(report, "open ")) {
        (void)text_of(report + strlen("open "), j->device);
        j->n_devices++;
    }
    if (begins(report, "open ") || begins(report, "run "))
        j->has_opened = begins(report, "run ");
    j->is_refused = j->is_refused || strcmp(report, "refused") == 0;
    j->is_done = j->is_done || strcmp(report, "done") == 0;
}

/* ------------------------------------------------------------------ how a child ends */

static const char *describe_stage(const job *j)
{
    if (j->device[0] == '\0')
        return "asked it for its devices";
    return j->has_opened ? "ran a kernel there" : "opened it";
}

static void describe_end(const job *j, char out[TEXT_BYTES])
{
    const char *who = j->device[0] == '\0' ? "it" : "its driver";
    char end[64];
    if (j->child.is_late) {
        (void)snprintf(out, TEXT_BYTES,
                       "%s did not answer the process that %s for %.9g s (COHORT_TIMEOUT_OPEN)",
                       who, describe_stage(j), (double)j->probe->limit_ns * 1e-9);
    } else {
        aside_describe_end(&j->child, end, sizeof end);
        (void)snprintf(out, TEXT_BYTES, "%s ended the process that %s, %s", who, describe_stage(j),
                       end);
    }
    size_t used = strlen(out);
    if (j->child.last_line[0] != '\0')
        (void)snprintf(out + used, TEXT_BYTES - used, "; its last line: %s", j->child.last_line);
}

static void note_end(job *j)
{
    char text[TEXT_BYTES];
    bool has_devices = j->device[0] != '\0';
    describe_end(j, text);
    finding_add(&j->findings, finding_new(FINDING_ENDED, has_devices ? j->device : j->name,
                                          has_devices ? NULL : j->file, text));
}

/* The devices behind one that ended the process get a process of their own. */
static void take_end(job *j)
{
    if (!j->is_done)
        note_end(j);
    j->is_started = false;
    j->is_over = j->is_done || j->device[0] == '\0';
    j->task.n_skipped = j->n_devices;
}

/* ------------------------------------------------------------------ all of them */

/* The first of several plugins of a name that can be used is the one: the next is asked only when
 * those before it cannot. */
static bool is_due(const probe *p, const job *wanted)
{
    if (wanted->is_started || wanted->is_over)
        return false;
    for (const job *j = p->jobs; j != wanted; j = j->next)
        if (strcmp(j->name, wanted->name) == 0 && (!j->is_over || (j->is_done && !j->is_refused)))
            return false;
    return true;
}

static bool start(job *j)
{
    j->device[0] = '\0';
    j->child = (aside){ .on_report = on_report, .user = j };
    j->is_started = aside_start(&j->child, probe_child_ask, &j->task);
    j->is_over = !j->is_started;
    if (!j->is_started)
        say_no_process(j->probe);
    return j->is_started;
}

static int count_running(const probe *p)
{
    int n = 0;
    for (const job *j = p->jobs; j != NULL; j = j->next)
        n += j->is_started;
    return n;
}

/* Fills all with the children that are there then. */
static int start_due(probe *p, aside *all[ASIDE_MOST])
{
    int n_running = count_running(p), n = 0;
    for (job *j = p->jobs; j != NULL; j = j->next) {
        if (n_running < ASIDE_MOST && is_due(p, j))
            n_running += start(j);
        if (j->is_started)
            all[n++] = &j->child;
    }
    return n;
}

static void do_jobs(probe *p)
{
    aside *all[ASIDE_MOST];
    for (int n; (n = start_due(p, all)) > 0;) {
        aside_wait(all, n, p->limit_ns);
        for (job *j = p->jobs; j != NULL; j = j->next)
            if (j->is_started && j->child.is_over)
                take_end(j);
    }
}

/* As the library reads it: what is no number is the default. */
static int64_t read_limit(void)
{
    for (const cohort_setting *s = cohort_setting_next(NULL); s != NULL;
         s = cohort_setting_next(s)) {
        double seconds;
        if (strcmp(cohort_setting_name(s), "COHORT_TIMEOUT_OPEN") != 0)
            continue;
        const char *value = cohort_setting_value(s);
        if (value == NULL || number_read(value, COHORT_F64, &seconds) != NULL ||
            !(seconds >= 0 && seconds <= 1e9))
            (void)number_read(cohort_setting_default(s), COHORT_F64, &seconds);
        return (int64_t)(seconds * 1e9);
    }
    return 0;
}

finding *probe_plugins(const probe_wish *wish)
{
    probe p = { .wish = wish, .limit_ns = read_limit() };
    finding *findings = NULL;
    list_jobs(&p);
    do_jobs(&p);
    for (job *next; p.jobs != NULL; p.jobs = next) {
        next = p.jobs->next;
        finding_add(&findings, p.jobs->findings);
        free_job(p.jobs);
    }
    return findings;
}
