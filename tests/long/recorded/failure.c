/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation of a device fails while a program runs: the error says its step, and each variable
 * is as after one of the calls of an undisturbed loop, from the last one of the step before on. Or
 * the device is lost: then nothing has happened, or the error says what is nowhere else. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

enum { STEPS = 6, MOST_HISTORY = 4 * STEPS * MOST_STEP_CALLS + 1, MOST_NTH = 30 };

/* What the loop held after each call; after[0] is before the first. */
static struct history {
    look after[MOST_HISTORY];
    int step[MOST_HISTORY]; /* that made the call, from 1 */
    int n;
} history[1];

bool design_may_fail(const design *d)
{
    return strstr(d->devices, "loopback") != NULL || strstr(d->devices, "stream") != NULL;
}

static void remember(world *w)
{
    history->step[history->n] = (int)w->step;
    world_look_at_variables(w, &history->after[history->n++]);
}

/* Returns how many steps were right. */
static int play_loop(world *w, const step_calls *step)
{
    history->n = 0;
    w->step = 0;
    remember(w);
    w->after_call = remember;
    for (w->step = 1; w->step <= STEPS; w->step++) {
        if (w->input != NULL && cohort_input_next(w->input, &w->values[POOL]) != COHORT_OK)
            break;
        if (make_calls(w, step) < 0)
            return (int)w->step - 1;
    }
    return (int)w->step - 1;
}

/* The components of an ON_READ variable are written each for itself. */
static bool is_after(const held_look *found, const held_look *then, bool has_components)
{
    if (!has_components)
        return memcmp(found, then, sizeof *found) == 0;
    return found->status == then->status && found->n == then->n && found->kind == then->kind;
}

static bool has_component(const held_look *found, int i, int first, int at)
{
    bool has = false;
    for (int k = first; k < history->n && !has; k++)
        has = history->after[k].of[at].bits[i] == found->bits[i];
    return has;
}

/* The variable is as after a call from `first` on. */
static bool is_in_history(const held_look *found, int first, int at, bool has_components)
{
    bool is = false;
    for (int k = first; k < history->n && !is; k++)
        is = is_after(found, &history->after[k].of[at], has_components);
    for (int i = 0; has_components && i < found->n && is; i++)
        is = has_component(found, i, first, at);
    return is;
}

static bool has_components(const design *d, int at)
{
    const struct held *h = at < ALL_VALUES + HELD ? &d->held[at - ALL_VALUES] : NULL;
    return h == NULL || (h->is_on_read && strcmp(h->placement, "mirrored") == 0);
}

static void check_variables(const design *d, world *w, int step)
{
    static look found;
    int first = 0;
    while (first + 1 < history->n && history->step[first + 1] < step)
        first++;
    world_look_at_variables(w, &found);
    for (int at = ALL_VALUES; at < LOOKED_AT && p->is_right; at++)
        if (!is_in_history(&found.of[at], first, at, has_components(d, at)))
            mismatch("a failure in step %d left variable %d, at update %d, as it never was", step,
                     at - ALL_VALUES, found.of[at].kind);
}

/* In runs of random length; false: it has failed. */
static bool replay_all(world *replayed, int n)
{
    bool is_good = true;
    for (int left = n; left > 0 && is_good;) {
        int at_once = 1 + draw(left);
        is_good = cohort_program_run(replayed->program, replayed->input, at_once) == COHORT_OK;
        left -= at_once;
    }
    return cohort_wait(replayed->s) >= 0 && is_good;
}

bool play_failure(const design *d, world *loop, world *replayed, const step_calls *step)
{
    int n = play_loop(loop, step), said = 0;
    p->s = replayed->s;
    if (n == 0 || world_record(replayed, step) == NULL || cohort_wait(replayed->s) < 0)
        return false;
    faults_arm_failure(MOST_NTH);
    bool has_failed = !replay_all(replayed, n);
    if (has_failed &&
        (sscanf(cohort_error_text(), "step %d of a program: ", &said) != 1 || said < 1 || said > n))
        mismatch("the error does not say which of %d steps failed", n);
    if (has_failed != faults_were_met())
        mismatch("an operation has %sfailed", has_failed ? "not " : "");
    note("// what failed: %s", has_failed ? cohort_error_text() : "nothing");
    faults_reset();
    if (cohort_strategy_recover(replayed->s) < 0)
        mismatch("recover after a failure");
    check_variables(d, replayed, has_failed ? said : n + 1);
    return has_failed;
}

/* ------------------------------------------------------------------ a loss */

/* What a loss may end in, where it is not passed over: something lay there alone, or nobody is
 * left. */
static bool says_what_is_gone(void)
{
    static const char *const words[] = { "is not made again: it carries a value",
                                         "is not made again: it writes to its batch",
                                         "was on a device that is lost",
                                         "no other device hosts replicas",
                                         "have several devices each",
                                         "the call that was to write",
                                         "the destination " };
    bool says = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        says = says || strstr(cohort_error_text(), words[i]) != NULL;
    return says;
}

/* Copies on the device are gone. */
static bool is_the_same(const held_look *wanted, const held_look *found)
{
    const int n = found->n < wanted->n ? 1 : wanted->n;
    return found->status == wanted->status && found->kind == wanted->kind &&
           memcmp(found->bits, wanted->bits, (size_t)n * sizeof *found->bits) == 0;
}

/* All variables, and what is left of the values. */
static void compare_with_loop(world *loop, world *replayed)
{
    static look wanted, found;
    world_look(loop, &wanted);
    world_look(replayed, &found);
    for (int at = 0; at < LOOKED_AT && p->is_right; at++)
        if ((at >= ALL_VALUES || found.of[at].status >= 0) &&
            !is_the_same(&wanted.of[at], &found.of[at]))
            mismatch("a device was lost, and %s %d is not what it would have been",
                     at < ALL_VALUES ? "value" : "variable",
                     at < ALL_VALUES ? at : at - ALL_VALUES);
}

bool play_loss(world *loop, world *replayed, const step_calls *step)
{
    enum { MOST_LOST = 120 };
    int n = play_loop(loop, step);
    p->s = replayed->s;
    if (n < 2 || cohort_strategy_status(loop->s) < 0 ||
        cohort_strategy_devices(p->s, NULL, 0) == 1 || world_record(replayed, step) == NULL ||
        !replay_all(replayed, 1))
        return false; /* what is there alone is kept from the first step on */
    faults_arm_loss(MOST_LOST);
    const bool has_failed = !replay_all(replayed, n - 1), was_met = faults_were_met();
    note("// what was lost: %s", has_failed ? cohort_error_text() : was_met ? "it goes on" : "no");
    if (has_failed && (!was_met || !says_what_is_gone()))
        mismatch("a loss ends in '%s'", cohort_error_text());
    faults_reset();
    if (!has_failed)
        compare_with_loop(loop, replayed);
    return was_met && !has_failed;
}
