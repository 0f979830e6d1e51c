/* SPDX-License-Identifier: BSD-3-Clause */
/* Op lists (runtime/executor/op_list.h): one record in the ring stands for several, which
 * have numbers of their own, grow, wait and fail like others. This thread is the runner, too. */
#include "config.h"

#include "runtime/executor/op_list.h"
#include "tests/tap.h"

#include <stdint.h>

enum { MOST = 16, OPS = 3 };

/* What was done, in its order. */
static struct {
    int n, n_ended;
    int32_t who[MOST];
    uint64_t number[MOST], call[MOST], step[MOST], value[MOST], after[MOST];
    const void *from[MOST];
    cohort_status ended[MOST];
} done;

typedef struct note_op {
    cohort_op op;
    uint64_t value;
    const void *from;
    cohort_status answer;
} note_op;

static cohort_status do_note(cohort_lane *lane, cohort_op *op)
{
    const note_op *o = (const note_op *)op;
    int i = done.n++ % MOST;
    (void)lane;
    done.who[i] = op->replica;
    done.number[i] = op->number;
    done.call[i] = op->call;
    done.step[i] = op->step;
    done.value[i] = o->value;
    done.after[i] = op->after;
    done.from[i] = o->from;
    return o->answer == COHORT_OK ? COHORT_OK : cohort_error_set(o->answer, "as it was told");
}

static cohort_status end_note(cohort_op *op, cohort_status status)
{
    (void)op;
    done.ended[done.n_ended++ % MOST] = status;
    return status;
}

static note_op note(int32_t who)
{
    return (note_op){ .op = { .run = do_note, .end = end_note, .replica = who },
                      .value = 100 * (uint64_t)who };
}

static cohort_failure failure;

static cohort_lane *make_lane(int32_t index)
{
    const cohort_looks looks = { .waiter_ns = 0 };
    return cohort_lane_create(&failure, NULL, index, &looks);
}

/* Of OPS operations, of which operation k grows by k + 1 and has an address, and the last one waits
 * for a fence, which grows by 1. */
static cohort_op_list *make_list(cohort_lane *lane, cohort_fence fence, const void **out_from[OPS])
{
    const cohort_op_list_room room = { .ops = OPS,
                                       .bytes = OPS * cohort_op_list_bytes_for(sizeof(note_op)),
                                       .fences = 1,
                                       .numbers = 2 * OPS + 1,
                                       .addresses = OPS };
    cohort_op_list *list = cohort_op_list_create(lane, &room);
    for (int k = 0; k < OPS && list != NULL; k++) {
        const note_op n = note(k + 1);
        note_op *copy = (note_op *)cohort_op_list_add(list, &n.op, sizeof n, (uint64_t)k);
        cohort_op_list_grow(list, &copy->value, (uint64_t)k + 1);
        cohort_op_list_grow(list, &copy->op.after, OPS);
        out_from[k] = cohort_op_list_take(list, &copy->from);
    }
    if (list != NULL && fence.lane != NULL)
        cohort_op_list_grow(list, cohort_op_list_wait(list, fence), 1);
    return list;
}

static bool post_list(cohort_op_list *list, uint64_t time)
{
    size_t bytes;
    cohort_lane *lane = cohort_op_list_lane(list);
    const cohort_op_list_record *r = cohort_op_list_record_for(list, time, &bytes);
    cohort_op *record = cohort_lane_reserve(lane, &r->op, bytes, 0);
    if (record != NULL)
        cohort_lane_post(lane, record, cohort_op_list_count(list));
    return record != NULL;
}

static bool post_one(cohort_lane *lane, cohort_status answer)
{
    note_op n = note(0);
    n.answer = answer;
    cohort_op *record = cohort_lane_reserve(lane, &n.op, sizeof n, 0);
    if (record != NULL)
        cohort_lane_post(lane, record, 1);
    return record != NULL;
}

/* Do what is ready; returns how many that were. */
static int run(cohort_lane *lane)
{
    int n = 0;
    for (cohort_op *op = cohort_lane_peek(lane); op != NULL && cohort_lane_blocker(op).lane == NULL;
         op = cohort_lane_peek(lane), n++)
        cohort_lane_do(lane, op);
    return n;
}

static void begin(uint64_t call, uint64_t step)
{
    memset(&done, 0, sizeof done);
    failure.call = call;
    failure.step = step;
}

/* ------------------------------------------------------------------ tests */

