/* SPDX-License-Identifier: BSD-3-Clause */
/* Environment variables: names that are none, and values that cannot be. */
#include "config.h"

#include "cli/cli.h"
#include "cli/closest.h"
#include "cli/doctor.h"
#include "cli/finding.h"
#include "cli/number.h"

#include <string.h>
#include <unistd.h>

extern char **environ;

enum { MOST_SETTINGS = 64, MOST_NAME = 64 };

static void list_names(const char *names[MOST_SETTINGS + 1])
{
    int n = 0;
    for (const cohort_setting *s = cohort_setting_next(NULL); s != NULL && n < MOST_SETTINGS;
         s = cohort_setting_next(s))
        names[n++] = cohort_setting_name(s);
    names[n] = NULL;
}

static bool is_listed(const char *name, const char *const names[])
{
    while (*names != NULL && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

/* Of "COHORT_DEVICE=host". */
static void check_name(doctor *d, const char *entry)
{
    const char *names[MOST_SETTINGS + 1];
    char name[MOST_NAME], fix[2 * MOST_NAME + 32];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(entry, "="), entry);
    list_names(names);
    if (strncmp(name, "COHORT_", 7) != 0 || is_listed(name, names))
        return;
    const char *meant = closest(name, names);
    if (meant == NULL) {
        doctor_say(d, DOCTOR_NOTE, "settings", NULL, "%s is none of Cohort's variables", name);
        return;
    }
    (void)snprintf(fix, sizeof fix, "unset %s; did you mean %s?", name, meant);
    doctor_say(d, DOCTOR_WRONG, "settings", fix, "%s is set, and nothing reads it", name);
}

/* Whether it is one of the words between the bars. */
static bool has_word(const char *words, const char *word)
{
    const size_t bytes = strlen(word);
    const char *at = words;
    while (at != NULL && (strcspn(at, "|") != bytes || strncmp(at, word, bytes) != 0)) {
        at = strchr(at, '|');
        at = at != NULL ? at + 1 : NULL;
    }
    return at != NULL;
}

/* Of a word without a subsystem; which of those there are the library knows, and says. */
static const char *fault_of_levels(const char *value)
{
    if (strpbrk(value, ",=") != NULL || has_word("error|warn|info|debug", value))
        return NULL;
    return "expected error, warn, info or debug";
}

/* NULL, or what is wrong with the value. */
static const char *fault_of(const char *type, const char *value)
{
    double number;
    bool is_number = number_read(value, COHORT_F64, &number) == NULL;
    if (strcmp(type, "seconds") == 0 && (!is_number || !(number >= 0 && number <= 1e9)))
        return "expected seconds, from 0 to 1e9";
    if (strcmp(type, "microseconds") == 0 && (!is_number || !(number >= 0 && number <= 1e15)))
        return "expected microseconds, from 0 on";
    if (strcmp(type, "number") == 0 && (!is_number || !(number >= 0)))
        return "expected a number";
    return strcmp(type, "levels") == 0 ? fault_of_levels(value) : NULL;
}

static void check_value(doctor *d, const cohort_setting *setting)
{
    const char *name = cohort_setting_name(setting), *value = cohort_setting_value(setting);
    const char *fault = value != NULL ? fault_of(cohort_setting_type(setting), value) : NULL;
    char fix[MOST_NAME + 32];
    (void)snprintf(fix, sizeof fix, "unset %s; cohort env says what it is for", name);
    if (fault != NULL)
        doctor_say(d, DOCTOR_WRONG, "settings", fix, "%s=%s: %s", name, value, fault);
    const char *words = cohort_setting_type(setting);
    if (value != NULL && value[0] != '\0' && strchr(words, '|') != NULL && !has_word(words, value))
        doctor_say(d, DOCTOR_WRONG, "settings", fix, "%s=%s: expected one of %s", name, value,
                   words);
}

/* Whether the list names devices that there are. */
static void check_devices(doctor *d)
{
    static const char fix[] = "unset COHORT_DEVICES, or name devices that cohort devices lists";
    const char *list = cli_setting("COHORT_DEVICES");
    const finding *ended = finding_find_ended(d->findings, list);
    if (ended != NULL)
        doctor_say(d, DOCTOR_WRONG, "settings", fix, "COHORT_DEVICES=%s: %s: %s", list,
                   ended->subject, ended->text);
    if (list[0] == '\0' || ended != NULL)
        return;
    cohort_strategy *strategy = cohort_mirrored(list);
    if (strategy == NULL)
        doctor_say(d, DOCTOR_WRONG, "settings", fix, "COHORT_DEVICES=%s: %s", list,
                   cohort_error_text());
    cohort_strategy_destroy(strategy);
}

void doctor_settings(doctor *d)
{
    int before = d->n[DOCTOR_WRONG] + d->n[DOCTOR_NOTE];
    for (char **entry = environ; *entry != NULL; entry++)
        check_name(d, *entry);
    for (const cohort_setting *s = cohort_setting_next(NULL); s != NULL; s = cohort_setting_next(s))
        check_value(d, s);
    check_devices(d);
    if (before == d->n[DOCTOR_WRONG] + d->n[DOCTOR_NOTE])
        doctor_say(d, DOCTOR_OK, "settings", NULL,
                   "environment variables have names and values that can be");
}
