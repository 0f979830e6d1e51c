/* SPDX-License-Identifier: BSD-3-Clause */
/* What each transformation does: order, shapes, errors that pass, memory that is shown and not
 * copied, shards. */
#include "config.h"

#include "runtime/data/dataset/auto_shard.h"
#include "runtime/data/dataset/random.h"

#include "runtime/base/error.h"

#include "tests/tap.h"

/* ------------------------------------------------------------------ sources for tests */

/* The numbers from 0 on; some of them are errors, behind which it goes on or does not. Also a
 * source of so many files, each of ten numbers, when files > 0. */
typedef struct faulty_parameters {
    int64_t count, bad_every; /* 0: none is bad */
    bool can_go_on;
    int64_t files, first, step;
} faulty_parameters;

typedef struct faulty_cursor {
    cohort_cursor head;
    int64_t next, value;
    cohort_array part;
} faulty_cursor;

static cohort_status next_faulty(cohort_cursor *cursor, cohort_element *out)
{
    faulty_cursor *c = (faulty_cursor *)cursor;
    const faulty_parameters *p = cursor->dataset->parameters;
    int64_t number = c->next;
    if (number == p->count)
        return COHORT_END;
    if (p->bad_every > 0 && number % p->bad_every == p->bad_every - 1) {
        cursor->can_go_on = p->can_go_on;
        c->next += p->can_go_on;
        return cohort_error_set(COHORT_EINVAL, "number %lld is bad", (long long)number);
    }
    c->value = p->files > 0 ? (p->first + number / 10 * p->step) * 10 + number % 10 : number;
    c->next++;
    *out = (cohort_element){ .parts = &c->part, .n = 1 };
    return COHORT_OK;
}

static const cohort_cursor_kind faulty_cursors = { .next = next_faulty,
                                                   .close = cohort_cursor_free };

static cohort_status open_faulty(const cohort_dataset *dataset, const cohort_opening *how,
                                 cohort_cursor **out)
{
    faulty_cursor *c = cohort_cursor_allocate(dataset, &faulty_cursors, how, sizeof *c);
    if (c == NULL)
        return COHORT_ENOMEM;
    c->part = (cohort_array){ .data = &c->value, .dtype = COHORT_I64, .item_bytes = 8 };
    *out = &c->head;
    return COHORT_OK;
}

static void derive_faulty(cohort_dataset *dataset)
{
    dataset->cardinality = COHORT_UNKNOWN;
}

static int64_t count_files(const cohort_dataset *dataset)
{
    return ((const faulty_parameters *)dataset->parameters)->files;
}

static cohort_dataset *shard_files(const cohort_dataset *dataset, int64_t shards, int64_t index);

static const cohort_dataset_kind faulty = { .name = "faulty",
                                            .derive = derive_faulty,
                                            .open = open_faulty };
static const cohort_dataset_kind filed = { .name = "filed",
                                           .derive = derive_faulty,
                                           .open = open_faulty,
                                           .files = count_files,
                                           .shard_files = shard_files };

static cohort_dataset *make_faulty(const faulty_parameters *p)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    cohort_dataset_builder node = { .kind = p->files > 0 ? &filed : &faulty,
                                    .parameters = p,
                                    .bytes = sizeof *p,
                                    .specs = &number,
                                    .n_components = 1 };
    return cohort_dataset_builder_make(&node);
}

static cohort_dataset *numbers_with_errors(int64_t count, int64_t bad_every, bool can_go_on)
{
    return make_faulty(
        &(faulty_parameters){ .count = count, .bad_every = bad_every, .can_go_on = can_go_on });
}

static cohort_dataset *files_of_ten(int64_t files)
{
    return make_faulty(&(faulty_parameters){ .count = files * 10, .files = files, .step = 1 });
}

static cohort_dataset *shard_files(const cohort_dataset *dataset, int64_t shards, int64_t index)
{
    int64_t files = (count_files(dataset) - index - 1) / shards + 1;
    return make_faulty(&(faulty_parameters){
        .count = files * 10, .files = files, .first = index, .step = shards });
}

/* ------------------------------------------------------------------ reading as text */

