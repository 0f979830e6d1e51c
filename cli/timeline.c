/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of tracks may stand behind their slices, for each thread writes its events by itself; so
 * whose a slice is turns out when all are there. */
#include "config.h"

#include "cli/timeline.h"

#include "cli/fnv.h"
#include "cli/trace_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 8192, FIRST_ROOM = 1024 };
_Static_assert(TABLE >= 2 * TIMELINE_MOST_TRACKS && TABLE >= 2 * TIMELINE_MOST_NAMES,
               "a table is half empty");

/* strategy: by the arrows of its slices (cohort/trace.h); 0: not known */
struct timeline_track {
    int64_t process, id, strategy;
    char label[TIMELINE_NAME_BYTES];
    int32_t device;
    bool has_bodies;
    double busy_ns; /* as a device's */
};

static const char *const kinds[TIMELINE_KINDS] = { "body", "copy", "sum",   "other", "call",
                                                   "step", "wait", "input", "range", "trace" };

const char *timeline_kind_name(timeline_kind kind)
{
    return kinds[kind];
}

/* ------------------------------------------------------------------ tables */

/* Places of a table have a number from 1, 0: free. */
static int32_t *place_of_name(const timeline *t, const char *name)
{
    uint64_t at = fnv(name, strlen(name)) % TABLE;
    while (t->name_table[at] != 0 && strcmp(t->names[t->name_table[at] - 1], name) != 0)
        at = (at + 1) % TABLE;
    return &t->name_table[at];
}

/* One that there is no room for has the name of the first: "others". */
static int32_t number_of_name(timeline *t, const char *name)
{
    int32_t *place = place_of_name(t, name);
    if (*place == 0 && t->n_names < TIMELINE_MOST_NAMES) {
        (void)snprintf(t->names[t->n_names], TIMELINE_NAME_BYTES, "%s", name);
        *place = ++t->n_names;
    }
    return *place > 0 ? *place - 1 : 0;
}

/* -1: there are too many. */
static int32_t track_of(timeline *t, const trace_event *e)
{
    const int64_t key[2] = { e->process, e->track };
    uint64_t at = fnv(key, sizeof key) % TABLE;
    for (; t->track_table[at] != 0; at = (at + 1) % TABLE) {
        const timeline_track *track = &t->tracks[t->track_table[at] - 1];
        if (track->process == e->process && track->id == e->track)
            return t->track_table[at] - 1;
    }
    if (t->n_tracks == TIMELINE_MOST_TRACKS)
        return -1;
    t->tracks[t->n_tracks] =
        (timeline_track){ .process = e->process, .id = e->track, .device = -1 };
    t->track_table[at] = ++t->n_tracks;
    return t->n_tracks - 1;
}

/* ------------------------------------------------------------------ reading */

static bool kind_of(const char *category, timeline_kind *out)
{
    for (int k = 0; k < TIMELINE_KINDS; k++)
        if (strcmp(category, kinds[k]) == 0) {
            *out = (timeline_kind)k;
            return true;
        }
    return false;
}

static bool grow(timeline *t)
{
    const size_t room = t->room > 0 ? 2 * t->room : FIRST_ROOM;
    timeline_slice *slices = realloc(t->slices, room * sizeof *slices);
    if (slices == NULL)
        return false;
    t->slices = slices;
    t->room = room;
    return true;
}

static int32_t name_of(timeline *t, const trace_event *e)
{
    char name[TIMELINE_NAME_BYTES];
    const char *end = e->replica >= 0 ? strstr(e->name, ", replica ") : NULL;
    const size_t bytes = end != NULL ? (size_t)(end - e->name) : strlen(e->name);
    (void)snprintf(name, sizeof name, "%.*s", (int)(bytes < sizeof name ? bytes : sizeof name - 1),
                   e->name);
    return number_of_name(t, name);
}

static void count_step(timeline *t, const trace_event *e)
{
    const bool is_planned = strcmp(e->name, "step, planned") == 0;
    t->planned += is_planned;
    t->repeated += !is_planned;
    if (e->why[0] != '\0')
        (void)snprintf(t->why, sizeof t->why, "%s", e->why);
}

