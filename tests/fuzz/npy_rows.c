/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a .npy or .npz file: rows in order, then backwards, are the same; in order they are
 * what all at once are. */
#include "config.h"

#include "runtime/data/format/npy_rows.h"

#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 16, MOST_ROWS = 300 };

static int64_t row_bytes(const cohort_spec *spec)
{
    int64_t bytes = cohort_dtype_bytes(spec->dtype);
    for (int32_t i = 1; i < spec->rank; i++)
        bytes *= spec->shape[i];
    return bytes;
}

static void compare(cohort_npy_rows *rows, int64_t n, int64_t width)
{
    static char ahead[ROOM], back[ROOM];
    cohort_status status = fuzz_status(cohort_npy_rows_read(rows, 0, n, ahead));
    for (int64_t i = n - 1; i >= 0 && status >= 0; i--)
        status = fuzz_status(cohort_npy_rows_read(rows, i, 1, back + i * width));
    check(status < 0 || memcmp(ahead, back, (size_t)(n * width)) == 0);
    for (int64_t i = 0; i < n && status >= 0; i++)
        status = fuzz_status(cohort_npy_rows_read(rows, i, 1, back + i * width));
    check(status < 0 || memcmp(ahead, back, (size_t)(n * width)) == 0);
}

static void use(const char *member)
{
    cohort_npy_rows *rows = NULL;
    if (fuzz_status(cohort_npy_rows_open(fuzz_path, member, &rows)) == COHORT_OK) {
        cohort_spec spec = cohort_npy_rows_spec(rows);
        int64_t width = row_bytes(&spec), n = spec.shape[0] < MOST_ROWS ? spec.shape[0] : MOST_ROWS;
        check(spec.rank >= 1);
        if (width == 0 || n <= ROOM / width)
            compare(rows, n, width);
    }
    cohort_npy_rows_close(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    fuzz_write(data, size);
    use(NULL);
    use("a");
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("npy_rows");
}
#endif
