/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a dataset: what is refused, which elements are in which, and that they stay apart. */
#include "config.h"

#include <cohort/dataset.h>
#include <cohort/files.h>
#include <cohort/status.h>

#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 2000, MOST_PARTS = 5 };

/* ------------------------------------------------------------------ datasets of numbers */

static cohort_dataset *upto(int64_t n)
{
    return cohort_dataset_range(0, n, 1);
}

/* The same numbers in the same order, which can be had one after the other alone. */
static cohort_dataset *in_turn(int64_t n)
{
    return cohort_dataset_shuffle_once(upto(n), 1, 0);
}

typedef struct counter {
    int64_t end; /* COHORT_INFINITE: there is none */
    int64_t next[MOST_PARTS];
    int begun;
} counter;

static cohort_status begin(void **state, void *user)
{
    counter *c = user;
    *state = &c->next[c->begun++ % MOST_PARTS];
    *(int64_t *)*state = 0;
    return COHORT_OK;
}

static cohort_status count(cohort_array out[], void *state, void *user)
{
    const counter *c = user;
    int64_t *next = state;
    if (*next == c->end)
        return COHORT_END;
    *(int64_t *)out[0].data = (*next)++;
    return COHORT_OK;
}

/* Nobody knows how many. */
static cohort_dataset *counted(counter *c)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    const cohort_generator generator = { .begin = begin, .next = count, .user = c };
    return cohort_dataset_generator(&number, 1, &generator);
}

/* Every tenth number is refused. */
static cohort_status refuse_some(const cohort_array in[], cohort_array out[], void *user)
{
    (void)user;
    *(int64_t *)out[0].data = *(const int64_t *)in[0].data;
    return *(const int64_t *)in[0].data % 10 == 9
               ? cohort_error_set(COHORT_EINVAL, "a number that ends with 9")
               : COHORT_OK;
}

static cohort_dataset *bad(cohort_dataset *d)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    return cohort_dataset_map_with(d, &number, 1, refuse_some, NULL, 0);
}

/* ------------------------------------------------------------------ reading */

/* How often each number is in the parts, from an iterator of each. */
typedef struct seen {
    int times[MOST];
    int64_t n[MOST_PARTS];
    int part[MOST];
    bool is_good, is_ordered;
} seen;

static void read_part(cohort_iterator *it, int64_t most, int part, seen *s)
{
    cohort_array out[3];
    cohort_status status = COHORT_OK;
    int64_t last = -1;
    for (int64_t i = 0; i < most && (status = cohort_iterator_next(it, out)) == COHORT_OK; i++) {
        int64_t number = *(const int64_t *)out[0].data;
        s->is_good = s->is_good && number >= 0 && number < MOST;
        s->is_ordered = s->is_ordered && number > last;
        last = number;
        if (!s->is_good)
            return;
        s->times[number]++;
        s->part[number] = part;
        s->n[part]++;
    }
    s->is_good = s->is_good && status >= 0;
}

static seen read_parts(cohort_dataset *const parts[], int n, int64_t most)
{
    seen s = { .is_good = true, .is_ordered = true };
    for (int i = 0; i < n; i++) {
        cohort_iterator *it = cohort_dataset_iterate(parts[i]);
        s.is_good = s.is_good && it != NULL;
        if (it != NULL)
            read_part(it, most, i, &s);
        cohort_iterator_destroy(it);
    }
    return s;
}

static bool is_each_once(const seen *s, int64_t n)
{
    bool is = s->is_good;
    for (int64_t i = 0; i < MOST; i++)
        is = is && s->times[i] == (i < n);
    return is;
}

static seen split_and_read(cohort_dataset *d, int n, const double fractions[],
                           const cohort_split_options *options, int64_t most)
{
    cohort_dataset *parts[MOST_PARTS];
    if (cohort_dataset_split(d, n, fractions, options, parts) == COHORT_OK)
        return read_parts(parts, n, most);
    diag("%s", cohort_error_text());
    return (seen){ .is_good = false };
}

/* ------------------------------------------------------------------ what is refused */

static const double halves[2] = { 0.5, 0.5 };

