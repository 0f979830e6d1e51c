/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints as .npz files and back: what is refused, files of NumPy's own, files of 4 GiB, damage
 * anywhere (COUNT=all: any bit), a disk without room, and no memory. */
#include "config.h"

#include "runtime/data/format/npy_header.h"
#include "runtime/data/format/npz.h"
#include "runtime/data/format/zip_write.h"

#include "tests/checkpoint_folder.h"
#include "tests/core.h"
#include "tests/files.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 16, MOST_SHORTAGES = 5000 };

/* Paths in the test's folder. */
static char npz[256], safe[256], other[256];

static void is_long(long found, long wanted, const char *claim)
{
    if (!ok(found == wanted, "%s", claim))
        diag("%ld, and not %ld", found, wanted);
}

static bool fails(const char *from, const char *to, cohort_status wanted, const char *text)
{
    cohort_status status = cohort_checkpoint_convert(from, to);
    bool is_good = status == wanted && strstr(cohort_error_text(), text) != NULL &&
                   strncmp(cohort_error_text(), "cohort_checkpoint_convert: ", 27) == 0;
    if (!is_good)
        diag("%d: %s", (int)status, cohort_error_text());
    return is_good;
}

/* Dtypes, shapes and bytes of all tensors. */
static bool is_same(const char *path, const char *wanted)
{
    static unsigned char x[MOST_BYTES], y[MOST_BYTES];
    cohort_checkpoint *a = cohort_checkpoint_open(path), *b = cohort_checkpoint_open(wanted);
    cohort_checkpoint_tensor s, t;
    bool is_same = a != NULL && b != NULL;
    int n = 0;
    for (; is_same && cohort_checkpoint_tensor_at(a, n, &s); n++) {
        cohort_array all = { .dtype = s.dtype, .rank = 1, .item_bytes = s.item_bytes };
        is_same = cohort_checkpoint_tensor_find(b, s.name, &t) && s.dtype == t.dtype &&
                  s.rank == t.rank && s.bytes == t.bytes && s.item_bytes == t.item_bytes &&
                  memcmp(s.shape, t.shape, (size_t)s.rank * sizeof *s.shape) == 0;
        all.shape[0] = s.item_bytes > 0 ? s.bytes / s.item_bytes : 0;
        all.data = x;
        is_same =
            is_same && s.bytes <= MOST_BYTES && cohort_checkpoint_read(a, s.name, all) == COHORT_OK;
        all.data = y;
        is_same = is_same && cohort_checkpoint_read(b, s.name, all) == COHORT_OK &&
                  memcmp(x, y, (size_t)s.bytes) == 0;
    }
    is_same = is_same && !cohort_checkpoint_tensor_at(b, n, &t) &&
              cohort_checkpoint_step(a) == cohort_checkpoint_step(b);
    cohort_checkpoint_close(a);
    cohort_checkpoint_close(b);
    return is_same;
}

/* ------------------------------------------------------------------ wrong use */

static void test_arguments(void)
{
    char ours[1024];
    (void)snprintf(ours, sizeof ours, "%s", files_data("checkpoint", "format-1.safetensors"));
    ok(fails(NULL, npz, COHORT_EINVAL, "the path"), "no path is refused");
    ok(fails(ours, NULL, COHORT_EINVAL, "the new file"), "nor is one to write to");
    ok(fails(ours, "x.txt", COHORT_EINVAL, "'x.txt' ends neither"), "a file of another ending");
    ok(fails(ours, ".npz", COHORT_EINVAL, "ends neither"), "or of an ending alone");
    ok(fails(ours, safe, COHORT_EINVAL, "no .npz file"), "a checkpoint is none already");
    ok(fails(files_data("checkpoint", "format-1.npz"), npz, COHORT_EINVAL, "a .npz file already"),
       "and a .npz file is one");
    ok(fails("no/such.npz", safe, COHORT_ENOENT, "no/such.npz"), "a file that is not there");
    ok(fails("no/such", npz, COHORT_ENOENT, "no/such"), "or a folder");
    ok(fails(folder_path, npz, COHORT_ENOENT, "no checkpoint"), "or an empty one");
    ok(fails(ours, "no/such.npz", COHORT_ENOENT, "no/such.npz"), "a new file in no folder");
    ok(mkdir(npz, 0700) == 0 && fails(ours, npz, COHORT_EINVAL, "not a regular file"),
       "a folder is not replaced");
    (void)rmdir(npz);
    is_long(count_files(folder_path), 0, "and nothing was written");
}

