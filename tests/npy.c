/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's files: what is refused, what NumPy wrote, what it would write, and files that break in
 * every place. */
#include "config.h"

#include <cohort/npy.h>

#include "tests/tap.h"

#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 16 };

static char folder[] = "npy-XXXXXX", path[256];

/* What NumPy put into a file: elements in row-major order, as scripts/make_npy_cases.py writes
 * them. */
static const struct {
    const char *file, *member;
    cohort_dtype dtype;
    int32_t rank;
    int64_t shape[COHORT_MAX_RANK];
    const char *elements;
} cases[] = {
#include "tests/data/npy/cases.h"
};
enum { N_CASES = sizeof cases / sizeof *cases };

static const char *data_file(const char *name)
{
    static char text[2048];
    const char *top = getenv("srcdir");
    (void)snprintf(text, sizeof text, "%s/tests/data/npy/%s", top != NULL ? top : ".", name);
    return text;
}

static size_t read_file(const char *name, unsigned char *bytes)
{
    FILE *file = fopen(name, "rb");
    size_t count = file != NULL ? fread(bytes, 1, MOST_BYTES, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    return count;
}

static void write_file(const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        abort();
}

/* Open the file that was written; true when that fails with a text. */
static bool is_refused(const char *member)
{
    cohort_npy *npy = cohort_npy_open(path, member);
    bool is_null = npy == NULL;
    cohort_npy_close(npy);
    return is_null && cohort_error_text()[0] != '\0';
}

static size_t array_bytes(const cohort_array *array)
{
    int64_t bytes = cohort_dtype_bytes(array->dtype);
    for (int32_t i = 0; i < array->rank; i++)
        bytes *= array->shape[i];
    return (size_t)bytes;
}

static void test_bad_arguments(void)
{
    cohort_array empty = cohort_npy_array(NULL);
    cohort_array bytes = { .data = path, .dtype = COHORT_RECORD, .rank = 1, .shape = { 1 } };
    ok(cohort_npy_open(NULL, NULL) == NULL, "no path is refused");
    has_text(cohort_error_text(), "cohort_npy_open", "and the text says by whom");
    ok(cohort_npy_open("no/such/file.npy", NULL) == NULL, "a file that is not there");
    has_text(cohort_error_text(), "no/such/file.npy: No such file", "and the text says which");
    ok(empty.rank == 1 && empty.shape[0] == 0, "the array of NULL is empty");
    ok(cohort_npy_member(NULL, 0) == NULL, "NULL has no members");
    cohort_npy_close(NULL);
    ok(cohort_npy_save(NULL, bytes) == COHORT_EINVAL, "saving without a path is refused");
    bytes.item_bytes = 4;
    ok(cohort_npy_save(path, bytes) == COHORT_EINVAL, "structs are no dtype of NumPy");
    has_text(cohort_error_text(), "struct", "and the text says so");
    bytes.dtype = COHORT_U8;
    bytes.item_bytes = 1;
    bytes.shape[0] = -1;
    ok(cohort_npy_save(path, bytes) == COHORT_EINVAL, "a negative extent cannot be saved");
    bytes.shape[0] = 1;
    ok(cohort_npy_save("no/such/folder.npy", bytes) == COHORT_ENOENT,
       "nor can a file in no folder");
    ok(access(path, F_OK) != 0, "no file was left");
}

/* Under the names of ml_dtypes, which are read again. */
static void test_narrow(void)
{
    static const cohort_dtype dtypes[] = { COHORT_BF16, COHORT_F8_E4M3, COHORT_F8_E5M2 };
    uint8_t bytes[] = { 0x80, 0x3f, 0xff, 1 };
    for (int i = 0; i < 3; i++) {
        cohort_array x = { .data = bytes, .dtype = dtypes[i], .rank = 1 };
        x.shape[0] = (int64_t)sizeof bytes / cohort_dtype_bytes(dtypes[i]);
        bool is_saved = cohort_npy_save(path, x) == COHORT_OK;
        cohort_npy *npy = cohort_npy_open(path, NULL);
        cohort_array y = cohort_npy_array(npy);
        ok(is_saved && npy != NULL && y.dtype == x.dtype && y.shape[0] == x.shape[0] &&
               memcmp(y.data, bytes, sizeof bytes) == 0,
           "%s is saved and read", cohort_dtype_name(dtypes[i]));
        cohort_npy_close(npy);
    }
    (void)unlink(path);
}

static void test_not_regular(void)
{
    cohort_array one = { .data = path, .dtype = COHORT_U8, .rank = 1, .shape = { 1 } };
    ok(mkdir(path, 0700) == 0 && is_refused(NULL), "a folder is refused");
    has_text(cohort_error_text(), "a folder", "by name");
    ok(cohort_npy_save(path, one) == COHORT_EINVAL, "and not replaced");
    (void)rmdir(path);
    ok(mkfifo(path, 0600) == 0 && is_refused(NULL), "a FIFO is refused, without waiting");
    ok(cohort_npy_save(path, one) == COHORT_EINVAL, "and not replaced");
    (void)unlink(path);
    ok(cohort_npy_open("/dev/zero", NULL) == NULL, "a device is refused");
}

/* A write past the limit on sizes of files sends SIGXFSZ too, which would end this program. */
static void test_file_limit(void)
{
    float small = 3, large[100] = { 0 };
    struct rlimit before = { 0 }, little;
    sigset_t pending;
    cohort_array old = { .data = &small, .dtype = COHORT_F32, .rank = 1, .shape = { 1 } },
                 new = old;
    new.data = large;
    new.shape[0] = 100;
    ok(cohort_npy_save(path, old) == COHORT_OK && getrlimit(RLIMIT_FSIZE, &before) == 0,
       "a file is there");
    little = before;
    little.rlim_cur = 200;
    bool is_limited = setrlimit(RLIMIT_FSIZE, &little) == 0;
    cohort_status status = cohort_npy_save(path, new);
    (void)setrlimit(RLIMIT_FSIZE, &before);
    ok(is_limited && status == COHORT_EINTERNAL,
       "one that would pass the limit on sizes of files is an error");
    has_text(cohort_error_text(), "File too large", "that says so");
    ok(sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 0, "and no signal waits");
    cohort_npy *npy = cohort_npy_open(path, NULL);
    cohort_array read = cohort_npy_array(npy);
    ok(npy != NULL && read.shape[0] == 1 && *(const float *)read.data == 3,
       "the old file is still there");
    cohort_npy_close(npy);
    (void)unlink(path);
}

/* The dictionary, with as many bytes behind it, and a part of the message. */
static const struct {
    const char *dict;
    int bytes;
    const char *text;
} hostile[] = {
    { "", 0, "byte 10: expected a dictionary" },
    { "[]", 0, "byte 10: expected a dictionary" },
    { "{}", 0, "the header has no key 'descr'" },
    { "{'descr': '<f4', 'shape': (1,)}", 4, "no key 'fortran_order'" },
    { "{'descr': '<f4', 'fortran_order': False}", 4, "no key 'shape'" },
    { "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4,
      "this key is there twice" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", 4,
      "byte 66: the keys are" },
    { "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", 4, "expected True or False" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}", 4,
      "expected ',' after the only extent" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': [1]}", 4, "expected a tuple of extents" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': 1}", 4, "expected a tuple of extents" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 4, "a negative extent" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,)}", 4, "expected ',' or ')'" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}", 4, "expected ',' or ')'" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", 4, "expected an extent" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}", 4, "expected an extent" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (01,)}", 4, "an extent begins with 0" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}", 0,
      "exceeds 63 bits" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}", 0, "overflows" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 0,
      "overflows" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}", 0,
      "overflows" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}", 4,
      "needs 4000000000000 bytes, and 4 follow" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 5, "needs 4 bytes, and 5 follow" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 3, "needs 4 bytes, and 3 follow" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': ()}", 0, "needs 4 bytes, and 0 follow" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 4, "nothing but spaces" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", 4, "expected ',' or '}'" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,", 4, "expected an extent" },
    { "{'descr': '<f4', 'fortran_order': False,, 'shape': (1,)}", 4, "expected a text in quotes" },
    { "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", 4, "expected ',' or '}'" },
    { "{'descr' '<f4', 'fortran_order': False, 'shape': (1,)}", 4, "expected ':'" },
    { "{'descr': '<f4", 0, "the closing quote is missing" },
    { "{'des\\x63r': '<f4', 'fortran_order': False, 'shape': (1,)}", 4,
      "expected plain characters" },
    { "{'descr': '<f4\xc3\xa9', 'fortran_order': False, 'shape': (1,)}", 4,
      "expected plain characters" },
    { "{'a key that is much longer than any of the three': 1}", 4, "a text longer than any key" },
    { "{'descr': '', 'fortran_order': False, 'shape': (1,)}", 4, "dtype ''" },
    { "{'descr': 'float', 'fortran_order': False, 'shape': (1,)}", 4, "dtype 'float'" },
    { "{'descr': '<<f4', 'fortran_order': False, 'shape': (1,)}", 4, "dtype '<<f4'" },
    { "{'descr': '<i3', 'fortran_order': False, 'shape': (1,)}", 3, "dtype '<i3'" },
    { "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", 4, "dtype '|O'" },
    { "{'descr': '<U4', 'fortran_order': False, 'shape': (1,)}", 16, "dtype '<U4'" },
    { "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1,)}", 8, "dtype '<M8[ns]'" },
    { "{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", 16, "dtype '<f16'" },
    { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4, "a structured dtype" },
    { "{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,)}", 8, "a structured dtype" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1)}", 4,
      "more than 8 axes" },
};