static void print_array(FILE *out, const cohort_array *a)
{
    int64_t items = 1;
    for (int32_t i = 0; i < a->rank; i++)
        items *= a->shape[i];
    if (a->rank > 0)
        (void)fputc('[', out);
    for (int64_t i = 0; i < items; i++)
        (void)fprintf(out, "%s%g", i > 0 ? " " : "",
                      a->dtype == COHORT_I64 ? (double)((int64_t *)a->data)[i]
                                             : (double)((float *)a->data)[i]);
    if (a->rank > 0)
        (void)fputc(']', out);
}

/* "0 1 2" or "[0 1] [2]", components joined by ":", errors as "!"; takes the dataset. `most`
 * elements and errors. */
static const char *read_some(cohort_dataset *dataset, int most)
{
    static char text[4096];
    cohort_element out;
    cohort_cursor *cursor = NULL;
    FILE *file = fmemopen(text, sizeof text, "w");
    cohort_status status = COHORT_END;
    text[0] = '\0';
    if (dataset != NULL && file != NULL)
        status = cohort_cursor_open(dataset, &(cohort_opening){ 0 }, &cursor);
    cohort_dataset_destroy(dataset);
    for (int i = 0; i < most && status != COHORT_END; i++) {
        status = cohort_cursor_next(cursor, &out);
        if (status == COHORT_END)
            break;
        if (i > 0)
            (void)fputc(' ', file);
        if (status < 0)
            (void)fputc('!', file);
        for (int k = 0; status == COHORT_OK && k < out.n; k++) {
            if (k > 0)
                (void)fputc(':', file);
            print_array(file, &out.parts[k]);
        }
    }
    if (file != NULL)
        (void)fclose(file);
    bool is_open = cursor != NULL;
    cohort_cursor_close(cursor);
    return is_open ? text : cohort_error_text();
}

static const char *read_all(cohort_dataset *dataset)
{
    return read_some(dataset, 1000);
}

static cohort_dataset *upto(int64_t n)
{
    return cohort_dataset_range(0, n, 1);
}

/* ------------------------------------------------------------------ order */

static void test_random(void)
{
    static const uint64_t known[] = { UINT64_C(0x86b1da1d72062b68), UINT64_C(0x1304aa46c9853d39),
                                      UINT64_C(0xa3670e9e0dd50358), UINT64_C(0xf9090e529a7dae00),
                                      UINT64_C(0xc85b9fd837996f2c), UINT64_C(0x606121f8e3919196) };
    cohort_random r, other;
    int same = 0, counts[5] = { 0 };
    cohort_random_start(&r, 42, 54);
    for (int i = 0; i < 6; i++)
        same += cohort_random_next(&r) == known[i];
    ok(same == 6, "the generator gives the numbers that its author published");
    cohort_random_seed(&r, 1, 0);
    for (int i = 0; i < 50000; i++)
        counts[cohort_random_below(&r, 5)]++;
    for (int i = 0; i < 5; i++)
        ok(counts[i] > 9500 && counts[i] < 10500, "index %d of 5 comes as often as the others: %d",
           i, counts[i]);
    cohort_random_seed(&r, 1, 0);
    cohort_random_seed(&other, 0, 1);
    ok(cohort_random_next(&r) != cohort_random_next(&other),
       "seed and salt are not the same thing");
    ok(cohort_random_below(&r, 1) == 0, "below 1 there is 0");
    bool is_below = true;
    for (int i = 0; i < 1000; i++)
        is_below = is_below && cohort_random_below(&r, (UINT64_C(1) << 63) + 1) <= UINT64_C(1)
                                                                                       << 63;
    ok(is_below, "large bounds hold, where half of the values are drawn again");
}

