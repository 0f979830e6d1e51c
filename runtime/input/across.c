/* SPDX-License-Identifier: BSD-3-Clause */
/* Each worker notes what its input was made of: a digest of each part, which decides, and the
 * beginning of its text, so that what differs can be named. */
#include "config.h"

#include "runtime/input/across.h"

#include "runtime/base/digest.h"
#include "runtime/base/error.h"
#include "runtime/base/print.h"
#include "runtime/input/cardinality.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ what is noted */

enum { ELEMENTS, FILES, GRAPH, DIVISION, CONTENTS, PARTS };
enum { SHOWN = 160 };

/* Lines; what does not fit is cut. */
typedef struct note {
    uint64_t digests[PARTS];
    int64_t cardinality;
    int32_t policy; /* cohort_auto_shard; AUTO: of a function */
    int32_t room;   /* keeps the size the same everywhere */
    char elements[256], graph[1500], division[256], files[1500], contents[300];
} note;
_Static_assert(sizeof(note) <= COHORT_WORKERS_NOTE, "it is noted");

static void print_elements(const void *what, FILE *out)
{
    const cohort_input *input = what;
    const cohort_spec *specs = cohort_input_specs(input);
    for (int32_t k = 0; k < cohort_input_components(input); k++)
        (void)fprintf(out, "component %d %s\n", (int)k, cohort_dtype_name(specs[k].dtype));
}

/* The text that decides which rows come, a line for each node, its inputs below it. */
static void print_graph(const cohort_dataset *dataset, int depth, FILE *out)
{
    while (dataset->kind->is_quiet)
        dataset = dataset->inputs[0];
    (void)fprintf(out, "%*s%s", depth, "", dataset->kind->name);
    if (dataset->kind->describe != NULL) {
        (void)fputc(' ', out);
        dataset->kind->describe(dataset, out);
    }
    (void)fputc('\n', out);
    for (int32_t i = 0; i < dataset->n_inputs; i++)
        print_graph(dataset->inputs[i], depth + 1, out);
}

static void print_input_graph(const void *what, FILE *out)
{
    print_graph(((const cohort_input *)what)->dataset, 0, out);
}

static void print_division(const void *what, FILE *out)
{
    static const char *const names[] = { [COHORT_SPLIT_FILL] = "COHORT_SPLIT_FILL",
                                         [COHORT_SPLIT_BALANCED] = "COHORT_SPLIT_BALANCED",
                                         [COHORT_SPLIT_CEIL] = "COHORT_SPLIT_CEIL" };
    const cohort_division *d = &((const cohort_input *)what)->division;
    (void)fprintf(out, "%s\nglobal batch %" PRId64 "\n", names[d->split], d->full_rows);
    for (int32_t r = 0; d->weights != NULL && r < d->n_replicas; r++)
        (void)fprintf(out, "weight %d is %.17g\n", (int)r, d->weights[r]);
}

/* The folder may be another one on each machine. */
static void print_file(const cohort_file_mark *mark, bool with_sizes, FILE *out)
{
    const char *name = mark->name != NULL ? mark->name : "", *slash = strrchr(name, '/');
    (void)fputs(slash != NULL ? slash + 1 : name, out);
    if (with_sizes && mark->bytes >= 0)
        (void)fprintf(out, " of %" PRId64 " bytes", mark->bytes);
    if (with_sizes && mark->rows >= 0)
        (void)fprintf(out, ", %" PRId64 " rows", mark->rows);
    (void)fputc('\n', out);
}

static void print_files(const cohort_dataset *dataset, bool with_sizes, FILE *out)
{
    const cohort_dataset_kind *kind = dataset->kind;
    int64_t n = kind->files != NULL ? kind->files(dataset) : 0;
    for (int64_t i = 0; i < n; i++) {
        cohort_file_mark mark;
        kind->look_at_file(dataset, i, &mark);
        print_file(&mark, with_sizes, out);
    }
    for (int32_t i = 0; i < dataset->n_inputs; i++)
        print_files(dataset->inputs[i], with_sizes, out);
}

static void print_input_files(const void *what, FILE *out)
{
    const cohort_input *input = what;
    print_files(input->dataset, input->policy == COHORT_SHARD_DATA, out);
}

static void print_contents(const cohort_dataset *dataset, FILE *out)
{
    if (dataset->kind->print_contents != NULL)
        dataset->kind->print_contents(dataset, out);
    for (int32_t i = 0; i < dataset->n_inputs; i++)
        print_contents(dataset->inputs[i], out);
}

static void print_input_contents(const void *what, FILE *out)
{
    const cohort_input *input = what;
    if (input->policy == COHORT_SHARD_DATA)
        print_contents(input->dataset, out);
}

static cohort_status take(note *n, int part, char *text, size_t room, const cohort_input *input,
                          void (*print)(const void *what, FILE *out))
{
    char *whole = cohort_print_to_text(print, input, NULL);
    if (whole == NULL)
        return cohort_error_memory("an input");
    n->digests[part] = cohort_digest_of_text(whole);
    (void)snprintf(text, room, "%s", whole);
    free(whole);
    return COHORT_OK;
}

