/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/input/shared.h"

COHORT_ITEMS(affine_items, i, n,
             (int64_t n, const int64_t x[n], int64_t by, int64_t plus, COHORT_OUT int64_t y[n]),
             { y[i] = by * x[i] + plus; });
const cohort_function *const affine = affine_items;

/* ---- Steps. */

static char line[1 << 16];

size_t add_number(char text[], size_t used, size_t capacity, int64_t number, bool is_first)
{
    int n = snprintf(text + used, capacity - used, is_first ? "%lld" : ",%lld", (long long)number);
    return n > 0 && used + (size_t)n < capacity ? used + (size_t)n : used;
}

static size_t add_text(size_t used, const char *text)
{
    size_t n = strlen(text);
    if (used + n >= sizeof line)
        return used;
    memcpy(line + used, text, n + 1);
    return used + n;
}

static size_t add_failure(size_t used)
{
    return add_text(add_text(used, "!"), cohort_error_text());
}

static size_t add_component(size_t used, const cohort_array *a)
{
    int64_t n = 1;
    for (int32_t k = 0; k < a->rank; k++)
        n *= a->shape[k];
    used = add_text(used, "[");
    for (int64_t i = 0; i < n; i++)
        used = add_number(line, used, sizeof line, ((const int64_t *)a->data)[i], i == 0);
    return add_text(used, "]");
}

/* What the devices see. */
static size_t add_step(size_t used, cohort_strategy *s, cohort_value *component)
{
    cohort_array found[CORE_MAX_REPLICAS];
    cohort_value *seen = cohort_value_create(s);
    int n = -1;
    if (cohort_run(s, affine, component, 1, 0, seen) == COHORT_OK)
        n = cohort_local_results(seen, found, CORE_MAX_REPLICAS);
    if (n < 0)
        used = add_failure(used);
    for (int r = 0; r < n; r++)
        used = add_component(used, &found[r]);
    cohort_value_destroy(seen);
    return used;
}

const char *step_in(cohort_strategy *s, cohort_value *component)
{
    line[0] = '\0';
    (void)add_step(0, s, component);
    return line;
}

static bool has_rows(const cohort_input *input, cohort_value *component, int replicas)
{
    int64_t sum = 0;
    bool is_good = true;
    for (int r = 0; r < replicas && is_good; r++) {
        int64_t rows = cohort_input_replica_rows(input, r), shape[COHORT_MAX_RANK];
        int rank = cohort_value_shape(component, r, NULL, shape);
        is_good = good(rank >= 0) && (rank == 0 || good(cohort_value_rows(component, r) == rows));
        sum += rows;
    }
    return is_good && good(cohort_input_rows(input) == sum);
}

const char *steps_into(cohort_strategy *s, cohort_input *input, cohort_value *const values[],
                       int steps)
{
    size_t used = 0;
    cohort_status status = COHORT_OK;
    line[0] = '\0';
    for (int i = 0; i != steps; i++) {
        status = cohort_input_next(input, values);
        if (status != COHORT_OK)
            break;
        if (i > 0)
            used = add_text(used, " ");
        used = add_step(used, s, values[0]);
        if (!has_rows(input, values[0], cohort_strategy_num_replicas(s)))
            used = add_text(used, "!rows");
    }
    if (status < 0)
        (void)add_failure(used);
    return line;
}

const char *steps_of(cohort_strategy *s, cohort_input *input, int steps)
{
    cohort_value *values[COHORT_MAX_ARGUMENTS];
    int n = cohort_input_element_spec(input, NULL, 0);
    if (n < 0) {
        line[0] = '\0';
        (void)add_failure(0);
        return line;
    }
    for (int k = 0; k < n; k++)
        values[k] = cohort_value_create(s);
    const char *text = steps_into(s, input, values, steps);
    for (int k = 0; k < n; k++)
        cohort_value_destroy(values[k]);
    return text;
}

bool is_line(const char *found, const char *wanted)
{
    bool is = strcmp(found, wanted) == 0;
    if (!is) {
        diag("found  %.2000s", found);
        diag("wanted %s", wanted);
    }
    return is;
}

/* ---- Where. */

static bool has_opencl(void)
{
    static int is_there = -1;
    if (is_there < 0) {
        cohort_strategy *s = cohort_one_device("opencl:0");
        is_there = s != NULL;
        if (!is_there)
            skip("inputs for OpenCL devices", cohort_error_text());
        cohort_strategy_destroy(s);
    }
    return is_there == 1;
}

const char *place_of(int replicas, int i)
{
    static const struct {
        int least;
        const char *devices;
    } places[] = {
        { 1, "host" },   { 1, "loopback" },   { 2, "host/2" },          { 2, "loopback/2" },
        { 3, "host/3" }, { 3, "loopback/3" }, { 4, "loopback/3,host" }, { 1, "opencl:0" }
    };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (replicas >= places[k].least &&
            (strncmp(places[k].devices, "opencl", 6) != 0 || has_opencl()) && i-- == 0)
            return places[k].devices;
    return NULL;
}

cohort_strategy *open_on(const char *devices, int replicas)
{
    return cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
}
