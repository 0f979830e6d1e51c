/* SPDX-License-Identifier: BSD-3-Clause */
/* What values hold, for how long, and what a loop over an input costs. */
#include "config.h"

#include "tests/input/shared.h"

static int64_t numbers[64];

static cohort_status count(cohort_array out[], void *state, void *user)
{
    int64_t *it = user;
    (void)state;
    if (*it == 64)
        return COHORT_END;
    out[0].data = &numbers[(*it)++];
    return COHORT_OK;
}

static cohort_dataset *from(int kind, int64_t *place)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    *place = 0;
    switch (kind) {
    case 0:
        return cohort_dataset_slices(1, &COHORT_ARRAY(numbers, 64));
    case 1:
        return cohort_dataset_generator(&number, 1,
                                        &(cohort_generator){ .next = count, .user = place });
    default:
        return cohort_dataset_range(0, 64, 1);
    }
}

/* ---- What is held stays. */

static bool keeps(cohort_strategy *s, int kind, int ahead)
{
    cohort_input_options options = { .ahead = ahead };
    cohort_value *values[6];
    int64_t place;
    char wanted[40];
    cohort_input *input = cohort_distribute_dataset_with(
        s, cohort_dataset_batch(from(kind, &place), 4, false), &options);
    bool is_good = good(input != NULL);
    for (int i = 0; i < 6 && is_good; i++) {
        values[i] = cohort_value_create(s);
        is_good = good(cohort_input_next(input, &values[i]) == COHORT_OK);
    }
    for (int round = 0; round < 3 && is_good; round++) {
        for (int i = 0; i < 6 && is_good; i++) {
            (void)snprintf(wanted, sizeof wanted, "[%d,%d][%d,%d]", 4 * i, 4 * i + 1, 4 * i + 2,
                           4 * i + 3);
            is_good = is_line(step_in(s, values[i]), wanted);
        }
        if (round == 0)
            for (cohort_value *other = cohort_value_create(s);
                 cohort_input_next(input, &other) == COHORT_OK;)
                continue;
        if (round == 1)
            cohort_input_destroy(input);
    }
    return is_good;
}

static void test_kept(void)
{
    static const struct {
        int kind;
        const char *name;
    } kinds[] = { { 0, "slices" }, { 1, "a generator" }, { 3, "a range" } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int ahead = -1; ahead <= 1; ahead++) {
            const char *devices;
            bool is_good = true;
            for (int k = 0; is_good && (devices = place_of(2, k)) != NULL; k++) {
                cohort_strategy *s = open_on(devices, 2);
                is_good = keeps(s, kinds[i].kind, ahead);
                cohort_strategy_destroy(s);
            }
            ok(is_good,
               "values of %s hold their step after others, the end, and the input's destroy (ahead "
               "%d)",
               kinds[i].name, ahead);
        }
}

/* ---- One input and another. */

static void test_again(void)
{
    char first[2000], second[2000];
    cohort_strategy *s = open_on("host/2", 2);
    cohort_dataset *d = dataset_of("range 40, shuffle 40 3, batch 6", 1, 0);
    cohort_input *a = cohort_distribute_dataset(s, cohort_dataset_share(d)),
                 *b = cohort_distribute_dataset(s, d);
    (void)snprintf(first, sizeof first, "%s", steps_of(s, a, -1));
    ok(is_line(steps_of(s, b, -1), first),
       "two inputs of one dataset give the same, each from its start");
    ok(cohort_input_initialize(a) == COHORT_OK && cohort_input_rows(a) == 0,
       "an input starts over");
    (void)snprintf(second, sizeof second, "%s", steps_of(s, a, -1));
    ok(strcmp(first, second) != 0 && strlen(first) == strlen(second),
       "with its rows in another order");
    ok(cohort_input_initialize(b) == COHORT_OK && is_line(steps_of(s, b, -1), second),
       "and in the same one as every input that starts over the first time");
    ok(cohort_input_initialize(b) == COHORT_OK && steps_of(s, b, 2)[0] == '[' &&
           cohort_input_initialize(b) == COHORT_OK && strlen(steps_of(s, b, -1)) == strlen(first),
       "also in the middle of the data");
    cohort_strategy_destroy(s);
}

