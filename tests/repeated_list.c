/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of reductions that repeats an earlier one is answered from what was found out then. So
 * each case reduces the same list until that is so, then changes one thing of what was found, and
 * compares with what a first list would give. */
#include "config.h"

#include "tests/core.h"

#include <string.h>

enum { WARM = 4, LISTED = 5, N = 6 };

typedef struct list {
    cohort_strategy *s;
    int replicas;
    cohort_value *x[LISTED], *into[LISTED];
} list;

/* Value i, of n elements in each replica: start + i + r in all of those of replica r. Lent. */
static cohort_array rows_of(float start, int i, int replicas, int n)
{
    static float all[2][LISTED][CORE_MAX_REPLICAS * N];
    float *rows = all[start > 1][i];
    for (int k = 0; k < replicas * n; k++)
        rows[k] = start + (float)(i + k / n);
    return COHORT_ARRAY(rows, replicas * n);
}

static list make(cohort_strategy *s, int replicas)
{
    list l = { .s = s, .replicas = replicas };
    for (int i = 0; i < LISTED; i++)
        l.x[i] = cohort_value_split(s, rows_of(1, i, replicas, N)),
        l.into[i] = cohort_value_create(s);
    return l;
}

static cohort_status reduce(const list *l)
{
    return cohort_reduce_list(COHORT_SUM, l->x, LISTED, COHORT_NO_AXIS, l->into);
}

static bool has_sum(const list *l, int i, int n, float start)
{
    float found[N], wanted = 0;
    bool is_good = good(cohort_value_read(l->into[i], COHORT_ARRAY(found, n)) == COHORT_OK);
    for (int r = 0; r < l->replicas; r++)
        wanted += start + (float)(i + r);
    for (int k = 0; k < n && is_good; k++)
        is_good = good(found[k] == wanted);
    return is_good;
}

/* Reduced again and again, the sums of all values but the last, which are of 1 at the start, and of
 * the last. */
static bool repeats(const list *l, int n_of_last, float start_of_last)
{
    bool is_good = true;
    for (int turn = 0; turn < WARM && is_good; turn++) {
        is_good = good(reduce(l) == COHORT_OK);
        for (int i = 0; i < LISTED - 1 && is_good; i++)
            is_good = has_sum(l, i, N, 1);
        is_good = is_good && has_sum(l, LISTED - 1, n_of_last, start_of_last);
    }
    return is_good;
}

static bool set_last(const list *l, int n, float start)
{
    cohort_array rows = rows_of(start, LISTED - 1, l->replicas, n);
    return good(cohort_value_set(l->x[LISTED - 1], rows) == COHORT_OK);
}

COHORT_FUNCTION(raise_by, (int64_t n, float by, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] += by;
}