/* All zero where a part is no matter of the others. */
static cohort_status note_of(const cohort_input *input, note *out)
{
    *out = (note){ .cardinality = input->cardinality,
                   .policy = input->dataset != NULL ? input->policy : COHORT_SHARD_AUTO };
    cohort_status status =
        take(out, ELEMENTS, out->elements, sizeof out->elements, input, print_elements);
    if (input->dataset == NULL || input->policy == COHORT_SHARD_OFF)
        return status;
    if (status >= 0)
        status = take(out, GRAPH, out->graph, sizeof out->graph, input, print_input_graph);
    if (status >= 0)
        status = take(out, DIVISION, out->division, sizeof out->division, input, print_division);
    if (status >= 0)
        status = take(out, FILES, out->files, sizeof out->files, input, print_input_files);
    if (status >= 0)
        status =
            take(out, CONTENTS, out->contents, sizeof out->contents, input, print_input_contents);
    return status;
}

/* ------------------------------------------------------------------ comparing */

static const char *policy_name(int32_t policy)
{
    static const struct {
        cohort_auto_shard policy;
        const char *name;
    } names[] = { { COHORT_SHARD_AUTO, "that of a dataset function" },
                  { COHORT_SHARD_OFF, "COHORT_SHARD_OFF" },
                  { COHORT_SHARD_FILE, "COHORT_SHARD_FILE" },
                  { COHORT_SHARD_DATA, "COHORT_SHARD_DATA" },
                  { COHORT_SHARD_HINT, "COHORT_SHARD_HINT" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((int32_t)names[i].policy == policy)
            return names[i].name;
    return "none";
}

static cohort_status differ(const cohort_workers *w, int32_t other, const char *call,
                            const char *what, const char *theirs, const char *ours,
                            const char *unless)
{
    return cohort_error_set(COHORT_EINCOMPATIBLE,
                            "%s: the %s of worker %d of %d: %s, of worker %d: %s; all workers have "
                            "the same%s",
                            call, what, (int)other, (int)w->n, theirs, (int)w->rank, ours, unless);
}

/* Where the line begins in which they differ. */
static size_t find_difference(const char *a, const char *b)
{
    size_t from = 0;
    for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++)
        from = a[i] == '\n' ? i + 1 : from;
    return from;
}

static void show(const char *line, bool is_cut, char out[SHOWN])
{
    const char *text = line + strspn(line, " ");
    size_t n = strcspn(text, "\n");
    if (n == 0)
        (void)snprintf(out, SHOWN, "%s", is_cut ? "behind what a message holds" : "nothing more");
    else
        (void)snprintf(out, SHOWN, "'%.*s%s'", (int)(n < SHOWN - 8 ? n : SHOWN - 8), text,
                       n < SHOWN - 8 ? "" : "...");
}

static cohort_status differ_in(const cohort_workers *w, int32_t other, const char *call, int part,
                               const char *theirs, const char *ours, size_t room)
{
    static const char *const names[PARTS] = { [ELEMENTS] = "elements",
                                              [FILES] = "files",
                                              [GRAPH] = "dataset",
                                              [DIVISION] = "options",
                                              [CONTENTS] = "contents" };
    char a[SHOWN], b[SHOWN];
    size_t from = find_difference(theirs, ours);
    show(theirs + from, strlen(theirs) == room - 1, a);
    show(ours + from, strlen(ours) == room - 1, b);
    return differ(w, other, call, names[part], a, b,
                  part == ELEMENTS ? "" : ", or each has data of its own (COHORT_SHARD_OFF)");
}

/* Text from elsewhere has an end. */
static void close_texts(note *n)
{
    n->elements[sizeof n->elements - 1] = n->graph[sizeof n->graph - 1] = '\0';
    n->division[sizeof n->division - 1] = n->files[sizeof n->files - 1] = '\0';
    n->contents[sizeof n->contents - 1] = '\0';
}

static cohort_status compare(const cohort_workers *w, int32_t other, const char *call,
                             const note *theirs, const note *ours)
{
    const struct {
        const char *theirs, *ours;
        size_t room;
    } texts[PARTS] = {
        [ELEMENTS] = { theirs->elements, ours->elements, sizeof ours->elements },
        [FILES] = { theirs->files, ours->files, sizeof ours->files },
        [GRAPH] = { theirs->graph, ours->graph, sizeof ours->graph },
        [DIVISION] = { theirs->division, ours->division, sizeof ours->division },
        [CONTENTS] = { theirs->contents, ours->contents, sizeof ours->contents },
    };
    if (theirs->policy != ours->policy)
        return differ(w, other, call, "policy", policy_name(theirs->policy),
                      policy_name(ours->policy), "");
    for (int i = 0; i < PARTS; i++)
        if (theirs->digests[i] != ours->digests[i])
            return differ_in(w, other, call, i, texts[i].theirs, texts[i].ours, texts[i].room);
    return COHORT_OK;
}

cohort_status cohort_input_compare(cohort_input *input, const char *call)
{
    cohort_workers *w = input->strategy->workers;
    note mine, theirs;
    if (w == NULL)
        return COHORT_OK;
    cohort_status status = note_of(input, &mine);
    if (status >= 0)
        status = cohort_workers_meet(w, call, &mine, sizeof mine);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        memcpy(&theirs, cohort_workers_note(w, i), sizeof theirs);
        close_texts(&theirs);
        status = compare(w, i, call, &theirs, &mine);
        input->cardinality = cohort_cardinality_longer(input->cardinality, theirs.cardinality);
    }
    return status;
}
