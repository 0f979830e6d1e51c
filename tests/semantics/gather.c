/* SPDX-License-Identifier: BSD-3-Clause */
/* E: gather and all_gather, which give the same. */
#include "config.h"

#include "tests/semantics/cases.h"

/* The same component on every replica, one axis, and what is brought together from two of them. */
typedef struct gathering {
    int rank;
    int64_t shape[3];
    float x[4];
    int axis;
    int64_t wanted_shape[3];
    float wanted[8];
} gathering;

#define GATHERING(...) (&(const gathering){ __VA_ARGS__ })

static bool is_gathered(const cohort_array *found, const gathering *it)
{
    int64_t n = 1;
    bool is_good = good(found->rank == it->rank) && good(found->dtype == COHORT_F32);
    for (int i = 0; i < it->rank && is_good; i++) {
        is_good = good(found->shape[i] == it->wanted_shape[i]);
        n *= it->wanted_shape[i];
    }
    return is_good && good(memcmp(found->data, it->wanted, (size_t)n * sizeof(float)) == 0);
}

static cohort_array component(const gathering *it)
{
    return (cohort_array){ .data = (void *)(uintptr_t)it->x,
                           .dtype = COHORT_F32,
                           .rank = it->rank,
                           .shape = { it->shape[0], it->shape[1], it->shape[2] } };
}

typedef struct playing {
    const cohort_array *own; /* [replica] */
    cohort_value *value, *into;
    int axis;
} playing;

static cohort_status all_gather_own(cohort_replica *me, void *user)
{
    playing *it = user;
    cohort_status status = cohort_replica_set(me, it->value, it->own[cohort_replica_id(me)]);
    return status == COHORT_OK ? cohort_all_gather(me, it->value, it->axis, it->into) : status;
}

static bool gathers(cohort_strategy *s, int replicas, const void *data)
{
    const gathering *it = data;
    const cohort_array own[] = { component(it), component(it) };
    cohort_array found[MOST];
    playing p = { own, cohort_value_create(s), cohort_value_create(s), it->axis };
    cohort_value *into = cohort_value_create(s);
    bool is_good =
        good(cohort_gather(cohort_value_per_replica(s, own), it->axis, into) == COHORT_OK) &&
        good(cohort_local_results(into, found, MOST) == 1) && is_gathered(&found[0], it) &&
        plays(s, all_gather_own, &p) && good(cohort_local_results(p.into, found, MOST) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = is_gathered(&found[r], it);
    return is_good;
}

/* Shapes (1, i + 1), or ranks i + 1. */
static bool refuses(cohort_strategy *s, int replicas, const void *data)
{
    static const float zeros[MOST * MOST];
    const bool is_rank = data != NULL;
    cohort_array own[MOST];
    cohort_value *into = cohort_value_create(s), *x;
    for (int r = 0; r < replicas; r++) {
        own[r] = (cohort_array){ .data = (void *)(uintptr_t)zeros, .dtype = COHORT_F32 };
        own[r].rank = is_rank ? r + 1 : 2;
        for (int i = 0; i < own[r].rank; i++)
            own[r].shape[i] = !is_rank && i == 1 ? r + 1 : 1;
    }
    playing p = { own, cohort_value_create(s), cohort_value_create(s), 0 };
    if (!refused_with(s, cohort_for_each_replica(s, all_gather_own, &p), ""))
        return false;
    if (is_rank) /* they make no value */
        return refused_null(s, cohort_value_per_replica(s, own)) &&
               good(strstr(cohort_error_text(), "rank") != NULL);
    x = cohort_value_per_replica(s, own);
    return refused_with(s, cohort_gather(x, 0, into), "");
}

static bool refuses_slices(cohort_strategy *s, int replicas, const void *data)
{
    static const int32_t ids[1] = { 1 };
    static const float rows[2] = { 1, 2 };
    cohort_value *slices[] = { cohort_value_plain(s, COHORT_ARRAY(ids, 1)),
                               cohort_value_plain(s, COHORT_ARRAY(rows, 1, 2)) };
    (void)replicas, (void)data;
    return refused_with(s,
                        cohort_gather_argument(COHORT_VALUES(slices, 2), 0, cohort_value_create(s)),
                        "cohort_gather");
}

/* {'a': [0]} and {'a': [1]} give [0, 1]: the page of the call has [1, 2]. */
static bool gathers_example(cohort_strategy *s, int replicas, const void *data)
{
    static const float x[] = { 0, 1 };
    const cohort_array own[] = { COHORT_ARRAY(&x[0], 1), COHORT_ARRAY(&x[1], 1) };
    cohort_value *into = cohort_value_create(s);
    (void)replicas, (void)data;
    return good(cohort_gather(cohort_value_per_replica(s, own), 0, into) == COHORT_OK) &&
           has_floats(into, 2, x);
}

static const bool by_rank = true;

const semantic_case gather_cases[] = {
    { "G1 vectors", 2, VALUES_ALONE, gathers,
      GATHERING(1, { 3 }, { 1, 2, 3 }, 0, { 6 }, { 1, 2, 3, 1, 2, 3 }) },
    { "G2 rows along axis 0", 2, VALUES_ALONE, gathers,
      GATHERING(2, { 1, 3 }, { 1, 2, 3 }, 0, { 2, 3 }, { 1, 2, 3, 1, 2, 3 }) },
    { "G2 rows along axis 1", 2, VALUES_ALONE, gathers,
      GATHERING(2, { 1, 3 }, { 1, 2, 3 }, 1, { 1, 6 }, { 1, 2, 3, 1, 2, 3 }) },
    { "G3 rank 3 along axis 0", 2, VALUES_ALONE, gathers,
      GATHERING(3, { 1, 2, 2 }, { 1, 2, 3, 4 }, 0, { 2, 2, 2 }, { 1, 2, 3, 4, 1, 2, 3, 4 }) },
    { "G3 rank 3 along axis 1", 2, VALUES_ALONE, gathers,
      GATHERING(3, { 1, 2, 2 }, { 1, 2, 3, 4 }, 1, { 1, 4, 2 }, { 1, 2, 3, 4, 1, 2, 3, 4 }) },
    { "G3 rank 3 along axis 2", 2, VALUES_ALONE, gathers,
      GATHERING(3, { 1, 2, 2 }, { 1, 2, 3, 4 }, 2, { 1, 2, 4 }, { 1, 2, 1, 2, 3, 4, 3, 4 }) },
    { "G6 other extents that differ are an error", -1, VALUES_ALONE, refuses, NULL },
    { "G7 ranks that differ are an error", -1, VALUES_ALONE, refuses, &by_rank },
    { "G8 index slices are an error", 0, VALUES_ALONE, refuses_slices, NULL },
    { "G10 the example of the documentation, with the right result", 2, VALUES_ALONE,
      gathers_example, NULL },
    { NULL, 0, ANY_PLACEMENT, NULL, NULL },
};
