/* SPDX-License-Identifier: BSD-3-Clause */
/* What a world holds, and whether two worlds hold the same, bit by bit. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static size_t bytes_of(const cohort_array *array)
{
    size_t bytes = array->dtype == COHORT_F64 || array->dtype == COHORT_I64 ? 8 : 4;
    for (int32_t i = 0; i < array->rank; i++)
        bytes *= (size_t)array->shape[i];
    return bytes;
}

static uint64_t bits_of(const cohort_array *array)
{
    uint64_t sum = add_bytes(UINT64_C(0xcbf29ce484222325), &array->dtype, sizeof array->dtype);
    sum = add_bytes(sum, &array->rank, sizeof array->rank);
    sum = add_bytes(sum, array->shape, sizeof *array->shape * (size_t)array->rank);
    return add_bytes(sum, array->data, bytes_of(array));
}

/* An error of looking is up, and has to go before the next look. */
static void look_inside(world *w, cohort_argument x, held_look *out)
{
    cohort_array found[MAX_COPIES];
    int n = cohort_local_results_of(x, found, MAX_COPIES);
    out->status = n < 0 ? n : COHORT_OK;
    out->n = n;
    for (int i = 0; i < n && i < MAX_COPIES; i++)
        out->bits[i] = bits_of(&found[i]);
    if (n < 0 && cohort_strategy_recover(w->s) < 0)
        mismatch("recover after a look");
}

static void look_at_value(world *w, int i, held_look *out)
{
    out->kind = cohort_value_kind_of(w->values[i]);
    if (out->kind != COHORT_EMPTY_VALUE && i != SHAPED)
        look_inside(w, COHORT_ARG_(w->values[i]), out);
}

static void look_at_variable(world *w, cohort_variable *v, held_look *out)
{
    out->kind = (int)cohort_variable_updates(v);
    look_inside(w, COHORT_ARG_(v), out);
}

void world_look_at_variables(world *w, look *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < HELD; i++)
        look_at_variable(w, w->variables[i], &out->of[ALL_VALUES + i]);
    for (int i = 0; i < MADE_OF_METRICS; i++)
        look_at_variable(w, w->of_metrics[i], &out->of[ALL_VALUES + HELD + i]);
}

void world_look(world *w, look *out)
{
    world_look_at_variables(w, out);
    for (int i = 0; i < ALL_VALUES; i++)
        look_at_value(w, i, &out->of[i]);
    out->rows = w->input != NULL ? cohort_input_rows(w->input) : 0;
}

bool looks_alike(const world *w, const look *a, const look *b)
{
    for (int i = 0; i < LOOKED_AT; i++) {
        const held_look *x = &a->of[i], *y = &b->of[i];
        if (memcmp(x, y, sizeof *x) == 0)
            continue;
        const char *name = i < ALL_VALUES ? "x"
                           : i < ALL_VALUES + HELD
                               ? cohort_variable_name(w->variables[i - ALL_VALUES])
                               : "a metric";
        mismatch("%s (%d) is not as unrecorded: status %d, kind or updates %d, %d parts, not "
                 "%d, %d, %d",
                 name, i, y->status, y->kind, y->n, x->status, x->kind, x->n);
        return false;
    }
    if (a->rows != b->rows)
        mismatch("%lld rows of the input, not %lld", (long long)b->rows, (long long)a->rows);
    return a->rows == b->rows;
}
