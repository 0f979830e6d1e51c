/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies: making them, what they are, and which values travel together. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Devices, by their names here. */

typedef int (*devices_fn)(const cohort_strategy *s, const cohort_device *out[], int most);

static thing devices(frame *f, devices_fn ask)
{
    const cohort_device *found[TABLE_MAX_REPLICAS];
    thing list = thing_list(f, ask(f->s, found, TABLE_MAX_REPLICAS));
    for (int k = 0; k < list.n; k++)
        list.as.list[k] = thing_text(f, cohort_device_id(found[k]));
    return list;
}

/* "/cpu:9" is our host:9. */
static thing our_device(frame *f, const thing x[])
{
    int place = -1, n = 0;
    const char *name = text_of(&x[0]);
    return sscanf(name, "/cpu:%d%n", &place, &n) == 1 && name[n] == '\0'
               ? thing_json(f, json_sprintf("host:%d", place))
               : frame_malformed(f, "the device '%s'", name);
}

static thing comma_list(frame *f, const thing x[])
{
    char list[TABLE_TEXT] = "";
    for (int k = 0; k < x[0].n; k++) {
        size_t n = strlen(list);
        (void)snprintf(list + n, sizeof list - n, "%s%s", k > 0 ? "," : "",
                       text_of(&x[0].as.list[k]));
    }
    return thing_text(f, list);
}

/* ---- Strategies. */

static thing mirrored(frame *f, const thing x[])
{
    const char *list = text_of(&x[0]);
    return thing_owned(f, THING_STRATEGY, cohort_mirrored(list[0] == '\0' ? NULL : list));
}

/* One that cuts its variables into shards. */
static thing sharding(frame *f, const thing x[])
{
    const cohort_placement placement = cohort_placement_fixed_shards(integer_of(&x[0]));
    return thing_owned(f, THING_STRATEGY,
                       cohort_strategy_create(&(cohort_strategy_options){
                           .devices = "host", .placement = &placement }));
}

static thing role_flags(frame *f, const thing x[])
{
    const int role = cohort_strategy_role(f->s);
    (void)x;
    return thing_json(f, json_pack("{s:b, s:b, s:b, s:b, s:b, s:b, s:i}", "between_graph",
                                   role & COHORT_BETWEEN_GRAPH, "should_init",
                                   role & COHORT_SHOULD_INIT, "should_checkpoint",
                                   role & COHORT_SHOULD_CHECKPOINT, "should_save_summary",
                                   role & COHORT_SHOULD_SAVE_SUMMARY, "static_shapes",
                                   role & COHORT_REQUIRE_STATIC_SHAPES, "cluster_resolver",
                                   cohort_strategy_cluster_resolver(f->s) != NULL, "replicas",
                                   cohort_strategy_num_replicas(f->s)));
}

/* ---- Packs. */

enum { MOST_PACKS = 256 };

static bool are_few(frame *f, int64_t n, const char *what)
{
    return (n <= MOST_PACKS) || (frame_malformed(f, "%lld %s", (long long)n, what), false);
}

/* The lists of sizes that travel together. */
static thing packs_by_bytes(frame *f, const thing x[])
{
    int64_t sizes[MOST_PACKS];
    int32_t counts[MOST_PACKS];
    if (x[0].n < 1 || !are_few(f, x[0].n, "sizes"))
        return frame_malformed(f, "args: \"sizes\"");
    for (int k = 0; k < x[0].n; k++)
        sizes[k] = integer_of(&x[0].as.list[k]);
    int n = cohort_packs_by_bytes(sizes, x[0].n, integer_of(&x[1]), counts, MOST_PACKS);
    if (n < 0)
        return frame_stop(f, n);
    thing list = thing_list(f, n);
    for (int pack = 0, first = 0; pack < n; first += counts[pack++])
        list.as.list[pack] =
            (thing){ .kind = THING_LIST, .n = counts[pack], .as.list = x[0].as.list + first };
    return list;
}

