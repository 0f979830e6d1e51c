/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: what is refused; state that goes on under other replicas, devices and placements;
 * what matches and what does not; files that are damaged; writers that are killed or exclude each
 * other. */
#include "config.h"

#include "tests/checkpoint_folder.h"
#include "tests/core.h"

#include <complex.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { ROWS = 5, COLUMNS = 3 };

/* ------------------------------------------------------------------ wrong calls */

static void refuse_arguments(cohort_strategy *s)
{
    int64_t step = 3;
    ok(cohort_checkpoint_save(NULL, folder_path, 1, NULL) == COHORT_EINVAL,
       "a save of no strategy is refused");
    ok(cohort_checkpoint_restore(NULL, folder_path, NULL, NULL) == COHORT_EINVAL,
       "so is a restore");
    ok(refused_for(s, "the folder", cohort_checkpoint_save(s, NULL, 1, NULL)), "no folder");
    ok(refused_for(s, "is no folder", cohort_checkpoint_save(s, "", 1, NULL)), "an empty name");
    ok(refused_for(s, "is no folder", cohort_checkpoint_save(s, "a.safetensors", 1, NULL)),
       "the name of a file");
    ok(refused_for(s, "step -1", cohort_checkpoint_save(s, folder_path, -1, NULL)),
       "a negative step");
    ok(refused(s, COHORT_ENOENT, cohort_checkpoint_save(s, "no/such/folder", 1, NULL)),
       "a folder in none");
    ok(refused_for(s, "the path", cohort_checkpoint_restore(s, NULL, &step, NULL)), "no path");
    ok(refused(s, COHORT_ENOENT, cohort_checkpoint_restore(s, "none.safetensors", &step, NULL)),
       "a file that is not there");
    ok(cohort_checkpoint_restore(s, "no/such/folder", &step, NULL) == COHORT_END && step == 3 &&
           cohort_strategy_status(s) == COHORT_OK,
       "a folder that is not there yet is an answer and no error");
    ok(cohort_checkpoint_restore(s, folder_path, &step, NULL) == COHORT_END && step == 3,
       "so is an empty one");
    ok(cohort_checkpoint_open(folder_path) == NULL, "which cannot be opened");
    has_text(cohort_error_text(), "no checkpoint in it", "as the text says");
    ok(cohort_checkpoint_open(NULL) == NULL && says("the path"), "nor can no path");
    ok(cohort_checkpoint_open("no/such") == NULL, "nor one that is not there");
    ok(cohort_checkpoint_generations("no/such", NULL, 0) == -1, "nor listed");
    ok(cohort_checkpoint_generations(NULL, NULL, 0) == -1, "nor can no folder");
    ok(cohort_checkpoint_generations(folder_path, NULL, 0) == 0, "an empty one has none");
}

static void refuse_options(cohort_strategy *s, cohort_strategy *other)
{
    int32_t x = 1;
    const cohort_array array = COHORT_ARRAY(&x, 1);
    cohort_input *input = cohort_distribute_dataset(
        other, cohort_dataset_batch(cohort_dataset_range(0, 8, 1), 4, false));
    const char *stars[] = { "a*b*" }, *nothing[] = { "zz*" };
#define with(...)                                                                                  \
    cohort_checkpoint_save(s, folder_path, 1, &(cohort_checkpoint_options){ __VA_ARGS__ })
#define with_part(...) with(.n_parts = 1, .parts = &(const cohort_checkpoint_part){ __VA_ARGS__ })
#define with_note(...) with(.n_notes = 1, .notes = &(const cohort_checkpoint_note){ __VA_ARGS__ })
#define with_rule(...)                                                                             \
    with(.n_renames = 1, .renames = &(const cohort_checkpoint_rename){ __VA_ARGS__ })
    ok(refused_for(s, "reserved", with(.reserved = { &x })), "a reserved word");
    ok(refused_for(s, "keep is 1", with(.keep = 1)), "fewer generations than two");
    ok(refused_for(s, "keep is -3", with(.keep = -3)), "a negative number of them");
    ok(refused_for(s, "allow is 0x8", with(.allow = 8)), "a bit that is none");
    ok(refused_for(s, "no list", with(.n_parts = 1)), "parts without a list");
    ok(refused_for(s, "-1 notes", with(.n_notes = -1)), "a negative number of notes");
    ok(refused_for(s, "no name", with_part(.array = array)), "a part without a name");
    ok(refused_for(s, "neither", with_part(.name = "a")), "a part that is nothing");
    ok(refused_for(s, "both", with_part(.name = "a", .array = array, .input = input)),
       "a part that is two things");
    ok(refused_for(s, "another strategy", with_part(.name = "a", .input = input)),
       "an input of another strategy");
    ok(refused_for(s, "'w' stands twice", with_part(.name = "w", .array = array)),
       "a part with the name of a variable");
    ok(refused_for(s, "ends as those of components",
                   with_part(.name = "w@replicas", .array = array)),
       "a part with the name of components");
    ok(refused_for(s, "no UTF-8", with_part(.name = "\xff", .array = array)),
       "a name that is no UTF-8");
    ok(refused_for(s, "__metadata__", with_part(.name = "__metadata__", .array = array)),
       "a name that the format uses");
    ok(refused_for(s, "the library's", with_note("cohort.step", "4")), "a key of the library's");
    ok(refused_for(s, "no text", with_note("k", NULL)), "a note without a text");
    ok(refused_for(s, "more than one *", with(.n_only = 1, .only = stars)), "two stars in a name");
    ok(refused_for(s, "one side alone", with_rule("a*", "b")), "a star on one side of a rule");
    ok(refused_for(s, "more than one *", with_rule("a**", "b*")), "two on one");
    ok(count_files(folder_path) == 0, "and nothing was written");
    ok(cohort_checkpoint_save(s, folder_path, 1, NULL) == COHORT_OK, "a save without options");
    ok(refused_for(
           s, "called 'zz*'",
           cohort_checkpoint_restore(s, folder_path, NULL,
                                     &(cohort_checkpoint_options){ .n_only = 1, .only = nothing })),
       "a name of what is restored that nothing has");
    remove_files(folder_path);
}

static cohort_status save_in_step(cohort_replica *me, void *user)
{
    (void)user;
    return cohort_checkpoint_save(cohort_replica_strategy(me), folder_path, 1, NULL) ==
                   COHORT_EINVAL
               ? COHORT_OK
               : COHORT_EINTERNAL;
}

