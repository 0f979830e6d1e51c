/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawing a step, and making it in a loop or replayed. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

/* ------------------------------------------------------------------ drawing a step */

static bool try_step(world *w, const step_calls *step)
{
    cohort_status status = w->input != NULL ? cohort_input_next(w->input, &w->values[POOL]) : 0;
    w->call = 0;
    if (status == COHORT_END)
        return true;
    return status >= 0 && make_calls(w, step) >= 0;
}

static void draw_block(step_calls *step, int from, int to)
{
    step_block *b = &step->blocks[step->n_blocks++];
    b->from = from + draw(to - from);
    b->to = b->from + 1 + draw(to - b->from);
    b->every = draw(2) == 0 ? 0 : 1 + draw(3);
}

static void draw_blocks(step_calls *step)
{
    if (step->n > 0 && draw(2) == 0)
        draw_block(step, 0, step->n);
    if (step->n_blocks > 0 && draw(2) == 0)
        draw_block(step, step->blocks[0].from, step->blocks[0].to);
}

/* The calls are made where they are drawn; what is refused mostly goes, also where the whole is
 * made again, with what it left. */
void draw_step(const design *d, step_calls *step)
{
    world w;
    int wanted = 1 + draw(MOST_STEP_CALLS), keeps = 20;
    step->n = step->n_blocks = 0;
    if (!world_open(&w, d))
        return;
    w.step = 1;
    (void)try_step(&w, step);
    for (int tries = 0; tries < 6 * wanted && step->n < wanted; tries++) {
        step->calls[step->n] = draw_step_call(&w, d);
        bool is_good = make_step_call(&w, &step->calls[step->n]) >= 0;
        step->n += is_good || draw(keeps) == 0;
        (void)cohort_strategy_recover(w.s);
    }
    for (int again = 0; again < 2 * MOST_STEP_CALLS && step->n > 1 && !try_step(&w, step);
         again++) {
        (void)cohort_strategy_recover(w.s);
        if (w.call > 0 && draw(3) > 0) {
            memmove(&step->calls[w.call - 1], &step->calls[w.call],
                    sizeof *step->calls * (size_t)(step->n - w.call));
            step->n--;
        }
    }
    world_close(&w);
    draw_blocks(step);
}

/* ------------------------------------------------------------------ the two ways */

static void take_words(outcome *out)
{
    (void)snprintf(out->words, sizeof out->words, "%s", out->status < 0 ? cohort_error_text() : "");
}

void play_unrecorded(world *w, const step_calls *step, int64_t n, outcome *out, look *first)
{
    *out = (outcome){ .status = COHORT_OK };
    for (; out->steps < n && out->status == COHORT_OK; out->steps += out->status == COHORT_OK) {
        w->call = 0;
        if (w->input != NULL)
            out->status = cohort_input_next(w->input, &w->values[POOL]);
        if (out->steps == 0 && first != NULL)
            world_look(w, first);
        if (out->status == COHORT_OK)
            out->status = make_calls(w, step);
        w->step += out->status == COHORT_OK;
    }
    out->call = w->call;
    take_words(out);
}

void play_recorded(world *w, int64_t n, outcome *out)
{
    int64_t before = cohort_program_steps(w->program);
    *out = (outcome){ .status = COHORT_OK };
    while (out->steps < n && out->status == COHORT_OK) {
        int64_t left = n - out->steps, at_once = 1 + draw((int)left);
        out->status = cohort_program_run(w->program, w->input, at_once);
        out->steps = cohort_program_steps(w->program) - before;
    }
    take_words(out);
}