static void test_ranges(void)
{
    is_text(read_all(cohort_dataset_range(3, 10, 3)), "3 6 9", "a range stops before its end");
    is_text(read_all(cohort_dataset_range(3, -3, -2)), "3 1 -1", "it goes down too");
    is_text(read_all(cohort_dataset_range(3, 3, 1)), "", "it may be empty");
    is_text(read_all(cohort_dataset_range(3, 9, -1)), "", "also when it looks the other way");
    cohort_dataset *all = cohort_dataset_range(INT64_MIN, INT64_MAX, 1);
    ok(cohort_dataset_cardinality(all) == COHORT_UNKNOWN,
       "more numbers than an int64 counts are an unknown number");
    all = cohort_dataset_skip(cohort_dataset_skip(all, INT64_MAX), INT64_MAX);
    cohort_iterator *it = cohort_dataset_iterate(all);
    cohort_array out;
    ok(cohort_iterator_next(it, &out) == COHORT_OK && *(int64_t *)out.data == INT64_MAX - 1,
       "the last of them is found without a walk");
    ok(cohort_iterator_next(it, &out) == COHORT_END, "and is the last");
    cohort_iterator_destroy(it);
}

static void test_repetitions(void)
{
    is_text(read_some(cohort_dataset_repeat(upto(2), COHORT_INFINITE), 5), "0 1 0 1 0", "for ever");
    is_text(read_all(cohort_dataset_repeat(upto(0), COHORT_INFINITE)), "",
            "nothing for ever is nothing");
    is_text(
        read_all(cohort_dataset_batch(cohort_dataset_repeat(upto(0), COHORT_INFINITE), 3, false)),
        "", "in batches too");
    is_text(read_all(cohort_dataset_skip(cohort_dataset_repeat(upto(0), COHORT_INFINITE), 5)), "",
            "and behind a skip");
    is_text(read_some(cohort_dataset_repeat(numbers_with_errors(2, 1, true), COHORT_INFINITE), 5),
            "! !", "errors alone do not go on for ever");
    is_text(read_some(cohort_dataset_repeat(numbers_with_errors(2, 1, false), COHORT_INFINITE), 3),
            "! ! !", "an error that cannot be passed stays");
    cohort_dataset *d = cohort_dataset_repeat(cohort_dataset_repeat(upto(INT64_MAX), 2), 3);
    ok(cohort_dataset_cardinality(d) == COHORT_UNKNOWN, "what does not fit is an unknown number");
    cohort_dataset_destroy(d);
    d = cohort_dataset_repeat(cohort_dataset_batch(upto(1000), 7, false), INT64_MAX / 1000);
    is_text(
        read_some(cohort_dataset_take(cohort_dataset_skip(d, INT64_C(143) * 1000000 + 142), 1), 2),
        "[994 995 996 997 998 999]", "whole repetitions are passed over without being read");
}

/* Orders of the repetitions of repetitions, of two iterations. */
static void test_reshuffling(void)
{
    char orders[8][64] = { "" };
    cohort_array out;
    cohort_dataset *d =
        cohort_dataset_repeat(cohort_dataset_repeat(cohort_dataset_shuffle(upto(10), 10, 3), 2), 2);
    cohort_iterator *it = cohort_dataset_iterate(d);
    for (int i = 0; i < 80; i++) {
        if (i == 40)
            (void)cohort_iterator_restart(it);
        if (cohort_iterator_next(it, &out) == COHORT_OK)
            (void)snprintf(orders[i / 10] + strlen(orders[i / 10]), 8, "%d",
                           (int)*(int64_t *)out.data);
    }
    cohort_iterator_destroy(it);
    int same = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++)
            same += strcmp(orders[i], orders[j]) == 0;
    ok(same == 0 && strlen(orders[7]) == 10, "eight repetitions on three levels have eight orders");
    d = cohort_dataset_repeat(cohort_dataset_shuffle_once(upto(10), 10, 3), 2);
    char text[256];
    (void)snprintf(text, sizeof text, "%s", read_all(d));
    ok(strlen(text) == 39 && strncmp(text, text + 20, 19) == 0,
       "a shuffle for once has the same order again");
    is_text(read_all(cohort_dataset_shuffle(upto(5), 1, 3)), "0 1 2 3 4",
            "a buffer of one leaves the order");
    is_text(read_all(cohort_dataset_shuffle(upto(0), 7, 3)), "", "nothing can be shuffled");
    (void)snprintf(text, sizeof text, "%s", read_all(cohort_dataset_shuffle(upto(20), 7, 3)));
    is_text(read_all(cohort_dataset_shuffle(
                cohort_dataset_unbatch(cohort_dataset_batch(upto(20), 3, false)), 7, 3)),
            text, "elements in a buffer have the order that their numbers have");
}

