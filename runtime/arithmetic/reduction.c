/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ways to combine: terms, by the stack program of a plugin's cohort_reduction, and rows of
 * one array. Both walk the elements in blocks so small that intermediate results stay in the
 * first-level cache, and both fix the order of operations for each element, whatever the blocks
 * are: so the bits do not depend on how the work is cut, nor on who does it. */
#include "config.h"

#include "runtime/arithmetic/reduction.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/base/error.h"
#include "runtime/base/fpstate.h"

#include <cohort/array.h>

#include <stdbool.h>
#include <string.h>

/* Intermediate results live in an arena of half a usual first-level cache, the other half being
 * for inputs. It is cut into as many equal slots as the order of the reduction needs at a time;
 * so each input is read once and dst written once. */
enum {
    ARENA_BYTES = 16384,
    SLOT_BYTES = 4096, /* at most */
    SLOT_ALIGN = 64,
    ROWS_OF_BLOCK = 128
};

typedef struct arena {
    _Alignas(SLOT_ALIGN) unsigned char bytes[ARENA_BYTES];
} arena;

/* Whole cache lines. Even the most slots, one for each of COHORT_MAX_TERMS terms, leave some. */
static size_t slot_bytes(size_t slots)
{
    size_t bytes = slots > 0 ? ARENA_BYTES / slots / SLOT_ALIGN * SLOT_ALIGN : SLOT_BYTES;
    return bytes < SLOT_BYTES ? bytes : SLOT_BYTES;
}

/* ---- The stack program of terms. */

/* A step of the program: push one term, or the fused tree over four or eight, then merge. */
typedef struct group {
    uint32_t first, terms, merges;
} group;

typedef struct program {
    const cohort_reduction *reduction;
    const void *const *pointers;
    cohort_arithmetic_combine_fn combine;
    cohort_arithmetic_divide_fn divide; /* NULL: divisor 1 */
    size_t bytes;                       /* of one element */
    size_t slots;                       /* intermediate results at a time */
    uint32_t ngroups;
    group groups[COHORT_MAX_TERMS];
} program;

/* What is on the stack: terms, which stay where they are, and results of merges. Results use the
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

/* The largest subtree that a loop can do at once. Its own merges, log2(terms) of the last
 * term's, are in the loop; what is left is for the stack. */
static group next_group(const cohort_reduction *reduction, uint32_t first)
{
    for (uint32_t terms = 8; terms >= 4; terms /= 2)
        if (is_subtree(reduction, first, terms) &&
            cohort_arithmetic_find_fused(reduction->op, reduction->type, terms) != NULL)
            return (group){ first, terms,
                            reduction->terms[first + terms - 1].merges -
                                (uint32_t)__builtin_ctz(terms) };
    return (group){ first, 1, reduction->terms[first].merges };
}

static void make_groups(program *p)
{
    p->ngroups = 0;
    for (uint32_t first = 0; first < p->reduction->nterms; first += p->groups[p->ngroups++].terms)
        p->groups[p->ngroups] = next_group(p->reduction, first);
}

/* Whether a result is the last one, which goes to dst and takes no slot. Nothing else is written
 * there: so dst may be one of the terms, all of which have been read by then, but for the
 * elements that this step reads and writes. */
static bool is_final(const program *p, uint32_t i, uint32_t merges_left)
{
    return i + 1 == p->ngroups && merges_left == 0;
}

/* The program run without data: counts the slots that results need at a time. false: a merge
 * finds fewer than two operands, or more than one is left, so the merges do not fit the terms. */