static void test_wrong_calls(void)
{
    float w[2] = { 1, 2 };
    cohort_strategy *s = cohort_mirrored("host/2"), *other = cohort_mirrored("host");
    ok(cohort_variable_create(s, "w", COHORT_ARRAY(w, 2), NULL) != NULL, "a variable");
    refuse_arguments(s);
    refuse_options(s, other);
    ok(refused(s, COHORT_EINVAL, cohort_for_each_replica(s, save_in_step, NULL)),
       "a save in a step function is refused");
    ok(count_files(folder_path) == 0, "and wrote nothing");
    cohort_strategy_destroy(other);
    cohort_strategy_destroy(s);
    ok(cohort_checkpoint_file(NULL) == NULL && cohort_checkpoint_step(NULL) == -1 &&
           cohort_checkpoint_skipped(NULL) == NULL && cohort_checkpoint_text(NULL, "k") == NULL &&
           cohort_checkpoint_key(NULL, 0) == NULL && !cohort_checkpoint_tensor_at(NULL, 0, NULL),
       "of no checkpoint nothing is told");
    ok(cohort_checkpoint_read(NULL, "w", COHORT_ARRAY(w, 2)) == COHORT_EINVAL, "nor read");
    cohort_checkpoint_close(NULL);
}

/* ------------------------------------------------------------------ the state of a strategy */

typedef struct point {
    int16_t a, b;
    float c;
} point;

static const double numbers[ROWS * COLUMNS] = { 0.1, -2, 3e300, -0.0, 5,  1e-300, 7, 8,
                                                9,   10, 11,    12,   13, 14,     15 };

/* Variables of every kind; NULL: one could not be made. */
typedef struct model {
    cohort_variable *w, *sum, *mean, *none, *first, *narrow, *eighth, *complex_, *points, *empty;
} model;

#define ON_READ(how)                                                                               \
    &(cohort_variable_options)                                                                     \
    {                                                                                              \
        .synchronization = COHORT_ON_READ, .aggregation = COHORT_AGGREGATE_##how                   \
    }

static bool make(cohort_strategy *s, model *m)
{
    const cohort_array narrow = { .dtype = COHORT_BF16, .rank = 1, .shape = { 3 } },
                       eighth = { .dtype = COHORT_F8_E4M3, .rank = 1, .shape = { 5 } };
    m->w = cohort_variable_create(s, "w", COHORT_ARRAY((double *)NULL, ROWS, COLUMNS), NULL);
    m->sum = cohort_variable_create(s, "sum", COHORT_ARRAY((float *)NULL, 2), ON_READ(SUM));
    m->mean = cohort_variable_create(s, "mean", COHORT_ARRAY((double *)NULL, 1), ON_READ(MEAN));
    m->none = cohort_variable_create(s, "none", COHORT_ARRAY((int32_t *)NULL, 3), ON_READ(NONE));
    m->first = cohort_variable_create(s, "first", COHORT_ARRAY((int32_t *)NULL, 1),
                                      ON_READ(ONLY_FIRST_REPLICA));
    m->narrow = cohort_variable_create(s, "narrow", narrow, NULL);
    m->eighth = cohort_variable_create(s, "eighth", eighth, NULL);
    m->complex_ =
        cohort_variable_create(s, "complex", COHORT_ARRAY((double _Complex *)NULL, 2), NULL);
    m->points = cohort_variable_create(s, "points", COHORT_ARRAY((point *)NULL, 2, 2), NULL);
    m->empty = cohort_variable_create(s, "empty", COHORT_ARRAY((float *)NULL, 0, 3), NULL);
    return good(cohort_strategy_status(s) == COHORT_OK);
}

static cohort_status fill_component(cohort_replica *me, void *user)
{
    const model *m = user;
    int r = cohort_replica_id(me);
    float sum[2] = { 0.1f * (float)(r + 1), (float)r };
    double mean = 1.0 / (r + 3);
    int32_t none[3] = { r, 10 * r, -r }, first = 7 + r;
    (void)cohort_variable_assign(m->sum, COHORT_ARRAY(sum, 2));
    (void)cohort_variable_assign(m->mean, COHORT_ARRAY(&mean, 1));
    (void)cohort_variable_assign(m->none, COHORT_ARRAY(none, 3));
    return cohort_variable_assign(m->first, COHORT_ARRAY(&first, 1));
}

static bool fill(cohort_strategy *s, model *m)
{
    uint16_t narrow[] = { 0x3f80, 0xc000, 0x7fc0 };
    uint8_t eighth[] = { 0x38, 0x7e, 0xff, 0x80, 1 };
    double _Complex z[] = { 1.5 - 2 * I, 1e300 };
    point points[] = { { 1, 2, 3 }, { 4, 5, 6 }, { -7, 8, 9 }, { 10, 11, 12 } };
    (void)cohort_variable_assign(m->w, COHORT_ARRAY(numbers, ROWS, COLUMNS));
    (void)cohort_variable_assign(
        m->narrow,
        ((cohort_array){ .data = narrow, .dtype = COHORT_BF16, .rank = 1, .shape = { 3 } }));
    (void)cohort_variable_assign(
        m->eighth,
        ((cohort_array){ .data = eighth, .dtype = COHORT_F8_E4M3, .rank = 1, .shape = { 5 } }));
    (void)cohort_variable_assign(m->complex_, COHORT_ARRAY(z, 2));
    (void)cohort_variable_assign(m->points, COHORT_ARRAY(points, 2, 2));
    return good(cohort_for_each_replica(s, fill_component, m) == COHORT_OK);
}

/* All bytes of a model, as cross-replica context reads them. */
typedef struct content {
    double w[ROWS * COLUMNS], mean;
    double _Complex z[2];
    point points[4];
    float sum[2];
    int32_t first;
    uint16_t narrow[3];
    uint8_t eighth[5];
} content;

static bool read_all(const model *m, content *out)
{
    memset(out, 0, sizeof *out);
    (void)cohort_variable_read(m->w, COHORT_ARRAY(out->w, ROWS, COLUMNS));
    (void)cohort_variable_read(m->sum, COHORT_ARRAY(out->sum, 2));
    (void)cohort_variable_read(m->mean, COHORT_ARRAY(&out->mean, 1));
    (void)cohort_variable_read(m->first, COHORT_ARRAY(&out->first, 1));
    (void)cohort_variable_read(
        m->narrow,
        (cohort_array){ .data = out->narrow, .dtype = COHORT_BF16, .rank = 1, .shape = { 3 } });
    (void)cohort_variable_read(
        m->eighth,
        (cohort_array){ .data = out->eighth, .dtype = COHORT_F8_E4M3, .rank = 1, .shape = { 5 } });
    (void)cohort_variable_read(m->complex_, COHORT_ARRAY(out->z, 2));
    return good(cohort_variable_read(m->points, COHORT_ARRAY(out->points, 2, 2)) == COHORT_OK);
}

typedef struct components {
    const model *model;
    float sum[CORE_MAX_REPLICAS][2];
    double mean[CORE_MAX_REPLICAS];
    int32_t none[CORE_MAX_REPLICAS][3];
} components;