/* What is wrong; NULL: nothing. */
static const char *add_slice(timeline *t, const trace_event *e, int32_t track)
{
    timeline_kind kind;
    if (!kind_of(e->category, &kind))
        return NULL;
    if (t->n == TIMELINE_MOST_SLICES) {
        t->more++;
        return NULL;
    }
    if (t->n == t->room && !grow(t))
        return "out of memory";
    t->slices[t->n++] = (timeline_slice){ .begin_ns = e->begin_ns,
                                          .end_ns = e->begin_ns + e->length_ns,
                                          .bytes = e->bytes,
                                          .track = track,
                                          .device = -1,
                                          .name = name_of(t, e),
                                          .replica = (int32_t)e->replica,
                                          .kind = kind };
    if (kind == TIMELINE_STEP)
        count_step(t, e);
    return NULL;
}

/* An arrow follows its slice. */
static void add_arrow(timeline *t, const trace_event *e, int32_t track)
{
    timeline_slice *last = t->n > 0 ? &t->slices[t->n - 1] : NULL;
    if (t->more > 0 || last == NULL || last->track != track || last->begin_ns != e->begin_ns)
        return;
    last->flow = e->flow;
    if (timeline_is_device(last))
        t->tracks[track].strategy = e->flow >> 40;
}

static const char *add_event(timeline *t, const trace_event *e)
{
    const int32_t track = track_of(t, e);
    if (track < 0)
        return "more than 4096 tracks; trace a shorter part of the run (cohort_trace_start)";
    if (e->phase == 'X')
        return add_slice(t, e, track);
    if (e->phase == 's' || e->phase == 't')
        add_arrow(t, e, track);
    else if (e->phase == 'M' && strcmp(e->name, "thread_name") == 0)
        (void)snprintf(t->tracks[track].label, TIMELINE_NAME_BYTES, "%.*s", TIMELINE_NAME_BYTES - 1,
                       e->label);
    return NULL;
}

static const char no_trace[] = "; expected a trace, as COHORT_TRACE writes it";

static const char *read_events(FILE *file, timeline *t, char *text, size_t room)
{
    trace_file in = { .scan.file = file };
    trace_event e;
    const char *wrong = NULL;
    while (wrong == NULL && trace_file_next(&in, &e))
        wrong = add_event(t, &e);
    t->is_cut = in.is_cut;
    if (wrong == NULL && in.scan.wrong == NULL)
        return NULL;
    (void)snprintf(text, room, "byte %" PRId64 ": %s%s", in.scan.bytes,
                   wrong != NULL ? wrong : in.scan.wrong, wrong != NULL ? "" : no_trace);
    return text;
}

/* ------------------------------------------------------------------ the strategy */

/* That of a call or a step: its own; of other slices of threads: any. */
static bool is_of(const timeline *t, const timeline_slice *s, int64_t process, int64_t strategy)
{
    const timeline_track *track = &t->tracks[s->track];
    if (track->process != process)
        return false;
    if (timeline_is_device(s))
        return track->strategy == strategy;
    return s->flow == 0 || s->flow >> 40 == strategy;
}

typedef struct owner {
    int64_t process, strategy;
    double busy_ns;
    int32_t devices; /* that have run bodies */
} owner;

static void count_time(timeline *t)
{
    for (size_t i = 0; i < t->n; i++) {
        timeline_track *track = &t->tracks[t->slices[i].track];
        if (timeline_is_device(&t->slices[i]))
            track->busy_ns += (double)(t->slices[i].end_ns - t->slices[i].begin_ns);
        track->has_bodies = track->has_bodies || t->slices[i].kind == TIMELINE_BODY;
    }
}

/* Of whom the track is; a new one where nobody has it. */
static owner *owner_of(const timeline_track *track, owner *all, int32_t *n)
{
    int32_t at = 0;
    while (at < *n && (all[at].process != track->process || all[at].strategy != track->strategy))
        at++;
    if (at == *n)
        all[(*n)++] = (owner){ .process = track->process, .strategy = track->strategy };
    return &all[at];
}

static int32_t list_owners(const timeline *t, owner *all)
{
    int32_t n = 0;
    for (int32_t i = 0; i < t->n_tracks; i++) {
        if (t->tracks[i].busy_ns == 0)
            continue;
        owner *one = owner_of(&t->tracks[i], all, &n);
        one->busy_ns += t->tracks[i].busy_ns;
        one->devices += t->tracks[i].has_bodies;
    }
    return n;
}

