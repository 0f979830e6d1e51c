/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in files: wrong calls and bad files, then arrays, columns and features, then memory that is
 * short. */
#include "config.h"

#include "tests/files_source.h"
#include "tests/sanitized.h"

#include <errno.h>
#include <stdatomic.h>

/* "x float32[5,3] y int16[5] ", or a question mark for what cannot be read; stop_at: the name that
 * is refused. */
typedef struct listed {
    char text[512];
    size_t used;
    const char *stop_at;
} listed;

static cohort_status list(const char *name, const cohort_spec *what, void *user)
{
    listed *l = user;
    if (l->stop_at != NULL && strcmp(name, l->stop_at) == 0)
        return COHORT_ELOST;
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s %s[", name,
                                what != NULL ? cohort_dtype_name(what->dtype) : "?");
    for (int i = 0; what != NULL && i < what->rank; i++)
        l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%lld",
                                    i > 0 ? "," : "", (long long)what->shape[i]);
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "] ");
    return COHORT_OK;
}

/* "[a][b]"; stop_at: the text that is refused. */
static cohort_status join(const char *text, int64_t bytes, void *user)
{
    listed *l = user;
    if (l->stop_at != NULL && strcmp(text, l->stop_at) == 0)
        return COHORT_ELOST;
    l->used +=
        (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "[%.*s]", (int)bytes, text);
    return COHORT_OK;
}

/* ---- Records by hand */

typedef struct record {
    uint8_t bytes[256];
    size_t n;
} record;

/* A field of length-delimited bytes; all are below 128. */
static void put_field(record *r, uint8_t number, const void *bytes, size_t n)
{
    r->bytes[r->n++] = (uint8_t)(number << 3 | 2);
    r->bytes[r->n++] = (uint8_t)n;
    memcpy(r->bytes + r->n, bytes, n);
    r->n += n;
}

/* One entry of the map; list: 1 bytes, 2 floats, 3 integers, 0 none of them. */
static void put_feature(record *r, const char *name, uint8_t list, const void *bytes, size_t n)
{
    record value = { .n = 0 }, entry = { .n = 0 };
    if (list != 0)
        put_field(&value, list, bytes, n);
    put_field(&entry, 1, name, strlen(name));
    put_field(&entry, 2, value.bytes, value.n);
    put_field(r, 1, entry.bytes, entry.n);
}

/* i = 5, 6; f = 0.5; s = "abc"; t = "a", ""; none. */
static void make_record(record *out)
{
    static const uint8_t integers[] = { 10, 2, 5, 6 }, floats[] = { 10, 4, 0, 0, 0, 0x3f };
    static const uint8_t string[] = { 10, 3, 'a', 'b', 'c' }, strings[] = { 10, 1, 'a', 10, 0 };
    record features = { .n = 0 };
    put_feature(&features, "i", 3, integers, sizeof integers);
    put_feature(&features, "f", 2, floats, sizeof floats);
    put_feature(&features, "s", 1, string, sizeof string);
    put_feature(&features, "t", 1, strings, sizeof strings);
    put_feature(&features, "none", 0, NULL, 0);
    out->n = 0;
    put_field(out, 1, features.bytes, features.n);
}

/* ---- Wrong calls, bad files */

static void test_wrong_calls(void)
{
    uint8_t byte = 0;
    int64_t numbers[2];
    cohort_array out = { .data = numbers };
    const cohort_feature i = { .name = "i", .dtype = COHORT_I64, .rank = 1, .shape = { -1 } },
                         nameless = { 0 };
    ok(cohort_list_arrays(NULL, list, NULL) == COHORT_EINVAL &&
           cohort_list_arrays("x", NULL, NULL) == COHORT_EINVAL,
       "arrays: no file and no function are refused");
    ok(cohort_list_columns(NULL, NULL, list, NULL) == COHORT_EINVAL &&
           cohort_list_columns("x", NULL, NULL, NULL) == COHORT_EINVAL,
       "columns: no file and no function are refused");
    ok(cohort_list_texts(NULL, NULL, "a", join, NULL) == COHORT_EINVAL &&
           cohort_list_texts("x", NULL, NULL, join, NULL) == COHORT_EINVAL &&
           cohort_list_texts("x", NULL, "a", NULL, NULL) == COHORT_EINVAL,
       "texts: no file, no column and no function are refused");
    ok(cohort_list_features(NULL, 0, list, NULL) == COHORT_EINVAL &&
           cohort_list_features(&byte, 1, NULL, NULL) == COHORT_EINVAL &&
           cohort_list_features(&byte, -1, list, NULL) == COHORT_EINVAL,
       "features: no record, no function and less than no bytes are refused");
    ok(cohort_read_feature(NULL, 0, &i, 16, &out) == COHORT_EINVAL &&
           cohort_read_feature(&byte, 0, NULL, 16, &out) == COHORT_EINVAL &&
           cohort_read_feature(&byte, 0, &i, 16, NULL) == COHORT_EINVAL &&
           cohort_read_feature(&byte, -1, &i, 16, &out) == COHORT_EINVAL &&
           cohort_read_feature(&byte, 0, &i, -1, &out) == COHORT_EINVAL &&
           cohort_read_feature(&byte, 0, &i, 16, &(cohort_array){ 0 }) == COHORT_EINVAL &&
           cohort_read_feature(&byte, 0, &nameless, 16, &out) == COHORT_EINVAL,
       "a feature: everything that is missing is refused");
}

