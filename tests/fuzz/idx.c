/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as an IDX file: a dataset reads its rows in order, in batches, and shuffled, which
 * reads them by their numbers. */
#include "config.h"

#include "runtime/data/format/idx.h"

#include <cohort/files.h>

#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ROWS = 1000, BATCH = 3, MOST_BYTES = 1 << 20 };

static void read_rows(cohort_dataset *dataset)
{
    cohort_array row;
    cohort_iterator *it = cohort_dataset_iterate(dataset);
    cohort_status status = it != NULL ? COHORT_OK : COHORT_EINVAL;
    for (int i = 0; i < MOST_ROWS && status == COHORT_OK; i++) {
        status = fuzz_status(cohort_iterator_next(it, &row));
        check(status != COHORT_OK || (row.rank >= 0 && row.rank <= COHORT_MAX_RANK));
    }
    cohort_iterator_destroy(it);
    cohort_dataset_destroy(dataset);
}

/* false: a batch takes more memory than a fuzzer has, also where the file has no row. */
static bool has_short_rows(void)
{
    cohort_idx_header header = { 0 };
    cohort_bytes *bytes = NULL;
    if (fuzz_status(cohort_bytes_open(fuzz_path, COHORT_PACKING_AUTO, &bytes)) == COHORT_OK)
        (void)fuzz_status(cohort_idx_open(bytes, &header));
    cohort_bytes_close(bytes);
    return header.row_bytes <= MOST_BYTES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    fuzz_write(data, size);
    if (!has_short_rows())
        return 0;
    read_rows(cohort_dataset_idx(COHORT_FILES(fuzz_path)));
    read_rows(cohort_dataset_batch(cohort_dataset_idx(COHORT_FILES(fuzz_path)), BATCH, false));
    read_rows(cohort_dataset_shuffle(cohort_dataset_idx(COHORT_FILES(fuzz_path)), BATCH, 7));
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("idx");
}
#endif
