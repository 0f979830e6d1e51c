/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of several workers, read by one process: what a manifest may say, each of its bytes
 * and each shard damaged, and what goes with a generation that is removed. The files were recorded
 * of two workers with four replicas, by tests/cluster_checkpoint.c: train FOLDER 4 3 3. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/checkpoint/manifest.h"
#include "tests/checkpoint_folder.h"
#include "tests/core.h"

#include <cohort/checkpoint.h>

#include <inttypes.h>
#include <math.h>

#define SAVE "d1fb03ef69355360"
#define MANIFEST "checkpoint-000001.manifest.json"
#define SHARD_0 "checkpoint-000001." SAVE "-0-of-2.safetensors"
#define SHARD_1 "checkpoint-000001." SAVE "-1-of-2.safetensors"

enum { REPLICAS = 4, STEPS = 3, MOST = 8192, SHARDS = 2 };

static char bytes[3][MOST]; /* of the recorded files */
static size_t lengths[3];
static const char *const names[] = { MANIFEST, SHARD_0, SHARD_1 };

static bool read_recorded(void)
{
    const char *top = getenv("srcdir");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/tests/data/checkpoint", top != NULL ? top : ".");
    for (int i = 0; i < 3; i++)
        lengths[i] = get_file(path, names[i], bytes[i], MOST);
    return lengths[0] > 0 && lengths[1] > 0 && lengths[2] > 0;
}

static void put_recorded(void)
{
    remove_files(folder_path);
    for (int i = 0; i < 3; i++)
        put_bytes(folder_path, names[i], bytes[i], lengths[i]);
}

/* ------------------------------------------------------------------ what it says */

static cohort_status open_path(const char *name)
{
    cohort_checkpoint *c = cohort_checkpoint_open(file_in(folder_path, name));
    const cohort_status status = c != NULL ? COHORT_OK : COHORT_EINVAL;
    cohort_checkpoint_close(c);
    return status;
}

static void test_looking(void)
{
    cohort_checkpoint_tensor t;
    cohort_checkpoint_generation g[2];
    double parts[REPLICAS] = { 0 }, whole[1] = { 0 };
    int64_t own[2] = { 0, 0 };
    put_recorded();
    cohort_checkpoint *c = cohort_checkpoint_open(folder_path);
    ok(c != NULL && cohort_checkpoint_step(c) == STEPS, "a folder of shards is opened");
    ok(strstr(cohort_checkpoint_file(c), MANIFEST) != NULL &&
           strstr(cohort_checkpoint_shard(c, 1), SHARD_1) != NULL &&
           cohort_checkpoint_shard(c, 2) == NULL && cohort_checkpoint_shard(c, -1) == NULL,
       "by its manifest, which names the shards");
    ok(cohort_checkpoint_shard(NULL, 0) == NULL, "nothing has none");
    bool is_there = false;
    for (int i = 0; cohort_checkpoint_tensor_at(c, i, &t); i++)
        is_there = is_there || (strcmp(t.name, "sum@replicas") == 0 && t.rank == 2 &&
                                t.shape[0] == REPLICAS && t.bytes == sizeof parts && !t.has_crc);
    ok(is_there, "components of all workers are one tensor");
    ok(cohort_checkpoint_read(c, "sum@replicas", COHORT_ARRAY(parts, REPLICAS)) == COHORT_OK &&
           parts[0] == STEPS && parts[1] == 2 * STEPS && parts[2] == 3 * STEPS &&
           parts[3] == 4 * STEPS,
       "which is read");
    ok(cohort_checkpoint_check(c, "sum@replicas") == COHORT_OK, "and checked");
    ok(cohort_checkpoint_read(c, "sum", COHORT_ARRAY(whole, 1)) == COHORT_OK &&
           whole[0] == 10 * STEPS,
       "beside what they are together");
    ok(cohort_checkpoint_read(c, "own@worker1", COHORT_ARRAY(own, 2)) == COHORT_OK && own[0] == 1 &&
           own[1] == STEPS,
       "so is an array of a worker's own");
    cohort_checkpoint_close(c);
    ok(cohort_checkpoint_generations(folder_path, g, 2) == 1 && strcmp(g[0].file, MANIFEST) == 0 &&
           g[0].bytes == (int64_t)(lengths[0] + lengths[1] + lengths[2]),
       "a generation is as long as its files");
}

