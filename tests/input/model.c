/* SPDX-License-Identifier: BSD-3-Clause */
/* What include/cohort/dataset.h and input.h say, once more, as plainly as can be. */
#include "config.h"

#include "tests/input/feed.h"

/* ---- Batches. */

typedef struct batches {
    int n, sizes[FEED_MOST], n_rows;
    int64_t rows[FEED_MOST];
} batches;

static bool has_files_for_all(const feed *f)
{
    return f->source == FROM_FILES && f->files >= f->pipelines;
}

bool feed_is_refused(const feed *f)
{
    return f->policy == COHORT_SHARD_FILE && f->pipelines > 1 && !has_files_for_all(f);
}

bool feed_is_shared(const feed *f)
{
    return f->pipelines == 1 || f->policy == COHORT_SHARD_DATA ||
           (f->policy == COHORT_SHARD_AUTO && !has_files_for_all(f));
}

static bool is_by_file(const feed *f)
{
    return !feed_is_shared(f) && f->policy != COHORT_SHARD_OFF;
}

bool feed_is_exact(const feed *f)
{
    return feed_is_shared(f) || !f->has_weights || f->split == COHORT_SPLIT_FILL;
}

/* Rows that the pipeline reads in one repetition, in order. */
static int read_once(const feed *f, int pipeline, int64_t out[])
{
    int n = 0;
    for (int row = 0; row < f->rows; row++)
        if (!is_by_file(f) || row / f->lines % f->pipelines == pipeline)
            out[n++] = row;
    return n;
}

static void add_batches(const feed *f, const int64_t rows[], int n, batches *out)
{
    for (int first = 0; first < n; first += f->batch) {
        int size = n - first < f->batch ? n - first : f->batch;
        if (size < f->batch && f->drops)
            break;
        memcpy(out->rows + out->n_rows, rows + first, (size_t)size * sizeof *rows);
        out->sizes[out->n++] = size;
        out->n_rows += size;
    }
}

static void make_batches(const feed *f, int pipeline, batches *out)
{
    int64_t once[64], all[256];
    int n = read_once(f, pipeline, once);
    out->n = out->n_rows = 0;
    for (int i = 0; i < f->repeat; i++) {
        memcpy(all + i * n, once, (size_t)n * sizeof *once);
        if (!f->repeats_first)
            add_batches(f, once, n, out);
    }
    if (f->repeats_first)
        add_batches(f, all, n * f->repeat, out);
}

/* The order of a shuffle is the dataset's to say; that it is one, of the same rows, is checked.
 * Whole repetitions have each row once. */
static bool shuffle_batches(const feed *f, int pipeline, batches *b)
{
    int seen[64] = { 0 }, at = 0, batch = 0;
    cohort_array part;
    cohort_dataset *d = feed_dataset(f);
    if (is_by_file(f))
        d = cohort_dataset_auto_shard(d, f->pipelines, pipeline);
    cohort_iterator *iterator = cohort_dataset_iterate(d);
    bool is_good = good(iterator != NULL);
    while (is_good && cohort_iterator_next(iterator, &part) == COHORT_OK) {
        is_good = good(batch < b->n && part.shape[0] == b->sizes[batch]);
        for (int i = 0; is_good && i < part.shape[0]; i++) {
            int64_t row = ((const int64_t *)part.data)[i];
            is_good = good(row >= 0 && row < 64 && ++seen[row] <= f->repeat);
            is_good = is_good && good(!is_by_file(f) || row / f->lines % f->pipelines == pipeline);
            b->rows[at++] = row;
        }
        batch++;
    }
    cohort_iterator_destroy(iterator);
    return is_good && good(at == b->n_rows);
}

/* ---- Shares. */

