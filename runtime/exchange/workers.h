/* SPDX-License-Identifier: BSD-3-Clause */
/* The workers of a strategy: processes of a cluster that make the same calls in the same order, and
 * what they send one another meanwhile.
 *
 * Replicas are numbered over all workers, those of a worker one after the other. The tree of a
 * reduction (runtime/reduce/reducer.h) is one over all of them; a root is a node of it as large as
 * can be whose replicas are all of one worker.
 *
 * Nothing is exchanged before all have met, which says that they are in the same call, and that
 * nobody has failed: so every later message has the length that is expected. A worker whose
 * strategy has failed says so to all the others, whatever they wait for. By one thread at a
 * time. */
#ifndef COHORT_EXCHANGE_WORKERS_H
#define COHORT_EXCHANGE_WORKERS_H

#include "runtime/exchange/machines.h"
#include "runtime/exchange/messages.h"
#include "runtime/exchange/roots.h"
#include "runtime/exchange/talk.h"
#include "runtime/exchange/writes.h"

#include <stddef.h>

/* Most bytes that a worker notes when all meet, and of the text of its failure among them. A note
 * travels with its meeting in one message, so what fits into it saves a message; of more than 4 KiB
 * with its header, Open MPI asks the receiver before it sends them. */
enum { COHORT_WORKERS_NOTE = 3968, COHORT_WORKERS_TEXT = 192 };

enum { COHORT_MEETING_RECOVERS = 1, COHORT_MEETING_LEAVES, COHORT_MEETING_SKIPS };
#define COHORT_MEETING_MARK UINT32_C(0xc0407e57)
#define COHORT_MEETING_HEAD offsetof(cohort_meeting, note)

/* The record that opens every meeting; as much of the note is sent as there is. */
typedef struct cohort_meeting {
    uint32_t mark;           /* COHORT_MEETING_MARK, which bytes of a program seldom begin with */
    int32_t status;          /* COHORT_OK; else what has failed, and the note is its text */
    uint64_t number;         /* of the meeting */
    uint64_t writes, digest; /* of its writes */
    uint16_t end;            /* what was sent before is over: the worker recovers, or leaves; or a
                              * step is, which it skips */
    uint16_t offers;         /* the note is an offer (cohort_workers_offer) */
    char call[44];
    char note[COHORT_WORKERS_NOTE];
} cohort_meeting;

/* Where steps are skipped: another worker has said, in a meeting, that it skips the step that is
 * under way. The status of the meeting, and its text in the slot. */
typedef struct cohort_workers_skipping {
    void (*hear)(void *user, cohort_status status); /* NULL: no steps are skipped */
    void *user;
    bool *says;           /* [n]: it has said so, of this step */
    cohort_writes before; /* what was written when the step began */
} cohort_workers_skipping;

typedef struct cohort_workers {
    cohort_messages messages;
    cohort_talk talk; /* around a meeting, and the bytes that the others expect behind it */
    int32_t n, rank;
    int32_t *first; /* [n + 1]: replicas of worker w are first[w] .. first[w + 1] - 1 */
    cohort_root *roots;
    int32_t n_roots;
    cohort_meeting mine, *all; /* [n], of the last meeting */
    uint64_t note_bytes;       /* of mine */
    uint64_t *come;            /* [n]: bytes of the record that each has sent */
    uint64_t number;           /* of meetings */
    uint64_t offers_from;      /* of the first meeting in which offers are made again */
    cohort_writes writes;      /* what it has written that all have */
    bool ignores_writes;       /* they are being made alike */
    cohort_workers_skipping skipping;
    bool has_told;                 /* that it has failed */
    bool has_said_farewell;        /* that it leaves */
    bool *has_left;                /* [n] */
    uint64_t machine;              /* the digest of this worker's machine's name */
    cohort_machines alone, shared; /* each worker on one of its own; and as they are */
    uint64_t most_whole;  /* bytes of roots that cross as a whole, at most; others in slices */
    uint64_t most_alone;  /* and in slices by worker, at most; others by machine */
    bool goes_by_machine; /* slices do, where machines are shared */
    char *room;           /* of a large sum */
    size_t room_bytes;
} cohort_workers;

