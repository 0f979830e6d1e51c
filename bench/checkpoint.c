/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/checkpoint: what it costs to save a state and to come back, 1 MiB to 1 GiB of float32 in
 * eight variables, in one run and in turns.
 *
 *   save      a checkpoint that a power cut cannot lose, beside the same bytes by hand: write(2) of
 *             1 MiB each, fsync, close, as dd conv=fsync writes over a file; and beside the same
 *             with what keeps the old file until then, a rename and a sync of the folder
 *   restore   the same from the page cache, checksums included, beside read(2) into memory that is
 *             there
 *   steps     how much longer steps take while a manager writes a state aside, and how much more
 *             memory there is at the most
 *
 * Files are in a folder of their own where the program runs: on the disk that is to be measured.
 * Peers, which take their names from BENCH_DATA, are told to write to it, too. */
#include "config.h"

#include "bench/must.h"
#include "bench/turns.h"

#include <cohort/checkpoint_manager.h>

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VARIABLES = 8, BLOCK = 1 << 20, MOST_PATH = 512, STEPS = 200, RUNS = 5 };

typedef struct bench {
    cohort_strategy *strategy;
    cohort_variable *variables[VARIABLES];
    char folder[MOST_PATH], by_hand[MOST_PATH + 16], newest[MOST_PATH];
    char *bytes; /* as many as there are in all variables */
    size_t n_bytes;
    int64_t step;
} bench;

static char top[] = "bench-checkpoint-XXXXXX";

/* ------------------------------------------------------------------ files */

static void remove_all(const char *folder)
{
    char path[2 * MOST_PATH];
    DIR *entries = opendir(folder);
    for (const struct dirent *e = entries != NULL ? readdir(entries) : NULL; e != NULL;
         e = readdir(entries)) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.' && unlink(path) != 0)
            remove_all(path);
    }
    if (entries != NULL)
        (void)closedir(entries);
    (void)rmdir(folder);
}

static void remove_top(void)
{
    remove_all(top);
}

/* ------------------------------------------------------------------ a state */

static bench make(size_t n_bytes)
{
    bench b = { .strategy = cohort_mirrored("host"), .n_bytes = n_bytes };
    int64_t n = (int64_t)(n_bytes / VARIABLES / sizeof(float));
    float *content = malloc((size_t)n * sizeof *content);
    char name[16];
    b.bytes = malloc(n_bytes);
    must(content != NULL && b.bytes != NULL, "checkpoint: memory");
    memset(b.bytes, 1, n_bytes);
    for (int64_t i = 0; i < n; i++)
        content[i] = (float)(i * 2654435761u % 1000003) / 1000003;
    for (int i = 0; i < VARIABLES; i++) {
        (void)snprintf(name, sizeof name, "w%d", i);
        b.variables[i] = cohort_variable_create(b.strategy, name, COHORT_ARRAY(content, n), NULL);
        must(b.variables[i] != NULL, "checkpoint");
    }
    free(content);
    (void)snprintf(b.folder, sizeof b.folder, "%s/cohort", top);
    (void)snprintf(b.by_hand, sizeof b.by_hand, "%s/by-hand", top);
    return b;
}

static void drop(bench *b)
{
    cohort_strategy_destroy(b->strategy);
    free(b->bytes);
    (void)unlink(b->by_hand);
    remove_all(b->folder);
}

/* ------------------------------------------------------------------ save */

static void save(void *user)
{
    bench *b = user;
    const cohort_checkpoint_options with = { .keep = 2 };
    must(cohort_checkpoint_save(b->strategy, b->folder, ++b->step, &with) == COHORT_OK, "save");
}

static void write_to(const bench *b, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (size_t done = 0; done < b->n_bytes;) {
        size_t n = b->n_bytes - done < BLOCK ? b->n_bytes - done : BLOCK;
        ssize_t now = write(fd, b->bytes + done, n);
        must(now > 0, "write");
        done += (size_t)now;
    }
    must(fsync(fd) == 0 && close(fd) == 0, "fsync");
}

static void write_by_hand(void *user)
{
    const bench *b = user;
    write_to(b, b->by_hand);
}

static void replace_by_hand(void *user)
{
    char path[MOST_PATH + 32];
    const bench *b = user;
    (void)snprintf(path, sizeof path, "%s-new", b->by_hand);
    write_to(b, path);
    int fd = open(top, O_RDONLY | O_DIRECTORY);
    must(rename(path, b->by_hand) == 0 && fsync(fd) == 0 && close(fd) == 0, "rename");
}

/* ------------------------------------------------------------------ restore */

static void restore(void *user)
{
    bench *b = user;
    must(cohort_checkpoint_restore(b->strategy, b->folder, NULL, NULL) == COHORT_OK, "restore");
}

