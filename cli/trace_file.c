/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is killed leaves an array without its end, which the format allows; so the end of
 * the file is never an error, and half an event is none. */
#include "config.h"

#include "cli/trace_file.h"

#include <math.h>
#include <string.h>

enum { KEY_BYTES = 16, EXACT_BITS = 53 };

static void take_text(const json_scan *s, char *out)
{
    if (s->token == JSON_TOKEN_TEXT)
        (void)snprintf(out, TRACE_FILE_TEXT_BYTES, "%.*s", TRACE_FILE_TEXT_BYTES - 1, s->text);
}

/* A whole number, as far as a double has them; others are as if they were not there. */
static void take_number(const json_scan *s, double scale, int64_t *out)
{
    const double number = s->token == JSON_TOKEN_NUMBER ? nearbyint(s->number * scale) : NAN;
    if (fabs(number) <= ldexp(1, EXACT_BITS))
        *out = (int64_t)number;
}

static bool read_details(json_scan *s, trace_event *e)
{
    char key[KEY_BYTES];
    if (!json_scan_is(s, '{'))
        return json_scan_pass(s);
    for (bool is_first = true; json_scan_key(s, is_first, key, sizeof key); is_first = false) {
        if (strcmp(key, "name") == 0)
            take_text(s, e->label);
        else if (strcmp(key, "why") == 0)
            take_text(s, e->why);
        else if (strcmp(key, "replica") == 0)
            take_number(s, 1, &e->replica);
        else if (strcmp(key, "bytes") == 0)
            take_number(s, 1, &e->bytes);
        if (!json_scan_pass(s))
            return false;
    }
    return json_scan_is(s, '}');
}

/* Times are microseconds, with three digits behind the point. */
static bool read_member(json_scan *s, const char *key, trace_event *e)
{
    char phase[TRACE_FILE_TEXT_BYTES] = "";
    if (strcmp(key, "args") == 0)
        return read_details(s, e);
    if (strcmp(key, "ph") == 0) {
        take_text(s, phase);
        e->phase = phase[0];
    } else if (strcmp(key, "name") == 0) {
        take_text(s, e->name);
    } else if (strcmp(key, "cat") == 0) {
        take_text(s, e->category);
    } else if (strcmp(key, "id") == 0) {
        take_number(s, 1, &e->flow);
    } else if (strcmp(key, "pid") == 0) {
        take_number(s, 1, &e->process);
    } else if (strcmp(key, "tid") == 0) {
        take_number(s, 1, &e->track);
    } else if (strcmp(key, "ts") == 0) {
        take_number(s, 1000, &e->begin_ns);
    } else if (strcmp(key, "dur") == 0) {
        take_number(s, 1000, &e->length_ns);
    }
    return json_scan_pass(s);
}

/* Numbers that are as wrong as can be are as if they were not there, too. */
static bool read_event(json_scan *s, trace_event *e)
{
    char key[KEY_BYTES];
    bool is_whole = true;
    *e = (trace_event){ .replica = -1 };
    for (bool is_first = true; is_whole && json_scan_key(s, is_first, key, sizeof key);
         is_first = false)
        is_whole = read_member(s, key, e);
    e->begin_ns = e->begin_ns > 0 ? e->begin_ns : 0;
    e->length_ns = e->length_ns > 0 ? e->length_ns : 0;
    e->bytes = e->bytes > 0 ? e->bytes : 0;
    e->replica = e->replica >= 0 && e->replica < INT32_MAX ? e->replica : -1;
    return is_whole && json_scan_is(s, '}');
}

static bool refuse(trace_file *file, const char *wrong)
{
    if (file->scan.token == JSON_TOKEN_CUT)
        file->is_cut = true;
    else if (file->scan.wrong == NULL)
        file->scan.wrong = wrong;
    return false;
}

static bool begin(trace_file *file)
{
    file->has_begun = true;
    (void)json_scan_next(&file->scan);
    return json_scan_is(&file->scan, '[');
}

bool trace_file_next(trace_file *file, trace_event *out)
{
    json_scan *s = &file->scan;
    if (file->is_cut || s->wrong != NULL)
        return false;
    if (!file->has_begun && !begin(file))
        return refuse(file, "no array of events, which begins with [");
    (void)json_scan_next(s);
    if (json_scan_is(s, ','))
        (void)json_scan_next(s);
    if (json_scan_is(s, ']'))
        return false;
    if (!json_scan_is(s, '{') || !read_event(s, out))
        return refuse(file, "no event, which is {...}");
    return true;
}
