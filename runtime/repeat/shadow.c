/* SPDX-License-Identifier: BSD-3-Clause */
/* What a known step would post is made as for repeating it: its numbers are moved on, and memory of
 * the batch goes into its records. What its calls post instead is looked at as a step that nobody
 * knows yet, in the place of the oldest one of the series, which nobody needs while the last two
 * are known. */
#include "config.h"

#include "runtime/repeat/shadow.h"

#include "runtime/base/assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Known steps between two that are planned, and one more: an odd number, or all that are planned
 * were of one turn. */
enum { PERIOD = 3 };

/* A step as it is known, and as its calls were made. */
typedef struct check {
    const cohort_series *series;
    cohort_series_step *known;
    const cohort_series_step *made;
    uint64_t step; /* of the program */
} check;

static void claim(const check *c, uint64_t call, bool holds, const char *what)
{
    char text[512];
    if (holds)
        return;
    (void)snprintf(text, sizeof text,
                   "step %" PRIu64 " of a program, call %" PRIu64 ", would be repeated as it is "
                   "planned now: %.300s; what changed was not announced (repeat/shadow.h)",
                   c->step, call, what);
    cohort_assert_fail(text, __FILE__, __LINE__, __func__);
}

/* Of an operation: one of its words. */
static void claim_word(const check *c, size_t post, const char *what, size_t at, uint64_t made,
                       uint64_t known)
{
    char text[256];
    const cohort_series_post *p = &c->made->posts[post];
    if (made == known)
        return;
    const char *subject = cohort_series_record_at(c->made, post)->subject;
    (void)snprintf(text, sizeof text,
                   "operation %zu of %zu (%.60s), %s, word %zu: %" PRIu64 ", and repeated %" PRIu64,
                   post, c->made->n, subject != NULL ? subject : "no subject", what, at, made,
                   known);
    claim(c, p->call, false, text);
}

/* ------------------------------------------------------------------ operations */

static void compare_place(const check *c, size_t i)
{
    const cohort_series_post *made = &c->made->posts[i], *known = &c->known->posts[i];
    claim_word(c, i, "its device", 0, (uintptr_t)made->context, (uintptr_t)known->context);
    claim_word(c, i, "its ring", 0, (uint64_t)made->fence.lane->index,
               (uint64_t)known->fence.lane->index);
    claim_word(c, i, "its number", 0, made->fence.number, known->fence.number);
    claim_word(c, i, "its call", 0, made->call, known->call);
    claim_word(c, i, "the bytes of its record", 0, made->bytes, known->bytes);
}

/* The first that differs says more than how many there are. */
static void compare_places(const check *c)
{
    for (size_t i = 0; i < c->made->n && i < c->known->n; i++)
        compare_place(c, i);
    claim(c, c->made->calls, c->made->n == c->known->n, "how many operations it posts");
    claim(c, c->made->calls, c->made->calls == c->known->calls, "how many calls it makes");
}

static void compare_head(const check *c, size_t i)
{
    const cohort_op *made = cohort_series_record_at(c->made, i),
                    *known = cohort_series_record_at(c->known, i);
    claim_word(c, i, "what it does", 0, made->run == known->run && made->end == known->end, true);
    claim_word(c, i, "its subject", 0, (uintptr_t)made->subject, (uintptr_t)known->subject);
    claim_word(c, i, "its replica", 0, (uint64_t)made->replica, (uint64_t)known->replica);
    claim_word(c, i, "its flags", 0, made->flags, known->flags);
    claim_word(c, i, "what it comes after", 0, made->after, known->after);
}

static uint64_t word_at(const cohort_series_step *step, size_t at)
{
    uint64_t word;
    memcpy(&word, step->records + at, sizeof word);
    return word;
}

/* All behind the head. */
static void compare_body(const check *c, size_t i)
{
    const cohort_series_post *p = &c->made->posts[i];
    size_t at = sizeof(cohort_op);
    for (; at + sizeof(uint64_t) <= p->bytes; at += sizeof(uint64_t))
        claim_word(c, i, "its record", at / sizeof(uint64_t), word_at(c->made, p->at + at),
                   word_at(c->known, p->at + at));
    for (; at < p->bytes; at++)
        claim_word(c, i, "its record, byte", at, (unsigned char)c->made->records[p->at + at],
                   (unsigned char)c->known->records[p->at + at]);
}

static void compare_needs(const check *c, size_t i)
{
    size_t rings = (size_t)c->series->rings;
    for (size_t k = 0; k < rings; k++)
        claim_word(c, i, "what it waits for, by ring", k, c->made->needs[i * rings + k],
                   c->known->needs[i * rings + k]);
}

/* What stands in the place of a word of the known step. */
static void *made_at(const check *c, const void *known)
{
    void *made;
    memcpy(&made, c->made->records + ((const char *)known - c->known->records), sizeof made);
    return made;
}

/* Blocks are others each time; but who takes one takes what was filled. */
static void take_over_blocks(const check *c)
{
    for (size_t i = 0; i < c->known->n_blocks; i++) {
        const cohort_series_block *b = &c->known->blocks[i];
        *b->filled = *b->taken = made_at(c, b->filled);
    }
    for (size_t i = 0; i < c->known->n_imports; i++) {
        cohort_import *what = c->known->imports[i].what;
        if (c->known->imports[i].way == COHORT_SERIES_TAKEN)
            what->memory = made_at(c, &what->memory);
    }
}

