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
 * A step is compared with the one before the last, for a variable has two buffers, which take
 * turns. What grows are the numbers that operations get in their rings, those of writes of a
 * variable, and that of the step (COHORT_STEP). Each call that may be repeated says so
 * (operation/ledger.h), as do operations (COHORT_OP_REPEATABLE): a step with anything else in it is
 * planned each time. What is noted never lags behind what is posted, so a series may be left after
 * any step.
 *
 * Between two steps there are only calls that change nothing (the generation stays), and memory
 * is given back (give_back.h), as that of the batch before: nothing is noted of that, so it only
 * takes numbers of a ring. It must be as many as before the step that the next one is like.
 *
 * All of this is the planner's. */
#ifndef COHORT_REPEAT_SERIES_H
#define COHORT_REPEAT_SERIES_H

#include "runtime/operation/launch_set.h"
#include "runtime/operation/ledger.h"
#include "runtime/repeat/cycle.h"

/* Two steps that take turns, and the two before, with which they are compared. */
enum { COHORT_SERIES_TURNS = 2, COHORT_SERIES_STEPS = 2 * COHORT_SERIES_TURNS };

/* Sums of more bytes may be fed (feed.h): what that saves, which is to store them and to read them
 * again, and where they are of one lane half of the work, is then more than it costs. _SUMS: of a
 * step; what it has beyond is stored. */
enum { COHORT_SERIES_FED_BYTES = 8 * 1024, COHORT_SERIES_SUMS = 32 };

/* Numbers of one record that may grow; more are not looked at. */
enum { COHORT_SERIES_NUMBERS = 512 };

/* Where something is noted. */
typedef struct cohort_series_place {
    uint64_t *at;
    int32_t n;
    cohort_noted_kind kind;
} cohort_series_place;

/* How memory of the program comes to a buffer: the buffer becomes it; or it is filled from it, at
 * once, or from a block with a copy, which the operation gives back. */
typedef enum cohort_series_way {
    COHORT_SERIES_IN_PLACE,
    COHORT_SERIES_WRITTEN,
    COHORT_SERIES_TAKEN
} cohort_series_way;

typedef struct cohort_series_import {
    cohort_import *what; /* in a record */
    cohort_series_way way;
} cohort_series_import;

/* A block of staging memory, as the record of who fills it and that of who takes it and gives it
 * back have it. */
typedef struct cohort_series_block {
    void **filled, **taken;
    uint64_t bytes;
} cohort_series_block;

/* An operation. Its record and its needs are elsewhere. */
typedef struct cohort_series_post {
    const cohort_context *context;
    cohort_fence fence;
    uint64_t call;               /* that posts it, from the beginning of the step on */
    size_t at, bytes;            /* of its record, in the records of the step */
    size_t may_grow, n_may_grow; /* in those of the step: where it has numbers that may grow */

    /* of a known step: those that are its own of what the step has */
    size_t first_number, n_numbers;

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
    cohort_series_number *numbers; /* [n_numbers] */
    cohort_series_import *imports; /* [n_imports] */
    size_t n_numbers, n_imports, numbers_capacity, imports_capacity;
    cohort_series_block *blocks; /* [n_blocks]: another one each time */
    size_t n_blocks, blocks_capacity;
    size_t first_noted; /* of the numbers: those behind the posts' */
    char *fed;          /* [n_fed]: bytes of records of launches with feeds */
    size_t n_fed, fed_capacity;
    int32_t n_sums; /* that are fed */
} cohort_series_step;

/* A large sum that is stored: the call of the step that makes it, counted from 1 on, and why it is
 * not fed. */
typedef struct cohort_series_stored {
    uint64_t call;
    char why[200];
} cohort_series_stored;

