/* SPDX-License-Identifier: BSD-3-Clause */
/* Terms, combined by the stack program of a plugin's cohort_reduction. It walks the elements in
 * blocks so small that intermediate results stay in the first-level cache, and fixes the order of
 * operations for each element, whatever the blocks are: so the bits do not depend on how the work
 * is cut, nor on who does it. Each input is read once and dst written once, since the arena is cut
 * into as many slots as the order needs at a time. */
#include "config.h"

#include "runtime/arithmetic/reduction.h"

#include "runtime/arithmetic/arena.h"
#include "runtime/arithmetic/arithmetic.h"
#include "runtime/base/error.h"
#include "runtime/base/fpstate.h"

#include <cohort/array.h>

#include <stdbool.h>
#include <string.h>

/* A block of each result, where there are several: those of all results, and of all terms, are to
 * be in the first-level cache. Measured on an Emerald Rapids: with 4 and 8 results of 1 MiB, 1 and
 * 4 KiB are as good and 16 KiB take a sixth more; with 2 and 16, and in memory, the differences are
 * smaller. */
enum { SHARED_BYTES = 2048 };

/* A step of the program: push one term, or the fused tree over two, four or eight, then merge. */
typedef struct group {
    uint32_t first, terms, merges;
} group;

typedef struct program {
    const cohort_reduction *reduction;
    const void *const *pointers;
    const void *const *weights; /* of the terms; NULL: there are none */
    cohort_arithmetic_combine_fn combine;
    cohort_arithmetic_weigh_fn weigh;
    cohort_arithmetic_divide_fn divide;         /* NULL: nothing is left to divide */
    cohort_arithmetic_sum_divide_fn sum_divide; /* NULL: the last merge does not divide */
    void *const *others;                        /* results besides dst, which get a copy of it */
    uint32_t nothers;
    size_t bytes; /* of one element */
    size_t slots; /* intermediate results at a time */
    uint32_t ngroups;
    group groups[COHORT_MAX_TERMS];
} program;

/* The stack: terms, which stay where they are, and results of merges. Results use the
 * slots in the order of the stack, so the number of results on the stack is the next free slot. */
typedef struct stack {
    const unsigned char *values[COHORT_MAX_TERMS];
    uint64_t merged; /* bit i: values[i] is a result */
    uint32_t depth;
    size_t slots;
} stack;

static void clear(stack *s)
{
    s->merged = 0;
    s->depth = 0;
    s->slots = 0;
}

static void push(stack *s, const unsigned char *value, bool is_merged)
{
    s->merged = (s->merged & ~(UINT64_C(1) << s->depth)) | (uint64_t)is_merged << s->depth;
    s->values[s->depth++] = value;
    s->slots += is_merged;
}

static const unsigned char *pop(stack *s)
{
    s->slots -= s->merged >> --s->depth & 1;
    return s->values[s->depth];
}

/* Whether `terms` terms from `first` on are a whole subtree, such as the fused loops compute.
 * Then the merges behind its terms are those of a binary counter, 0 1 0 2 0 1 0 3; the last term
 * may have more, which merge the subtree with what stands before it. */
static bool is_subtree(const cohort_reduction *reduction, uint32_t first, uint32_t terms)
{
    for (uint32_t i = 1; i <= terms && first + terms <= reduction->nterms; i++) {
        uint32_t merges = reduction->terms[first + i - 1].merges,
                 within = (uint32_t)__builtin_ctz(i);
        if (i < terms ? merges != within : merges < within)
            return false;
    }
    return first + terms <= reduction->nterms;
}

static bool has_fused(const program *p, uint32_t terms)
{
    const cohort_reduction *r = p->reduction;
    return p->weights != NULL ? cohort_arithmetic_find_fused_weighed(r->op, r->type, terms) != NULL
                              : cohort_arithmetic_find_fused(r->op, r->type, terms) != NULL;
}

/* The largest subtree that a loop can do at once. Its own merges, log2(terms) of the last
 * term's, are in the loop; what is left is for the stack. */
