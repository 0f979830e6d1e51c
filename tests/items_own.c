/* SPDX-License-Identifier: BSD-3-Clause */
/* Own elements: which arrays an item touches at the place of its indices alone, however a body
 * spells it; and of the others, why they are none of these. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/function/items_form.h"
#include "runtime/function/signature.h"
#include "tests/sanitized.h"
#include "tests/tap.h"

#include <cohort/cohort.h>

#if IS_SANITIZED
static long long left; /* the sanitizer has the allocator */
#define atomic_store(what, value) ((void)(*(what) = (value)))
#else
#include "tests/short_memory.h"
#endif

COHORT_STRUCT(pixel, {
    float a, b;
    float c[2];
});
COHORT_CONSTANT(float, rate, 0.125f);
COHORT_TABLE(float, taps, [3], { 0.25f, 0.5f, 0.25f });
COHORT_HELPER(float, soften, (float x), { return x > rate ? x - rate : 0; });
#define RATE 0.25f
#define AT(x, k) x[k]

/* ------------------------------------------------------------------ one index */

#define LIST                                                                                       \
    "(int64_t n, int32_t k, uint32_t u, float rate, const float g[n], float w[n], "                \
    "const float all[n + 1], pixel p[n], const int64_t q[n])"

typedef struct row {
    const char *body, *array, *apart; /* NULL: its own alone */
} row;

