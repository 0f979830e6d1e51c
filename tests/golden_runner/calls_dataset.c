/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets: sources and transformations by their names, and what is in them. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static thing dataset(frame *f, cohort_dataset *d)
{
    return thing_of(f, THING_DATASET, d);
}

/* ---- Sources. */

static thing range(frame *f, const thing x[])
{
    int64_t a = integer_of(&x[0]), step = x[2].kind == THING_NOTHING ? 1 : integer_of(&x[2]);
    return dataset(f, x[1].kind == THING_NOTHING
                          ? cohort_dataset_range(0, a, 1)
                          : cohort_dataset_range(a, integer_of(&x[1]), step));
}

static cohort_array *arrays_of(frame *f, const thing *list)
{
    cohort_array *arrays = table_memory(f->c, (size_t)list->n * sizeof *arrays);
    for (int k = 0; k < list->n; k++)
        arrays[k] = *list->as.list[k].as.arrays;
    return arrays;
}

static thing slices(frame *f, const thing x[])
{
    return dataset(f, cohort_dataset_slices(x[0].n, arrays_of(f, &x[0])));
}

static thing with_policy(frame *f, cohort_dataset *d, cohort_auto_shard policy)
{
    const cohort_dataset_options options = { .auto_shard = policy, .split = f->c->split };
    return dataset(f, cohort_dataset_with_options(d, &options));
}

/* Without a policy, and where batches are divided as they always are: as it is. */
static thing sharded_by(frame *f, const thing x[])
{
    bool has_policy = x[1].kind != THING_NOTHING;
    if (!has_policy && f->c->split == COHORT_SPLIT_FILL)
        return x[0];
    return with_policy(f, x[0].as.dataset,
                       has_policy ? (cohort_auto_shard)integer_of(&x[1]) : COHORT_SHARD_AUTO);
}

static thing zip(frame *f, const thing x[])
{
    return dataset(f,
                   cohort_dataset_zip((cohort_dataset *[]){ x[0].as.dataset, x[1].as.dataset }, 2));
}

/* A generator of 0, 1, 2, ..., of which one iteration is under way at a time. */
typedef struct counting {
    int64_t next, given, n;
} counting;

static cohort_status count(cohort_array out[], void *state, void *user)
{
    counting *it = state;
    (void)user;
    out[0].data = &it->given;
    it->given = it->next++;
    return it->given < it->n ? COHORT_OK : COHORT_END;
}

static cohort_status begin(void **state, void *user)
{
    counting *it = user;
    it->next = 0;
    *state = it;
    return COHORT_OK;
}

static thing generator(frame *f, const thing x[])
{
    const cohort_spec number = { .dtype = COHORT_I64 };
    counting *it = table_memory(f->c, sizeof *it);
    it->n = integer_of(&x[0]);
    const cohort_generator generator = { .begin = begin, .next = count, .user = it };
    return dataset(f, cohort_dataset_generator(&number, 1, &generator));
}

static cohort_status give_constant(cohort_array out[], void *state, void *user)
{
    (void)state;
    out[0].data = user;
    return COHORT_OK;
}

/* The same number, as often as it is asked for. */
static thing constant(frame *f, const thing x[])
{
    const cohort_spec number = { .dtype = COHORT_I32 };
    int32_t *kept = table_memory(f->c, sizeof *kept);
    *kept = (int32_t)integer_of(&x[0]);
    const cohort_generator generator = { .next = give_constant, .user = kept };
    return dataset(f, cohort_dataset_generator(&number, 1, &generator));
}

/* ---- Files, by their names. */

typedef cohort_dataset *(*open_fn)(const char *const files[], int n);

static cohort_dataset *open_records(const char *const files[], int n)
{
    return cohort_dataset_tfrecord(files, n, NULL);
}