static bool count_slots(program *p)
{
    stack s;
    clear(&s);
    p->slots = 0;
    for (uint32_t i = 0; i < p->ngroups; i++) {
        push(&s, NULL, p->groups[i].terms > 1);
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

static cohort_status unsupported(uint32_t op, uint32_t type)
{
    static const char *const names[] = { [COHORT_SUM] = "sum",
                                         [COHORT_PROD] = "product",
                                         [COHORT_MIN] = "minimum",
                                         [COHORT_MAX] = "maximum" };
    const char *name =
        op < sizeof names / sizeof *names && names[op] != NULL ? names[op] : "such reduction";
    return cohort_error_set(COHORT_ENOTSUP, "reduction: %s has no %s",
                            cohort_dtype_name((cohort_dtype)type), name);
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
        return unsupported(reduction->op, reduction->type);
    p->divide = reduction->divisor == 1 ? NULL : cohort_arithmetic_find_divide(reduction->type);
    if (reduction->divisor != 1 && p->divide == NULL)
        return cohort_error_set(COHORT_ENOTSUP, "reduction: %s cannot be divided",
                                cohort_dtype_name((cohort_dtype)reduction->type));
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

static void push_group(block *b, const group *g, bool is_last)
{
    if (g->terms == 1) {
        push(&b->stack, term_at(b, g->first), false);
        return;
    }
    const void *terms[8];
    for (uint32_t i = 0; i < g->terms; i++)
        terms[i] = term_at(b, g->first + i);
    unsigned char *into = place_result(b, is_last);
    const cohort_reduction *reduction = b->program->reduction;
    cohort_arithmetic_find_fused(reduction->op, reduction->type, g->terms)(into, terms, b->n);
    push(&b->stack, into, true);
}

/* Both operands are popped before the result is placed, so the result takes the slot of the left
 * one if that was a result. The loops allow it: each element is read before it is written. */
static void merge_top(block *b, bool is_last)
{
    const unsigned char *right = pop(&b->stack), *left = pop(&b->stack);
    unsigned char *into = place_result(b, is_last);
    b->program->combine(into, left, right, 1, 0, b->n);
    push(&b->stack, into, true);
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
}

static void run_blocks(const program *p, unsigned char *dst, uint64_t first, uint64_t count)
{
    arena scratch;
    block b; /* not initialised as a whole: that costs more than to add a few numbers */
    b.program = p;
    b.scratch = scratch.bytes;
    b.step = slot_bytes(p->slots);
    /* Without intermediate results there is nothing to keep in the cache: one block of all
     * elements. A quotient reads the result once more, which is to be in the cache then. */
    const uint64_t most = p->slots == 0 && p->divide == NULL ? count : b.step / p->bytes;
    for (uint64_t done = 0; done < count; done += most) {
        b.first = first + done;
        b.n = (size_t)(count - done < most ? count - done : most);
        b.dst = dst + b.first * p->bytes;
        run_block(&b);
    }
}

cohort_status cohort_reduction_run(const cohort_reduction *reduction, const void *const *pointers,
                                   void *dst, uint64_t first, uint64_t count)
{
    program p;
    p.reduction = reduction;
    p.pointers = pointers;
    cohort_status st = check_range(reduction, first, count);
    if (st < 0 || (st = prepare(&p)) < 0)
        return st;
    /* The thread may be the program's, with another rounding mode or flush to zero. */
    cohort_fpstate before = cohort_fpstate_enter();
    run_blocks(&p, (unsigned char *)dst + reduction->dst_offset, first, count);
    cohort_fpstate_leave(before);
    return COHORT_OK;
}

/* ---- Rows of one array. */

typedef struct rows {
    cohort_arithmetic_combine_fn combine;
    const unsigned char *from;
    int64_t n, stride; /* stride in elements */
    size_t bytes;      /* of one element */
} rows;

/* into = rows [first, first + count) in order, `width` elements of each. */
static void fold_block(const rows *r, int64_t first, int64_t count, size_t width,
                       unsigned char *into)
{
    const unsigned char *row = r->from + first * r->stride * (int64_t)r->bytes;
    const ptrdiff_t step = (ptrdiff_t)(r->stride * (int64_t)r->bytes);
    if (count == 1)
        memcpy(into, row, width * r->bytes);
    else
        r->combine(into, row, row + step, (size_t)(count - 1), (ptrdiff_t)r->stride, width);
}

/* The tree over blocks of rows, with memory for a partial result per level only. The stack of
 * partials is a binary counter: partial i covers more blocks than partial i + 1, each a power of
 * two. As often as the count of finished blocks is even, the top pair is merged, as a carry;
 * what is left at the end is merged from the right. This is the tree of cohort_reduce
 * (doc/design.md). */
static void fold_columns(const rows *r, arena *scratch, size_t step, size_t width,
                         unsigned char *into)
{
    size_t depth = 0;
    int64_t blocks = 0;
    for (int64_t first = 0; first < r->n; first += ROWS_OF_BLOCK) {
        int64_t count = r->n - first < ROWS_OF_BLOCK ? r->n - first : ROWS_OF_BLOCK;
        fold_block(r, first, count, width, scratch->bytes + depth++ * step);
        for (int64_t finished = ++blocks; (finished & 1) == 0; finished >>= 1, depth--)
            r->combine(scratch->bytes + (depth - 2) * step, scratch->bytes + (depth - 2) * step,
                       scratch->bytes + (depth - 1) * step, 1, 0, width);
    }
    for (; depth > 1; depth--)
        r->combine(scratch->bytes + (depth - 2) * step, scratch->bytes + (depth - 2) * step,
                   scratch->bytes + (depth - 1) * step, 1, 0, width);
    memcpy(into, scratch->bytes, width * r->bytes);
}

/* As many as the number of blocks has binary digits, and one for the block that is being folded. */
static size_t count_partials(int64_t n)
{
    size_t partials = 1;
    for (int64_t blocks = (n - 1) / ROWS_OF_BLOCK + 1; blocks > 0; blocks >>= 1)
        partials++;
    return partials;
}

/* Rows that are wider than a slot are folded in chunks of columns, all rows of a chunk before
 * the next chunk: the partials of a chunk fit the cache. */
static void fold_rows(rows *r, size_t inner, unsigned char *into)
{
    arena scratch;
    const size_t step = slot_bytes(count_partials(r->n)), chunk = step / r->bytes;
    for (size_t done = 0; done < inner; done += chunk) {
        size_t width = inner - done < chunk ? inner - done : chunk;
        fold_columns(r, &scratch, step, width, into + done * r->bytes);
        r->from += width * r->bytes;
    }
}

cohort_status cohort_reduction_rows(cohort_reduce_op op, cohort_dtype type, const void *from,
                                    int64_t n, int64_t stride, int64_t inner, void *into)
{
    rows r = { cohort_arithmetic_find((uint32_t)op, (uint32_t)type), from, n, stride,
               (size_t)cohort_dtype_bytes(type) };
    if (r.combine == NULL)
        return unsupported((uint32_t)op, (uint32_t)type);
    if (n < 1 || inner < 0)
        return cohort_error_set(COHORT_EINVAL, "reduction: %lld rows of %lld elements",
                                (long long)n, (long long)inner);
    cohort_fpstate before = cohort_fpstate_enter();
    fold_rows(&r, (size_t)inner, into);
    cohort_fpstate_leave(before);
    return COHORT_OK;
}
