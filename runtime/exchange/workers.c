/* SPDX-License-Identifier: BSD-3-Clause */
/* Meetings. Each worker sends the others one record, of whatever length, and waits for theirs: what
 * has failed, or is in another call, is seen by all in the same meeting, before anything is sent
 * whose length the others have to know. */
#include "config.h"

#include "runtime/exchange/workers.h"

#include "runtime/base/digest.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NO_OFFERS_FOR = 256 }; /* meetings, after an offer that was not taken */
/* Measured on two processes of one machine: roots of more bytes are faster in slices. */
enum { WHOLE_BYTES = COHORT_WORKERS_OFFER };
/* Measured on two machines of two and four processes each: over a link of 1 Gbit/s roots of more
 * bytes are faster by machine; over one that is as fast as memory, hardly slower. */
enum { ALONE_BYTES = 256 * 1024 };
_Static_assert(sizeof(cohort_meeting) <= COHORT_COMM_SHORT_BYTES, "a record is a short message");

/* ------------------------------------------------------------------ making */

/* As the setting calls it, or else the communicator. */
static cohort_status find_machine(const cohort_communicator *c, uint64_t *out)
{
    char host[COHORT_ERROR_BYTES] = "";
    const char *said = cohort_setting_text(COHORT_SETTING_MACHINE);
    cohort_status status =
        said != NULL ? COHORT_OK : cohort_communicator_host(c, c->info.rank, host, sizeof host);
    *out = cohort_digest_of_text(said != NULL ? said : host);
    return status;
}

static cohort_status make(cohort_workers *w, cohort_communicator *c, const cohort_ranks *ranks)
{
    w->n = c->info.size;
    w->rank = c->info.rank;
    cohort_talk_init(&w->talk);
    w->messages = (cohort_messages){ .communicator = c, .ranks = ranks };
    cohort_workers_set_limit(w, 0, NULL);
    cohort_workers_set_way(w, COHORT_WORKERS_AUTO);
    w->first = cohort_allocate((size_t)w->n + 1, sizeof *w->first);
    w->all = cohort_allocate((size_t)w->n, sizeof *w->all);
    w->come = cohort_allocate((size_t)w->n, sizeof *w->come);
    w->has_left = cohort_allocate((size_t)w->n, sizeof *w->has_left);
    w->skipping.says = cohort_allocate((size_t)w->n, sizeof *w->skipping.says);
    w->roots = cohort_allocate((size_t)w->n, COHORT_ROOTS_MOST * sizeof *w->roots);
    if (w->first == NULL || w->all == NULL || w->come == NULL || w->has_left == NULL ||
        w->skipping.says == NULL || w->roots == NULL || !cohort_machines_init(&w->alone, w->n) ||
        !cohort_machines_init(&w->shared, w->n))
        return cohort_error_memory("a strategy");
    cohort_status status = find_machine(c, &w->machine);
    if (status >= 0)
        status = cohort_messages_reserve(&w->messages, 2 * ((size_t)w->n - 1));
    return status < 0 ? status : cohort_communicator_take_tag(c, &w->messages.tag);
}

static void free_workers(void *workers)
{
    cohort_workers *w = workers;
    cohort_messages_fini(&w->messages);
    cohort_talk_fini(&w->talk);
    cohort_free(w->first);
    cohort_free(w->all);
    cohort_free(w->come);
    cohort_free(w->has_left);
    cohort_free(w->skipping.says);
    cohort_free(w->roots);
    cohort_machines_fini(&w->alone);
    cohort_machines_fini(&w->shared);
    cohort_free(w->room);
    cohort_free(w);
}

cohort_workers *cohort_workers_create(cohort_communicator *communicator, const cohort_ranks *ranks)
{
    cohort_workers *w = cohort_allocate(1, sizeof *w);
    if (w == NULL) {
        (void)cohort_error_memory("a strategy");
        return NULL;
    }
    if (make(w, communicator, ranks) >= 0)
        return w;
    free_workers(w);
    return NULL;
}

/* ------------------------------------------------------------------ options */