static void refused(cohort_dataset *d, int n, const double fractions[],
                    const cohort_split_options *options, const char *text)
{
    cohort_dataset *parts[2] = { d, d };
    cohort_status status = cohort_dataset_split(d, n, fractions, options, parts);
    ok(status == COHORT_EINVAL && strstr(cohort_error_text(), "cohort_dataset_split: ") != NULL &&
           strstr(cohort_error_text(), text) != NULL && (n > 2 || parts[0] == NULL || n < 1) &&
           (n > 2 || parts[1] == NULL || n < 2),
       "refused: %s", text);
    if (strstr(cohort_error_text(), text) == NULL)
        diag("the text is '%s'", cohort_error_text());
}

static void test_refused(void)
{
    static const float x[4][2];
    cohort_split_options by = { 0 };
    cohort_dataset *part[2];
    refused(upto(9), 0, halves, NULL, "0 parts; 1 to 4096 are possible");
    refused(upto(9), -1, halves, NULL, "-1 parts");
    refused(upto(9), 5000, halves, NULL, "5000 parts");
    refused(upto(9), 2, NULL, NULL, "fractions");
    refused(upto(9), 2, (const double[]){ 0.5, -0.5 }, NULL, "fraction 1 is -0.5");
    refused(upto(9), 2, (const double[]){ (double)NAN, 1 }, NULL, "fraction 0 is");
    refused(upto(9), 2, (const double[]){ 1, HUGE_VAL }, NULL, "fraction 1 is inf");
    refused(upto(9), 2, (const double[]){ 0, 0 }, NULL, "add up to 0");
    refused(upto(9), 2, (const double[]){ 1e308, 1e308 }, NULL, "add up to inf");
    ok(cohort_dataset_split(upto(9), 2, halves, NULL, NULL) == COHORT_EINVAL &&
           strstr(cohort_error_text(), "parts") != NULL,
       "no list of parts is refused");
    ok(cohort_dataset_split(NULL, 2, halves, NULL, part) == COHORT_EINVAL && part[0] == NULL &&
           part[1] == NULL && cohort_dataset_batch(part[0], 2, false) == NULL &&
           strstr(cohort_error_text(), "because of an earlier error: cohort_dataset_split: ") !=
               NULL,
       "NULL passes through with its reason");
    by.by = (cohort_split_by)7;
    refused(upto(9), 2, halves, &by, "by 7 is none of");
    by = (cohort_split_options){ .reserved = { &by } };
    refused(upto(9), 2, halves, &by, "reserved word 0");
    by = (cohort_split_options){ .by = COHORT_SPLIT_BY_KEY, .key = 1 };
    refused(upto(9), 2, halves, &by, "key 1; the elements have components 0 to 0");
    by.key = -1;
    refused(upto(9), 2, halves, &by, "key -1");
    by.key = 0;
    refused(cohort_dataset_slices(1, &COHORT_ARRAY(&x[0][0], 4, 2)), 2, halves, &by,
            "numbers with a fraction");
    refused(cohort_dataset_batch(upto(9), 3, false), 2, halves, &by, "a batch of 3 rows");
}

/* What would not stay apart. */
static void test_not_apart(void)
{
    cohort_split_options by = { 0 };
    counter c = { .end = 9 };
    for (int way = 0; way < 3; way++) {
        by.by = (cohort_split_by)way;
        refused(cohort_dataset_shuffle(upto(9), 9, 1), 2, halves, &by,
                "cohort_dataset_shuffle_once");
        refused(cohort_dataset_batch(cohort_dataset_unbatch(cohort_dataset_batch(
                                         cohort_dataset_shuffle(upto(9), 9, 1), 2, false)),
                                     1, false),
                2, halves, &by, way == 2 ? "a batch of 1" : "cohort_dataset_shuffle_once");
        refused(cohort_dataset_shard(upto(9), COHORT_NUM_PIPELINES, 0), 2, halves, &by,
                "COHORT_NUM_PIPELINES");
    }
    by.by = COHORT_SPLIT_BY_ROWS;
    refused(cohort_dataset_repeat(upto(9), 2), 2, halves, &by, "repeats its elements");
    refused(cohort_dataset_prefetch(cohort_dataset_repeat(upto(9), COHORT_INFINITE), 1), 2, halves,
            &by, "repeats its elements");
    by.by = COHORT_SPLIT_BY_BLOCKS;
    refused(cohort_dataset_repeat(upto(9), 2), 2, halves, &by, "repeats its elements");
    refused(counted(&c), 2, halves, &by, "an unknown number of elements");
}

/* ------------------------------------------------------------------ how many */

static int64_t floor_of(int64_t all, int numerator, int denominator)
{
    return all * numerator / denominator;
}

