/* SPDX-License-Identifier: BSD-3-Clause */
/* The header is printed twice: to know how long it is, and when the checksums are known, which have
 * as many digits as the zeros before. The header's own is found in the text by its key, behind
 * which no other can stand: a quote inside of a text has a backslash before it. */
#include "config.h"

#include "runtime/data/format/safetensors_write.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/print.h"
#include "runtime/base/utf8.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/json_print.h"
#include "runtime/data/format/safetensors_header.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ adding */

static cohort_status check_text(const char *text, const char *what)
{
    for (const char *p = text; *p != '\0';) {
        size_t bytes = cohort_utf8_bytes(p);
        if (bytes == 0) {
            char shown[128];
            cohort_utf8_escape(text, strlen(text), shown, sizeof shown);
            return cohort_error_set(COHORT_EINVAL,
                                    "%s '%s' is no UTF-8, as names and texts of "
                                    "safetensors files are",
                                    what, shown);
        }
        p += bytes;
    }
    return COHORT_OK;
}

cohort_status cohort_tensors_add(cohort_tensors_layout *layout, const char *name,
                                 const cohort_tensor_type *type, int32_t rank,
                                 const int64_t shape[])
{
    cohort_tensor_layout t = { .type = type, .rank = rank, .index = layout->n };
    cohort_assert(rank <= COHORT_TENSORS_MAX_RANK);
    for (int32_t i = 0; i < rank; i++)
        t.shape[i] = shape[i];
    cohort_status status = check_text(name, "the name");
    if (status < 0)
        return status;
    if (strcmp(name, COHORT_TENSORS_METADATA) == 0)
        return cohort_error_set(COHORT_EINVAL,
                                "the name '%s' has another meaning in a safetensors "
                                "file",
                                name);
    if (!cohort_tensor_type_bytes(type, rank, shape, &t.bytes))
        return cohort_error_set(COHORT_EINVAL, "'%s' has more bytes than a file can", name);
    t.name = cohort_string_copy(name);
    if (t.name == NULL ||
        !cohort_grow((void **)&layout->tensors, &layout->room, layout->n + 1, sizeof t)) {
        cohort_free(t.name);
        return cohort_error_memory("the header of a checkpoint");
    }
    layout->tensors[layout->n++] = t;
    return COHORT_OK;
}

cohort_status cohort_tensors_add_note(cohort_tensors_layout *layout, const char *key,
                                      const char *text)
{
    cohort_status status = check_text(key, "the key");
    if (status >= 0)
        status = check_text(text, "the text");
    if (status < 0)
        return status;
    char *copies[] = { cohort_string_copy(key), cohort_string_copy(text) };
    if (copies[0] == NULL || copies[1] == NULL ||
        !cohort_grow((void **)&layout->notes, &layout->notes_room, 2 * (layout->n_notes + 1),
                     sizeof *layout->notes)) {
        cohort_free(copies[0]);
        cohort_free(copies[1]);
        return cohort_error_memory("the metadata of a checkpoint");
    }
    memcpy(&layout->notes[2 * layout->n_notes++], copies, sizeof copies);
    return COHORT_OK;
}

void cohort_tensors_layout_free(cohort_tensors_layout *layout)
{
    for (size_t i = 0; i < layout->n; i++)
        cohort_free(layout->tensors[i].name);
    for (size_t i = 0; i < 2 * layout->n_notes; i++)
        cohort_free(layout->notes[i]);
    cohort_free(layout->tensors);
    cohort_free(layout->notes);
    *layout = (cohort_tensors_layout){ 0 };
}

/* ------------------------------------------------------------------ printing */

static void print_tensor(FILE *out, const cohort_tensor_layout *t, int64_t data)
{
    (void)fputc(',', out);
    cohort_json_print(out, "", t->name);
    (void)fprintf(out, ":{\"dtype\":\"%s\",\"shape\":[", t->type->name);
    for (int32_t i = 0; i < t->rank; i++)
        (void)fprintf(out, "%s%" PRId64, i > 0 ? "," : "", t->shape[i]);
    (void)fprintf(out, "],\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", t->at - data,
                  t->at - data + t->bytes);
}

static void print_sums(FILE *out, const cohort_tensors_layout *layout)
{
    (void)fputs("\"" COHORT_TENSORS_SUM "\":\"        \"", out);
    for (size_t i = 0; i < layout->n; i++) {
        (void)fputc(',', out);
        cohort_json_print(out, COHORT_TENSORS_SUM ".", layout->tensors[i].name);
        (void)fprintf(out, ":\"%08" PRIx32 "\"", layout->tensors[i].sum);
    }
}

