/* SPDX-License-Identifier: BSD-3-Clause */
/* tf.Example: what cannot be asked for, what TensorFlow wrote and reads, records that are cut, and
 * numbers that their dtype does not hold. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/data/format/example.h"
#include "runtime/data/format/tfrecord.h"

#include "tests/core.h"
#include "tests/files.h"

#include <math.h>

enum { MOST_BYTES = 8192, MOST_VALUES = 1024 };

/* What is in a record of a file: floats in C's hexadecimal, integers, strings in hexadecimal with
 * "-" for none. */
static const struct {
    const char *file;
    int record;
    const char *name;
    char kind;
    int count;
    const char *values;
} cases[] = {
#define CASES_OF_VALUES
#include "tests/data/records/cases.h"
#undef CASES_OF_VALUES
};
enum { N_CASES = sizeof cases / sizeof *cases };

static uint8_t record[MOST_BYTES];
static size_t record_bytes;

/* Record number i of a file goes to `record`. */
static bool load(const char *file, int i)
{
    cohort_bytes *bytes = NULL;
    const uint8_t *data = NULL;
    int64_t skipped = 0;
    bool can_go_on;
    bool is_good =
        cohort_tfrecord_open(files_data("records", file), &bytes) == COHORT_OK &&
        cohort_tfrecord_skip(bytes, true, i, &skipped) == COHORT_OK &&
        cohort_tfrecord_next(bytes, true, &data, &record_bytes, &can_go_on) == COHORT_OK &&
        record_bytes <= sizeof record;
    if (is_good && record_bytes > 0)
        memcpy(record, data, record_bytes);
    cohort_bytes_close(bytes);
    return is_good;
}

/* ---- One feature of a record at a time */

static double values[MOST_VALUES]; /* room for any dtype, aligned */
static cohort_array array;
static size_t needed;

static cohort_status decode(const cohort_feature *feature, size_t room)
{
    array = (cohort_array){ .data = values };
    memset(values, 0x55, sizeof values);
    return cohort_example_decode(record, record_bytes, feature, 1, &array, &room, &needed, "here");
}

static cohort_status ask(const char *name, cohort_dtype dtype, int rank, int64_t extent)
{
    cohort_feature feature = { .name = name, .dtype = dtype, .rank = rank, .shape = { extent } };
    return decode(&feature, sizeof values);
}

static bool is_value(cohort_dtype dtype, int i, const char *token)
{
    switch (dtype) {
    case COHORT_F32:
        return (double)((const float *)(const void *)values)[i] == strtod(token, NULL);
    case COHORT_F64:
        return values[i] == strtod(token, NULL);
    default:
        return ((const int64_t *)(const void *)values)[i] == strtoll(token, NULL, 10);
    }
}

static bool has_values(cohort_dtype dtype, const char *tokens, int count)
{
    for (int i = 0; i < count; i++) {
        if (!is_value(dtype, i, tokens))
            return false;
        tokens += strcspn(tokens, " ");
        tokens += *tokens == ' ' ? 1 : 0;
    }
    return *tokens == '\0';
}

static bool is_case(int i, cohort_dtype dtype)
{
    return ask(cases[i].name, dtype, 1, -1) == COHORT_OK && array.dtype == dtype &&
           array.rank == 1 && array.shape[0] == cases[i].count &&
           has_values(dtype, cases[i].values, cases[i].count);
}

static bool is_string_case(int i)
{
    static uint8_t wanted[MOST_BYTES];
    if (cases[i].count != 1)
        return ask(cases[i].name, COHORT_U8, 1, -1) == COHORT_EINVAL &&
               strstr(cohort_error_text(), "strings, and exactly 1 can be read") != NULL;
    size_t n = *cases[i].values == '-'
                   ? 0
                   : files_from_hex(cases[i].values, strlen(cases[i].values), wanted);
    return ask(cases[i].name, COHORT_U8, 1, -1) == COHORT_OK && array.shape[0] == (int64_t)n &&
           memcmp(values, wanted, n) == 0;
}