/* Version, dictionary and zero bytes behind it, as a file. */
static void write_npy(int version, const char *dict, size_t dict_bytes, int data_bytes)
{
    static unsigned char bytes[MOST_BYTES];
    size_t at = version == 1 ? 10 : 12;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)version;
    bytes[8] = (unsigned char)(dict_bytes & 0xff);
    bytes[9] = (unsigned char)(dict_bytes >> 8);
    memcpy(bytes + at, dict, dict_bytes);
    write_file(bytes, at + dict_bytes + (size_t)data_bytes);
}

static void test_hostile_headers(void)
{
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        write_npy(1, hostile[i].dict, strlen(hostile[i].dict), hostile[i].bytes);
        if (ok(is_refused(NULL), "refused: %.80s", hostile[i].dict))
            has_text(cohort_error_text(), hostile[i].text, "because of: %s", hostile[i].text);
    }
    write_npy(1, "{'descr': '<f4', \0 'fortran_order': False, 'shape': (1,)}", 57, 4);
    ok(is_refused(NULL), "a zero byte in the header is refused");
    write_npy(3, "{'descr': '<f4', 'fortran_order': False, 'shape': (1L,)}", 56, 4);
    ok(is_refused(NULL), "so is 1L in version 3");
}

static const struct {
    const char *bytes;
    size_t n_bytes;
    const char *text;
} starts[] = {
    { "", 0, "it has 0 bytes, and its header needs 8" },
    { "\x93NUMPX\1\0\0\0", 10, "no .npy file" },
    { "\x93NUMPY\0\0\0\0", 10, "version 0.0" },
    { "\x93NUMPY\4\0\0\0", 10, "version 4.0" },
    { "\x93NUMPY\1\1\0\0", 10, "version 1.1" },
    { "\x93NUMPY\1\0\xff\xff", 10, "it has 10 bytes, and its header needs 65545" },
    { "\x93NUMPY\2\0\xff\xff\xff\xff", 12, "a header of 4294967295 bytes; at most 65536" },
    { "\x93NUMPY\2\0\1", 9, "needs 12" },
    { "PK\3\4", 4, "no end of a zip file" },
    { "PK\5\6", 4, "no end of a zip file" },
};