/* Without the length, with spaces in place of its own checksum. */
static void print_header(const void *what, FILE *out)
{
    const cohort_tensors_layout *layout = what;
    (void)fputs("{\"" COHORT_TENSORS_METADATA "\":{", out);
    print_sums(out, layout);
    for (size_t i = 0; i < layout->n_notes; i++) {
        (void)fputc(',', out);
        cohort_json_print(out, "", layout->notes[2 * i]);
        (void)fputc(':', out);
        cohort_json_print(out, "", layout->notes[2 * i + 1]);
    }
    (void)fputc('}', out);
    for (size_t i = 0; i < layout->n; i++)
        print_tensor(out, &layout->tensors[i], layout->header_bytes);
    (void)fputc('}', out);
}

/* ------------------------------------------------------------------ laying out */

static int compare_tensors(const void *a, const void *b)
{
    const cohort_tensor_layout *s = a, *t = b;
    if (s->type->bits != t->type->bits)
        return s->type->bits > t->type->bits ? -1 : 1;
    return strcmp(s->name, t->name);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of tensors, or keys, by what lies so far apart. */
static cohort_status check_twice(char *const *first, size_t n, size_t apart, const char *what)
{
    char **names = cohort_allocate(n, sizeof *names);
    cohort_status status = names != NULL ? COHORT_OK : cohort_error_memory("a checkpoint");
    for (size_t i = 0; i < n && status >= 0; i++)
        names[i] = *(char *const *)((const char *)first + i * apart);
    if (n > 0 && status >= 0)
        qsort(names, n, sizeof *names, compare_texts);
    for (size_t i = 1; i < n && status >= 0; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            status = cohort_error_set(COHORT_EINVAL, "the %s '%s' stands twice", what, names[i]);
    cohort_free(names);
    return status;
}

static cohort_status place(cohort_tensors_layout *layout)
{
    int64_t at = layout->header_bytes;
    for (size_t i = 0; i < layout->n; i++) {
        layout->tensors[i].at = at;
        if (__builtin_add_overflow(at, layout->tensors[i].bytes, &at))
            return cohort_error_set(COHORT_EINVAL, "'%s' has more bytes than a file can",
                                    layout->tensors[i].name);
    }
    return COHORT_OK;
}

/* A header as long as the format allows at most, and 8 bytes before it. */
static cohort_status measure(cohort_tensors_layout *layout)
{
    size_t bytes = 0;
    char *text = cohort_print_to_text(print_header, layout, &bytes);
    if (text == NULL)
        return cohort_error_memory("the header of a checkpoint");
    free(text);
    bytes = (bytes + 7) / 8 * 8;
    if (bytes > COHORT_LIMIT_TENSORS_BYTES)
        return cohort_error_set(COHORT_EINVAL,
                                "a header of %zu bytes; in a safetensors file it has at most %d",
                                bytes, (int)COHORT_LIMIT_TENSORS_BYTES);
    layout->header_bytes = COHORT_TENSORS_LENGTH_BYTES + (int64_t)bytes;
    return COHORT_OK;
}

/* The offsets count from the end of the header, so they do not depend on how long that is. */
cohort_status cohort_tensors_lay_out(cohort_tensors_layout *layout)
{
    if (layout->n > 0)
        qsort(layout->tensors, layout->n, sizeof *layout->tensors, compare_tensors);
    cohort_status status = COHORT_OK;
    if (layout->n > 0)
        status = check_twice(&layout->tensors->name, layout->n, sizeof *layout->tensors, "name");
    if (status >= 0)
        status = check_twice(layout->notes, layout->n_notes, 2 * sizeof *layout->notes, "key");
    if (status >= 0)
        status = place(layout);
    if (status >= 0)
        status = measure(layout);
    return status < 0 ? status : place(layout);
}

char *cohort_tensors_header(const cohort_tensors_layout *layout)
{
    static const char key[] = "\"" COHORT_TENSORS_SUM "\":\"";
    size_t bytes = 0, all = (size_t)layout->header_bytes;
    char sum[COHORT_TENSORS_SUM_DIGITS + 1];
    char *text = cohort_print_to_text(print_header, layout, &bytes);
    char *header = text != NULL ? cohort_allocate(all, 1) : NULL;
    if (header != NULL) {
        uint64_t length = all - COHORT_TENSORS_LENGTH_BYTES;
        memset(header, ' ', all);
        for (int i = 0; i < COHORT_TENSORS_LENGTH_BYTES; i++, length >>= 8)
            header[i] = (char)(length & 0xff);
        memcpy(header + COHORT_TENSORS_LENGTH_BYTES, text, bytes);
        (void)snprintf(sum, sizeof sum, "%08" PRIx32, cohort_crc32c(0, header, all));
        char *digits = strstr(text, key);
        cohort_assert(digits != NULL);
        memcpy(header + COHORT_TENSORS_LENGTH_BYTES + (digits - text) + strlen(key), sum,
               COHORT_TENSORS_SUM_DIGITS);
    }
    free(text);
    return header;
}