static void test_cases(void)
{
    for (int i = 0; i < N_CASES; i++) {
        bool is_good = load(cases[i].file, cases[i].record);
        if (cases[i].kind == 'b')
            is_good = is_good && is_string_case(i);
        else if (cases[i].kind == 'i')
            is_good = is_good && is_case(i, COHORT_I64) &&
                      ask(cases[i].name, COHORT_F32, 1, -1) == COHORT_EINVAL;
        else
            is_good = is_good && is_case(i, COHORT_F32) && is_case(i, COHORT_F64);
        ok(is_good, "%s, record %d: '%s'", cases[i].file, cases[i].record, cases[i].name);
    }
}

/* ---- What is refused */

static const struct {
    const char *what;
    cohort_feature feature;
    const char *text;
} refused[] = {
    { "a name that is not there",
      { "none", COHORT_F32, 0, { 0 }, false, 0 },
      "'none' is not in the record" },
    { "an open extent of what is missing",
      { "none", COHORT_F32, 1, { -1 }, true, 0 },
      "how long extent 0 is" },
    { "a default that is no int8",
      { "none", COHORT_I8, 0, { 0 }, true, 128 },
      "the default of feature 'none'" },
    { "a default with a fraction",
      { "none", COHORT_I8, 0, { 0 }, true, 0.5 },
      "the default of feature 'none'" },
    { "integers as floats",
      { "label", COHORT_F32, 0, { 0 }, false, 0 },
      "has 1 integers, which cannot become float32" },
    { "floats as integers",
      { "weight", COHORT_I64, 0, { 0 }, false, 0 },
      "has 1 floats, which cannot become int64" },
    { "floats as bytes",
      { "weight", COHORT_U8, 1, { -1 }, false, 0 },
      "has 1 floats, which cannot become uint8" },
    { "bytes as integers",
      { "image", COHORT_I8, 1, { 28 }, false, 0 },
      "has 1 strings, which cannot become int8" },
    { "fewer than there are",
      { "image", COHORT_U8, 1, { 27 }, false, 0 },
      "has 28 elements, and its shape takes 27" },
    { "more than there are",
      { "label", COHORT_I32, 1, { 2 }, false, 0 },
      "has 1 elements, and its shape takes 2" },
    { "one of many",
      { "image", COHORT_U8, 0, { 0 }, false, 0 },
      "has 28 elements, and its shape takes 1" },
    { "no multiple",
      { "image", COHORT_U8, 2, { -1, 3 }, false, 0 },
      "which are no multiple of the 3" },
    { "an open extent beside 0",
      { "image", COHORT_U8, 2, { -1, 0 }, false, 0 },
      "which are no multiple of the 0" },
    { "two open extents", { "image", COHORT_U8, 2, { -1, -1 }, false, 0 }, "extent -1 at axis 1" },
    { "a negative extent", { "image", COHORT_U8, 1, { -2 }, false, 0 }, "extent -2 at axis 0" },
    { "extents that overflow",
      { "image", COHORT_U8, 2, { INT64_MAX, 2 }, false, 0 },
      "fit 63 bits" },
    { "bytes that overflow",
      { "none", COHORT_F64, 1, { INT64_MAX / 2 }, true, 0 },
      "which pass 63 bits" },
    { "nine axes", { "image", COHORT_U8, 9, { 1 }, false, 0 }, "has rank 9" },
    { "a negative rank", { "image", COHORT_U8, -1, { 1 }, false, 0 }, "has rank -1" },
    { "float16", { "weight", COHORT_F16, 0, { 0 }, false, 0 }, "is to be float16" },
    { "structs", { "none", COHORT_RECORD, 0, { 0 }, true, 0 }, "is to be struct" },
};