static void test_bad_files(void)
{
    listed l = { .used = 0 };
    ok(cohort_list_arrays(scratch_name("a"), list, &l) == COHORT_ENOENT &&
           cohort_list_columns(scratch_name("a"), NULL, list, &l) == COHORT_ENOENT,
       "a file that is not there is not found");
    ok(cohort_list_arrays(scratch, list, &l) == COHORT_EINVAL &&
           cohort_list_columns(scratch, NULL, list, &l) == COHORT_EINVAL,
       "a folder is no file");
    for (const char *bad = "PK\0P\0\x93NUMPY\0text\0"; *bad != '\0'; bad += strlen(bad) + 1) {
        scratch_write("a", bad, strlen(bad));
        ok(cohort_list_arrays(scratch_name("a"), list, &l) == COHORT_EINVAL,
           "a file of \"%s\" has no arrays", bad);
    }
    scratch_write("a", "", 0);
    ok(cohort_list_arrays(scratch_name("a"), list, &l) == COHORT_EINVAL, "nor has an empty one");
    ok(cohort_list_columns(scratch_name("a"), NULL, list, &l) == COHORT_EINVAL,
       "which has no columns either");
    ok(cohort_list_features("\xff\xff", 2, list, &l) == COHORT_EINVAL,
       "bytes that are no tf.Example are refused");
    ok(l.used == 0, "and no name was told of any");
}

/* ---- What is there */

static void test_arrays(void)
{
    listed all = { .used = 0 }, some = { .stop_at = "y" }, one = { .used = 0 };
    write_npz("a", 0, 5);
    ok(cohort_list_arrays(scratch_name("a"), list, &all) == COHORT_OK &&
           strcmp(all.text, "x float32[5,3] y int16[5] ") == 0,
       "the arrays of a .npz file in its order: %s", all.text);
    ok(cohort_list_arrays(scratch_name("a"), list, &some) == COHORT_ELOST &&
           strcmp(some.text, "x float32[5,3] ") == 0,
       "a negative answer ends the list and is returned");
    write_npy("a", 0, 5);
    ok(cohort_list_arrays(scratch_name("a"), list, &one) == COHORT_OK &&
           strcmp(one.text, " float32[5,3] ") == 0,
       "the array of a .npy file has no name");
}

/* Behind its header the array is cut. */
static void test_unreadable_array(void)
{
    static made m, part;
    listed l = { .used = 0 };
    m.n = 0;
    write_npy("part-x", 0, 5);
    part.n = scratch_read("part-x", part.bytes);
    scratch_write("part-cut", part.bytes, part.n - 1);
    put_zip(&m, (const char *const[]){ "cut.npy", "x.npy" },
            (const char *const[]){ "part-cut", "part-x" }, 2);
    scratch_write("a", m.bytes, m.n);
    scratch_remove("part-x");
    scratch_remove("part-cut");
    ok(cohort_list_arrays(scratch_name("a"), list, &l) == COHORT_OK &&
           strcmp(l.text, "cut ?[] x float32[5,3] ") == 0,
       "an array that cannot be read is named, and hides no other: %s", l.text);
}