static const row rows[] = {
    { "{ w[i] -= 0.25f * g[i]; }", "w", NULL },
    { "{ w[i] -= 0.25f * g[i]; }", "g", NULL },
    { "{ float mean = rate * g[i]; w[i] -= mean / (sqrtf(w[i]) + 1e-8f); }", "w", NULL },
    { "{ w [ i ] = cohort_tanhf(w[/* own */ i]); }", "w", NULL },
    { "{ w[(i)] = ((w[i]) + 1) * 2; }", "w", NULL },
    { "{ w[i + 0] = w[0 + i] + w[i * 1] + w[2 * i - i]; }", "w", NULL },
    { "{ const int64_t at = i; w[at] = g[at]; }", "w", NULL },
    { "{ size_t at = (size_t)i, to = at; if (at > 2 && to < 9) w[to] = g[at]; }", "w", NULL },
    { "{ enum { HALF = 2, LESS }; w[i] = g[i] / HALF + LESS; }", "w", NULL },
    { "{ for (int j = 0; j < 3; j++) w[i] += g[j]; }", "w", NULL },
    { "{ if (g[i] == 0) continue; w[i] = (float)i; }", "w", NULL },
    { "{ p[i].a = p[i].c[1] + p[i].c[k]; }", "p", NULL },
    { "{ pixel mine = p[i]; mine.b = 2; p[i] = mine; }", "p", NULL },
    { "{ w[i] = isnan(w[i]) ? NAN : fminf(w[i], INFINITY) + (float)INT32_MAX; }", "w", NULL },
    { "{ float rest; w[i] = modff(w[i], &rest) + rest; }", "w", NULL },
    { "{ switch (k) { case 1: w[i] = 2; break; default: w[i] = 3; } }", "w", NULL },
    { "{ float part[2] = { w[i], g[i] }; w[i] = part[0] + part[1]; }", "w", NULL },
    { "{ w[i] = sizeof w[i]; }", "w", NULL },
    { "{ g[i]; }", "w", NULL },
    { "{ w[q[i]] = w[i]; }", "q", NULL },
    { "{ w[i + 1] = 0; }", "w", "'w' is used at another element, too, 'w[i + 1]'" },
    { "{ w[i] = g[n - 1 - i]; }", "g", "'g' is used at another element, too, 'g[n - 1 - i]'" },
    { "{ w[q[i]] = 0; }", "w", "'w' is used at another element, too, 'w[q[i]]'" },
    { "{ for (int j = 0; j < 3; j++) w[j] = 1; }", "w", "too, 'w[j]'" },
    { "{ int64_t at = i; at++; w[at] = 0; }", "w", "too, 'w[at]'" },
    { "{ int64_t at = i; int64_t *to = &at; *to = 3; w[at] = 0; }", "w", "too, 'w[at]'" },
    { "{ int64_t at = i; for (int j = 0; j < 2; j++) { w[at] = 0; at = j; } }", "w", "'w[at]'" },
    { "{ int8_t at = (int8_t)i; w[at] = 0; }", "w", "too, 'w[at]'" },
    { "{ int at = (int)i; w[at] = 0; }", "w", "too, 'w[at]'" },
    { "{ w[i + (u - u)] = 0; }", "w", "too" },
    { "{ w[i / 2 * 2] = 0; }", "w", "too, 'w[i / 2 * 2]'" },
    { "{ w[i ^ 1] = 0; }", "w", "too, 'w[i ^ 1]'" },
    { "{ w[-i] = 0; }", "w", "too, 'w[-i]'" },
    { "{ w[~i] = 0; }", "w", "too, 'w[~i]'" },
    { "{ w[k > 1 ? i : 0] = 0; }", "w", "too" },
    { "{ *(w + i) = 0; }", "w", "'w' is used as a pointer, 'w'" },
    { "{ i[w] = 0; }", "w", "'w' is used as a pointer, 'w'" },
    { "{ (w)[i] = 0; }", "w", "as a pointer" },
    { "{ (k > 0 ? w : w + 1)[i] = 0; }", "w", "as a pointer" },
    { "{ (&w[i])[1] = 0; }", "w", "'w' may be reached by an address, '&w[i]'" },
    { "{ (&(w[i]))[1] = 0; }", "w", "'w' may be reached by an address" },
    { "{ *(&p[i].a + 4) = 0; }", "p", "'p' may be reached by an address, '&p[i].a'" },
    { "{ float *c = p[i].c; c[9] = 0; }", "p", "'p' is used as a pointer, 'p[i].c'" },
    { "{ float w[3]; w[i] = 0; }", "w", "'w' stands where its tokens do not tell" },
    { "{ float x(w[i + 1]); (void)x; }", "w", "'w' stands where its tokens do not tell" },
    { "{ p[i].a = p->b; }", "p", "'p' is used as a pointer, 'p'" },
    { "{ p->c[0] = p[i].a; }", "p", "as a pointer" },
    { "{ w[i] = (float)sizeof(float[(int)*(w + 1)]); }", "w", "as a pointer" },
    { "{ w[i + 0b1 - 0] = 0; }", "w", "too, 'w[i + 0b1 - 0]'" },
    { "{ w[i + 10'000 - 10] = 0; }", "w", "too" },
    { "{ w[i + 0'1] = 0; }", "w", "too" },
    { "{ w[i + 0_km] = 0; }", "w", "too" },
    { "{ w[i + 0x10 - 16 + 010 - 8 + 1'0 - 10 + 0ULL] = 0; }", "w", NULL },
    { "{ if (g[i] > 0) (i)++; w[i] = 0; }", "w", "too, 'w[i]'" },
    { "{ ((i)) += 1; w[i] = 0; }", "w", "too, 'w[i]'" },
    { "{ ++((i)); w[i] = 0; }", "w", "too, 'w[i]'" },
    { "{ int64_t *to = (int64_t *)&i; *to += 1; w[i] = 0; }", "w", "too, 'w[i]'" },
    { "{ int64_t at = i, to = 0; (k > 0 ? at : to) = 3; w[at] = to; }", "w", "too, 'w[at]'" },
    { "{ int64_t at = i, to = 0; ++(k > 0 ? at : to); w[at] = to; }", "w", "too, 'w[at]'" },
    { "{ int64_t at = i, to = 0; (k > 0 ? at : to)--; w[at] = to; }", "w", "too, 'w[at]'" },
    { "{ int64_t at = i; ++(k, at); w[at] = 0; }", "w", "too, 'w[at]'" },
    { "{ int64_t at = i; w[at] = at & 1 && k & at && 3 & at; }", "w", NULL },
    { "{ int64_t at = i; int64_t *to = (int64_t *)&at; *to = 3; w[at] = 0; }", "w", "'w[at]'" },
    { "{ int64_t at = i; int j = 0; if (at > 0) ++j; (w[at]) += (float)j; }", "w", NULL },
    { "{ struct { int64_t at; } s = { 0 }; int64_t at = i; s.at = 3; w[at] = s.at; }", "w", NULL },
    { "{ w[i] = all[i]; }", "all", "'all' has not one element for each item" },
};

static const cohort_type *const types[] = { &pixel_cohort_type, NULL };

static cohort_function items_of(const char *prototype, const char *item, const char *count,
                                const char *body)
{
    return (cohort_function){ .struct_size = sizeof(cohort_function),
                              .name = "f",
                              .returns = "void",
                              .prototype = prototype,
                              .item = item,
                              .count = count,
                              .item_body = body,
                              .types = types };
}