static void test_refused(void)
{
    ok(load("examples.tfrecord", 0), "a record with image, label and weight");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (ok(decode(&refused[i].feature, sizeof values) == COHORT_EINVAL, "refused: %s",
               refused[i].what))
            has_text(cohort_error_text(), refused[i].text, "because of: %s", refused[i].text);
        ok(strstr(cohort_error_text(), "here: ") == cohort_error_text() && needed <= sizeof values,
           "said by whom");
    }
}

static void test_many(void)
{
    static cohort_feature features[COHORT_LIMIT_COMPONENTS + 1];
    static cohort_array arrays[COHORT_LIMIT_COMPONENTS + 1];
    static size_t room[COHORT_LIMIT_COMPONENTS + 1], all[COHORT_LIMIT_COMPONENTS + 1];
    static int32_t labels[COHORT_LIMIT_COMPONENTS + 1];
    bool is_same = true;
    for (int i = 0; i <= COHORT_LIMIT_COMPONENTS; i++) {
        features[i] = (cohort_feature){ .name = "label", .dtype = COHORT_I32 };
        arrays[i].data = &labels[i];
        room[i] = sizeof *labels;
    }
    ok(load("examples.tfrecord", 0), "a record");
    ok(cohort_example_decode(record, record_bytes, features, COHORT_LIMIT_COMPONENTS + 1, arrays,
                             room, all, "here") == COHORT_EINVAL,
       "more features than an element can have components");
    has_text(cohort_error_text(), "65 features are asked for; at most 64 can be", "are refused");
    ok(cohort_example_decode(record, record_bytes, features, COHORT_LIMIT_COMPONENTS, arrays, room,
                             all, "here") == COHORT_OK,
       "as many as it can have");
    for (int i = 0; i < COHORT_LIMIT_COMPONENTS; i++)
        is_same = is_same && labels[i] == 7 && all[i] == sizeof *labels;
    ok(is_same, "all get their value, also when it is the same");
    ok(cohort_example_decode(record, record_bytes, features, 0, arrays, room, all, "here") ==
           COHORT_OK,
       "none is fine");
}

static void test_room(void)
{
    cohort_feature features[] = {
        { .name = "label", .dtype = COHORT_I64 },
        { .name = "image", .dtype = COHORT_U8, .rank = 2, .shape = { 4, -1 } },
        { .name = "none",
          .dtype = COHORT_F64,
          .rank = 1,
          .shape = { 3 },
          .has_absent = true,
          .absent = -1.5 }
    };
    int64_t label = -5;
    uint8_t image[28] = { 0 };
    double none[3] = { 0 };
    cohort_array arrays[] = { { .data = &label }, { .data = image }, { .data = none } };
    size_t room[] = { sizeof label, sizeof image - 1, sizeof none }, all[3];
    ok(load("examples.tfrecord", 0), "a record");
    ok(cohort_example_decode(record, record_bytes, features, 3, arrays, room, all, "here") ==
           COHORT_EINVAL,
       "one byte of room too few");
    has_text(cohort_error_text(),
             "feature 'image' has 28 bytes of elements, and there is room for 27", "is refused");
    ok(all[0] == 8 && all[1] == 28 && all[2] == 24, "and what each takes is said");
    ok(label == -5 && none[0] == 0, "while nothing is written");
    room[1]++;
    ok(cohort_example_decode(record, record_bytes, features, 3, arrays, room, all, "here") ==
           COHORT_OK,
       "enough room");
    ok(label == 7 && image[27] == 27 && arrays[1].shape[0] == 4 && arrays[1].shape[1] == 7 &&
           arrays[1].rank == 2,
       "fills in values and the open extent");
    ok(none[0] == -1.5 && none[2] == -1.5 && arrays[2].shape[0] == 3,
       "and the default for what is missing");
}

/* ---- Numbers and dtypes; the record has 0 1 -1 127 128 255 256 and the extremes of int64. */

