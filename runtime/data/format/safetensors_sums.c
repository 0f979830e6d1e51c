/* SPDX-License-Identifier: BSD-3-Clause */
/* The checksums that a header says of itself and of its tensors. */
#include "config.h"

#include "runtime/data/format/safetensors_header.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/crc.h"

#include <string.h>

typedef struct header {
    cohort_safetensors *out;
    size_t length, sum_at;
} header;

/* 8 digits in lower case, as they are written. */
static bool parse_sum(const char *text, uint32_t *out)
{
    size_t n = strspn(text, "0123456789abcdef");
    *out = 0;
    for (size_t i = 0; i < n; i++)
        *out = *out << 4 | (uint32_t)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
    return n == COHORT_TENSORS_SUM_DIGITS && text[n] == '\0';
}

/* The header is read once more, because its strings were decoded where they stood. */
static cohort_status sum_header(const header *h, uint32_t *out)
{
    char piece[4096];
    int64_t bytes = COHORT_TENSORS_LENGTH_BYTES + (int64_t)h->length,
            digits = COHORT_TENSORS_LENGTH_BYTES + (int64_t)h->sum_at;
    cohort_status status = COHORT_OK;
    *out = 0;
    for (int64_t at = 0, n; at < bytes && status >= 0; at += n) {
        n = bytes - at < (int64_t)sizeof piece ? bytes - at : (int64_t)sizeof piece;
        status = cohort_file_read(&h->out->file, at, piece, (size_t)n);
        for (int64_t i = digits; i < digits + COHORT_TENSORS_SUM_DIGITS; i++)
            if (i >= at && i < at + n)
                piece[i - at] = ' ';
        *out = status < 0 ? 0 : cohort_crc32c(*out, piece, (size_t)n);
    }
    return status;
}

static cohort_status check_header(const header *h)
{
    uint32_t said = 0, found = 0;
    const char *text = cohort_safetensors_text(h->out, COHORT_TENSORS_SUM);
    if (text == NULL || !parse_sum(text, &said))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the header is damaged: it has keys '" COHORT_TENSORS_KEYS
                                "...', and no checksum '" COHORT_TENSORS_SUM "'",
                                h->out->file.path);
    cohort_status status = sum_header(h, &found);
    if (status >= 0 && found != said)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the header is damaged: its bytes have the checksum %08x, and "
                                "it says %08x",
                                h->out->file.path, (unsigned)found, (unsigned)said);
    return status;
}

/* The note of a tensor's sum is found by its name, which is put behind the key's beginning. */
static cohort_status take_sum(const header *h, cohort_tensor *t, char *key)
{
    memcpy(key + strlen(COHORT_TENSORS_SUM "."), t->name, strlen(t->name) + 1);
    const char *text = cohort_safetensors_text(h->out, key);
    t->has_sum = text != NULL && parse_sum(text, &t->sum);
    return t->has_sum ? COHORT_OK
                      : cohort_error_set(COHORT_EINVAL,
                                         "%s: tensor '%.256s': the header has no checksum of it",
                                         h->out->file.path, t->name);
}

static cohort_status take_sums(const header *h)
{
    size_t longest = 0;
    for (size_t i = 0; i < h->out->n; i++)
        if (strlen(h->out->tensors[i].name) > longest)
            longest = strlen(h->out->tensors[i].name);
    char *key = cohort_allocate(sizeof COHORT_TENSORS_SUM "." + longest, 1);
    if (key == NULL)
        return cohort_error_memory(h->out->file.path);
    memcpy(key, COHORT_TENSORS_SUM ".", strlen(COHORT_TENSORS_SUM "."));
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < h->out->n && status >= 0; i++)
        status = take_sum(h, &h->out->tensors[i], key);
    cohort_free(key);
    return status;
}

/* Any key of ours will do: one damaged bit hides one of them at most. */
static bool is_ours(const cohort_safetensors *t)
{
    for (size_t i = 0; i < t->n_notes; i++)
        if (strncmp(t->notes[i].key, COHORT_TENSORS_KEYS, strlen(COHORT_TENSORS_KEYS)) == 0)
            return true;
    return false;
}

cohort_status cohort_safetensors_check_sums(cohort_safetensors *tensors, size_t length,
                                            size_t sum_at)
{
    const header h = { .out = tensors, .length = length, .sum_at = sum_at };
    tensors->has_sums = is_ours(tensors);
    if (!tensors->has_sums)
        return COHORT_OK;
    cohort_status status = check_header(&h);
    return status < 0 ? status : take_sums(&h);
}