/* Weights that are whole numbers, so that the rule is whole numbers' too. */
static bool has_sizes(int64_t n, int parts, const int weights[], cohort_split_by way)
{
    double fractions[MOST_PARTS];
    cohort_dataset *part[MOST_PARTS];
    const cohort_split_options by = { .by = way, .seed = 3 };
    int before = 0, sum = 0;
    bool is_good = true;
    for (int i = 0; i < parts; i++)
        sum += weights[i];
    for (int i = 0; i < parts; i++)
        fractions[i] = weights[i] / 100.0;
    is_good = cohort_dataset_split(upto(n), parts, fractions, &by, part) == COHORT_OK;
    for (int i = 0; i < parts && is_good; i++) {
        int64_t size = floor_of(n, before + weights[i], sum) - floor_of(n, before, sum);
        before += weights[i];
        is_good = cohort_dataset_cardinality(part[i]) == size;
        if (!is_good)
            diag("part %d of %lld has %lld, not %lld", i, (long long)n,
                 (long long)cohort_dataset_cardinality(part[i]), (long long)size);
    }
    seen s = read_parts(part, parts, INT64_MAX);
    return is_good && is_each_once(&s, n) && s.is_ordered;
}

static void test_sizes(void)
{
    static const struct {
        int parts, weights[MOST_PARTS];
    } splits[] = { { 1, { 7 } },       { 2, { 80, 20 } },         { 2, { 29, 71 } },
                   { 3, { 1, 1, 1 } }, { 3, { 70, 15, 15 } },     { 4, { 0, 3, 0, 7 } },
                   { 3, { 0, 0, 5 } }, { 3, { 5, 0, 0 } },        { 5, { 1, 2, 3, 4, 5 } },
                   { 2, { 1, 99 } },   { 5, { 35, 1, 7, 57, 0 } } };
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++)
        for (int way = COHORT_SPLIT_BY_ROWS; way <= (int)COHORT_SPLIT_BY_BLOCKS; way++) {
            bool is_good = true;
            for (int64_t n = 0; n < 120 && is_good; n++)
                is_good = has_sizes(n, splits[i].parts, splits[i].weights, (cohort_split_by)way);
            ok(is_good, "split %d by %s: each element in one part, as many as the rule says",
               (int)i, way == 0 ? "rows" : "blocks");
        }
    cohort_dataset *part[2];
    ok(cohort_dataset_split(upto(1797), 2, (const double[]){ 0.8, 0.2 }, NULL, part) == COHORT_OK &&
           cohort_dataset_cardinality(part[0]) == 1437 &&
           cohort_dataset_cardinality(part[1]) == 360,
       "0.8 and 0.2 of 1797 are 1437 and 360");
    cohort_dataset_destroy(part[0]);
    cohort_dataset_destroy(part[1]);
}

/* More than any list has room for, of which blocks need none. */
static void test_many(void)
{
    cohort_dataset *part[2];
    cohort_split_options by = { .by = COHORT_SPLIT_BY_ROWS };
    ok(cohort_dataset_split(upto(INT64_MAX), 2, halves, &by, part) == COHORT_ENOMEM &&
           part[0] == NULL && strstr(cohort_error_text(), "memory") != NULL,
       "no room for the numbers of all elements is an error");
    by.by = COHORT_SPLIT_BY_BLOCKS;
    ok(cohort_dataset_split(upto(INT64_MAX), 2, halves, &by, part) == COHORT_OK,
       "blocks take none");
    cohort_iterator *it = cohort_dataset_iterate(part[1]);
    cohort_array out[1];
    ok(cohort_iterator_next(it, out) == COHORT_OK &&
           *(const int64_t *)out[0].data == cohort_dataset_cardinality(part[0]),
       "and one begins where the other ends");
    cohort_iterator_destroy(it);
    cohort_dataset_destroy(part[0]);
}

/* ------------------------------------------------------------------ which */

static bool is_same(const seen *a, const seen *b, int64_t n)
{
    return a->is_good && b->is_good && memcmp(a->part, b->part, (size_t)n * sizeof *a->part) == 0;
}