static void test_hostile_starts(void)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        write_file(starts[i].bytes, starts[i].n_bytes);
        if (ok(is_refused(NULL), "start %d is refused", (int)i))
            has_text(cohort_error_text(), starts[i].text, "because of: %s", starts[i].text);
    }
}

static const char *const fine[] = {
    "{'descr':'<f4','fortran_order':False,'shape':(1,)}",
    "  {\n\"shape\" : ( 1 , ) , \"descr\"\t:\"<f4\" , 'fortran_order' : True , }  \n\n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1L,), }",
    "{'descr': '=f4', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '|f4', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': 'f4', 'fortran_order': False, 'shape': (1, 1), }",
    "{'descr': '>i1', 'fortran_order': False, 'shape': (2, 2,), }",
};

static void test_tolerated_headers(void)
{
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        write_npy(1, fine[i], strlen(fine[i]), 4);
        cohort_npy *npy = cohort_npy_open(path, NULL);
        ok(npy != NULL, "read as NumPy does: %s", fine[i]);
        cohort_npy_close(npy);
    }
    write_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", 55, 0);
    FILE *file = fopen(path, "ab");
    ok(file != NULL && fputc(7, file) == 7 && fclose(file) == 0, "a bool of 7");
    cohort_npy *npy = cohort_npy_open(path, NULL);
    cohort_array array = cohort_npy_array(npy);
    ok(array.dtype == COHORT_BOOL && *(unsigned char *)array.data == 1, "is true, which is 1");
    cohort_npy_close(npy);
}