static group next_group(const program *p, uint32_t first)
{
    const cohort_reduction *reduction = p->reduction;
    for (uint32_t terms = 8; terms >= 2; terms /= 2)
        if (is_subtree(reduction, first, terms) && has_fused(p, terms))
            return (group){ first, terms,
                            reduction->terms[first + terms - 1].merges -
                                (uint32_t)__builtin_ctz(terms) };
    return (group){ first, 1, reduction->terms[first].merges };
}

static void make_groups(program *p)
{
    p->ngroups = 0;
    for (uint32_t first = 0; first < p->reduction->nterms; first += p->groups[p->ngroups++].terms)
        p->groups[p->ngroups] = next_group(p, first);
}

/* Whether a result is the last one, which goes to dst and takes no slot. Nothing else is written
 * there: so dst may be one of the terms, all of which have been read by then, but for the
 * elements that this step reads and writes. */
static bool is_final(const program *p, uint32_t i, uint32_t merges_left)
{
    return i + 1 == p->ngroups && merges_left == 0;
}

/* A term stays where it is unless it is weighed. */
static bool is_made(const program *p, const group *g)
{
    return g->terms > 1 || p->weights != NULL;
}

/* The program run without data: counts the slots that results need at a time. false: a merge
 * finds fewer than two operands, or more than one is left, so the merges do not fit the terms. */
static bool count_slots(program *p)
{
    stack s;
    clear(&s);
    p->slots = 0;
    for (uint32_t i = 0; i < p->ngroups; i++) {
        push(&s, NULL, is_made(p, &p->groups[i]));
        for (uint32_t left = p->groups[i].merges;; left--) {
            if (s.slots > p->slots && !is_final(p, i, left))
                p->slots = s.slots;
            if (left == 0)
                break;
            if (s.depth < 2)
                return false;
            (void)pop(&s);
            (void)pop(&s);
            push(&s, NULL, true);
        }
    }
    return s.depth == 1;
}

/* The reduction may come from a plugin, through reduce_native: each field is looked at before it
 * is used. first and count are compared without adding them, which may overflow. */
static cohort_status check_range(const cohort_reduction *reduction, uint64_t first, uint64_t count)
{
    if (reduction->struct_size < offsetof(cohort_reduction, divisor) + sizeof reduction->divisor)
        return cohort_error_set(COHORT_EINVAL, "reduction: struct_size %u is too small",
                                reduction->struct_size);
    if (first > reduction->count || count > reduction->count - first)
        return cohort_error_set(COHORT_EINVAL, "reduction: elements %llu to %llu of %llu",
                                (unsigned long long)first, (unsigned long long)(first + count),
                                (unsigned long long)reduction->count);
    if (reduction->nterms < 1 || reduction->nterms > COHORT_MAX_TERMS)
        return cohort_error_set(COHORT_EINVAL, "reduction: %u terms; 1 to %u can be combined",
                                reduction->nterms, COHORT_MAX_TERMS);
    if (reduction->divisor == 0)
        return cohort_error_set(COHORT_EINVAL, "reduction: divisor 0");
    return COHORT_OK;
}

/* Where the last step is a merge it divides as well, which saves another way over the elements. */
static void choose_division(program *p)
{
    const cohort_reduction *r = p->reduction;
    const bool ends_in_merge = p->groups[p->ngroups - 1].merges > 0;
    p->sum_divide = p->divide != NULL && ends_in_merge
                        ? cohort_arithmetic_find_sum_divide(r->op, r->type)
                        : NULL;
    if (p->sum_divide != NULL)
        p->divide = NULL;
}

