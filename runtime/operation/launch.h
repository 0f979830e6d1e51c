/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches: an executable run once over the buffers of a device. */
#ifndef COHORT_OPERATION_LAUNCH_H
#define COHORT_OPERATION_LAUNCH_H

#include "cohort/running.h"
#include "runtime/operation/executable.h"

/* Of a host body of items: begin and end of each index, the outermost first. */
enum { COHORT_ITEM_WORDS = 2 * COHORT_MAX_INDICES };

/* An array or a local of a launch. */
typedef union cohort_launch_slot {
    cohort_buffer *buffer;
    uint64_t local_bytes;
} cohort_launch_slot;

/* The effect of a launch on a variable that it writes. Members that are not needed are NULL. */
typedef struct cohort_launch_commit {
    /* set when the launch has succeeded */
    _Atomic uint64_t *counter;
    uint64_t version;
    /* of a variable that is written in place: set to `number` before the body is called, and when
     * the launch has succeeded */
    _Atomic uint64_t *begun, *ended;
    uint64_t number;
    /* `into`, an array of the launch of whose elements each item touches its own alone; those of
     * one of the first index have line_bytes: in a launch that is done in slices it is fetched
     * slice by slice. It may begin with the content of `from`, which is copied so; on a prompt
     * device that shows its memory. */
    cohort_buffer *from, *into;
    uint64_t line_bytes;
} cohort_launch_commit;

/* The record of a launch: a head, and what differs from one launch of an executable to the next.
 * These are the slots of the arrays and locals, in prototype order, and one of the result (NULL: it
 * is dropped, or a verdict); behind them the values of numbers and structs, each at a multiple of
 * 16, in prototype order; what a native body returns; and the commits. */
typedef struct cohort_launch_op {
    cohort_op op;
    cohort_executable *executable;
    cohort_tag tag; /* its step is the number that the operation gets in its ring */
    cohort_range range;
    uint64_t offset[3]; /* of the ids of a kernel */
    int64_t first_item; /* of a host body of items, of the first index; the range has more */
    bool is_in_slices;  /* launch_slices.c */
    int32_t n_commits, n_feeds; /* feeds (feed.h) stand behind the commits */
    uint64_t counts;            /* a bit for each parameter that is the number of the step */
    _Alignas(16) cohort_launch_slot slots[];
} cohort_launch_op;

/* Room for the launches of an executable, whose code is known; what is the same in all of them is
 * filled in. COHORT_ENOMEM. */
cohort_status cohort_launch_make_draft(cohort_executable *executable);

/* The head of a record: all is filled in that is the same in all launches of an executable. */
void cohort_launch_begin(cohort_launch_op *launch, cohort_executable *executable);

/* Say whose launch it is, and over which grid (dims 0: the body loops by itself); it has no
 * commits, and counts no steps. replica: for messages; -1: none. */
void cohort_launch_direct(cohort_launch_op *launch, int32_t replica, const cohort_grid *grid);

/* The same of a record that the executable has: one launch at a time. */
cohort_launch_op *cohort_launch_draft(cohort_executable *executable, int32_t replica,
                                      const cohort_grid *grid);

/* Where the values stand behind the slots. */
char *cohort_launch_values(const cohort_executable *executable, cohort_launch_slot slots[]);

/* locals: for each parameter that is a local, its number of elements. */
void cohort_launch_fill_locals(const cohort_executable *executable, cohort_launch_slot slots[],
                               const int64_t locals[]);

/* The slot of an array, of all arrays in prototype order; behind the last: that of the result. */
cohort_buffer **cohort_launch_slot_of_array(const cohort_executable *executable,
                                            cohort_launch_slot slots[], int32_t array);

/* Tell the ledger of the numbers that grow with the step; slots: of the launch, so many bytes from
 * the beginning of the operation that is posted next. */
void cohort_launch_say_counts(cohort_executor *executor, const cohort_launch_op *head,
                              size_t slots);

/* uses: of the arrays, in prototype order, then of the result, if it is wanted. */
void cohort_launch_fill_buffers(const cohort_executable *executable, cohort_launch_slot slots[],
                                const cohort_use uses[], int32_t n);

/* A host body of items does these of the first index alone, and not all that the range says; other
 * devices, which read all of them, do the others. */
void cohort_launch_cut(cohort_launch_op *launch, int64_t first_item, int64_t items);

/* One more variable; at most one for each array of the prototype. None any more, as of a launch
 * that was directed. */