static const char *next_token(const char *tokens, char *token, size_t capacity)
{
    size_t used = strcspn(tokens, " ");
    (void)snprintf(token, capacity, "%.*s", (int)used, tokens);
    return tokens + used + (tokens[used] == ' ' ? 1 : 0);
}

static bool is_same_real(double found, const char *token)
{
    double wanted = strtod(token, NULL);
    return memcmp(&found, &wanted, sizeof found) == 0;
}

/* The number at p, of a complex one the part, is what the token says. */
static bool is_same_number(cohort_dtype dtype, const void *p, const char *token)
{
    switch (dtype) {
    case COHORT_BOOL:
    case COHORT_U8:
        return *(const uint8_t *)p == strtoull(token, NULL, 10);
    case COHORT_I8:
        return *(const int8_t *)p == strtoll(token, NULL, 10);
    case COHORT_U16:
    case COHORT_F16:
        return *(const uint16_t *)p == strtoull(token, NULL, 10);
    case COHORT_I16:
        return *(const int16_t *)p == strtoll(token, NULL, 10);
    case COHORT_U32:
        return *(const uint32_t *)p == strtoull(token, NULL, 10);
    case COHORT_I32:
        return *(const int32_t *)p == strtoll(token, NULL, 10);
    case COHORT_U64:
        return *(const uint64_t *)p == strtoull(token, NULL, 10);
    case COHORT_I64:
        return *(const int64_t *)p == strtoll(token, NULL, 10);
    case COHORT_F32:
    case COHORT_C64:
        return is_same_real(*(const float *)p, token);
    default:
        return is_same_real(*(const double *)p, token);
    }
}

static bool has_elements(const cohort_array *array, const char *tokens)
{
    bool is_complex = array->dtype == COHORT_C64 || array->dtype == COHORT_C128, is_same = true;
    size_t width = (size_t)cohort_dtype_bytes(array->dtype) / (is_complex ? 2 : 1);
    const char *p = array->data, *end = p + array_bytes(array);
    char token[64];
    for (; p < end && is_same; p += width) {
        tokens = next_token(tokens, token, sizeof token);
        is_same = token[0] != '\0' && is_same_number(array->dtype, p, token);
    }
    return is_same && *tokens == '\0';
}

static void test_cases(void)
{
    for (int i = 0; i < N_CASES; i++) {
        bool is_deflated =
            strcmp(cases[i].file, "deflated.npz") == 0 || strcmp(cases[i].file, "forced.npz") == 0;
        cohort_npy *npy = cohort_npy_open(data_file(cases[i].file), cases[i].member);
        cohort_array array = cohort_npy_array(npy);
        if (npy == NULL && is_deflated && strstr(cohort_error_text(), "without zlib") != NULL) {
            skip(cases[i].file, "no zlib");
            continue;
        }
        ok(npy != NULL && array.dtype == cases[i].dtype && array.rank == cases[i].rank &&
               memcmp(array.shape, cases[i].shape, sizeof array.shape) == 0 &&
               has_elements(&array, cases[i].elements),
           "%s has what NumPy put there", cases[i].file);
        cohort_npy_close(npy);
    }
}

