/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of functions that come to a parameter server: cut anywhere, with any bit flipped, and as
 * they should be. The functions are never run here. */
#include "config.h"

#include "tests/tap.h"

#include "runtime/function/signature.h"
#include "runtime/server/worker_call.h"

#include <cohort/function.h>

#include <stdlib.h>
#include <string.h>

COHORT_STRUCT(pair, { float a, b; });

COHORT_FUNCTION_RETURNING(float, f,
                          (int64_t n, pair p, long double x, const float g[n], float w[n],
                           COHORT_LOCAL float *t COHORT_SHAPE(n)),
                          COHORT_HOST_ONLY, .types = COHORT_TYPES(pair))
{
    (void)n, (void)p, (void)x, (void)g, (void)w, (void)t;
    return 0;
}

static const cohort_function *const functions[] = { f, NULL };

enum { ARGUMENTS = 5, SIZE = 2048 };

/* As runtime/call/served_call.c packs it; returns its length. */
static uint64_t pack(char *out)
{
    static const char texts[] = "f\0float f(...)";
    const cohort_server_call head = { .digest = cohort_signature_of(f)->digest,
                                      .text_bytes = sizeof texts,
                                      .n_arguments = ARGUMENTS };
    const cohort_server_argument arguments[ARGUMENTS] = {
        { .parameter = 0, .kind = COHORT_ARGUMENT_INT, .word = 3 },
        { .parameter = 1, .kind = COHORT_ARGUMENT_BYTES, .bytes = sizeof(pair) },
        { .parameter = 2, .kind = COHORT_ARGUMENT_LONG_DOUBLE, .bytes = sizeof(long double) },
        { .parameter = 3,
          .kind = COHORT_ARGUMENT_ARRAY,
          .dtype = COHORT_F32,
          .rank = 1,
          .item_bytes = 4,
          .shape = { 3 },
          .bytes = 12 },
        { .parameter = 4, .kind = COHORT_ARGUMENT_VARIABLE, .word = 7 }
    };
    const long double x = 1.5L;
    uint64_t at = sizeof head + sizeof arguments;
    memset(out, 0, SIZE);
    memcpy(out, &head, sizeof head);
    memcpy(out + sizeof head, arguments, sizeof arguments);
    at = (at + 15) / 16 * 16;
    memcpy(out + at, texts, sizeof texts);
    at = (at + sizeof texts + 15) / 16 * 16 + 16; /* the pair */
    memcpy(out + at, &x, sizeof x);
    at += 16;
    memcpy(out + at, &(float[]){ 1, 2, 3 }, 12);
    return at + 16;
}

static bool lies_in(const void *part, uint64_t bytes, const char *block, uint64_t n)
{
    const char *at = part;
    return at >= block && (uint64_t)(at - block) <= n && bytes <= n - (uint64_t)(at - block);
}

/* What the arguments point to are bytes of the call. */
static bool is_inside(const cohort_worker_call *call, const char *block, uint64_t n)
{
    bool is = true;
    for (int32_t i = 0; i < call->n_arguments && is; i++) {
        const cohort_argument *a = &call->arguments[i];
        const cohort_array *array = a->as.p;
        if (a->kind == COHORT_ARGUMENT_ARRAY)
            is = lies_in(array->data, (uint64_t)(cohort_array_items(array) * array->item_bytes),
                         block, n);
        else if (a->kind == COHORT_ARGUMENT_BYTES)
            is = lies_in(a->as.p, a->bytes, block, n);
        else if (a->kind == COHORT_ARGUMENT_LONG_DOUBLE || a->kind == COHORT_ARGUMENT_COMPLEX)
            is = lies_in(a->as.p, sizeof(long double), block, n);
    }
    return is;
}

/* In a block of its length alone, so that a sanitizer sees each byte too far. */
static bool is_refused_or_inside(const char *bytes, uint64_t n, bool *out_is_refused)
{
    cohort_worker_call call;
    char *alone = malloc(n > 0 ? n : 1);
    if (alone == NULL)
        return false;
    memcpy(alone, bytes, n);
    *out_is_refused = cohort_worker_call_read(&call, functions, alone, n) < 0;
    bool is = *out_is_refused || is_inside(&call, alone, n);
    free(alone);
    return is;
}

static void wrong(void)
{
    char bytes[SIZE], flipped[SIZE];
    uint64_t n = pack(bytes), refused = 0;
    bool is_refused, is_good = true;
    for (uint64_t i = 0; i < n; i++)
        refused += is_refused_or_inside(bytes, i, &is_refused) && is_refused;
    ok(refused == n, "a call that is cut anywhere is refused");
    for (uint64_t i = 0; i < n * 8 && is_good; i++) {
        memcpy(flipped, bytes, n);
        flipped[i / 8] = (char)(flipped[i / 8] ^ (1 << i % 8));
        is_good = is_refused_or_inside(flipped, n, &is_refused) && (i >= 64 || is_refused);
    }
    ok(is_good, "with any bit flipped it is refused, or its arguments are other bytes of it");
}

static void right(void)
{
    _Alignas(16) char bytes[SIZE];
    cohort_worker_call call;
    uint64_t n = pack(bytes);
    ok(cohort_worker_call_read(&call, functions, bytes, n) == COHORT_OK, "a call is read");
    ok(call.function == f, "its function is found by name");
    ok(call.n_arguments == ARGUMENTS + 1, "arguments, and a place for the result");
    ok(call.arguments[0].kind == COHORT_ARGUMENT_BYTES &&
           call.arguments[1].kind == COHORT_ARGUMENT_LONG_DOUBLE &&
           *(const long double *)call.arguments[1].as.p == 1.5L &&
           call.arguments[4].kind == COHORT_ARGUMENT_DROP,
       "what is passed by its place comes first");
    is_text(call.arguments[5].name, "n", "bounds follow by name");
    ok(((const float *)call.arrays[0].data)[2] == 3, "contents are lent");
    ok(call.n_variables == 1 && call.variables[0].number == 7 && call.variables[0].argument == 3 &&
           call.variables[0].is_written,
       "variables are left to whoever has them");
    ok(cohort_worker_call_read(&call, NULL, bytes, n) == COHORT_ENOENT,
       "a server without functions has none of that name");
}

int main(void)
{
    wrong();
    right();
    return tap_done();
}