static thing file_names(frame *f, const thing x[],
                        const char *const *(*write)(table_case *c, int files, int items))
{
    const char *const *names = write(f->c, (int)integer_of(&x[0]), (int)integer_of(&x[1]));
    thing list = thing_list(f, names == NULL ? 0 : (int)integer_of(&x[0]));
    for (int k = 0; k < list.n; k++)
        list.as.list[k] = thing_text(f, names[k]);
    return list;
}

static thing opened(frame *f, const thing *list, open_fn open)
{
    const char **names = table_memory(f->c, (size_t)list->n * sizeof *names);
    for (int k = 0; k < list->n; k++)
        names[k] = text_of(&list->as.list[k]);
    return dataset(f, open(names, list->n));
}

/* The file that an element names; user: the open_fn of its kind. */
static cohort_dataset *expand_file(const cohort_array element[], void *user)
{
    char name[2 * TABLE_TEXT];
    const open_fn *open = user;
    size_t n = (size_t)element[0].shape[0];
    if (n >= sizeof name)
        return NULL;
    memcpy(name, element[0].data, n);
    name[n] = '\0';
    return (*open)((const char *const[]){ name }, 1);
}

static open_fn record_file = open_records, line_file = cohort_dataset_text;
static const cohort_spec text = { .dtype = COHORT_U8, .rank = 1, .shape = { -1 } };

/* ---- Maps. */

/* The room is there when all extents are known, else the element itself is lent. */
static void pass_on(const cohort_array *in, cohort_array *out)
{
    int64_t n = cohort_dtype_bytes(in->dtype);
    void *room = out->data;
    for (int i = 0; i < in->rank; i++)
        n *= in->shape[i];
    *out = *in;
    if (room != NULL && n > 0)
        memcpy(room, in->data, (size_t)n);
    if (room != NULL)
        out->data = room;
}

static cohort_status same_element(const cohort_array in[], cohort_array out[], void *user)
{
    const int *n = user;
    for (int k = 0; k < *n; k++)
        pass_on(&in[k], &out[k]);
    return COHORT_OK;
}

static thing map(frame *f, const thing x[])
{
    cohort_spec specs[TABLE_MAX_COMPONENTS];
    int *n = table_memory(f->c, sizeof *n);
    *n = cohort_dataset_element_spec(x[0].as.dataset, specs, TABLE_MAX_COMPONENTS);
    return dataset(f, cohort_dataset_map_with(x[0].as.dataset, specs, *n, same_element, n, 1));
}

static int64_t hundred = 100;

static cohort_status add_number(const cohort_array in[], cohort_array out[], void *user)
{
    const int64_t *number = user;
    int64_t sum;
    memcpy(&sum, in[0].data, sizeof sum);
    sum += *number;
    memcpy(out[0].data, &sum, sizeof sum);
    return COHORT_OK;
}

static thing add_hundred(frame *f, const thing x[])
{
    const cohort_spec number = { .dtype = COHORT_I64 };
    return dataset(f,
                   cohort_dataset_map_with(x[0].as.dataset, &number, 1, add_number, &hundred, 1));
}

static int any(const cohort_array element[], void *user)
{
    (void)element, (void)user;
    return 1;
}

static thing filter(frame *f, const thing x[])
{
    return dataset(f, cohort_dataset_filter_with(x[0].as.dataset, any, NULL));
}

/* Batches that an element becomes: no batch of the pipeline itself. */
static cohort_dataset *expand(const cohort_array element[], void *user)
{
    (void)element, (void)user;
    return cohort_dataset_batch(cohort_dataset_range(0, 8, 1), 4, false);
}

static const cohort_spec batches = { .dtype = COHORT_I64, .rank = 1, .shape = { -1 } };

static thing flat_map(frame *f, const thing x[])
{
    return dataset(f, cohort_dataset_flat_map(x[0].as.dataset, &batches, 1, expand, NULL));
}

static thing interleave(frame *f, const thing x[])
{
    return dataset(f, cohort_dataset_interleave(x[0].as.dataset, &batches, 1, expand, NULL, 2, 1));
}

