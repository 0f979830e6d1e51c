/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ids of a kernel begin: an offset of its geometry, on OpenCL devices, whatever the
 * replicas; in recorded steps, and where a number of the call changes it; and who has no ids. */
#include "config.h"

#include "tests/core.h"

enum { ROWS = 23, COLUMNS = 4, MOST = 3 };

static const char source[] =
    "kernel void ids(int n, int m, int first, global int *y)\n"
    "{\n"
    "    int j = get_global_id(0), i = get_global_id(1);\n"
    "    int row = i - (int)get_global_offset(1);\n"
    "    if (row == (int)(get_group_id(1) * get_local_size(1) + get_local_id(1)))\n"
    "        y[row * m + j - (int)get_global_offset(0)] = 100 * i + j;\n"
    "}\n";

static cohort_function *ids;

static void none(void)
{
}

static cohort_function *make(const char *offset)
{
    cohort_function *f =
        cohort_function_parse("void ids(int n, int m, int first, out int y[n][m])", NULL, NULL);
    if (f != NULL)
        (void)cohort_function_add_body(f, &(cohort_body){ .format = "opencl.c",
                                                          .data = source,
                                                          .bytes = sizeof source - 1,
                                                          .global = "m, n",
                                                          .offset = offset });
    return f;
}

/* Each row has the ids that it would have in a launch over all of them. */
static bool has_ids(cohort_value *y, int32_t first, int32_t column)
{
    int32_t found[ROWS][COLUMNS];
    if (!good(cohort_value_read(y, COHORT_ARRAY(&found[0][0], ROWS, COLUMNS)) == COHORT_OK))
        return false;
    for (int32_t i = 0; i < ROWS; i++)
        for (int32_t j = 0; j < COLUMNS; j++)
            if (!good(found[i][j] == 100 * (first + i) + column + j))
                return false;
    return true;
}

static cohort_status run(cohort_strategy *s, cohort_value *y)
{
    return cohort_run(s, ids, COHORT_FIRST_ROW, y, COHORT_NAMED(n, COHORT_SHARE(ROWS)),
                      COHORT_NAMED(m, COLUMNS));
}

static void shared_out(void)
{
    for (int replicas = 1; replicas <= MOST; replicas++) {
        cohort_strategy *s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = "opencl:0", .replicas = replicas });
        cohort_value *y = cohort_value_create(s);
        ok(good(run(s, y) == COHORT_OK) && has_ids(y, 0, 3) && run(s, y) == COHORT_OK &&
               has_ids(y, 0, 3),
           "each of %d replicas has the ids of its rows among all", replicas);
        cohort_strategy_destroy(s);
    }
}

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *y_of_step)
{
    cohort_value *y = y_of_step;
    (void)batch;
    return cohort_run(s, ids, COHORT_STEP, y, COHORT_NAMED(n, ROWS), COHORT_NAMED(m, COLUMNS));
}

/* What is kept of a call depends on the number. */
static void changes(void)
{
    cohort_strategy *s = cohort_mirrored("opencl:0");
    cohort_value *y = cohort_value_create(s);
    bool is_right = true;
    for (int32_t first = 0; first < 6 && is_right; first++)
        is_right = good(cohort_run(s, ids, first / 2 * 1000, y, COHORT_NAMED(n, ROWS),
                                   COHORT_NAMED(m, COLUMNS)) == COHORT_OK) &&
                   has_ids(y, first / 2 * 1000, 3);
    ok(is_right, "the offset of each call is its own");
    cohort_program *program = cohort_program_record(s, step, y, NULL, 0);
    is_right = good(program != NULL);
    for (int32_t replay = 1; replay < 4 && is_right; replay++)
        is_right = good(cohort_program_run(program, NULL, 1) == COHORT_OK) && has_ids(y, replay, 3);
    ok(is_right, "and that of each replay");
    cohort_strategy_destroy(s);
}

static void ids_on_host(int32_t n, int32_t m, int32_t first, int32_t *y)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < m; j++)
            y[i * m + j] = 100 * (first + i) + 3 + j;
}

static void set_to(int32_t n, int32_t to, int32_t *y)
{
    for (int32_t i = 0; i < n; i++)
        y[i] = to;
}