static void test_rows(void)
{
    static const double parts[3] = { 0.6, 0.3, 0.1 };
    const cohort_split_options seven = { .seed = 7 }, eight = { .seed = 8 };
    char text[80] = "";
    seen a = split_and_read(upto(500), 3, parts, &seven, INT64_MAX),
         b = split_and_read(in_turn(500), 3, parts, &seven, INT64_MAX),
         other = split_and_read(upto(500), 3, parts, &eight, INT64_MAX);
    ok(is_each_once(&b, 500) && is_same(&a, &b, 500),
       "parts are the same where elements can be had one after the other alone");
    ok(is_each_once(&other, 500) && !is_same(&a, &other, 500), "and others with another seed");
    seen few = split_and_read(upto(20), 3, parts, &seven, INT64_MAX);
    for (int i = 0; i < 20; i++)
        text[i] = (char)('0' + few.part[i]);
    is_text(text, "00010200001010112010", "on every machine");
    counter c = { .end = 1000 };
    a = split_and_read(counted(&c), 3, parts, &seven, INT64_MAX);
    b = split_and_read(counted(&c), 3, parts, &seven, INT64_MAX);
    ok(is_each_once(&a, 1000) && is_same(&a, &b, 1000) && a.is_ordered,
       "of an unknown number each is in one part");
    ok(llabs((long long)a.n[0] - 600) < 60 && llabs((long long)a.n[1] - 300) < 60,
       "which has about as many as it is to have: %lld, %lld, %lld", (long long)a.n[0],
       (long long)a.n[1], (long long)a.n[2]);
    c.end = COHORT_INFINITE;
    a = split_and_read(counted(&c), 3, parts, &seven, 60);
    ok(a.is_good && a.n[0] == 60 && a.n[1] == 60 && a.n[2] == 60, "of data without end, too");
    b.is_good = true;
    for (int i = 0; i < MOST; i++)
        b.is_good = b.is_good && a.times[i] <= 1 && (a.times[i] == 0 || a.part[i] == b.part[i]);
    ok(b.is_good, "in which the first elements are where they would be without the others");
    a = split_and_read(counted(&c), 2, (const double[]){ 0, 1 }, &seven, 60);
    ok(a.is_good && a.n[0] == 0 && a.n[1] == 60, "a part of nothing ends at once");
}

static void test_blocks(void)
{
    const cohort_split_options by = { .by = COHORT_SPLIT_BY_BLOCKS };
    static const double parts[3] = { 0.6, 0.3, 0.1 };
    seen a = split_and_read(upto(50), 3, parts, &by, INT64_MAX),
         b = split_and_read(in_turn(50), 3, parts, &by, INT64_MAX);
    bool is_good = is_each_once(&a, 50) && is_each_once(&b, 50) && is_same(&a, &b, 50);
    for (int i = 0; i < 50; i++)
        is_good = is_good && a.part[i] == (i >= 30) + (i >= 45);
    ok(is_good, "blocks lie one behind the other");
}

/* Rows of people, of whom each has several, here and there. */
static void test_keys(void)
{
    enum { ROWS = 400, PEOPLE = 40 };
    static int64_t number[ROWS];
    static int32_t person[ROWS];
    static uint8_t name[ROWS][6];
    static const double parts[3] = { 2, 1, 1 };
    for (int i = 0; i < ROWS; i++) {
        number[i] = i;
        person[i] = (i * 7 + i / 50) % PEOPLE - 3;
        name[i][0] = (uint8_t)(person[i] + 7);
    }
    const cohort_array arrays[] = { COHORT_ARRAY(number, ROWS), COHORT_ARRAY(person, ROWS),
                                    COHORT_ARRAY(&name[0][0], ROWS, 6) };
    for (int key = 1; key <= 2; key++) {
        int where[PEOPLE], used[3] = { 0 };
        bool is_together = true;
        const cohort_split_options by = { .by = COHORT_SPLIT_BY_KEY, .key = key, .seed = 5 };
        seen a = split_and_read(cohort_dataset_slices(3, arrays), 3, parts, &by, INT64_MAX),
             b = split_and_read(
                 cohort_dataset_shuffle_once(cohort_dataset_slices(3, arrays), 90, 2), 3, parts,
                 &by, INT64_MAX);
        for (int i = 0; i < PEOPLE; i++)
            where[i] = -1;
        for (int i = 0; i < ROWS; i++) {
            int who = person[i] + 3;
            is_together = is_together && (where[who] < 0 || where[who] == a.part[i]);
            where[who] = a.part[i];
            used[a.part[i]]++;
        }
        ok(is_each_once(&a, ROWS) && a.is_ordered && is_together && used[0] > 0 && used[1] > 0 &&
               used[2] > 0,
           "rows of one key (%s) are in one part", key == 1 ? "a number" : "a text");
        ok(is_each_once(&b, ROWS) && is_same(&a, &b, ROWS), "also in another order");
        seen c = split_and_read(cohort_dataset_repeat(cohort_dataset_slices(3, arrays), 2), 3,
                                parts, &by, INT64_MAX);
        c.is_good = c.is_good && is_same(&a, &c, ROWS);
        for (int i = 0; i < ROWS; i++)
            c.is_good = c.is_good && c.times[i] == 2;
        ok(c.is_good, "and as often as they come");
    }
}