/* ------------------------------------------------------------------ shapes */

static void test_batches(void)
{
    is_text(read_all(cohort_dataset_batch(upto(5), 2, false)), "[0 1] [2 3] [4]",
            "the last batch is short");
    is_text(read_all(cohort_dataset_batch(upto(5), 2, true)), "[0 1] [2 3]", "or left out");
    is_text(read_all(cohort_dataset_batch(upto(5), INT64_MAX, false)), "[0 1 2 3 4]",
            "a batch of all there is");
    is_text(read_all(cohort_dataset_batch(numbers_with_errors(5, 0, true), INT64_MAX, false)),
            "[0 1 2 3 4]", "also when nobody knows how many");
    is_text(read_all(cohort_dataset_rebatch(cohort_dataset_batch(upto(7), 4, false), 3, false)),
            "[0 1 2] [3 4 5] [6]", "batches of another size go across borders");
    is_text(read_all(cohort_dataset_window(upto(7), 3, 2, 1, false)), "[0 1 2] [2 3 4] [4 5 6] [6]",
            "windows overlap, and the last are short");
    is_text(read_all(cohort_dataset_window(upto(7), 2, 1, 3, true)), "[0 3] [1 4] [2 5] [3 6]",
            "with a stride");
    is_text(read_all(cohort_dataset_window(upto(7), 1, 3, 1, true)), "[0] [3] [6]", "or with gaps");
    is_text(read_all(cohort_dataset_window(upto(3), INT64_MAX, INT64_MAX, 1, false)), "[0 1 2]",
            "windows of all there is");
}

static void test_ragged(void)
{
    float a[2][2] = { { 1, 2 }, { 3, 4 } }, b[1][3] = { { 5, 6, 7 } };
    cohort_dataset *d = cohort_dataset_concatenate(
        (cohort_dataset *[]){
            cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(&a[0][0], 2, 2) }),
            cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(&b[0][0], 1, 3) }) },
        2);
    cohort_spec spec, wide = { .dtype = COHORT_F32, .rank = 1, .shape = { 4 } },
                      narrow = { .dtype = COHORT_F32, .rank = 1, .shape = { 2 } };
    ok(cohort_dataset_element_spec(d, &spec, 1) == 1 && spec.shape[0] == -1,
       "what differs is unknown");
    is_text(read_some(cohort_dataset_batch(cohort_dataset_share(d), 3, false), 2), "! [1 2 3 4]",
            "an element of another shape is an error, and the batch goes on without it");
    has_text(cohort_error_text(), "cohort_dataset_padded_batch",
             "that says what stacks such elements");
    has_text(cohort_error_text(), "float32[3]", "and names one shape");
    has_text(cohort_error_text(), "float32[2]", "and the other");
    is_text(read_all(cohort_dataset_padded_batch(cohort_dataset_share(d), 3, NULL, NULL, false)),
            "[1 2 0 3 4 0 5 6 7]", "padding makes them alike");
    is_text(read_all(cohort_dataset_padded_batch(cohort_dataset_share(d), 3, &wide,
                                                 (double[]){ -1 }, false)),
            "[1 2 -1 -1 3 4 -1 -1 5 6 7 -1]", "to a length, with a number");
    is_text(read_some(cohort_dataset_padded_batch(d, 3, &narrow, NULL, false), 3), "! [1 2 3 4]",
            "what is longer than that is an error");
    has_text(cohort_error_text(), "longer than the 2", "that says so");
}