/* The offset of one launch is nothing to the next, which may be that of a C function. */
static void beside_the_host(void)
{
    cohort_function *both = make("3, first");
    cohort_function *set = cohort_function_parse("void set(int n, int to, int y[n])", NULL, NULL);
    (void)cohort_function_add_body(
        both, &(cohort_body){ .format = "native.fn", .fn = (void (*)(void))ids_on_host });
    (void)cohort_function_add_body(
        set, &(cohort_body){ .format = "native.fn", .fn = (void (*)(void))set_to });
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .name = "central", .devices = "opencl:0,host:0", .parameter_devices = "host:0" });
    cohort_value *y = cohort_value_create(s);
    int32_t w[4] = { 0 };
    cohort_variable *v = cohort_variable_create(s, "v", COHORT_ARRAY(w, 4), NULL);
    bool is_right = good(s != NULL && y != NULL && v != NULL);
    for (int32_t turn = 1; turn < 4 && is_right; turn++)
        is_right =
            good(cohort_run(s, both, COHORT_FIRST_ROW, y, COHORT_NAMED(n, COHORT_SHARE(ROWS)),
                            COHORT_NAMED(m, COLUMNS)) == COHORT_OK) &&
            has_ids(y, 0, 3) && good(cohort_update(v, set, turn, v) == COHORT_OK) &&
            good(cohort_variable_read(v, COHORT_ARRAY(w, 4)) == COHORT_OK) &&
            good(w[0] == turn && w[3] == turn);
    ok(is_right, "a C function beside kernels with an offset has none");
    cohort_strategy_destroy(s);
    cohort_function_destroy(both);
    cohort_function_destroy(set);
}

static void wrong(void)
{
    cohort_strategy *s = cohort_mirrored("opencl:0");
    cohort_value *y = cohort_value_create(s);
    ok(refused(s, COHORT_EINVAL,
               cohort_run(s, ids, -1, y, COHORT_NAMED(n, ROWS), COHORT_NAMED(m, COLUMNS))),
       "an offset below 0 is refused");
    static const struct {
        const char *offset, *why;
    } cases[] = { { "3", "the offset \"3\" has 1 dimensions, the global size \"m, n\" 2" },
                  { "3, last", "'last' is no integer parameter" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cohort_function *f = make(cases[i].offset);
        ok(cohort_function_check(f, "opencl:0") == COHORT_EINVAL, "\"%s\" is refused",
           cases[i].offset);
        has_text(cohort_error_text(), cases[i].why, "with the reason");
        cohort_function_destroy(f);
    }
    cohort_strategy_destroy(s);
}

/* A native body that asks for ids, and one that enqueues, which gives its own. */
static void without_ids(void)
{
    static const struct {
        const char *devices, *format, *why;
    } cases[] = {
        { "host:0", "native.fn", "a C function has no global ids" },
        { "loopback", "native.fn", "a C function has no global ids" },
        { "stream", "native.fn", "a C function has no global ids" },
        { "opencl:0", "opencl.enqueue", "which a function that enqueues gives by itself" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cohort_function *f = cohort_function_parse("void none(void)", NULL, NULL);
        (void)cohort_function_add_body(
            f,
            &(cohort_body){ .format = cases[i].format, .fn = none, .global = "4", .offset = "1" });
        cohort_strategy *s = cohort_mirrored(cases[i].devices);
        (void)cohort_run(s, f);
        ok(cohort_wait(s) == COHORT_ENOTSUP, "%s on %s says that it has none", cases[i].format,
           cases[i].devices);
        has_text(cohort_error_text(), cases[i].why, "in words");
        cohort_strategy_destroy(s);
        cohort_function_destroy(f);
    }
}

int main(void)
{
    cohort_strategy *s = cohort_mirrored("opencl:0");
    if (s == NULL)
        return skip_all("no OpenCL device");
    cohort_strategy_destroy(s);
    int64_t blocks = 0;
    for (int turn = 0; turn < 2; turn++) { /* plugins stay that the first one loads */
        blocks = cohort_memory_blocks();
        ids = make("3, first");
        wrong();
        without_ids();
        shared_out();
        changes();
        beside_the_host();
        cohort_function_destroy(ids);
    }
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