/* ---- Pipelines by the names that rows have for them; spec: the element as TensorFlow writes it,
 * with a % for each component. */

static const struct pipeline {
    const char *name, *chain, *spec;
} pipelines[] = {
    { "batch", "range(n).batch(G)", "%" },
    { "batch-drop", "range(n).batch(G,drop)", "%" },
    /* how many threads make a batch is nobody's business */
    { "batch-parallel", "range(n).batch(G)", "%" },
    { "batch+map", "range(n).batch(G).map", "%" },
    { "batch+map+repeat2", "range(n).batch(G).map.repeat(2)", "%" },
    { "batch+repeat2", "range(n).batch(G).repeat(2)", "%" },
    { "batch+skip1", "range(n).batch(G).skip(1)", "%" },
    { "batch+take1", "range(n).batch(G).take(1)", "%" },
    { "batch+shard2", "range(n).batch(G).shard(2,0)", "%" },
    { "batch+filter", "range(n).batch(G).filter", "%" },
    { "batch+cache", "range(n).batch(G).cache", "%" },
    { "batch+prefetch", "range(n).batch(G).prefetch(1)", "%" },
    { "batch+shuffle1", "range(n).batch(G).shuffle(1,7)", "%" },
    { "batch+unbatch+batch", "range(n).batch(G).unbatch.batch(G)", "%" },
    { "batch+concatenate", "range(n).batch(G).concatenate(range(n).add_hundred.batch(G))", "%" },
    { "map+batch", "range(n).map.batch(G)", "%" },
    { "repeat2+batch", "range(n).repeat(2).batch(G)", "%" },
    { "padded_batch", "range(n).padded_batch(G)", "%" },
    { "text+batch", "lines(1, n).padded_batch(G)", "%" }, /* lines have different lengths */

    { "batch4-take5", "range(32).batch(4).take(5)", "%" },
    { "zip44", "zip(range(8).batch(4),range(8).batch(4))", "%" },
    { "zip-4-static3", "zip(range(8).batch(4),rows(2,3))", "%" },
    { "zip48", "zip(range(8).batch(4),range(8).batch(8))", "%" },
    { "batch4-map", "range(8).batch(4).map", "%" },
    { "batch4-drop-map", "range(8).batch(4,drop).map", "%" },
    { "batch4-prefetch", "range(8).batch(4).prefetch(1)", "%" },
    { "batch4-repeat", "range(8).batch(4).repeat(2)", "%" },
    { "batch4-shuffle", "range(8).batch(4).shuffle(2)", "%" },
    { "batch4-shard", "range(8).batch(4).shard(2,0)", "%" },
    { "batch4-cache", "range(8).batch(4).cache", "%" },
    { "batch4-concat4", "range(8).batch(4).concatenate(range(8).batch(4))", "%" },
    { "batch4-options", "range(8).batch(4).options", "%" },
    { "batch4-take-while", "leave_out('no counterpart: take_while')", "%" },
    { "batch4-assert-card", "range(8).batch(4).assert_cardinality(2)", "%" },
    { "padded4", "range(8).padded_batch(4)", "%" },
    { "unbatched", "range(8)", "%" },
    { "rows-static", "rows(4,3)", "%" },
    { "batch4-unbatch", "range(8).batch(4).unbatch", "%" },
    { "batch4-unbatch-batch6", "range(8).batch(4).unbatch.batch(6)", "%" },
    { "flat_map-batch4", "range(2).flat_map", "%" },
    { "interleave-batch4", "range(2).interleave", "%" },
    { "batch4-rebatch2", "range(8).batch(4).rebatch(2)", "%" },

    { "drop-divides", "range(24).batch(12,drop)", "%" },
    { "drop-divides-map", "range(24).batch(12,drop).map", "%" },
    { "drop-not-divides", "range(24).batch(7,drop)", "%" },
    { "drop-not-divides-map", "range(24).batch(7,drop).map", "%" },
    { "nodrop", "range(31).batch(12)", "%" },
    { "infinite", "range(31).repeat.batch(12)", "%" },
    { "infinite-drop", "range(31).repeat.batch(12,drop)", "%" },

    { "tuple", "slices(array([0,1,2,3,4,5,6]), array([0,10,20,30,40,50,60], 'int64')).batch(4)",
      "(%, %)" },
    { "dict",
      "slices(array([0,1,2,3,4,5,6]), array([[0,1],[2,3],[4,5],[6,7],[8,9],[10,11],[12,13]], "
      "'int64')).batch(4)",
      "{'x': %, 'y': %}" },
    { "nested",
      "slices(array([0,1,2,3,4,5,6], 'int64'), array([100,101,102,103,104,105,106], 'int64'))"
      ".batch(4)",
      "{'a': (%, {'b': %})}" },
    { "zip", "zip(range(7).batch(4),range(10,17).batch(4))", "(%, %)" },
    { "zip-before-batch", "zip(range(7),range(10,17)).batch(4)", "(%, %)" },
    { "2d", "rows(6, 2, 'int32').batch(4)", "%" },
    { "bool", "slices(array([true,false,true,true,false], 'bool')).batch(4)", "%" },
    { "strings", "lines(1, 7).batch(4)", "%" },
    { "batch-batch", "range(16).batch(2).batch(4)", "%" },
    { "sparse", "leave_out('no counterpart: elements are arrays')", "%" },

    { "float-2d", "slices(array([[1,2,3]])).batch(R)", "%" },
    { "two-components", "slices(array([[[1,2],[3,4]]], 'int32'), array([true], 'bool')).batch(R)",
      "%" },
    { "string", "lines(1, 1).batch(R)", "%" },
};