void cohort_launch_add_commit(cohort_launch_op *launch, cohort_launch_commit commit);
void cohort_launch_drop_commits(cohort_launch_op *launch);

/* The bytes of a record with room for all commits. */
size_t cohort_launch_bytes(const cohort_executable *executable);

/* ---- Of the record of a launch that was posted: for who feeds it (feed.h). */

/* NULL: it is that of another operation. */
const cohort_launch_op *cohort_launch_of(const cohort_op *op);

/* With the commits that it has. */
static inline size_t cohort_launch_bytes_of(const cohort_launch_op *launch)
{
    return sizeof *launch + launch->executable->commits_at +
           (size_t)launch->n_commits * sizeof(cohort_launch_commit);
}

/* The parameter that has the buffer, and its slot; -1: none has it, or several. */
int32_t cohort_launch_find_reader(const cohort_launch_op *launch, const cohort_buffer *buffer,
                                  int32_t *out_slot);

/* The slot of the buffer of which each item of the launch reads its own element alone; -1: it has
 * none, several, or one that is used in another way. */
int32_t cohort_launch_own_slot(const cohort_launch_op *launch, const cohort_buffer *buffer,
                               uint64_t item_bytes, uint64_t *out_line);

/* Of an array whose own elements items touch: its elements for one of the first index, which lie
 * side by side. */
uint64_t cohort_launch_line(const cohort_launch_op *launch, int32_t parameter);

/* A copy of the record goes to the lane. uses: as for fill_buffers. */
cohort_fence cohort_launch_submit(cohort_executor *executor, cohort_launch_op *launch,
                                  const cohort_use uses[], int32_t n);

/* The same of a launch without a result, with more uses behind those of the arrays. */
cohort_fence cohort_launch_submit_behind(cohort_executor *executor, cohort_launch_op *launch,
                                         const cohort_use uses[], int32_t n);

/* The same as a part of an operation (use.h), of a launch without a result. arrays: the uses of the
 * arrays, which are among those that all parts share. */
cohort_fence cohort_launch_submit_part(const cohort_parts *parts, cohort_launch_op *launch,
                                       const cohort_use arrays[]);

/* ---- runner */

/* Do one launch, with the slots of its record or other ones, and end it. number: of the operation
 * that it is, or belongs to; pending: NULL: wait for it. The end gets what the launch returned, or
 * what came later: then is_late, and the launch is named in the error. */
cohort_status cohort_launch_do(cohort_lane *lane, const cohort_launch_op *launch,
                               cohort_launch_slot slots[], uint64_t number,
                               cohort_pending *pending);
cohort_status cohort_launch_end(const cohort_launch_op *launch, cohort_launch_slot slots[],
                                cohort_status status, bool is_late);

/* The launch as the plugin gets it. argv: room for COHORT_MAX_ARGS, less for those that the
 * executable does not have; items: for a host body of items, what argv points to. */
void cohort_launch_fill_call(const cohort_launch_op *launch, cohort_launch_slot slots[],
                             uint64_t number, int64_t items[COHORT_ITEM_WORDS], void *argv[],
                             cohort_launch *out_call);

/* The commits, behind the slots; that each of them which is in place is written from now on. */
cohort_launch_commit *cohort_launch_commits(const cohort_executable *executable,
                                            cohort_launch_slot slots[]);
void cohort_launch_mark_begun(const cohort_launch_op *launch, cohort_launch_slot slots[]);

/* For errors and handlers of signals: the function, the replica, where it stands in the program.
 * slots: NULL: the launch has no commits, or has written nothing. */
cohort_running cohort_launch_running(const cohort_launch_op *launch);
cohort_status cohort_launch_say_who(const cohort_launch_op *launch, cohort_launch_slot slots[],
                                    cohort_status status);

/* ---- In launch_slices.c: launches of items in slices, where the runner does something for each:
 * an array has a content to begin with, or is a feed, or what is written was read by another
 * device. */

/* On a device that shows its memory, with nothing in flight, and whose cores need not all take part
 * in so many bytes. */
bool cohort_launch_may_slice(const cohort_context *context, uint64_t bytes);

/* Runner. items: the range that argv points to. */
cohort_status cohort_launch_slices(const cohort_launch_op *launch,
                                   const cohort_launch_commit commits[], cohort_launch *call,
                                   int64_t items[COHORT_ITEM_WORDS]);

#endif
