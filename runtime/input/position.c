/* SPDX-License-Identifier: BSD-3-Clause */
/* A position is written as text with a checksum behind it, and read back by a parser that accepts
 * nothing else than what the writer writes: one space or line end between words, no sign but a
 * minus, no leading text. So a damaged file is refused and never restores another place. */
#include "config.h"

#include "runtime/input/position.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/print.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/file.h"
#include "runtime/data/format/replacement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ of an input */

/* Every transformation that decides which elements come. Without sizes, of batches only whether all
 * are full: what is left out of them decides which rows come. */
static void print_graph(const cohort_dataset *dataset, bool with_sizes, FILE *out)
{
    while (dataset->kind->is_quiet)
        dataset = dataset->inputs[0];
    (void)fprintf(out, "%s ", dataset->kind->name);
    if (dataset->kind->is_stacking && !with_sizes)
        (void)fputs(dataset->specs[0].shape[0] >= 0 ? "full" : "", out);
    else if (dataset->kind->describe != NULL)
        dataset->kind->describe(dataset, out);
    (void)fputc('(', out);
    for (int32_t i = 0; i < dataset->n_inputs; i++)
        print_graph(dataset->inputs[i], with_sizes, out);
    (void)fputs(")\n", out);
}

static void print_with_sizes(const void *dataset, FILE *out)
{
    print_graph(dataset, true, out);
}

static void print_without_sizes(const void *dataset, FILE *out)
{
    print_graph(dataset, false, out);
}

/* A hash is enough: it has to tell an honest mistake, another dataset, and no forgery. */
static cohort_status hash_graph(const cohort_dataset *dataset, bool with_sizes, uint32_t *out)
{
    size_t bytes = 0;
    char *text =
        cohort_print_to_text(with_sizes ? print_with_sizes : print_without_sizes, dataset, &bytes);
    if (text == NULL)
        return cohort_error_memory("a position");
    *out = cohort_crc32c(0, text, bytes);
    free(text);
    return COHORT_OK;
}

static bool is_even(const cohort_workers *w)
{
    bool is_even = true;
    for (int32_t i = 1; i < w->n && is_even; i++)
        is_even = w->first[i + 1] - w->first[i] == w->first[1];
    return is_even;
}

/* Pipelines are workers, or have as many replicas each as this one. */
static cohort_status list_uneven(const cohort_input *input, cohort_position *out)
{
    const cohort_workers *w = input->strategy->workers;
    if (w == NULL || is_even(w))
        return COHORT_OK;
    out->uneven = cohort_allocate((size_t)out->pipelines, sizeof *out->uneven);
    if (out->uneven == NULL)
        return cohort_error_memory("a position");
    for (int32_t i = 0; i < out->pipelines; i++)
        out->uneven[i] = w->first[i + 1] - w->first[i];
    return COHORT_OK;
}

int32_t cohort_position_hosts(const cohort_position *p, int32_t pipeline, int32_t *out_first)
{
    int32_t each = p->replicas / p->pipelines;
    *out_first = pipeline * each;
    if (p->uneven == NULL)
        return each;
    *out_first = 0;
    for (int32_t i = 0; i < pipeline; i++)
        *out_first += p->uneven[i];
    return p->uneven[pipeline];
}

/* Read-ahead does not count: a source's counters are of what was given to replicas. */
static cohort_status mark_files(const cohort_input *input, cohort_marks *out)
{
    cohort_status status = COHORT_OK;
    if (input->dataset != NULL)
        return cohort_marks_add(out, input->dataset);
    for (int32_t i = 0; i < input->n_sources && status >= 0; i++)
        status = cohort_marks_add(out, input->sources[i].dataset);
    return status;
}

