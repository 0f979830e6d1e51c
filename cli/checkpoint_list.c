/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort checkpoint list, verify and prune: the generations of a folder, one by one. */
#include "config.h"

#include "cli/checkpoint.h"
#include "cli/cli.h"
#include "cli/colour.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of a folder, newest first; *out_n -1, after a message: it cannot be listed. The caller's, by
 * free(). */
static cohort_checkpoint_generation *list_of(const char *folder, int *out_n)
{
    int room = cohort_checkpoint_generations(folder, NULL, 0);
    cohort_checkpoint_generation *list = room > 0 ? calloc((size_t)room, sizeof *list) : NULL;
    *out_n = room;
    if (room > 0 && list == NULL)
        *out_n = -1, cli_fail(EXIT_FAILED, "checkpoint: out of memory");
    else if (room < 0)
        cli_fail(EXIT_FAILED, "%s", cohort_error_text());
    if (list == NULL)
        return NULL;
    int n = cohort_checkpoint_generations(folder, list, room);
    *out_n = n < room ? n : room; /* others write meanwhile */
    return list;
}

static int tensors_of(const cohort_checkpoint *c)
{
    cohort_checkpoint_tensor t;
    int n = 0;
    while (cohort_checkpoint_tensor_at(c, n, &t))
        n++;
    return n;
}