/* ------------------------------------------------------------------ they stay apart */

/* Epochs of what people do with parts; numbers of one may not be in the other. */
static cohort_dataset *used(int way, cohort_dataset *d)
{
    switch (way) {
    case 1:
        return cohort_dataset_take(cohort_dataset_shuffle(d, 100, 3), 20);
    case 2:
        return cohort_dataset_shuffle(cohort_dataset_skip(d, 3), 100, 4);
    case 3:
        return cohort_dataset_unbatch(
            cohort_dataset_batch(cohort_dataset_shuffle(d, 9, 1), 7, false));
    case 4:
        return cohort_dataset_prefetch(cohort_dataset_repeat(d, 2), 4);
    case 5:
        return cohort_dataset_unbatch(cohort_dataset_batch(d, 16, true));
    case 6:
        return cohort_dataset_shard(cohort_dataset_cache(d), 3, 1);
    default:
        return cohort_dataset_shuffle(d, 100, 3);
    }
}
enum { USES = 7 };

static bool stay_apart(cohort_dataset *d, cohort_split_by way, int first, int second)
{
    const cohort_split_options by = { .by = way, .seed = 11 };
    cohort_dataset *part[2];
    cohort_iterator *it[2] = { NULL, NULL };
    bool is_good = cohort_dataset_split(d, 2, (const double[]){ 0.7, 0.3 }, &by, part) == COHORT_OK;
    if (!is_good)
        return false;
    it[0] = cohort_dataset_iterate(used(first, part[0]));
    it[1] = cohort_dataset_iterate(used(second, part[1]));
    seen s[2] = { { .is_good = true }, { .is_good = true } };
    for (int epoch = 0; epoch < 3; epoch++)
        for (int i = 0; i < 2; i++) {
            read_part(it[i], INT64_MAX, 0, &s[i]);
            is_good = is_good && cohort_iterator_restart(it[i]) == COHORT_OK;
        }
    is_good = is_good && s[0].is_good && s[1].is_good && s[0].n[0] > 0 && s[1].n[0] > 0;
    for (int i = 0; i < MOST; i++)
        is_good = is_good && (s[0].times[i] == 0 || s[1].times[i] == 0);
    cohort_iterator_destroy(it[0]);
    cohort_iterator_destroy(it[1]);
    return is_good;
}

static void test_apart(void)
{
    static const char *const names[] = { "rows", "blocks", "key" };
    for (int way = 0; way < 3; way++) {
        bool is_good = true;
        for (int first = 0; first < USES; first++)
            for (int second = 0; second < USES && is_good; second++)
                is_good = stay_apart(upto(200), (cohort_split_by)way, first, second) &&
                          stay_apart(in_turn(200), (cohort_split_by)way, first, second);
        ok(is_good, "by %s: in no epoch has a part an element of another", names[way]);
    }
}

/* An element that cannot be read has its place all the same: in neither part do others move. */
static void test_bad_elements(void)
{
    static const char *const names[] = { "rows", "blocks", "key" };
    for (int way = 0; way < 3; way++)
        for (int source = 0; source < 3; source++) {
            counter c = { .end = 200 };
            const cohort_split_options by = { .by = (cohort_split_by)way, .seed = 2 };
            cohort_dataset *part[2], *d = source == 0   ? upto(200)
                                          : source == 1 ? in_turn(200)
                                                        : counted(&c);
            if (source == 2 && way == COHORT_SPLIT_BY_BLOCKS) {
                cohort_dataset_destroy(d);
                continue;
            }
            bool is_good = cohort_dataset_split(bad(d), 2, halves, &by, part) == COHORT_OK;
            for (int i = 0; i < 2 && is_good; i++)
                part[i] = cohort_dataset_ignore_errors(part[i], NULL);
            seen s = read_parts(part, 2, INT64_MAX);
            for (int i = 0; i < 200; i++)
                s.is_good = s.is_good && s.times[i] == (i % 10 != 9);
            ok(is_good && s.is_good, "by %s: elements that are errors move no others (%d)",
               names[way], source);
        }
}