static void test_check(void)
{
    static made m;
    listed whole = { .used = 0 }, listing = { .used = 0 }, damaged = { .used = 0 },
           one = { .used = 0 };
    write_npz("a", 0, 5);
    ok(cohort_check_arrays(scratch_name("a"), list, &whole) == COHORT_OK &&
           strcmp(whole.text, "x float32[5,3] y int16[5] ") == 0,
       "arrays that can be read to their end: %s", whole.text);
    m.n = scratch_read("a", m.bytes);
    for (size_t i = 0; i + 6 < m.n; i++)
        if (memcmp(m.bytes + i, "\x93NUMPY", 6) == 0) {
            m.bytes[i + 128 + 7] ^= 1; /* an element of x, behind a header of 128 bytes */
            break;
        }
    scratch_write("a", m.bytes, m.n);
    ok(cohort_list_arrays(scratch_name("a"), list, &listing) == COHORT_OK &&
           strcmp(listing.text, "x float32[5,3] y int16[5] ") == 0,
       "one bit of an element is nothing to who lists them");
    ok(cohort_check_arrays(scratch_name("a"), list, &damaged) == COHORT_OK &&
           strcmp(damaged.text, "x ?[] y int16[5] ") == 0,
       "but to who checks them: %s", damaged.text);
    write_npy("a", 0, 5);
    ok(cohort_check_arrays(scratch_name("a"), list, &one) == COHORT_OK &&
           strcmp(one.text, " float32[5,3] ") == 0,
       "the array of a .npy file is read whole");
    ok(cohort_check_arrays(NULL, list, &one) == COHORT_EINVAL &&
           strstr(cohort_error_text(), "cohort_check_arrays"),
       "no file is refused");
}

/* Bytes that this process has read so far, from whatever; -1: the system does not say. */
static long long bytes_read(void)
{
    char line[64];
    long long bytes = -1;
    FILE *stream = fopen("/proc/self/io", "r");
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL)
        if (sscanf(line, "rchar: %lld", &bytes) == 1)
            break;
    if (stream != NULL)
        (void)fclose(stream);
    return bytes;
}

static cohort_status count(const char *name, const cohort_spec *what, void *user)
{
    (void)name;
    *(int *)user += what != NULL;
    return COHORT_OK;
}

/* What is read grows with the members, and not with their square. */
static void test_many_members(void)
{
    enum { MEMBERS = 200 };
    static const char claim[] = "the directory of a .npz file is read once";
    static made m;
    static char names[MEMBERS][16];
    const char *members[MEMBERS], *files[MEMBERS];
    for (int i = 0; i < MEMBERS; i++) {
        (void)snprintf(names[i], sizeof names[i], "%d.npy", i * 7919 % MEMBERS);
        members[i] = names[i];
        files[i] = "part-x";
    }
    m.n = 0;
    write_npy("part-x", 0, 1);
    put_zip(&m, members, files, MEMBERS);
    scratch_write("a", m.bytes, m.n);
    scratch_remove("part-x");
    int listed_ones = 0, checked_ones = 0;
    long long before = bytes_read();
    ok(cohort_list_arrays(scratch_name("a"), count, &listed_ones) == COHORT_OK &&
           listed_ones == MEMBERS &&
           cohort_check_arrays(scratch_name("a"), count, &checked_ones) == COHORT_OK &&
           checked_ones == MEMBERS,
       "%d arrays of a file are listed and checked", (int)MEMBERS);
    long long read_ = bytes_read() - before;
    if (before < 0)
        skip(claim, "/proc/self/io cannot be read");
    else if (!ok(read_ < 5 * (long long)m.n, "%s", claim))
        diag("%lld bytes of a file of %zu", read_, m.n);
}

static void test_columns(void)
{
    listed named = { .used = 0 }, nameless = { .used = 0 }, forced = { .used = 0 },
           some = { .stop_at = "b" };
    static const char text[] = "a;\"b c\"\n1;2\n";
    scratch_write("a", text, strlen(text));
    ok(cohort_list_columns(scratch_name("a"), NULL, list, &named) == COHORT_OK &&
           strcmp(named.text, "a float32[] b c float32[] ") == 0,
       "the columns of a CSV file, without quotes");
    scratch_write("a", "1,2\n", 4);
    ok(cohort_list_columns(scratch_name("a"), NULL, list, &nameless) == COHORT_OK &&
           strcmp(nameless.text, " float32[]  float32[] ") == 0,
       "without a header they have no names");
    const cohort_csv_component component = { "no such column", COHORT_F32 };
    const cohort_csv_options options = { .header = COHORT_CSV_HEADER_FIRST_ROW,
                                         .components = &component,
                                         .n_components = 1 };
    ok(cohort_list_columns(scratch_name("a"), &options, list, &forced) == COHORT_OK &&
           strcmp(forced.text, "1 float32[] 2 float32[] ") == 0,
       "of the options the header counts, and no component");
    scratch_write("a", "a,b,c\n1,2,3\n", 12);
    ok(cohort_list_columns(scratch_name("a"), NULL, list, &some) == COHORT_ELOST &&
           strcmp(some.text, "a float32[] ") == 0,
       "a negative answer ends this list, too");
}

