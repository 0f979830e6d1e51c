/* SPDX-License-Identifier: BSD-3-Clause */
/* Series: steps that post the same, one after the other.
 *
 * To plan a small step takes longer than to do it: each call looks at what it uses, and each
 * operation at the fences of its buffers, to find what the step before found. So a series looks at
 * steps as they are planned: at all that they post, and all that they note. Where they were alike,
 * but for numbers that grew, it is known what the next one posts and notes, and this is posted
 * without being planned:
 *
 *     if (cohort_series_is_known(&series, executor)) {
 *         cohort_series_repeat(&series, executor, there is a step behind);
 *     } else {
 *         cohort_series_settle(&series, executor);
 *         cohort_series_begin(&series, executor);
 *         plan the step, by n calls
 *         cohort_series_end(&series, executor, n);
 *     }
 *
 * A step is compared with the one before the last, for a variable has two buffers, which take turns.
 * What grows are the numbers that operations get in their rings, and those of writes of a variable.
 * Each call that may be repeated says so (_say_repeatable), as do operations (COHORT_OP_REPEATABLE):
 * a step with anything else in it is planned each time. What is noted never lags behind what is
 * posted, so a series may be left after any step.
 *
 * Between two steps there are only calls that change nothing (the executor's n_quiet), and memory
 * is given back (give_back.h), as that of the batch before: nothing is noted of that, so it only
 * takes numbers of a ring. It must be as many as before the step that the next one is like.
 *
 * All of this is the planner's. */
#ifndef COHORT_OPERATION_SERIES_H
#define COHORT_OPERATION_SERIES_H

#include "runtime/operation/cycle.h"
#include "runtime/operation/launch_set.h"

/* Two steps that take turns, and the two before, with which they are compared. */
enum { COHORT_SERIES_TURNS = 2, COHORT_SERIES_STEPS = 2 * COHORT_SERIES_TURNS };

/* Sums of more bytes may be fed (feed.h): what that saves, which is to store them and to read them
 * again, and where they are of one lane half of the work, is then more than it costs. _SUMS: of a step;
 * what it has beyond is stored. */
enum { COHORT_SERIES_FED_BYTES = 8 * 1024, COHORT_SERIES_SUMS = 32 };

/* Numbers of one record that may grow; more are not looked at. */
enum { COHORT_SERIES_NUMBERS = 64 };

/* How what is noted grows. */
typedef enum cohort_series_kind {
    COHORT_SERIES_FENCES, /* sets of fences: each number as its ring does, or not at all */
    COHORT_SERIES_COUNT,  /* by the same in each turn */
    COHORT_SERIES_FIXED   /* not at all */
} cohort_series_kind;

/* Where something is noted. */
typedef struct cohort_series_place {
    uint64_t *at;
    int32_t n;
    cohort_series_kind kind;
} cohort_series_place;

/* An operation. Its record and its needs are elsewhere. */
typedef struct cohort_series_post {
    const cohort_context *context;
    cohort_fence fence;
    uint64_t call;               /* that posts it, from the beginning of the step on */
    size_t at, bytes;            /* of its record, in the records of the step */
    size_t may_grow, n_may_grow; /* in those of the step: where it has numbers that may grow */

    /* of a known step: those that are its own of what the step has */
    size_t first_number, n_numbers, first_import;

    /* of a known step, where sums are fed: a fold that is not done; and of a launch with feeds, its
     * record */
    bool is_spared;
    int32_t n_feeds;
    size_t fed_at, fed_bytes;
} cohort_series_post;

/* What operations of a step use: of one, or of all parts of one. */
typedef struct cohort_series_use {
    const cohort_buffer *buffer;
    cohort_use_mode mode;
    size_t first, end; /* posts */
} cohort_series_use;

/* How a known step is posted: whole, or with sums that are fed. */
enum { COHORT_SERIES_FORMS = 2 };

/* A number that grows, in an array of the step; and where it is noted, if so. */
typedef struct cohort_series_number {
    uint64_t *at;
    uint64_t by;
    uint64_t *to;
} cohort_series_number;