static void test_row(cohort_lane *lane)
{
    static const char places[2][OPS];
    const void **from[OPS];
    cohort_op_list *list = make_list(lane, (cohort_fence){ NULL, 0 }, from);
    if (!ok(list != NULL && cohort_op_list_count(list) == OPS, "a list of three operations"))
        return;
    begin(70, 7);
    bool is_posted = post_one(lane, COHORT_OK);
    for (int time = 1; time <= 2 && is_posted; time++) {
        for (int k = 0; k < OPS; k++)
            *from[k] = &places[time - 1][k];
        failure.call = 70 + 10 * (uint64_t)time;
        failure.step = 7 + (uint64_t)time;
        is_posted = post_list(list, (uint64_t)time);
    }
    ok(is_posted && post_one(lane, COHORT_OK) && lane->next_number == 9,
       "is posted twice, between two others, by two records");
    ok(run(lane) == 8 && done.n == 8 && cohort_lane_is_done(lane, 8), "eight operations are done");
    bool is_row = true, grows = true, has_words = true;
    for (int i = 0; i < 8; i++)
        is_row = is_row && done.number[i] == (uint64_t)i + 1;
    for (int i = 1; i < 7; i++) {
        uint64_t time = (uint64_t)(i - 1) / OPS + 1, k = (uint64_t)(i - 1) % OPS;
        is_row = is_row && done.who[i] == (int32_t)k + 1 && done.call[i] == 70 + 10 * time + k &&
                 done.step[i] == 7 + time;
        grows =
            grows && done.value[i] == 100 * (k + 1) + (k + 1) * time && done.after[i] == OPS * time;
        has_words = has_words && done.from[i] == &places[time - 1][k];
    }
    ok(is_row, "in a row of numbers, each of its own call and step");
    ok(grows, "each time its numbers have grown");
    ok(has_words, "each time it has the addresses with which it was posted");
    ok(done.n_ended == 8, "each has ended");
    cohort_op_list_free(list);
}

static void test_waits(cohort_lane *lane, cohort_lane *other)
{
    const void **from[OPS];
    uint64_t first = lane->next_number;
    cohort_op_list *list = make_list(lane, (cohort_fence){ other, 0 }, from);
    begin(200, 0);
    if (!ok(list != NULL && post_list(list, 1) && post_list(list, 2),
            "two times a list that waits"))
        return;
    ok(run(lane) == 2 && cohort_lane_is_done(lane, first + 1) &&
           !cohort_lane_is_done(lane, first + 2),
       "those before it are done, and the one that waits is not");
    ok(run(lane) == 0 && done.n == 2, "also when it is asked for again");
    ok(post_one(other, COHORT_OK) && run(other) == 1 && run(lane) == 3 && done.n == 6,
       "it is when the other lane is that far, and the next list up to there");
    ok(post_one(other, COHORT_OK) && run(other) == 1 && run(lane) == 1 &&
           cohort_lane_is_done(lane, first + 5),
       "which waits for the next operation of the other lane");
    cohort_op_list_free(list);
}

/* Many more than the ring has room for, so that records end where it begins anew. */
static void test_around(cohort_lane *lane)
{
    enum { TIMES = 20000 };
    const void **from[OPS];
    cohort_op_list *list = make_list(lane, (cohort_fence){ NULL, 0 }, from);
    uint64_t first = lane->next_number, time = 0;
    int n = 0, n_full = 0;
    begin(300, 0);
    while (list != NULL && time < TIMES && n_full <= TIMES) {
        bool has_room = post_list(list, time + 1);
        time += has_room;
        if (has_room && time % 7 == 0)
            has_room = post_one(lane, COHORT_OK);
        if (has_room)
            continue;
        n += run(lane);
        n_full++;
    }
    n += run(lane);
    ok(time == TIMES && n_full > 1 && (uint64_t)n == lane->next_number - first,
       "a ring is filled %d times, and everything is done", n_full);
    ok(done.n == n && cohort_lane_is_done(lane, lane->next_number - 1), "once");
    cohort_op_list_free(list);
}

static void test_failure(cohort_lane *lane)
{
    const void **from[OPS];
    cohort_op_list *list = make_list(lane, (cohort_fence){ NULL, 0 }, from);
    uint64_t first = lane->next_number;
    begin(400, 0);
    if (!ok(list != NULL && post_list(list, 1), "a list"))
        return;
    failure.call = 410;
    bool is_posted = post_one(lane, COHORT_ENOTSUP);
    failure.call = 420;
    is_posted = is_posted && post_list(list, 2);
    ok(is_posted && run(lane) == 7 && done.n == 4,
       "what comes behind an operation that failed is skipped");
    ok(done.n_ended == 7 && done.ended[2] == COHORT_OK && done.ended[3] == COHORT_ENOTSUP &&
           done.ended[4] == COHORT_EAGAIN && done.ended[6] == COHORT_EAGAIN,
       "each with its own end");
    ok(cohort_failure_is_set(&failure) && atomic_load(&lane->first_bad) == first + OPS,
       "and the failure is where it was");
    cohort_failure_clear(&failure);
    atomic_store(&lane->first_bad, 0);
    begin(430, 0);
    ok(post_list(list, 3) && run(lane) == OPS && done.value[0] == 100 + 3,
       "after that the list is done again, and has grown as if nothing had happened");
    cohort_op_list_free(list);
}

int main(void)
{
    cohort_failure_init(&failure);
    cohort_lane *lane = make_lane(0), *other = make_lane(1);
    if (ok(lane != NULL && other != NULL, "two lanes")) {
        cohort_op_list_free(NULL);
        ok(cohort_lane_peek(lane) == NULL, "of which nothing was asked yet");
        test_row(lane);
        test_waits(lane, other);
        test_around(lane);
        test_failure(lane);
    }
    cohort_lane_destroy(lane);
    cohort_lane_destroy(other);
    cohort_failure_fini(&failure);
    return tap_done();
}