static thing packs_by_number(frame *f, const thing x[])
{
    int64_t counts[MOST_PACKS], n = integer_of(&x[1]);
    if (!are_few(f, n, "packs"))
        return nothing;
    cohort_status status = cohort_packs_by_number(integer_of(&x[0]), (int)n, counts);
    thing list = thing_list(f, status == COHORT_OK ? (int)n : 0);
    for (int k = 0; k < list.n; k++)
        list.as.list[k] = thing_number(f, (double)counts[k]);
    return frame_done(f, status, list);
}

/* ---- Checkpoints. */

static void remove_checkpoint(const char *folder)
{
    static const char *const files[] = { "checkpoint-000001.safetensors", "checkpoint.lock" };
    char path[1024];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

/* The strategy is saved, and the second variable restored from what the first one was. */
static thing restored(frame *f, const thing x[])
{
    const char *folder = table_file(f->c), *from = text_of(&x[0]), *to = text_of(&x[1]);
    const cohort_checkpoint_rename rules[] = { { from, to }, { to, from } };
    const cohort_checkpoint_options with = {
        .only = &to, .n_only = 1, .renames = rules, .n_renames = 2
    };
    if (folder == NULL)
        return nothing;
    cohort_status status = cohort_checkpoint_save(f->s, folder, 0, NULL);
    if (status == COHORT_OK)
        status = cohort_checkpoint_restore(f->s, folder, NULL, &with);
    remove_checkpoint(folder);
    return frame_done(f, status, nothing);
}

/* ---- How sums travel. */

/* communicate(bytes per pack, seconds, implementation) */
static thing communicate(frame *f, const thing x[])
{
    const cohort_communication_options options = { .bytes_per_pack = integer_of(&x[0]),
                                                   .timeout_seconds = number_of(&x[1]),
                                                   .implementation = text_of(&x[2]) };
    return frame_done(f, cohort_strategy_set_communication(f->s, &options), nothing);
}

/* ---- Others. */

/* One thing to wait for, which all are done with. */
static thing group(frame *f, const thing x[])
{
    cohort_value *value = x[0].as.value, *group = cohort_group(f->s, "group", &value, 1);
    return group == NULL ? frame_stop(f, COHORT_EINVAL)
                         : frame_done(f, cohort_value_wait(group, -1), nothing);
}

/* merge_call where there is no replica: the function gets the one pointer, and no strategy. */
static cohort_status add_two(cohort_strategy *s, void *const user[], int n)
{
    int *x = user[0];
    *x += s == NULL && n == 1 ? 2 : 100;
    return COHORT_OK;
}

static thing merge_outside(frame *f, const thing x[])
{
    int number = (int)integer_of(&x[0]);
    cohort_status status = cohort_merge_call(NULL, add_two, &number);
    return frame_done(f, status, thing_number(f, number));
}

#define CALLS(CALL)                                                                                \
    CALL(devices_of_replicas, "", devices(f, cohort_strategy_devices))                             \
    CALL(devices_of_variables, "", devices(f, cohort_strategy_parameter_devices))                  \
    CALL(own_device, "", thing_text(f, cohort_device_id(cohort_replica_device(f->me))))            \
    CALL(our_device, "t", our_device(f, x))                                                        \
    CALL(comma_list, "L", comma_list(f, x))                                                        \
    CALL(mirrored, "t", mirrored(f, x))                                                            \
    CALL(one_device, "t", thing_owned(f, THING_STRATEGY, cohort_one_device(text_of(&x[0]))))       \
    CALL(sharding, "n", sharding(f, x))                                                            \
    CALL(role_flags, "", role_flags(f, x))                                                         \
    CALL(packs_by_bytes, "Ln", packs_by_bytes(f, x))                                               \
    CALL(packs_by_number, "nn", packs_by_number(f, x))                                             \
    CALL(restored, "tt", restored(f, x))                                                           \
    CALL(communicate, "nnt", communicate(f, x))                                                    \
    CALL(group, "v", group(f, x))                                                                  \
    CALL(merge_outside, "n", merge_outside(f, x))
CALLS(CALL_FUNCTION)
const call strategy_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