COHORT_FUNCTION(put, (int64_t n, double by, COHORT_OUT double x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = by;
}

COHORT_FUNCTION_RETURNING(cohort_status, unless, (int64_t n, int32_t fails, float x[n]),
                          COHORT_HOST_ONLY)
{
    (void)n, (void)x;
    return fails ? COHORT_ENOTSUP : COHORT_OK;
}

/* ------------------------------------------------------------------ cases */

static bool written(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    bool is_good = repeats(&l, N, 1);
    for (int i = 1; i <= WARM && is_good; i++)
        is_good = good(cohort_run(s, raise_by, 1, l.x[LISTED - 1]) == COHORT_OK) &&
                  repeats(&l, N, 1 + (float)i);
    return is_good && set_last(&l, N, 3) && repeats(&l, N, 3) && set_last(&l, N, 1) &&
           repeats(&l, N, 1);
}

static bool shaped(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    bool is_good = repeats(&l, N, 1);
    for (int n = N - 1; n > 0 && is_good; n--)
        is_good =
            set_last(&l, n, 3) && repeats(&l, n, 3) && set_last(&l, N, 1) && repeats(&l, N, 1);
    return is_good;
}

/* Fewer rows than replicas. */
static bool absent(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    float row = 7, found = 0;
    bool is_good = repeats(&l, N, 1);
    is_good =
        is_good && good(cohort_value_set(l.x[LISTED - 1], COHORT_ARRAY(&row, 1)) == COHORT_OK);
    for (int i = 0; i < WARM && is_good; i++)
        is_good =
            good(reduce(&l) == COHORT_OK) &&
            good(cohort_value_read(l.into[LISTED - 1], COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
            good(found == 7);
    return is_good && set_last(&l, N, 3) && repeats(&l, N, 3);
}

/* What was summed up is used for something else, and is as it has to be afterwards. */
static bool used_otherwise(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    cohort_value *other = cohort_value_plain(s, COHORT_ARRAY(((float[]){ 1, 2 }), 2));
    bool is_good = repeats(&l, N, 1);
    for (int i = 0; i < WARM && is_good; i++)
        is_good =
            good(cohort_broadcast(s, other, COHORT_AT(other), l.into[LISTED - 1]) == COHORT_OK) &&
            repeats(&l, N, 1) &&
            good(cohort_run(s, put, 1, l.into[LISTED - 1], COHORT_NAMED(n, 3)) == COHORT_OK) &&
            repeats(&l, N, 1);
    return is_good;
}

/* A value that is summed up is a sum itself in between: then it is one content, and refused. */
static bool of_other_kind(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    cohort_value *x = l.x[LISTED - 1];
    bool is_good = repeats(&l, N, 1);
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_reduce(COHORT_MAX, l.x[0], COHORT_NO_AXIS, x) == COHORT_OK) &&
                  refused_for(s, "COHORT_ONCE(x) counts it once", reduce(&l)) &&
                  set_last(&l, N, 1) && repeats(&l, N, 1);
    return is_good;
}

/* At the address of the one before, maybe. */
static bool destroyed(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    bool is_good = repeats(&l, N, 1);
    for (int i = 0; i < 8 * WARM && is_good; i++) {
        int n = N - i % 3;
        cohort_value_destroy(l.x[LISTED - 1]);
        is_good = refused_for(s, "destroyed", reduce(&l));
        l.x[LISTED - 1] = cohort_value_split(s, rows_of(3, LISTED - 1, replicas, n));
        is_good = is_good && repeats(&l, n, 3);
        cohort_value_destroy(l.into[LISTED - 1]);
        is_good = is_good && refused_for(s, "destroyed", reduce(&l));
        l.into[LISTED - 1] = cohort_value_create(s);
        is_good = is_good && repeats(&l, n, 3);
    }
    return is_good;
}

/* Lists that begin and end alike. */
static bool alike(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas), m = l;
    m.x[1] = l.x[2], m.x[2] = l.x[1], m.into[1] = l.into[2], m.into[2] = l.into[1];
    bool is_good = true;
    for (int i = 0; i < 3 * WARM && is_good; i++)
        is_good = good(reduce(i % 3 > 0 ? &l : &m) == COHORT_OK) && has_sum(&l, 1, N, 1) &&
                  has_sum(&l, 2, N, 1);
    return is_good && repeats(&l, N, 1);
}

static bool of_other_ops(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    bool is_good = true;
    for (int i = 0; i < 3 * WARM && is_good; i++) {
        cohort_reduce_op op = i % 2 == 0 ? COHORT_MIN : COHORT_MAX;
        float found[N];
        is_good = good(cohort_reduce_list(op, l.x, LISTED, COHORT_NO_AXIS, l.into) == COHORT_OK) &&
                  good(cohort_value_read(l.into[2], COHORT_ARRAY(found, N)) == COHORT_OK) &&
                  good(found[N - 1] == (i % 2 == 0 ? 3 : 2 + (float)replicas)) &&
                  (i % 3 > 0 || repeats(&l, N, 1));
    }
    return is_good;
}

static bool lost(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    bool is_good = repeats(&l, N, 1) &&
                   good(cohort_run(s, unless, 1, l.x[LISTED - 1]) >= COHORT_ENOTSUP) &&
                   good(reduce(&l) >= COHORT_ENOTSUP) && good(cohort_wait(s) == COHORT_ENOTSUP) &&
                   good(cohort_strategy_recover(s) == COHORT_OK) &&
                   refused_for(s, "write it again", reduce(&l)) && set_last(&l, N, 3);
    return is_good && repeats(&l, N, 3);
}

static bool twice(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    bool is_good = repeats(&l, N, 1);
    cohort_value *kept = l.into[1];
    l.into[1] = l.into[2];
    is_good = is_good && refused_for(s, "each needs its own", reduce(&l));
    l.into[1] = l.x[2];
    is_good = is_good && refused_for(s, "each needs its own", reduce(&l));
    l.into[1] = kept;
    return is_good && repeats(&l, N, 1);
}

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const list *l = user;
    (void)batch;
    (void)cohort_run(s, raise_by, 1, l->x[LISTED - 1]);
    return reduce(l);
}