/* A divisor of 1 needs no loop, and is the one that types without quotients may have. */
static cohort_status prepare(program *p)
{
    const cohort_reduction *reduction = p->reduction;
    make_groups(p);
    if (!count_slots(p))
        return cohort_error_set(COHORT_EINVAL, "reduction: the merges do not fit the %u terms",
                                reduction->nterms);
    if (reduction->order != COHORT_ORDER_STACK)
        return cohort_error_set(COHORT_ENOTSUP, "reduction: unknown order %u", reduction->order);
    p->bytes = (size_t)cohort_dtype_bytes((cohort_dtype)reduction->type);
    p->combine = cohort_arithmetic_find(reduction->op, reduction->type);
    if (p->combine == NULL)
        return cohort_arithmetic_unsupported(reduction->op, reduction->type);
    p->weigh = cohort_arithmetic_find_weigh(reduction->type);
    if (p->weights != NULL && p->weigh == NULL)
        return cohort_error_set(COHORT_ENOTSUP, "reduction: %s has no weights",
                                cohort_dtype_name((cohort_dtype)reduction->type));
    p->divide = reduction->divisor == 1 ? NULL : cohort_arithmetic_find_divide(reduction->type);
    if (reduction->divisor != 1 && p->divide == NULL)
        return cohort_error_set(COHORT_ENOTSUP, "reduction: %s cannot be divided",
                                cohort_dtype_name((cohort_dtype)reduction->type));
    choose_division(p);
    return COHORT_OK;
}

typedef struct block {
    const program *program;
    uint64_t first; /* element */
    size_t n, step; /* elements; bytes of a slot */
    unsigned char *scratch, *dst;
    stack stack;
} block;

static const void *term_at(const block *b, uint32_t i)
{
    const program *p = b->program;
    return (const unsigned char *)p->pointers[i] + p->reduction->terms[i].offset +
           b->first * p->bytes;
}

static unsigned char *place_result(const block *b, bool is_last)
{
    return is_last ? b->dst : b->scratch + b->stack.slots * b->step;
}

static void make_group(const block *b, const group *g, unsigned char *into)
{
    const program *p = b->program;
    const cohort_reduction *r = p->reduction;
    const void *terms[8] = { term_at(b, g->first) };
    for (uint32_t i = 1; i < g->terms; i++)
        terms[i] = term_at(b, g->first + i);
    if (p->weights == NULL)
        cohort_arithmetic_find_fused(r->op, r->type, g->terms)(into, terms, b->n);
    else if (g->terms == 1)
        p->weigh(into, terms[0], p->weights[g->first], b->n);
    else
        cohort_arithmetic_find_fused_weighed(r->op, r->type, g->terms)(into, terms,
                                                                       p->weights + g->first, b->n);
}

static void push_group(block *b, const group *g, bool is_last)
{
    if (!is_made(b->program, g)) {
        push(&b->stack, term_at(b, g->first), false);
        return;
    }
    unsigned char *into = place_result(b, is_last);
    make_group(b, g, into);
    push(&b->stack, into, true);
}

/* Both operands are popped before the result is placed, so the result takes the slot of the left
 * one if that was a result. The loops allow it: each element is read before it is written. */
static void merge_top(block *b, bool is_last)
{
    const unsigned char *right = pop(&b->stack), *left = pop(&b->stack);
    unsigned char *into = place_result(b, is_last);
    if (is_last && b->program->sum_divide != NULL)
        b->program->sum_divide(into, left, right, b->program->reduction->divisor, b->n);
    else
        b->program->combine(into, left, right, 1, 0, b->n);
    push(&b->stack, into, true);
}

static void store_to_others(const block *b)
{
    const program *p = b->program;
    const uint64_t offset = p->reduction->dst_offset + b->first * p->bytes;
    for (uint32_t i = 0; i < p->nothers; i++)
        memcpy((unsigned char *)p->others[i] + offset, b->dst, b->n * p->bytes);
}

static void run_block(block *b)
{
    const program *p = b->program;
    clear(&b->stack);
    for (uint32_t i = 0; i < p->ngroups; i++) {
        push_group(b, &p->groups[i], is_final(p, i, p->groups[i].merges));
        for (uint32_t left = p->groups[i].merges; left > 0; left--)
            merge_top(b, is_final(p, i, left - 1));
    }
    /* one term and no merge: nothing has written dst yet */
    if (p->reduction->nterms == 1 && b->stack.values[0] != b->dst)
        memcpy(b->dst, b->stack.values[0], b->n * p->bytes);
    if (p->divide != NULL)
        p->divide(b->dst, p->reduction->divisor, b->n);
    store_to_others(b);
}