/* The worker that hosts a replica of all. */
static inline int32_t cohort_workers_host(const cohort_workers *workers, int32_t replica)
{
    int32_t worker = 0;
    while (workers->first[worker + 1] <= replica)
        worker++;
    return worker;
}

/* A tag of the communicator's for the messages of one strategy; workers make their strategies in
 * the same order. The communicator outlives it. NULL: COHORT_ENOMEM, or no tag is left; then none
 * is taken either, and the others are to be told (refusal.h).
 *
 * ranks  of processes that are not all workers, which meet for a strategy with parameter servers;
 *        outlives it. NULL: all are workers */
cohort_workers *cohort_workers_create(cohort_communicator *communicator, const cohort_ranks *ranks);

/* All leave, in whatever state they are: blocks until they do, COHORT_TIMEOUT_WORKER at most. NULL
 * is allowed. Where something was given up before, nobody is waited for, and what it was lent is
 * kept (runtime/base/kept.h). */
void cohort_workers_destroy(cohort_workers *workers);

/* A meeting that tells how many replicas everybody hosts, and on which machine: mine are `mine`, at
 * least 1.
 * COHORT_EINVAL, for all: they are too many together. */
cohort_status cohort_workers_number(cohort_workers *workers, const char *call, int32_t mine);

/* All meet in the same call, having written the same, each with a note of so many bytes, at most
 * COHORT_WORKERS_NOTE; once more where others have made an offer instead. Blocks until all have
 * come, for COHORT_TIMEOUT_WORKER at most, and says every 5 seconds who is waited for.
 * COHORT_EINVAL somebody is in another call, or has written something else; COHORT_ELOST a worker
 * has left, or is late, or the engine says that it is gone; or the error that another worker has
 * told. The first worker that is at fault is named. */
cohort_status cohort_workers_meet(cohort_workers *workers, const char *call, const void *note,
                                  size_t bytes);

/* A meeting in which each notes n numbers, at most COHORT_WORKERS_NUMBERS; each becomes the sum of
 * all workers'. */
enum { COHORT_WORKERS_NUMBERS = 4 };
cohort_status cohort_workers_add_up(cohort_workers *workers, const char *call, int32_t n,
                                    int64_t numbers[]);

/* The note of a worker in the last meeting, until the next; with 0 behind it, up to the length of
 * mine. */
const void *cohort_workers_note(const cohort_workers *workers, int32_t worker);

/* After a meeting: memory of the root, of equal length everywhere, to all. */
cohort_status cohort_workers_broadcast(cohort_workers *workers, const char *call, int32_t root,
                                       void *memory, uint64_t bytes);

/* After a meeting: bytes[w] of each worker, one behind the other; mine lie there already. */
cohort_status cohort_workers_gather(cohort_workers *workers, const char *call, void *all,
                                    const uint64_t bytes[]);

/* How roots cross from now on, the same for all workers: AUTO by their size, else all in one way;
 * HIERARCHICAL is in slices, by machine. */
typedef enum cohort_workers_way {
    COHORT_WORKERS_AUTO = 0,
    COHORT_WORKERS_WHOLE,
    COHORT_WORKERS_SLICES,
    COHORT_WORKERS_HIERARCHICAL
} cohort_workers_way;
void cohort_workers_set_way(cohort_workers *workers, cohort_workers_way way);

/* The machines between which roots of so many bytes go in slices. */
static inline const cohort_machines *cohort_workers_machines(const cohort_workers *workers,
                                                             uint64_t bytes)
{
    return bytes > workers->most_alone && cohort_machines_are_shared(&workers->shared)
               ? &workers->shared
               : &workers->alone;
}

/* How long others are waited for from now on, 0 for ever, and what says so, for messages; it lasts.
 * NULL: COHORT_TIMEOUT_WORKER, whatever the limit. */
void cohort_workers_set_limit(cohort_workers *workers, int64_t limit_ns, const char *limit);