static void put_integer(int64_t number)
{
    static const uint8_t head[] = {
        0x0a, 22, 0x0a, 20, 0x0a, 1, 'n', 0x12, 15, 0x1a, 13, 0x0a, 11
    };
    uint64_t rest = (uint64_t)number;
    memcpy(record, head, sizeof head);
    record_bytes = sizeof head;
    record[record_bytes++] = 0; /* one element before it */
    for (int i = 0; i < 10; i++, rest >>= 7)
        record[record_bytes++] = (uint8_t)((rest & 0x7f) | (i < 9 ? 0x80 : 0));
}

static const struct {
    cohort_dtype dtype;
    int64_t least, most;
} ranges[] = { { COHORT_BOOL, 0, 1 },         { COHORT_I8, INT8_MIN, INT8_MAX },
               { COHORT_U8, 0, UINT8_MAX },   { COHORT_I16, INT16_MIN, INT16_MAX },
               { COHORT_U16, 0, UINT16_MAX }, { COHORT_I32, INT32_MIN, INT32_MAX },
               { COHORT_U32, 0, UINT32_MAX }, { COHORT_I64, INT64_MIN, INT64_MAX },
               { COHORT_U64, 0, INT64_MAX } };

static bool is_kept(cohort_dtype dtype, int64_t number)
{
    int64_t found = number < 0 ? -1 : 0;
    size_t width = (size_t)cohort_dtype_bytes(dtype);
    const uint16_t one = 1;
    const uint8_t *at = (const uint8_t *)values + width;
    put_integer(number);
    if (ask("n", dtype, 1, -1) != COHORT_OK || array.shape[0] != 2)
        return false;
    memcpy((uint8_t *)&found + (*(const uint8_t *)&one == 1 ? 0 : sizeof found - width), at, width);
    return found == number;
}

static bool is_too_much(cohort_dtype dtype, int64_t number)
{
    put_integer(number);
    return ask("n", dtype, 1, -1) == COHORT_EINVAL &&
           strstr(cohort_error_text(), "here: feature 'n': byte 13 of the record: ") != NULL &&
           strstr(cohort_error_text(), cohort_dtype_name(dtype)) != NULL;
}

static void test_ranges(void)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const char *name = cohort_dtype_name(ranges[i].dtype);
        ok(is_kept(ranges[i].dtype, ranges[i].least) && is_kept(ranges[i].dtype, ranges[i].most),
           "extremes of %s", name);
        if (ranges[i].least > INT64_MIN)
            ok(is_too_much(ranges[i].dtype, ranges[i].least - 1), "one less is no %s", name);
        if (ranges[i].most < INT64_MAX)
            ok(is_too_much(ranges[i].dtype, ranges[i].most + 1), "one more is no %s", name);
    }
    ok(ask("n", COHORT_I64, 1, -1) == COHORT_OK, "a number of ten bytes");
    record[record_bytes - 1] = 2;
    ok(ask("n", COHORT_I64, 1, -1) == COHORT_EINVAL, "of 65 bits is refused");
    has_text(cohort_error_text(), "byte 14 of the record: a number of more than 64 bits",
             "where it is");
    record[record_bytes - 1] = 0x81;
    ok(ask("n", COHORT_I64, 1, -1) == COHORT_EINVAL, "one that does not end is refused");
}

static void test_missing_kinds(void)
{
    cohort_feature feature = { .name = "n",
                               .dtype = COHORT_BOOL,
                               .rank = 1,
                               .shape = { 2 },
                               .has_absent = true,
                               .absent = 1 };
    static const uint8_t without_list[] = { 0x0a, 7, 0x0a, 5, 0x0a, 1, 'n', 0x12, 0 };
    memcpy(record, without_list, record_bytes = sizeof without_list);
    ok(decode(&feature, sizeof values) == COHORT_OK && ((const uint8_t *)values)[1] == 1,
       "a feature of no kind is missing");
    ok(ask("n", COHORT_I64, 1, -1) == COHORT_EINVAL, "and needs a default");
    record_bytes = 0;
    ok(decode(&feature, sizeof values) == COHORT_OK && ((const uint8_t *)values)[0] == 1,
       "as it is in an empty record");
    feature.dtype = COHORT_F32;
    feature.absent = (double)NAN;
    ok(decode(&feature, sizeof values) == COHORT_OK &&
           isnan(((const float *)(const void *)values)[1]),
       "NaN may be it");
    ok(load("examples.tfrecord", 3) && ask("empty f", COHORT_F32, 1, -1) == COHORT_OK &&
           array.shape[0] == 0,
       "an empty list is a value of no elements");
    feature.name = "empty f";
    ok(decode(&feature, sizeof values) == COHORT_EINVAL, "for which no default is taken");
}