/* ------------------------------------------------------------------ restoring */

typedef struct model {
    cohort_strategy *s;
    cohort_variable *w, *sum, *rows;
    cohort_input *input;
    double expected[3], seconds;
    int64_t own[2];
    cohort_checkpoint_part parts[4];
} model;

static cohort_variable *components(cohort_strategy *s, const char *name, cohort_array zero,
                                   cohort_aggregation aggregation)
{
    return cohort_variable_create(s, name, zero,
                                  &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                              .aggregation = aggregation });
}

static void make(model *m, int32_t replicas)
{
    static const double zero[1] = { 0 };
    static const int64_t none[1] = { 0 };
    static const float w[3] = { 9, 9, 9 };
    *m = (model){ .s = cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host:0", .replicas = replicas }) };
    m->w = cohort_variable_create(m->s, "w", COHORT_ARRAY(w, 3), NULL);
    m->sum = components(m->s, "sum", COHORT_ARRAY(zero, 1), COHORT_AGGREGATE_SUM);
    (void)components(m->s, "mean", COHORT_ARRAY(zero, 1), COHORT_AGGREGATE_MEAN);
    (void)components(m->s, "first", COHORT_ARRAY(zero, 1), COHORT_AGGREGATE_ONLY_FIRST_REPLICA);
    m->rows = components(m->s, "rows", COHORT_ARRAY(none, 1), COHORT_AGGREGATE_SUM);
    m->input = cohort_distribute_dataset(
        m->s, cohort_dataset_batch(cohort_dataset_range(0, 100000, 1), 6, true));
    const cohort_checkpoint_part parts[] = {
        { .name = "numbers", .input = m->input },
        { .name = "expected", .array = COHORT_ARRAY(m->expected, 3) },
        { .name = "own", .array = COHORT_ARRAY(m->own, 2) },
        { .name = "seconds", .array = COHORT_ARRAY(&m->seconds, 1), .is_chiefs = true },
    };
    memcpy(m->parts, parts, sizeof parts);
}

static cohort_status restore(model *m, const char *path, uint32_t allow)
{
    return cohort_checkpoint_restore(
        m->s, path, NULL,
        &(cohort_checkpoint_options){ .parts = m->parts, .n_parts = 4, .allow = allow });
}

static int64_t first_row(model *m)
{
    cohort_value *x = cohort_value_create(m->s);
    cohort_array parts[8];
    const bool is_read =
        cohort_input_next(m->input, &x) == COHORT_OK && cohort_local_results(x, parts, 8) > 0;
    return is_read ? ((const int64_t *)parts[0].data)[0] : -1;
}

static void test_restoring(int32_t replicas)
{
    model m;
    float w[3] = { 0 };
    double sum[1] = { 0 };
    cohort_array parts[8];
    make(&m, replicas);
    put_recorded();
    ok(refused_for(m.s,
                   "1 is of each of the workers that saved, and of no other number of them: own",
                   restore(&m, folder_path, 0)),
       "%d replicas of one process: what each of two workers had is nobody's here", (int)replicas);
    ok(refused_for(m.s, "is the shard of one worker",
                   restore(&m, file_in(folder_path, SHARD_0), 0)),
       "a shard alone is not restored");
    ok(restore(&m, folder_path, COHORT_CHECKPOINT_ALLOW_OTHER) == COHORT_OK,
       "the rest is restored");
    (void)cohort_variable_read(m.w, COHORT_ARRAY(w, 3));
    (void)cohort_variable_read(m.sum, COHORT_ARRAY(sum, 1));
    ok(w[0] == 1.5f && w[2] == 3.5f, "what was the same on all");
    ok(fabs(sum[0] - 10 * STEPS) < 1e-12, "what they had together");
    if (replicas == REPLICAS)
        ok(cohort_local_results(m.sum, parts, 8) == REPLICAS &&
               ((const double *)parts[2].data)[0] == 3 * STEPS,
           "as the components of as many replicas");
    ok(m.expected[0] == 10 * STEPS && m.seconds == 1.5 && m.own[1] == 0, "arrays, and the chief's");
    ok(first_row(&m) == 6 * STEPS, "and the input goes on there");
    cohort_strategy_destroy(m.s);
}

/* ------------------------------------------------------------------ converting */

static bool has_all(const cohort_checkpoint *c)
{
    double parts[REPLICAS] = { 0 };
    int64_t own[2] = { 0, 0 };
    return c != NULL && good(cohort_checkpoint_step(c) == STEPS) &&
           good(cohort_checkpoint_text(c, "cohort.worker") == NULL &&
                cohort_checkpoint_text(c, "cohort.save") == NULL) &&
           good(cohort_checkpoint_read(c, "sum@replicas", COHORT_ARRAY(parts, REPLICAS)) ==
                COHORT_OK) &&
           good(parts[0] == STEPS && parts[3] == 4 * STEPS) &&
           good(cohort_checkpoint_read(c, "own@worker1", COHORT_ARRAY(own, 2)) == COHORT_OK) &&
           good(own[0] == 1 && own[1] == STEPS);
}

static bool restores(const char *path)
{
    model m;
    cohort_array parts[8];
    const cohort_checkpoint_rename rule = { "own@worker1", "own" };
    make(&m, REPLICAS);
    const cohort_status status = cohort_checkpoint_restore(
        m.s, path, NULL,
        &(cohort_checkpoint_options){ .parts = m.parts,
                                      .n_parts = 4,
                                      .renames = &rule,
                                      .n_renames = 1,
                                      .allow = COHORT_CHECKPOINT_ALLOW_EXTRA });
    const bool is_good = good(status == COHORT_OK) &&
                         good(cohort_local_results(m.sum, parts, 8) == REPLICAS &&
                              ((const double *)parts[2].data)[0] == 3 * STEPS) &&
                         good(m.own[0] == 1 && m.own[1] == STEPS) &&
                         good(first_row(&m) == 6 * STEPS);
    cohort_strategy_destroy(m.s);
    return is_good;
}

static void test_converting(void)
{
    char npz[1024], back[1024];
    put_recorded();
    (void)snprintf(npz, sizeof npz, "%s", file_in(folder_path, "all.npz"));
    (void)snprintf(back, sizeof back, "%s", file_in(folder_path, "all.safetensors"));
    ok(cohort_checkpoint_convert(file_in(folder_path, SHARD_0), npz) == COHORT_EINVAL &&
           says("is the shard of one worker; convert the manifest") &&
           !has_file(folder_path, "all.npz"),
       "a shard alone is not converted");
    ok(good(cohort_checkpoint_convert(folder_path, npz) == COHORT_OK) &&
           good(cohort_checkpoint_convert(npz, back) == COHORT_OK),
       "all shards are, and back to one file");
    cohort_checkpoint *c = cohort_checkpoint_open(back);
    ok(has_all(c), "with components of all workers, and what was each one's own");
    cohort_checkpoint_close(c);
    ok(restores(back), "which one process restores");
}

/* ------------------------------------------------------------------ damaged manifests */

static bool is_taken(const void *text, size_t length)
{
    put_bytes(folder_path, MANIFEST, text, length);
    return open_path(MANIFEST) == COHORT_OK;
}

static void test_bytes(void)
{
    char text[MOST];
    int taken = 0;
    put_recorded();
    ok(is_taken(bytes[0], lengths[0]), "the manifest is taken as it is");
    for (size_t i = 0; i < lengths[0]; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(text, bytes[0], lengths[0]);
            text[i] = (char)(text[i] ^ 1 << bit);
            taken += is_taken(text, lengths[0]);
        }
    ok(taken == 0, "none is with a bit that is another one");
    for (size_t i = 0; i < lengths[0]; i++)
        taken += is_taken(bytes[0], i);
    ok(taken == 0, "nor one that ends early");
    for (size_t i = 0; i < lengths[0]; i++) {
        memcpy(text, bytes[0], i);
        memcpy(text + i, bytes[0] + i + 1, lengths[0] - i - 1);
        taken += is_taken(text, lengths[0] - 1);
    }
    ok(taken == 0, "nor without one of its bytes");
    memcpy(text, bytes[0], lengths[0]);
    for (int c = 0; c < 256; c++) {
        text[lengths[0]] = (char)c;
        taken += is_taken(text, lengths[0] + 1);
    }
    ok(taken == 0, "nor with one more");
    char *large = calloc(2, 1 << 20);
    put_bytes(folder_path, MANIFEST, large, 2 << 20);
    free(large);
    ok(open_path(MANIFEST) != COHORT_OK && says("a manifest has at most"),
       "nor one that is too long");
    static const char newer[] = "{\"cohort.checkpoint\": \"2\",\n \"crc32c\": \"00000000\"}";
    put_bytes(folder_path, MANIFEST, newer, strlen(newer));
    ok(open_path(MANIFEST) != COHORT_OK && says("it is newer"), "one of a newer format is told");
}

static void test_shards(void)
{
    int taken = 0;
    char text[MOST];
    for (int shard = 1; shard < 3; shard++) {
        put_recorded();
        for (size_t i = 0; i < lengths[shard]; i++) {
            memcpy(text, bytes[shard], lengths[shard]);
            text[i] = (char)(text[i] ^ 1 << i % 8);
            put_bytes(folder_path, names[shard], text, lengths[shard]);
            taken += open_path("") == COHORT_OK;
        }
        put_bytes(folder_path, names[shard], bytes[shard], lengths[shard] - 1);
        taken += open_path("") == COHORT_OK;
        (void)unlink(file_in(folder_path, names[shard]));
        taken += open_path("") == COHORT_OK;
        put_bytes(folder_path, names[shard], bytes[3 - shard], lengths[3 - shard]);
        taken += open_path("") == COHORT_OK;
    }
    ok(taken == 0, "no byte of a shard is another one, nor is it gone, or that of another worker");
}

/* ------------------------------------------------------------------ manifests that lie */

static cohort_manifest_shard shards[SHARDS];

static cohort_manifest read_manifest(void)
{
    cohort_manifest m = { 0 };
    cohort_file file;
    put_recorded();
    if (cohort_file_open(file_in(folder_path, MANIFEST), &file) >= 0) {
        (void)cohort_manifest_read(&file, &m);
        cohort_file_close(&file);
    }
    if (m.n == SHARDS)
        memcpy(shards, m.shards, sizeof shards);
    cohort_manifest_free(&m);
    return (cohort_manifest){ .save = strtoull(SAVE, NULL, 16),
                              .step = STEPS,
                              .replicas = REPLICAS,
                              .shards = shards,
                              .n = SHARDS };
}

/* With the checksum of what it says. */
static bool is_believed(const cohort_manifest *m)
{
    char *text = cohort_manifest_to_text(m);
    const bool is = text != NULL && is_taken(text, strlen(text));
    cohort_free(text);
    return is;
}

static void test_lies(void)
{
    cohort_manifest m = read_manifest();
    ok(is_believed(&m), "a manifest that is written anew is taken");
#define lie(change, claim)                                                                         \
    do {                                                                                           \
        m = read_manifest();                                                                       \
        change;                                                                                    \
        ok(!is_believed(&m), "but not with %s", claim);                                            \
    } while (0)
    lie(m.save++, "another save");
    lie(m.step++, "another step");
    lie(m.replicas++, "more replicas than the shards have");
    lie(shards[0].replicas = 1; shards[1].replicas = 3, "replicas that are not those of a shard");
    lie(shards[0].replicas = 0; shards[1].replicas = 4, "a worker without one");
    lie(shards[1].bytes++, "a shard of another length");
    lie(shards[1].header_sum ^= 1, "a shard of another header");
    lie(shards[1] = shards[0], "the same shard twice");
    lie(m.n = 1; m.replicas = 2, "a shard too few");
    lie(m.n = 0; m.replicas = 0, "none");
    lie((void)snprintf(shards[1].file, sizeof shards[1].file, "../%s", MANIFEST), "a path");
    lie((void)snprintf(shards[1].file, sizeof shards[1].file, "none.safetensors"), "no file");
    lie(shards[1].file[0] = '\0', "no name");
#undef lie
}

/* ------------------------------------------------------------------ generations */

/* The recorded one once more, with that number. */
static void put_generation(int64_t number)
{
    char name[COHORT_GENERATION_NAME_BYTES];
    cohort_manifest m = { .save = strtoull(SAVE, NULL, 16),
                          .step = STEPS,
                          .replicas = REPLICAS,
                          .shards = shards,
                          .n = SHARDS };
    for (int32_t i = 0; i < SHARDS; i++) {
        const cohort_shard_name shard = { number, m.save, i, SHARDS };
        cohort_shard_name_print(&shard, shards[i].file);
        put_bytes(folder_path, shards[i].file, bytes[1 + i], lengths[1 + i]);
    }
    char *text = cohort_manifest_to_text(&m);
    cohort_generation_print(number, true, name);
    put_file(folder_path, name, text);
    cohort_free(text);
}

static void test_removing(void)
{
    (void)read_manifest();
    remove_files(folder_path);
    for (int64_t n = 1; n <= 4; n++)
        put_generation(n);
    ok(cohort_checkpoint_generations(folder_path, NULL, 0) == 4, "four generations of two shards");
    put_file(folder_path, "checkpoint-000009." SAVE "-0-of-2.safetensors", "left");
    put_file(folder_path, "checkpoint-000004." SAVE "-1-of-2.safetensors.77-0", "left");
    put_file(folder_path, "checkpoint-000009.manifest.json.77-0", "left");
    put_file(folder_path, "checkpoint-000009.0-0-of-2.safetensors", "a program's");
    ok(cohort_checkpoint_prune(folder_path, 2, COHORT_CHECKPOINT_NO_BEST) == 2, "two of them go");
    ok(count_files(folder_path) == 2 * 3 + 2,
       "with their shards, and what was left by writers that were killed");
    ok(has_file(folder_path, "checkpoint-000009.0-0-of-2.safetensors"), "but nothing else");
    ok(open_path("checkpoint-000004.manifest.json") == COHORT_OK &&
           open_path("checkpoint-000003.manifest.json") == COHORT_OK,
       "those that stay are whole");
    cohort_strategy *s = cohort_mirrored("host:0");
    float w[1] = { 1 };
    (void)cohort_variable_create(s, "w", COHORT_ARRAY(w, 1), NULL);
    ok(cohort_checkpoint_save(s, folder_path, 7, NULL) == COHORT_OK &&
           has_file(folder_path, "checkpoint-000005.safetensors"),
       "one process saves behind them");
    cohort_strategy_destroy(s);
}

int main(void)
{
    (void)core_warm();
    if (!folder_begin())
        return skip_all("no folder can be made here");
    ok(read_recorded(), "there are recorded files");
    core_live warm = core_live_now();
    test_looking();
    test_restoring(REPLICAS);
    test_restoring(3);
    test_converting();
    test_bytes();
    test_shards();
    test_lies();
    test_removing();
    remove_files(folder_path);
    folder_end();
    core_no_leak(warm);
    return tap_done();
}