static void test_find(void)
{
    cohort_checkpoint_tensor t;
    cohort_checkpoint *c = cohort_checkpoint_open(files_data("checkpoint", "format-1.safetensors"));
    ok(!cohort_checkpoint_tensor_find(NULL, "w", &t), "nothing has no tensor");
    ok(!cohort_checkpoint_tensor_find(c, NULL, &t), "no name is that of none");
    ok(!cohort_checkpoint_tensor_find(c, "x", &t), "nor is another one");
    ok(!cohort_checkpoint_tensor_find(c, "w", NULL), "one is told to somebody");
    ok(cohort_checkpoint_tensor_find(c, "w", &t) && t.rank == 2 && t.shape[0] == 5, "a tensor");
    cohort_checkpoint_close(c);
}

/* ------------------------------------------------------------------ wrong files */

/* A .npz file of one member, whose bytes are given; cohort_zip_writer makes it. */
static void put_member(const char *name, const void *bytes, size_t count)
{
    cohort_replacement file;
    if (cohort_replacement_open(npz, &file) < 0)
        abort();
    cohort_zip_writer zip = { .file = &file };
    cohort_status status = cohort_zip_write_name(&zip, name);
    if (status >= 0)
        status = cohort_zip_write(&zip, bytes, count);
    if (status >= 0)
        status = cohort_zip_write_directory(&zip);
    cohort_zip_writer_free(&zip);
    if (cohort_replacement_close(&file, status) < 0)
        abort();
}

/* A row of so many bytes behind a header of this dtype. */
static void put_array(const char *name, const char *descr, int64_t extent, const char *data)
{
    char bytes[1024];
    size_t length = strlen(data);
    int used = snprintf(bytes + 10, sizeof bytes - 10,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%lld,), }\n", descr,
                        (long long)extent);
    memcpy(bytes, "\x93NUMPY\1\0", 8);
    bytes[8] = (char)used;
    bytes[9] = 0;
    memcpy(bytes + 10 + used, data, length);
    put_member(name, bytes, 10 + (size_t)used + length);
}

static const struct {
    const char *name, *descr;
    int64_t extent;
    const char *data;
    cohort_status status;
    const char *text, *claim;
} wrong[] = {
    { "a.npy", "<V1", 1, "x", COHORT_ENOTSUP, "view('uint8')", "a dtype that may be several" },
    { "a.npy", "|O", 1, "x", COHORT_ENOTSUP, "dtype '|O'", "objects of Python" },
    { "a.npy", "<U1", 1, "1234", COHORT_ENOTSUP, "dtype '<U1'", "texts" },
    { "a.npy", "f5", 1, "12345", COHORT_ENOTSUP, "dtype 'f5'", "a size that is none" },
    { "a.npy", "float8", 1, "1", COHORT_ENOTSUP, "dtype 'float8'", "a name that is none" },
    { "a.npy", "|V0", 1, "1", COHORT_ENOTSUP, "dtype '|V0'", "structs of nothing" },
    { "a.npy", "|V1234567890", 1, "1", COHORT_ENOTSUP, "dtype '|V12", "and of too much" },
    { "a.npy", "<f4", 2, "1234", COHORT_EINVAL, "needs 8 bytes", "less than is declared" },
    { "a.npy", "<f4", INT64_MAX / 2, "1234", COHORT_EINVAL, "overflows", "more than there can be" },
    { "\xff.npy", "|u1", 1, "1", COHORT_EINVAL, "no UTF-8", "a name that is no UTF-8" },
    { "__metadata__.npy", "<f4", 1, "1234", COHORT_EINVAL, "no row of uint8", "another metadata" },
    { "__metadata__.npy", "|u1", 2, "[]", COHORT_EINVAL, "JSON object of texts", "that is none" },
    { "__metadata__.npy", "|u1", 7, "{\"a\":1}", COHORT_EINVAL, "byte 5", "or has a number" },
    { "__metadata__.npy", "|u1", 3, "{} ]", COHORT_EINVAL, "needs 3 bytes", "or is too long" },
    { "__metadata__.npy", "|u1", 17, "{\"a\":\"\",\"a\":\"b\"}", COHORT_EINVAL, "'a' stands twice",
      "or a key twice" },
    { "__metadata__.npy", "|u1", 26, "{\"cohort.crc32c.a\":\"1234\"}", COHORT_EINVAL,
      "'cohort.crc32c.a'", "or a checksum" },
    { "__metadata__.npy", "|u1", 24, "{\"cohort.dtype.a\":\"bool\"}", COHORT_EINVAL,
      "'cohort.dtype.a'", "or a dtype" },
    { "__metadata__.npy", "|u1", 20, "{\"cohort.step\":\"one\"}", COHORT_EINVAL, "its step, 'one'",
      "or a step that is none" },
    { "__metadata__.npy", "|u1", 21, "{\"cohort.format\":\"99\"}", COHORT_EINCOMPATIBLE, "newer",
      "or a format that is newer" },
};
enum { N_WRONG = sizeof wrong / sizeof *wrong };

