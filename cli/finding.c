/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings: plugins and devices that were tried in processes of their own. */
#include "config.h"

#include "cli/finding.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

finding *finding_new(finding_kind kind, const char *subject, const char *file, const char *text)
{
    finding *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->kind = kind;
    made->subject = strdup(subject);
    made->file = file != NULL ? strdup(file) : NULL;
    made->text = strdup(text);
    if (made->subject != NULL && made->text != NULL && (file == NULL || made->file != NULL))
        return made;
    finding_free_all(made);
    return NULL;
}

void finding_add(finding **list, finding *added)
{
    while (*list != NULL)
        list = &(*list)->next;
    *list = added;
}

void finding_free_all(finding *list)
{
    for (finding *next; list != NULL; list = next) {
        next = list->next;
        free(list->subject);
        free(list->file);
        free(list->text);
        free(list);
    }
}

static const cohort_candidate *find_candidate(const char *file)
{
    const cohort_candidate *c = cohort_candidate_next(NULL);
    while (c != NULL && strcmp(cohort_candidate_file(c), file) != 0)
        c = cohort_candidate_next(c);
    return c;
}

void finding_leave_out(const finding *list)
{
    char fix[256];
    for (const finding *f = list; f != NULL; f = f->next) {
        const cohort_candidate *c = f->file != NULL ? find_candidate(f->file) : NULL;
        if (c != NULL)
            (void)cohort_candidate_leave_out(c, f->text, finding_fix(f, fix, sizeof fix));
    }
}

/* An element of a list: "NAME", "NAME:INDEX", "NAME/PARTS", which is of device 0, or "NAME:MODEL",
 * which may be any. */
static bool element_means(const char *element, const char *subject)
{
    element += strspn(element, " ");
    size_t length = strcspn(element, ":/, "), name = strcspn(subject, ":");
    if (length != name || strncmp(element, subject, length) != 0)
        return false;
    const char *index = element + length;
    bool is_number = *index == ':' && index[1] >= '0' && index[1] <= '9',
         is_any = subject[name] == '\0' || (*index != '/' && !is_number);
    long meant = is_number ? strtol(index + 1, NULL, 10) : 0;
    return is_any || meant == strtol(subject + name + 1, NULL, 10);
}

bool finding_is_meant(const char *devices, const char *subject)
{
    while (devices != NULL && !element_means(devices, subject)) {
        devices = strchr(devices, ',');
        devices = devices != NULL ? devices + 1 : NULL;
    }
    return devices != NULL;
}

const finding *finding_find_ended(const finding *list, const char *devices)
{
    while (list != NULL &&
           (list->kind != FINDING_ENDED || !finding_is_meant(devices, list->subject)))
        list = list->next;
    return list;
}

const char *finding_fix(const finding *ended, char *out, size_t size)
{
    (void)snprintf(out, size,
                   "export COHORT_PLUGINS=^%.*s, so that no program asks this driver, or install "
                   "another version of it",
                   (int)strcspn(ended->subject, ":"), ended->subject);
    return out;
}
