/* SPDX-License-Identifier: BSD-3-Clause */
/* Memos: what was found out about a call, for the next call like it.
 *
 * To bind a call, solve its bounds, choose kernels and look up places takes most of its time, and in
 * a loop gives the same answer each time. A memo keeps that answer with all that it was found from:
 * the arguments, and the shapes and places of what they hold. A later call of the same function with
 * the same arguments compares, which is a fraction of the work, and launches what was prepared. Where
 * anything differs the call is bound as if there were no memo, so a memo never decides what is an
 * error and what it says.
 *
 * What is compared is read off objects that are alive (their handles say so, the program that has
 * recorded the call, or the count of alterations), never off the memo alone: a value that was destroyed, and another one at
 * its address, differ in what they hold or are as good.
 *
 * Not kept: calls that borrow an array of the caller or drop an output, since these have a value of
 * their own each time; numbers by replica; replicas without rows; runs under a guard; updates of
 * shards. */
#ifndef COHORT_RUN_MEMO_H
#define COHORT_RUN_MEMO_H

#include "runtime/run/binding.h"

#include <cohort/function.h>

typedef struct cohort_binder cohort_binder;
typedef struct cohort_memo cohort_memo;

/* A call that was seen; its memo is made when it is seen again, so that calls which never come
 * back cost no memory. */
typedef struct cohort_memo_way {
    uint64_t hash; /* of the call; 0: free */
    cohort_memo *memo;
    /* that of the call which came behind it the last time, and in a loop mostly does; NULL: none yet */
    struct cohort_memo_way *next;
    uint64_t n_destroyed; /* functions, when the signature of its call was last looked up */
    bool is_stale;        /* it did not hold the last time */
    bool is_refused;      /* such a call is not kept */
} cohort_memo_way;

/* A set-associative cache: a call has its place in one set, and takes that of the oldest call
 * there. A recorded call has its way with itself. */
enum { COHORT_MEMO_SETS = 128, COHORT_MEMO_WAYS = 4 };

typedef struct cohort_memos {
    cohort_memo_way ways[COHORT_MEMO_SETS][COHORT_MEMO_WAYS];
    uint8_t next[COHORT_MEMO_SETS]; /* the way that a new call takes */
    cohort_memo_way *last;          /* that was found last; NULL: none yet */
    size_t bytes;                   /* of all memos in it */
    size_t own_bytes;               /* of those that recorded calls have with themselves */
} cohort_memos;

/* What a recorded call keeps for its replays (recording.h). All of them are this very call, whose
 * objects are there: so nothing is looked for, and of what it passes only that is compared which may
 * have changed meanwhile. */
typedef struct cohort_memo_own {
    const cohort_signature *signature; /* the binder holds it */
    /* functions that were destroyed when the call's was last seen to be the one of the signature: a
     * program does not hold its functions, and another one may come to lie at the address */
    uint64_t n_destroyed;
    cohort_memo_way way; /* in no cache */
} cohort_memo_own;

/* A function, and what is passed to it. */
typedef struct cohort_invocation {
    const cohort_function *function;
    const cohort_argument *arguments;
    cohort_memo_own
        *own; /* of a recorded call, whose lists are spread; NULL: a way is looked for */
} cohort_invocation;

/* One call, as its caller passed it. */
typedef struct cohort_memo_call {
    cohort_invocation invocation;
    cohort_call_kind kind;
    int32_t first, count;           /* as for cohort_binding_begin */
    const cohort_variable *updated; /* the same */
    /* cohort_memo_find fills these in: the signature; the arguments with lists spread; a hash of them;
     * whether it passes the objects of its memo */
    const cohort_signature *signature;
    const cohort_argument *flat;
    uint64_t hash;
    bool is_expected;
} cohort_memo_call;

/* Where a call like this one has or would have its memo; NULL: it has none, in a trial, or for what
 * is wrong with it. */
cohort_memo_way *cohort_memo_find(cohort_binder *binder, cohort_memo_call *call);

/* The way (NULL is allowed) has a memo that answers for this call: everything that it was made from
 * is as it was. Numbers that are passed anew are taken over. Posts nothing. */
bool cohort_memo_holds(cohort_binder *binder, cohort_memo_way *way, const cohort_memo_call *call);

/* Post the launches of a run for which the memo holds. */
void cohort_memo_dispatch(cohort_binder *binder, cohort_memo *memo);

/* The binding of an update for which the memo holds, as cohort_binding_begin would leave it; it
 * needs no end. */
cohort_binding *cohort_memo_binding(cohort_memo *memo);

/* What was prepared for that update, by launch, and behind it for who shares its stores: as the binder
 * has it of an update that is bound. */
const struct cohort_prepared *cohort_memo_prepared(const cohort_memo *memo);

/* The call is bound and prepared in the binder, and posted nothing yet: keep that, when it has been
 * seen before and may be kept. order: of its launches, as they are posted. Never fails: without
 * memory, or a way, nothing is kept. */
void cohort_memo_keep(cohort_binder *binder, cohort_memo_way *way, const cohort_memo_call *call,
                      const int32_t order[]);

/* The end of a recorded call: its memo is freed in line with what was posted of it. */
void cohort_memo_own_end(cohort_binder *binder, cohort_memo_own *own);

/* In line with everything posted. */
void cohort_memos_fini(cohort_binder *binder);

#endif