/* What is at the place of the new file stays. */
static void test_wrong_npz(void)
{
    char kept[8] = "";
    put_file(folder_path, "safe.safetensors", "before");
    for (int i = 0; i < N_WRONG; i++) {
        int64_t extent = strcmp(wrong[i].descr, "|u1") == 0 && wrong[i].extent != 3
                             ? (int64_t)strlen(wrong[i].data)
                             : wrong[i].extent;
        put_array(wrong[i].name, wrong[i].descr, extent, wrong[i].data);
        ok(fails(npz, safe, wrong[i].status, wrong[i].text), "refused: %s", wrong[i].claim);
    }
    put_member("readme.txt", "hello", 5);
    ok(fails(npz, safe, COHORT_ENOTSUP, "'readme.txt' is no array"), "and a member that is none");
    put_member("a.npy", "hello", 5);
    ok(fails(npz, safe, COHORT_EINVAL, "member 'a'"), "or only says that it is one");
    is_long((long)get_file(folder_path, "safe.safetensors", kept, sizeof kept), 6,
            "what was there before");
    is_text(kept, "before", "is as it was");
    is_long(count_files(folder_path), 2, "and nothing lies beside it");
}

static void test_wrong_safetensors(void)
{
    remove_files(folder_path);
    ok(fails(files_data("safetensors", "type-f4.safetensors"), npz, COHORT_ENOTSUP, "it is F4"),
       "a dtype that NumPy has not");
    ok(fails(files_data("safetensors", "rank-12.safetensors"), npz, COHORT_ENOTSUP, "12 axes"),
       "too many axes");
    ok(fails(files_data("safetensors", "names.safetensors"), npz, COHORT_EINVAL, "name"),
       "a name that zip files have not");
    ok(fails(files_data("safetensors", "places-hole.safetensors"), npz, COHORT_EINVAL, "hole"),
       "a file that is wrong");
    is_long(count_files(folder_path), 0, "nothing is written");
}

/* ------------------------------------------------------------------ there and back */

static void test_ours(void)
{
    static char made[MOST_BYTES], recorded[MOST_BYTES];
    char ours[1024];
    struct stat what;
    (void)snprintf(ours, sizeof ours, "%s", files_data("checkpoint", "format-1.safetensors"));
    ok(cohort_checkpoint_convert(ours, npz) == COHORT_OK, "a checkpoint is a .npz file");
    size_t n = get_file(folder_path, "npz.npz", made, sizeof made),
           m = files_read(files_data("checkpoint", "format-1.npz"), (uint8_t *)recorded,
                          sizeof recorded);
    ok(n > 0 && n == m && memcmp(made, recorded, n) == 0, "the same bytes as in other versions");
    ok(stat(npz, &what) == 0 && (what.st_mode & 0777) == 0600, "for its owner alone");
    ok(cohort_checkpoint_convert(npz, safe) == COHORT_OK && is_same(safe, ours),
       "and back, without a loss");
    ok(cohort_checkpoint_convert(safe, other) == COHORT_OK, "once more");
    m = get_file(folder_path, "other.npz", recorded, sizeof recorded);
    ok(n == m && memcmp(made, recorded, n) == 0, "is the same file");
    is_long(count_files(folder_path), 3, "and there are no others");
}