static const struct pipeline *find(frame *f, const char *name)
{
    for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++)
        if (strcmp(pipelines[i].name, name) == 0)
            return &pipelines[i];
    (void)frame_unknown(f, "pipeline", name);
    return NULL;
}

static thing chain_of_pipeline(frame *f, const thing x[])
{
    const struct pipeline *found = find(f, text_of(&x[0]));
    return found == NULL ? nothing : thing_text(f, found->chain);
}

static thing form_of_pipeline(frame *f, const thing x[])
{
    const struct pipeline *found = find(f, text_of(&x[0]));
    return found == NULL ? nothing : thing_text(f, found->spec);
}

/* ---- What is in them. */

static thing elements(frame *f, const thing x[])
{
    cohort_array parts[TABLE_MAX_COMPONENTS];
    cohort_iterator *iterator = cohort_dataset_iterate(x[0].as.dataset);
    json_t *list = json_array();
    thing all = thing_json(f, list);
    cohort_status status = iterator == NULL ? COHORT_EINVAL : COHORT_OK;
    while (status == COHORT_OK && json_array_size(list) <= TABLE_MAX_STEPS &&
           (status = cohort_iterator_next(iterator, parts)) == COHORT_OK)
        json_array_append_new(list, table_rows_of(&parts[0]));
    if (status < 0)
        all = frame_stop(f, status);
    cohort_iterator_destroy(iterator);
    return status == COHORT_OK ? frame_malformed(f, "more than %d elements", TABLE_MAX_STEPS) : all;
}

static thing destroy(frame *f, const thing x[])
{
    (void)f;
    cohort_dataset_destroy(x[0].as.dataset);
    return nothing;
}

/* ---- Specs, as TensorFlow writes them. Texts are one axis shorter there. */

