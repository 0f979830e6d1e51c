/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables are read each time they are asked for and not kept here: a program may set them with
 * setenv before the call that they are for, and nothing is stored that would have to be guarded. */
#include "config.h"

#include "runtime/base/settings.h"

#include "runtime/base/assert.h"
#include "runtime/base/log.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

struct cohort_setting {
    const char *name, *type, *fallback, *documentation;
};

#define SETTING_ROW(id, name, type, fallback, documentation)                                       \
    { name, type, fallback, documentation },
static const cohort_setting table[COHORT_SETTING_COUNT] = { COHORT_SETTINGS(SETTING_ROW) };

bool cohort_setting_is_secure(void)
{
#if defined(__linux__)
    return getauxval(AT_SECURE) != 0;
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

/* A program with more rights than its user must not obey the user's environment: there every
 * variable is unset. */
static const char *read_variable(const char *name)
{
#if defined(HAVE_SECURE_GETENV)
    return secure_getenv(name);
#else
    return cohort_setting_is_secure() ? NULL : getenv(name);
#endif
}

const cohort_setting *cohort_setting_next(const cohort_setting *previous)
{
    const cohort_setting *next = previous == NULL ? table : previous + 1;
    return next < table + COHORT_SETTING_COUNT ? next : NULL;
}

const char *cohort_setting_name(const cohort_setting *setting)
{
    return setting != NULL ? setting->name : "";
}

const char *cohort_setting_type(const cohort_setting *setting)
{
    return setting != NULL ? setting->type : "";
}

const char *cohort_setting_default(const cohort_setting *setting)
{
    return setting != NULL ? setting->fallback : "";
}

const char *cohort_setting_documentation(const cohort_setting *setting)
{
    return setting != NULL ? setting->documentation : "";
}

const char *cohort_setting_value(const cohort_setting *setting)
{
    return setting != NULL ? read_variable(setting->name) : NULL;
}

const cohort_setting *cohort_setting_at(cohort_setting_id id)
{
    return &table[id];
}

const cohort_setting *cohort_setting_find(const char *name)
{
    for (const cohort_setting *s = table; s < table + COHORT_SETTING_COUNT; s++)
        if (name != NULL && strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

const char *cohort_setting_text(cohort_setting_id id)
{
    const char *text = read_variable(table[id].name);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static bool is_time(const cohort_setting *setting)
{
    return strcmp(setting->type, "seconds") == 0 || strcmp(setting->type, "microseconds") == 0;
}

void cohort_settings_tell_wrong(void)
{
    for (int id = 0; id < COHORT_SETTING_COUNT; id++)
        if (is_time(&table[id]))
            (void)cohort_setting_ns((cohort_setting_id)id);
}

/* Digits with at most one point, in units of 10^-9, at most 10^9 whole ones: 10^18 fits 63 bits.
 * By hand, since strtod would read a comma in some locales. Digits beyond the ninth behind the
 * point are passed over. */
static bool parse_billionths(const char *text, int64_t *out)
{
    int64_t whole = 0, part = 0, scale = 1000000000;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++)
        if ((whole = whole * 10 + (*p - '0')) > 1000000000)
            return false;
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++)
            if (scale > 1)
                scale /= 10, part += scale * (*p - '0');
    *out = whole * 1000000000 + part;
    return *p == '\0' && p != text && strcmp(text, ".") != 0;
}

/* Of a setting that may be read in every call. */
static bool is_first_wrong(cohort_setting_id id)
{
    static atomic_bool is_told[COHORT_SETTING_COUNT];
    return !atomic_exchange(&is_told[id], true);
}

static int find_word(const char *text, const char *const words[], int n)
{
    int i = 0;
    while (i < n && strcmp(text, words[i]) != 0)
        i++;
    return i < n ? i : -1;
}

/* "off, memo, steps" */
static void list_words(const char *const words[], int n, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", words[i]);
}

int cohort_setting_word(cohort_setting_id id, const char *const words[], int n)
{
    const cohort_setting *setting = &table[id];
    const char *text = cohort_setting_text(id);
    int found = text != NULL ? find_word(text, words, n) : -1;
    char list[128];
    if (text != NULL && found < 0 && is_first_wrong(id)) {
        list_words(words, n, list, sizeof list);
        cohort_log(COHORT_SUBSYSTEM_BASE, COHORT_LOG_WARNING, "%s=%.100s is none of %s; using %s",
                   setting->name, text, list, setting->fallback);
    }
    if (found < 0)
        found = find_word(setting->fallback, words, n);
    cohort_assert(found >= 0);
    return found;
}

int64_t cohort_setting_ns(cohort_setting_id id)
{
    const cohort_setting *setting = &table[id];
    const char *text = cohort_setting_text(id);
    int64_t units = strcmp(setting->type, "microseconds") == 0 ? 1000000 : 1, ns = 0;
    if (text != NULL && parse_billionths(text, &ns))
        return ns / units;
    if (text != NULL && is_first_wrong(id))
        cohort_log(COHORT_SUBSYSTEM_BASE, COHORT_LOG_WARNING,
                   "%s=%s is not a number of %s from 0 to 1000000000; using %s", setting->name,
                   text, setting->type, setting->fallback);
    bool is_number = parse_billionths(setting->fallback, &ns);
    cohort_assert(is_number);
    return ns / units;
}