typedef struct cohort_series_step {
    cohort_series_post *posts; /* [n] */
    char *records;             /* [n_bytes] */
    uint64_t *needs;           /* [n][rings] */
    uint64_t *noted;           /* [n_noted]: what stands in all places when it is planned */
    uint64_t *begin;           /* [rings]: the next numbers of the rings when it begins */
    uint64_t *gap;             /* [rings]: how many operations lie between the step before and it */
    bool has_gap;              /* there was a step before */
    uint64_t calls;            /* that it makes */
    size_t *may_grow;          /* [n_may_grow]: by bytes, in a record */
    cohort_series_use *uses;   /* [n_uses] */
    size_t n, n_bytes, n_noted, n_may_grow, n_uses;
    size_t posts_capacity, records_capacity, needs_capacity, noted_capacity, may_grow_capacity,
        uses_capacity;

    /* of a known step: what grows, or is another in the other turn; and what it imports */
    cohort_series_number *numbers;  /* [n_numbers] */
    cohort_launch_import **imports; /* [n_imports] */
    size_t n_numbers, n_imports, numbers_capacity, imports_capacity;
    size_t first_noted; /* of the numbers: those behind the posts' */
    char *fed;          /* [n_fed]: bytes of records of launches with feeds */
    size_t n_fed, fed_capacity;
    int32_t n_sums; /* that are fed */

    /* of a known step: what each lane does of it in each form, as a list, where no device has anything in
     * flight; and where the memory that the step imports is to be told before they are posted */
    cohort_op_list **lists;      /* [FORMS][rings]; NULL: none, or of one lane: nothing */
    const void ***list_memory;   /* [FORMS][n_imports] */
    uint64_t times;              /* that they were posted */
    cohort_fence last_of_caller; /* of the last time */
} cohort_series_step;

typedef struct cohort_series {
    int32_t rings; /* 0: there is no memory yet */
    cohort_series_step steps[COHORT_SERIES_STEPS];
    uint64_t n_steps; /* looked at, one after the other; the last ones are in steps[] */
    bool is_known;    /* the last two are */
    int32_t turn;     /* of the next step: 0 or 1 */

    /* how everything stands after the last step */
    uint64_t *stand, *unnoted; /* [rings]: the next numbers of the rings; the executor's count */
    uint64_t changes;
    bool is_inner; /* it was posted to the second ring of each lane */

    /* of the step that is looked at */
    uint64_t first_call;
    int64_t said;                          /* calls that may be repeated */
    bool is_spoilt;                        /* it may not be */
    size_t said_at[COHORT_SERIES_NUMBERS]; /* [n_said]: of the next record */
    size_t n_said;
    int32_t n_folds; /* sums that are folds of their own for they may be fed */

    cohort_series_place *places; /* [n_places]: where the steps note something */
    size_t n_places, places_capacity;

    cohort_cycles cycles;
    unsigned forks; /* of the process that feeds sums: a child shares its cyclic memory */
    bool owes_sums; /* the last step spared folds */

    int64_t n_repeated; /* steps, ever */
    int64_t n_fed;      /* sums that were not stored, ever */
    int64_t tries;      /* steps that were looked at since one was repeated */
    int64_t pause;      /* steps that nobody looks at, for it did not pay */
} cohort_series;

static inline cohort_series_step *cohort_series_step_at(cohort_series *series, uint64_t number)
{
    return &series->steps[number % COHORT_SERIES_STEPS];
}

static inline const cohort_op *cohort_series_record_at(const cohort_series_step *step, size_t post)
{
    return (const void *)(step->records + step->posts[post].at);
}