/* The one with the most devices that have run bodies, for a training is often made again on one, to
 * compare; of several the one that has worked the longest. Arrows tell a strategy from another one;
 * without them it is 0. */
static owner find_owner(timeline *t)
{
    static owner all[TIMELINE_MOST_TRACKS];
    owner most = { 0 };
    count_time(t);
    t->n_strategies = list_owners(t, all);
    for (int32_t i = 0; i < t->n_strategies; i++)
        if (all[i].devices > most.devices ||
            (all[i].devices == most.devices && all[i].busy_ns > most.busy_ns))
            most = all[i];
    return most;
}

/* "host:0 bodies" is the device host:0. -1: it has no name, or there are too many. */
static int32_t device_of(timeline *t, timeline_track *track)
{
    const char *end = strrchr(track->label, ' ');
    char id[TIMELINE_NAME_BYTES];
    if (end == NULL || track->device >= 0)
        return track->device;
    (void)snprintf(id, sizeof id, "%.*s", (int)(end - track->label), track->label);
    for (int32_t i = 0; i < t->n_devices; i++)
        if (strcmp(t->devices[i], id) == 0)
            track->device = i;
    if (track->device < 0 && t->n_devices < TIMELINE_MOST_DEVICES) {
        memcpy(t->devices[t->n_devices], id, sizeof id);
        track->device = t->n_devices++;
    }
    return track->device;
}

static int by_begin(const void *a, const void *b)
{
    const timeline_slice *x = a, *y = b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return x->end_ns != y->end_ns ? (x->end_ns > y->end_ns ? -1 : 1) : 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* In the order of their names, whichever was named first. */
static void find_devices(timeline *t, const owner *whose)
{
    for (int32_t i = 0; i < t->n_tracks; i++)
        if (t->tracks[i].process == whose->process && t->tracks[i].strategy == whose->strategy)
            (void)device_of(t, &t->tracks[i]);
    qsort(t->devices, (size_t)t->n_devices, sizeof *t->devices, by_text);
    for (int32_t i = 0; i < t->n_tracks; i++)
        if (t->tracks[i].device >= 0) {
            t->tracks[i].device = -1;
            (void)device_of(t, &t->tracks[i]);
        }
}

static const char *keep_strategy(timeline *t, char *wrong, size_t room)
{
    const owner whose = find_owner(t);
    size_t kept = 0;
    find_devices(t, &whose);
    for (size_t i = 0; i < t->n; i++) {
        timeline_slice *s = &t->slices[i];
        s->device = timeline_is_device(s) ? t->tracks[s->track].device : -1;
        if (is_of(t, s, whose.process, whose.strategy) &&
            (s->device >= 0 || !timeline_is_device(s)))
            t->slices[kept++] = *s;
    }
    t->n = kept;
    qsort(t->slices, t->n, sizeof *t->slices, by_begin);
    if (t->n_devices > 0)
        return NULL;
    (void)snprintf(wrong, room, "no device has done anything in it%s", no_trace);
    return wrong;
}

static bool allocate(timeline *t)
{
    t->names = calloc(TIMELINE_MOST_NAMES, sizeof *t->names);
    t->devices = calloc(TIMELINE_MOST_DEVICES, sizeof *t->devices);
    t->tracks = calloc(TIMELINE_MOST_TRACKS, sizeof *t->tracks);
    t->name_table = calloc(TABLE, sizeof *t->name_table);
    t->track_table = calloc(TABLE, sizeof *t->track_table);
    return t->names != NULL && t->devices != NULL && t->tracks != NULL && t->name_table != NULL &&
           t->track_table != NULL && grow(t);
}

const char *timeline_read(FILE *file, timeline *out, char *wrong, size_t room)
{
    *out = (timeline){ 0 };
    if (!allocate(out)) {
        (void)snprintf(wrong, room, "out of memory");
        return wrong;
    }
    (void)number_of_name(out, "others");
    const char *failed = read_events(file, out, wrong, room);
    return failed != NULL ? failed : keep_strategy(out, wrong, room);
}

void timeline_free(timeline *t)
{
    free(t->slices);
    free(t->names);
    free(t->devices);
    free(t->tracks);
    free(t->name_table);
    free(t->track_table);
    *t = (timeline){ 0 };
}
