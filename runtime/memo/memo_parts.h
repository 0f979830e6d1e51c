/* SPDX-License-Identifier: BSD-3-Clause */
/* What a memo consists of, for memo_find.c, memo.c, which compares and launches, and memo_make.c,
 * which makes it. */
#ifndef COHORT_MEMO_MEMO_PARTS_H
#define COHORT_MEMO_MEMO_PARTS_H

#include "runtime/memo/memo.h"
#include "runtime/operation/launch_set.h"

#include <string.h>

/* What an argument is to the call, which says how it is compared. */
typedef enum cohort_memo_part {
    COHORT_MEMO_VALUE,    /* an array or the result: a value */
    COHORT_MEMO_VARIABLE, /* an array that is read: a variable */
    COHORT_MEMO_FIXED,    /* a number that extents or ranges depend on: must be the same */
    COHORT_MEMO_NUMBER,   /* a number, which may be another one in each call */
    COHORT_MEMO_HELD,     /* the number of a value (cohort_value_number), as it is now */
    COHORT_MEMO_CONSTANT, /* one that differs from call to call */
    COHORT_MEMO_BYTES,    /* a struct */
    COHORT_MEMO_POINTER
} cohort_memo_part;

typedef struct cohort_memo_argument {
    cohort_argument given; /* of a number: the one that the launches have */
    /* as it was passed, its kind; and the value or the variable, NULL: it is none */
    uint32_t kind_passed;
    const void *object;
    cohort_memo_part part;
    const cohort_parameter *parameter; /* NULL: the result */
    uint32_t value_at;                 /* of what is no array: where in the values of a launch */

    int64_t constant; /* which, of a CONSTANT; `given` is its number */

    /* of a value */
    bool is_read, is_declared;
    cohort_value_kind kind;     /* of one that is read */
    cohort_content *components; /* NULL: it never was per replica */
    cohort_dtype declared_dtype;
    cohort_extents declared;

    uint64_t uid; /* of a variable: so its dtype, shape and stores are the same */
} cohort_memo_argument;

/* What tells calls apart; NULL: a number, which may be another one each time. */
static inline const void *cohort_memo_object(const cohort_argument *a)
{
    bool is_object = a->kind == COHORT_ARGUMENT_VALUE || a->kind == COHORT_ARGUMENT_VARIABLE;
    return is_object ? a->as.p : NULL;
}

/* The same but for what they pass. */
static inline bool cohort_memo_is_same_start(const cohort_memo_call *a, const cohort_memo_call *b)
{
    return a->call.function == b->call.function && a->call.kind == b->call.kind &&
           a->call.first == b->call.first && a->call.count == b->call.count &&
           a->call.updated == b->call.updated;
}

/* Named alike, or both by position. */
static inline bool cohort_memo_is_same_name(const cohort_memo_argument *m, const cohort_argument *a)
{
    return a->name == NULL || m->given.name == NULL ? a->name == m->given.name
                                                    : strcmp(a->name, m->parameter->name) == 0;
}

/* Of a cell that has looked at no content: none has this form, as they are counted from 0. */
#define COHORT_MEMO_NO_FORM UINT64_MAX

/* What one launch uses of one array, or the result: what each call reads, so it is small. */
typedef struct cohort_memo_cell {
    const cohort_memo_argument *argument;
    cohort_use_mode mode;
    int32_t store; /* of a variable: which is read; -1: a copy */
    /* of a run, where its set has that */
    cohort_use *use;
    cohort_buffer **slot;

    /* of a value */
    cohort_content *content; /* that of the launch's replica; NULL: it is of a variable */
    cohort_place *place;     /* in it, on the launch's device */
    uint64_t form;  /* of the content, when it was as the call finds or makes it, or NO_FORM */
    uint64_t bytes; /* of one that is read, 0: it is not to be imported with the launch */
} cohort_memo_cell;

/* What no store is in reach of the device for. */
static inline bool cohort_memo_reads_copy(const cohort_memo_cell *cell)
{
    return cell->content == NULL && cell->mode != COHORT_USE_WRITE && cell->store < 0;
}

/* What a cell is compared with where the form of its content is another one. */
typedef struct cohort_memo_shape {
    cohort_place *list; /* of a value: the places that the cell's is one of, and where they begin */
    int32_t first_device;
    cohort_dtype dtype;
    int64_t item_bytes;
    cohort_extents extents;
} cohort_memo_shape;

typedef struct cohort_memo_launch {
    int32_t replica, device;
    /* the head, and the slots: of a run apart, in its set, for runners read the head; of an update
     * one record, without buffers */
    cohort_launch_op *head;
    cohort_launch_slot *slots;
    cohort_use *uses;          /* of a run, as is the next */
    char *room;                /* for a set of this launch alone */
    cohort_memo_cell *cells;   /* [n_cells]: those that are read first, as they are placed */
    cohort_memo_shape *shapes; /* [n_cells], of these */
} cohort_memo_launch;

struct cohort_memo {
    size_t bytes;                    /* of all of it: it is one block */
    cohort_memo_call call;           /* without its arguments; the binder holds the signature */
    cohort_memo_argument *arguments; /* [n_arguments] */
    cohort_memo_launch *launches;    /* [n_launches], in the order in which they are posted */
    cohort_launch_set *sets;         /* [n_sets], of a run: of all launches, in that order */
    int32_t n_arguments, n_launches, n_sets;
    uint8_t others[COHORT_MAX_ARGUMENTS + 1]; /* [n_others]: the arguments that are no values */
    int32_t n_others;
    int32_t n_cells;         /* arrays, and the result if it is wanted */
    int32_t n_inputs;        /* of them, those that are read and not written */
    cohort_binding *binding; /* of an update; NULL: of a run, whose launches are all it needs */
    uint64_t updated;        /* of that: the uid of its variable */
    struct cohort_prepared *prepared; /* [n_prepared], of an update */
    int32_t n_prepared;
    bool has_copies;      /* of variables, some launch reads one (store -1) */
    uint64_t alterations; /* when the contents of all values were as they have to be */
    cohort_noted *posted; /* set of fences: of the runs, which use the heads */
};

/* Where the bytes of such a call's memo are counted: no other call's takes the place of a recorded
 * one's, so these have a limit of their own. */
size_t *cohort_memo_bytes(cohort_memos *memos, const cohort_memo_call *call);

/* A memo with room for the parts of the call that is bound in the binder, all zero. NULL: it would
 * be too large, or memory is out. */
cohort_memo *cohort_memo_make_block(cohort_memos *memos, const cohort_memo_call *call,
                                    const int32_t order[]);

/* Free the memo of a way, which stays that of its call, in line with what was posted of it. */
void cohort_memo_drop(cohort_memos *memos, cohort_memo_way *way);

#endif