typedef struct cohort_series {
    int32_t rings; /* 0: there is no memory yet */
    cohort_series_step steps[COHORT_SERIES_STEPS];
    uint64_t n_steps; /* looked at, one after the other; the last ones are in steps[] */
    bool is_known;    /* the last two are */
    int32_t turn;     /* of the next step: 0 or 1 */

    /* how everything stands after the last step */
    uint64_t *stand, *unnoted; /* [rings]: the next numbers of the rings; the plan's count */
    uint64_t generation;
    bool is_inner; /* it was posted to the second ring of each lane */
    uint64_t last; /* the number of a step above which it does not fit into what has it */

    /* of the step that is looked at */
    cohort_executor *executor; /* whose ledger tells of it; NULL: none does */
    uint64_t first_call;
    uint64_t first_posted;    /* operations before it, ever */
    uint64_t last_repeatable; /* calls before the one that is planned, ever, that may be repeated */
    bool is_spoilt;           /* it may not be repeated */
    size_t said_at[COHORT_SERIES_NUMBERS]; /* [n_said]: of the next record */
    size_t n_said;

    cohort_series_place *places; /* [n_places]: where the steps note something */
    size_t n_places, places_capacity;

    cohort_cycles cycles;
    bool owes_sums;               /* the last step spared folds */
    cohort_series_stored *stored; /* [n_stored]: of the known steps */
    size_t n_stored, stored_capacity;

    /* why the last step that was looked at makes none known, and the call of it, from 1 on, that is
     * why (0: none is); NULL: it does, or nothing was found out */
    const char *why;
    uint64_t why_call;

    int64_t n_repeated; /* steps, ever */
    int64_t n_fed;      /* sums that were not stored, ever */
    int64_t tries;      /* steps that were looked at since one was repeated */
    int64_t pause;      /* steps that nobody looks at, for it did not pay */
} cohort_series;

static inline cohort_series_step *cohort_series_step_at(cohort_series *series, uint64_t number)
{
    return &series->steps[number % COHORT_SERIES_STEPS];
}

/* The known step of the next turn. */
static inline cohort_series_step *cohort_series_next_step(cohort_series *series)
{
    return cohort_series_step_at(series,
                                 series->n_steps - COHORT_SERIES_TURNS + (uint64_t)series->turn);
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

/* In compare.c: are the last two steps known? What grows in them, and what they import, is
 * listed then. */
bool cohort_series_compare(cohort_series *series);

/* In feeds.c: find what sums the two known steps may feed. Where memory is out, or the record of
 * a launch would be very long, none of a step. */
void cohort_series_find_feeds(cohort_series *series, cohort_executor *executor);

/* Can all devices be fed? */
bool cohort_series_can_feed(const cohort_executor *executor);

/* How an operation of a known step is posted where sums are fed. */
const cohort_op *cohort_series_fed_record(const cohort_series_step *step,
                                          const cohort_series_post *post, cohort_op *spared,
                                          size_t *out_bytes);

/* ---- Looking. */

/* A step is planned from now on. Where it does not pay to look at it, or memory is out, nobody
 * does. */
void cohort_series_begin(cohort_series *series, cohort_executor *executor);

static inline bool cohort_series_is_looking(const cohort_series *series)
{
    return series->executor != NULL;
}

/* One of its calls was planned, and accepted. */
void cohort_series_end_call(cohort_series *series);

/* It is planned. */
void cohort_series_end(cohort_series *series);

/* It was not, or the strategy has failed: what was looked at counts no more. */
void cohort_series_forget(cohort_series *series);

void cohort_series_free(cohort_series *series);

/* ---- Repeating. */

/* The next step is known, and since the last one nothing has changed. */
bool cohort_series_is_known(cohort_series *series, const cohort_executor *executor);

/* What the next step imports: to be set before it is repeated, and noted in the buffers. */
const cohort_series_import *cohort_series_imports(cohort_series *series, size_t *out_n);

/* Take the blocks that the next step passes from operation to operation. False: memory is out, and
 * none is taken. */
bool cohort_series_take_blocks(cohort_series *series, cohort_executor *executor);

/* Post the next step, whose blocks are taken. Waits while a ring is full. feeds: sums that only an
 * update reads go there without being stored, as there is a step behind this one that sums anew. */
void cohort_series_repeat(cohort_series *series, cohort_executor *executor, bool feeds);

/* There is no step behind: what the last one has not stored is summed now. */
void cohort_series_settle(cohort_series *series, cohort_executor *executor);

/* ---- Parts of both, for a known step that is planned (shadow.h). */

/* What is planned from now on is the step of number n_steps, which has nothing yet. */
void cohort_series_look(cohort_series *series, cohort_executor *executor);

/* It is planned. False: not all of it was looked at, and why says why, or memory is out. */
bool cohort_series_look_away(cohort_series *series);

/* One such reason, which may be that memory is out. */
extern const char cohort_series_too_much[];

/* The next step is posted, and noted. feeds: counted so. */
void cohort_series_pass(cohort_series *series, const cohort_executor *executor, bool feeds);

#endif
