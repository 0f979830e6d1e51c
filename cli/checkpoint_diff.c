/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort checkpoint diff: the tensors in which two checkpoints differ. */
#include "config.h"

#include "cli/checkpoint.h"
#include "cli/cli.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Two tensors of one name. */
typedef enum difference {
    SAME,
    FIRST_ALONE,
    SECOND_ALONE,
    OTHER_DTYPE,
    OTHER_SHAPE,
    OTHER_CONTENT,
    UNREADABLE /* the error text has why */
} difference;

static const char *const names[] = { "same",          "in the first alone", "in the second alone",
                                     "another dtype", "another shape",      "another content",
                                     "cannot be read" };

static bool has_same_shape(const cohort_checkpoint_tensor *a, const cohort_checkpoint_tensor *b)
{
    bool is_same = a->rank == b->rank && a->bytes == b->bytes;
    for (int32_t i = 0; i < a->rank && is_same; i++)
        is_same = a->shape[i] == b->shape[i];
    return is_same;
}

/* All bytes of a tensor whose dtype is none of arrays' cannot be had; its checksum can. */
static void *read_all(const cohort_checkpoint *c, const cohort_checkpoint_tensor *t)
{
    bool fits = (uint64_t)t->bytes < SIZE_MAX;
    void *bytes = fits ? calloc((size_t)t->bytes + 1, 1) : NULL;
    cohort_array into = { .data = bytes,
                          .dtype = t->dtype,
                          .rank = 1,
                          .shape = { t->item_bytes > 0 ? t->bytes / t->item_bytes : 0 },
                          .item_bytes = t->item_bytes };
    if (bytes == NULL || cohort_checkpoint_read(c, t->name, into) == COHORT_OK)
        return bytes;
    free(bytes);
    return NULL;
}

/* How many elements differ; -1: one cannot be read. */
static int64_t count(const cohort_checkpoint *a, const cohort_checkpoint_tensor *s,
                     const cohort_checkpoint *b, const cohort_checkpoint_tensor *t)
{
    char *x = read_all(a, s), *y = x != NULL ? read_all(b, t) : NULL;
    int64_t n = y != NULL ? 0 : -1;
    for (int64_t at = 0; y != NULL && at < s->bytes; at += s->item_bytes)
        n += memcmp(x + at, y + at, (size_t)s->item_bytes) != 0;
    free(x);
    free(y);
    return n;
}

static difference compare(const cohort_checkpoint *a, const cohort_checkpoint_tensor *s,
                          const cohort_checkpoint *b, const cohort_checkpoint_tensor *t,
                          int64_t *out_elements)
{
    *out_elements = 0;
    if (s->dtype != t->dtype || strcmp(s->type, t->type) != 0 || s->item_bytes != t->item_bytes)
        return OTHER_DTYPE;
    if (!has_same_shape(s, t))
        return OTHER_SHAPE;
    if (s->dtype == COHORT_VOID)
        return s->has_crc && t->has_crc && s->crc == t->crc ? SAME : OTHER_CONTENT;
    *out_elements = count(a, s, b, t);
    return *out_elements < 0 ? UNREADABLE : *out_elements > 0 ? OTHER_CONTENT : SAME;
}

/* ------------------------------------------------------------------ saying it */

static void print(const char *name, difference which, int64_t elements)
{
    printf("  ");
    visible_print(stdout, name, strlen(name));
    printf(": %s", names[which]);
    if (which == OTHER_CONTENT && elements > 0)
        printf(", %" PRId64 " element%s", elements, elements == 1 ? "" : "s");
    if (which == UNREADABLE)
        printf(": "), visible_message(stdout, cohort_error_text());
    printf("\n");
}

static void say(json *out, const char *name, difference which, int64_t elements)
{
    if (out == NULL) {
        print(name, which, elements);
        return;
    }
    json_object(out, NULL);
    json_text(out, "tensor", name);
    json_text(out, "difference", names[which]);
    json_integer(out, "elements", elements > 0 ? elements : 0);
    json_object_end(out);
}

static int say_all(const cohort_checkpoint *a, const cohort_checkpoint *b, json *out)
{
    cohort_checkpoint_tensor s, t;
    int n = 0;
    for (int i = 0; cohort_checkpoint_tensor_at(a, i, &s); i++) {
        int64_t elements = 0;
        bool is_there = cohort_checkpoint_tensor_find(b, s.name, &t);
        difference which = is_there ? compare(a, &s, b, &t, &elements) : FIRST_ALONE;
        if (which != SAME)
            n++, say(out, s.name, which, elements);
    }
    for (int i = 0; cohort_checkpoint_tensor_at(b, i, &t); i++)
        if (!cohort_checkpoint_tensor_find(a, t.name, &s))
            n++, say(out, t.name, SECOND_ALONE, 0);
    return n;
}

static int diff(const cohort_checkpoint *a, const cohort_checkpoint *b, json *out)
{
    if (out != NULL)
        json_array(out, "differences");
    int n = say_all(a, b, out);
    if (out != NULL)
        json_array_end(out);
    else if (n == 0)
        printf("no tensor differs\n");
    return n == 0 ? EXIT_OK : EXIT_FAILED;
}

int checkpoint_diff(const char *path, const char *other, json *out)
{
    cohort_checkpoint *a = cohort_checkpoint_open(path),
                      *b = a != NULL ? cohort_checkpoint_open(other) : NULL;
    int code = b != NULL ? diff(a, b, out) : cli_fail(EXIT_FAILED, "%s", cohort_error_text());
    cohort_checkpoint_close(a);
    cohort_checkpoint_close(b);
    return code;
}