static void test_at_the_end(void)
{
    bool has_value = true;
    cohort_strategy *s = open_on("host/2", 2);
    cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 4, batch 4", 1, 0));
    cohort_value *x = cohort_value_number(s, 1), *y = cohort_value_create(s);
    ok(cohort_input_next_as_optional(input, &x, &has_value) == COHORT_OK && has_value &&
           cohort_value_kind_of(x) == COHORT_PER_REPLICA_VALUE &&
           is_line(step_in(s, x), "[0,1][2,3]"),
       "an optional step with a value, which becomes per replica");
    ok(cohort_input_rows(input) == 4 && cohort_input_replica_rows(input, 1) == 2,
       "and its rows are counted");
    ok(cohort_input_next_as_optional(input, &x, &has_value) == COHORT_OK && !has_value,
       "then one without");
    ok(cohort_input_next(input, &x) == COHORT_END &&
           cohort_run_next(s, affine, input, 2, 0, y) == COHORT_END &&
           cohort_input_rows(input) == 0 && cohort_input_replica_rows(input, 1) == 0,
       "the end stays");
    ok(cohort_value_kind_of(y) == COHORT_EMPTY_VALUE && is_line(step_in(s, x), "[0,1][2,3]"),
       "nothing is launched or written there");
    cohort_strategy_destroy(s);
}

static void test_run_next(void)
{
    const char *devices;
    bool is_good = true;
    for (int k = 0; is_good && (devices = place_of(3, k)) != NULL; k++) {
        cohort_strategy *s = open_on(devices, 3);
        cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 7, batch 4", 1, 0));
        cohort_value *y = cohort_value_create(s);
        is_good = good(cohort_run_next(s, affine, input, 10, 0, y) == COHORT_OK) &&
                  is_line(step_in(s, y), "[0,10][20][30]") &&
                  good(cohort_run_next(s, affine, input, 10, 0, y) == COHORT_OK) &&
                  is_line(step_in(s, y), "[40,50][60][]") &&
                  good(cohort_run_next(s, affine, input, 10, 0, y) == COHORT_END) &&
                  is_line(step_in(s, y), "[40,50][60][]");
        cohort_strategy_destroy(s);
    }
    ok(is_good, "cohort_run_next launches a function on each step's rows, and none at the end");
}

/* A wrong call takes nothing: its rows come again, from either call. */
static void test_unused_rows(void)
{
    const char *devices;
    bool is_good = true;
    for (int k = 0; is_good && (devices = place_of(2, k)) != NULL; k++) {
        cohort_strategy *s = open_on(devices, 2);
        cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 9, batch 3", 1, 0));
        cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
        is_good =
            refused(s, COHORT_EINVAL, cohort_run_next(s, affine, input, 10)) &&
            refused(s, COHORT_EINVAL, cohort_run_next(s, NULL, input, 10, 0, y)) &&
            refused(s, COHORT_EINVAL, cohort_input_save(input, "nowhere/position")) &&
            good(cohort_run_next(s, affine, input, 10, 0, y) == COHORT_OK) &&
            is_line(step_in(s, y), "[0,10][20]") &&
            refused(s, COHORT_EINVAL, cohort_run_next(s, affine, input, 10, 0, y, y)) &&
            good(cohort_input_next(input, &x) == COHORT_OK) && is_line(step_in(s, x), "[3,4][5]") &&
            good(cohort_input_next(input, &x) == COHORT_OK) && is_line(step_in(s, x), "[6,7][8]") &&
            good(cohort_input_next(input, &x) == COHORT_END);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "a cohort_run_next that is wrong leaves its rows to the next call");
}

/* The number of rows of a batch, for any integer parameter. */
static void test_batch_rows(void)
{
    cohort_strategy *s = open_on("host/2", 2);
    cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 7, batch 4", 1, 0));
    cohort_value *y = cohort_value_create(s);
    ok(cohort_run_next(s, affine, input, 0, COHORT_BATCH_ROWS, y) == COHORT_OK &&
           is_line(step_in(s, y), "[4,4][4,4]") &&
           cohort_run_next(s, affine, input, 0, COHORT_BATCH_ROWS, y) == COHORT_OK &&
           is_line(step_in(s, y), "[3,3][3]"),
       "COHORT_BATCH_ROWS is the number of rows of the latest step");
    cohort_strategy_destroy(s);
}