/* Elements of a block. Without intermediate results there is nothing to keep in the cache: one
 * block of all elements. A quotient reads the result once more, which is to be in the cache then,
 * and so do the other results. */
static uint64_t choose_block(const program *p, size_t step, uint64_t count)
{
    if (p->nothers > 0)
        return (step < SHARED_BYTES ? step : SHARED_BYTES) / p->bytes;
    return p->slots == 0 && p->divide == NULL ? count : step / p->bytes;
}

static void run_blocks(const program *p, unsigned char *dst, uint64_t first, uint64_t count)
{
    arena scratch;
    block b; /* not initialised as a whole: that costs more than to add a few numbers */
    b.program = p;
    b.scratch = scratch.bytes;
    b.step = arena_slot_bytes(p->slots);
    const uint64_t most = choose_block(p, b.step, count);
    for (uint64_t done = 0; done < count; done += most) {
        b.first = first + done;
        b.n = (size_t)(count - done < most ? count - done : most);
        b.dst = dst + b.first * p->bytes;
        run_block(&b);
    }
}

/* ---- Two terms, and no more to do than to combine them: one loop does it. To make a program of
 * that takes as long as some hundred elements, and what is fed or done in a call is little. */

static bool is_pair(const program *p)
{
    const cohort_reduction *r = p->reduction;
    return p->nothers == 0 && r->nterms == 2 && r->terms[0].merges == 0 &&
           r->terms[1].merges == 1 && r->divisor == 1 && r->order == COHORT_ORDER_STACK;
}

static const unsigned char *pair_term(const program *p, int i, uint64_t skipped)
{
    return (const unsigned char *)p->pointers[i] + p->reduction->terms[i].offset + skipped;
}

/* False: there is no loop for it, which a program finds again, and says. */
static bool run_pair(const program *p, unsigned char *dst, uint64_t first, uint64_t count)
{
    const cohort_reduction *r = p->reduction;
    const cohort_arithmetic_combine_fn combine = cohort_arithmetic_find(r->op, r->type);
    const cohort_arithmetic_fused_weighed_fn weighed =
        p->weights != NULL ? cohort_arithmetic_find_fused_weighed(r->op, r->type, 2) : NULL;
    if (p->weights != NULL ? weighed == NULL : combine == NULL)
        return false;
    const uint64_t skipped = first * (uint64_t)cohort_dtype_bytes((cohort_dtype)r->type);
    const void *terms[] = { pair_term(p, 0, skipped), pair_term(p, 1, skipped) };
    if (weighed != NULL)
        weighed(dst + skipped, terms, p->weights, count);
    else
        combine(dst + skipped, terms[0], terms[1], 1, 0, count);
    return true;
}

/* ---- Means of 16-bit floats: the program of the same terms in float32, block by block. */

bool cohort_reduction_is_wide(uint32_t type, uint64_t divisor)
{
    return divisor != 1 && cohort_arithmetic_find_widen(type) != NULL;
}

typedef struct wide {
    const program *halves;
    program floats;
    cohort_reduction reduction; /* of floats, as what follows */
    cohort_term terms[COHORT_MAX_TERMS];
    float weights[COHORT_MAX_TERMS];
    const void *pointers[COHORT_MAX_TERMS], *weighed_by[COHORT_MAX_TERMS];
    size_t step;  /* bytes of a block */
    arena blocks; /* of the result, then of the terms */
} wide;

static void widen_program(wide *w, const program *halves, size_t step)
{
    const cohort_reduction *r = halves->reduction;
    w->halves = halves;
    w->step = step;
    w->reduction = *r;
    w->reduction.type = COHORT_F32;
    w->reduction.terms = w->terms;
    w->reduction.dst_offset = 0;
    for (uint32_t t = 0; t < r->nterms; t++) {
        w->terms[t] = (cohort_term){ .merges = r->terms[t].merges };
        w->pointers[t] = w->blocks.bytes + (t + 1) * step;
        w->weighed_by[t] = &w->weights[t];
        if (halves->weights != NULL)
            cohort_arithmetic_find_widen(r->type)(&w->weights[t], halves->weights[t], 1);
    }
    w->floats.reduction = &w->reduction;
    w->floats.pointers = w->pointers;
    w->floats.weights = halves->weights != NULL ? w->weighed_by : NULL;
    w->floats.nothers = 0;
}