static const struct {
    uint64_t whole, alone;
} most_bytes[] = { [COHORT_WORKERS_AUTO] = { WHOLE_BYTES, ALONE_BYTES },
                   [COHORT_WORKERS_WHOLE] = { UINT64_MAX, UINT64_MAX },
                   [COHORT_WORKERS_SLICES] = { 0, UINT64_MAX },
                   [COHORT_WORKERS_HIERARCHICAL] = { 0, 0 } };

void cohort_workers_set_way(cohort_workers *w, cohort_workers_way way)
{
    w->most_whole = most_bytes[way].whole;
    w->most_alone = most_bytes[way].alone;
}

void cohort_workers_set_limit(cohort_workers *w, int64_t limit_ns, const char *limit)
{
    w->messages.limit = limit;
    w->messages.limit_ns =
        limit != NULL ? limit_ns : cohort_setting_ns(COHORT_SETTING_TIMEOUT_WORKER);
}

/* ------------------------------------------------------------------ meetings */

static void begin_meeting(cohort_workers *w, const char *call)
{
    w->mine.mark = COHORT_MEETING_MARK;
    w->mine.number = w->number;
    w->mine.status = COHORT_OK;
    w->mine.writes = w->writes.n;
    w->mine.digest = w->writes.digest;
    w->mine.end = 0;
    w->mine.offers = 0;
    w->note_bytes = 0;
    (void)memccpy(w->mine.call, call, '\0', sizeof w->mine.call - 1);
}

static void send_to_others(cohort_workers *w)
{
    for (int32_t i = 0; i < w->n; i++)
        if (i != w->rank)
            cohort_messages_send(&w->messages, i, &w->mine, COHORT_MEETING_HEAD + w->note_bytes);
}

static void receive_record(cohort_workers *w, int32_t from)
{
    cohort_messages_receive_most(&w->messages, from, &w->all[from], sizeof *w->all, &w->come[from]);
}

