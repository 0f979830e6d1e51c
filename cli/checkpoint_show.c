/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort checkpoint show: tensors and metadata of one. */
#include "config.h"

#include "cli/checkpoint.h"
#include "cli/cli.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAME_BYTES = 2048, MOST_WIDTH = 40 };

/* Checksums and dtypes stand beside their tensors, and positions of inputs are many lines. */
static bool is_shown(const char *key)
{
    static const char *const hidden[] = { "cohort.crc32c", "cohort.dtype.", "cohort.input.",
                                          "cohort.score" };
    bool is_shown = true;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden && is_shown; i++)
        is_shown = strncmp(key, hidden[i], strlen(hidden[i])) != 0;
    return is_shown;
}

/* ------------------------------------------------------------------ for people */

static int width_of(const cohort_checkpoint *c)
{
    char name[NAME_BYTES];
    cohort_checkpoint_tensor t;
    size_t width = 0;
    for (int i = 0; cohort_checkpoint_tensor_at(c, i, &t); i++) {
        size_t bytes = strlen(visible(t.name, name, sizeof name));
        width = bytes > width && bytes <= MOST_WIDTH ? bytes : width;
    }
    return (int)width;
}

static void print_tensors(const cohort_checkpoint *c)
{
    char name[NAME_BYTES];
    cohort_checkpoint_tensor t;
    int width = width_of(c);
    for (int i = 0; cohort_checkpoint_tensor_at(c, i, &t); i++) {
        printf("  %-*s  ", width, visible(t.name, name, sizeof name));
        checkpoint_print_spec(&t);
        if (strcmp(t.type, "U8") == 0 && t.dtype != COHORT_U8)
            printf(", as bytes");
        printf("\n");
    }
}

static void print_line(const char *what, const char *between, const char *text)
{
    printf("  ");
    visible_print(stdout, what, strlen(what));
    printf("%s", between);
    visible_print(stdout, text, strlen(text));
    printf("\n");
}

static void print_shards(const cohort_checkpoint *c)
{
    const char *path;
    for (int i = 0; (path = cohort_checkpoint_shard(c, i)) != NULL; i++)
        print_line("shard", " ", path);
}

static void print_notes(const cohort_checkpoint *c)
{
    static const char inputs[] = "cohort.input.";
    const char *key;
    for (int i = 0; (key = cohort_checkpoint_key(c, i)) != NULL; i++)
        if (strncmp(key, inputs, strlen(inputs)) == 0)
            print_line("position of input", " ", key + strlen(inputs));
        else if (is_shown(key))
            print_line(key, ": ", cohort_checkpoint_text(c, key));
}

static void print(const cohort_checkpoint *c)
{
    const char *path = cohort_checkpoint_file(c);
    visible_print(stdout, path, strlen(path));
    if (cohort_checkpoint_step(c) >= 0)
        printf(": step %" PRId64, cohort_checkpoint_step(c));
    if (!isnan(cohort_checkpoint_score(c)))
        printf(", score %g", cohort_checkpoint_score(c));
    printf("\n");
    print_tensors(c);
    print_shards(c);
    print_notes(c);
}

/* ------------------------------------------------------------------ as JSON */

static void json_tensors(json *out, const cohort_checkpoint *c)
{
    cohort_checkpoint_tensor t;
    char sum[16];
    json_array(out, "tensors");
    for (int i = 0; cohort_checkpoint_tensor_at(c, i, &t); i++) {
        json_object(out, NULL);
        json_text(out, "name", t.name);
        checkpoint_json_spec(out, &t);
        (void)snprintf(sum, sizeof sum, "%08" PRIx32, t.crc);
        json_text(out, "crc32c", t.has_crc ? sum : NULL);
        json_object_end(out);
    }
    json_array_end(out);
}

static void json_shards(json *out, const cohort_checkpoint *c)
{
    const char *path;
    if (cohort_checkpoint_shard(c, 0) == NULL)
        return;
    json_array(out, "shards");
    for (int i = 0; (path = cohort_checkpoint_shard(c, i)) != NULL; i++)
        json_text(out, NULL, path);
    json_array_end(out);
}

static void json_notes(json *out, const cohort_checkpoint *c)
{
    const char *key;
    json_object(out, "notes");
    for (int i = 0; (key = cohort_checkpoint_key(c, i)) != NULL; i++)
        if (is_shown(key))
            json_text(out, key, cohort_checkpoint_text(c, key));
    json_object_end(out);
}

static void print_json(json *out, const cohort_checkpoint *c)
{
    json_text(out, "file", cohort_checkpoint_file(c));
    if (cohort_checkpoint_step(c) >= 0)
        json_integer(out, "step", cohort_checkpoint_step(c));
    else
        json_null(out, "step");
    if (!isnan(cohort_checkpoint_score(c)))
        json_real(out, "score", cohort_checkpoint_score(c));
    json_text(out, "skipped", cohort_checkpoint_skipped(c));
    json_shards(out, c);
    json_tensors(out, c);
    json_notes(out, c);
}

int checkpoint_show(const char *path, json *out)
{
    cohort_checkpoint *c = cohort_checkpoint_open(path);
    if (c == NULL)
        return cli_fail(EXIT_FAILED, "%s", cohort_error_text());
    if (out != NULL)
        print_json(out, c);
    else
        print(c);
    cohort_checkpoint_close(c);
    return EXIT_OK;
}
