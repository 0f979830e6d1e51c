/* SPDX-License-Identifier: BSD-3-Clause */
/* Making datasets: what is refused and how, what happens to the datasets that a refused call was
 * given, who owns what.
 */
#include "config.h"

#include <cohort/dataset.h>

#include "tests/tap.h"

#include <math.h>

static float x[4][3];
static int64_t y[4], z[5];

static cohort_dataset *rows(void)
{
    return cohort_dataset_slices(
        2, (cohort_array[]){ COHORT_ARRAY(&x[0][0], 4, 3), COHORT_ARRAY(y, 4) });
}

static cohort_dataset *numbers(void)
{
    return cohort_dataset_range(0, 10, 1);
}

/* Every transformation of one dataset, with arguments that are right. */
static cohort_dataset *transform(int kind, cohort_dataset *d)
{
    static const cohort_dataset_options options = { 0 };
    switch (kind) {
    case 0:
        return cohort_dataset_take(d, 2);
    case 1:
        return cohort_dataset_skip(d, 2);
    case 2:
        return cohort_dataset_repeat(d, 2);
    case 3:
        return cohort_dataset_shard(d, 2, 0);
    case 4:
        return cohort_dataset_shuffle(d, 2, 0);
    case 5:
        return cohort_dataset_shuffle_once(d, 2, 0);
    case 6:
        return cohort_dataset_batch(d, 2, false);
    case 7:
        return cohort_dataset_padded_batch(d, 2, NULL, NULL, false);
    case 8:
        return cohort_dataset_window(d, 2, 2, 1, false);
    case 9:
        return cohort_dataset_enumerate(d, 0);
    case 10:
        return cohort_dataset_zip(&d, 1);
    case 11:
        return cohort_dataset_concatenate(&d, 1);
    case 12:
        return cohort_dataset_with_options(d, &options);
    case 13:
        return cohort_dataset_auto_shard(d, 2, 0);
    case 14:
        return cohort_dataset_unbatch(d);
    default:
        return cohort_dataset_rebatch(d, 2, false);
    }
}
enum { N_KINDS = 16 };

/* The call refused, with a part of its text; its dataset is gone, which the end of the program
 * sees. */
static void refused(const cohort_dataset *result, const char *text)
{
    ok(result == NULL, "refused: %s", text);
    has_text(cohort_error_text(), text, "and the text says it");
}

static void test_null(void)
{
    for (int kind = 0; kind < N_KINDS; kind++) {
        ok(cohort_dataset_range(0, 1, 0) == NULL, "a range of step 0 is refused");
        ok(transform(kind, NULL) == NULL, "transformation %d passes NULL through", kind);
        has_text(cohort_error_text(), "step 0", "and keeps the reason");
    }
    ok(cohort_dataset_iterate(NULL) == NULL, "NULL is not read");
    ok(cohort_dataset_element_spec(NULL, NULL, 0) == -1, "it has no spec");
    ok(cohort_dataset_cardinality(NULL) == COHORT_UNKNOWN, "and no number of elements");
    is_text(cohort_dataset_describe(NULL), "", "and no text");
    ok(cohort_dataset_share(NULL) == NULL, "it can be shared");
    cohort_dataset_destroy(NULL);
    cohort_iterator_destroy(NULL);
    ok(cohort_iterator_next(NULL, NULL) == COHORT_EINVAL, "no iterator has no next element");
    ok(cohort_iterator_restart(NULL) == COHORT_EINVAL, "and does not start over");
}

static void test_sources(void)
{
    cohort_array scalar = { .data = x, .dtype = COHORT_F32 };
    cohort_array both[] = { COHORT_ARRAY(y, 4), COHORT_ARRAY(z, 5) };
    refused(cohort_dataset_slices(0, both), "cohort_dataset_slices: 0 arrays");
    refused(cohort_dataset_slices(2, NULL), "cohort_dataset_slices: 0 arrays");
    refused(cohort_dataset_slices(1, &scalar), "use cohort_dataset_tensors");
    refused(cohort_dataset_slices(2, both), "array 1 has 5 rows, array 0 has 4");
    refused(cohort_dataset_tensors(65, both), "cohort_dataset_tensors: 65 arrays");
    refused(cohort_dataset_range(1, 2, 0), "cohort_dataset_range: step 0");
}

