/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables change by assign and update alone, and alike on every device. Wrong calls:
 * wrong_calls.c. */
#include "config.h"

#include "tests/core.h"

COHORT_FUNCTION(momentum,
                (int64_t n, float rate, float decay, const float g[n], float v[n], float w[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        v[i] = decay * v[i] + g[i];
        w[i] -= rate * v[i];
    }
}

COHORT_FUNCTION(set_to, (int64_t n, float x, COHORT_OUT float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] = x;
}

COHORT_FUNCTION(add, (int64_t n, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += g[i];
}

COHORT_FUNCTION(shift, (int64_t n, const float from[n], COHORT_OUT float to[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = from[(i + 1) % n];
}

COHORT_FUNCTION(count_up, (int64_t n, int32_t replicas, int32_t w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += replicas;
}

COHORT_FUNCTION(times, (int64_t n, const float w[n], float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= w[i];
}

/* The copies of a variable are the same bytes, which are those that reading gives. */
static bool copies_are(cohort_variable *v, const float wanted[], int n)
{
    float found[CORE_MAX_ELEMENTS];
    cohort_array copies[CORE_MAX_REPLICAS];
    bool is_good = good(cohort_variable_read(v, COHORT_ARRAY(found, n)) == COHORT_OK) &&
                   good(memcmp(found, wanted, (size_t)n * sizeof *found) == 0);
    int count = cohort_local_results(v, copies, CORE_MAX_REPLICAS);
    is_good =
        is_good && good(count == cohort_strategy_devices(cohort_variable_strategy(v), NULL, 0));
    for (int i = 0; i < count && is_good; i++)
        is_good = good(memcmp(copies[i].data, wanted, (size_t)n * sizeof *found) == 0);
    return is_good;
}

static bool created(cohort_strategy *s, int replicas)
{
    float initial[3] = { 1, 2, 3 };
    const float wanted[3] = { 1, 2, 3 }, zeros[3] = { 0 };
    char name[] = "w";
    cohort_variable *w = cohort_variable_create(s, name, COHORT_ARRAY(initial, 3), NULL);
    cohort_variable *zero = cohort_variable_create(s, "zero", COHORT_ARRAY((float *)NULL, 3), NULL);
    memset(initial, 0, sizeof initial); /* name and content were copied */
    name[0] = 'x';
    (void)replicas;
    return good(w != NULL && zero != NULL) && copies_are(w, wanted, 3) &&
           copies_are(zero, zeros, 3) && good(strcmp(cohort_variable_name(w), "w") == 0) &&
           good(cohort_variable_strategy(w) == s) && good(cohort_variable_find(s, "w") == w) &&
           good(cohort_variable_find(s, "x") == NULL);
}

static bool destroyed(cohort_strategy *s, int replicas)
{
    const float wanted[2] = { 4, 4 };
    (void)replicas;
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, 2), NULL);
    bool is_good = good(cohort_update(w, set_to, 3, w) == COHORT_OK);
    cohort_variable_destroy(w);
    is_good = is_good && good(cohort_variable_find(s, "w") == NULL);
    w = cohort_variable_create(s, "w", COHORT_ARRAY(wanted, 2), NULL);
    return is_good && copies_are(w, wanted, 2);
}

static bool scalar(cohort_strategy *s, int replicas)
{
    double one = 1.5;
    (void)replicas;
    cohort_variable *w =
        cohort_variable_create(s, "w", (cohort_array){ .data = &one, .dtype = COHORT_F64 }, NULL);
    return good(cohort_variable_assign(w, 2.5) == COHORT_OK) &&
           good(cohort_variable_read(w, COHORT_ARRAY(&one, 1)) == COHORT_OK) && good(one == 2.5);
}

static bool assigned(cohort_strategy *s, int replicas)
{
    const float sevens[4] = { 7, 7, 7, 7 }, turned[4] = { 1, 3, 2, 4 }, last[4] = { 9, 8, 7, 6 };
    float lines[4] = { 1, 2, 3, 4 }, changing[4] = { 9, 8, 7, 6 };
    cohort_array columns = COHORT_ARRAY(lines, 2, 2);
    columns.strides[0] = 1, columns.strides[1] = 2;
    (void)replicas;
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, 2, 2), NULL);
    cohort_variable *other =
        cohort_variable_create(s, "other", COHORT_ARRAY((float *)NULL, 2, 2), NULL);
    bool is_good = good(cohort_variable_assign(w, 7) == COHORT_OK) && copies_are(w, sevens, 4) &&
                   good(cohort_variable_assign(w, columns) == COHORT_OK) &&
                   copies_are(w, turned, 4) &&
                   good(cohort_variable_assign(w, COHORT_ARRAY(changing, 2, 2)) == COHORT_OK);
    memset(changing, 0, sizeof changing); /* it was copied */
    return is_good && copies_are(w, last, 4) &&
           good(cohort_variable_assign(other, cohort_value_plain(s, COHORT_ARRAY(sevens, 2, 2))) ==
                COHORT_OK) &&
           copies_are(other, sevens, 4);
}

static bool assigned_sum(cohort_strategy *s, int replicas)
{
    float ones[2 * CORE_MAX_REPLICAS];
    for (int i = 0; i < 2 * replicas; i++)
        ones[i] = (float)i;
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, 2), NULL);
    cohort_value *total = cohort_value_create(s);
    const float wanted[2] = { (float)(replicas * (replicas - 1)), (float)(replicas * replicas) };
    return good(cohort_reduce(COHORT_SUM, cohort_value_split(s, COHORT_ARRAY(ones, replicas, 2)), 0,
                              total) == COHORT_OK) &&
           good(cohort_variable_assign(w, total) == COHORT_OK) && copies_are(w, wanted, 2);
}

