/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a .npy or .npz file: read them, and what was read can be written and is the same
 * when read again. */
#include "config.h"

#include <cohort/npy.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "fuzz-npy-XXXXXX", path[64], again[64];

static void check(bool is_good)
{
    if (!is_good)
        abort();
}

static void remove_folder(void)
{
    (void)unlink(path);
    (void)unlink(again);
    (void)rmdir(folder);
}

static void make_folder(void)
{
    if (path[0] != '\0')
        return;
    check(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/a", folder);
    (void)snprintf(again, sizeof again, "%s/b", folder);
    (void)atexit(remove_folder);
}

static void write_file(const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    check(file != NULL);
    check(size == 0 || fwrite(data, 1, size, file) == size);
    check(fclose(file) == 0);
}

static size_t array_bytes(const cohort_array *array)
{
    int64_t bytes = cohort_dtype_bytes(array->dtype);
    for (int32_t i = 0; i < array->rank; i++)
        bytes *= array->shape[i];
    return (size_t)bytes;
}

static void compare(const cohort_array *a, const cohort_array *b)
{
    check(a->dtype == b->dtype && a->rank == b->rank);
    check(memcmp(a->shape, b->shape, sizeof a->shape) == 0);
    check(array_bytes(a) == 0 || memcmp(a->data, b->data, array_bytes(a)) == 0);
}

static void use(const char *member)
{
    cohort_npy *npy = cohort_npy_open(path, member), *copy = NULL;
    if (npy == NULL) {
        check(strlen(cohort_error_text()) > 0);
        return;
    }
    cohort_array array = cohort_npy_array(npy);
    check(cohort_npy_save(again, array) == COHORT_OK);
    copy = cohort_npy_open(again, NULL);
    cohort_array saved = cohort_npy_array(copy);
    compare(&array, &saved);
    for (int i = 0; cohort_npy_member(npy, i) != NULL; i++)
        check(strlen(cohort_npy_member(npy, i)) > 0);
    cohort_npy_close(copy);
    cohort_npy_close(npy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    make_folder();
    write_file(data, size);
    use(NULL);
    use("a");
    use("b.npy");
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("npy");
}
#endif