COHORT_ITEMS(add_rows, i, n, (int64_t n, int64_t rows, float w[n]), { w[i] += (float)rows; });

/* What a call counts, written into one element for each row that it has. */
static bool counts(cohort_strategy *s, cohort_argument rows, int wanted)
{
    float zero[2] = { 0, 0 };
    cohort_variable *w = cohort_variable_find(s, "counted");
    if (w == NULL)
        w = cohort_variable_create(s, "counted", COHORT_ARRAY(zero, 2), NULL);
    return cohort_variable_assign(w, 0) == COHORT_OK &&
           cohort_update(w, add_rows, rows, w) == COHORT_OK &&
           cohort_variable_read(w, COHORT_ARRAY(zero, 2)) == COHORT_OK && zero[0] == (float)wanted;
}

void warm_up_values(void)
{
    cohort_strategy *s = open_on("host", 1);
    (void)counts(s, COHORT_ARG_(1), 1);
    cohort_strategy_destroy(s);
}

static bool is_refused(cohort_strategy *s, cohort_argument rows, const char *why)
{
    bool is_right = !counts(s, rows, 0) && strstr(cohort_error_text(), why) != NULL;
    return cohort_strategy_recover(s) == COHORT_OK && is_right;
}

/* A batch of labelled rows and one of others in each step: what is divided by whose rows is said,
 * or asked for. */
static void test_rows_of_two(void)
{
    static const char many[] = "COHORT_BATCH_ROWS_OF(input) says which",
                      none[] = "has not stepped since it was started";
    cohort_strategy *s = open_on("host/2", 2), *other = open_on("host", 1);
    cohort_input *a = cohort_distribute_dataset(s, dataset_of("range 32, batch 16", 1, 0)),
                 *b = cohort_distribute_dataset(s, dataset_of("range 6, batch 3", 1, 0)),
                 *foreign = cohort_distribute_dataset(other, dataset_of("range 6, batch 3", 1, 0));
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s),
                 *z = cohort_value_create(other);
    ok(is_refused(s, COHORT_BATCH_ROWS_OF(a), none) &&
           is_refused(s, COHORT_BATCH_ROWS_OF(NULL), none),
       "an input that has not stepped has no rows");
    ok(cohort_input_next(a, &x) == COHORT_OK && counts(s, COHORT_BATCH_ROWS, 16),
       "of one input they need no name");
    ok(cohort_input_next(b, &y) == COHORT_OK && is_refused(s, COHORT_BATCH_ROWS, many),
       "of two they do");
    ok(counts(s, COHORT_BATCH_ROWS_OF(a), 16) && counts(s, COHORT_BATCH_ROWS_OF(b), 3),
       "and each name has its own");
    ok(cohort_input_next(foreign, &z) == COHORT_OK &&
           is_refused(s, COHORT_BATCH_ROWS_OF(foreign), none) &&
           is_refused(s, COHORT_SHARE(COHORT_BATCH_ROWS_OF(a)), ""),
       "an input of another strategy has none here");
    ok(cohort_run_next(s, affine, a, 0, COHORT_BATCH_ROWS, y) == COHORT_OK &&
           is_refused(s, COHORT_BATCH_ROWS, many),
       "a call that takes a step counts that");
    ok(cohort_input_next(a, &x) == COHORT_END && counts(s, COHORT_BATCH_ROWS, 3),
       "at the end of one the other is meant");
    ok(cohort_input_initialize(a) == COHORT_OK && is_refused(s, COHORT_BATCH_ROWS_OF(a), none) &&
           cohort_input_next(a, &x) == COHORT_OK && is_refused(s, COHORT_BATCH_ROWS, many),
       "until it has started over");
    cohort_input_destroy(b);
    ok(counts(s, COHORT_BATCH_ROWS, 16) && is_refused(s, COHORT_BATCH_ROWS_OF(b), none),
       "one that is gone is none");
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
}

typedef struct counted {
    cohort_variable *w;
    cohort_input *named;
} counted;

static cohort_status count_replayed(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const counted *c = user;
    (void)s;
    (void)batch;
    return c->named != NULL ? cohort_update(c->w, add_rows, COHORT_BATCH_ROWS_OF(c->named), c->w)
                            : cohort_update(c->w, add_rows, COHORT_BATCH_ROWS, c->w);
}

