/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that a dataset has borrowed: they are the program's again when the input is gone. */
#include "config.h"

#include "tests/input/shared.h"

#include <unistd.h>

enum { ROWS = 24 };

/* Reads its rows long after it was launched. */
COHORT_FUNCTION(add_up_late, (int64_t n, const int64_t x[n], COHORT_OUT int64_t y[1]),
                COHORT_HOST_ONLY)
{
    (void)usleep(3000);
    y[0] = 0;
    for (int64_t i = 0; i < n; i++)
        y[0] += x[i];
}

static int64_t *lent;

static cohort_dataset *rows(void)
{
    lent = malloc(ROWS * sizeof *lent);
    for (int64_t i = 0; lent != NULL && i < ROWS; i++)
        lent[i] = i;
    return cohort_dataset_slices(1, &COHORT_ARRAY(lent, ROWS));
}

/* The array is the program's: used for something else, then freed. */
static void use_again(void)
{
    for (int64_t i = 0; i < ROWS; i++)
        lent[i] = -1;
    free(lent);
}

/* Each ends with batches of 4, of which the first is 0 to 3. */
static cohort_dataset *made(int way)
{
    cohort_dataset *d = rows(), *both[2];
    int64_t *row;
    switch (way) {
    case 0:
        return cohort_dataset_batch(d, 4, false);
    case 1:
        d = cohort_dataset_take(cohort_dataset_batch(d, 4, true), 3);
        return cohort_dataset_prefetch(cohort_dataset_repeat(d, 2), 2);
    case 2:
        d = cohort_dataset_batch(d, 4, false);
        both[0] = d;
        both[1] = cohort_dataset_range(0, ROWS, 1);
        both[1] = cohort_dataset_batch(both[1], 4, false);
        return cohort_dataset_concatenate(both, 2);
    case 3:
        return cohort_dataset_cache(cohort_dataset_batch(d, 4, false));
    case 4: /* the rows of one batch that is the array */
        d = cohort_dataset_unbatch(cohort_dataset_batch(d, ROWS, false));
        return cohort_dataset_batch(d, 4, false);
    case 5: /* one element: the array, and no batch of rows */
        row = lent;
        cohort_dataset_destroy(d);
        return cohort_dataset_tensors(1, &COHORT_ARRAY(row, 4));
    case 6:
        return cohort_dataset_batch(cohort_dataset_shuffle_once(d, 1, 0), 4, false);
    default:
        return NULL;
    }
}
enum { WAYS = 7 };

/* ---- What values hold. */

static bool holds(cohort_strategy *s, int way, int how)
{
    cohort_dataset *d = made(way), *more = how == 1 ? cohort_dataset_share(d) : NULL;
    cohort_input *input = cohort_distribute_dataset(s, d);
    cohort_value *x = cohort_value_create(s), *read = cohort_value_create(s);
    bool is_good = good(cohort_input_next(input, &x) == COHORT_OK);
    if (how == 2) /* a device has it in place, and nobody has waited */
        is_good = is_good && good(cohort_run(s, affine, x, 2, 0, read) == COHORT_OK);
    if (how == 3) /* its sources are others by now */
        is_good = is_good && good(cohort_input_save(input, "loans-position") == COHORT_OK) &&
                  good(cohort_input_restore(input, "loans-position") == COHORT_OK);
    cohort_input_destroy(input);
    cohort_dataset_destroy(more);
    use_again();
    is_good = is_good && is_line(step_in(s, x), "[0,1][2,3]");
    if (how == 2)
        is_good = is_good && is_line(step_in(s, read), "[0,2][4,6]");
    int64_t numbers[4] = { -2, -2, -2, -2 };
    is_good = is_good && good(cohort_value_read(x, COHORT_ARRAY(numbers, 4)) == COHORT_OK) &&
              good(numbers[0] == 0 && numbers[3] == 3);
    cohort_value_destroy(read);
    cohort_value_destroy(x);
    return is_good;
}

static void test_values_held(void)
{
    static const char *const hows[] = { "nothing else has", "a dataset has that is destroyed later",
                                        "a launch reads", "an input reads that was restored" };
    for (int how = 0; how < 4; how++) {
        const char *devices;
        bool is_good = true;
        for (int k = 0; is_good && (devices = place_of(2, k)) != NULL; k++) {
            cohort_strategy *s = open_on(devices, 2);
            for (int way = 0; way < WAYS && is_good; way++)
                is_good = holds(s, way, how);
            cohort_strategy_destroy(s);
        }
        ok(is_good, "rows that values hold of an array which %s, when the input is gone",
           hows[how]);
    }
    (void)remove("loans-position");
}

static cohort_dataset *for_replica(const cohort_input_context *context, void *user)
{
    (void)context;
    (void)user;
    return cohort_dataset_batch(cohort_dataset_slices(1, &COHORT_ARRAY(lent, ROWS)), 4, false);
}

