/* SPDX-License-Identifier: BSD-3-Clause */
/* Step functions, merge calls, scopes, and what is expected to fail. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <string.h>

/* ---- Step functions: what the block gives on each replica, as a list. */

typedef struct stepping {
    const frame *outer;
    const thing *block;
    thing *found; /* [replica] */
} stepping;

static cohort_status step_one(cohort_replica *me, void *user)
{
    stepping *it = user;
    frame own = *it->outer;
    own.me = me;
    own.replica = cohort_replica_id(me);
    it->found[own.replica] = expression_block(&own, it->block, NULL, nothing);
    return own.status;
}

static thing step(frame *f, const thing x[])
{
    thing list = thing_list(f, f->c->replicas);
    stepping it = { f, &x[0], list.as.list };
    return frame_done(f, cohort_for_each_replica(f->s, step_one, &it), list);
}

/* A step function, or in cross-replica context once, with what replica 0 has. */
static thing in_context(frame *f, const thing x[])
{
    frame own = *f;
    if (strcmp(text_of(&x[0]), "replica") == 0)
        return step(f, &x[1]);
    if (strcmp(text_of(&x[0]), "cross") != 0)
        return frame_malformed(f, "args: context \"%s\"", text_of(&x[0]));
    own.replica = 0;
    thing found = expression_block(&own, &x[1], NULL, nothing);
    f->status = own.status;
    return found;
}

static thing times(frame *f, const thing x[])
{
    thing list = thing_list(f, (int)integer_of(&x[0]));
    for (int k = 0; k < list.n && !frame_is_over(f); k++)
        list.as.list[k] = expression_block(f, &x[1], NULL, nothing);
    return list;
}

/* A function of the program that says no, as Python's raises. */
static thing fail(frame *f, const thing x[])
{
    (void)x;
    f->status = COHORT_EINVAL;
    if (f->me == NULL)
        (void)snprintf(f->c->failure, sizeof f->c->failure, "a function that fails");
    return nothing;
}

/* ---- Merge calls: the block has `passed`, a list of what each replica passes. */

typedef struct passing {
    const frame *outer;
    const thing *block;
    thing passed, found;
} passing;

static cohort_status merge_all(cohort_strategy *s, void *const user[], int n)
{
    passing *first = user[0];
    frame own = *first->outer;
    thing list = thing_list(&own, n);
    for (int r = 0; r < n; r++)
        list.as.list[r] = ((passing *)user[r])->passed;
    own.s = s;
    own.me = NULL;
    own.replica = -1;
    thing found = expression_block(&own, first->block, "passed", list);
    for (int r = 0; r < n; r++)
        ((passing *)user[r])->found = found;
    return own.status;
}

static thing merge(frame *f, const thing x[])
{
    passing it = { f, &x[1], x[0], nothing };
    cohort_status status = cohort_merge_call(f->me, merge_all, &it);
    return frame_done(f, status, it.found);
}

static thing n_calls(frame *f, const thing x[])
{
    (void)x;
    return thing_number(f, f->c->n_calls);
}

/* ---- Contexts. */

/* [in cross-replica context, a strategy is current] */
static thing context(frame *f, const thing x[])
{
    bool has_strategy = cohort_scope_current() != NULL,
         is_cross = has_strategy && cohort_replica_current() == NULL;
    (void)x;
    return thing_json(f, json_pack("[b, b]", is_cross, has_strategy));
}

/* A block that a definition was given, or any text. */
static thing perform_text(frame *f, const char *text)
{
    const thing block = { .kind = THING_TEXT, .as.text = text };
    return expression_block(f, &block, NULL, nothing);
}

static thing in_scope(frame *f, const thing x[])
{
    if (cohort_scope_enter(f->s) != COHORT_OK)
        return frame_stop(f, COHORT_EINVAL);
    thing found = expression_block(f, &x[0], NULL, nothing);
    cohort_status status = cohort_scope_exit(f->s);
    return frame_is_over(f) ? nothing : frame_done(f, status, found);
}