static void test_members(void)
{
    cohort_npy *npy = cohort_npy_open(data_file("stored.npz"), "a");
    ok(npy != NULL && strcmp(cohort_npy_member(npy, 0), "a") == 0,
       "the first member of a .npz file");
    is_text(cohort_npy_member(npy, 1), "b.npy",
            "the second, whose name ends in .npy in the file's own words");
    ok(cohort_npy_member(npy, 2) == NULL && cohort_npy_member(npy, -1) == NULL, "no others");
    cohort_npy_close(npy);
    ok(cohort_npy_open(data_file("stored.npz"), "c") == NULL, "a member that is not there");
    has_text(cohort_error_text(), "no member 'c'; it has: a b.npy", "and which there are");
    ok(cohort_npy_open(data_file("stored.npz"), NULL) == NULL, "one of two has to be named");
    has_text(cohort_error_text(), "which of its 2 arrays? It has: a b.npy",
             "and the text asks which");
    ok(cohort_npy_open(data_file("empty.npz"), NULL) == NULL, "an empty .npz file has no array");
    ok(cohort_npy_open(data_file("version-2.npy"), "a") == NULL, "a .npy file has no members");
    npy = cohort_npy_open(data_file("version-2.npy"), NULL);
    ok(npy != NULL && cohort_npy_member(npy, 0) == NULL, "and lists none");
    cohort_npy_close(npy);
}

/* Bytes of stored.npz, counted from its end, that make it something else. */
static const struct {
    const char *what;
    int signature; /* of the record: its last byte, 1 the entry, 3 the first member, 5 the end */
    int at, value, width;
    const char *text;
} zip_faults[] = {
    { "encrypted", 1, 8, 1, 2, "is encrypted" },
    { "encrypted strongly", 1, 8, 64, 2, "is encrypted" },
    { "a patch", 1, 8, 32, 2, "is a patch" },
    { "compressed by bzip2", 1, 10, 12, 2, "method 12" },
    { "deflated in the directory alone", 1, 10, 8, 2, "differs from the directory" },
    { "another CRC", 1, 16, 1, 4, "the CRC-32 of the bytes is" },
    { "another size", 1, 24, 12345, 4, "is stored, but" },
    { "longer than the file", 1, 20, 123456, 4, "and the directory begins at byte" },
    { "a size of 64 bits without one", 1, 24, -1, 4, "is missing from the zip64 field" },
    { "on another disk", 1, 34, 1, 2, "several disks" },
    { "outside of the file", 1, 42, 123456, 4, "would have" },
    { "at another place", 1, 42, 1, 4, "expected the header of a zip member" },
    { "a name without end", 1, 28, 60000, 2, "passes the directory's end" },
    { "no name", 1, 28, 0, 2, "without a name" },
    { "no entry", 1, 0, 0, 4, "expected an entry" },
    { "another name", 3, 30, 'x', 1,
      "the directory calls this member 'a.npy', its own header 'x.npy'" },
    { "a longer header", 3, 28, 60000, 2, "reach into the zip directory" },
    { "two disks", 5, 4, 1, 2, "several disks" },
    { "members elsewhere", 5, 8, 1, 2, "several disks" },
    { "three members", 5, 8, 0x00030003, 4, "do not fit" },
    { "one member", 5, 8, 0x00010001, 4, "more bytes than its entries" },
    { "many members", 5, 8, 0x7fff7fff, 4, "do not fit" },
    { "a directory elsewhere", 5, 16, 1, 4, "which must end here" },
    { "a larger directory", 5, 12, 1 << 30, 4, "which must end here" },
    { "64 bits without the record", 5, 8, -1, 4, "expected the place of the zip64 record" },
    { "a comment that is not there", 5, 20, 1, 2, "no end of a zip file" },
};

