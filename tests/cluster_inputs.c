/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_mpi.t starts by mpirun, in which worker 1 makes its
 * inputs of something else: all are told what, and go on. Says "told: ..." for each, and ends with
 * 0 when all is as it should be.
 *
 *     cluster_inputs FOLDER    for files; each process has a folder of its own in it */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS = 96, FILE_ROWS = 12, FILES = 4 };

static const char *folder;
static bool is_other; /* this process makes what the others do not */
static double numbers[ROWS];
static float singles[ROWS];

/* ------------------------------------------------------------------ data */

static const char *path_of(const char *name)
{
    static char paths[FILES][4096];
    static int next;
    char *path = paths[next++ % FILES];
    (void)snprintf(path, sizeof paths[0], "%s/%d/%s", folder, rank, name);
    return path;
}

static void write_rows(const char *name, int64_t rows)
{
    must(cohort_npy_save(path_of(name), COHORT_ARRAY(singles, rows)) == COHORT_OK,
         "a file is written");
}

static void write_files(void)
{
    char own[4096];
    (void)snprintf(own, sizeof own, "%s/%d", folder, rank);
    must(mkdir(own, 0777) == 0, "there is a folder");
    for (int i = 0; i < FILES; i++)
        write_rows((const char *[]){ "0.npy", "1.npy", "2.npy", "3.npy" }[i], FILE_ROWS);
    write_rows("short.npy", rank == 1 ? 9 : FILE_ROWS);
    FILE *text = fopen(path_of("lines.txt"), "w");
    must(text != NULL, "there is a text");
    (void)fputs(rank == 1 ? "one\ntwo\nthree\n" : "one\ntwo\n", text);
    must(fclose(text) == 0, "which is written");
}

static cohort_dataset *slices(int64_t rows)
{
    cohort_array arrays[] = { COHORT_ARRAY(singles, rows) };
    return cohort_dataset_slices(1, arrays);
}

static cohort_dataset *files(const char *a, const char *b, const char *c, const char *d)
{
    const char *names[FILES] = { path_of(a), path_of(b), c != NULL ? path_of(c) : NULL,
                                 d != NULL ? path_of(d) : NULL };
    return cohort_dataset_npy(names, d != NULL ? 4 : c != NULL ? 3 : 2);
}

static cohort_dataset *with(cohort_dataset *dataset, cohort_dataset_options options)
{
    return cohort_dataset_with_options(cohort_dataset_batch(dataset, 24, false), &options);
}

static cohort_dataset *by(cohort_dataset *dataset, cohort_auto_shard policy)
{
    return with(dataset, (cohort_dataset_options){ .auto_shard = policy });
}

/* ------------------------------------------------------------------ what differs */

static cohort_dataset *rows(void)
{
    return by(slices(is_other ? 80 : ROWS), COHORT_SHARD_DATA);
}

static cohort_dataset *seed(void)
{
    return by(cohort_dataset_shuffle(slices(ROWS), ROWS, is_other ? 8 : 7), COHORT_SHARD_DATA);
}

static cohort_dataset *unshuffled(void)
{
    cohort_dataset *d = slices(ROWS);
    return by(is_other ? cohort_dataset_shuffle(d, ROWS, 7) : d, COHORT_SHARD_AUTO);
}

static cohort_dataset *taken(void)
{
    return by(cohort_dataset_take(slices(ROWS), is_other ? 48 : ROWS), COHORT_SHARD_DATA);
}

static cohort_dataset *batch(void)
{
    return cohort_dataset_batch(slices(ROWS), is_other ? 12 : 24, false);
}

static cohort_dataset *policy(void)
{
    return by(slices(ROWS), is_other ? COHORT_SHARD_OFF : COHORT_SHARD_DATA);
}

static cohort_dataset *split(void)
{
    return with(slices(ROWS), (cohort_dataset_options){ .split = is_other ? COHORT_SPLIT_BALANCED
                                                                          : COHORT_SPLIT_FILL });
}