/* What the block says is said of another strategy of the same kind. */
static thing on_another(frame *f, const thing x[])
{
    cohort_strategy *own = f->s, *other = table_open_worker(f->c, f->c->replicas);
    if (other == NULL)
        return nothing;
    f->s = f->other = other;
    thing found = expression_block(f, &x[0], NULL, nothing);
    f->s = own;
    cohort_strategy_destroy(other);
    return found;
}

static thing on_strategy(frame *f, cohort_strategy *s, const thing *block)
{
    cohort_strategy *before = f->s;
    f->s = s;
    thing found = expression_block(f, block, NULL, nothing);
    f->s = before;
    return found;
}

/* ---- What may fail: then the strategy goes on, and out has the text, which is "" else. */

static thing try_block(frame *f, const thing *block, char out[TABLE_TEXT])
{
    frame own = *f;
    thing found = expression_block(&own, block, NULL, nothing);
    (void)snprintf(out, TABLE_TEXT, "%s", own.c->failure);
    own.c->failure[0] = '\0';
    if (out[0] == '\0')
        f->status = own.status;
    return out[0] == '\0' ? found : frame_done(f, cohort_strategy_recover(f->s), nothing);
}

static thing fails(frame *f, const thing x[])
{
    char text[TABLE_TEXT];
    (void)try_block(f, &x[0], text);
    return text[0] != '\0' ? nothing : frame_malformed(f, "what comes before does not fail");
}

static thing or_error(frame *f, const thing x[])
{
    char text[TABLE_TEXT];
    thing found = try_block(f, &x[0], text);
    return text[0] == '\0' ? found : thing_json(f, json_pack("{s:{s:s}}", "error", "text", text));
}

static thing when(frame *f, const thing x[])
{
    return number_of(&x[0]) != 0 ? expression_block(f, &x[1], NULL, nothing) : nothing;
}

#define CALLS(CALL)                                                                                \
    CALL(step, "{", step(f, x))                                                                    \
    CALL(in_context, "t{", in_context(f, x))                                                       \
    CALL(when, "n{", when(f, x))                                                                   \
    CALL(times, "n{", times(f, x))                                                                 \
    CALL(fail, "", fail(f, x))                                                                     \
    CALL(merge, "j{", merge(f, x))                                                                 \
    CALL(context, "", context(f, x))                                                               \
    CALL(in_scope, "{", in_scope(f, x))                                                            \
    CALL(is_current, "", thing_json(f, json_integer(cohort_scope_current() == f->s)))              \
    CALL(on_another, "{", on_another(f, x))                                                        \
    /* Within on_another: of the strategy of the row again, and of the other one again. */         \
    CALL(on_own, "{", on_strategy(f, f->c->s, &x[0]))                                              \
    CALL(on, "s{", on_strategy(f, x[0].as.strategy, &x[1]))                                        \
    CALL(on_other, "{", on_strategy(f, f->other, &x[0]))                                           \
    /* [the function of a merge call has the strategy and all replicas, no replica is there] */    \
    CALL(merge_context, "L",                                                                       \
         thing_json(f, json_pack("[b, b]", f->s == f->c->s && x[0].n == f->c->replicas,            \
                                 cohort_replica_current() == NULL)))                               \
    CALL(count_call, "", thing_number(f, ++f->c->n_calls))                                         \
    CALL(n_calls, "", n_calls(f, x))                                                               \
    CALL(do, "t", perform_text(f, text_of(&x[0])))                                                 \
    CALL(or_error, "{", or_error(f, x))                                                            \
    CALL(fails, "{", fails(f, x))                                                                  \
    CALL(wait, "", frame_done(f, cohort_wait(f->s), nothing))                                      \
    CALL(leave_out, "t", frame_skip(f, text_of(&x[0])))                                            \
    CALL(malformed, "t", frame_malformed(f, "%s", text_of(&x[0])))
CALLS(CALL_FUNCTION)
const call replica_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