static void test_order(void)
{
    refused(cohort_dataset_take(numbers(), -2), "cohort_dataset_take: -2 elements");
    refused(cohort_dataset_skip(numbers(), -2), "cohort_dataset_skip: -2 elements");
    refused(cohort_dataset_repeat(numbers(), -2), "cohort_dataset_repeat: -2 times");
    refused(cohort_dataset_shard(numbers(), 0, 0), "cohort_dataset_shard: 0 shards");
    refused(cohort_dataset_shard(numbers(), -2, 0), "cohort_dataset_shard: -2 shards");
    refused(cohort_dataset_shard(numbers(), 2, 2),
            "cohort_dataset_shard: index 2; expected 0 to 1");
    refused(cohort_dataset_shard(numbers(), 2, -1),
            "cohort_dataset_shard: index -1; expected 0 to 1");
    refused(cohort_dataset_shard(numbers(), COHORT_NUM_PIPELINES, 1),
            "index 1 with COHORT_NUM_PIPELINES");
    refused(cohort_dataset_shuffle(numbers(), 0, 1),
            "cohort_dataset_shuffle: a buffer of 0 elements");
    refused(cohort_dataset_shuffle_once(numbers(), -1, 1),
            "cohort_dataset_shuffle_once: a buffer of -1 elements");
}

static void test_stacking(void)
{
    cohort_array deep = {
        .data = y, .dtype = COHORT_I64, .rank = COHORT_MAX_RANK, .shape = { 1, 1, 1, 1, 1, 1, 1, 1 }
    };
    cohort_dataset *d = cohort_dataset_batch(cohort_dataset_slices(1, &deep), 1, false);
    refused(cohort_dataset_batch(numbers(), 0, false), "cohort_dataset_batch: 0 rows");
    ok(d != NULL, "as many axes as there are can be stacked to");
    for (int i = 0; i < 3; i++) {
        cohort_dataset *more = cohort_dataset_share(d);
        refused(i == 0   ? cohort_dataset_batch(more, 1, false)
                : i == 1 ? cohort_dataset_padded_batch(more, 1, NULL, NULL, false)
                         : cohort_dataset_window(more, 1, 1, 1, false),
                "component 0 has rank 8");
    }
    cohort_dataset_destroy(d);
    refused(cohort_dataset_batch(rows(), INT64_MAX, true),
            "cohort_dataset_batch: component 0: extent");
    refused(cohort_dataset_padded_batch(numbers(), 0, NULL, NULL, false),
            "cohort_dataset_padded_batch: 0 rows");
    refused(cohort_dataset_window(numbers(), 0, 1, 1, false), "size 0, shift 1, stride 1");
    refused(cohort_dataset_window(numbers(), 1, -1, 1, false), "size 1, shift -1, stride 1");
    refused(cohort_dataset_window(numbers(), 1, 1, 0, false), "size 1, shift 1, stride 0");
    refused(cohort_dataset_window(numbers(), INT64_MAX, 1, 2, false), "longer than any dataset");
    refused(cohort_dataset_unbatch(numbers()), "cohort_dataset_unbatch: component 0 has rank 0");
    refused(cohort_dataset_rebatch(numbers(), 2, false), "cohort_dataset_rebatch");
    refused(cohort_dataset_rebatch(cohort_dataset_batch(numbers(), 2, false), 0, false),
            "cohort_dataset_rebatch: 0 rows");
    d = cohort_dataset_zip((cohort_dataset *[]){ cohort_dataset_batch(numbers(), 2, true),
                                                 cohort_dataset_batch(numbers(), 3, true) },
                           2);
    refused(cohort_dataset_unbatch(d), "component 0 has 2 rows, component 1 has 3");
}

