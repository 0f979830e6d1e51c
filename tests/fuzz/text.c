/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a text file: as many lines are passed over as are read, and they are no longer than
 * the file. */
#include "config.h"

#include "runtime/data/format/lines.h"

#include "tests/bytes_again.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int64_t read_lines(cohort_bytes *bytes, size_t *out_bytes)
{
    const char *line;
    size_t n;
    int64_t lines = 0;
    *out_bytes = 0;
    while (fuzz_status(cohort_lines_next(bytes, &line, &n)) == COHORT_OK) {
        check(memchr(line, '\n', n) == NULL);
        *out_bytes += n;
        lines++;
    }
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks(), skipped = 0;
    size_t total;
    cohort_bytes *bytes = NULL;
    fuzz_write(data, size);
    if (fuzz_status(cohort_bytes_open(fuzz_path, COHORT_PACKING_AUTO, &bytes)) == COHORT_OK) {
        int64_t lines = read_lines(bytes, &total);
        check(cohort_bytes_is_packed(bytes) || total <= size);
        check(bytes_again(&bytes) == COHORT_OK);
        if (fuzz_status(cohort_lines_skip(bytes, INT64_MAX, &skipped)) == COHORT_OK)
            check(skipped == lines);
    }
    cohort_bytes_close(bytes);
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("text");
}
#endif
