/* SPDX-License-Identifier: BSD-3-Clause */
/* Random inputs as the library has them. */
#include "config.h"

#include "tests/input/feed.h"

#include <cohort/files.h>

#include <unistd.h>

static char folder[] = "input-property-XXXXXX";
static int64_t numbers[64];

/* SplitMix64. */
uint64_t feed_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int feed_below(uint64_t *state, int n)
{
    return (int)(feed_random(state) % (uint64_t)n);
}

void feed_draw_weights(feed *f, uint64_t *state)
{
    for (int i = 0; i < FEED_REPLICAS * FEED_PIPELINES; i++)
        f->weights[i] = feed_below(state, 5);
    f->weights[0] += 1; /* some above 0 */
}

feed feed_draw(uint64_t *state)
{
    static const cohort_auto_shard policies[] = { COHORT_SHARD_OFF, COHORT_SHARD_AUTO,
                                                  COHORT_SHARD_FILE, COHORT_SHARD_DATA };
    feed f = { .rows = feed_below(state, 41),
               .batch = 1 + feed_below(state, 9),
               .replicas = 1 + feed_below(state, FEED_REPLICAS),
               .pipelines = 1 + feed_below(state, FEED_PIPELINES),
               .repeat = feed_below(state, 4),
               .files = 1 + feed_below(state, FEED_FILES),
               .lines = feed_below(state, FEED_LINES),
               .ahead = feed_below(state, 8),
               .policy = policies[feed_below(state, 4)],
               .split = (cohort_split)feed_below(state, 3),
               .source = (feed_source)feed_below(state, FEED_SOURCES),
               .is_shuffled = feed_below(state, 2) != 0,
               .drops = feed_below(state, 3) == 0,
               .repeats_first = feed_below(state, 4) == 0,
               .seed = feed_random(state) };
    f.ahead = f.ahead > 2 ? -1 : f.ahead; /* threads are slow to make */
    f.has_weights = f.split != COHORT_SPLIT_CEIL && feed_below(state, 3) == 0;
    feed_draw_weights(&f, state);
    if (f.source == FROM_FILES)
        f.rows = f.files * f.lines;
    return f;
}

void feed_print(const feed *f, char *out, size_t capacity)
{
    static const char *const sources[] = { "slices", "range", "generator", "files" };
    static const char *const splits[] = { "fill", "balanced", "ceil" };
    (void)snprintf(out, capacity,
                   "%d rows of %s (%d files), batch %d%s, repeat %d%s, policy %d, %s%s, %d x %d "
                   "replicas, ahead %d%s",
                   f->rows, sources[f->source], f->source == FROM_FILES ? f->files : 0, f->batch,
                   f->drops ? " and drop" : "", f->repeat, f->repeats_first ? " before it" : "",
                   (int)f->policy, splits[f->split], f->has_weights ? " by weight" : "",
                   f->pipelines, f->replicas, f->ahead, f->is_shuffled ? ", shuffled" : "");
    for (int i = 0; i < f->replicas * f->pipelines && f->has_weights; i++)
        (void)snprintf(out + strlen(out), capacity - strlen(out), "%s%d",
                       i == 0 ? ", weights " : " ", f->weights[i]);
}

/* ---- Datasets. */

static void file_name(char out[64], int file, int lines)
{
    (void)snprintf(out, 64, "%s/%d-%d.txt", folder, file, lines);
}

void feed_open(void)
{
    char name[64];
    if (mkdtemp(folder) == NULL)
        abort();
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    for (int i = 0; i < FEED_FILES; i++)
        for (int lines = 0; lines < FEED_LINES; lines++) {
            file_name(name, i, lines);
            FILE *file = fopen(name, "w");
            if (file == NULL)
                abort();
            for (int k = 0; k < lines; k++)
                (void)fprintf(file, "%c\n", '0' + i * lines + k);
            if (fclose(file) != 0)
                abort();
        }
}

void feed_close(void)
{
    char name[64];
    for (int i = 0; i < FEED_FILES; i++)
        for (int lines = 0; lines < FEED_LINES; lines++) {
            file_name(name, i, lines);
            (void)unlink(name);
        }
    (void)rmdir(folder);
}