static void test_numpy(void)
{
    static const char *const names[] = { "numpy.npz", "numpy-packed.npz" };
    char wanted[1024];
    (void)snprintf(wanted, sizeof wanted, "%s", files_data("checkpoint", "numpy.safetensors"));
    for (int i = 0; i < 2; i++) {
        cohort_status status = cohort_checkpoint_convert(files_data("checkpoint", names[i]), safe);
        if (status == COHORT_ENOTSUP && strstr(cohort_error_text(), "zlib") != NULL)
            skip("a packed file", "built without zlib");
        else
            ok(status == COHORT_OK && is_same(safe, wanted),
               "%s holds what Python's package says: %s", names[i], cohort_error_text());
    }
}

/* ------------------------------------------------------------------ much */

/* A file whose first 5 GiB are a hole, so that no place fits into 32 bits. */
static void test_far(void)
{
    enum { SECOND = 1 };
    cohort_replacement written;
    cohort_file file;
    cohort_npz *found = NULL;
    cohort_extent extent = { 0 };
    char text[4] = "";
    const char *name;
    if (cohort_replacement_open(npz, &written) < 0)
        abort();
    cohort_zip_writer zip = { .file = &written, .at = INT64_C(5) << 30 };
    cohort_status status = cohort_zip_write_name(&zip, "a.npy");
    if (status >= 0)
        status = cohort_zip_write_name(&zip, "b.npy");
    if (status >= 0)
        status = cohort_zip_write(&zip, "far", 3);
    if (status >= 0)
        status = cohort_zip_write_directory(&zip);
    cohort_zip_writer_free(&zip);
    status = cohort_replacement_close(&written, status);
    if (status == COHORT_EINTERNAL) {
        skip("files of 5 GiB", "the file system takes none");
        return;
    }
    ok(status >= 0 && cohort_file_open(npz, &file) >= 0, "a file of 5 GiB is written");
    ok(cohort_npz_open(&file, &found) >= 0 &&
           cohort_npz_find_nth(found, &file, SECOND, &name, &extent) >= 0,
       "and what is far behind is found: %s", cohort_error_text());
    ok(extent.bytes == 3 && cohort_file_read(&file, extent.offset, text, 3) >= 0 &&
           strcmp(text, "far") == 0,
       "and is what was written");
    cohort_npz_close(found);
    cohort_file_close(&file);
}

/* As many as there may be, which 16 bits do not count. */
static void test_many(void)
{
    cohort_replacement written;
    cohort_file file;
    cohort_npz *found = NULL;
    char name[32];
    cohort_status status = cohort_replacement_open(npz, &written);
    cohort_zip_writer zip = { .file = &written };
    for (int i = 0; i < COHORT_LIMIT_ZIP_MEMBERS && status >= 0; i++) {
        (void)snprintf(name, sizeof name, "%d.npy", i);
        status = cohort_zip_write_name(&zip, name);
    }
    ok(status >= 0 && cohort_zip_write_name(&zip, "more.npy") == COHORT_ENOTSUP,
       "one member more than may be is refused");
    status = cohort_replacement_close(&written, cohort_zip_write_directory(&zip));
    cohort_zip_writer_free(&zip);
    ok(status >= 0 && cohort_file_open(npz, &file) >= 0 && cohort_npz_open(&file, &found) >= 0,
       "as many are written and read");
    is_text(cohort_npz_name(found, COHORT_LIMIT_ZIP_MEMBERS - 1), "65535", "to the last");
    cohort_npz_close(found);
    cohort_file_close(&file);
}

/* ------------------------------------------------------------------ damage */

static int convert_damaged(const uint8_t *bytes, size_t count)
{
    put_bytes(folder_path, "npz.npz", bytes, count);
    (void)unlink(safe);
    return cohort_checkpoint_convert(npz, safe) == COHORT_OK;
}

/* A few tensors: what is not in the checksums is the time alone, and who made the file. */
static size_t make_small(uint8_t *bytes)
{
    static const char header[] = "{\"a\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[0,6]},"
                                 "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[6,10]}}";
    uint8_t file[256] = { sizeof header - 1 };
    memcpy(file + 8, header, sizeof header - 1);
    memcpy(file + 8 + sizeof header - 1, "abcdefghij", 10);
    put_bytes(folder_path, "small.safetensors", file, 8 + sizeof header - 1 + 10);
    if (cohort_checkpoint_convert(file_in(folder_path, "small.safetensors"), npz) != COHORT_OK)
        abort();
    return get_file(folder_path, "npz.npz", bytes, MOST_BYTES);
}