static void test_no_copies(void)
{
    float x[10][3];
    cohort_array out;
    for (int i = 0; i < 30; i++)
        (&x[0][0])[i] = (float)i;
    cohort_dataset *d = cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(&x[0][0], 10, 3) });
    d = cohort_dataset_batch(cohort_dataset_take(cohort_dataset_skip(d, 1), 8), 3, false);
    ok(d->is_lasting, "batches in order last as long as what they are of");
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_share(d));
    for (int i = 0; i < 3; i++)
        ok(cohort_iterator_next(it, &out) == COHORT_OK && out.data == x[1 + 3 * i],
           "batch %d is shown where it lies", i);
    ok(out.shape[0] == 2, "also the short one");
    cohort_iterator_destroy(it);
    it = cohort_dataset_iterate(cohort_dataset_zip(
        (cohort_dataset *[]){ cohort_dataset_rebatch(d, 2, false), upto(9) }, 2));
    cohort_array both[2];
    ok(cohort_iterator_next(it, both) == COHORT_OK && both[0].data == x[1],
       "and batches made of batches");
    cohort_iterator_destroy(it);
}

/* ------------------------------------------------------------------ several */

static void test_several(void)
{
    cohort_dataset *d =
        cohort_dataset_zip((cohort_dataset *[]){ upto(5), cohort_dataset_range(10, 13, 1) }, 2);
    ok(cohort_dataset_cardinality(d) == 3, "a zip is as long as its shortest");
    is_text(read_all(d), "0:10 1:11 2:12", "and puts side by side");
    is_text(read_all(cohort_dataset_zip(
                (cohort_dataset *[]){ upto(6), numbers_with_errors(6, 3, true) }, 2)),
            "0:0 1:1 ! 3:3 4:4 !", "a row with a damaged part is left out whole");
    is_text(read_all(cohort_dataset_zip(
                (cohort_dataset *[]){ numbers_with_errors(6, 3, true), upto(6) }, 2)),
            "0:0 1:1 ! 3:3 4:4 !", "whichever part it is");
    is_text(
        read_all(cohort_dataset_concatenate((cohort_dataset *[]){ upto(2), upto(0), upto(3) }, 3)),
        "0 1 0 1 2", "one after the other");
    is_text(read_all(cohort_dataset_enumerate(cohort_dataset_skip(upto(5), 3), INT64_MAX - 1)),
            "9.22337e+18:3 9.22337e+18:4", "numbers beside elements");
    cohort_dataset *four = cohort_dataset_batch(upto(8), 4, false);
    d = cohort_dataset_zip(
        (cohort_dataset *[]){ cohort_dataset_share(four), cohort_dataset_share(four) }, 2);
    ok(d->batch_rows == 4, "batches of four beside batches of four are batches of four");
    cohort_dataset_destroy(d);
    d = cohort_dataset_zip((cohort_dataset *[]){ four, cohort_dataset_batch(upto(8), 2, false) },
                           2);
    ok(d->batch_rows == 0, "beside batches of two they are none");
    d = cohort_dataset_unbatch(d);
    is_text(read_some(d, 1), "!", "and their rows are not side by side");
    has_text(cohort_error_text(), "component 0 of an element has 4 rows, component 1 has 2",
             "which is said");
}

/* An error is an element that is left out of what is made of the others. */
static void test_errors(void)
{
    static const struct {
        const char *text, *what;
    } cases[] = { { "0 1 ! 3 4 !", "take" },
                  { "1 ! 3 4 !", "skip" },
                  { "1 ! 4 !", "shard" },
                  { "! [0 1 3 4] !", "batch" },
                  { "! [0 1 3 4] !", "padded" },
                  { "! [0 1 3] !", "window" },
                  { "0:0 1:1 ! 2:3 3:4 !", "enumerate" } };
    for (int i = 0; i < 7; i++) {
        cohort_dataset *d = numbers_with_errors(6, 3, true);
        d = i == 0   ? cohort_dataset_take(d, 5)
            : i == 1 ? cohort_dataset_skip(d, 1)
            : i == 2 ? cohort_dataset_shard(d, 2, 1)
            : i == 3 ? cohort_dataset_batch(d, 4, false)
            : i == 4 ? cohort_dataset_padded_batch(d, 4, NULL, NULL, false)
            : i == 5 ? cohort_dataset_window(d, 3, 2, 1, true)
                     : cohort_dataset_enumerate(d, 0);
        is_text(read_all(d), cases[i].text, "an error passes through %s", cases[i].what);
    }
    is_text(read_some(cohort_dataset_shuffle(numbers_with_errors(6, 3, true), 1, 1), 9),
            "0 1 ! 3 4 !", "an error passes through a buffer");
    is_text(read_some(cohort_dataset_shuffle(numbers_with_errors(6, 3, false), 1, 1), 5),
            "0 1 ! ! !", "one that cannot be passed stays");
}