static cohort_status begin(void **state, void *user)
{
    (void)user;
    *state = calloc(1, sizeof(int64_t));
    return *state != NULL ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status generate(cohort_array out[], void *state, void *user)
{
    int64_t *next = state;
    if (*next == (int64_t)(intptr_t)user)
        return COHORT_END;
    out[0].data = &numbers[(*next)++];
    return COHORT_OK;
}

static void end(void *state, void *user)
{
    (void)user;
    free(state);
}

/* A line is one character. */
static cohort_status read_line(const cohort_array in[], cohort_array out[], void *user)
{
    (void)user;
    *(int64_t *)out[0].data = *(const uint8_t *)in[0].data - '0';
    return COHORT_OK;
}

static cohort_dataset *source_of(const feed *f)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    char names[FEED_FILES][64];
    const char *files[FEED_FILES];
    switch (f->source) {
    case FROM_SLICES:
        return cohort_dataset_slices(1, &COHORT_ARRAY(numbers, f->rows));
    case FROM_GENERATOR:
        return cohort_dataset_generator(
            &number, 1, &(cohort_generator){ begin, generate, end, (void *)(intptr_t)f->rows });
    case FROM_FILES:
        for (int i = 0; i < f->files; i++) {
            file_name(names[i], i, f->lines);
            files[i] = names[i];
        }
        return cohort_dataset_map_with(cohort_dataset_text(files, f->files), &number, 1, read_line,
                                       NULL, 0);
    default:
        return cohort_dataset_range(0, f->rows, 1);
    }
}

cohort_dataset *feed_dataset(const feed *f)
{
    double weights[FEED_REPLICAS * FEED_PIPELINES];
    int n = f->replicas * f->pipelines;
    cohort_dataset *d = source_of(f);
    for (int i = 0; i < n; i++)
        weights[i] = f->weights[i];
    if (f->is_shuffled)
        d = cohort_dataset_shuffle(d, 1 + (int64_t)(f->seed % 50), f->seed);
    if (f->repeats_first)
        d = cohort_dataset_repeat(d, f->repeat);
    d = cohort_dataset_batch(d, f->batch, f->drops);
    if (!f->repeats_first)
        d = cohort_dataset_repeat(d, f->repeat);
    cohort_dataset_options options = { .auto_shard = f->policy, .split = f->split };
    options.weights = f->has_weights ? weights : NULL;
    options.n_weights = f->has_weights ? n : 0;
    return cohort_dataset_with_options(d, &options);
}

cohort_input *feed_input(const feed *f, cohort_strategy *s, int pipeline)
{
    cohort_input_options options = {
        .ahead = f->ahead, .pipeline = { f->pipelines, pipeline, f->pipelines * f->replicas }
    };
    return cohort_distribute_dataset_with(s, feed_dataset(f), &options);
}

/* ---- What comes. */

bool feed_read(cohort_input *input, cohort_value *x, int steps, trace *out)
{
    cohort_array parts[FEED_REPLICAS];
    cohort_status status = COHORT_OK;
    out->steps = out->n = 0;
    while (out->steps != steps && (status = cohort_input_next(input, &x)) == COHORT_OK) {
        out->replicas = cohort_local_results(x, parts, FEED_REPLICAS);
        if (!good(out->replicas > 0) || !good(out->steps < FEED_MOST))
            return false;
        for (int r = 0; r < out->replicas; r++) {
            int n = (int)parts[r].shape[0];
            if (!good(out->n + n <= FEED_MOST) || !good(n == cohort_input_replica_rows(input, r)))
                return false;
            if (n > 0)
                memcpy(out->rows + out->n, parts[r].data, (size_t)n * sizeof(int64_t));
            out->n += n;
            out->counts[out->steps * out->replicas + r] = n;
        }
        out->steps++;
    }
    return good(status >= 0);
}

static int rows_before(const trace *t, int step)
{
    int n = 0;
    for (int i = 0; i < step * t->replicas; i++)
        n += t->counts[i];
    return n;
}

bool feed_same(const trace *a, int from, const trace *b, bool is_exact)
{
    int first = rows_before(a, from < a->steps ? from : a->steps);
    if (a->n - first != b->n ||
        memcmp(a->rows + first, b->rows, (size_t)b->n * sizeof(int64_t)) != 0)
        return false;
    if (!is_exact || b->steps == 0)
        return !is_exact || from >= a->steps;
    return a->steps - from == b->steps && a->replicas == b->replicas &&
           memcmp(a->counts + from * a->replicas, b->counts,
                  (size_t)(b->steps * b->replicas) * sizeof(int)) == 0;
}