cohort_status cohort_position_of(const cohort_input *input, cohort_position *out)
{
    const cohort_dataset *dataset =
        input->dataset != NULL ? input->dataset : input->sources[0].dataset;
    *out = (cohort_position){ .manner = input->manner,
                              .is_per_replica = input->is_per_replica,
                              .is_resharded = input->is_resharded,
                              .policy = input->source_policy,
                              .pipelines = input->context.num_input_pipelines,
                              .pipeline = input->context.input_pipeline_id,
                              .replicas = input->context.num_replicas_in_sync,
                              .iteration = input->iteration,
                              .turns = input->turns,
                              .next = input->turn };
    cohort_status status = hash_graph(dataset, false, &out->graph);
    if (status >= 0)
        status = hash_graph(dataset, true, &out->batches);
    if (status >= 0)
        status = list_uneven(input, out);
    if (status >= 0)
        status = mark_files(input, &out->files);
    if (status >= 0)
        out->sources = cohort_allocate((size_t)input->n_sources, sizeof *out->sources);
    if (status >= 0 && out->sources == NULL)
        status = cohort_error_memory("a position");
    for (int32_t i = 0; i < input->n_sources && status >= 0; i++) {
        const cohort_source *s = &input->sources[i];
        out->sources[i] = (cohort_source){ .pipelines = s->pipelines,
                                           .pipeline = s->pipeline,
                                           .passed = s->passed,
                                           .passed_rows = s->passed_rows,
                                           .taken = s->taken };
        out->n_sources++;
    }
    return status;
}

void cohort_position_fini(cohort_position *position)
{
    cohort_free(position->sources);
    cohort_free(position->uneven);
    cohort_marks_free(&position->files);
    position->sources = NULL;
    position->uneven = NULL;
}

/* ------------------------------------------------------------------ writing */

static void print_files(const cohort_marks *marks, FILE *out)
{
    (void)fprintf(out, "files %" PRId64 " %08" PRIx32 "\n", marks->n, marks->others);
    for (int32_t i = 0; i < cohort_marks_listed(marks); i++)
        (void)fprintf(out, "file %" PRId64 " %" PRId64 " %" PRId64 "\n", marks->list[i].bytes,
                      marks->list[i].rows, marks->list[i].time_us);
}

static void print_position(const void *what, FILE *out)
{
    const cohort_position *p = what;
    (void)fprintf(out, "cohort-position 2\ngraph %08" PRIx32 " %08" PRIx32 "\n", p->graph,
                  p->batches);
    (void)fprintf(out, "manner %d per_replica %d policy %d\n", (int)p->manner, p->is_per_replica,
                  (int)p->policy);
    (void)fprintf(out, "pipelines %" PRId32 " pipeline %" PRId32 " replicas %" PRId32 "\n",
                  p->pipelines, p->pipeline, p->replicas);
    for (int32_t i = 0; p->uneven != NULL && i < p->pipelines; i++)
        (void)fprintf(out, "%s%" PRId32 "%s", i == 0 ? "uneven " : " ", p->uneven[i],
                      i == p->pipelines - 1 ? "\n" : "");
    (void)fprintf(out, "iteration %" PRIu64 " turns %" PRId64 " resharded %d\n", p->iteration,
                  p->turns, p->is_resharded);
    print_files(&p->files, out);
    (void)fprintf(out, "sources %" PRId32 " next %" PRId32 "\n", p->n_sources, p->next);
    for (int32_t i = 0; i < p->n_sources; i++)
        (void)fprintf(out, "source %" PRId32 " %" PRId32 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
                      p->sources[i].pipelines, p->sources[i].pipeline, p->sources[i].passed,
                      p->sources[i].passed_rows, p->sources[i].taken);
}

/* The checksum stands in the last line, so that a text which was cut off is never whole. */
static void print_all(const void *what, FILE *out)
{
    size_t bytes = 0;
    char *text = cohort_print_to_text(print_position, what, &bytes);
    if (text != NULL)
        (void)fprintf(out, "%send %08" PRIx32 "\n", text, cohort_crc32c(0, text, bytes));
    free(text);
}

char *cohort_position_to_text(const cohort_position *position, size_t *out_bytes)
{
    size_t bytes = 0;
    char *text = cohort_print_to_text(print_all, position, &bytes);
    if (text != NULL && bytes == 0) { /* there was no memory for what is printed */
        free(text);
        text = NULL;
    }
    if (out_bytes != NULL)
        *out_bytes = bytes;
    return text;
}

cohort_status cohort_position_write(const cohort_position *position, const char *path)
{
    size_t bytes = 0;
    cohort_replacement file;
    char *text = cohort_position_to_text(position, &bytes);
    if (text == NULL)
        return cohort_error_memory("a position");
    cohort_status status = cohort_replacement_open(path, &file);
    if (status >= 0)
        status = cohort_replacement_close(&file, cohort_replacement_write(&file, text, bytes));
    free(text);
    return status;
}

/* ------------------------------------------------------------------ reading */

typedef struct cohort_words {
    const char *path, *at;
    int line;
    bool is_bad;
} cohort_words;