static void test_padding(void)
{
    cohort_spec shapes[2] = { { .dtype = COHORT_F32, .rank = 1, .shape = { 5 } },
                              { .dtype = COHORT_I64 } };
    double fill[2] = { 0, 0.5 }, few[1] = { 0 };
    refused(cohort_dataset_padded_batch(rows(), 2, NULL, fill, false),
            "cohort_dataset_padded_batch: fill 1");
    fill[1] = 1;
    refused(cohort_dataset_padded_batch(rows(), 2, NULL, few, false),
            "cohort_dataset_padded_batch: the list fill has 1 for elements of 2 components");
    refused(cohort_dataset_padded_batch(rows(), 2, &shapes[1], NULL, false),
            "the list shapes has 1 for elements of 2 components");
    shapes[0].rank = 2;
    refused(cohort_dataset_padded_batch(rows(), 2, shapes, fill, false),
            "shape 0 is float32 of rank 2");
    shapes[0].rank = 1;
    shapes[1].dtype = COHORT_I32;
    refused(cohort_dataset_padded_batch(rows(), 2, shapes, fill, false),
            "shape 1 is int32 of rank 0");
    shapes[1].dtype = COHORT_I64;
    shapes[0].shape[0] = 2;
    refused(cohort_dataset_padded_batch(rows(), 2, shapes, fill, false), "at least the 3");
    shapes[0].shape[0] = -2;
    refused(cohort_dataset_padded_batch(rows(), 2, shapes, fill, false),
            "extent -2 of axis 0 of shape 0");
    shapes[0].shape[0] = INT64_MAX;
    refused(cohort_dataset_padded_batch(rows(), 2, shapes, fill, false),
            "more than a memory holds");
}

static void test_several(void)
{
    cohort_dataset *with_null[] = { numbers(), NULL, numbers() };
    cohort_dataset *many[65];
    refused(cohort_dataset_zip(NULL, 0), "cohort_dataset_zip: 0 datasets");
    refused(cohort_dataset_concatenate(with_null, -1), "cohort_dataset_concatenate: -1 datasets");
    ok(cohort_dataset_range(0, 1, 0) == NULL, "one of several is refused");
    refused(cohort_dataset_zip(with_null, 3), "step 0");
    ok(cohort_dataset_concatenate(NULL, 2) == NULL, "a list at NULL is refused");
    for (int i = 0; i < 65; i++)
        many[i] = numbers();
    refused(cohort_dataset_zip(many, 65), "cohort_dataset_zip: 65 components with dataset 64");
    refused(cohort_dataset_concatenate((cohort_dataset *[]){ rows(), numbers() }, 2),
            "dataset 1 has 1 components");
    refused(cohort_dataset_concatenate(
                (cohort_dataset *[]){ numbers(), cohort_dataset_batch(numbers(), 2, false) }, 2),
            "component 0 of dataset 1 is int64");
    cohort_dataset *d = numbers();
    for (int i = 0; i < 63; i++)
        d = cohort_dataset_enumerate(d, 0);
    ok(cohort_dataset_element_spec(d, NULL, 0) == 64, "64 components are possible");
    refused(cohort_dataset_enumerate(d, 0), "cohort_dataset_enumerate: 65 components");
}

