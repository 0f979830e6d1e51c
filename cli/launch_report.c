/* SPDX-License-Identifier: BSD-3-Clause */
/* A report is a line between two bytes that no text has, with the key of this launch:
 *
 *     RS KEY KIND NUMBER RANK HOST TEXT RS */
#include "config.h"

#include "cli/launch_report.h"

#include "cli/launch_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RS '\x1e'
enum { LABEL_BYTES = 48 };
/* Where a byte stands: at the start of a line or in what may be a label there, in the text, in what
 * may be a report, or right behind one that began its line. */
enum { LABEL = 0, TEXT, REPORT, BEHIND };

/* Without /dev/urandom, as in some containers, of the time and the process. */
void report_make_key(char out[REPORT_KEY_BYTES])
{
    struct timespec now;
    uint64_t number = 0;
    int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (file < 0 || read(file, &number, sizeof number) != (ssize_t)sizeof number)
        number = ((uint64_t)now.tv_sec << 30 | (uint64_t)now.tv_nsec) ^ (uint64_t)getpid() << 44;
    if (file >= 0)
        (void)close(file);
    (void)snprintf(out, REPORT_KEY_BYTES, "%016llx", (unsigned long long)number);
}

void report_write(const char *key, const report *r)
{
    char one[REPORT_HELD_BYTES], both[2 * REPORT_HELD_BYTES];
    (void)snprintf(one, sizeof one, "%c%s %c %d %d %s %s%c\n", RS, key, (char)r->kind, r->number,
                   r->rank, r->host, r->text, RS);
    int n = snprintf(both, sizeof both, "%s%s", one, one);
    (void)launch_write_all(STDERR_FILENO, both, (size_t)n);
}

/* ------------------------------------------------------------------ the stream */

static void flush(report_stream *s)
{
    (void)launch_write_all(s->out, s->ready, s->n_ready);
    s->n_ready = 0;
}

static void pass(report_stream *s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s->n_ready == sizeof s->ready)
            flush(s);
        s->ready[s->n_ready++] = bytes[i];
    }
}

static void pass_held(report_stream *s)
{
    pass(s, s->held, s->n);
    s->n = 0;
}

/* "[1,0]<stderr>:" of Open MPI, "[0] " of MPICH. */
static bool may_be_label(char c, size_t at)
{
    return at == 0 ? c == '[' : at < LABEL_BYTES && strchr("0123456789,]<stderr>: ", c) != NULL;
}

static bool parse(const report_stream *s, report *out)
{
    char kind, key[REPORT_KEY_BYTES];
    const char *held = s->held + s->label_bytes + 1;
    int end = 0, n = sscanf(held, "%16s %c %d %d %255s%n", key, &kind, &out->number, &out->rank,
                            out->host, &end);
    if (n != 5 || strcmp(key, s->key) != 0 || strchr("SEKPLT", kind) == NULL || held[end] != ' ')
        return false;
    out->kind = (report_kind)kind;
    (void)snprintf(out->text, sizeof out->text, "%s", held + end + 1);
    return true;
}

static void begin_report(report_stream *s, bool begins_line)
{
    s->label_bytes = s->n;
    s->begins_line = begins_line;
    s->held[s->n++] = RS;
    s->state = REPORT;
}

/* What stands behind RS, up to the second one. */
static void put_in_report(report_stream *s, char c)
{
    report r;
    bool is_full = c == '\n' || s->n + 1 == sizeof s->held;
    s->held[s->n] = '\0';
    if (c == RS && parse(s, &r)) {
        s->n = 0;
        s->state = BEHIND;
        s->take(s->user, &r);
        return;
    }
    s->held[s->n++] = c;
    if (c != RS && !is_full)
        return;
    pass_held(s);
    s->state = c == '\n' ? LABEL : TEXT;
}

/* The end of the line that a report was belongs to it, unless there was a text before. */
static bool ends_report(report_stream *s, char c)
{
    s->state = c == '\n' || s->begins_line ? LABEL : TEXT;
    return c == '\n' && s->begins_line;
}

static void put(report_stream *s, char c)
{
    if (s->state == REPORT) {
        put_in_report(s, c);
        return;
    }
    if (s->state == BEHIND && ends_report(s, c))
        return;
    if (c == RS) {
        begin_report(s, s->state == LABEL);
    } else if (s->state == LABEL && may_be_label(c, s->n)) {
        s->held[s->n++] = c;
    } else {
        pass_held(s);
        pass(s, &c, 1);
        s->state = c == '\n' ? LABEL : TEXT;
    }
}

void report_stream_put(report_stream *s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(s, bytes[i]);
    flush(s);
}

void report_stream_end(report_stream *s)
{
    pass_held(s);
    flush(s);
}
