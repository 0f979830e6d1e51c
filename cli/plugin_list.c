/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort plugin list: each file that the search finds, and each place that it leaves out. */
#include "config.h"

#include "cli/plugin.h"

#include "cli/cli.h"
#include "cli/colour.h"
#include "cli/devices.h"
#include "cli/json.h"
#include "cli/probe.h"
#include "cli/visible.h"

#include <string.h>

/* What became of one file. */
typedef struct row {
    const char *file, *name; /* name "": nobody knows */
    const char *reason;      /* NULL: it is used */
    const char *fix;
} row;

static const cohort_unused *find_unused(const char *file)
{
    const cohort_unused *u = cohort_unused_next(NULL);
    while (u != NULL && strcmp(cohort_unused_candidate(u), file) != 0)
        u = cohort_unused_next(u);
    return u;
}

/* The first of a name is the one that is used. */
static bool is_hidden(const cohort_candidate *candidate)
{
    const cohort_candidate *c = cohort_candidate_next(NULL);
    for (; c != candidate; c = cohort_candidate_next(c))
        if (strcmp(cohort_candidate_name(c), cohort_candidate_name(candidate)) == 0 &&
            find_unused(cohort_candidate_file(c)) == NULL)
            return true;
    return false;
}

static row row_of_candidate(const cohort_candidate *c)
{
    const cohort_unused *u = find_unused(cohort_candidate_file(c));
    row r = { cohort_candidate_file(c), cohort_candidate_name(c), NULL, "" };
    if (u != NULL) {
        r.reason = cohort_unused_reason(u);
        r.fix = cohort_unused_fix(u);
    } else if (is_hidden(c)) {
        r.reason = "a plugin of that name is found before it";
        r.fix = "take one of them away, or name its folder first in COHORT_PLUGIN_PATH";
    }
    return r;
}

static bool is_of(const cohort_device *device, const row *r)
{
    return r->reason == NULL && strcmp(devices_property(device, "plugin"), r->name) == 0;
}

static void print_visible(const char *text)
{
    visible_print(stdout, text, strlen(text));
}

static void print_row(void *user, const row *r)
{
    (void)user;
    bool has_devices = false;
    colour_print(r->reason == NULL ? COLOUR_GOOD : COLOUR_NOTE,
                 r->reason == NULL ? "loaded    " : "not used  ");
    print_visible(r->file);
    printf("\n          ");
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (is_of(d, r)) {
            printf(has_devices ? ", " : "");
            print_visible(cohort_device_id(d));
            has_devices = true;
        }
    if (r->reason == NULL && !has_devices)
        printf("no device");
    if (r->reason != NULL)
        print_visible(r->reason);
    if (r->fix[0] != '\0') {
        printf("\n     fix: ");
        print_visible(r->fix);
    }
    printf("\n");
}

static void write_row(void *user, const row *r)
{
    json *out = user;
    json_object(out, NULL);
    json_text(out, "file", r->file);
    json_text(out, "name", r->name[0] != '\0' ? r->name : NULL);
    json_bool(out, "loaded", r->reason == NULL);
    json_array(out, "devices");
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (is_of(d, r))
            json_text(out, NULL, cohort_device_id(d));
    json_array_end(out);
    json_text(out, "reason", r->reason);
    json_text(out, "fix", r->fix[0] != '\0' ? r->fix : NULL);
    json_object_end(out);
}

static bool is_candidate(const char *file)
{
    const cohort_candidate *c = cohort_candidate_next(NULL);
    while (c != NULL && strcmp(cohort_candidate_file(c), file) != 0)
        c = cohort_candidate_next(c);
    return c != NULL;
}

/* Files that may be plugins, and those that are refused before anybody looks into them. */
static void for_rows(void (*tell)(void *user, const row *r), void *user)
{
    (void)cohort_device_next(NULL); /* all are open, so that what is not used is known */
    for (const cohort_candidate *c = cohort_candidate_next(NULL); c != NULL;
         c = cohort_candidate_next(c)) {
        row r = row_of_candidate(c);
        tell(user, &r);
    }
    for (const cohort_unused *u = cohort_unused_next(NULL); u != NULL; u = cohort_unused_next(u)) {
        row r = { cohort_unused_candidate(u), "", cohort_unused_reason(u), cohort_unused_fix(u) };
        if (strchr(r.file, '/') != NULL && !is_candidate(r.file))
            tell(user, &r);
    }
}

int plugin_list(const plugin_wish *wish)
{
    finding *findings = probe_plugins(&(probe_wish){ .depth = PROBE_ASK });
    finding_leave_out(findings);
    json out = { .file = stdout };
    if (!wish->wants_json) {
        for_rows(print_row, NULL);
    } else {
        json_object(&out, NULL);
        json_integer(&out, "schema", 1);
        json_array(&out, "plugins");
        for_rows(write_row, &out);
        json_array_end(&out);
        json_object_end(&out);
    }
    finding_free_all(findings);
    return EXIT_OK;
}