/* "call: worker 1 of 3 ...", and then what it has done. */
COHORT_PRINTF_(5, 6)
static cohort_status blame(const cohort_workers *w, int32_t peer, cohort_status status,
                           const char *call, const char *format, ...)
{
    char who[COHORT_RANKS_NAME], what[2 * COHORT_WORKERS_TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    cohort_messages_name(&w->messages, peer, who);
    return cohort_error_set(status, "%s: %s %s", call, who, what);
}

/* Text from elsewhere has an end, and nothing behind it is of a meeting before. */
static cohort_status read_record(const cohort_workers *w, int32_t from, const char *call)
{
    cohort_meeting *theirs = &w->all[from];
    if (w->come[from] < COHORT_MEETING_HEAD || theirs->mark != COHORT_MEETING_MARK)
        return blame(w, from, COHORT_EINVAL, call,
                     "has sent %llu bytes, which are no record; all workers run the same program",
                     (unsigned long long)w->come[from]);
    uint64_t noted = w->come[from] - COHORT_MEETING_HEAD;
    uint64_t least =
        w->note_bytes > COHORT_WORKERS_TEXT ? w->note_bytes : (uint64_t)COHORT_WORKERS_TEXT;
    if (noted < least)
        memset(theirs->note + noted, 0, least - noted);
    theirs->call[sizeof theirs->call - 1] = '\0';
    if (theirs->status < 0)
        theirs->note[COHORT_WORKERS_TEXT - 1] = '\0';
    return COHORT_OK;
}

static bool skips(const cohort_meeting *m)
{
    return m->end == COHORT_MEETING_SKIPS;
}

static cohort_status refuse_failed(const cohort_workers *w, int32_t other, const char *call)
{
    return blame(w, other, w->all[other].status, call, "has failed: %s", w->all[other].note);
}

static cohort_status hear_skip(const cohort_workers *w, int32_t from, const char *call)
{
    cohort_status status =
        blame(w, from, w->all[from].status, call, "skips the step: %s", w->all[from].note);
    if (w->skipping.hear != NULL)
        w->skipping.hear(w->skipping.user, status);
    return status;
}

/* A failure counts before a step that is skipped, and that before a call that does not match, to
 * which both may have led. */
static cohort_status compare(const cohort_workers *w, const char *call)
{
    for (int32_t i = 0; i < w->n; i++)
        if (w->all[i].status < 0 && !skips(&w->all[i]))
            return refuse_failed(w, i, call);
    for (int32_t i = 0; i < w->n; i++)
        if (skips(&w->all[i]))
            return hear_skip(w, i, call);
    for (int32_t i = 0; i < w->n; i++)
        if (w->all[i].end != 0 || w->all[i].number != w->number ||
            strcmp(w->all[i].call, w->mine.call) != 0)
            return blame(w, i, COHORT_EINVAL, call,
                         "calls %s meanwhile; all workers make the same calls, in the same order",
                         w->all[i].call);
    return COHORT_OK;
}

/* What the record says that was read of it last. */
static void note_end(cohort_workers *w, int32_t other)
{
    w->has_left[other] = w->has_left[other] || w->all[other].end == COHORT_MEETING_LEAVES;
    w->skipping.says[other] = w->skipping.says[other] || skips(&w->all[other]);
}

static cohort_status find_who_left(const cohort_workers *w, const char *call)
{
    for (int32_t i = 0; i < w->n; i++)
        if (w->has_left[i])
            return cohort_error_set(COHORT_ELOST,
                                    "%s: worker %d of %d has destroyed its strategy, or ended",
                                    call, i, w->n);
    return COHORT_OK;
}

static cohort_status exchange_meetings(cohort_workers *w, const char *call)
{
    memcpy(&w->all[w->rank], &w->mine, COHORT_MEETING_HEAD + w->note_bytes);
    for (int32_t i = 0; i < w->n; i++)
        if (i != w->rank)
            receive_record(w, i);
    send_to_others(w);
    cohort_status status = cohort_messages_wait(&w->messages, call);
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        if (i != w->rank)
            status = read_record(w, i, call);
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        note_end(w, i);
    return status;
}

static cohort_status exchange(cohort_workers *w, const char *call, const void *note, size_t bytes,
                              bool is_offer)
{
    w->number++;
    begin_meeting(w, call);
    memcpy(w->mine.note, note, bytes);
    w->note_bytes = bytes;
    w->mine.offers = is_offer;
    cohort_status status = find_who_left(w, call);
    if (status >= 0)
        status = exchange_meetings(w, call);
    if (status >= 0)
        status = compare(w, call);
    return status;
}

/* The writes of each are sent only where they are not the same. */
static cohort_status compare_writes(cohort_workers *w, const char *call)
{
    bool is_same = true;
    for (int32_t i = 0; i < w->n; i++)
        is_same =
            is_same && w->all[i].writes == w->mine.writes && w->all[i].digest == w->mine.digest;
    if (is_same || w->ignores_writes)
        return COHORT_OK;
    cohort_status status = exchange(w, call, &w->writes, sizeof w->writes, false);
    return status < 0 ? status : cohort_workers_name_writes(w, call);
}

static cohort_status meet(cohort_workers *w, const char *call, const void *note, size_t bytes,
                          bool is_offer, int32_t *out_offers)
{
    cohort_status status = exchange(w, call, note, bytes, is_offer);
    if (status >= 0)
        status = compare_writes(w, call);
    *out_offers = 0;
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        *out_offers += w->all[i].offers != 0;
    if (*out_offers > 0 && *out_offers < w->n)
        w->offers_from = w->number + NO_OFFERS_FOR;
    return status;
}

cohort_status cohort_workers_meet(cohort_workers *w, const char *call, const void *note,
                                  size_t bytes)
{
    int32_t offers;
    cohort_talk_begin(&w->talk);
    cohort_status status = meet(w, call, note, bytes, false, &offers);
    if (status >= 0 && offers > 0)
        status = meet(w, call, note, bytes, false, &offers);
    cohort_talk_end(&w->talk);
    return status;
}

cohort_status cohort_workers_meet_to_offer(cohort_workers *w, const char *call, const void *note,
                                           size_t bytes, bool *out_all)
{
    int32_t offers;
    cohort_talk_begin(&w->talk);
    cohort_status status = meet(w, call, note, bytes, true, &offers);
    cohort_talk_end(&w->talk);
    *out_all = offers == w->n;
    return status;
}

cohort_status cohort_workers_add_up(cohort_workers *w, const char *call, int32_t n,
                                    int64_t numbers[])
{
    int64_t theirs[COHORT_WORKERS_NUMBERS];
    size_t bytes = (size_t)n * sizeof *numbers;
    cohort_status status = cohort_workers_meet(w, call, numbers, bytes);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        memcpy(theirs, cohort_workers_note(w, i), bytes);
        for (int32_t k = 0; k < n && i != w->rank; k++)
            numbers[k] += theirs[k];
    }
    return status;
}