/* A replay reads an input of its own, whatever others do. */
static void test_rows_of_program(void)
{
    const cohort_spec spec = { .dtype = COHORT_I64, .rank = 1, .shape = { -1 } };
    float found[2] = { 0 };
    cohort_strategy *s = open_on("host/2", 2);
    cohort_input *a = cohort_distribute_dataset(s, dataset_of("range 32, batch 16", 1, 0)),
                 *b = cohort_distribute_dataset(s, dataset_of("range 6, batch 3", 1, 0));
    cohort_value *x = cohort_value_create(s);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(found, 2), NULL);
    cohort_program *p = cohort_program_record(s, count_replayed, &(counted){ w, NULL }, &spec, 1),
                   *of_b = cohort_program_record(s, count_replayed, &(counted){ w, b }, &spec, 1);
    ok(cohort_input_next(b, &x) == COHORT_OK && cohort_program_run(p, a, 2) == COHORT_OK &&
           cohort_variable_read(w, COHORT_ARRAY(found, 2)) == COHORT_OK && found[1] == 32,
       "a replay counts the rows of the input that it reads");
    ok(cohort_input_initialize(a) == COHORT_OK && cohort_program_run(of_b, a, 2) == COHORT_OK &&
           cohort_variable_read(w, COHORT_ARRAY(found, 2)) == COHORT_OK && found[1] == 38,
       "or of one that has a name, which it asks for each time");
    cohort_strategy_destroy(s);
}

/* Lists whose length the compiler knows. */
static void test_short_lists(void)
{
    float rows[3] = { 1, 2, 3 };
    cohort_array parts[1] = { COHORT_ARRAY(rows, 3) };
    cohort_strategy *s = open_on("host/2", 3);
    const cohort_array pairs[] = { COHORT_ARRAY(rows, 3), COHORT_ARRAY(rows, 3) };
    cohort_input *in = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_slices(2, pairs), 3, false));
    cohort_value *x = cohort_value_create(s), *two[2] = { x, cohort_value_create(s) };
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_slices(2, pairs));
    cohort_array element[2];
    bool has_value = true;
    ok(cohort_input_next(in, &x) == COHORT_EINVAL &&
           strstr(cohort_error_text(), "1 value for elements of 2 components") != NULL &&
           cohort_strategy_recover(s) == COHORT_OK &&
           cohort_input_next_as_optional(in, &x, &has_value) == COHORT_EINVAL && !has_value &&
           cohort_strategy_recover(s) == COHORT_OK && cohort_input_next(in, two) == COHORT_OK &&
           cohort_input_rows(in) == 3,
       "fewer values than components are told, and nothing is taken");
    ok(cohort_iterator_next(it, parts) == COHORT_EINVAL && parts[0].data == rows &&
           cohort_iterator_next(it, element) == COHORT_OK,
       "so are fewer arrays of an iterator");
    ok(cohort_value_per_replica(s, parts) == NULL &&
           strstr(cohort_error_text(), "1 array for 3 replicas") != NULL &&
           cohort_strategy_recover(s) == COHORT_OK,
       "and fewer arrays");
    cohort_iterator_destroy(it);
    cohort_strategy_destroy(s);
}

static void test_waits(void)
{
    int64_t last = -1, all = -1, steps = -1, before = 0;
    bool is_good = true;
    cohort_strategy *s = open_on("host/2", 2);
    cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 10, batch 2, map", 1, 0));
    cohort_value *x = cohort_value_create(s);
    cohort_input_waits(input, &last, &all, &steps);
    ok(last == 0 && all == 0 && steps == 0, "an input that gave nothing has not waited");
    for (int i = 1; i <= 5; i++) {
        is_good = is_good && good(cohort_input_next(input, &x) == COHORT_OK);
        cohort_input_waits(input, &last, &all, &steps);
        is_good = is_good && good(steps == i && last >= 0 && all == before + last);
        before = all;
    }
    ok(is_good, "each step's wait is counted, and all of them add up");
    (void)cohort_input_initialize(input);
    (void)cohort_input_next(input, &x);
    cohort_input_waits(input, NULL, NULL, &steps);
    ok(steps == 6, "also over a new start");
    cohort_strategy_destroy(s);
}

/* With another batch size, after one step of the first dataset: what the second gives; "!":
 * refused, and as before. */