static cohort_dataset *global_batch(void)
{
    return with(slices(ROWS), (cohort_dataset_options){ .global_batch = is_other ? 32 : 24 });
}

static cohort_dataset *weights(void)
{
    const double parts[] = { 1, is_other ? 2 : 1, 1 };
    return with(slices(ROWS), (cohort_dataset_options){ .split = COHORT_SPLIT_BALANCED,
                                                        .weights = parts,
                                                        .n_weights = size });
}

static cohort_dataset *typed(cohort_auto_shard how)
{
    cohort_array arrays[] = { COHORT_ARRAY(numbers, ROWS) };
    return by(is_other ? cohort_dataset_slices(1, arrays) : slices(ROWS), how);
}

static cohort_dataset *dtype(void)
{
    return typed(COHORT_SHARD_OFF);
}

static cohort_dataset *file_rows(void)
{
    return by(files("0.npy", "short.npy", NULL, NULL), COHORT_SHARD_DATA);
}

static cohort_dataset *file_sizes(void)
{
    return by(cohort_dataset_text((const char *[]){ path_of("lines.txt") }, 1), COHORT_SHARD_DATA);
}

static cohort_dataset *file_order(void)
{
    return by(is_other ? files("3.npy", "2.npy", "1.npy", "0.npy")
                       : files("0.npy", "1.npy", "2.npy", "3.npy"),
              COHORT_SHARD_FILE);
}

static cohort_dataset *file_list(void)
{
    return by(files("0.npy", "1.npy", "2.npy", is_other ? NULL : "3.npy"), COHORT_SHARD_AUTO);
}

static cohort_dataset *file_seed(void)
{
    return by(
        cohort_dataset_shuffle(files("0.npy", "1.npy", "2.npy", "3.npy"), 48, is_other ? 8 : 7),
        COHORT_SHARD_FILE);
}

static cohort_dataset *hint_seed(void)
{
    cohort_dataset *d = cohort_dataset_shard(slices(ROWS), COHORT_NUM_PIPELINES, 0);
    return by(cohort_dataset_shuffle(d, ROWS, is_other ? 8 : 7), COHORT_SHARD_HINT);
}

static cohort_dataset *missing(void)
{
    return by(files("0.npy", is_other ? "none.npy" : "1.npy", "2.npy", "3.npy"), COHORT_SHARD_FILE);
}

/* ------------------------------------------------------------------ what may differ */

static cohort_dataset *folders(void)
{
    return by(files("0.npy", "1.npy", "2.npy", "3.npy"), COHORT_SHARD_DATA);
}

static cohort_dataset *own_sizes(void)
{
    return by(files("short.npy", "1.npy", "2.npy", "3.npy"), COHORT_SHARD_FILE);
}

static cohort_dataset *own_data(void)
{
    return by(cohort_dataset_shuffle(slices(is_other ? 80 : ROWS), 8, (uint64_t)rank),
              COHORT_SHARD_OFF);
}

static cohort_dataset *ahead(void)
{
    cohort_dataset *d = by(slices(ROWS), COHORT_SHARD_DATA);
    return is_other ? cohort_dataset_prefetch(d, 3) : d;
}

static cohort_dataset *of(float items[ROWS], int64_t at)
{
    cohort_array array = COHORT_ARRAY(items, ROWS);
    items[at] = is_other ? 7 : 3;
    return cohort_dataset_slices(1, &array);
}

static cohort_dataset *contents(void)
{
    static float items[ROWS];
    return by(of(items, ROWS - 1), COHORT_SHARD_DATA);
}

/* Behind a transformation, and in the second of two. */
static cohort_dataset *contents_below(void)
{
    static float items[ROWS];
    cohort_dataset *pair[] = { slices(ROWS), of(items, 0) };
    return by(cohort_dataset_concatenate(pair, 2), COHORT_SHARD_AUTO);
}

static cohort_dataset *contents_with_gaps(void)
{
    static float items[ROWS];
    cohort_array array = COHORT_ARRAY(items, ROWS / 2);
    array.strides[0] = 2;
    items[2] = is_other ? 7 : 3; /* what is in the gaps does not count */
    items[3] = (float)rank;
    return by(cohort_dataset_slices(1, &array), COHORT_SHARD_DATA);
}