const void *cohort_workers_note(const cohort_workers *w, int32_t worker)
{
    return w->all[worker].note;
}

/* ------------------------------------------------------------------ failures */

/* Not waited for beyond what is sent at once: a record is small, and engines take it without the
 * other side. */
static void tell(cohort_workers *w, cohort_status status)
{
    w->has_told = true;
    begin_meeting(w, "");
    w->mine.status = status;
    (void)snprintf(w->mine.note, COHORT_WORKERS_TEXT, "%s", cohort_error_slot());
    w->note_bytes = strlen(w->mine.note);
    send_to_others(w);
    (void)cohort_messages_wait(&w->messages, "cohort_strategy");
}

void cohort_workers_tell(cohort_workers *w, cohort_status status)
{
    cohort_error_saved saved;
    cohort_error_save(&saved);
    cohort_talk_begin(&w->talk);
    if (!w->has_told && !w->messages.has_given_up)
        tell(w, status);
    cohort_talk_end(&w->talk);
    cohort_error_restore(&saved);
}

static cohort_status read_to_end_of(cohort_workers *w, int32_t other, const char *call)
{
    cohort_status status;
    do {
        receive_record(w, other);
        status = cohort_messages_wait(&w->messages, call);
        if (status >= 0)
            status = read_record(w, other, call);
    } while (status >= 0 && (w->all[other].end == 0 || skips(&w->all[other])));
    return status;
}

static cohort_status say_end(cohort_workers *w, const char *call, uint16_t end)
{
    begin_meeting(w, call);
    w->mine.end = end;
    send_to_others(w);
    return cohort_messages_wait(&w->messages, call);
}

void cohort_workers_end(cohort_workers *w, cohort_status status)
{
    cohort_error_saved saved;
    cohort_workers_tell(w, status);
    if (w->messages.has_given_up)
        return;
    cohort_error_save(&saved);
    (void)say_end(w, "exit", COHORT_MEETING_LEAVES);
    cohort_error_restore(&saved);
    w->has_said_farewell = true;
}

/* Everything that was sent before is over, and read. A worker that has left says nothing any
 * more. */
static cohort_status end_all(cohort_workers *w, const char *call, uint16_t end)
{
    cohort_talk_begin(&w->talk);
    cohort_status status = w->has_said_farewell ? COHORT_OK : say_end(w, call, end);
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        if (i != w->rank && !w->has_left[i])
            status = read_to_end_of(w, i, call);
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        note_end(w, i);
    cohort_talk_end(&w->talk);
    return status;
}

/* From the same number, with nothing told. */
static void go_on(cohort_workers *w)
{
    for (int32_t i = 0; i < w->n; i++) {
        if (i != w->rank && w->all[i].number > w->number)
            w->number = w->all[i].number;
        w->skipping.says[i] = false;
    }
    w->offers_from = 0;
    w->has_told = false;
}