static void test_other_batches(void)
{
    static const struct {
        const char *saved, *restored, *gets;
    } cases[] = {
        { "range 10, batch 4", "range 10, batch 3", "[4,5][] [6,7][8] [9][]" },
        { "range 10, batch 4, repeat 2", "range 10, batch 5, repeat 2, prefetch 1",
          "[4][] [5,6,7][8,9] [0,1,2][3,4] [5,6,7][8,9]" },
        { "range 10, drop 4", "range 10, drop 3", "[4,5][] [6,7][8]" },
        { "range 10, batch 4, map", "range 10, batch 2, map", "[4][5] [6][7] [8][9]" },
        { "range 10, batch 4, prefetch 1", "range 10, batch 4, off", "[4,5][6,7] [8,9][]" },
        { "range 10, batch 4, shuffle 1 2", "range 10, batch 4, shuffle 1 2, ceil",
          "[4,5][6,7] [8][9]" },
        { "range 10, drop 4, repeat 2", "range 10, drop 3, repeat 2", "!" },
        { "range 10, batch 4, repeat 2", "range 10, drop 4, repeat 2", "!" },
        { "range 12, batch 4, shuffle 9 5", "range 12, batch 3, shuffle 9 5", "!" },
        { "range 12, batch 4, skip 1", "range 12, batch 3, skip 1", "!" },
        { "range 12, batch 4, take 2", "range 12, batch 3, take 2", "!" },
        { "range 12, batch 4, shard 2 0", "range 12, batch 3, shard 2 0", "!" },
        { "range 12, batch 4, pair", "range 12, batch 3, pair", "!" },
        { "range 12, batch 4", "range 13, batch 4", "!" },
    };
    static const char file[] = "input-position";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char alone[500];
        cohort_strategy *s = open_on("host/2", 2);
        cohort_input *first = cohort_distribute_dataset(s, dataset_of(cases[i].saved, 1, 0)),
                     *second = cohort_distribute_dataset(s, dataset_of(cases[i].restored, 1, 0));
        bool is_refused = cases[i].gets[0] == '!', is_good = good(steps_of(s, first, 1)[0] == '[');
        cohort_input *other = cohort_distribute_dataset(s, dataset_of(cases[i].restored, 1, 0));
        (void)snprintf(alone, sizeof alone, "%s", steps_of(s, other, -1));
        is_good = is_good && good(cohort_input_save(first, file) == COHORT_OK);
        if (is_refused)
            is_good = is_good && refused(s, COHORT_EINVAL, cohort_input_restore(second, file)) &&
                      good(strstr(cohort_error_text(), file) != NULL);
        is_good = is_good &&
                  (is_refused || good(cohort_input_restore(second, file) == COHORT_OK)) &&
                  is_line(steps_of(s, second, -1), is_refused ? alone : cases[i].gets);
        ok(is_good, "a position of %s in %s: %s", cases[i].saved, cases[i].restored,
           is_refused ? "refused" : cases[i].gets);
        cohort_strategy_destroy(s);
    }
    (void)remove(file);
}

static void test_specs(void)
{
    cohort_spec spec;
    cohort_strategy *s = open_on("host/2", 2);
    cohort_input *even = cohort_distribute_dataset(s, dataset_of("range 10, drop 4", 1, 0)),
                 *rest = cohort_distribute_dataset(s, dataset_of("range 10, batch 4", 1, 0)),
                 *odd = cohort_distribute_dataset(s, dataset_of("range 10, drop 5", 1, 0));
    ok(cohort_input_element_spec(even, &spec, 1) == 1 && spec.rank == 1 && spec.shape[0] == 2,
       "full batches of 4 are 2 rows for each of 2 replicas");
    ok(cohort_input_element_spec(rest, &spec, 1) == 1 && spec.shape[0] == -1,
       "not where the last one is short");
    ok(cohort_input_element_spec(odd, &spec, 1) == 1 && spec.shape[0] == -1,
       "nor where they do not divide");
    cohort_strategy_destroy(s);
}

void test_values(void)
{
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    test_kept();
    test_again();
    test_at_the_end();
    test_run_next();
    test_unused_rows();
    test_batch_rows();
    test_rows_of_two();
    test_rows_of_program();
    test_short_lists();
    test_waits();
    test_specs();
    test_other_batches();
}