/* Whoever iterates without a cursor sees the first error until it starts over. */
static void test_sticky_errors(void)
{
    cohort_array out;
    cohort_iterator *it = cohort_dataset_iterate(numbers_with_errors(6, 3, true));
    ok(cohort_iterator_next(it, &out) == COHORT_OK && cohort_iterator_next(it, &out) == COHORT_OK &&
           cohort_iterator_next(it, &out) == COHORT_EINVAL,
       "an iterator comes to an error");
    (void)cohort_error_set(COHORT_EINVAL, "another");
    ok(cohort_iterator_next(it, &out) == COHORT_EINVAL, "where it stays");
    is_text(cohort_error_text(), "number 2 is bad", "with its text");
    ok(cohort_iterator_restart(it) == COHORT_OK && cohort_iterator_next(it, &out) == COHORT_OK,
       "until it starts over");
    cohort_iterator_destroy(it);
}

/* ------------------------------------------------------------------ shards, options */

static char said[1024];
static int times_said;

static void hear(void *user, int level, const char *line)
{
    (void)user, (void)level;
    times_said++;
    (void)snprintf(said, sizeof said, "%s", line);
}

static cohort_dataset *with_policy(cohort_dataset *d, cohort_auto_shard policy)
{
    return cohort_dataset_with_options(d, &(cohort_dataset_options){ .auto_shard = policy });
}

static void test_policies(void)
{
    is_text(read_all(cohort_dataset_auto_shard(cohort_dataset_shard(upto(10), 3, 1), 1, 0)),
            "1 4 7", "one of one is all");
    cohort_log_set(hear, NULL, COHORT_LOG_WARNING);
    is_text(read_all(cohort_dataset_auto_shard(upto(5), 2, 1)), "1 3",
            "AUTO divides the elements of memory");
    ok(times_said == 1 && strstr(said, "cohort_dataset_range is no source of files") != NULL,
       "and says why");
    is_text(read_all(cohort_dataset_auto_shard(upto(2), 1, 0)), "0 1", "one pipeline reads all");
    ok(times_said == 1, "and nothing is said of it");
    cohort_log_set(NULL, NULL, 0);
    is_text(read_all(cohort_dataset_auto_shard(with_policy(upto(5), COHORT_SHARD_OFF), 2, 1)),
            "0 1 2 3 4", "OFF none");
    cohort_dataset *d = cohort_dataset_auto_shard(with_policy(upto(4), COHORT_SHARD_DATA), 2, 0);
    has_text(cohort_dataset_describe(d),
             "with_options auto_shard data, split fill: int64[]\n  shard 0 of 2",
             "DATA divides below what only says how it is read");
    ok(d->options.auto_shard == COHORT_SHARD_DATA, "and options stay");
    is_text(read_all(d), "0 2", "every second element");
    d = with_policy(cohort_dataset_shard(upto(6), COHORT_NUM_PIPELINES, 0), COHORT_SHARD_HINT);
    is_text(read_all(cohort_dataset_auto_shard(cohort_dataset_share(d), 3, 2)), "2 5",
            "HINT fills in");
    ok(cohort_dataset_iterate(d) == NULL, "what was not filled in cannot be read");
    has_text(cohort_error_text(), "COHORT_SHARD_HINT", "and the text says which policy does it");
    is_text(read_all(cohort_dataset_auto_shard(with_policy(upto(3), COHORT_SHARD_HINT), 3, 2)),
            "0 1 2", "everything where it stands nowhere");
    ok(cohort_dataset_auto_shard(with_policy(upto(9), COHORT_SHARD_FILE), 2, 0) == NULL,
       "FILE without files");
    has_text(cohort_error_text(), "cohort_dataset_range is no source of files",
             "names the source that has none");
}

