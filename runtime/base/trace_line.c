/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/trace_line.h"

#include "runtime/base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { WHY_BYTES = 120, DIGITS = 20, NS_DIGITS = 3 };

typedef struct line {
    char *at, *end;
} line;

static const char *const kinds[COHORT_TRACE_KINDS] = {
    [COHORT_TRACE_BODY] = "body",   [COHORT_TRACE_COPY] = "copy",
    [COHORT_TRACE_SUM] = "sum",     [COHORT_TRACE_OTHER] = "other",
    [COHORT_TRACE_CALL] = "call",   [COHORT_TRACE_STEP] = "step",
    [COHORT_TRACE_WAIT] = "wait",   [COHORT_TRACE_INPUT] = "input",
    [COHORT_TRACE_RANGE] = "range", [COHORT_TRACE_WRITING] = "trace",
};

/* ------------------------------------------------------------------ what a line consists of */

static void put(line *l, const char *text)
{
    const size_t n = strlen(text);
    if (n > (size_t)(l->end - l->at))
        return;
    memcpy(l->at, text, n);
    l->at += n;
}

static void put_digits(line *l, uint64_t number, int least)
{
    char digits[DIGITS + 1];
    char *first = digits + DIGITS;
    *first = '\0';
    for (; number > 0 || least > 0; number /= 10, least--)
        *--first = (char)('0' + number % 10);
    put(l, first);
}

static void put_number(line *l, uint64_t number)
{
    put_digits(l, number, 1);
}

/* In microseconds, with a point in every locale. */
static void put_time(line *l, int64_t ns)
{
    put_number(l, (uint64_t)ns / 1000);
    put(l, ".");
    put_digits(l, (uint64_t)ns % 1000, NS_DIGITS);
}

static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\')
        text++;
    return *text == '\0';
}

/* As JSON has it, without its quotes. */
static void put_text(line *l, const char *text)
{
    char part[WHY_BYTES], escaped[6 * WHY_BYTES];
    if (is_plain(text) && strlen(text) < sizeof part) {
        put(l, text);
        return;
    }
    (void)snprintf(part, sizeof part, "%s", text);
    cohort_utf8_json(part, escaped);
    put(l, escaped);
}

static void put_track(line *l, const cohort_trace_event *e, const cohort_trace_origin *origin)
{
    put(l, "\"pid\":");
    put_number(l, (uint64_t)origin->pid);
    put(l, ",\"tid\":");
    put_number(l, e->of.track);
}

/* ------------------------------------------------------------------ lines */

/* What the event names is called so. */
static void put_name(line *l, const cohort_trace_event *e, const cohort_trace_origin *origin,
                     const char *what)
{
    put(l, "{\"ph\":\"M\",\"name\":\"");
    put(l, what);
    put(l, "\",");
    put_track(l, e, origin);
    put(l, ",\"args\":{\"name\":\"");
    put_text(l, e->name);
    put(l, "\"}},\n");
}

/* Processes stand in the order of their ranks. */
static void put_place(line *l, const cohort_trace_event *e, const cohort_trace_origin *origin)
{
    put(l, "{\"ph\":\"M\",\"name\":\"process_sort_index\",");
    put_track(l, e, origin);
    put(l, ",\"args\":{\"sort_index\":");
    put_number(l, (uint64_t)e->of.replica);
    put(l, "}},\n");
}

/* What there is to say beside the times. */
static void put_details(line *l, const cohort_trace_piece *p)
{
    const char *before = ",\"args\":{";
    if (p->replica >= 0) {
        put(l, before);
        put(l, "\"replica\":");
        put_number(l, (uint64_t)p->replica);
        before = ",";
    }
    if (p->bytes > 0) {
        put(l, before);
        put(l, "\"bytes\":");
        put_number(l, p->bytes);
        before = ",";
    }
    if (p->why != NULL) {
        put(l, before);
        put(l, "\"why\":\"");
        put_text(l, p->why);
        put(l, "\"");
        before = ",";
    }
    if (before[1] == '\0')
        put(l, "}");
}

static void put_slice(line *l, const cohort_trace_event *e, const cohort_trace_origin *origin,
                      int64_t from_ns)
{
    const int64_t until_ns = e->of.end_ns > from_ns ? e->of.end_ns : from_ns;
    put(l, "{\"ph\":\"X\",\"name\":\"");
    put_text(l, e->name);
    put(l, "\",\"cat\":\"");
    put(l, kinds[e->of.kind]);
    put(l, "\",");
    put_track(l, e, origin);
    put(l, ",\"ts\":");
    put_time(l, from_ns - origin->start_ns);
    put(l, ",\"dur\":");
    put_time(l, until_ns - from_ns);
    put_details(l, &e->of);
    put(l, "},\n");
}

static void put_arrow(line *l, const cohort_trace_event *e, const cohort_trace_origin *origin,
                      int64_t from_ns)
{
    put(l, e->of.begins ? "{\"ph\":\"s\"" : "{\"ph\":\"t\"");
    put(l, ",\"name\":\"call\",\"cat\":\"flow\",\"id\":");
    put_number(l, e->of.flow);
    put(l, ",");
    put_track(l, e, origin);
    put(l, ",\"ts\":");
    put_time(l, from_ns - origin->start_ns);
    put(l, "},\n");
}

size_t cohort_trace_line(const cohort_trace_event *e, const cohort_trace_origin *origin, char *out)
{
    line l = { out, out + COHORT_TRACE_LINE_BYTES };
    const int64_t from_ns = e->of.begin_ns > origin->start_ns ? e->of.begin_ns : origin->start_ns;
    if (e->of.end_ns == COHORT_TRACE_NAMES_TRACK) {
        put_name(&l, e, origin, "thread_name");
    } else if (e->of.end_ns == COHORT_TRACE_NAMES_PROCESS) {
        put_name(&l, e, origin, "process_name");
        if (e->of.replica >= 0)
            put_place(&l, e, origin);
    } else {
        put_slice(&l, e, origin, from_ns);
        if (e->of.flow != 0)
            put_arrow(&l, e, origin, from_ns);
    }
    return (size_t)(l.at - out);
}