cohort_status cohort_workers_recover(cohort_workers *w)
{
    static const char call[] = "cohort_strategy_recover";
    if (w->messages.has_given_up)
        return cohort_error_set(COHORT_ELOST,
                                "%s: a worker of the cluster is lost; make a new strategy without "
                                "it",
                                call);
    cohort_status status = find_who_left(w, call);
    if (status >= 0)
        status = end_all(w, call, COHORT_MEETING_RECOVERS);
    if (status >= 0)
        status = find_who_left(w, call);
    if (status < 0)
        return status;
    go_on(w);
    return COHORT_OK;
}

void cohort_workers_destroy(cohort_workers *w)
{
    if (w == NULL)
        return;
    cohort_error_saved saved;
    cohort_error_save(&saved);
    if (!w->messages.has_given_up)
        (void)end_all(w, "cohort_strategy_destroy", COHORT_MEETING_LEAVES);
    cohort_error_restore(&saved);
    cohort_messages_give(&w->messages, w, free_workers);
}

/* ------------------------------------------------------------------ steps that are skipped */

void cohort_workers_begin_step(cohort_workers *w)
{
    w->skipping.before = w->writes;
}

/* It may be on its way to the meeting that this worker does not come to. */
static cohort_status read_to_skip_of(cohort_workers *w, int32_t other, const char *call)
{
    cohort_status status = COHORT_OK;
    while (status >= 0 && !w->skipping.says[other]) {
        receive_record(w, other);
        status = cohort_messages_wait(&w->messages, call);
        if (status >= 0)
            status = read_record(w, other, call);
        if (status < 0)
            return status;
        note_end(w, other);
        if (w->all[other].status < 0 && !skips(&w->all[other]))
            return refuse_failed(w, other, call);
        if (w->has_left[other])
            return find_who_left(w, call);
        if (w->all[other].end != 0 && !skips(&w->all[other]))
            return blame(w, other, COHORT_EINVAL, call, "calls %s meanwhile", w->all[other].call);
    }
    return status;
}

/* As a failure that is told, which the others meet in whatever call they are. */
static cohort_status say_skip(cohort_workers *w, const char *call)
{
    w->has_told = true;
    begin_meeting(w, call);
    w->mine.status = COHORT_EINVAL;
    w->mine.end = COHORT_MEETING_SKIPS;
    (void)snprintf(w->mine.note, COHORT_WORKERS_TEXT, "%s", cohort_error_slot());
    w->note_bytes = strlen(w->mine.note);
    send_to_others(w);
    return cohort_messages_wait(&w->messages, call);
}

cohort_status cohort_workers_skip(cohort_workers *w)
{
    static const char call[] = "a step that is skipped";
    cohort_talk_begin(&w->talk);
    cohort_status status = find_who_left(w, call);
    if (status >= 0)
        status = say_skip(w, call);
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        if (i != w->rank)
            status = read_to_skip_of(w, i, call);
    if (status >= 0) {
        go_on(w);
        w->writes = w->skipping.before;
    }
    cohort_talk_end(&w->talk);
    return status;
}

/* ------------------------------------------------------------------ bytes */

cohort_status cohort_workers_broadcast(cohort_workers *w, const char *call, int32_t root,
                                       void *memory, uint64_t bytes)
{
    for (int32_t i = 0; i < w->n && w->rank == root; i++)
        if (i != root)
            cohort_messages_send(&w->messages, i, memory, bytes);
    if (w->rank != root)
        cohort_messages_receive(&w->messages, root, memory, bytes);
    return cohort_messages_wait(&w->messages, call);
}

cohort_status cohort_workers_gather(cohort_workers *w, const char *call, void *all,
                                    const uint64_t bytes[])
{
    uint64_t offset = 0, mine = 0;
    for (int32_t i = 0; i < w->rank; i++)
        mine += bytes[i];
    for (int32_t i = 0; i < w->n; offset += bytes[i++])
        if (i != w->rank && bytes[i] > 0)
            cohort_messages_receive(&w->messages, i, (char *)all + offset, bytes[i]);
    for (int32_t i = 0; i < w->n; i++)
        if (i != w->rank && bytes[w->rank] > 0)
            cohort_messages_send(&w->messages, i, (const char *)all + mine, bytes[w->rank]);
    return cohort_messages_wait(&w->messages, call);
}