/* Elements that are combined along the tree over all replicas. */
typedef struct cohort_workers_sum {
    const char *call;
    uint32_t op, dtype; /* not MEAN, which is a SUM with a divisor */
    uint64_t count, divisor;
    const void *const *roots; /* of mine, in order; NULL: nobody of it contributes */
    void *into;               /* is no root */
    const void *finding;      /* of an offer; else NULL */
    size_t finding_bytes;
} cohort_workers_sum;

/* One meeting for n sums of one call, 1 to COHORT_WORKERS_SUMS, and what follows. The bits are
 * those that one worker with all replicas gets. Small: everybody gets all roots. Large: each
 * combines a slice of all roots, which then all get, which is (2 W - 2) / W of the bytes for each
 * of W workers where each has one root (Patarasuk and Yuan, 2009: no all-reduce sends less). */
enum { COHORT_WORKERS_SUMS = 60 };
cohort_status cohort_workers_combine(cohort_workers *workers, const cohort_workers_sum sums[],
                                     int32_t n);

/* A sum in one meeting, where others would first meet for what each has found about its replicas
 * (reduce/survey.h): a worker that finds nothing unusual offers its roots at once, as if all had
 * found the same, and its finding with them. Where all offer the same the sum is made, and
 * *out_is_taken; else all are told so by the same records, and meet once more for what each has
 * found. Where some have not offered, nobody does for a while: what is unusual on one worker often
 * stays so.
 *
 * can_offer: is this the time, and are roots of so many bytes small enough? The same on all. */
enum { COHORT_WORKERS_OFFER = 32 * 1024 };
bool cohort_workers_can_offer(const cohort_workers *workers, uint64_t bytes);
cohort_status cohort_workers_offer(cohort_workers *workers, const cohort_workers_sum *sum,
                                   bool *out_is_taken);

/* A meeting for cohort_workers_offer: do all offer? */
cohort_status cohort_workers_meet_to_offer(cohort_workers *workers, const char *call,
                                           const void *note, size_t bytes, bool *out_all);

/* Roots that all get whole, since a function of the program combines them. */
typedef struct cohort_workers_whole {
    const char *name; /* of the function, and its digest */
    uint64_t digest;
    uint64_t bytes;     /* of a root */
    void *const *roots; /* [all]: mine, NULL where nobody of it contributes; room for the others */
    bool *is_there;     /* [all], filled in */
} cohort_workers_whole;

/* A meeting, and what follows. COHORT_EINVAL, for all: functions that differ, by name. */
cohort_status cohort_workers_share(cohort_workers *workers, const char *call,
                                   const cohort_workers_whole *whole);

/* This worker's strategy has failed, as the slot says, and still does afterwards: once until
 * recover. Blocks only where the engine does not take a record before the other side asks for
 * it. */
void cohort_workers_tell(cohort_workers *workers, cohort_status status);

/* A step begins that may be skipped. */
void cohort_workers_begin_step(cohort_workers *workers);

/* This worker skips the step that is under way, for what the slot says, and so do all: blocks until
 * each has said so. Then what was written in the step was not, and all go on as from its beginning.
 * The error of a worker that has failed otherwise, has recovered or has left, or is late: the step
 * has failed for all. */
cohort_status cohort_workers_skip(cohort_workers *workers);

/* This worker's process ends, and leaves nobody waiting: it tells its failure, with the text in the
 * slot, where it has told none, and that it leaves. The caller has taken the talk. Blocks as tell
 * does. */
void cohort_workers_end(cohort_workers *workers, cohort_status status);

/* After a meeting in which each has noted its writes: COHORT_EINVAL, for all, with the first write
 * in which this worker and another one differ. */
cohort_status cohort_workers_name_writes(const cohort_workers *workers, const char *call);

/* A meeting after a failure, in which writes are ignored: who has written less than others, and
 * nothing else, has what they have by now. Where they differ they still do. */
cohort_status cohort_workers_settle_writes(cohort_workers *workers, const char *call);

/* All recover, after which what was sent before is forgotten. */
cohort_status cohort_workers_recover(cohort_workers *workers);

#endif