/* The rows of a cohort_run_next that was wrong are those of the next step, which takes them over as
 * they lie: the value has other components than the list has found. */
static bool taken_back(cohort_strategy *s, int replicas)
{
    static float rows[WARM + 2][CORE_MAX_REPLICAS * N];
    list l = make(s, replicas);
    for (int b = 0; b < WARM + 2; b++)
        for (int k = 0; k < replicas * N; k++)
            (&rows[0][0])[b * replicas * N + k] = (float)(b + LISTED - 1 + k / N);
    const cohort_array all = COHORT_ARRAY(&rows[0][0], (WARM + 2) * replicas * N);
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_slices(1, &all), replicas * N, false));
    bool is_good = good(input != NULL);
    l.x[LISTED - 1] = cohort_value_create(s);
    for (int b = 0; b < WARM + 2 && is_good; b++) {
        if (b == WARM)
            is_good = good(cohort_run_next(s, raise_by, input, 1, 2, 3) < 0) &&
                      good(cohort_strategy_recover(s) == COHORT_OK);
        is_good = is_good && good(cohort_input_next(input, &l.x[LISTED - 1]) == COHORT_OK) &&
                  good(reduce(&l) == COHORT_OK) && has_sum(&l, LISTED - 1, N, (float)b);
    }
    cohort_input_destroy(input);
    return is_good;
}

static bool recorded(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    bool is_good = repeats(&l, N, 1);
    cohort_program *program = cohort_program_record(s, step, &l, NULL, 0);
    is_good = is_good && good(program != NULL) && has_sum(&l, LISTED - 1, N, 1) &&
              good(cohort_program_run(program, NULL, 9) == COHORT_OK) &&
              has_sum(&l, LISTED - 1, N, 10) && repeats(&l, N, 10);
    cohort_program_destroy(program);
    return is_good;
}

/* More lists than are remembered, of all lengths. */
static bool many(cohort_strategy *s, int replicas)
{
    list l = make(s, replicas);
    bool is_good = true;
    for (int i = 0; i < 4 * LISTED * LISTED && is_good; i++) {
        int first = i / 2 % LISTED, n = 1 + i / 3 % (LISTED - first);
        is_good = good(cohort_reduce_list(COHORT_SUM, l.x + first, n, COHORT_NO_AXIS,
                                          l.into + first) == COHORT_OK) &&
                  has_sum(&l, first, N, 1) && has_sum(&l, first + n - 1, N, 1);
    }
    return is_good;
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        core_everywhere(written, "what the values hold is that of each list");
        core_everywhere(shaped, "a value that gets another shape, and its own again");
        core_everywhere(absent, "a value that most replicas lose");
        core_everywhere(used_otherwise, "a sum that other calls write in between");
        core_everywhere(of_other_kind, "a value that is plain in between");
        core_everywhere(destroyed, "values that were destroyed, and others in their place");
        core_everywhere(alike, "lists that begin and end alike");
        core_everywhere(of_other_ops, "other operations");
        core_everywhere(lost, "a value that a failed call lost is refused until it is set");
        core_everywhere(twice, "a sum that is there twice is refused, as in a first list");
        core_everywhere(taken_back, "rows that a wrong call has left");
        core_everywhere(recorded, "a list that is recorded");
        core_everywhere(many, "more lists than are remembered");
    }
    core_no_leak(warm);
    return tap_done();
}