static void test_files(void)
{
    cohort_dataset *d = cohort_dataset_batch(cohort_dataset_repeat(files_of_ten(5), 1), 5, false);
    ok(cohort_auto_shard_fewest_files(d) == 5, "a source has five files");
    is_text(read_all(cohort_dataset_auto_shard(cohort_dataset_share(d), 4, 3)),
            "[30 31 32 33 34] [35 36 37 38 39]", "AUTO divides files where there are enough");
    is_text(read_some(cohort_dataset_auto_shard(cohort_dataset_share(d), 4, 0), 3),
            "[0 1 2 3 4] [5 6 7 8 9] [40 41 42 43 44]", "one has two");
    times_said = 0;
    cohort_log_set(hear, NULL, COHORT_LOG_WARNING);
    is_text(read_all(cohort_dataset_auto_shard(cohort_dataset_share(d), 8, 3)), "[15 16 17 18 19]",
            "elements where there are not");
    ok(times_said == 1 && strstr(said, "5 files for 8 pipelines") != NULL, "which is said");
    is_text(read_some(
                cohort_dataset_auto_shard(
                    cohort_dataset_zip((cohort_dataset *[]){ files_of_ten(4), upto(40) }, 2), 2, 1),
                2),
            "1:1 3:3", "files beside memory are not divided by files");
    ok(times_said == 2 && strstr(said, "cohort_dataset_range is no source of files") != NULL,
       "which is said too");
    cohort_log_set(NULL, NULL, 0);
    cohort_dataset *mixed =
        cohort_dataset_zip((cohort_dataset *[]){ files_of_ten(4), upto(40) }, 2);
    ok(cohort_dataset_auto_shard(with_policy(mixed, COHORT_SHARD_FILE), 2, 1) == NULL,
       "FILE of files beside memory is an error");
    has_text(cohort_error_text(),
             "COHORT_SHARD_FILE, but cohort_dataset_range is no source of files",
             "which names the source");
    mixed = cohort_dataset_concatenate((cohort_dataset *[]){ upto(40), files_of_ten(4) }, 2);
    ok(cohort_dataset_auto_shard(with_policy(mixed, COHORT_SHARD_FILE), 2, 1) == NULL,
       "so it is behind memory");
    for (int i = 0; i < 8; i += 7) {
        ok(cohort_dataset_auto_shard(with_policy(cohort_dataset_share(d), COHORT_SHARD_FILE), 8,
                                     i) == NULL,
           "FILE with too few is an error on pipeline %d", i);
        has_text(cohort_error_text(),
                 "cohort_auto_shard: COHORT_SHARD_FILE with 5 files for 8 pipelines", "by name");
    }
    cohort_dataset_destroy(d);
    d = cohort_dataset_zip((cohort_dataset *[]){ files_of_ten(5), files_of_ten(4) }, 2);
    is_text(read_some(cohort_dataset_auto_shard(with_policy(d, COHORT_SHARD_FILE), 3, 2), 2),
            "20:20 21:21", "all sources are divided");
}

static void test_options(void)
{
    cohort_dataset *d = cohort_dataset_with_options(
        upto(3), &(cohort_dataset_options){ .weights = (double[]){ 1, 3 },
                                            .n_weights = 2,
                                            .split = COHORT_SPLIT_BALANCED,
                                            .global_batch = 8 });
    d = cohort_dataset_take(d, 2);
    ok(d->options.n_weights == 2 && d->options.weights[1] == 3 && d->options.global_batch == 8,
       "options hold for what is made of the dataset");
    cohort_dataset *other = upto(9), *moved = cohort_dataset_with_inputs(d, &other);
    ok(moved->options.n_weights == 2 && moved->options.weights != d->options.weights,
       "and for a copy with other inputs");
    cohort_dataset_destroy(moved);
    d = cohort_dataset_with_options(d, &(cohort_dataset_options){ 0 });
    ok(d->options.weights == NULL && d->options.global_batch == 0, "the last ones count");
    is_text(read_all(d), "0 1", "and no element is another");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_random();
    test_ranges();
    test_repetitions();
    test_reshuffling();
    test_batches();
    test_ragged();
    test_no_copies();
    test_several();
    test_errors();
    test_sticky_errors();
    test_policies();
    test_files();
    test_options();
    ok(cohort_memory_blocks() == blocks, "nothing leaks");
    return tap_done();
}