/* Elements [first, first + n). All terms are read before anything is stored, for a result may be
 * one of them. */
static void run_wide_block(wide *w, unsigned char *dst, uint64_t first, size_t n)
{
    const cohort_reduction *r = w->halves->reduction;
    const uint64_t bytes = (uint64_t)cohort_dtype_bytes((cohort_dtype)r->type),
                   skipped = first * bytes;
    for (uint32_t t = 0; t < r->nterms; t++)
        cohort_arithmetic_find_widen(r->type)(
            w->blocks.bytes + (t + 1) * w->step,
            (const unsigned char *)w->halves->pointers[t] + r->terms[t].offset + skipped, n);
    run_blocks(&w->floats, w->blocks.bytes, 0, n);
    cohort_arithmetic_find_narrow(r->type)(dst + skipped, w->blocks.bytes, n);
    for (uint32_t i = 0; i < w->halves->nothers; i++)
        memcpy((unsigned char *)w->halves->others[i] + r->dst_offset + skipped, dst + skipped,
               n * bytes);
}

static cohort_status run_wide(const program *p, unsigned char *dst, uint64_t first, uint64_t count)
{
    const cohort_reduction *r = p->reduction;
    const size_t step = arena_slot_bytes((size_t)r->nterms + 1), most = step / sizeof(float);
    wide w;                                             /* not initialised as a whole, as above */
    if (cohort_arithmetic_find(r->op, r->type) == NULL) /* else the error would name float32 */
        return cohort_arithmetic_unsupported(r->op, r->type);
    widen_program(&w, p, step);
    cohort_status status = prepare(&w.floats);
    for (uint64_t done = 0; done < count && status >= 0; done += most)
        run_wide_block(&w, dst, first + done, (size_t)(count - done < most ? count - done : most));
    return status;
}

/* ---- All of it. */

static cohort_status run(program *p, void *dst, uint64_t first, uint64_t count)
{
    cohort_status status = check_range(p->reduction, first, count);
    if (status < 0)
        return status;
    unsigned char *into = (unsigned char *)dst + p->reduction->dst_offset;
    /* The thread may be the program's, with another rounding mode or flush to zero. */
    cohort_fpstate before = cohort_fpstate_enter();
    if (cohort_reduction_is_wide(p->reduction->type, p->reduction->divisor)) {
        status = run_wide(p, into, first, count);
    } else if (!is_pair(p) || !run_pair(p, into, first, count)) {
        status = prepare(p);
        if (status >= 0)
            run_blocks(p, into, first, count);
    }
    cohort_fpstate_leave(before);
    return status;
}

cohort_status cohort_reduction_run_weighed(const cohort_reduction *reduction,
                                           const void *const *pointers, const void *const *weights,
                                           void *dst, uint64_t first, uint64_t count)
{
    program p; /* not initialised as a whole, as above */
    p.reduction = reduction;
    p.pointers = pointers;
    p.weights = weights;
    p.nothers = 0;
    return run(&p, dst, first, count);
}

cohort_status cohort_reduction_run(const cohort_reduction *reduction, const void *const *pointers,
                                   void *dst, uint64_t first, uint64_t count)
{
    return cohort_reduction_run_weighed(reduction, pointers, NULL, dst, first, count);
}

cohort_status cohort_reduction_run_to_all(const cohort_reduction *reduction,
                                          const void *const *pointers, void *const *results,
                                          uint32_t nresults, uint64_t first, uint64_t count)
{
    program p;
    p.reduction = reduction;
    p.pointers = pointers;
    p.weights = NULL;
    p.others = results + 1;
    p.nothers = nresults - 1;
    return run(&p, results[0], first, count);
}