static cohort_status read_component(cohort_replica *me, void *user)
{
    components *c = user;
    int r = cohort_replica_id(me);
    (void)cohort_variable_read(c->model->sum, COHORT_ARRAY(c->sum[r], 2));
    (void)cohort_variable_read(c->model->mean, COHORT_ARRAY(&c->mean[r], 1));
    return cohort_variable_read(c->model->none, COHORT_ARRAY(c->none[r], 3));
}

static bool read_components(cohort_strategy *s, const model *m, components *out)
{
    memset(out, 0, sizeof *out);
    out->model = m;
    bool is_good = good(cohort_for_each_replica(s, read_component, out) == COHORT_OK);
    out->model = NULL;
    return is_good;
}

/* What other replicas divide anew is the same up to its last digits; all else to the bit. */
static bool is_close(const content *a, const content *b)
{
    content rounded = *b;
    bool is_close = fabs(a->mean - b->mean) <= 1e-15 && fabsf(a->sum[0] - b->sum[0]) <= 1e-5f &&
                    fabsf(a->sum[1] - b->sum[1]) <= 1e-4f;
    rounded.mean = a->mean;
    memcpy(rounded.sum, a->sum, sizeof rounded.sum);
    return is_close && memcmp(a, &rounded, sizeof rounded) == 0;
}

static content saved_content;
static components saved_components;
static int32_t saved_replicas;

static bool save_model(const core_place *place)
{
    model m;
    cohort_strategy *s = core_open(place);
    saved_replicas = place->replicas;
    bool is_good = s != NULL && make(s, &m) && fill(s, &m) && read_all(&m, &saved_content) &&
                   read_components(s, &m, &saved_components) &&
                   good(cohort_checkpoint_save(s, folder_path, 12, NULL) == COHORT_OK);
    cohort_strategy_destroy(s);
    return is_good;
}

static bool go_on(cohort_strategy *s, int replicas)
{
    static const char *const but_none[] = { "w",      "sum",     "mean",   "first", "narrow",
                                            "eighth", "complex", "points", "empty" };
    const cohort_checkpoint_options with = { .only = but_none, .n_only = 9 };
    model m;
    content found;
    components parts;
    int64_t step = 0;
    bool is_same = replicas == saved_replicas;
    if (!make(s, &m) ||
        !good(cohort_checkpoint_restore(s, folder_path, &step, is_same ? NULL : &with) ==
              COHORT_OK) ||
        !good(step == 12) || !read_all(&m, &found) || !read_components(s, &m, &parts))
        return false;
    return is_same ? good(memcmp(&found, &saved_content, sizeof found) == 0) &&
                         good(memcmp(&parts, &saved_components, sizeof parts) == 0)
                   : good(is_close(&saved_content, &found));
}

static void test_everywhere(void)
{
    for (size_t i = 0; i < CORE_PLACES; i += 3) {
        if (!ok(save_model(&core_places[i]), "a model is saved by %d replicas on %s",
                (int)core_places[i].replicas, core_places[i].devices))
            continue;
        core_everywhere(go_on, "and goes on anywhere, to the bit with as many replicas");
        remove_files(folder_path);
    }
}

static bool none_is_refused(cohort_strategy *s, int replicas)
{
    model m;
    return replicas == saved_replicas ||
           (make(s, &m) && refused_for(s,
                                       "1 is of another shape there: none is int32[3], there "
                                       "int32[2][3]",
                                       cohort_checkpoint_restore(s, folder_path, NULL, NULL)));
}

static void test_components_that_fit_nowhere(void)
{
    ok(save_model(&core_places[1]), "components that have no value together");
    core_everywhere(none_is_refused, "are restored to as many replicas alone");
    remove_files(folder_path);
}

/* The policies of the library, each to each other. */
static void test_placements(void)
{
    static const char *const names[] = { "mirrored", "central", "sharded", "round-robin" };
    int good_ones = 0;
    for (int i = 0; i < 16; i++) {
        double found[ROWS * COLUMNS] = { 0 };
        cohort_strategy *from = cohort_strategy_create(&(cohort_strategy_options){
                            .name = names[i / 4], .devices = "host/3" }),
                        *to = cohort_strategy_create(&(cohort_strategy_options){
                            .name = names[i % 4], .devices = "host/2" });
        cohort_variable *v =
            cohort_variable_create(to, "w", COHORT_ARRAY((double *)NULL, ROWS, COLUMNS), NULL);
        (void)cohort_variable_create(from, "w", COHORT_ARRAY(numbers, ROWS, COLUMNS), NULL);
        good_ones +=
            good(cohort_checkpoint_save(from, folder_path, 1, NULL) == COHORT_OK) &&
            good(cohort_checkpoint_restore(to, folder_path, NULL, NULL) == COHORT_OK) &&
            good(cohort_variable_read(v, COHORT_ARRAY(found, ROWS, COLUMNS)) == COHORT_OK) &&
            good(memcmp(found, numbers, sizeof found) == 0);
        cohort_strategy_destroy(from);
        cohort_strategy_destroy(to);
    }
    ok(good_ones == 16, "every placement goes on with what every other one saved");
    remove_files(folder_path);
}