static void read_by_hand(void *user)
{
    bench *b = user;
    int fd = open(b->by_hand, O_RDONLY);
    for (size_t done = 0; done < b->n_bytes;) {
        ssize_t now = read(fd, b->bytes + done, b->n_bytes - done);
        must(now > 0, "read");
        done += (size_t)now;
    }
    (void)close(fd);
}

static const char *name_of(const char *what, size_t n_bytes, char *text)
{
    (void)snprintf(text, 64, "%s, %zu MiB", what, n_bytes >> 20);
    return text;
}

static void compare(bench *b)
{
    char row[64];
    turns_side saves[] = {
        { .who = "write, fsync, by hand",
          .how = "as dd conv=fsync",
          .call = write_by_hand,
          .bench = b,
          .calls = 1,
          .is_limit = true },
        { .who = "write, fsync, rename, fsync, by hand",
          .call = replace_by_hand,
          .bench = b,
          .calls = 1 },
        { .who = "cohort", .how = "durable, with checksums", .call = save, .bench = b, .calls = 1 },
    };
    turns_row(name_of("save", b->n_bytes, row), saves, sizeof saves / sizeof *saves);
    turns_side restores[] = {
        { .who = "read, by hand", .call = read_by_hand, .bench = b, .is_limit = true },
        { .who = "cohort", .how = "with checksums", .call = restore, .bench = b },
    };
    turns_row(name_of("restore", b->n_bytes, row), restores, 2);
}

/* ------------------------------------------------------------------ steps */

/* The most memory that the process has had, and has now, in bytes; 0: the system does not tell. */
static double memory_of(const char *key)
{
    char line[256];
    double kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            kib = strtod(line + strlen(key), NULL);
    if (file != NULL)
        (void)fclose(file);
    return kib * 1024;
}

/* VmHWM counts from now on. */
static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file == NULL)
        return;
    (void)fputs("5", file);
    (void)fclose(file);
}

/* A step that computes for about a hundredth of a second on one core. */
static double work(double x)
{
    for (int i = 0; i < 3000000; i++)
        x = x * 0.999999 + 1e-7;
    return x;
}

static volatile double sink;

/* Seconds of all steps, of which one saves where there is a manager, and until it is on the
 * disk. */
static double take_steps(cohort_checkpoint_manager *m, bench *b)
{
    double start = turns_now();
    for (int i = 0; i < STEPS; i++) {
        sink = work(sink);
        if (m != NULL && i == 0)
            must(cohort_checkpoint_manager_save(m, ++b->step, 0, NULL) == COHORT_OK, "save aside");
    }
    return turns_now() - start;
}

static void compare_steps(bench *b)
{
    char row[64];
    double without[RUNS], with[RUNS], taking[RUNS], peak[RUNS];
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(
        b->strategy, b->folder, &(cohort_checkpoint_manager_options){ .keep = 2 });
    must(m != NULL, "a manager");
    for (int i = 0; i < RUNS; i++) {
        without[i] = take_steps(NULL, b);
        double before = memory_of("VmRSS:");
        forget_peak();
        with[i] = take_steps(m, b);
        must(cohort_checkpoint_manager_wait(m) == COHORT_OK, "save aside");
        peak[i] = (memory_of("VmHWM:") - before) / (double)b->n_bytes;
        double start = turns_now();
        must(cohort_checkpoint_manager_save(m, ++b->step, 0, NULL) == COHORT_OK, "save aside");
        taking[i] = turns_now() - start;
        must(cohort_checkpoint_manager_wait(m) == COHORT_OK, "save aside");
    }
    double first = turns_median(without, RUNS);
    name_of("steps, 200 and a save of", b->n_bytes, row);
    turns_put(row, "no save", "", "s", without, RUNS, first);
    turns_put(row, "cohort", "one save aside", "s", with, RUNS, first);
    turns_put(row, "cohort", "what the call takes", "s", taking, RUNS, 0);
    turns_put(row, "cohort", "memory more, in states", "x", peak, RUNS, 0);
    cohort_checkpoint_manager_destroy(m);
}

int main(void)
{
    static const size_t sizes[] = { 1 << 20, 16 << 20, 256 << 20, 1 << 30 };
    int n = turns_are_tiny() ? 1 : turns_are_quick() ? 3 : 4;
    must(mkdtemp(top) != NULL && setenv("BENCH_DATA", top, 1) == 0, "a folder");
    (void)atexit(remove_top);
    turns_table("checkpoint");
    for (int i = 0; i < n; i++) {
        bench b = make(sizes[i]);
        compare(&b);
        if (!turns_are_tiny())
            compare_steps(&b);
        drop(&b);
    }
    return 0;
}