static const char *texts_of(const char *file, const char *column, const char *stop_at)
{
    static listed l;
    l = (listed){ .stop_at = stop_at };
    scratch_write("a", file, strlen(file));
    cohort_status status = cohort_list_texts(scratch_name("a"), NULL, column, join, &l);
    if (status < 0 && status != COHORT_ELOST)
        (void)snprintf(l.text + l.used, sizeof l.text - l.used, "%.400s", cohort_error_text());
    return l.text;
}

static void test_texts(void)
{
    const char *file = "x,kind\n1, red \n\n2,\"a, \"\"b\"\"\"\r\n3,\n\"\n\",\"\n\"\n4,-1.50";
    is_text(texts_of(file, "kind", NULL), "[red][a, \"b\"][][\n][-1.50]",
            "the texts of a column, as they are meant");
    is_text(texts_of(file, "1", "-1.50"), "[red][a, \"b\"][][\n]",
            "by its number; a negative answer ends the list");
    is_text(texts_of("a b\n1 2\n", "0", NULL), "[1 2]", "nothing is found out about numbers");
    is_text(texts_of("a,b,\n1,x,\n", "b", NULL), "[x]", "a separator at the end begins no column");
    has_text(texts_of(file, "0-1", NULL), "columns '0-1'; expected one name or number",
             "several columns are refused");
    has_text(texts_of(file, "^x", NULL), "columns '^x'; expected one name or number",
             "also where it is one of them");
    has_text(texts_of(file, "kin", NULL), "'kin': no such column; did you mean 'kind'?",
             "one that is not there, too");
    has_text(texts_of("x,y\n1,a\n2\n3,c\n", "y", NULL), "[a]",
             "what comes before a bad row is told");
    has_text(texts_of("x,y\n1,a\n2\n3,c\n", "y", NULL), "line 3: a row of 1 field; expected 2",
             "and then the error");
    has_text(texts_of("x,y\n1,\"a\"b\n", "y", NULL), "something follows the closing quote",
             "also of quotes");
}

static void test_features(void)
{
    listed all = { .used = 0 }, some = { .stop_at = "s" };
    record r;
    make_record(&r);
    ok(cohort_list_features(r.bytes, (int64_t)r.n, list, &all) == COHORT_OK &&
           strcmp(all.text, "i int64[2] f float32[1] s uint8[3] t uint8[2,-1] none float32[0] ") ==
               0,
       "the features of a record: %s", all.text);
    ok(cohort_list_features(r.bytes, (int64_t)r.n, list, &some) == COHORT_ELOST &&
           strcmp(some.text, "i int64[2] f float32[1] ") == 0,
       "a negative answer ends this one");
    int whole = 0;
    for (size_t n = 1; n < r.n; n++)
        whole += cohort_list_features(r.bytes, (int64_t)n, list, &(listed){ .used = 0 }) !=
                 COHORT_EINVAL;
    ok(whole == 0, "a record that is cut anywhere is none");
    ok(cohort_list_features(r.bytes, 0, list, &(listed){ .used = 0 }) == COHORT_OK,
       "no byte is no feature");
}