static int32_t find(const cohort_signature *s, const char *name)
{
    int32_t i = 0;
    while (i < s->n_parameters && strcmp(s->parameters[i].name, name) != 0)
        i++;
    return i;
}

static void check_array(const cohort_signature *s, const char *array, int axes, const char *apart,
                        const char *what)
{
    if (s == NULL) {
        ok(false, "%s: %s", what, cohort_error_text());
        return;
    }
    int32_t i = find(s, array);
    bool is_apart = axes == 0;
    ok(i < s->n_parameters && s->own_axes[i] == axes && (s->apart[i] != NULL) == is_apart,
       "%s: %s is touched at %s", what, array, is_apart ? "other places, too" : "its own alone");
    if (is_apart)
        has_text(s->apart[i] != NULL ? s->apart[i] : "", apart, "and so it is told");
}

static void test_one_index(void)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        cohort_function function = items_of(LIST, "i", "n", rows[k].body);
        const cohort_signature *s = cohort_signature_create(&function);
        check_array(s, rows[k].array, rows[k].apart == NULL, rows[k].apart, rows[k].body);
        cohort_signature_release(s);
    }
}

/* ------------------------------------------------------------------ two and three */

typedef struct shaped {
    const char *shape, *item, *count, *place;
    int axes;
} shaped;

static const shaped places[] = {
    { "n, m", "i, j", "n, m", "i * m + j", 2 },
    { "n, m", "i, j", "n, m", "j + m * i", 2 },
    { "n * m", "i, j", "n, m", "(i * m) + (j)", 2 },
    { "m, n", "i, j", "n, m", "i * m + j", 2 },
    { "n, m", "i, j", "n, m", "(i + 1) * m + j - m", 2 },
    { "n, m + 1", "i, j", "n, m + 1", "i * (m + 1) + j", 2 },
    { "n, m + 1", "i, j", "n, m + 1", "i * m + i + j", 2 },
    { "n / 2, m", "i, j", "n / 2, m", "i * m + j", 2 },
    { "n, 16", "i, j", "n, 16", "i * 16 + j", 2 },
    { "n", "i, j", "n, m", "i", 1 },
    { "n, m, l", "i, j, k", "n, m, l", "(i * m + j) * l + k", 3 },
    { "n, m, l", "i, j, k", "n, m, l", "i * m * l + j * l + k", 3 },
    { "n, m", "i, j, k", "n, m, l", "i * m + j", 2 },
    { "n", "i, j, k", "n, m, l", "i", 1 },
    { "n + m - 1", "i", "m - 1 + n", "i", 1 },
    { "2 * n", "i", "n + n", "i", 1 },
    { "n, m", "i, j", "n, m", "i * m + j + 1", 0 },
    { "n, m", "i, j", "n, m", "(i - 1) * m + j", 0 },
    { "n, m", "i, j", "n, m", "j * n + i", 0 },
    { "n, m", "i, j", "n, m", "i * n + j", 0 },
    { "m, n", "i, j", "n, m", "i", 0 },
    { "m", "i, j", "n, m", "j", 0 },
    { "n, m", "i", "n", "i * m", 0 },
    { "n, m / 2", "i, j", "n, m / 2", "i * (m / 2) + j", 0 },
    { "n, m, l", "i, j, k", "n, m, l", "i * m * l + k * m + j", 0 },
    { "n, m", "i, j", "n, m", "i * ((m)) + j", 2 },
    { "n, m", "i, j", "n, m", "i * (((m)) += 0) + j", 0 },
    { "n, n, n, n", "i, j", "n * n, n * n", "i * n * n + j", 2 },
    { "n, n, n, n, n, n", "i, j", "n * n * n, n * n * n", "i * n * n * n + j", 0 },
};

static void test_indices(void)
{
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const shaped *p = &places[k];
        char prototype[200], body[100];
        (void)snprintf(prototype, sizeof prototype,
                       "(int64_t n, int64_t m, int64_t l, float *w COHORT_SHAPE(%s))", p->shape);
        (void)snprintf(body, sizeof body, "{ int64_t at = %s; w[at] += w[%s]; }", p->place,
                       p->place);
        cohort_function function = items_of(prototype, p->item, p->count, body);
        const cohort_signature *s = cohort_signature_create(&function);
        check_array(s, "w", p->axes, "'w' ", p->place);
        cohort_signature_release(s);
    }
}