/* ------------------------------------------------------------------ owners, looking, pipelines */

static void test_owners(void)
{
    cohort_dataset *part[2], *d = upto(10), *kept = cohort_dataset_share(d);
    ok(cohort_dataset_split(d, 2, halves, NULL, part) == COHORT_OK &&
           cohort_dataset_cardinality(kept) == 10,
       "a dataset is taken, and its other owners stay");
    cohort_dataset_destroy(part[1]);
    seen s = read_parts(part, 1, INT64_MAX);
    ok(s.is_good && s.n[0] == 5, "a part is there without the others");
    ok(cohort_dataset_split(kept, 2, (const double[]){ -1, 2 }, NULL, part) == COHORT_EINVAL &&
           part[0] == NULL,
       "a split that fails gives up what it was given");
    ok(cohort_dataset_split(upto(12), 2, (const double[]){ 3, 1 }, NULL, part) == COHORT_OK,
       "a part may be split itself");
    cohort_dataset *quarter[3];
    ok(cohort_dataset_split(part[0], 2, (const double[]){ 2, 1 }, NULL, quarter) == COHORT_OK,
       "so");
    quarter[2] = part[1];
    s = read_parts(quarter, 3, INT64_MAX);
    ok(is_each_once(&s, 12) && s.n[0] == 6 && s.n[1] == 3 && s.n[2] == 3, "and all stay apart");
    d = upto(1000);
    const cohort_split_options by = { .by = COHORT_SPLIT_BY_BLOCKS };
    ok(cohort_dataset_split(d, 2, (const double[]){ 0.8, 0.2 }, &by, part) == COHORT_OK, "looking");
    has_text(cohort_dataset_describe(part[1]), "split part 1 of 2, 800 to 1000 of 1000, by blocks",
             "a part says what it is");
    cohort_dataset_destroy(part[0]);
    cohort_dataset_destroy(part[1]);
}

static int warnings;

static void hear(void *user, int level, const char *text)
{
    (void)user;
    warnings += level == COHORT_LOG_WARNING && strstr(text, "cohort_dataset_split") != NULL;
}

/* Where pipelines had files of their own, number 5 of one would be another row than of all. */
static void test_pipelines(void)
{
    char name[2][32] = { "split-XXXXXX", "split-XXXXXX" };
    const char *const files[2] = { name[0], name[1] };
    for (int i = 0; i < 2; i++) {
        int fd = mkstemp(name[i]);
        ok(fd >= 0 && write(fd, "a\nb\nc\n", 6) == 6, "a file");
        (void)close(fd);
    }
    cohort_log_set(hear, NULL, COHORT_LOG_WARNING);
    for (int way = 0; way < 3; way++) {
        const cohort_split_options by = { .by = (cohort_split_by)way };
        const cohort_dataset_options file = { .auto_shard = COHORT_SHARD_FILE };
        cohort_dataset *part[2], *d = cohort_dataset_text(files, 2);
        if (way == COHORT_SPLIT_BY_BLOCKS) {
            cohort_dataset_destroy(d);
            d = cohort_dataset_records(files, 2, 2, 0, 0);
        }
        bool is_split = cohort_dataset_split(d, 2, halves, &by, part) == COHORT_OK;
        cohort_dataset *forced =
            cohort_dataset_auto_shard(cohort_dataset_with_options(part[0], &file), 2, 0);
        cohort_dataset *shard = cohort_dataset_auto_shard(part[1], 2, 0);
        if (way == COHORT_SPLIT_BY_KEY)
            ok(is_split && forced != NULL && shard != NULL,
               "by key: files may be shared out among pipelines");
        else
            ok(is_split && forced == NULL && shard != NULL && warnings == way + 1,
               "way %d: files below parts are not shared out, which is said", way);
        cohort_dataset_destroy(forced);
        cohort_dataset_destroy(shard);
    }
    cohort_log_set(NULL, NULL, 0);
    for (int i = 0; i < 2; i++)
        (void)unlink(name[i]);
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_refused();
    test_not_apart();
    test_sizes();
    test_many();
    test_rows();
    test_blocks();
    test_keys();
    test_apart();
    test_bad_elements();
    test_owners();
    test_pipelines();
    ok(cohort_memory_blocks() == blocks, "nothing leaks");
    return tap_done();
}
