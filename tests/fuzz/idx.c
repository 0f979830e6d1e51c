/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as an IDX file: its rows are read one by one, as many as fit. */
#include "config.h"

#include "runtime/data/format/idx.h"

#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_rows(cohort_bytes *bytes, const cohort_idx_header *header)
{
    static char row[1 << 16];
    int64_t n = header->spec.shape[0];
    check(header->spec.rank >= 1 && header->row_bytes >= 0);
    cohort_status status = COHORT_OK;
    for (int64_t i = 0;
         i < n && i < 100000 && header->row_bytes <= (int64_t)sizeof row && status >= 0; i++)
        status = fuzz_status(cohort_idx_rows(bytes, header, 1, row));
    if (status >= 0)
        (void)fuzz_status(cohort_idx_finish(bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    cohort_idx_header header;
    cohort_bytes *bytes = NULL;
    fuzz_write(data, size);
    if (fuzz_status(cohort_bytes_open(fuzz_path, COHORT_PACKING_AUTO, &bytes)) == COHORT_OK &&
        fuzz_status(cohort_idx_open(bytes, &header)) == COHORT_OK)
        read_rows(bytes, &header);
    cohort_bytes_close(bytes);
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
