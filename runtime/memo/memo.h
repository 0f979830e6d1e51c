/* SPDX-License-Identifier: BSD-3-Clause */
/* Memos: what was found out about a call, for the next call like it.
 *
 * To bind a call, solve its bounds, choose kernels and look up places takes most of its time, and
 * in a loop gives the same answer each time. A memo keeps that answer with all that it was found
 * from: the arguments, and the shapes and places of what they hold. A later call of the same
 * function with the same arguments compares, which is a fraction of the work, and launches what was
 * prepared. Where anything differs the call is bound as if there were no memo, so a memo never
 * decides what is an error and what it says.
 *
 * What is compared is read off objects that are alive (their handles say so, the program that has
 * recorded the call, or the count of alterations), never off the memo alone: a value that was
 * destroyed, and another one at its address, differ in what they hold or are as good.
 *
 * Not kept: calls that borrow an array of the caller or drop an output, since these have a value of
 * their own each time; numbers by replica, but for COHORT_FIRST_ROW of a run; replicas without
 * rows; runs under a guard, and where the logical device in use is; updates of shards. */
#ifndef COHORT_MEMO_MEMO_H
#define COHORT_MEMO_MEMO_H

#include "runtime/base/admission.h"
#include "runtime/call/plain.h"

#include <cohort/function.h>

typedef struct cohort_memo cohort_memo;

/* A call that was seen; its memo is made when it is seen again, so that calls which never come
 * back cost no memory. */
typedef struct cohort_memo_way {
    uint64_t hash; /* of the call; 0: free */
    cohort_memo *memo;
    /* that of the call which came behind it the last time, and in a loop mostly does; NULL: none
     * yet */
    struct cohort_memo_way *next;
    uint64_t alterations; /* when its function was last seen to be the one of the signature */
    cohort_admission admission;
} cohort_memo_way;

/* A set-associative cache: a call has its place in one set, and takes that of the oldest call
 * there. A recorded call has its way with itself. */
enum { COHORT_MEMO_SETS = 128, COHORT_MEMO_WAYS = 4 };

typedef struct cohort_memos {
    cohort_dependent dependent; /* first */
    cohort_binder *binder;      /* that binds and prepares what they are made of */
    cohort_executor *executor;
    cohort_memo_way ways[COHORT_MEMO_SETS][COHORT_MEMO_WAYS];
    uint8_t next[COHORT_MEMO_SETS]; /* the way that a new call takes */
    cohort_memo_way *last;          /* that was found last; NULL: none yet */
    size_t bytes;                   /* of all memos in it */
    size_t own_bytes;               /* of those that recorded calls have with themselves */
} cohort_memos;

/* What a recorded call keeps for its replays (recording.h). All of them are this very call, whose
 * objects are there: so nothing is looked for, and of what it passes only that is compared which
 * may have changed meanwhile. */
typedef struct cohort_memo_own {
    const cohort_signature *signature; /* the binder holds it */
    cohort_memo_way way;               /* in no cache */
} cohort_memo_own;

/* One call that may have a memo. */
typedef struct cohort_memo_call {
    cohort_plain_call call;
    cohort_memo_own
        *own; /* of a recorded call, whose lists are spread; NULL: a way is looked for */
    /* cohort_memo_find fills these in: the signature; the arguments with lists spread; a hash of
     * them; whether it passes the objects of its memo */
    const cohort_signature *signature;
    const cohort_argument *flat;
    uint64_t hash;
    bool is_expected;
} cohort_memo_call;

/* The memos of a strategy, made at first use with its binder. NULL: out of memory. */
cohort_memos *cohort_memos_of(cohort_strategy *strategy);

/* Where a call like this one has or would have its memo; NULL: it has none, in a trial, where
 * COHORT_REPEAT says so, or for what is wrong with it. */
cohort_memo_way *cohort_memo_find(cohort_memos *memos, cohort_memo_call *call);

/* The way (NULL is allowed) has a memo that answers for this call: everything that it was made from
 * is as it was. Numbers that are passed anew are taken over. Posts nothing. */
bool cohort_memo_holds(cohort_memos *memos, cohort_memo_way *way, const cohort_memo_call *call);

/* Post the launches of a call for which the memo holds. COHORT_EINVAL: an update is to live
 * elsewhere this time; then nothing was posted. */
cohort_status cohort_memo_post(const cohort_memos *memos, cohort_memo *memo,
                               const cohort_memo_call *call);

/* The call is bound and prepared in the binder, and posted nothing yet: keep that, when it has been
 * seen before and may be kept. order: of its launches, as they are posted. Never fails: without
 * memory, or a way, nothing is kept. */
void cohort_memo_keep(cohort_memos *memos, cohort_memo_way *way, const cohort_memo_call *call,
                      const int32_t order[]);

/* The end of a recorded call: its memo is freed in line with what was posted of it. */
void cohort_memo_own_end(cohort_memos *memos, cohort_memo_own *own);

#endif