static const char *time_text(int64_t time_us, char *text, size_t size)
{
    time_t seconds = (time_t)(time_us / 1000000);
    struct tm utc;
    if (gmtime_r(&seconds, &utc) == NULL || strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        (void)snprintf(text, size, "?");
    return text;
}

/* ------------------------------------------------------------------ list */

static void print_generation(const cohort_checkpoint_generation *g, const cohort_checkpoint *c)
{
    char when[32];
    printf("%-30s ", g->file);
    if (c == NULL) {
        colour_print(COLOUR_BAD, "damaged");
        printf(": ");
        visible_message(stdout, cohort_error_text());
        printf("\n");
        return;
    }
    printf("step %-10" PRId64 " %4d tensors %12" PRId64 " bytes  %s", cohort_checkpoint_step(c),
           tensors_of(c), g->bytes, time_text(g->time_us, when, sizeof when));
    if (!isnan(cohort_checkpoint_score(c)))
        printf("  score %g", cohort_checkpoint_score(c));
    printf("\n");
}

static void json_generation(json *out, const cohort_checkpoint_generation *g,
                            const cohort_checkpoint *c)
{
    char when[32];
    json_object(out, NULL);
    json_integer(out, "number", g->number);
    json_text(out, "file", g->file);
    json_integer(out, "bytes", g->bytes);
    json_text(out, "time", time_text(g->time_us, when, sizeof when));
    json_text(out, "error", c == NULL ? cohort_error_text() : NULL);
    if (c != NULL)
        json_integer(out, "step", cohort_checkpoint_step(c));
    else
        json_null(out, "step");
    json_integer(out, "tensors", tensors_of(c));
    if (!isnan(cohort_checkpoint_score(c)))
        json_real(out, "score", cohort_checkpoint_score(c));
    json_object_end(out);
}

static bool list_one(const char *folder, const cohort_checkpoint_generation *g, json *out)
{
    char path[CHECKPOINT_PATH_BYTES];
    if (!checkpoint_path(folder, g->file, path))
        return false;
    cohort_checkpoint *c = cohort_checkpoint_open(path);
    bool is_good = c != NULL;
    if (out != NULL)
        json_generation(out, g, c);
    else
        print_generation(g, c);
    cohort_checkpoint_close(c);
    return is_good;
}

int checkpoint_list(const char *folder, json *out)
{
    int n;
    cohort_checkpoint_generation *list = list_of(folder, &n);
    bool is_good = n >= 0;
    if (out != NULL)
        json_array(out, "generations");
    else if (n == 0)
        printf("no checkpoint\n");
    for (int i = 0; i < n; i++)
        is_good = list_one(folder, &list[i], out) && is_good;
    if (out != NULL)
        json_array_end(out);
    free(list);
    return is_good ? EXIT_OK : EXIT_FAILED;
}

/* ------------------------------------------------------------------ verify */

/* What is said of one that is wrong: of a tensor, or, name NULL, of the file. */
static void say_wrong(const char *name, json *out)
{
    if (out == NULL) {
        printf("  ");
        visible_message(stdout, cohort_error_text());
        printf("\n");
        return;
    }
    json_object(out, NULL);
    json_text(out, "tensor", name);
    json_text(out, "error", cohort_error_text());
    json_object_end(out);
}

/* A file of others has no checksums: it can be read, or not. */
static bool is_wrong(const cohort_checkpoint *c, const char *name)
{
    cohort_status status = cohort_checkpoint_check(c, name);
    return status != COHORT_OK && status != COHORT_ENOTSUP;
}

/* How many tensors are wrong. */
static int check_tensors(const cohort_checkpoint *c, json *out)
{
    cohort_checkpoint_tensor t;
    int wrong = 0;
    for (int i = 0; cohort_checkpoint_tensor_at(c, i, &t); i++)
        if (is_wrong(c, t.name)) {
            say_wrong(t.name, out);
            wrong++;
        }
    return wrong;
}

static bool has_checksums(const cohort_checkpoint *c)
{
    return cohort_checkpoint_text(c, "cohort.crc32c") != NULL;
}

static void print_verdict(const cohort_checkpoint *c, const char *path, int wrong)
{
    visible_print(stdout, path, strlen(path));
    printf(": ");
    if (wrong > 0)
        colour_print(COLOUR_BAD, "damaged\n");
    else if (has_checksums(c))
        colour_print(COLOUR_GOOD, "whole\n");
    else
        colour_print(COLOUR_NOTE, "has no checksums; its header fits\n");
}

static bool verify_file(const char *path, json *out)
{
    if (out != NULL) {
        json_object(out, NULL);
        json_text(out, "file", path);
        json_array(out, "errors");
    }
    cohort_checkpoint *c = cohort_checkpoint_open(path);
    int wrong = c == NULL;
    if (c == NULL)
        say_wrong(NULL, out);
    wrong += check_tensors(c, out);
    if (out != NULL) {
        json_array_end(out);
        json_bool(out, "has_checksums", has_checksums(c));
        json_object_end(out);
    } else {
        print_verdict(c, path, wrong);
    }
    cohort_checkpoint_close(c);
    return wrong == 0;
}

static bool verify_folder(const char *folder, json *out)
{
    int n;
    char path[CHECKPOINT_PATH_BYTES];
    cohort_checkpoint_generation *list = list_of(folder, &n);
    bool is_good = n > 0;
    if (n == 0)
        cli_fail(EXIT_FAILED, "%s: there is no checkpoint in it", folder);
    for (int i = 0; i < n; i++)
        is_good = checkpoint_path(folder, list[i].file, path) && verify_file(path, out) && is_good;
    free(list);
    return is_good;
}

int checkpoint_verify(const char *path, json *out)
{
    if (out != NULL)
        json_array(out, "files");
    bool is_good = checkpoint_is_folder(path) ? verify_folder(path, out) : verify_file(path, out);
    if (out != NULL)
        json_array_end(out);
    return is_good ? EXIT_OK : EXIT_FAILED;
}

/* ------------------------------------------------------------------ prune */

int checkpoint_prune(const char *folder, const checkpoint_kept *kept, json *out)
{
    int n = cohort_checkpoint_prune(folder, kept->keep, kept->best);
    if (n < 0)
        return cli_fail(EXIT_FAILED, "%s", cohort_error_text());
    if (out != NULL)
        json_integer(out, "removed", n);
    else
        printf("%d generation%s removed\n", n, n == 1 ? "" : "s");
    return EXIT_OK;
}
