/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of expansions is a pattern of tokens with holes. The text is walked once: where a pattern
 * begins, its name is written instead, and what is in the holes is walked in the same way. */
#include "config.h"

#include "runtime/function/items_expansion.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/items_token.h"

#include <string.h>

/* Holes of a pattern, and arguments of a function of <tgmath.h>; calls inside each other, as deep
 * as the parser of bodies follows them. */
enum { MAX_HOLES = 3, MAX_DEPTH = 200 };

/* Tokens from the first to before `end`. */
typedef struct range {
    cohort_token first;
    const char *end;
} range;

typedef struct walk {
    const char *expansions;
    char *bytes; /* what was written */
    size_t used, capacity;
    int depth;
    bool is_out_of_memory;
} walk;

static range range_of(const char *start, const char *end)
{
    return (range){ cohort_items_token(start), end };
}

static bool is_in(cohort_token t, range r)
{
    return t.length > 0 && t.start < r.end;
}

static bool is_same(cohort_token a, cohort_token b)
{
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

/* ---- Writing */

static void add(walk *w, const char *part, size_t length)
{
    if (w->is_out_of_memory ||
        !cohort_grow((void **)&w->bytes, &w->capacity, w->used + length + 1, 1)) {
        w->is_out_of_memory = true;
        return;
    }
    memcpy(w->bytes + w->used, part, length);
    w->used += length;
    w->bytes[w->used] = '\0';
}

static void rewrite(walk *w, range r);

/* The second L of an integer: 128 bits, or nothing, in OpenCL C. */
static void add_token(walk *w, cohort_token t)
{
    const char *last = t.start + t.length - 1;
    bool is_long_long = t.kind == COHORT_TOKEN_NUMBER && t.length > 2 &&
                        strchr("lL", *last) != NULL && last[-1] == *last;
    add(w, t.start, t.length - is_long_long);
}

/* ---- Patterns */

/* Something that is no program's. */
static bool is_reserved(cohort_token t)
{
    if (t.kind == COHORT_TOKEN_NAME)
        return t.length > 2 && t.start[0] == '_' && t.start[1] == '_';
    if (t.kind != COHORT_TOKEN_NUMBER || memchr(t.start, 'x', t.length) != NULL)
        return false;
    const char *exponent = memchr(t.start, 'e', t.length);
    bool is_floating = exponent != NULL || memchr(t.start, '.', t.length) != NULL;
    bool is_long = strchr("lL", t.start[t.length - 1]) != NULL;
    return is_floating && (is_long || (exponent != NULL && strspn(exponent + 1, "0123456789") > 3));
}

static bool has_reserved(range r)
{
    bool has = false;
    for (cohort_token t = r.first; is_in(t, r) && !has; t = cohort_items_next(t))
        has = is_reserved(t);
    return has;
}

/* The number of the hole that a token is; -1: none. */
static int hole_of(cohort_token t)
{
    static const char *const holes[MAX_HOLES] = { "cohort_a", "cohort_b", "cohort_c" };
    int found = -1;
    for (int i = 0; i < MAX_HOLES && found < 0; i++)
        found = cohort_token_is(t, holes[i]) ? i : -1;
    return found;
}

static int nesting(cohort_token t)
{
    static const char *const opening[] = { "(", "[", "{", NULL };
    static const char *const closing[] = { ")", "]", "}", NULL };
    return cohort_items_is_any(t, opening) - cohort_items_is_any(t, closing);
}

/* From a token to before the next one like `stop` that stands in no brackets of its own, or to
 * where the brackets around it close. */
static range up_to(cohort_token from, cohort_token stop, range within)
{
    cohort_token t = from;
    for (int depth = 0; is_in(t, within) && depth >= 0; t = cohort_items_next(t)) {
        if (depth == 0 && is_same(t, stop))
            break;
        depth += nesting(t);
        if (depth < 0)
            break;
    }
    return (range){ from, is_in(t, within) ? t.start : within.end };
}

/* A hole takes what it took before, or all up to what follows it in the pattern. */
static bool fill_hole(range *hole, cohort_token *at, cohort_token stop, range within)
{
    if (hole->end == NULL) {
        *hole = up_to(*at, stop, within);
        *at = cohort_items_token(hole->end);
        return is_in(hole->first, *hole);
    }
    cohort_token t = hole->first;
    for (; is_in(t, *hole) && is_in(*at, within) && is_same(t, *at); t = cohort_items_next(t))
        *at = cohort_items_next(*at);
    return !is_in(t, *hole);
}

/* The pattern stands here; *out_next is the token behind it. */
static bool matches(range pattern, cohort_token at, range within, range holes[MAX_HOLES],
                    cohort_token *out_next)
{
    bool is_match = true;
    memset(holes, 0, MAX_HOLES * sizeof *holes);
    for (cohort_token p = pattern.first; is_match && is_in(p, pattern);) {
        cohort_token next = cohort_items_next(p);
        int hole = hole_of(p);
        if (hole >= 0) {
            is_match = fill_hole(&holes[hole], &at, next, within);
        } else {
            is_match = is_in(at, within) && is_same(p, at);
            at = cohort_items_next(at);
        }
        p = next;
    }
    *out_next = at;
    return is_match;
}

/* Its name, with what is in the holes. */
static void add_name(walk *w, range name, const range holes[MAX_HOLES])
{
    for (cohort_token t = name.first; is_in(t, name); t = cohort_items_next(t)) {
        int hole = hole_of(t);
        if (hole >= 0)
            rewrite(w, holes[hole]);
        else
            add(w, t.start, t.length);
    }
}

static bool try_expansions(walk *w, cohort_token *t, range within)
{
    for (const char *line = w->expansions, *end; *line != '\0'; line = end + 1) {
        const char *tab = strchr(line, '\t');
        end = tab != NULL ? strchr(tab, '\n') : NULL;
        if (end == NULL)
            break;
        range name = range_of(line, tab), pattern = range_of(tab, end), holes[MAX_HOLES];
        cohort_token next;
        if (!is_same(pattern.first, *t) || !has_reserved(pattern) ||
            !matches(pattern, *t, within, holes, &next))
            continue;
        add_name(w, name, holes);
        *t = next;
        return true;
    }
    return false;
}

/* ---- <tgmath.h> */

/* Arguments between parentheses, of which `*t` is the first: each range one. With out_function the
 * second one is a function, and arguments are those in parentheses of their own. Returns how many
 * there are, -1 for too many or none; *t is then the token behind. */
static int read_arguments(cohort_token *t, range within, range list[MAX_HOLES],
                          cohort_token *out_function)
{
    const cohort_token comma = { COHORT_TOKEN_MARK, ",", 1 };
    int n = 0, place = 0;
    do {
        *t = cohort_items_next(*t);
        range argument = up_to(*t, comma, within);
        bool is_taken = out_function == NULL || cohort_token_is(argument.first, "(");
        if (out_function != NULL && place++ == 1)
            *out_function = argument.first;
        if (!is_in(argument.first, argument) || (is_taken && n == MAX_HOLES))
            return -1;
        if (is_taken)
            list[n++] = argument;
        *t = cohort_items_token(argument.end);
    } while (is_in(*t, within) && cohort_token_is(*t, ","));
    *t = cohort_items_next(*t);
    return n > 0 ? n : -1;
}

/* (__typeof__(...))(x): what is cast. */
static range without_cast(range argument)
{
    cohort_token inner = cohort_items_next(argument.first);
    if (!cohort_token_is(argument.first, "(") || !cohort_token_is(inner, "__typeof__"))
        return argument;
    int depth = 0;
    cohort_token t = argument.first;
    do {
        depth += nesting(t);
        t = cohort_items_next(t);
    } while (depth > 0 && is_in(t, argument));
    return (range){ t, argument.end };
}

static void add_call(walk *w, cohort_token function, const range list[], int n)
{
    add(w, function.start, function.length);
    for (int i = 0; i < n; i++) {
        add(w, i == 0 ? "(" : ", ", i == 0 ? 1 : 2);
        rewrite(w, without_cast(list[i]));
    }
    add(w, ")", 1);
}

/* With glibc and gcc __builtin_tgmath (sqrtf, sqrt, sqrtl, ..., (x)), with clang
 * __tg_sqrt((__typeof__(...))(x)). */
static bool try_generic(walk *w, cohort_token *t, range within)
{
    static const char prefix[] = "__tg_";
    enum { LENGTH = sizeof prefix - 1 };
    range list[MAX_HOLES];
    cohort_token next = cohort_items_next(*t), function = *t;
    bool is_gcc = cohort_token_is(*t, "__builtin_tgmath");
    bool is_clang =
        t->kind == COHORT_TOKEN_NAME && t->length > LENGTH && memcmp(t->start, prefix, LENGTH) == 0;
    if ((!is_gcc && !is_clang) || !cohort_token_is(next, "("))
        return false;
    function.start += is_clang ? LENGTH : 0;
    function.length -= is_clang ? LENGTH : 0;
    int n = read_arguments(&next, within, list, is_gcc ? &function : NULL);
    if (n < 0)
        return false;
    add_call(w, function, list, n);
    *t = next;
    return true;
}

/* ---- The text */

static void rewrite(walk *w, range r)
{
    cohort_token t = r.first;
    bool is_deep = ++w->depth > MAX_DEPTH;
    while (is_in(t, r)) {
        cohort_token at = t;
        const char *behind = at.start + at.length;
        if (!is_deep && (try_expansions(w, &t, r) || try_generic(w, &t, r))) {
            add(w, " ", 1);
            continue;
        }
        t = cohort_items_next(at);
        add_token(w, at);
        add(w, behind, (size_t)((is_in(t, r) ? t.start : r.end) - behind));
    }
    w->depth--;
}

cohort_status cohort_items_expansion_undo(cohort_arena *arena, const char *text,
                                          const char *expansions, const char **out_text)
{
    walk w = { .expansions = expansions };
    *out_text = NULL;
    rewrite(&w, range_of(text, text + strlen(text)));
    if (!w.is_out_of_memory)
        *out_text = cohort_arena_text(arena, w.used > 0 ? w.bytes : "", w.used);
    cohort_free(w.bytes);
    return *out_text != NULL ? COHORT_OK : cohort_error_memory("the body of an item");
}
