/* SPDX-License-Identifier: BSD-3-Clause */
/* make check-long: cohort data --check --head on files that were damaged at random.
 *
 * usage: mutated_files COHORT SEED COUNT FILE...; seed and duration are printed, and the same seed
 * damages the same.
 *
 * Each run ends by itself with 0 or 1, says what is wrong in the second case, and needs less than
 * 100 MB. Where a file has checksums over its data (TFRecord, gzip as long as it has gzip's mark),
 * 0 means that the elements are those of the undamaged file, or the first ones where it was cut
 * between two records. Files that did harm are left in the folder that is named. */
#include "config.h"

#include "tests/sanitized.h"
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20, MOST_OUTPUT = 4 << 20, MOST_KB = 100 << 10, MOST_WRONG = 10 };

typedef struct bytes {
    char *data;
    size_t n;
} bytes;

static uint64_t state;
static char folder[200];
static const char *cohort;

static size_t draw(size_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(state >> 33) % n;
}

static void fail(const char *what)
{
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(1);
}

static bytes read_file(const char *path, size_t most)
{
    bytes b = { malloc(most + 1), 0 };
    FILE *file = fopen(path, "rb");
    if (b.data == NULL || file == NULL)
        fail(path);
    b.n = fread(b.data, 1, most, file);
    b.data[b.n] = '\0';
    (void)fclose(file);
    return b;
}

static void write_file(const char *path, bytes b)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(b.data, 1, b.n, file) != b.n || fclose(file) != 0)
        fail(path);
}

/* ------------------------------------------------------------------ damage */

static void flip(bytes *b)
{
    for (size_t i = draw(4) + 1; i > 0 && b->n > 0; i--)
        b->data[draw(b->n)] ^= (char)(1 << draw(8));
}

static void overwrite(bytes *b)
{
    static const char *const with[] = { "\xff\xff\xff\xff\xff\xff\xff\xff",
                                        "\0\0\0\0\0\0\0\0",
                                        "\0\0\0\0\0\0\0\x80",
                                        "99999999",
                                        "\"\"\"\"\n\r,,",
                                        "\x7f\xff\xff\xff\xff\xff\xff\xff" };
    size_t at = draw(b->n + 1), n = draw(8) + 1;
    n = n < b->n - at ? n : b->n - at;
    memcpy(b->data + at, with[draw(sizeof with / sizeof *with)], n);
}

static void cut(bytes *b)
{
    b->n = draw(b->n + 1);
}

static void take_out(bytes *b)
{
    size_t at = draw(b->n + 1), n = draw(b->n - at + 1);
    memmove(b->data + at, b->data + at + n, b->n - at - n);
    b->n -= n;
}

static void put_in(bytes *b)
{
    size_t at = draw(b->n + 1), n = draw(64) + 1;
    if (b->n + n > MOST_BYTES)
        return;
    memmove(b->data + at + n, b->data + at, b->n - at);
    for (size_t i = 0; i < n; i++)
        b->data[at + i] = (char)draw(256);
    b->n += n;
}

/* Mostly near the beginning, where the headers are. */
static void flip_first(bytes *b)
{
    bytes first = { b->data, b->n < 128 ? b->n : 128 };
    flip(&first);
}

static void damage(bytes *b)
{
    static void (*const ways[])(bytes * b) = { flip, flip_first, flip_first, overwrite,
                                               cut,  take_out,   put_in };
    for (size_t i = draw(3) + 1; i > 0; i--)
        ways[draw(sizeof ways / sizeof *ways)](b);
}

/* ------------------------------------------------------------------ looking */

