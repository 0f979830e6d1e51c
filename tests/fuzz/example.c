/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a tf.Example: what is listed can be decoded, into memory of just its size. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/data/format/example.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_good)
{
    if (!is_good)
        abort();
}

typedef struct subject {
    const uint8_t *data;
    size_t size;
} subject;

/* The first call learns what it takes, the second has just that. */
static cohort_status decode(const subject *s, const cohort_feature *feature, cohort_array *out)
{
    size_t room = 0, needed = 0;
    *out = (cohort_array){ .data = NULL };
    cohort_status status =
        cohort_example_decode(s->data, s->size, feature, 1, out, &room, &needed, "fuzz");
    check(status >= 0 || strlen(cohort_error_text()) > 0);
    if (status >= 0 || needed == 0)
        return status;
    room = needed;
    out->data = malloc(room);
    check(out->data != NULL);
    status = cohort_example_decode(s->data, s->size, feature, 1, out, &room, &needed, "fuzz");
    check(needed == room);
    return status;
}

static bool is_read_as(char kind, cohort_dtype dtype)
{
    return kind == 'f'   ? dtype == COHORT_F32 || dtype == COHORT_F64
           : kind == 'i' ? dtype == COHORT_I64
                         : false;
}

static void use(const subject *s, const char *name, char kind, int64_t count)
{
    static const cohort_dtype dtypes[] = { COHORT_BOOL, COHORT_I8,  COHORT_U8,  COHORT_I16,
                                           COHORT_U16,  COHORT_I32, COHORT_U32, COHORT_I64,
                                           COHORT_U64,  COHORT_F32, COHORT_F64, COHORT_F16 };
    cohort_feature feature = { .name = name, .rank = 2, .shape = { -1, 1 } };
    cohort_array out;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        feature.dtype = dtypes[i];
        cohort_status status = decode(s, &feature, &out);
        if (status >= 0 && is_read_as(kind, dtypes[i]))
            check(out.shape[0] == count && out.shape[1] == 1 && out.rank == 2);
        free(out.data);
    }
    feature = (cohort_feature){
        .name = name, .dtype = COHORT_I16, .rank = 1, .shape = { 3 }, .has_absent = true
    };
    (void)decode(s, &feature, &out);
    free(out.data);
}

/* The names of the record, of which a later one wins; the last kind of each is what is decoded. */
static cohort_status use_entry(const char *name, size_t name_bytes, char kind, int64_t count,
                               int64_t size, void *user)
{
    char copy[64];
    check(strchr("bfi-", kind) != NULL && count >= 0 && size >= 0);
    check((size_t)count <= ((subject *)user)->size && (size_t)size <= ((subject *)user)->size);
    if (name_bytes >= sizeof copy)
        return COHORT_OK;
    memcpy(copy, name, name_bytes);
    copy[name_bytes] = '\0';
    use(user, copy, '-', 0);
    return COHORT_OK;
}

typedef struct last {
    char kind;
    int64_t count;
} last;

static cohort_status keep_a(const char *name, size_t name_bytes, char kind, int64_t count,
                            int64_t size, void *user)
{
    (void)size;
    if (name_bytes == 1 && name[0] == 'a')
        *(last *)user = (last){ kind, count };
    return COHORT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    last a = { '-', 0 };
    uint8_t *copy = malloc(size > 0 ? size : 1); /* of just this size, for the sanitizer */
    check(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    subject s = { copy, size };
    cohort_status status = cohort_example_list(copy, size, keep_a, &a, "fuzz");
    check(status >= 0 || strlen(cohort_error_text()) > 0);
    if (status != COHORT_ENOTSUP) /* the context of a tf.SequenceExample is read, and not listed */
        use(&s, "a", status >= 0 ? a.kind : '-', a.count);
    if (size < 2000)
        (void)cohort_example_list(copy, size, use_entry, &s, "fuzz");
    free(copy);
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("example");
}
#endif