static void test_read_feature(void)
{
    int64_t integers[2] = { 0 };
    float number = 0;
    uint8_t text[3] = { 0 };
    cohort_array i = { .data = integers }, f = { .data = &number }, s = { .data = text },
                 untouched = { .data = text };
    record r;
    make_record(&r);
    cohort_feature wanted = { .name = "i", .dtype = COHORT_I64, .rank = 1, .shape = { -1 } };
    ok(cohort_read_feature(r.bytes, (int64_t)r.n, &wanted, 15, &i) == COHORT_EINVAL &&
           i.rank == 0 && integers[0] == 0,
       "a feature that needs more room is refused, and nothing is written");
    ok(cohort_read_feature(r.bytes, (int64_t)r.n, &wanted, 16, &i) == COHORT_OK &&
           i.shape[0] == 2 && i.rank == 1 && i.dtype == COHORT_I64 && i.data == integers &&
           integers[0] == 5 && integers[1] == 6,
       "integers are read");
    wanted = (cohort_feature){ .name = "f", .dtype = COHORT_F32 };
    ok(cohort_read_feature(r.bytes, (int64_t)r.n, &wanted, sizeof number, &f) == COHORT_OK &&
           f.rank == 0 && memcmp(&number, &(float){ 0.5f }, sizeof number) == 0,
       "a single number is read");
    wanted = (cohort_feature){ .name = "s", .dtype = COHORT_U8, .rank = 1, .shape = { -1 } };
    ok(cohort_read_feature(r.bytes, (int64_t)r.n, &wanted, sizeof text, &s) == COHORT_OK &&
           s.shape[0] == 3 && memcmp(text, "abc", 3) == 0,
       "a string is read");
    wanted.name = "t";
    ok(cohort_read_feature(r.bytes, (int64_t)r.n, &wanted, sizeof text, &untouched) ==
               COHORT_EINVAL &&
           untouched.rank == 0,
       "of several strings none is");
    wanted.name = "nosuch";
    ok(cohort_read_feature(r.bytes, (int64_t)r.n, &wanted, sizeof text, &untouched) ==
               COHORT_EINVAL &&
           strstr(cohort_error_text(), "nosuch") != NULL,
       "a feature that is not there is named");
}

/* ---- Memory that is short: the nth allocation is refused, and all after it */

#if !IS_SANITIZED
#include "tests/short_memory.h"

enum { ARRAYS, WHOLE_ARRAYS, COLUMNS_OF_CSV, TEXTS, FEATURES, A_FEATURE, CALLS };

static cohort_status call_one(int call, const record *r)
{
    int64_t numbers[2];
    listed l = { .used = 0 };
    const cohort_feature i = { .name = "i", .dtype = COHORT_I64, .rank = 1, .shape = { -1 } };
    switch (call) {
    case ARRAYS:
        return cohort_list_arrays(scratch_name("a"), list, &l);
    case WHOLE_ARRAYS:
        return cohort_check_arrays(scratch_name("a"), list, &l);
    case COLUMNS_OF_CSV:
        return cohort_list_columns(scratch_name("b"), NULL, list, &l);
    case TEXTS:
        return cohort_list_texts(scratch_name("b"), NULL, "b", join, &l);
    case FEATURES:
        return cohort_list_features(r->bytes, (int64_t)r->n, list, &l);
    default:
        return cohort_read_feature(r->bytes, (int64_t)r->n, &i, sizeof numbers,
                                   &(cohort_array){ .data = numbers });
    }
}

static void test_short_of_memory(void)
{
    static const char *const names[CALLS] = { "arrays", "whole arrays", "columns",
                                              "texts",  "features",     "one feature" };
    record r;
    make_record(&r);
    write_npz("a", 0, 5);
    scratch_write("b", "a,b\n1,2\n", 8);
    for (int call = 0; call < CALLS; call++) {
        bool all = true, was_short = true;
        int64_t blocks = cohort_memory_blocks();
        int nth = 0;
        while (was_short && all && nth < 1000) {
            atomic_store(&was_refused, false);
            atomic_store(&left, ++nth);
            cohort_status status = call_one(call, &r);
            atomic_store(&left, -1);
            was_short = atomic_load(&was_refused);
            all = status == (was_short ? COHORT_ENOMEM : COHORT_OK) &&
                  cohort_memory_blocks() == blocks;
        }
        ok(all && nth > 1 && nth < 1000, "%s: whichever of %d allocations fails, it says so",
           names[call], nth - 1);
    }
    scratch_remove("b");
}
#else
static void test_short_of_memory(void)
{
    skip("memory that is short", "sanitizers have their own allocator");
}
#endif

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    int descriptors = count_entries("/proc/self/fd");
    if (!begin_scratch())
        return skip_all("no folder can be made here");
    test_wrong_calls();
    test_bad_files();
    test_arrays();
    test_unreadable_array();
    test_check();
    test_many_members();
    test_columns();
    test_texts();
    test_features();
    test_read_feature();
    test_short_of_memory();
    scratch_remove("a");
    end_scratch(blocks, descriptors);
    return tap_done();
}