static size_t find_record(const unsigned char *bytes, size_t count, int signature)
{
    const unsigned char mark[] = { 'P', 'K', (unsigned char)signature,
                                   (unsigned char)(signature + 1) };
    for (size_t i = 0; i + 4 <= count; i++)
        if (memcmp(bytes + i, mark, 4) == 0)
            return i;
    abort();
}

static void test_zip_faults(void)
{
    static unsigned char whole[MOST_BYTES], bytes[MOST_BYTES];
    size_t count = read_file(data_file("stored.npz"), whole);
    for (size_t i = 0; i < sizeof zip_faults / sizeof *zip_faults; i++) {
        size_t at = find_record(whole, count, zip_faults[i].signature) + (size_t)zip_faults[i].at;
        memcpy(bytes, whole, count);
        for (int k = 0; k < zip_faults[i].width; k++)
            bytes[at + (size_t)k] = (unsigned char)((unsigned)zip_faults[i].value >> 8 * k & 0xff);
        write_file(bytes, count);
        if (ok(is_refused("a"), "a zip file with: %s", zip_faults[i].what))
            has_text(cohort_error_text(), zip_faults[i].text, "because of: %s", zip_faults[i].text);
    }
    memcpy(bytes, whole, count);
    for (size_t i = 0; i + 9 < count; i++)
        if (memcmp(bytes + i, "b.npy.npy", 9) == 0)
            memcpy(bytes + i, "a.npy\0\0\0\0", 9);
    write_file(bytes, count);
    ok(is_refused("a"), "control characters in a name");
}

/* Two members of one name: the entry of the second is made equal to the first. */
static void test_duplicate(void)
{
    static unsigned char bytes[MOST_BYTES];
    size_t count = read_file(data_file("deflated.npz"), bytes);
    for (size_t i = 0; i + 5 < count; i++)
        if (memcmp(bytes + i, "b.npy", 5) == 0)
            bytes[i] = 'a';
    write_file(bytes, count);
    ok(is_refused("a"), "two members of one name");
    has_text(cohort_error_text(), "two members are called 'a.npy'", "because of that");
}

/* A megabyte behind sizes that say four bytes, or four million bytes that nothing unpacks to. */
static void test_bombs(void)
{
#ifdef HAVE_ZLIB
    ok(cohort_npy_open(data_file("bomb.npz"), NULL) == NULL, "more is packed than the sizes say");
    has_text(cohort_error_text(), "more is deflated here than the size declared",
             "and no more is unpacked");
    ok(cohort_npy_open(data_file("hollow.npz"), NULL) == NULL, "less is packed than the sizes say");
    has_text(cohort_error_text(), "the deflated data ends early", "and the text says so");
#else
    skip("more or less is packed than the sizes say", "no zlib");
#endif
}

static const char *const broken[] = { "f4-big-F.npy",    "version-2.npy", "shape-none.npy",
                                      "shape-3x0x2.npy", "stored.npz",    "deflated.npz",
                                      "zip64.npz" };

static void test_cut_everywhere(void)
{
    static unsigned char bytes[MOST_BYTES];
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        size_t count = read_file(data_file(broken[i]), bytes), refused = 0;
        const char *member =
            strstr(broken[i], ".npz") != NULL && strstr(broken[i], "zip64") == NULL ? "a" : NULL;
        for (size_t cut = 0; cut < count; cut++) {
            write_file(bytes, cut);
            refused += is_refused(member);
        }
        ok(count > 0 && refused == count, "%s is refused, cut at each of its %d bytes", broken[i],
           (int)count);
    }
}

/* Every byte of the array can be read; *out_sum keeps the reads. */
static void touch(const char *member, unsigned *out_sum)
{
    cohort_npy *npy = cohort_npy_open(path, member);
    cohort_array array = cohort_npy_array(npy);
    for (size_t i = 0; i < array_bytes(&array); i++)
        *out_sum += ((const unsigned char *)array.data)[i];
    cohort_npy_close(npy);
}

static void test_flipped_bits(void)
{
    static unsigned char bytes[MOST_BYTES];
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        size_t count = read_file(data_file(broken[i]), bytes);
        const char *member =
            strstr(broken[i], ".npz") != NULL && strstr(broken[i], "zip64") == NULL ? "a" : NULL;
        for (size_t bit = 0; bit < 8 * count; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            write_file(bytes, count);
            touch(member, &sum);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        ok(count > 0, "%s does no harm, with each of its bits flipped (%u)", broken[i], sum);
    }
}

