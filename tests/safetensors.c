/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of the safetensors format: those of Python's package, right and wrong ones; files of our
 * own with any bit and any length wrong; and files that a power cut must not lose. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/json_reader.h"
#include "runtime/data/format/replacement.h"
#include "runtime/data/format/safetensors_write.h"

#include "tests/core.h"
#include "tests/files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 16, SMALL_BYTES = 4096 };

/* What Python's package makes of a file: a line for each tensor, by name. */
static const struct {
    const char *file;
    bool is_taken;
    const char *tensors;
} cases[] = {
#include "tests/data/safetensors/cases.h"
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* ------------------------------------------------------------------ files of others */

static void print_tensor(FILE *out, const cohort_safetensors *file, const cohort_tensor *tensor)
{
    unsigned char *bytes = malloc((size_t)tensor->bytes + 1);
    cohort_status status = cohort_safetensors_read(file, tensor, bytes);
    (void)fprintf(out, "%s|%s|", tensor->name, tensor->type->name);
    for (int32_t i = 0; i < tensor->rank; i++)
        (void)fprintf(out, "%s%lld", i > 0 ? "," : "", (long long)tensor->shape[i]);
    (void)fprintf(out, "|");
    for (int64_t i = 0; i < tensor->bytes && status >= 0; i++)
        (void)fprintf(out, "%02x", bytes[i]);
    (void)fprintf(out, "\n");
    free(bytes);
}

/* As in the cases. NULL: refused, which a text says. */
static char *describe(const char *path)
{
    cohort_safetensors file;
    char *text = NULL;
    size_t bytes;
    if (cohort_safetensors_open(path, &file) < 0)
        return NULL;
    FILE *out = open_memstream(&text, &bytes);
    for (size_t i = 0; i < file.n; i++)
        print_tensor(out, &file, file.by_name[i]);
    (void)fclose(out);
    cohort_safetensors_close(&file);
    return text;
}

static void test_cases(void)
{
    for (int i = 0; i < N_CASES; i++) {
        char *text = describe(files_data("safetensors", cases[i].file));
        if (!cases[i].is_taken)
            ok(text == NULL && strstr(cohort_error_text(), cases[i].file) != NULL,
               "%s is refused: %s", cases[i].file,
               strrchr(cohort_error_text(), '/') != NULL ? strrchr(cohort_error_text(), '/') + 1
                                                         : "?");
        else if (text != NULL)
            is_text(text, cases[i].tensors, "%s holds what Python finds in it", cases[i].file);
        else
            ok(false, "%s is read: %s", cases[i].file, cohort_error_text());
        free(text);
    }
}

static void test_metadata(void)
{
    cohort_safetensors file;
    ok(cohort_safetensors_open(files_data("safetensors", "metadata.safetensors"), &file) >= 0,
       "a file with metadata opens");
    is_text(cohort_safetensors_text(&file, "quoted"), "a \"b\" \\ \n \303\251 \344\270\255",
            "its text is decoded");
    ok(cohort_safetensors_text(&file, "other") == NULL, "a key that is not there has none");
    ok(cohort_safetensors_find(&file, "v") == NULL, "nor is there another tensor");
    ok(!file.has_sums, "no checksum is expected in a file of others");
    cohort_safetensors_close(&file);
}

/* A header that says it is as long as a header may be must not be believed before the file's length
 * is looked at. */
static void test_no_file(void)
{
    cohort_safetensors file;
    ok(cohort_safetensors_open("no/such.safetensors", &file) == COHORT_ENOENT,
       "a file that is not there");
    ok(cohort_safetensors_open(".", &file) == COHORT_EINVAL, "a folder");
    ok(cohort_safetensors_open("/dev/zero", &file) == COHORT_EINVAL, "a device");
    files_write("", 0);
    ok(cohort_safetensors_open(files_path, &file) == COHORT_EINVAL, "no bytes");
    has_text(cohort_error_text(), "0 bytes", "are said");
}

/* ------------------------------------------------------------------ files of our own */

/* A small one of about 4 KiB: tensors of several types, notes, and all checksums. */
static cohort_status lay_out(cohort_tensors_layout *layout)
{
    const int64_t shape[] = { 13, 20 }, few[] = { 3 }, none[] = { 0, 7 };
    cohort_status status =
        cohort_tensors_add(layout, "bytes", cohort_tensor_type_of(COHORT_U8), 2, shape);
    if (status >= 0)
        status = cohort_tensors_add(layout, "model/w", cohort_tensor_type_of(COHORT_F64), 2, shape);
    if (status >= 0)
        status =
            cohort_tensors_add(layout, "a \"name\"", cohort_tensor_type_of(COHORT_BF16), 1, few);
    if (status >= 0)
        status = cohort_tensors_add(layout, "none", cohort_tensor_type_of(COHORT_F32), 2, none);
    if (status >= 0)
        status = cohort_tensors_add(layout, "scalar", cohort_tensor_type_of(COHORT_I32), 0, NULL);
    if (status >= 0)
        status = cohort_tensors_add_note(layout, "cohort.step", "7");
    if (status >= 0)
        status = cohort_tensors_add_note(layout, "said", "by \"whom\"\n\001");
    return status < 0 ? status : cohort_tensors_lay_out(layout);
}

static unsigned char content(const cohort_tensor_layout *tensor, int64_t i)
{
    return (unsigned char)(i * 31 + i / 7 + (int64_t)tensor->index);
}

/* Into files_path; how long it is. */
static size_t write_small(void)
{
    static unsigned char bytes[MOST_BYTES];
    cohort_tensors_layout layout = { 0 };
    size_t end = 0;
    if (!ok(lay_out(&layout) >= 0, "tensors are laid out"))
        diag("%s", cohort_error_text());
    for (size_t i = 0; i < layout.n; i++) {
        cohort_tensor_layout *t = &layout.tensors[i];
        for (int64_t k = 0; k < t->bytes; k++)
            bytes[t->at + k] = content(t, k);
        t->sum = cohort_crc32c(0, bytes + t->at, (size_t)t->bytes);
        end = (size_t)(t->at + t->bytes);
    }
    char *header = cohort_tensors_header(&layout);
    memcpy(bytes, header, (size_t)layout.header_bytes);
    cohort_free(header);
    cohort_tensors_layout_free(&layout);
    files_write(bytes, end);
    return end;
}

/* Opens, and each tensor has its checksum. */
static bool is_whole(void)
{
    cohort_safetensors file;
    cohort_status status = cohort_safetensors_open(files_path, &file);
    if (status < 0)
        return false;
    bool has_sums = file.has_sums;
    for (size_t i = 0; i < file.n && status >= 0; i++)
        status = cohort_safetensors_check(&file, &file.tensors[i]);
    cohort_safetensors_close(&file);
    return status >= 0 && has_sums;
}

static void test_round_trip(void)
{
    cohort_safetensors file;
    unsigned char found[13 * 20];
    size_t bytes = write_small();
    ok(bytes > SMALL_BYTES / 2 && bytes < SMALL_BYTES * 2, "a file of %zu bytes is written", bytes);
    ok(is_whole(), "it is whole");
    ok(cohort_safetensors_open(files_path, &file) >= 0 && file.n == 5, "it has five tensors");
    const cohort_tensor *t = cohort_safetensors_find(&file, "bytes");
    const cohort_tensor_layout as_added = { .index = 0 };
    bool is_same = t != NULL && t->rank == 2 && t->shape[0] == 13 && t->shape[1] == 20 &&
                   cohort_safetensors_read(&file, t, found) >= 0;
    for (int i = 0; i < 13 * 20 && is_same; i++)
        is_same = found[i] == content(&as_added, i);
    ok(is_same, "the bytes of one are what was written");
    is_text(file.tensors[0].name, "model/w", "larger elements come first");
    ok(file.tensors[0].at % 8 == 0, "and are aligned");
    ok(cohort_safetensors_find(&file, "a \"name\"") != NULL, "a name with quotes is found");
    is_text(cohort_safetensors_text(&file, "said"), "by \"whom\"\n\001", "so is a text");
    cohort_safetensors_close(&file);
}

static void test_every_length(void)
{
    static unsigned char bytes[MOST_BYTES];
    size_t all = write_small(), accepted = 0;
    if (files_read(files_path, bytes, sizeof bytes) != all)
        abort();
    for (size_t n = 0; n < all; n++) {
        files_write(bytes, n);
        accepted += is_whole();
    }
    ok(accepted == 0, "a file that is cut anywhere is refused");
    for (size_t more = 1; more <= 64; more++) {
        files_write(bytes, all + more);
        accepted += is_whole();
    }
    ok(accepted == 0, "so is one with bytes behind its end");
}

static void test_every_bit(void)
{
    static unsigned char bytes[MOST_BYTES];
    size_t all = write_small(), accepted = 0;
    if (files_read(files_path, bytes, sizeof bytes) != all)
        abort();
    int fd = open(files_path, O_WRONLY);
    for (size_t bit = 0; bit < 8 * all; bit++) {
        unsigned char wrong = (unsigned char)(bytes[bit / 8] ^ 1 << bit % 8);
        if (pwrite(fd, &wrong, 1, (off_t)(bit / 8)) != 1)
            abort();
        bool is_accepted = is_whole();
        if (is_accepted)
            diag("bit %zu of byte %zu", bit % 8, bit / 8);
        accepted += is_accepted;
        if (pwrite(fd, &bytes[bit / 8], 1, (off_t)(bit / 8)) != 1)
            abort();
    }
    (void)close(fd);
    ok(accepted == 0, "a file with any of its %zu bits wrong is refused", 8 * all);
    ok(is_whole(), "and taken once all are right again");
}

static void test_damaged_name(void)
{
    size_t all = write_small();
    int fd = open(files_path, O_WRONLY);
    unsigned char wrong = 0xee;
    cohort_safetensors file;
    if (pwrite(fd, &wrong, 1, (off_t)all - 1) != 1)
        abort();
    (void)close(fd);
    ok(cohort_safetensors_open(files_path, &file) >= 0, "a header may be right");
    ok(cohort_safetensors_check(&file, &file.tensors[file.n - 1]) == COHORT_EINVAL,
       "where a tensor is damaged");
    has_text(cohort_error_text(), "tensor 'bytes' is damaged", "whose name is said");
    cohort_safetensors_close(&file);
}

/* Whether a file whose checksums are right, and which says this step, is a checkpoint of that. */
static bool is_step(const char *said, int64_t wanted)
{
    cohort_tensors_layout layout = { 0 };
    if (cohort_tensors_add_note(&layout, "cohort.step", said) < 0 ||
        cohort_tensors_lay_out(&layout) < 0)
        abort();
    char *header = cohort_tensors_header(&layout);
    files_write(header, (size_t)layout.header_bytes);
    cohort_free(header);
    cohort_tensors_layout_free(&layout);
    cohort_checkpoint *c = cohort_checkpoint_open(files_path);
    bool is_refused = c == NULL && strstr(cohort_error_text(), "its step") != NULL;
    bool is_wanted = wanted < 0 ? is_refused : cohort_checkpoint_step(c) == wanted;
    cohort_checkpoint_close(c);
    return is_wanted;
}

static void test_step(void)
{
    static const char *const wrong[] = { "", "-1", "+1", " 1", "1 ", "0x1", "9223372036854775808" };
    ok(is_step("0", 0) && is_step("9223372036854775807", INT64_MAX), "a step is any of 63 bits");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(is_step(wrong[i], -1), "'%s' is none", wrong[i]);
}

/* ------------------------------------------------------------------ what cannot be written */

static void test_layout_refuses(void)
{
    const int64_t large[] = { INT64_C(1) << 62, 4 };
    cohort_tensors_layout layout = { 0 };
    const cohort_tensor_type *u8 = cohort_tensor_type_of(COHORT_U8);
    ok(cohort_tensors_add(&layout, "\xff", u8, 0, NULL) == COHORT_EINVAL, "a name is UTF-8");
    has_text(cohort_error_text(), "'\\xff'", "and shown so that a terminal takes it");
    ok(cohort_tensors_add(&layout, "__metadata__", u8, 0, NULL) == COHORT_EINVAL,
       "and not __metadata__");
    ok(cohort_tensors_add(&layout, "a", u8, 2, large) == COHORT_EINVAL, "a size has 63 bits");
    ok(cohort_tensors_add_note(&layout, "k", "\xc3") == COHORT_EINVAL, "a text is UTF-8");
    ok(layout.n == 0 && layout.n_notes == 0, "nothing was added");
    ok(cohort_tensors_add(&layout, "a", u8, 0, NULL) >= 0 &&
           cohort_tensors_add(&layout, "a", u8, 1, large) >= 0,
       "names are compared when all are there");
    ok(cohort_tensors_lay_out(&layout) == COHORT_EINVAL, "and stand once");
    has_text(cohort_error_text(), "'a' stands twice", "as the text says");
    cohort_tensors_layout_free(&layout);
    ok(cohort_tensors_add(&layout, "a", u8, 1, large) >= 0 &&
           cohort_tensors_add(&layout, "b", u8, 1, large) >= 0 &&
           cohort_tensors_lay_out(&layout) == COHORT_EINVAL,
       "all together have 63 bits too");
    cohort_tensors_layout_free(&layout);
    ok(cohort_tensors_add_note(&layout, "k", "1") >= 0 &&
           cohort_tensors_add_note(&layout, "k", "2") >= 0 &&
           cohort_tensors_lay_out(&layout) == COHORT_EINVAL,
       "so do keys");
    cohort_tensors_layout_free(&layout);
}

/* ------------------------------------------------------------------ durable files */

static bool has_file(const char *name)
{
    return access(name, F_OK) == 0;
}

static void test_durable(void)
{
    cohort_replacement file;
    struct stat what;
    mode_t mask = umask(0);
    (void)unlink(files_path);
    ok(cohort_replacement_open_durable(files_path, &file) >= 0, "a durable file is begun");
    ok(file.fd > 2 && !has_file(files_path), "under another name");
    ok(cohort_replacement_is_temporary(strrchr(file.temporary, '/') + 1, "file"),
       "that is known as such");
    ok(cohort_replacement_write_at(&file, 4, "body", 4) >= 0 &&
           cohort_replacement_write_at(&file, 0, "head", 4) >= 0,
       "its parts are written in any order");
    ok(cohort_replacement_close(&file, COHORT_OK) >= 0 && has_file(files_path), "it is there");
    ok(stat(files_path, &what) == 0 && (what.st_mode & 0777) == 0600 && what.st_size == 8,
       "for its owner alone, whatever the umask is");
    (void)umask(mask);
    ok(cohort_replacement_open_durable(files_path, &file) >= 0 &&
           cohort_replacement_write_at(&file, 0, "other", 5) >= 0 &&
           cohort_replacement_close(&file, COHORT_EINVAL) == COHORT_EINVAL,
       "one that failed");
    ok(stat(files_path, &what) == 0 && what.st_size == 8, "leaves the old one");
    ok(!has_file(file.temporary), "and no other");
    ok(cohort_replacement_open_durable("no/such/folder", &file) == COHORT_ENOENT, "no folder");
    ok(cohort_replacement_sync_folder("no/such/folder") == COHORT_ENOENT, "is synced either");
}

static void test_temporary_names(void)
{
    static const struct {
        const char *name;
        bool is_temporary;
    } names[] = { { "a.12-3", true }, { "a.bin.1-0", true }, { "a", false },
                  { "a.12", false },  { "a.12-", false },    { "a.-3", false },
                  { "b.1-2", false }, { "a.1-2x", false },   { "a.1-2.3", false },
                  { "a.1 -2", false } };
    int wrong = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        wrong += cohort_replacement_is_temporary(names[i].name, "a") != names[i].is_temporary;
    ok(wrong == 0, "other names are no temporary files");
}

/* What is printed must not get into a file. */
static void test_standard_descriptors(void)
{
    cohort_replacement file = { .fd = -1 };
    int saved = dup(0);
    (void)close(0);
    cohort_status status = cohort_replacement_open_durable(files_path, &file);
    int fd = file.fd;
    if (status >= 0)
        status = cohort_replacement_close(&file, COHORT_EINVAL);
    ok(status == COHORT_EINVAL && fd > 2, "a file is on none of the first three descriptors");
    ok(fcntl(0, F_GETFD) < 0, "which stay closed");
    (void)dup2(saved, 0);
    (void)close(saved);
}

/* A write past the limit on sizes of files sends SIGXFSZ too, which would end this program. */
static void test_file_limit(void)
{
    static char zeros[10000];
    struct rlimit before = { 0 }, little;
    cohort_replacement file;
    (void)getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 1000;
    (void)setrlimit(RLIMIT_FSIZE, &little);
    cohort_status status = cohort_replacement_open_durable(files_path, &file);
    if (status >= 0)
        status = cohort_replacement_close(
            &file, cohort_replacement_write_at(&file, 0, zeros, sizeof zeros));
    (void)setrlimit(RLIMIT_FSIZE, &before);
    ok(status == COHORT_EINTERNAL, "a file that may not be so large is an error");
    has_text(cohort_error_text(), "File too large", "of the system");
    ok(!has_file(file.temporary), "and leaves nothing");
}

int main(void)
{
    core_live warm = core_live_now();
    if (!files_begin())
        return skip_all("no folder can be made here");
    test_cases();
    test_metadata();
    test_no_file();
    test_round_trip();
    test_every_length();
    test_every_bit();
    test_damaged_name();
    test_step();
    test_layout_refuses();
    test_durable();
    test_temporary_names();
    test_standard_descriptors();
    test_file_limit();
    files_end();
    core_no_leak(warm);
    return tap_done();
}