static bool two_at_once(cohort_strategy *s, int replicas)
{
    const float g[3] = { 1, 0.5f, -2 };
    float v[3] = { 0 }, w[3] = { 1, 2, 3 };
    (void)replicas;
    cohort_variable *vw = cohort_variable_create(s, "w", COHORT_ARRAY(w, 3), NULL);
    cohort_variable *vv = cohort_variable_create(s, "v", COHORT_ARRAY(v, 3),
                                                 &(cohort_variable_options){ .colocate_with = vw });
    cohort_value *gradient = cohort_value_plain(s, COHORT_ARRAY(g, 3));
    bool is_good = good(vv != NULL);
    for (int i = 0; i < 40 && is_good; i++) {
        momentum_host(3, 0.1f, 0.9f, g, v, w);
        is_good = good(cohort_update(vw, momentum, 0.1f, 0.9f, gradient, vv, vw) == COHORT_OK);
        if (is_good && i % 10 == 9)
            is_good = copies_are(vw, w, 3) && copies_are(vv, v, 3);
    }
    return is_good;
}

static bool reading_others(cohort_strategy *s, int replicas)
{
    const float a[3] = { 1, 2, 3 }, sum[3] = { 3, 5, 4 }, turned[3] = { 5, 4, 3 },
                doubled[3] = { 10, 8, 6 };
    (void)replicas;
    cohort_variable *va = cohort_variable_create(s, "a", COHORT_ARRAY(a, 3), NULL);
    cohort_variable *vb = cohort_variable_create(s, "b", COHORT_ARRAY((float *)NULL, 3), NULL);
    return good(cohort_update(vb, shift, va, vb) == COHORT_OK) &&
           good(cohort_update(vb, add, va, vb) == COHORT_OK) && copies_are(vb, sum, 3) &&
           good(cohort_update(vb, shift, vb, vb) == COHORT_OK) && copies_are(vb, turned, 3) &&
           good(cohort_update(vb, add, vb, vb) == COHORT_OK) && copies_are(vb, doubled, 3) &&
           copies_are(va, a, 3);
}

static bool read_by_runs(cohort_strategy *s, int replicas)
{
    float ones[2 * CORE_MAX_REPLICAS], found[2 * CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int i = 0; i < 2 * replicas; i++)
        ones[i] = 1;
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(ones, 2), NULL);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, 2 * replicas));
    for (int i = 1; i <= 6 && is_good;
         i++) /* each run sees what was assigned before it, and not what comes after */
        is_good = good(cohort_variable_assign(w, i) == COHORT_OK) &&
                  good(cohort_run(s, times, w, x) == COHORT_OK);
    is_good = is_good && good(cohort_variable_assign(w, -1) == COHORT_OK) &&
              good(cohort_value_read(x, COHORT_ARRAY(found, 2 * replicas)) == COHORT_OK);
    for (int i = 0; i < 2 * replicas && is_good; i++)
        is_good = good(found[i] == 720);
    return is_good;
}

static bool many_updates(cohort_strategy *s, int replicas)
{
    int32_t found[5];
    bool is_good = true;
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY((int32_t *)NULL, 5), NULL);
    for (int i = 0; i < 2500 && is_good; i++)
        is_good = cohort_update(w, count_up, COHORT_NUM_REPLICAS, w) == COHORT_OK;
    return good(is_good) && good(cohort_variable_read(w, COHORT_ARRAY(found, 5)) == COHORT_OK) &&
           good(found[0] == 2500 * replicas && found[4] == found[0]);
}

static bool many_variables(cohort_strategy *s, int replicas)
{
    cohort_variable *all[300];
    char name[20];
    bool is_good = true;
    float ones[1] = { 1 };
    (void)replicas;
    for (int i = 0; i < 300 && is_good; i++) {
        (void)snprintf(name, sizeof name, "layer-%d/weights", i);
        all[i] = cohort_variable_create(s, name, COHORT_ARRAY(ones, 1), NULL);
        is_good = good(all[i] != NULL) &&
                  good(i == 0 || cohort_update(all[i], add, all[i - 1], all[i]) == COHORT_OK);
    }
    const float wanted[1] = { 300 };
    return is_good && copies_are(all[299], wanted, 1) &&
           good(cohort_variable_find(s, "layer-150/weights") == all[150]);
}

static bool empty(cohort_strategy *s, int replicas)
{
    float nothing[1] = { 0 };
    (void)replicas;
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(nothing, 0, 4), NULL);
    return good(w != NULL) && good(cohort_variable_assign(w, 1) == COHORT_OK) &&
           good(cohort_update(w, set_to, 3, w) == COHORT_OK) &&
           good(cohort_variable_read(w, COHORT_ARRAY(nothing, 0, 4)) == COHORT_OK);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(created,
                        "name and initial content are copied, NULL is zeros, one copy per device");
        core_everywhere(destroyed, "a name is free again when its variable is destroyed");
        core_everywhere(scalar, "a variable may be a single element");
        core_everywhere(empty, "or have none");
        core_everywhere(
            assigned, "a number, an array with strides or a plain value is assigned to every copy");
        core_everywhere(assigned_sum, "so is a sum");
        core_everywhere(two_at_once,
                        "one update writes two variables, every copy with the same bits");
        core_everywhere(reading_others, "updates read other variables and the one that they write");
        core_everywhere(read_by_runs, "runs read what the variable was when they were called");
        core_everywhere(many_updates, "2,500 updates in a row are done once each");
        core_everywhere(many_variables, "300 variables are updated one from the other");
    }
    core_no_leak(warm);
    return tap_done();
}