/* More than is read whole, apart at the end. */
static cohort_dataset *contents_large(void)
{
    enum { LARGE = 17 << 20 };
    static float items[LARGE];
    cohort_array array = COHORT_ARRAY(items, LARGE / 8, 8);
    items[LARGE - 1] = is_other ? 7 : 3;
    return by(cohort_dataset_slices(1, &array), COHORT_SHARD_DATA);
}

static cohort_dataset *own_contents(void)
{
    static float items[ROWS];
    return by(of(items, 5), COHORT_SHARD_OFF);
}

static cohort_dataset *of_function(const cohort_input_context *context, void *user)
{
    cohort_dataset *(*make)(void) = *(cohort_dataset * (**)(void)) user;
    (void)context;
    return make();
}

/* ------------------------------------------------------------------ the rows of this table */

static const struct kind {
    const char *name;
    cohort_dataset *(*make)(void);
    bool is_of_function, is_alike;
} kinds[] = {
    { "rows", rows, false, false },
    { "seed", seed, false, false },
    { "unshuffled", unshuffled, false, false },
    { "taken", taken, false, false },
    { "batch", batch, false, false },
    { "policy", policy, false, false },
    { "split", split, false, false },
    { "global batch", global_batch, false, false },
    { "weights", weights, false, false },
    { "dtype", dtype, false, false },
    { "dtype of a function", dtype, true, false },
    { "file rows", file_rows, false, false },
    { "file sizes", file_sizes, false, false },
    { "file order", file_order, false, false },
    { "file list", file_list, false, false },
    { "file seed", file_seed, false, false },
    { "hint seed", hint_seed, false, false },
    { "contents", contents, false, false },
    { "contents below", contents_below, false, false },
    { "contents with gaps", contents_with_gaps, false, false },
    { "contents of a large array", contents_large, false, false },
    { "missing", missing, false, false },
    { "folders", folders, false, true },
    { "own sizes", own_sizes, false, true },
    { "own data", own_data, false, true },
    { "own contents", own_contents, false, true },
    { "own data of a function", own_data, true, true },
    { "ahead", ahead, false, true },
};

static cohort_input *make(cohort_strategy *s, const struct kind *k, bool is_of_function)
{
    cohort_dataset *(*how)(void) = k->make;
    return is_of_function ? cohort_distribute_datasets_from_function(s, of_function, &how)
                          : cohort_distribute_dataset(s, k->make());
}

static void told(cohort_strategy *s, const char *name, const cohort_input *input)
{
    must(input == NULL && cohort_strategy_status(s) < 0, name);
    printf("told: %d: %s: %s\n", rank, name, cohort_error_text());
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
}

static void goes_on(cohort_strategy *s, const char *name, cohort_input *input)
{
    cohort_value *x = cohort_value_create(s);
    must(input != NULL, name);
    must(cohort_input_next(input, &x) == COHORT_OK, name);
    cohort_value_destroy(x);
    cohort_input_destroy(input);
}

int main(int argc, char **argv)
{
    folder = argc == 2 ? argv[1] : ".";
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    cohort_resolver *workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL, "there is a cluster");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    write_files();
    cohort_strategy *s = cohort_multi_worker_mirrored(workers, "host:0");
    must(s != NULL, "there is a strategy");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        is_other = rank == 1;
        cohort_input *input = make(s, &kinds[i], kinds[i].is_of_function);
        if (kinds[i].is_alike)
            goes_on(s, kinds[i].name, input);
        else
            told(s, kinds[i].name, input);
    }
    told(s, "made otherwise", make(s, &kinds[0], rank == 1));
    is_other = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].make != file_rows && kinds[i].make != file_sizes)
            goes_on(s, kinds[i].name, make(s, &kinds[i], kinds[i].is_of_function));
    cohort_strategy_destroy(s);
    cohort_resolver_destroy(workers);
    return 0;
}