static void test_list(void)
{
    cohort_variable_info found[16];
    model m;
    cohort_strategy *s = cohort_mirrored("host/2");
    ok(cohort_strategy_variables(NULL, NULL, 0) == 0, "no strategy has no variables");
    ok(cohort_strategy_variables(s, found, 16) == 0, "nor has a new one");
    ok(make(s, &m) && cohort_metric_create(s, "mean", "loss") != NULL, "variables and a metric");
    ok(cohort_strategy_variables(s, NULL, 0) == 12, "are counted");
    ok(cohort_strategy_variables(s, found, 16) == 12 && found[0].variable == m.w, "and listed");
    is_text(found[0].name, "w", "by name");
    is_text(found[0].placement, "mirrored", "with their policy");
    ok(found[0].spec.dtype == COHORT_F64 && found[0].spec.rank == 2 &&
           found[0].spec.shape[0] == ROWS && found[0].bytes == ROWS * COLUMNS * 8,
       "dtype, shape and size");
    ok(found[0].components == 0 && found[1].components == 2 &&
           found[1].aggregation == COHORT_AGGREGATE_SUM && !found[0].is_of_metric &&
           found[10].is_of_metric,
       "components, and whether it is a metric's");
    is_text(found[11].name, "loss/count", "in the order in which they were made");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ parts of the program */

enum { ALL_ROWS = 37, BATCH = 6 };

static cohort_dataset *rows_in_order(void)
{
    return cohort_dataset_batch(cohort_dataset_shuffle(cohort_dataset_range(0, ALL_ROWS, 1), 10, 5),
                                BATCH, false);
}

/* Rows that come from now on, in the order in which a strategy gets them. */
static int rest_of(cohort_strategy *s, cohort_input *input, int64_t out[ALL_ROWS])
{
    cohort_value *batch[1] = { cohort_value_create(s) };
    int n = 0;
    while (cohort_input_next(input, batch) == COHORT_OK) {
        int64_t rows = cohort_input_rows(input);
        if (cohort_value_read(batch[0], COHORT_ARRAY(out + n, rows)) != COHORT_OK)
            return -1;
        n += (int)rows;
    }
    return n;
}

static int64_t rows_after_save[ALL_ROWS];
static int n_after_save;

static bool save_parts(void)
{
    int64_t epoch = 4;
    uint64_t random[4] = { 1, UINT64_MAX, 3, 4 };
    float scores[] = { 1, 2, 3 };
    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_metric *mean = cohort_metric_create(s, "mean", "loss");
    cohort_input *input = cohort_distribute_dataset(s, rows_in_order());
    cohort_value *batch[1] = { cohort_value_create(s) };
    const cohort_checkpoint_part parts[] = { { .name = "train", .input = input },
                                             { .name = "epoch", .array = COHORT_ARRAY(&epoch, 1) },
                                             { .name = "random",
                                               .array = COHORT_ARRAY(random, 4) } };
    const cohort_checkpoint_note notes[] = { { "learning rate", "0.1 \"or so\"" } };
    (void)cohort_metric_update(mean, cohort_value_plain(s, COHORT_ARRAY(scores, 3)), NULL);
    (void)cohort_input_next(input, batch);
    (void)cohort_input_next(input, batch);
    bool is_good =
        good(cohort_checkpoint_save(
                 s, folder_path, 2,
                 &(cohort_checkpoint_options){
                     .parts = parts, .n_parts = 3, .notes = notes, .n_notes = 1 }) == COHORT_OK);
    n_after_save = rest_of(s, input, rows_after_save);
    cohort_strategy_destroy(s);
    return is_good && good(n_after_save == ALL_ROWS - 2 * BATCH);
}

static bool go_on_with_parts(cohort_strategy *s, int replicas)
{
    int64_t epoch = 0, rows[ALL_ROWS], step = -1;
    uint64_t random[8] = { 0 };
    cohort_metric *mean = cohort_metric_create(s, "mean", "loss");
    cohort_input *input = cohort_distribute_dataset(s, rows_in_order());
    const cohort_checkpoint_part parts[] = { { .name = "random",
                                               .array = { .data = random,
                                                          .dtype = COHORT_U64,
                                                          .rank = 1,
                                                          .shape = { 4 },
                                                          .strides = { 2 } } },
                                             { .name = "train", .input = input },
                                             { .name = "epoch",
                                               .array = COHORT_ARRAY(&epoch, 1) } };
    const cohort_checkpoint_options with = { .parts = parts, .n_parts = 3 };
    (void)replicas;
    return good(cohort_checkpoint_restore(s, folder_path, &step, &with) == COHORT_OK) &&
           good(step == 2 && epoch == 4 && random[0] == 1 && random[1] == 0 &&
                random[2] == UINT64_MAX && random[6] == 4) &&
           good(fabs(cohort_metric_result(mean) - 2) < 1e-12) &&
           good(rest_of(s, input, rows) == n_after_save) &&
           good(memcmp(rows, rows_after_save, (size_t)n_after_save * sizeof *rows) == 0);
}

static void test_parts(void)
{
    ok(save_parts(), "a metric, an input, arrays and a note are saved");
    core_everywhere(go_on_with_parts, "and go on anywhere");
    cohort_checkpoint *c = cohort_checkpoint_open(folder_path);
    ok(c != NULL && cohort_checkpoint_step(c) == 2, "the file is opened");
    is_text(cohort_checkpoint_text(c, "learning rate"), "0.1 \"or so\"", "the note is in it");
    has_text(cohort_checkpoint_text(c, "cohort.input.train"), "cohort-position",
             "so is a position");
    int keys = 0;
    while (cohort_checkpoint_key(c, keys) != NULL)
        keys++;
    ok(keys > 6 && cohort_checkpoint_key(c, -1) == NULL, "and the keys are listed");
    cohort_checkpoint_close(c);
    remove_files(folder_path);
}

/* An input of other data takes no position, and then nothing else is taken either. */
static void test_other_data(void)
{
    int64_t epoch = 0;
    ok(save_parts(), "a checkpoint with an input");
    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_metric *mean = cohort_metric_create(s, "mean", "loss");
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_range(0, 99, 1), BATCH, false));
    const cohort_checkpoint_part parts[] = {
        { .name = "epoch", .array = COHORT_ARRAY(&epoch, 1) },
        { .name = "random",
          .array = { .data = (uint64_t[4]){ 0 }, .dtype = COHORT_U64, .rank = 1, .shape = { 4 } } },
        { .name = "train", .input = input }
    };
    const cohort_checkpoint_options with = { .parts = parts, .n_parts = 3 };
    ok(refused_for(s, "another dataset", cohort_checkpoint_restore(s, folder_path, NULL, &with)),
       "is not restored to an input of other data");
    ok(epoch == 0 && isnan(cohort_metric_result(mean)), "and nothing has changed");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* ------------------------------------------------------------------ what matches */

static cohort_strategy *strategy_of(int n, const char *const names[], const int64_t lengths[],
                                    const cohort_dtype dtypes[], double value)
{
    cohort_strategy *s = cohort_mirrored("host/2");
    for (int i = 0; i < n; i++) {
        const cohort_array zeros = { .dtype = dtypes[i], .rank = 1, .shape = { lengths[i] } };
        cohort_variable *v = cohort_variable_create(s, names[i], zeros, NULL);
        (void)cohort_variable_assign(v, value);
    }
    return s;
}

static double first_of(cohort_strategy *s, const char *name)
{
    cohort_variable_info info[8];
    double numbers_[8] = { 0 };
    float floats[8] = { 0 };
    int n = cohort_strategy_variables(s, info, 8);
    for (int i = 0; i < n; i++)
        if (strcmp(info[i].name, name) == 0) {
            bool is_double = info[i].spec.dtype == COHORT_F64;
            cohort_array into = is_double ? COHORT_ARRAY(numbers_, info[i].spec.shape[0])
                                          : COHORT_ARRAY(floats, info[i].spec.shape[0]);
            (void)cohort_variable_read(info[i].variable, into);
            return is_double ? numbers_[0] : (double)floats[0];
        }
    return NAN;
}