/* The next word is this one, and what ends it is passed too. */
static void expect(cohort_words *w, const char *word)
{
    size_t length = strlen(word);
    if (w->is_bad)
        return;
    w->is_bad =
        strncmp(w->at, word, length) != 0 || (w->at[length] != ' ' && w->at[length] != '\n');
    if (w->is_bad)
        return;
    w->line += w->at[length] == '\n';
    w->at += length + 1;
}

static bool is_next(const cohort_words *w, const char *word)
{
    size_t length = strlen(word);
    return !w->is_bad && strncmp(w->at, word, length) == 0 && w->at[length] == ' ';
}

/* The next word is a number from least to most, as printf writes it. */
static int64_t number(cohort_words *w, int64_t least, int64_t most)
{
    bool is_negative = !w->is_bad && *w->at == '-';
    const char *digits = w->at + is_negative;
    int64_t value = 0;
    if (w->is_bad)
        return least;
    size_t n = strspn(digits, "0123456789");
    /* 18 digits always fit into an int64 */
    w->is_bad = n == 0 || n > 18 || (digits[n] != ' ' && digits[n] != '\n');
    for (size_t i = 0; i < n && !w->is_bad; i++)
        value = 10 * value + (digits[i] - '0');
    value = is_negative ? -value : value;
    w->is_bad = w->is_bad || value < least || value > most;
    if (w->is_bad)
        return least;
    w->line += digits[n] == '\n';
    w->at = digits + n + 1;
    return value;
}

/* Eight digits in lower case, as %08x writes them. */
static uint32_t hex(cohort_words *w)
{
    uint32_t value = 0;
    if (w->is_bad)
        return 0;
    size_t n = strspn(w->at, "0123456789abcdef");
    w->is_bad = n != 8 || (w->at[n] != ' ' && w->at[n] != '\n');
    for (size_t i = 0; i < 8 && !w->is_bad; i++)
        value = value << 4 | (uint32_t)(w->at[i] <= '9' ? w->at[i] - '0' : w->at[i] - 'a' + 10);
    w->line += !w->is_bad && w->at[n] == '\n';
    w->at += w->is_bad ? 0 : n + 1;
    return value;
}

/* Replicas of each pipeline, as many as there are together; equal ones are not listed. */
static cohort_status read_hosts(cohort_words *w, cohort_position *p)
{
    int64_t sum = 0;
    bool is_even = true;
    if (!is_next(w, "uneven")) {
        w->is_bad = w->is_bad || p->replicas % p->pipelines != 0;
        return COHORT_OK;
    }
    expect(w, "uneven");
    p->uneven = cohort_allocate((size_t)p->pipelines, sizeof *p->uneven);
    if (p->uneven == NULL)
        return cohort_error_memory("a position");
    for (int32_t i = 0; i < p->pipelines && !w->is_bad; i++) {
        p->uneven[i] = (int32_t)number(w, 1, p->replicas);
        sum += p->uneven[i];
        is_even = is_even && p->uneven[i] == p->uneven[0];
    }
    w->is_bad = w->is_bad || is_even || sum != p->replicas;
    return COHORT_OK;
}

static cohort_status read_files(cohort_words *w, cohort_marks *marks)
{
    expect(w, "files");
    marks->n = number(w, 0, INT64_MAX);
    marks->others = hex(w);
    if (w->is_bad || marks->n == 0)
        return COHORT_OK;
    int32_t n = cohort_marks_listed(marks);
    marks->list = cohort_allocate((size_t)n, sizeof *marks->list);
    if (marks->list == NULL)
        return cohort_error_memory("a position");
    for (int32_t i = 0; i < n && !w->is_bad; i++) {
        expect(w, "file");
        marks->list[i].bytes = number(w, -1, INT64_MAX);
        marks->list[i].rows = number(w, COHORT_UNKNOWN, INT64_MAX);
        marks->list[i].time_us = number(w, INT64_MIN, INT64_MAX);
    }
    return COHORT_OK;
}

/* The bounds are those of a position that could have been saved, so that nobody who uses it has to
 * look again. After the first wrong word, is_bad, all further reads do nothing. */