static void test_options(void)
{
    double weights[] = { 1, -1, 0 };
    cohort_dataset_options bad[] = { { .auto_shard = (cohort_auto_shard)4 },
                                     { .auto_shard = (cohort_auto_shard)-2 },
                                     { .split = (cohort_split)3 },
                                     { .global_batch = -1 },
                                     { .reserved = { NULL, NULL, weights } },
                                     { .weights = weights },
                                     { .n_weights = 2 },
                                     { .weights = weights, .n_weights = -1 },
                                     { .weights = weights, .n_weights = 65537 },
                                     { .weights = weights, .n_weights = 2 },
                                     { .weights = weights + 2, .n_weights = 1 } };
    static const char *const texts[] = {
        "auto_shard is 4", "auto_shard is -2", "split is 3",         "global batch of -1",
        "reserved[2]",     "0 weights",        "2 weights at NULL",  "-1 weights",
        "65537 weights",   "weight 1 is -1",   "all 1 weights are 0"
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(cohort_dataset_with_options(numbers(), &bad[i]), texts[i]);
    weights[1] = NAN;
    refused(cohort_dataset_with_options(numbers(), &bad[9]), "weight 1 is");
    weights[1] = INFINITY;
    refused(cohort_dataset_with_options(numbers(), &bad[9]), "weight 1 is inf");
    refused(cohort_dataset_with_options(numbers(), NULL), "the options are NULL");
    refused(cohort_dataset_auto_shard(numbers(), 0, 0), "cohort_dataset_auto_shard: 0 pipelines");
    refused(cohort_dataset_auto_shard(numbers(), 2, 2),
            "cohort_dataset_auto_shard: index 2; expected 0 to 1");
    refused(cohort_dataset_auto_shard(numbers(), 2, -1),
            "cohort_dataset_auto_shard: index -1; expected 0 to 1");
}

static void test_depth(void)
{
    cohort_dataset *d = numbers();
    for (int i = 1; i < 1000; i++)
        d = cohort_dataset_take(d, 5);
    ok(d != NULL, "a thousand datasets can stand on top of each other");
    for (int kind = 0; kind < 13; kind++)
        refused(transform(kind, cohort_dataset_share(d)), "more than 1000 datasets");
    cohort_iterator *it = cohort_dataset_iterate(d);
    cohort_array out;
    ok(cohort_iterator_next(it, &out) == COHORT_OK, "and be read");
    cohort_iterator_destroy(it);
}

static void test_owners(void)
{
    cohort_dataset *d = numbers();
    cohort_array out;
    ok(cohort_dataset_share(d) == d, "sharing makes one more owner");
    cohort_dataset_destroy(d);
    cohort_iterator *it = cohort_dataset_iterate(cohort_dataset_batch(d, 4, false));
    ok(cohort_iterator_next(it, &out) == COHORT_OK && ((int64_t *)out.data)[3] == 3,
       "the other still has it");
    ok(cohort_iterator_next(it, NULL) == COHORT_EINVAL, "an element wants a place");
    cohort_iterator_destroy(it);
    d = rows();
    for (int kind = 0; kind < 14; kind++) {
        cohort_dataset *made = transform(kind, cohort_dataset_share(d));
        cohort_array parts[3];
        it = cohort_dataset_iterate(cohort_dataset_share(made));
        ok(it != NULL && cohort_iterator_next(it, parts) == COHORT_OK,
           "transformation %d is read and given up half way", kind);
        cohort_iterator_destroy(it);
        ok(strncmp(cohort_dataset_describe(made), "slices", 6) != 0, "and describes itself");
        cohort_dataset_destroy(made);
    }
    is_text(cohort_dataset_describe(d), "slices 4 rows: float32[3], int64[]\n",
            "a text for people");
    cohort_dataset_destroy(d);
}

static void test_cardinality(void)
{
    cohort_dataset *forever = cohort_dataset_repeat(numbers(), COHORT_INFINITE), *d;
    static const int64_t wanted[] = { 2,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE,
                                      COHORT_INFINITE };
    for (int kind = 0; kind < 12; kind++) {
        d = transform(kind, cohort_dataset_share(forever));
        ok(cohort_dataset_cardinality(d) == wanted[kind], "transformation %d of what has no end",
           kind);
        cohort_dataset_destroy(d);
    }
    d = cohort_dataset_skip(cohort_dataset_share(forever), -1);
    ok(cohort_dataset_cardinality(d) == 0, "without all of it there is nothing");
    cohort_dataset_destroy(d);
    d = cohort_dataset_repeat(cohort_dataset_share(forever), 0);
    ok(cohort_dataset_cardinality(d) == 0, "no times it neither");
    cohort_dataset_destroy(d);
    d = cohort_dataset_zip((cohort_dataset *[]){ forever, numbers() }, 2);
    ok(cohort_dataset_cardinality(d) == 10, "beside ten elements there are ten");
    d = cohort_dataset_unbatch(cohort_dataset_batch(d, 4, false));
    ok(cohort_dataset_cardinality(d) == COHORT_UNKNOWN,
       "rows of batches of which one may be short are unknown");
    cohort_dataset_destroy(d);
    d = cohort_dataset_unbatch(cohort_dataset_batch(numbers(), 4, true));
    ok(cohort_dataset_cardinality(d) == 8, "of whole batches they are known");
    cohort_dataset_destroy(d);
}

static char warning[300];
static int warnings;

static void hear(void *user, int level, const char *line)
{
    (void)user;
    warnings += level == COHORT_LOG_WARNING;
    (void)snprintf(warning, sizeof warning, "%s", line);
}

static bool gives(cohort_iterator *iterator, int64_t first, int64_t n)
{
    cohort_array out[2];
    bool is_good = iterator != NULL;
    for (int64_t i = 0; i < n && is_good; i++)
        is_good = cohort_iterator_next(iterator, out) == COHORT_OK &&
                  *(int64_t *)out[0].data == first + i;
    return is_good && cohort_iterator_next(iterator, out) == COHORT_END;
}

/* A handle that was given away works while anything made from it lives. */
static void test_given_away(void)
{
    cohort_dataset *d = numbers();
    cohort_iterator *train = cohort_dataset_iterate(cohort_dataset_take(d, 6));
    cohort_iterator *test = cohort_dataset_iterate(cohort_dataset_skip(d, 6));
    ok(gives(train, 0, 6) && gives(test, 6, 4), "take and skip of one dataset split it");
    ok(cohort_dataset_cardinality(d) == 10, "which can be looked at");
    cohort_iterator_destroy(train);
    cohort_iterator *all = cohort_dataset_iterate(d), *again = cohort_dataset_iterate(d);
    cohort_iterator_destroy(test);
    ok(gives(all, 0, 10), "and iterated, when one half is gone");
    cohort_iterator_destroy(all);
    ok(gives(again, 0, 10), "and again");
    ok(cohort_dataset_take(d, -5) == NULL && cohort_dataset_cardinality(d) == 10,
       "a call that fails takes nothing from who owns it");
    cohort_dataset *kept = cohort_dataset_share(d);
    cohort_iterator_destroy(again);
    ok(cohort_dataset_cardinality(kept) == 10, "shared, it is the program's again");
    cohort_dataset_destroy(kept);

    d = numbers();
    cohort_iterator *pairs =
        cohort_dataset_iterate(cohort_dataset_zip((cohort_dataset *[]){ d, d }, 2));
    ok(gives(pairs, 0, 10), "a dataset is zipped with itself");
    cohort_iterator_destroy(pairs);
    d = cohort_dataset_take(numbers(), 1);
    d = cohort_dataset_concatenate((cohort_dataset *[]){ d, d, d }, 3);
    ok(cohort_dataset_cardinality(d) == 3, "and put behind itself");
    cohort_dataset_destroy(d);
    d = numbers();
    ok(cohort_dataset_zip((cohort_dataset *[]){ d, NULL, d }, 3) == NULL,
       "and gone when that fails");

    d = numbers();
    cohort_dataset *half = cohort_dataset_auto_shard(d, 2, 1),
                   *whole = cohort_dataset_auto_shard(d, 1, 0);
    ok(whole == d && cohort_dataset_cardinality(half) == 5, "pipelines of one dataset");
    cohort_dataset_destroy(half);
    cohort_dataset_destroy(whole);

    cohort_log_set(hear, NULL, COHORT_LOG_WARNING);
    d = numbers();
    cohort_dataset *more = cohort_dataset_batch(d, 2, false);
    cohort_dataset_destroy(d);
    ok(warnings == 1 &&
           strstr(warning, "cohort_dataset_destroy: this dataset (range) was given away") != NULL,
       "destroying what was given away is a warning");
    ok(cohort_dataset_cardinality(more) == 5 && cohort_dataset_cardinality(d) == 10,
       "and nothing else");
    cohort_dataset_destroy(more);
    cohort_dataset_destroy(NULL);
    ok(warnings == 1, "what is the program's own goes without one");
    cohort_log_set(NULL, NULL, 0);
}

/* ---- Selections of a dataset that shuffles anew each time. */

static int is_even(const cohort_array element[], void *user)
{
    (void)user;
    return *(const int64_t *)element[0].data % 2 == 0;
}

static cohort_dataset *selected(int way, cohort_dataset *d)
{
    switch (way) {
    case 0:
        return cohort_dataset_take(d, 6);
    case 1:
        return cohort_dataset_skip(d, 6);
    case 2:
        return cohort_dataset_shard(d, 2, 1);
    default:
        return cohort_dataset_filter_with(d, is_even, NULL);
    }
}
enum { SELECTIONS = 4 };

/* What may stand between the shuffle and who selects. */
static cohort_dataset *between(int way, cohort_dataset *d)
{
    switch (way) {
    case 1:
        return cohort_dataset_batch(d, 1, false);
    case 2:
        return cohort_dataset_prefetch(cohort_dataset_repeat(d, 2), 2);
    case 3:
        return cohort_dataset_zip((cohort_dataset *[]){ d, numbers() }, 2);
    case 4:
        return cohort_dataset_concatenate((cohort_dataset *[]){ numbers(), d }, 2);
    case 5:
        return cohort_dataset_cache(d);
    case 6:
        return cohort_dataset_shuffle_once(d, 3, 1);
    case 7:
        return cohort_dataset_shuffle(d, 3, 5);
    case 8:
        return cohort_dataset_skip(d, 1);
    default:
        return d;
    }
}
enum { BETWEENS = 9 };

static bool says_leak(int way)
{
    static const char *const calls[] = { "cohort_dataset_take: ", "cohort_dataset_skip: ",
                                         "cohort_dataset_shard: ", "cohort_dataset_filter_with: " };
    const char *text = cohort_error_text();
    bool says = strncmp(text, calls[way], strlen(calls[way])) == 0 &&
                strstr(text, "cohort_dataset_shuffle_once") != NULL &&
                strstr(text, "cohort_dataset_split") != NULL && strstr(text, "seed 5") != NULL;
    if (!says)
        diag("the text is '%s'", text);
    return says;
}

static void test_leaks(void)
{
    for (int first = 0; first < SELECTIONS; first++)
        for (int second = 0; second < SELECTIONS; second++) {
            cohort_dataset *d = cohort_dataset_shuffle(numbers(), 10, 5), *one = selected(first, d);
            bool is_refused = one != NULL && selected(second, d) == NULL && says_leak(second);
            ok(is_refused && cohort_dataset_cardinality(d) == 10,
               "selections %d and %d of one shuffle that differs each time are refused", first,
               second);
            cohort_dataset_destroy(one);
        }
    for (int way = 0; way < BETWEENS; way++) {
        cohort_dataset *d = between(way, cohort_dataset_shuffle(numbers(), 10, 5));
        cohort_dataset *more = cohort_dataset_share(d), *one = selected(0, d);
        ok(selected(1, more) == NULL && says_leak(1), "also behind way %d", way);
        cohort_dataset_destroy(one);
    }
}

/* None of these has rows of the other. */
static void test_no_leaks(void)
{
    cohort_dataset *d = cohort_dataset_shuffle_once(numbers(), 10, 5),
                   *a = cohort_dataset_take(d, 6), *b = cohort_dataset_skip(d, 6);
    ok(a != NULL && b != NULL, "a shuffle in the same order each time is taken apart");
    cohort_dataset_destroy(a);
    cohort_dataset_destroy(b);
    d = cohort_dataset_shuffle(numbers(), 1, 5);
    a = cohort_dataset_take(d, 6);
    b = cohort_dataset_skip(d, 6);
    ok(a != NULL && b != NULL, "and a buffer of one, which leaves the order");
    cohort_dataset_destroy(a);
    cohort_dataset_destroy(b);
    d = numbers();
    a = cohort_dataset_shuffle(cohort_dataset_take(d, 6), 6, 5);
    b = cohort_dataset_shuffle(cohort_dataset_skip(d, 6), 4, 5);
    ok(a != NULL && b != NULL, "and what is shuffled behind");
    cohort_dataset_destroy(a);
    cohort_dataset_destroy(b);
    d = cohort_dataset_shuffle(numbers(), 10, 5);
    a = cohort_dataset_take(cohort_dataset_skip(cohort_dataset_shard(d, 2, 0), 1), 3);
    b = cohort_dataset_batch(d, 2, false);
    ok(a != NULL && b != NULL, "selections of selections are one chain, and no selection is none");
    cohort_dataset *top = cohort_dataset_filter_with(a, is_even, NULL);
    ok(top != NULL && cohort_dataset_take(a, 1) == NULL && says_leak(0),
       "and have one on top, not two");
    cohort_dataset *share = cohort_dataset_share(a);
    cohort_dataset_destroy(top);
    top = cohort_dataset_take(share, 1);
    ok(top != NULL && cohort_dataset_skip(d, 3) == NULL && says_leak(1),
       "one that is gone leaves the place to another, and those below stay");
    cohort_dataset_destroy(top);
    a = cohort_dataset_skip(d, 3);
    ok(a != NULL, "until all are gone");
    cohort_dataset_destroy(a);
    cohort_dataset_destroy(b);
    d = cohort_dataset_shuffle(numbers(), 10, 5);
    a = cohort_dataset_auto_shard(d, 2, 0);
    b = cohort_dataset_auto_shard(d, 2, 1);
    ok(a != NULL && b != NULL, "what two pipelines read is no split");
    cohort_dataset_destroy(a);
    cohort_dataset_destroy(b);
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_null();
    test_sources();
    test_order();
    test_stacking();
    test_padding();
    test_several();
    test_options();
    test_depth();
    test_owners();
    test_given_away();
    test_leaks();
    test_no_leaks();
    test_cardinality();
    ok(cohort_memory_blocks() == blocks, "nothing leaks");
    return tap_done();
}