/* A strided view and its file, which read back is the view. */
static void test_round_trip(void)
{
    float from[4][6];
    for (int i = 0; i < 24; i++)
        from[i / 6][i % 6] = (float)i;
    cohort_array view = {
        .data = from, .dtype = COHORT_F32, .rank = 2, .shape = { 3, 2 }, .strides = { 2, 6 }
    };
    ok(cohort_npy_save(path, view) == COHORT_OK, "a view with strides is saved");
    cohort_npy *npy = cohort_npy_open(path, NULL);
    cohort_array array = cohort_npy_array(npy);
    ok(array.rank == 2 && array.shape[0] == 3 && array.shape[1] == 2, "and has its shape again");
    const float wanted[] = { 0, 6, 2, 8, 4, 10 };
    ok(array_bytes(&array) == sizeof wanted && memcmp(array.data, wanted, sizeof wanted) == 0,
       "and its elements");
    cohort_npy_close(npy);
}

/* By the header, which begins behind the mark, the version and a length, and ends in a line
 * feed. */
static bool is_of_this_order(const unsigned char *numpy)
{
    const uint16_t one = 1;
    bool is_little = *(const unsigned char *)&one == 1;
    return strstr((const char *)numpy + 10, is_little ? "'descr': '>" : "'descr': '<") == NULL;
}

/* Files of this machine's order in C layout are what numpy.save made of the same array. */
static void test_same_bytes(void)
{
    static unsigned char numpy[MOST_BYTES], ours[MOST_BYTES];
    for (int i = 0; i < N_CASES; i++) {
        size_t count = read_file(data_file(cases[i].file), numpy);
        bool is_ours = strstr(cases[i].file, ".npz") == NULL &&
                       strstr(cases[i].file, "-F.") == NULL &&
                       strstr(cases[i].file, "version") == NULL && is_of_this_order(numpy);
        if (!is_ours)
            continue;
        cohort_npy *npy = cohort_npy_open(data_file(cases[i].file), NULL);
        bool is_saved = cohort_npy_save(path, cohort_npy_array(npy)) == COHORT_OK;
        ok(is_saved && read_file(path, ours) == count && memcmp(ours, numpy, count) == 0,
           "%s is written as by NumPy", cases[i].file);
        cohort_npy_close(npy);
    }
}

static void test_replacing(void)
{
    uint8_t one[] = { 1 };
    struct stat what;
    cohort_array good = { .data = one, .dtype = COHORT_U8, .rank = 1, .shape = { 1 } }, bad = good;
    bad.data = NULL;
    ok(cohort_npy_save(path, good) == COHORT_OK && stat(path, &what) == 0, "a file is written");
    ok(cohort_npy_save(path, bad) == COHORT_EINVAL, "an array without data is refused");
    cohort_npy *npy = cohort_npy_open(path, NULL);
    ok(npy != NULL && *(uint8_t *)cohort_npy_array(npy).data == 1,
       "and the old file is still there");
    cohort_npy_close(npy);
    ok(cohort_npy_save(path, good) == COHORT_OK && stat(path, &what) == 0 && what.st_nlink == 1,
       "it can be replaced");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    if (mkdtemp(folder) == NULL)
        return skip_all("no folder can be made here");
    (void)snprintf(path, sizeof path, "%s/file", folder);
    test_bad_arguments();
    test_narrow();
    test_not_regular();
    test_file_limit();
    test_hostile_headers();
    test_hostile_starts();
    test_tolerated_headers();
    test_cases();
    test_members();
    test_zip_faults();
    test_duplicate();
    test_bombs();
    test_cut_everywhere();
    test_flipped_bits();
    test_round_trip();
    test_same_bytes();
    test_replacing();
    ok(cohort_memory_blocks() == blocks, "nothing leaks");
    (void)unlink(path);
    ok(rmdir(folder) == 0, "no file is left beside those that were written");
    return tap_done();
}