/* ------------------------------------------------------------------ as a program writes them */

COHORT_ITEMS(by_macro, i, n, (int64_t n, const float g[n], float w[n]),
             { AT(w, i) -= RATE * g[i]; });
COHORT_ITEMS(by_helper, i, n, (int64_t n, const float g[n], float w[n]),
             { w[i] = soften(w[i]) * taps[1] - rate * g[i] * taps[i % 3]; });
COHORT_ITEMS_2D(of_two, i, n, j, m,
                (int64_t n, int64_t m, const float bias[n], float *w COHORT_SHAPE(n, m)),
                { AT(w, i * m + j) += bias[i]; });
COHORT_ITEMS_OF_TYPES(of_structs, i, n, (int64_t n, pixel p[n]), COHORT_TYPES(pixel), {
    pixel mine = p[i];
    p[i].a = mine.b;
});

static void test_macros(void)
{
    static const struct {
        const cohort_function *function;
        const char *array;
        int axes;
    } known[] = { { by_macro, "w", 1 },  { by_macro, "g", 1 }, { by_helper, "w", 1 },
                  { by_helper, "g", 1 }, { of_two, "w", 2 },   { of_two, "bias", 1 },
                  { of_structs, "p", 1 } };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        check_array(cohort_signature_of(known[k].function), known[k].array, known[k].axes, "",
                    known[k].function->name);
}

/* ------------------------------------------------------------------ forms */

static cohort_items_form sum_of_names(int32_t first, int32_t n)
{
    cohort_items_form f = cohort_items_form_number(0);
    for (int32_t i = 0; i < n; i++) {
        cohort_items_form name = cohort_items_form_name(first + i);
        f = cohort_items_form_combine(&f, &name, '+');
    }
    return f;
}

static void test_forms(void)
{
    cohort_items_form one = cohort_items_form_number(1), a = cohort_items_form_name(1),
                      none = cohort_items_form_combine(&a, &a, '-'), most = sum_of_names(1, 6),
                      more = sum_of_names(1, 7), large = cohort_items_form_number(INT64_MAX),
                      over = cohort_items_form_combine(&large, &one, '+'),
                      times = cohort_items_form_combine(&large, &large, '*'),
                      least = cohort_items_form_number(INT64_MIN),
                      minus = cohort_items_form_combine(&one, &least, '-'),
                      zero = cohort_items_form_number(0), power = a;
    ok(none.n == 0 && cohort_items_form_is(&none, &zero), "a number less itself is 0");
    ok(most.n == 6 && more.n < 0, "six terms are known, and seven are not");
    ok(over.n < 0 && times.n < 0 && minus.n < 0, "nor are numbers of more than 64 bits");
    ok(!cohort_items_form_is(&over, &over), "and what is not known is equal to nothing");
    for (int i = 0; i < 3; i++)
        power = cohort_items_form_combine(&power, &a, '*');
    cohort_items_form fifth = cohort_items_form_combine(&power, &a, '*');
    ok(power.n == 1 && fifth.n < 0, "products of four factors are known, and of five are not");
    cohort_items_form divided = cohort_items_form_combine(&power, &a, '/');
    ok(divided.n < 0, "nor is a division");
    cohort_items_form square = cohort_items_form_combine(&most, &most, '*');
    ok(square.n < 0, "nor a square of so many terms");
}

/* ------------------------------------------------------------------ memory */

static void test_short_memory(void)
{
    cohort_function function =
        items_of(LIST, "i", "n", "{ int64_t at = i * 2 - i; w[at] = g[i + 1] + all[i]; }");
    int64_t blocks = cohort_memory_blocks();
    const cohort_signature *s = NULL;
    bool is_told = true;
    long long refused = 0;
    for (; s == NULL && is_told; refused++) {
        atomic_store(&left, refused + 1);
        s = cohort_signature_create(&function);
        atomic_store(&left, -1);
        is_told = s != NULL || strstr(cohort_error_text(), "memory") != NULL;
    }
    cohort_signature_release(s);
    ok(is_told && (refused > 3 || IS_SANITIZED), "whichever allocation is refused, it is told");
    ok(cohort_memory_blocks() == blocks, "and nothing is left");
}

int main(void)
{
    test_macros();
    int64_t blocks = cohort_memory_blocks();
    test_one_index();
    test_indices();
    test_forms();
    test_short_memory();
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