/* Records begin where any type may. */
static inline size_t cohort_series_room_for(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* In series_compare.c: are the last two steps known? What grows in them, and what they import, is
 * listed then. */
bool cohort_series_compare(cohort_series *series);

/* In series_lists.c: make lists of the two known steps, where that is possible; else their operations
 * are posted one by one. */
void cohort_series_make_lists(cohort_series *series, cohort_executor *executor);

/* There are none any more: they are freed when what was posted of them is over. */
void cohort_series_drop_lists(cohort_series *series, cohort_executor *executor);

/* Post those of a step. False: a device is lost. */
bool cohort_series_post_lists(cohort_series_step *step, cohort_executor *executor, bool feeds);

/* In series_feed.c: find what sums the two known steps may feed. Where memory is out, or the record of
 * a launch would be very long, none of a step. */
void cohort_series_find_feeds(cohort_series *series, cohort_executor *executor);

/* How an operation of a known step is posted where sums are fed. */
const cohort_op *cohort_series_fed_record(const cohort_series_step *step,
                                          const cohort_series_post *post, cohort_op *spared,
                                          size_t *out_bytes);

/* ---- Looking. */

/* A step is planned from now on. Where it does not pay to look at it, or memory is out, nobody does. */
void cohort_series_begin(cohort_series *series, cohort_executor *executor);

/* It is planned, by so many calls, all of which were accepted. */
void cohort_series_end(cohort_series *series, cohort_executor *executor, int64_t n_calls);

/* It was not, or the strategy has failed: what was looked at counts no more. */
void cohort_series_forget(cohort_series *series, cohort_executor *executor);

void cohort_series_free(cohort_series *series, cohort_executor *executor);

/* ---- Repeating. */

/* The next step is known, and since the last one nothing has changed. */
bool cohort_series_is_known(cohort_series *series, const cohort_executor *executor);

/* What the next step imports: to be set before it is repeated, and noted in the buffers. */
cohort_launch_import *const *cohort_series_imports(cohort_series *series, size_t *out_n);

/* Post the next step. Waits while a ring is full. feeds: sums that only an update reads go there
 * without being stored, as there is a step behind this one that sums anew. */
void cohort_series_repeat(cohort_series *series, cohort_executor *executor, bool feeds);

/* There is no step behind: what the last one has not stored is summed now. */
void cohort_series_settle(cohort_series *series, cohort_executor *executor);

/* ---- What planning says to who looks. */

static inline bool cohort_series_is_looking(const cohort_executor *executor)
{
    return executor->onlooker != NULL;
}

static inline cohort_series *cohort_series_of(const cohort_executor *executor)
{
    return executor->onlooker;
}

/* The next record has a number there, so many bytes from its beginning, that may grow. */
void cohort_series_look_in(cohort_executor *executor, size_t at);

/* Posted behind executor->needs. */
void cohort_series_look_at(cohort_executor *executor, const cohort_context *context,
                           const cohort_op *op, size_t bytes, cohort_fence fence);

/* How many operations of the step are posted; and what those from `first` on use. */
size_t cohort_series_count_posts(const cohort_executor *executor);
void cohort_series_look_at_use(cohort_executor *executor, const cohort_use *use, size_t first);

/* Something is noted there: n numbers in a row, of the sets of fences whole ones. */
void cohort_series_look_there(cohort_executor *executor, cohort_series_kind kind, uint64_t *at,
                              int32_t n);

/* The same, of one set of fences. */
static inline void cohort_series_note_set(cohort_executor *executor, uint64_t set[])
{
    if (cohort_series_is_looking(executor))
        cohort_series_look_there(executor, COHORT_SERIES_FENCES, set,
                                 cohort_executor_rings(executor));
}

/* Something is gone that the step, or one before, has noted something in. */
static inline void cohort_series_spoil(const cohort_executor *executor)
{
    if (cohort_series_is_looking(executor))
        cohort_series_of(executor)->is_spoilt = true;
}

/* The step that is planned is looked at, and a sum of so many bytes in it may be fed, if it is a fold of
 * its own: counted, for there are COHORT_SERIES_SUMS at most, and only where all devices can be fed. */
bool cohort_series_wants_fold(const cohort_executor *executor, uint64_t bytes);

/* The call that is planned posts all that it does, as the next one like it would. */
static inline void cohort_series_say_repeatable(const cohort_executor *executor)
{
    if (cohort_series_is_looking(executor))
        cohort_series_of(executor)->said++;
}

#endif