/* ---- Damage */

static cohort_status count_value(const char *name, size_t name_bytes, char kind, int64_t count,
                                 int64_t size, void *user)
{
    (void)name;
    *(int64_t *)user += (int64_t)name_bytes + kind + count + size;
    return COHORT_OK;
}

static void test_cuts_and_flips(void)
{
    bool is_refused = true, is_harmless = true;
    int64_t sum = 0;
    ok(load("examples.tfrecord", 2), "a record of all kinds");
    size_t all = record_bytes;
    for (record_bytes = 1; record_bytes < all; record_bytes++)
        is_refused =
            is_refused && ask("x", COHORT_I16, 1, 600) == COHORT_EINVAL &&
            cohort_example_list(record, record_bytes, count_value, &sum, "here") == COHORT_EINVAL &&
            strstr(cohort_error_text(), "here: byte ") == cohort_error_text();
    ok(is_refused, "cut at any byte it is refused, with the place");
    for (size_t bit = 0; bit < 8 * all; bit++) {
        record[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cohort_status status = ask("x", COHORT_I16, 1, -1);
        is_harmless = is_harmless && (status == COHORT_OK ||
                                      (status == COHORT_EINVAL && *cohort_error_text() != '\0'));
        status = cohort_example_list(record, record_bytes, count_value, &sum, "here");
        is_harmless = is_harmless && (status == COHORT_OK || status == COHORT_EINVAL);
        record[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ok(is_harmless, "a flipped bit does no harm");
}

static const struct {
    const char *what;
    uint8_t bytes[20];
    size_t n;
    const char *text;
} damaged[] = {
    { "a group",
      { 0x0b, 0x0c },
      2,
      "byte 1 of the record: a field of no type that tf.Example has" },
    { "type 7", { 0x0f }, 1, "a field of no type" },
    { "field 0", { 0x02, 0 }, 2, "a field without a number" },
    { "a field number of 30 bits",
      { 0x82, 0x80, 0x80, 0x80, 0x10, 0 },
      6,
      "a field without a number" },
    { "a length that passes the end",
      { 0x0a, 5, 0 },
      3,
      "a field of 5 bytes, and its message has 1 more" },
    { "a length of 64 bits",
      { 0x0a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1 },
      11,
      "a field of 18446744073709551615 bytes, and its message has 0 more" },
    { "an inner length that passes the outer",
      { 0x0a, 2, 0x0a, 1, 0x08, 1 },
      6,
      "of 1 bytes, and its message has 0 more" },
    { "a number without end", { 0x08, 0x80 }, 2, "a number passes the end of its message" },
    { "packed floats of three bytes",
      { 0x0a, 11, 0x0a, 9, 0x12, 7, 0x12, 5, 0x0a, 3, 1, 2, 3 },
      13,
      "no multiple of 4" },
};

static void test_damaged(void)
{
    int64_t sum = 0;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        cohort_status status =
            cohort_example_list(damaged[i].bytes, damaged[i].n, count_value, &sum, "here");
        if (ok(status == COHORT_EINVAL, "refused: %s", damaged[i].what))
            has_text(cohort_error_text(), damaged[i].text, "because of: %s", damaged[i].text);
    }
}

/* ---- Listing */

static cohort_status list_value(const char *name, size_t name_bytes, char kind, int64_t count,
                                int64_t size, void *user)
{
    char *text = user;
    size_t used = strlen(text);
    (void)snprintf(text + used, 256 - used, "%.*s %c %lld %lld; ", (int)name_bytes, name, kind,
                   (long long)count, (long long)size);
    return count == 9 ? COHORT_ELOST : COHORT_OK;
}

static void test_list(void)
{
    char text[256] = "";
    static const uint8_t without_list[] = { 0x0a, 7, 0x0a, 5, 0x0a, 1, 'n', 0x12, 0 };
    ok(load("examples.tfrecord", 0) &&
           cohort_example_list(record, record_bytes, list_value, text, "here") == COHORT_OK,
       "a record is listed");
    is_text(text, "image b 1 28; label i 1 0; weight f 1 0; ",
            "with kinds, counts and the size of a string");
    text[0] = '\0';
    ok(cohort_example_list(without_list, sizeof without_list, list_value, text, "here") ==
           COHORT_OK,
       "one without a list");
    is_text(text, "n - 0 0; ", "has no kind");
    text[0] = '\0';
    ok(load("examples.tfrecord", 2) &&
           cohort_example_list(record, record_bytes, list_value, text, "here") == COHORT_ELOST,
       "an answer below 0 ends it");
    is_text(text, "floats f 6 0; integers i 9 0; ", "at once");
    text[0] = '\0';
    ok(cohort_example_list(NULL, 0, list_value, text, "here") == COHORT_OK && *text == '\0',
       "no bytes are no features");
}

/* ---- tf.SequenceExample: context { 'n': 5 } feature_lists { 'steps': [] 'n': [] } */

static const uint8_t sequence[] = {
    0x0a, 12, 0x0a, 10, 0x0a, 1, 'n', 0x12, 5,   0x1a, 3,   0x0a, 1, 5, /* context */
    0x12, 14, 0x0a, 7,  0x0a, 5, 's', 't',  'e', 'p',  's',             /* lists */
    0x0a, 3,  0x0a, 1,  'm',
};

static void test_sequences(void)
{
    char text[256] = "";
    static const uint8_t unnamed[] = { 0x12, 2, 0x0a, 0 };
    cohort_feature steps = { .name = "steps", .dtype = COHORT_F32, .has_absent = true };
    memcpy(record, sequence, record_bytes = sizeof sequence);
    ok(decode(&steps, sizeof values) == COHORT_EINVAL,
       "a list of features is refused, and no default stands for it");
    has_text(cohort_error_text(), "feature 'steps' is a list of features of a tf.SequenceExample",
             "as what it is");
    has_text(cohort_error_text(), "expected a tf.Example: write the numbers of all steps as one",
             "with what to do");
    ok(ask("m", COHORT_F32, 0, 0) == COHORT_EINVAL, "so is another one");
    ok(ask("n", COHORT_I64, 0, 0) == COHORT_OK && is_value(COHORT_I64, 0, "5"),
       "its context is read");
    steps.name = "step";
    ok(decode(&steps, sizeof values) == COHORT_OK, "and a default for what is nowhere");
    ok(cohort_example_list(record, record_bytes, list_value, text, "here") == COHORT_ENOTSUP &&
           *text == '\0',
       "it is not listed");
    has_text(cohort_error_text(), "here: a tf.SequenceExample, whose lists of features are not",
             "and called by its name");
    ok(cohort_example_list(unnamed, sizeof unnamed, list_value, text, "here") == COHORT_ENOTSUP,
       "also where a list has no name");
    for (size_t cut = 15; cut < sizeof sequence; cut++)
        ok(cohort_example_list(sequence, cut, list_value, text, "here") == COHORT_EINVAL,
           "cut after %d bytes it is neither", (int)cut);
}

int main(void)
{
    core_live warm = core_live_now();
    test_refused();
    test_many();
    test_sequences();
    test_room();
    test_ranges();
    test_missing_kinds();
    test_cuts_and_flips();
    test_damaged();
    test_list();
    test_cases();
    core_no_leak(warm);
    return tap_done();
}