static void compare_posts(const check *c)
{
    compare_places(c);
    take_over_blocks(c);
    for (size_t i = 0; i < c->made->n; i++) {
        compare_needs(c, i);
        compare_head(c, i);
        compare_body(c, i);
    }
}

static void compare_uses(const check *c)
{
    claim(c, c->made->calls, c->made->n_uses == c->known->n_uses, "how many buffers it uses");
    for (size_t i = 0; i < c->made->n_uses; i++) {
        const cohort_series_use *made = &c->made->uses[i], *known = &c->known->uses[i];
        claim(c, c->made->calls,
              made->buffer == known->buffer && made->mode == known->mode &&
                  made->first == known->first && made->end == known->end,
              "which buffer is used, and how");
    }
}

/* ------------------------------------------------------------------ words */

static void compare_word(const check *c, const cohort_series_place *place, int32_t k, size_t at)
{
    static const char *const kinds[] = { "a fence", "a count", "a number that stays" };
    char text[128];
    uint64_t made = c->made->noted[at], known = c->known->noted[at];
    if (made == known)
        return;
    (void)snprintf(text, sizeof text,
                   "word %" PRId32 " of %" PRId32 " at %p, %s, noted as %" PRIu64
                   ", and repeated as %" PRIu64,
                   k, place->n, (void *)place->at, kinds[place->kind], made, known);
    claim(c, c->made->calls, false, text);
}

/* All places where a step has noted something, whether this one did or not. */
static void compare_noted(const check *c)
{
    size_t at = 0;
    claim(c, c->made->calls, c->made->n_noted == c->known->n_noted,
          "it notes what no step before has noted");
    for (size_t i = 0; i < c->series->n_places; i++)
        for (int32_t k = 0; k < c->series->places[i].n; k++)
            compare_word(c, &c->series->places[i], k, at++);
}

/* ------------------------------------------------------------------ imports */

/* The memory of the batch goes into the records of the known step. */
static void set_imports(const cohort_repeat *r, const check *c)
{
    for (size_t i = 0; i < c->known->n_imports; i++)
        if (c->known->imports[i].way != COHORT_SERIES_TAKEN)
            c->known->imports[i].what->memory = r->parts[i].imported->source;
}

/* What is noted of the batch is no word of the ledger's. */
static void compare_imports(const cohort_repeat *r, const check *c)
{
    for (size_t i = 0; i < c->known->n_imports; i++) {
        const cohort_series_import *import = &c->known->imports[i];
        const cohort_content *content = r->parts[i].imported;
        claim(c, c->made->calls, cohort_places_is_newest(&content->places, content->places.list),
              "whether the batch has come to its device");
        claim(c, c->made->calls,
              import->way != COHORT_SERIES_IN_PLACE ||
                  import->what->buffer->imported == content->source,
              "which memory of the batch is that of its buffer");
    }
}

/* ------------------------------------------------------------------ a step */

static check check_of(cohort_repeat *r)
{
    cohort_series *s = &r->series;
    return (check){ s, cohort_series_next_step(s), cohort_series_step_at(s, s->n_steps),
                    r->strategy->executor->failure.step };
}

bool cohort_step_shadow_is_due(const cohort_repeat *r)
{
    return r->strategy->repeating.is_watched && r->series.n_repeated % PERIOD == 0;
}

void cohort_step_shadow_begin(cohort_repeat *r)
{
    cohort_series_look(&r->series, r->strategy->executor);
}

static void move_on(const cohort_series_step *known)
{
    for (size_t i = 0; i < known->n_numbers; i++)
        *known->numbers[i].at += known->numbers[i].by;
}

static void compare(const cohort_repeat *r, const check *c)
{
    set_imports(r, c);
    move_on(c->known);
    compare_posts(c);
    compare_uses(c);
    compare_noted(c);
    compare_imports(r, c);
}

/* Not all of it was looked at: memory is out, or there is something new in it. */
static void claim_repeatable(const check *c)
{
    const cohort_series *s = c->series;
    claim(c, s->why_call, !s->is_spoilt || s->why == cohort_series_too_much, s->why);
}

/* The step that owes sums is followed by one that failed. */
static cohort_status give_up(cohort_series *s, cohort_executor *executor, cohort_status status)
{
    cohort_series_settle(s, executor);
    cohort_series_forget(s);
    return status;
}

cohort_status cohort_step_shadow_end(cohort_repeat *r, cohort_status status, bool is_last)
{
    cohort_series *s = &r->series;
    cohort_executor *executor = r->strategy->executor;
    const check c = check_of(r);
    bool is_whole = cohort_series_look_away(s);
    status = status >= 0 ? cohort_failure_tell(&executor->failure) : status;
    if (status < 0)
        return give_up(s, executor, status);
    s->owes_sums = false;
    if (is_whole) {
        compare(r, &c);
        cohort_series_pass(s, executor, !is_last);
    } else {
        claim_repeatable(&c);
        cohort_series_forget(s);
    }
    return COHORT_OK;
}