static void test_damage(void)
{
    static uint8_t bytes[MOST_BYTES];
    char small[256];
    size_t n = make_small(bytes);
    int wrong_bits = 0, taken = 0, cut = 0;
    (void)snprintf(small, sizeof small, "%s", file_in(folder_path, "small.safetensors"));
    /* each taken one is synced: one bit of each byte, or all in the long lane */
    size_t apart = getenv("COUNT") != NULL ? 1 : 9;
    for (size_t i = 0; i < 8 * n; i += apart) {
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        bool is_taken = convert_damaged(bytes, n) == 1;
        taken += is_taken;
        wrong_bits += is_taken && !is_same(safe, small);
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    for (size_t i = 0; i < n; i++)
        cut += convert_damaged(bytes, i);
    ok(n > 0 && convert_damaged(bytes, n) == 1 && is_same(safe, small), "a file of %zu bytes", n);
    is_long(wrong_bits, 0, "whichever bit is wrong, nothing else becomes of it");
    ok(taken > 0 && (size_t)taken * apart < 4 * n, "%d bits make no difference", taken);
    is_long(cut, 0, "it is refused where it is cut anywhere");
    remove_files(folder_path);
}

/* ------------------------------------------------------------------ no room */

static void test_no_room(void)
{
    struct rlimit before, little;
    char kept[8] = "";
    (void)getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 1000;
    put_file(folder_path, "npz.npz", "before");
    (void)setrlimit(RLIMIT_FSIZE, &little);
    cohort_status status =
        cohort_checkpoint_convert(files_data("checkpoint", "format-1.safetensors"), npz);
    (void)setrlimit(RLIMIT_FSIZE, &before);
    ok(status == COHORT_EINTERNAL, "a file that may not be so large is an error");
    (void)get_file(folder_path, "npz.npz", kept, sizeof kept);
    is_text(kept, "before", "and the one before is there");
    is_long(count_files(folder_path), 1, "alone");
    remove_files(folder_path);
}

#if IS_SANITIZED

static void test_shortages(void)
{
    skip("shortages of memory", "a sanitizer has its own allocator");
}

#else

static atomic_llong of_memory;
static atomic_bool was_refused;

static bool refuses(const void *caller)
{
    (void)caller;
    bool is = atomic_load(&of_memory) > 0 && atomic_fetch_sub(&of_memory, 1) == 1;
    if (is)
        atomic_store(&was_refused, true);
    errno = is ? ENOMEM : errno;
    return is;
}

#include "tests/allocator.h"

/* Told, or done; and nothing is left. */
static bool converts_or_tells(const char *from, const char *to, int nth, int *told)
{
    remove_files(folder_path);
    int64_t blocks = cohort_memory_blocks();
    atomic_store(&was_refused, false);
    atomic_store(&of_memory, nth);
    cohort_status status = cohort_checkpoint_convert(from, to);
    atomic_store(&of_memory, 0);
    *told += status == COHORT_ENOMEM;
    return (status == COHORT_OK || status == COHORT_ENOMEM) &&
           count_files(folder_path) == (status == COHORT_OK) && cohort_memory_blocks() == blocks;
}

static void test_each_shortage(const char *name, const char *to)
{
    char from[1024];
    int nth = 0, told = 0;
    bool is_good = true;
    (void)snprintf(from, sizeof from, "%s", files_data("checkpoint", name));
    do
        is_good = converts_or_tells(from, to, ++nth, &told);
    while (is_good && atomic_load(&was_refused) && nth < MOST_SHORTAGES);
    if (!ok(is_good && told > 0, "%s: memory that is not there is told, and nothing is left", name))
        diag("at number %d: %s", nth, cohort_error_text());
}

static void test_shortages(void)
{
    test_each_shortage("format-1.safetensors", npz);
    test_each_shortage("format-1.npz", safe);
    remove_files(folder_path);
}

#endif

int main(void)
{
    if (!folder_begin())
        return skip_all("no folder can be made here");
    (void)snprintf(npz, sizeof npz, "%s/npz.npz", folder_path);
    (void)snprintf(safe, sizeof safe, "%s/safe.safetensors", folder_path);
    (void)snprintf(other, sizeof other, "%s/other.npz", folder_path);
    core_live warm = core_live_now();
    test_arguments();
    test_find();
    test_wrong_npz();
    test_wrong_safetensors();
    test_ours();
    test_numpy();
    test_far();
    test_many();
    test_damage();
    test_no_room();
    test_shortages();
    folder_end();
    core_no_leak(warm);
    return tap_done();
}