static void write_spec(FILE *to, const cohort_spec *spec)
{
    bool is_text = spec->dtype == COHORT_U8;
    int rank = spec->rank - is_text;
    (void)fputs("TensorSpec(shape=(", to);
    for (int i = 0; i < rank; i++) {
        (void)fputs(i > 0 ? ", " : "", to);
        (void)(spec->shape[i] < 0 ? fputs("None", to)
                                  : fprintf(to, "%lld", (long long)spec->shape[i]));
    }
    (void)fprintf(to, "%s), dtype=tf.%s, name=None)", rank == 1 ? "," : "",
                  is_text ? "string" : cohort_dtype_name(spec->dtype));
}

/* copies: how often each component stands there; 1: bare. */
static void write_component(FILE *to, const cohort_spec *spec, int copies)
{
    (void)fputs(copies > 1 ? "PerReplicaSpec(" : "", to);
    for (int i = 0; i < copies; i++) {
        (void)fputs(i > 0 ? ", " : "", to);
        write_spec(to, spec);
    }
    (void)fputs(copies > 1 ? ")" : "", to);
}

static json_t *spec_text(const char *form, const cohort_spec specs[], int n, int copies)
{
    char *text = NULL;
    size_t bytes = 0;
    int k = 0;
    FILE *to = open_memstream(&text, &bytes);
    for (; to != NULL && *form != '\0'; form++)
        if (*form == '%' && k < n)
            write_component(to, &specs[k++], copies);
        else
            (void)fputc(*form, to);
    if (to == NULL || fclose(to) != 0)
        return json_null();
    json_t *found = json_string(k == n ? text : "another number of components");
    free(text);
    return found;
}

/* element_spec(a dataset or an input, its form) */
static thing element_spec(frame *f, const thing x[])
{
    cohort_spec specs[TABLE_MAX_COMPONENTS];
    bool is_dataset = x[0].kind == THING_DATASET;
    int n = is_dataset
                ? cohort_dataset_element_spec(x[0].as.dataset, specs, TABLE_MAX_COMPONENTS)
                : cohort_input_element_spec(x[0].as.stepper->input, specs, TABLE_MAX_COMPONENTS);
    return thing_json(f, spec_text(text_of(&x[1]), specs, n, is_dataset ? 1 : f->c->replicas));
}