/* n rows by weight: the whole part of each share, what is left to the largest remainders. */
static void share_by_weight(const feed *f, int replicas, int n, int out[])
{
    int sum = 0, left = n;
    int64_t remainders[FEED_REPLICAS * FEED_PIPELINES];
    for (int i = 0; i < replicas; i++)
        sum += f->weights[i];
    for (int i = 0; i < replicas; i++) {
        out[i] = n * f->weights[i] / sum;
        remainders[i] = n * f->weights[i] % sum;
        left -= out[i];
    }
    for (; left > 0; left--) {
        int best = 0;
        for (int i = 1; i < replicas; i++)
            if (remainders[i] > remainders[best])
                best = i;
        out[best]++;
        remainders[best] = -1;
    }
}

static void share(const feed *f, int replicas, int n, int out[])
{
    for (int i = 0; i < replicas; i++)
        out[i] = n / replicas + (i < n % replicas);
    if (f->has_weights)
        share_by_weight(f, replicas, n, out);
}

static void fill(const int room[], int replicas, int n, int out[])
{
    for (int i = 0; i < replicas; i++) {
        out[i] = room[i] < n ? room[i] : n;
        n -= out[i];
    }
}

static void divide(const feed *f, int replicas, int n, int out[])
{
    int room[FEED_REPLICAS * FEED_PIPELINES];
    if (f->split == COHORT_SPLIT_BALANCED) {
        share(f, replicas, n, out);
        return;
    }
    share(f, replicas, f->batch, room);
    for (int i = 0; i < replicas && f->split == COHORT_SPLIT_CEIL; i++)
        room[i] = (n + replicas - 1) / replicas;
    fill(room, replicas, n, out);
}

static void add_step(trace *out, const int64_t rows[], const int counts[])
{
    int first = 0;
    for (int i = 0; i < out->replicas; i++) {
        out->counts[out->steps * out->replicas + i] = counts[i];
        memcpy(out->rows + out->n, rows + first, (size_t)counts[i] * sizeof *rows);
        out->n += counts[i];
        first += counts[i];
    }
    out->steps++;
}

/* A batch that all pipelines have: this one keeps the rows of its replicas. */
static void take_shared(const feed *f, int pipeline, const int64_t rows[], int n, trace *out)
{
    int counts[FEED_REPLICAS * FEED_PIPELINES], first = 0;
    divide(f, f->replicas * f->pipelines, n, counts);
    for (int i = 0; i < pipeline * f->replicas; i++)
        first += counts[i];
    add_step(out, rows + first, counts + pipeline * f->replicas);
}

/* A batch of the pipeline's own: pieces as long as its replicas' shares of a full batch together,
 * at least a row. */
static void take_own(const feed *f, int pipeline, const int64_t rows[], int n, trace *out)
{
    int room[FEED_REPLICAS * FEED_PIPELINES], counts[FEED_REPLICAS], piece = 0;
    int *mine = room + pipeline * f->replicas;
    share(f, f->replicas * f->pipelines, f->batch, room);
    for (int i = 0; i < f->replicas; i++)
        piece += mine[i];
    if (piece == 0)
        piece = mine[0] = 1;
    for (int first = 0; first < n; first += piece) {
        int size = n - first < piece ? n - first : piece;
        if (f->split == COHORT_SPLIT_FILL || f->has_weights)
            fill(mine, f->replicas, size, counts);
        else
            divide(f, f->replicas, size, counts);
        add_step(out, rows + first, counts);
    }
}

bool feed_expect(const feed *f, int pipeline, trace *out)
{
    static batches b;
    int first = 0;
    make_batches(f, pipeline, &b);
    if (f->is_shuffled && !shuffle_batches(f, pipeline, &b))
        return false;
    out->steps = out->n = 0;
    out->replicas = f->replicas;
    for (int i = 0; i < b.n; i++) {
        if (feed_is_shared(f))
            take_shared(f, pipeline, b.rows + first, b.sizes[i], out);
        else
            take_own(f, pipeline, b.rows + first, b.sizes[i], out);
        first += b.sizes[i];
    }
    return true;
}