/* What it printed on both streams, in `out`; its exit status, -1 for a signal. */
static int look(const char *path, char out[], long *out_kb)
{
    char printed[300];
    struct rusage used;
    int status = 0;
    (void)snprintf(printed, sizeof printed, "%s/printed", folder);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(60); /* also of what it becomes */
        int fd = open(printed, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd >= 0 && dup2(fd, 1) >= 0 && dup2(fd, 2) >= 0)
            (void)execl(cohort, "cohort", "data", "--check", "--head", "1000000", path,
                        (char *)NULL);
        _exit(99);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        fail("a process");
    bytes b = read_file(printed, MOST_OUTPUT);
    memcpy(out, b.data, b.n + 1);
    free(b.data);
    *out_kb = used.ru_maxrss;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The elements, which follow the line that says that all is well. */
static const char *elements_of(const char *printed)
{
    const char *ok_line = strstr(printed, "\n  ok: ");
    return ok_line != NULL ? strchr(ok_line + 1, '\n') : NULL;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static bool has_gzip_mark(bytes b)
{
    return b.n >= 4 && memcmp(b.data, "\x1f\x8b\x08", 3) == 0 && (b.data[3] & 0xe0) == 0;
}

/* Those of a file with checksums are those of the undamaged one, or the first of them. */
static bool has_true_elements(const char *path, bytes damaged, const char *printed)
{
    static char truth[MOST_OUTPUT + 1];
    const char *found = elements_of(printed);
    long kb;
    if (ends_with(path, ".gz") ? !has_gzip_mark(damaged) : !ends_with(path, ".tfrecord"))
        return true;
    if (look(path, truth, &kb) != 0)
        return ends_with(path, "odd.tfrecord"); /* whose records are good, but no examples */
    const char *wanted = elements_of(truth);
    return wanted != NULL && strncmp(found, wanted, strlen(found)) == 0;
}

/* What is wrong with the answer to a damaged copy of `path`; NULL: nothing. */
static const char *judge(const char *path, bytes damaged, const char *printed, int code, long kb)
{
    if (code != 0 && code != 1)
        return code < 0 ? "it ended with a signal" : "another exit code";
    if (!IS_SANITIZED && kb > MOST_KB)
        return "it needed more than 100 MB";
    if (code == 1)
        return strstr(printed, "cohort: ") != NULL ? NULL : "it did not say why";
    if (elements_of(printed) == NULL)
        return "it did not say that all is well";
    return has_true_elements(path, damaged, printed) ? NULL : "other elements";
}

static bool try_one(const char *path, int number)
{
    static char printed[MOST_OUTPUT + 1];
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    char damaged[300], kept[400];
    long kb = 0;
    bytes b = read_file(path, MOST_BYTES);
    b.data = realloc(b.data, MOST_BYTES + 1);
    if (b.data == NULL)
        fail("memory");
    damage(&b);
    (void)snprintf(damaged, sizeof damaged, "%s/%s", folder, name);
    write_file(damaged, b);
    int code = look(damaged, printed, &kb);
    const char *wrong = judge(path, b, printed, code, kb);
    free(b.data);
    if (wrong == NULL)
        return unlink(damaged) == 0;
    (void)snprintf(kept, sizeof kept, "%s/%d-%s", folder, number, name);
    (void)rename(damaged, kept);
    diag("%s: %s (exit code %d, %ld KiB); it printed: %.500s", kept, wrong, code, kb, printed);
    return false;
}

int main(int argc, char **argv)
{
    int count = argc > 3 ? atoi(argv[3]) : 0, wrong = 0, tried = 0;
    time_t start = time(NULL);
    const char *parent = getenv("TMPDIR");
    if (argc < 5) {
        fprintf(stderr, "usage: mutated_files COHORT SEED COUNT FILE...\n");
        return 2;
    }
    cohort = argv[1];
    state = strtoull(argv[2], NULL, 10);
    (void)snprintf(folder, sizeof folder, "%s/cohort-mutated-XXXXXX",
                   parent != NULL ? parent : "/tmp");
    if (mkdtemp(folder) == NULL)
        fail(folder);
    for (; tried < count && wrong < MOST_WRONG; tried++)
        wrong += !try_one(argv[4 + (int)draw((size_t)argc - 4)], tried);
    diag("seed %s, %lld s", argv[2], (long long)(time(NULL) - start));
    if (!ok(wrong == 0, "%d damaged files: an error, or what is in them", tried))
        diag("%d did harm, and are in %s", wrong, folder);
    (void)snprintf(folder + strlen(folder), sizeof folder - strlen(folder), "/printed");
    (void)unlink(folder);
    *strrchr(folder, '/') = '\0';
    (void)rmdir(folder); /* stays while something is in it */
    return tap_done();
}