#define CALLS(CALL)                                                                                \
    CALL(range, "n?nn", range(f, x))                                                               \
    CALL(slices, "*", slices(f, x))                                                                \
    CALL(tensors_of, "*", dataset(f, cohort_dataset_tensors(x[0].n, arrays_of(f, &x[0]))))         \
    CALL(numpy, "*",                                                                               \
         dataset(f,                                                                                \
                 cohort_make_numpy_dataset(f->s, x[0].n, arrays_of(f, &x[0]), COHORT_NUMPY_COPY))) \
    CALL(zip, "dd", zip(f, x))                                                                     \
    CALL(generator, "n", generator(f, x))                                                          \
    CALL(constant, "n", constant(f, x))                                                            \
    CALL(line_files, "nn", file_names(f, x, table_text_files))                                     \
    CALL(record_files, "nn", file_names(f, x, table_record_files))                                 \
    CALL(text, "L", opened(f, &x[0], cohort_dataset_text))                                         \
    CALL(tfrecord, "L", opened(f, &x[0], open_records))                                            \
    CALL(list_files, "L", opened(f, &x[0], cohort_dataset_list_files))                             \
    CALL(                                                                                          \
        flat_map_records, "d",                                                                     \
        dataset(f, cohort_dataset_flat_map(x[0].as.dataset, &text, 1, expand_file, &record_file))) \
    CALL(flat_map_lines, "d",                                                                      \
         dataset(f, cohort_dataset_flat_map(x[0].as.dataset, &text, 1, expand_file, &line_file)))  \
    CALL(interleave_lines, "d",                                                                    \
         dataset(f, cohort_dataset_interleave(x[0].as.dataset, &text, 1, expand_file, &line_file,  \
                                              2, 1)))                                              \
    CALL(map, "d", map(f, x))                                                                      \
    CALL(add_hundred, "d", add_hundred(f, x))                                                      \
    CALL(filter, "d", filter(f, x))                                                                \
    CALL(flat_map, "d", flat_map(f, x))                                                            \
    CALL(interleave, "d", interleave(f, x))                                                        \
    CALL(batch, "dn?n",                                                                            \
         dataset(f,                                                                                \
                 cohort_dataset_batch(x[0].as.dataset, integer_of(&x[1]), number_of(&x[2]) != 0))) \
    CALL(padded_batch, "dn?n",                                                                     \
         dataset(f, cohort_dataset_padded_batch(x[0].as.dataset, integer_of(&x[1]), NULL, NULL,    \
                                                number_of(&x[2]) != 0)))                           \
    CALL(rebatch, "dn?n",                                                                          \
         dataset(f, cohort_dataset_rebatch(x[0].as.dataset, integer_of(&x[1]),                     \
                                           number_of(&x[2]) != 0)))                                \
    CALL(unbatch, "d", dataset(f, cohort_dataset_unbatch(x[0].as.dataset)))                        \
    CALL(repeat, "d?n",                                                                            \
         dataset(f, cohort_dataset_repeat(x[0].as.dataset, x[1].kind == THING_NOTHING              \
                                                               ? COHORT_INFINITE                   \
                                                               : integer_of(&x[1]))))              \
    CALL(take, "dn", dataset(f, cohort_dataset_take(x[0].as.dataset, integer_of(&x[1]))))          \
    CALL(assert_cardinality, "dn",                                                                 \
         dataset(f, cohort_dataset_assert_cardinality(x[0].as.dataset, integer_of(&x[1]))))        \
    CALL(skip, "dn", dataset(f, cohort_dataset_skip(x[0].as.dataset, integer_of(&x[1]))))          \
    CALL(shard, "dnn",                                                                             \
         dataset(f, cohort_dataset_shard(x[0].as.dataset, integer_of(&x[1]), integer_of(&x[2]))))  \
    CALL(shuffle, "dn?n",                                                                          \
         dataset(f, cohort_dataset_shuffle(x[0].as.dataset, integer_of(&x[1]),                     \
                                           (uint64_t)integer_of(&x[2]))))                          \
    CALL(prefetch, "dn", dataset(f, cohort_dataset_prefetch(x[0].as.dataset, integer_of(&x[1]))))  \
    CALL(cache, "d", dataset(f, cohort_dataset_cache(x[0].as.dataset)))                            \
    CALL(concatenate, "dd",                                                                        \
         dataset(f, cohort_dataset_concatenate(                                                    \
                        (cohort_dataset *[]){ x[0].as.dataset, x[1].as.dataset }, 2)))             \
    CALL(share, "d", dataset(f, cohort_dataset_share(x[0].as.dataset)))                            \
    CALL(options, "d", with_policy(f, x[0].as.dataset, COHORT_SHARD_AUTO))                         \
    CALL(sharded_by, "d?n", sharded_by(f, x))                                                      \
    CALL(auto_shard, "dnn",                                                                        \
         dataset(                                                                                  \
             f, cohort_dataset_auto_shard(x[0].as.dataset, integer_of(&x[1]), integer_of(&x[2])))) \
    CALL(SHARD_HINT, "", thing_json(f, json_integer(COHORT_NUM_PIPELINES)))                        \
    CALL(chain_of_pipeline, "t", chain_of_pipeline(f, x))                                          \
    CALL(form_of_pipeline, "t", form_of_pipeline(f, x))                                            \
    CALL(elements, "d", elements(f, x))                                                            \
    /* The dataset stays. */                                                                       \
    CALL(cardinality, "d", thing_number(f, (double)cohort_dataset_cardinality(x[0].as.dataset)))   \
    CALL(destroy, "d", destroy(f, x))                                                              \
    CALL(element_spec, "jt", element_spec(f, x))
CALLS(CALL_FUNCTION)
const call dataset_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