static cohort_status read_head(cohort_words *w, cohort_position *p)
{
    expect(w, "cohort-position");
    (void)number(w, 2, 2);
    expect(w, "graph");
    p->graph = hex(w);
    p->batches = hex(w);
    expect(w, "manner");
    p->manner = (cohort_manner)number(w, COHORT_MANNER_SHARED, COHORT_MANNER_ELEMENTS);
    expect(w, "per_replica");
    p->is_per_replica = number(w, 0, 1) != 0;
    expect(w, "policy");
    p->policy = (cohort_auto_shard)number(w, COHORT_SHARD_OFF, COHORT_SHARD_HINT);
    expect(w, "pipelines");
    p->pipelines = (int32_t)number(w, 1, COHORT_LIMIT_REPLICAS);
    expect(w, "pipeline");
    p->pipeline = (int32_t)number(w, 0, p->pipelines - 1);
    expect(w, "replicas");
    p->replicas = (int32_t)number(w, p->pipelines, COHORT_LIMIT_REPLICAS);
    cohort_status status = read_hosts(w, p);
    expect(w, "iteration");
    p->iteration = (uint64_t)number(w, 0, INT64_MAX);
    expect(w, "turns");
    p->turns = number(w, 0, INT64_MAX);
    expect(w, "resharded");
    p->is_resharded = number(w, 0, 1) != 0;
    if (status >= 0)
        status = read_files(w, &p->files);
    expect(w, "sources");
    p->n_sources = (int32_t)number(w, 1, COHORT_LIMIT_REPLICAS);
    expect(w, "next");
    p->next = (int32_t)number(w, 0, p->n_sources - 1);
    return status;
}

/* No list is made for a head that is wrong, so that n_sources is a number that was checked. */
static cohort_status read_sources(cohort_words *w, cohort_position *p)
{
    p->sources = w->is_bad ? NULL : cohort_allocate((size_t)p->n_sources, sizeof *p->sources);
    if (!w->is_bad && p->sources == NULL)
        return cohort_error_memory("a position");
    for (int32_t i = 0; i < p->n_sources && !w->is_bad; i++) {
        expect(w, "source");
        p->sources[i].pipelines = (int32_t)number(w, 1, COHORT_LIMIT_REPLICAS);
        p->sources[i].pipeline = (int32_t)number(w, 0, p->sources[i].pipelines - 1);
        p->sources[i].passed = number(w, 0, INT64_MAX);
        p->sources[i].passed_rows = number(w, 0, INT64_MAX);
        p->sources[i].taken = number(w, 0, INT64_MAX);
    }
    return COHORT_OK;
}

static cohort_status parse(cohort_words *w, const char *text, cohort_position *p)
{
    cohort_status status = read_head(w, p);
    if (status >= 0)
        status = read_sources(w, p);
    if (status < 0)
        return status;
    uint32_t found = cohort_crc32c(0, text, (size_t)(w->at - text));
    expect(w, "end");
    w->is_bad = hex(w) != found || w->is_bad || *w->at != '\0';
    if (!w->is_bad)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: line %d is not what cohort_input_save writes: the file is no position, or "
        "damaged",
        w->path, w->line);
}

/* The size is looked at before memory is taken, because the file may be anything. */
static cohort_status read_text(const char *path, char **out)
{
    enum { MOST_BYTES = 128 * COHORT_LIMIT_REPLICAS + 64 * COHORT_MARKS_LISTED };
    cohort_file file;
    cohort_status status = cohort_file_open(path, &file);
    if (status < 0)
        return status;
    if (file.bytes > MOST_BYTES)
        status = cohort_error_set(COHORT_EINVAL, "%s: %lld bytes; a position has at most %d", path,
                                  (long long)file.bytes, MOST_BYTES);
    char *text = status >= 0 ? cohort_allocate((size_t)file.bytes + 1, 1) : NULL;
    if (status >= 0)
        status = text != NULL ? cohort_file_read(&file, 0, text, (size_t)file.bytes)
                              : cohort_error_memory(path);
    cohort_file_close(&file);
    if (status < 0)
        cohort_free(text);
    else
        *out = text;
    return status;
}

/* *out has nothing to free when this fails. */
cohort_status cohort_position_from_text(const char *text, const char *path, cohort_position *out)
{
    cohort_words words = { .path = path, .at = text, .line = 1 };
    *out = (cohort_position){ 0 };
    cohort_status status = parse(&words, text, out);
    if (status < 0)
        cohort_position_fini(out);
    return status;
}

cohort_status cohort_position_read(const char *path, cohort_position *out)
{
    char *text = NULL;
    *out = (cohort_position){ 0 };
    cohort_status status = read_text(path, &text);
    if (status >= 0)
        status = cohort_position_from_text(text, path, out);
    cohort_free(text);
    return status;
}