static void test_matching(void)
{
    static const char *const there[] = { "a", "b", "c", "d" }, *const here[] = { "a", "b", "c",
                                                                                 "e" };
    static const int64_t lengths[] = { 2, 2, 2, 2 }, others[] = { 2, 3, 2, 2 };
    static const cohort_dtype f32[] = { COHORT_F32, COHORT_F32, COHORT_F32, COHORT_F32 },
                              mixed[] = { COHORT_F32, COHORT_F32, COHORT_F64, COHORT_F32 };
    cohort_checkpoint_match m[8];
    cohort_strategy *from = strategy_of(4, there, lengths, f32, 1),
                    *s = strategy_of(4, here, others, mixed, 5);
    ok(cohort_checkpoint_save(from, folder_path, 1, NULL) == COHORT_OK, "four variables");
    ok(refused_for(s,
                   "1 is missing in it: e; 1 is in it and not here: d; 1 is of another shape "
                   "there: b is float32[3], there float32[2]; 1 is of another dtype there: c is "
                   "float64[2], there float32[2]",
                   cohort_checkpoint_restore(s, folder_path, NULL, NULL)),
       "do not match four others: all is said");
    ok(first_of(s, "a") == 5, "and nothing has changed");
    cohort_checkpoint *c = cohort_checkpoint_open(folder_path);
    ok(cohort_checkpoint_compare(s, c, NULL, NULL, 9) == 5 &&
           cohort_checkpoint_compare(s, c, NULL, m, 8) == 5,
       "a comparison lists them");
    ok(m[0].relation == COHORT_CHECKPOINT_MATCHES &&
           m[1].relation == COHORT_CHECKPOINT_OTHER_SHAPE &&
           m[2].relation == COHORT_CHECKPOINT_OTHER_DTYPE &&
           m[3].relation == COHORT_CHECKPOINT_MISSING && m[4].relation == COHORT_CHECKPOINT_EXTRA,
       "with what they are to each other");
    ok(m[1].here.shape[0] == 3 && m[1].there.shape[0] == 2 && m[2].there.dtype == COHORT_F32 &&
           m[3].saved == NULL && m[4].name == NULL && strcmp(m[4].saved, "d") == 0,
       "their shapes, dtypes and names");
    ok(refused(s, COHORT_EINVAL,
               cohort_checkpoint_compare(s, NULL, NULL, m, 8) < 0 ? COHORT_EINVAL : COHORT_OK),
       "not to no checkpoint");
    for (uint32_t allow = 0; allow < 7; allow++)
        if (!good(refused(
                s, COHORT_EINVAL,
                cohort_checkpoint_restore(s, folder_path, NULL,
                                          &(cohort_checkpoint_options){ .allow = allow }))) ||
            !good(first_of(s, "a") == 5))
            ok(false, "allowed %u is too little", (unsigned)allow);
    ok(cohort_checkpoint_restore(s, folder_path, NULL,
                                 &(cohort_checkpoint_options){ .allow = 7 }) == COHORT_OK,
       "where all of it is allowed");
    ok(first_of(s, "a") == 1 && first_of(s, "b") == 5 && first_of(s, "c") == 5 &&
           first_of(s, "e") == 5,
       "what matches is restored, and nothing else");
    cohort_checkpoint_close(c);
    cohort_strategy_destroy(from);
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* What adds up on replicas takes a whole only where its dtype has sums; variables in front of it
 * are as they were when that is found. */
static void test_sums_that_are_none(void)
{
    static const char *const names[] = { "a" };
    static const int64_t lengths[] = { 2 };
    static const cohort_dtype f32[] = { COHORT_F32 };
    bool flags[2] = { true, false };
    const cohort_variable_options sums = { .synchronization = COHORT_ON_READ,
                                           .aggregation = COHORT_AGGREGATE_SUM };
    cohort_strategy *from = strategy_of(1, names, lengths, f32, 1),
                    *s = strategy_of(1, names, lengths, f32, 5);
    ok(cohort_variable_create(from, "flags", COHORT_ARRAY(flags, 2), NULL) != NULL &&
           cohort_checkpoint_save(from, folder_path, 1, NULL) == COHORT_OK,
       "flags are saved");
    ok(cohort_variable_create(s, "flags", COHORT_ARRAY(flags, 2), &sums) != NULL &&
           refused_for(s, "flags", cohort_checkpoint_restore(s, folder_path, NULL, NULL)),
       "and refused where they would have to be a sum");
    ok(first_of(s, "a") == 5, "nothing has changed");
    cohort_strategy_destroy(from);
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

static void test_names(void)
{
    static const char *const there[] = { "old/w", "old/b", "v" }, *const here[] = { "new/w",
                                                                                    "new/b", "u" };
    static const int64_t lengths[] = { 2, 2, 2 };
    static const cohort_dtype f32[] = { COHORT_F32, COHORT_F32, COHORT_F32 };
    static const cohort_checkpoint_rename rules[] = { { "old/*", "new/*" }, { "v", "u" } },
                                          one[] = { { "old/*", "v" } },
                                          to_one[] = { { "old/w", "v" } };
    static const char *const only[] = { "new/*" };
    cohort_strategy *from = strategy_of(3, there, lengths, f32, 1),
                    *s = strategy_of(3, here, lengths, f32, 5);
    ok(cohort_checkpoint_save(from, folder_path, 1, NULL) == COHORT_OK, "three variables");
    ok(refused_for(s, "a * on one side",
                   cohort_checkpoint_restore(
                       s, folder_path, NULL,
                       &(cohort_checkpoint_options){ .renames = one, .n_renames = 1 })),
       "a rule that makes one name of many is refused");
    ok(refused_for(s, "become 'v' here",
                   cohort_checkpoint_restore(
                       s, folder_path, NULL,
                       &(cohort_checkpoint_options){ .renames = to_one, .n_renames = 1 })),
       "so is one that makes a name that is there");
    ok(cohort_checkpoint_restore(
           s, folder_path, NULL,
           &(cohort_checkpoint_options){
               .renames = rules, .n_renames = 2, .only = only, .n_only = 1 }) == COHORT_OK &&
           first_of(s, "new/w") == 1 && first_of(s, "new/b") == 1 && first_of(s, "u") == 5,
       "rules give others their names, and those that are asked for are restored");
    ok(cohort_checkpoint_restore(
           s, folder_path, NULL,
           &(cohort_checkpoint_options){ .renames = rules, .n_renames = 2 }) == COHORT_OK &&
           first_of(s, "u") == 1,
       "or all");
    cohort_strategy_destroy(from);
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* A file that Python's package wrote. */
static void test_file_of_others(void)
{
    char path[2048];
    float found[6] = { 0 };
    const char *top = getenv("srcdir");
    int64_t step = 77;
    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_variable *v =
        cohort_variable_create(s, "float32", COHORT_ARRAY((float *)NULL, 2, 3), NULL);
    (void)snprintf(path, sizeof path, "%s/tests/data/safetensors/dtypes.safetensors",
                   top != NULL ? top : ".");
    ok(refused_for(s, "12 are in it and not here", cohort_checkpoint_restore(s, path, NULL, NULL)),
       "a file of others has more than a variable takes");
    ok(cohort_checkpoint_restore(
           s, path, &step,
           &(cohort_checkpoint_options){ .allow = COHORT_CHECKPOINT_ALLOW_EXTRA }) == COHORT_OK,
       "which may be allowed");
    ok(cohort_variable_read(v, COHORT_ARRAY(found, 2, 3)) == COHORT_OK && found[5] == 2.5f &&
           step == 77,
       "its numbers are taken, and no step, for it says none");
    cohort_checkpoint *c = cohort_checkpoint_open(path);
    cohort_checkpoint_tensor t;
    int n = 0;
    while (cohort_checkpoint_tensor_at(c, n, &t))
        n++;
    ok(n == 13 && !t.has_crc && cohort_checkpoint_step(c) == -1,
       "it has tensors without checksums");
    ok(cohort_checkpoint_check(c, "bool") == COHORT_ENOTSUP, "so that they cannot be checked");
    ok(cohort_checkpoint_read(c, "float32", COHORT_ARRAY(found, 6)) == COHORT_OK, "but read");
    ok(cohort_checkpoint_read(c, "float32", COHORT_ARRAY(found, 5)) == COHORT_EINVAL,
       "into an array that is as large");
    ok(cohort_checkpoint_read(c, "float64", COHORT_ARRAY(found, 6)) == COHORT_EINVAL &&
           says("'float64' is float64 of 48 bytes, the array float32 of 24"),
       "and of the same dtype");
    ok(cohort_checkpoint_read(c, "no", COHORT_ARRAY(found, 6)) == COHORT_ENOENT, "by their names");
    cohort_checkpoint_close(c);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ generations */

static void test_generations(void)
{
    static const char *const names[] = { "w" };
    static const int64_t lengths[] = { 2 };
    static const cohort_dtype f32[] = { COHORT_F32 };
    cohort_checkpoint_generation found[16];
    cohort_strategy *s = strategy_of(1, names, lengths, f32, 1);
    int64_t step = 0;
    for (int i = 1; i <= 7; i++)
        if (cohort_checkpoint_save(s, folder_path, 10 * i, NULL) != COHORT_OK)
            ok(false, "save %d: %s", i, cohort_error_text());
    ok(cohort_checkpoint_generations(folder_path, found, 16) == 5 && found[0].number == 7 &&
           found[4].number == 3,
       "five generations stay");
    is_text(found[0].file, "checkpoint-000007.safetensors", "with names that sort");
    ok(cohort_checkpoint_save(s, folder_path, 1, &(cohort_checkpoint_options){ .keep = 2 }) ==
               COHORT_OK &&
           cohort_checkpoint_generations(folder_path, found, 16) == 2,
       "or as many as are asked for");
    ok(cohort_checkpoint_restore(s, folder_path, &step, NULL) == COHORT_OK && step == 1,
       "the one that was written last counts, whatever its step");
    put_file(folder_path, "checkpoint-000009.safetensors.123-0", "left");
    put_file(folder_path, "checkpoint-9.safetensors", "no name of ours");
    put_file(folder_path, "notes.txt", "of the program");
    put_file(folder_path, "checkpoint-2026.11-30", "of the program, of a day");
    put_file(folder_path, "checkpoint-000009.safetensors.old.1-2", "of the program");
    ok(cohort_checkpoint_save(s, folder_path, 2, NULL) == COHORT_OK &&
           !has_file(folder_path, "checkpoint-000009.safetensors.123-0"),
       "what a killed writer left is removed");
    ok(has_file(folder_path, "checkpoint-9.safetensors") && has_file(folder_path, "notes.txt") &&
           has_file(folder_path, "checkpoint-2026.11-30") &&
           has_file(folder_path, "checkpoint-000009.safetensors.old.1-2"),
       "and no other file");
    struct stat what;
    ok(stat(file_in(folder_path, "checkpoint-000009.safetensors"), &what) == 0 &&
           (what.st_mode & 0777) == 0600,
       "a checkpoint is for its owner alone");
    put_file(folder_path, "checkpoint-999999999999999999.safetensors", "the last one");
    ok(refused_for(s, "no number behind", cohort_checkpoint_save(s, folder_path, 2, NULL)),
       "numbers end");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* The shortest file of the format, which says of itself nothing that is ours. */
static void test_generation_of_others(void)
{
    static const char empty[] = "\2\0\0\0\0\0\0\0{}";
    static const char *const names[] = { "w" };
    static const int64_t lengths[] = { 2 };
    static const cohort_dtype f32[] = { COHORT_F32 };
    const cohort_checkpoint_options with = { .keep = 2 };
    cohort_checkpoint_generation found[16];
    cohort_strategy *s = strategy_of(1, names, lengths, f32, 1);
    bool is_saved = cohort_checkpoint_save(s, folder_path, 1, &with) == COHORT_OK;
    put_bytes(folder_path, "checkpoint-000002.safetensors", empty, sizeof empty - 1);
    cohort_checkpoint *c =
        cohort_checkpoint_open(file_in(folder_path, "checkpoint-000002.safetensors"));
    ok(is_saved && c != NULL, "a file of others has the name of a generation");
    cohort_checkpoint_close(c);
    ok(cohort_checkpoint_save(s, folder_path, 3, &with) == COHORT_OK &&
           cohort_checkpoint_generations(folder_path, found, 16) == 3 && found[2].number == 1,
       "it is none of those that stay, for no restore goes back to it");
    ok(cohort_checkpoint_save(s, folder_path, 4, &with) == COHORT_OK &&
           cohort_checkpoint_generations(folder_path, found, 16) == 2 && found[1].number == 3,
       "and goes when two newer ones are there");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

static void test_damage(void)
{
    static const char *const names[] = { "w", "a tensor of some length" };
    static const int64_t lengths[] = { 40, 8 };
    static const cohort_dtype f32[] = { COHORT_F32, COHORT_F32 };
    static unsigned char bytes[1 << 16];
    cohort_strategy *s = strategy_of(2, names, lengths, f32, 1);
    int64_t step = 0;
    ok(cohort_checkpoint_save(s, folder_path, 1, NULL) == COHORT_OK &&
           cohort_checkpoint_save(s, folder_path, 2, NULL) == COHORT_OK,
       "two generations");
    const char *newest = "checkpoint-000002.safetensors";
    size_t all = get_file(folder_path, newest, bytes, sizeof bytes), wrong = 0;
    for (size_t bit = 0; bit < 8 * all; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        put_bytes(folder_path, newest, bytes, all);
        cohort_checkpoint *c = cohort_checkpoint_open(folder_path);
        wrong +=
            cohort_checkpoint_step(c) != 1 || strstr(cohort_checkpoint_skipped(c), newest) == NULL;
        cohort_checkpoint_close(c);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    ok(wrong == 0, "with any of the %zu bits of the newest wrong the older one is taken", 8 * all);
    for (size_t n = 0; n < all; n++) {
        put_bytes(folder_path, newest, bytes, n);
        cohort_checkpoint *c = cohort_checkpoint_open(folder_path);
        wrong += cohort_checkpoint_step(c) != 1;
        cohort_checkpoint_close(c);
    }
    ok(wrong == 0, "so it is where the newest was cut anywhere");
    ok(cohort_checkpoint_restore(s, folder_path, &step, NULL) == COHORT_OK && step == 1,
       "and it is restored");
    put_bytes(folder_path, newest, bytes, all);
    ok(cohort_checkpoint_restore(s, folder_path, &step, NULL) == COHORT_OK && step == 2,
       "the newest is taken when it is whole");
    bytes[all - 1] ^= 1;
    put_bytes(folder_path, newest, bytes, all);
    put_file(folder_path, "checkpoint-000001.safetensors", "");
    ok(refused_for(s, "no checkpoint in it is whole",
                   cohort_checkpoint_restore(s, folder_path, &step, NULL)) &&
           says("tensor 'w' is damaged") && says("0 bytes"),
       "where none is whole, it is said of each why");
    ok(refused_for(s, "tensor 'w' is damaged",
                   cohort_checkpoint_restore(s, file_in(folder_path, newest), &step, NULL)),
       "a file that is named is checked as well");
    cohort_checkpoint *c = cohort_checkpoint_open(file_in(folder_path, newest));
    ok(cohort_checkpoint_check(c, "w") == COHORT_EINVAL &&
           cohort_checkpoint_check(c, "a tensor of some length") == COHORT_OK,
       "and a damaged tensor is found");
    cohort_checkpoint_close(c);
    ok(cohort_checkpoint_save(s, folder_path, 3, &(cohort_checkpoint_options){ .keep = 2 }) ==
               COHORT_OK &&
           cohort_checkpoint_save(s, folder_path, 4, &(cohort_checkpoint_options){ .keep = 2 }) ==
               COHORT_OK &&
           cohort_checkpoint_restore(s, folder_path, &step, NULL) == COHORT_OK && step == 4,
       "a later save is taken again");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

static void test_full_disk(void)
{
    static const char *const names[] = { "w" };
    static const int64_t lengths[] = { 4096 };
    static const cohort_dtype f32[] = { COHORT_F32 };
    struct rlimit before = { 0 }, little;
    int64_t step = 0;
    cohort_strategy *s = strategy_of(1, names, lengths, f32, 1);
    ok(cohort_checkpoint_save(s, folder_path, 1, NULL) == COHORT_OK, "a save");
    int files = count_files(folder_path);
    (void)getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 5000;
    (void)setrlimit(RLIMIT_FSIZE, &little);
    cohort_status status = cohort_checkpoint_save(s, folder_path, 2, NULL);
    (void)setrlimit(RLIMIT_FSIZE, &before);
    ok(refused(s, COHORT_EINTERNAL, status), "one for which there is no room fails");
    ok(count_files(folder_path) == files, "and leaves nothing");
    ok(cohort_checkpoint_restore(s, folder_path, &step, NULL) == COHORT_OK && step == 1,
       "the one before is as it was");
    ok(cohort_checkpoint_save(s, folder_path, 3, NULL) == COHORT_OK, "and a later one succeeds");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* ------------------------------------------------------------------ a file of this version */

/* Every released version's files are read for ever. */
static void test_recorded(void)
{
    char path[2048];
    const char *top = getenv("srcdir");
    model m;
    content found;
    components parts;
    int64_t step = 0, epoch = 0;
    const bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    (void)snprintf(path, sizeof path, "%s/tests/data/checkpoint/format-1.safetensors",
                   top != NULL ? top : ".");
    cohort_strategy *s = core_open(&core_places[4]);
    const cohort_checkpoint_part part = { .name = "epoch", .array = COHORT_ARRAY(&epoch, 1) };
    ok(save_model(&core_places[4]) && make(s, &m), "a model of two replicas");
    if (getenv("COHORT_RECORD") != NULL && fill(s, &m)) {
        epoch = 9;
        (void)cohort_checkpoint_save(s, folder_path, 12,
                                     &(cohort_checkpoint_options){ .parts = &part, .n_parts = 1 });
        diag("recorded in %s", folder_path);
        exit(0);
    }
    cohort_status status = cohort_checkpoint_restore(
        s, path, &step, &(cohort_checkpoint_options){ .parts = &part, .n_parts = 1 });
    if (!is_little) {
        ok(refused(s, COHORT_EINCOMPATIBLE, status), "structs of another machine are refused");
        cohort_strategy_destroy(s);
        remove_files(folder_path);
        return;
    }
    ok(status == COHORT_OK, "a file that was recorded is restored");
    ok(step == 12 && epoch == 9 && read_all(&m, &found) && read_components(s, &m, &parts) &&
           memcmp(&found, &saved_content, sizeof found) == 0 &&
           memcmp(&parts, &saved_components, sizeof parts) == 0,
       "to the bit");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* ------------------------------------------------------------------ several writers */

/* Saves again and again, and says each step on stdout once it is saved. */
static int be_writer(const char *folder, int first, int count, int elements)
{
    static float w[1 << 20];
    cohort_strategy *s = cohort_mirrored("host:0");
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(w, elements), NULL);
    for (int i = 0; i < count;) {
        (void)cohort_variable_assign(v, first + i);
        cohort_status status = cohort_checkpoint_save(s, folder, first + i, NULL);
        if (status != COHORT_OK && status != COHORT_EAGAIN) {
            (void)fprintf(stderr, "writer: %s\n", cohort_error_text());
            return 1;
        }
        if (status == COHORT_OK) {
            (void)printf("%d\n", first + i);
            (void)fflush(stdout);
            i++;
        }
    }
    cohort_strategy_destroy(s);
    return 0;
}

/* Restores, and says of each of two variables which number it has throughout: -1, the one it had,
 * that of the step, or "lost". 0: it was restored; 2: it was not, which is told. */
static int be_reader(const char *folder, int elements, cohort_rollback rollback)
{
    static float w[1 << 20];
    static const char *const names[] = { "w", "u" };
    cohort_variable *v[2];
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .rollback = rollback });
    for (int i = 0; i < 2; i++) {
        v[i] = cohort_variable_create(s, names[i], COHORT_ARRAY((float *)NULL, elements), NULL);
        (void)cohort_variable_assign(v[i], -1);
    }
    const cohort_status status = cohort_checkpoint_restore(s, folder, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        (void)cohort_strategy_recover(s);
        bool is_one = cohort_variable_read(v[i], COHORT_ARRAY(w, elements)) == COHORT_OK;
        if (!is_one)
            (void)printf("%s lost: %s\n", names[i], cohort_error_text());
        for (int k = 1; k < elements && is_one; k++)
            is_one = w[k] == w[0];
        if (is_one)
            (void)printf("%s %g\n", names[i], w[0]);
    }
    cohort_strategy_destroy(s);
    return status == COHORT_OK ? 0 : 2;
}

/* Both variables, with the number of the step. */
static int be_writer_of_two(const char *folder, int step, int elements)
{
    cohort_strategy *s = cohort_mirrored("host:0");
    (void)cohort_variable_assign(
        cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, elements), NULL), step);
    (void)cohort_variable_assign(
        cohort_variable_create(s, "u", COHORT_ARRAY((float *)NULL, elements), NULL), step);
    const cohort_status status = cohort_checkpoint_save(s, folder, step, NULL);
    cohort_strategy_destroy(s);
    return status == COHORT_OK ? 0 : 1;
}

static pid_t start_writer(int first, int count, int out)
{
    char first_text[16], count_text[16];
    (void)snprintf(first_text, sizeof first_text, "%d", first);
    (void)snprintf(count_text, sizeof count_text, "%d", count);
    pid_t child = fork();
    if (child == 0) {
        if (out >= 0)
            (void)dup2(out, 1);
        else
            (void)close(1);
        (void)execl("/proc/self/exe", "checkpoint.t", "writer", folder_path, first_text, count_text,
                    (char *)NULL);
        _exit(127);
    }
    return child;
}

/* Each tensor of the newest one holds the number of its step, and nothing was passed over. */
static int64_t step_of_whole(void)
{
    static float w[1000];
    cohort_checkpoint *c = cohort_checkpoint_open(folder_path);
    int64_t step = cohort_checkpoint_step(c);
    bool is_good = c != NULL && cohort_checkpoint_skipped(c)[0] == '\0' &&
                   cohort_checkpoint_read(c, "w", COHORT_ARRAY(w, 1000)) == COHORT_OK;
    for (int i = 0; i < 1000 && is_good; i++)
        is_good = w[i] == (float)step;
    cohort_checkpoint_close(c);
    return is_good ? step : -2;
}

static void test_writers(void)
{
    enum { WRITERS = 8, SAVES = 10 };
    pid_t children[WRITERS];
    int failed = 0;
    for (int i = 0; i < WRITERS; i++)
        children[i] = start_writer(100 * i, SAVES, -1);
    for (int i = 0; i < WRITERS; i++) {
        int status = -1;
        failed += waitpid(children[i], &status, 0) != children[i] || status != 0;
    }
    cohort_checkpoint_generation found[16];
    ok(failed == 0, "eight writers save into one folder at once");
    ok(step_of_whole() >= 0, "the newest of them is whole");
    ok(cohort_checkpoint_generations(folder_path, found, 16) == 5 &&
           found[0].number == WRITERS * SAVES,
       "and each save is a generation of its own");
    ok(count_files(folder_path) == 5 + 1, "nothing is left beside them and the lock");
    remove_files(folder_path);
}

static void test_locked(void)
{
    int fds[2];
    char line[16] = "";
    cohort_strategy *s = cohort_mirrored("host");
    if (!ok(cohort_checkpoint_save(s, folder_path, 1, NULL) == COHORT_OK && pipe(fds) == 0,
            "a folder with a checkpoint"))
        return;
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(fds[1], 1);
        (void)execlp("flock", "flock", file_in(folder_path, "checkpoint.lock"), "sh", "-c",
                     "echo held; exec sleep 60", (char *)NULL);
        _exit(127);
    }
    (void)close(fds[1]);
    bool is_held = read(fds[0], line, sizeof line) > 0;
    if (is_held) {
        ok(cohort_checkpoint_save(s, folder_path, 2, NULL) == COHORT_EAGAIN,
           "a folder that somebody else has locked is busy");
        ok(cohort_strategy_status(s) == COHORT_OK, "which is no error of the strategy");
        ok(cohort_checkpoint_restore(s, folder_path, NULL, NULL) == COHORT_OK,
           "and no hindrance for those who read");
    } else {
        skip("a folder that somebody else has locked is busy", "there is no flock(1)");
    }
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    (void)close(fds[0]);
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* The last step that a writer said before it was killed. */
static int64_t last_said(int fd)
{
    char text[1 << 16];
    size_t n = 0;
    for (ssize_t now; n < sizeof text - 1 && (now = read(fd, text + n, sizeof text - 1 - n)) > 0;)
        n += (size_t)now;
    text[n] = '\0';
    while (n > 0 && text[n - 1] != '\n')
        n--;
    text[n] = '\0';
    while (n > 1 && text[n - 2] != '\n')
        n--;
    return n > 0 ? strtoll(text + n - 1, NULL, 10) : -1;
}

static void test_killed(void)
{
    enum { KILLS = 20 };
    int lost = 0, damaged = 0, said = 0;
    for (int i = 0; i < KILLS; i++) {
        int fds[2];
        char first;
        if (pipe(fds) != 0)
            abort();
        pid_t child = start_writer(100000 * (i + 1), 99999, fds[1]);
        (void)close(fds[1]);
        bool has_begun = read(fds[0], &first, 1) == 1;
        (void)nanosleep(&(struct timespec){ .tv_nsec = 1000 * ((i * 7919) % 20000) }, NULL);
        (void)kill(child, SIGKILL);
        (void)waitpid(child, NULL, 0);
        int64_t last = last_said(fds[0]), found = step_of_whole();
        (void)close(fds[0]);
        /* the first digit was read before */
        last = last >= 0 && last < 100000 * (i + 1) ? 100000 * (int64_t)(i + 1) : last;
        said += has_begun;
        damaged += found < 0;
        lost += found < last;
    }
    ok(said == KILLS, "%d writers saved, and were killed", KILLS);
    ok(damaged == 0, "what is newest is always whole");
    ok(lost == 0, "and no save that was acknowledged is lost");
    remove_files(folder_path);
}

int main(int argc, char *argv[])
{
    if ((argc == 5 || argc == 6) && strcmp(argv[1], "writer") == 0)
        return be_writer(argv[2], atoi(argv[3]), atoi(argv[4]), argc == 6 ? atoi(argv[5]) : 1000);
    if (argc == 5 && strcmp(argv[1], "writer-of-two") == 0)
        return be_writer_of_two(argv[2], atoi(argv[3]), atoi(argv[4]));
    if (argc == 5 && strcmp(argv[1], "reader") == 0)
        return be_reader(argv[2], atoi(argv[3]), (cohort_rollback)atoi(argv[4]));
    cohort_strategy_destroy(cohort_mirrored("host/3"));
    (void)core_warm();
    if (!folder_begin())
        return skip_all("no folder can be made here");
    test_list();
    core_live warm = core_live_now();
    test_wrong_calls();
    test_everywhere();
    test_components_that_fit_nowhere();
    test_placements();
    test_parts();
    test_other_data();
    test_matching();
    test_sums_that_are_none();
    test_names();
    test_file_of_others();
    test_generations();
    test_generation_of_others();
    test_damage();
    test_full_disk();
    test_recorded();
    test_writers();
    test_locked();
    test_killed();
    folder_end();
    core_no_leak(warm);
    return tap_done();
}