static void test_of_functions(void)
{
    bool is_good = true;
    for (int mode = COHORT_PER_WORKER; mode <= (int)COHORT_PER_REPLICA; mode++) {
        cohort_strategy *s = open_on("host/2", 2);
        cohort_value *x = cohort_value_create(s);
        cohort_dataset_destroy(rows());
        cohort_input *input = cohort_distribute_datasets_from_function_with(
            s, for_replica, NULL,
            &(cohort_input_options){ .replication_mode = (cohort_replication_mode)mode });
        is_good = is_good && good(cohort_input_next(input, &x) == COHORT_OK);
        cohort_input_destroy(input);
        use_again();
        is_good =
            is_good && is_line(step_in(s, x), mode == COHORT_PER_REPLICA ? "[0,1,2,3][0,1,2,3]"
                                                                         : "[0,1,2,3][4,5,6,7]");
        cohort_strategy_destroy(s);
    }
    ok(is_good, "the same of datasets that a function made");
}

/* What another input lends stays lent, and what the dataset has copied is no loan. */
static void test_others(void)
{
    int64_t kept[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    cohort_strategy *s = open_on("host/2", 2);
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
    cohort_input *a = cohort_distribute_dataset(s, made(0));
    cohort_dataset *copied =
        cohort_make_numpy_dataset(s, 1, &COHORT_ARRAY(kept, 8), COHORT_NUMPY_COPY);
    cohort_input *b = cohort_distribute_dataset(s, cohort_dataset_batch(copied, 4, false));
    bool is_good =
        good(cohort_input_next(a, &x) == COHORT_OK) && good(cohort_input_next(b, &y) == COHORT_OK);
    memset(kept, 0, sizeof kept);
    cohort_input_destroy(b);
    is_good = is_good && is_line(step_in(s, y), "[0,1][2,3]") &&
              is_line(step_in(s, x), "[0,1][2,3]") &&
              is_line(steps_into(s, a, &x, 1), "[4,5][6,7]");
    cohort_input_destroy(a);
    use_again();
    ok(is_good && is_line(step_in(s, x), "[4,5][6,7]"), "each input ends its own loans");
    cohort_strategy_destroy(s);
}

/* ---- What was launched. */

static cohort_status late_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    return cohort_run(s, add_up_late, batch[0], *(cohort_value **)user);
}

static bool reads_late(cohort_strategy *s, int how)
{
    static const cohort_spec batch = { .dtype = COHORT_I64, .rank = 1, .shape = { -1 } };
    cohort_input *input = cohort_distribute_dataset(s, made(0));
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
    cohort_program *program = how == 2 ? cohort_program_record(s, late_step, &y, &batch, 1) : NULL;
    bool is_good = true;
    if (how == 2)
        is_good = good(cohort_program_run(program, input, 6) == COHORT_OK);
    for (int i = 0; i < 6 && is_good && how < 2; i++)
        is_good = how == 0 ? good(cohort_input_next(input, &x) == COHORT_OK) &&
                                 good(cohort_run(s, add_up_late, x, y) == COHORT_OK)
                           : good(cohort_run_next(s, add_up_late, input, y) == COHORT_OK);
    cohort_input_destroy(input);
    use_again();
    is_good = is_good && is_line(step_in(s, y), "[41][45]");
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return is_good;
}

static void test_launched(void)
{
    static const char *const names[] = { "cohort_run", "cohort_run_next", "a recorded program" };
    for (int how = 0; how < 3; how++) {
        bool is_good = true;
        static const char *const places[] = { "host", "host/2", "loopback/2" };
        for (int k = 0; k < 3 && is_good; k++) {
            cohort_strategy *s = open_on(places[k], 2);
            for (int i = 0; i < 3 && is_good; i++)
                is_good = reads_late(s, how);
            cohort_strategy_destroy(s);
        }
        ok(is_good, "functions that read rows late, of %s: the end of the input waits", names[how]);
    }
}

/* ---- Where something has failed. */

COHORT_FUNCTION_RETURNING(cohort_status, refuses,
                          (int64_t n, const int64_t x[n], COHORT_OUT int64_t y[1]),
                          COHORT_HOST_ONLY)
{
    y[0] = n > 0 ? x[0] : 0;
    return COHORT_ENODEV;
}

static void test_failed(void)
{
    cohort_strategy *s = open_on("host/2", 2);
    cohort_input *input = cohort_distribute_dataset(s, made(0));
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
    bool is_good = good(cohort_input_next(input, &x) == COHORT_OK);
    (void)cohort_run(s, refuses, x, y);
    cohort_input_destroy(input);
    use_again();
    is_good = is_good && good(cohort_wait(s) == COHORT_ENODEV) &&
              good(cohort_strategy_recover(s) == COHORT_OK) && is_line(step_in(s, x), "[0,1][2,3]");
    ok(is_good, "an input that ends while an error is up leaves its rows, too");
    cohort_strategy_destroy(s);
}

void warm_up_loans(void)
{
    cohort_strategy *s = open_on("host", 1);
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
    cohort_input *input = cohort_distribute_dataset(s, made(0));
    (void)cohort_input_next(input, &x);
    (void)cohort_run(s, add_up_late, x, y);
    (void)cohort_run(s, refuses, x, y);
    cohort_strategy_destroy(s);
    use_again();
}

void test_loans(void)
{
    test_values_held();
    test_of_functions();
    test_others();
    test_launched();
    test_failed();
}
