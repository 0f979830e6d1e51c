/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a file, plain or packed: looks, reads and skips see the same content, and fail at
 * the same place. The last byte chooses how long they are. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/data/format/bytes.h"

#include "tests/bytes_again.h"
#include "tests/fuzz/file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 22 };

static uint8_t whole[MOST_BYTES], again[MOST_BYTES];

/* By looks of 1 byte and more: all there is before the end or the failure, up to MOST_BYTES. */
static size_t look(cohort_bytes *bytes, cohort_status *status)
{
    size_t done = 0, there = 0;
    const uint8_t *at;
    while ((*status = cohort_bytes_need(bytes, 1, &at, &there)) >= 0 && there > 0 &&
           done < MOST_BYTES) {
        size_t now = there < MOST_BYTES - done ? there : MOST_BYTES - done;
        memcpy(whole + done, at, now);
        cohort_bytes_take(bytes, now);
        done += now;
    }
    check(cohort_bytes_at(bytes) == (int64_t)done);
    check(*status >= 0 || strlen(cohort_error_text()) > 0);
    return done;
}

/* Steps of many lengths against what the looks saw. */
static void compare(cohort_bytes *bytes, size_t count, uint32_t seed)
{
    const uint8_t *at;
    size_t there;
    for (size_t done = 0; done < count;) {
        seed = seed * 1664525u + 1013904223u;
        size_t n = (seed >> 4) % (seed & 8 ? 400000 : 100) + 1;
        n = n < count - done ? n : count - done;
        if (seed >> 30 == 0) {
            check(cohort_bytes_need(bytes, n, &at, &there) >= 0 && there >= n);
            check(memcmp(at, whole + done, n) == 0);
            cohort_bytes_take(bytes, n);
        } else if (seed >> 30 == 1) {
            check(cohort_bytes_skip(bytes, (int64_t)n) >= 0);
        } else {
            check(cohort_bytes_read(bytes, again, n) >= 0 && memcmp(again, whole + done, n) == 0);
        }
        done += n;
    }
}

static void use(cohort_packing packing, uint32_t seed, size_t size)
{
    cohort_bytes *bytes = NULL;
    cohort_status first, second;
    const uint8_t *at;
    size_t there;
    first = cohort_bytes_open(fuzz_path, packing, &bytes);
    check(first >= 0 || (first == COHORT_ENOTSUP && packing != COHORT_PACKING_NONE));
    if (first < 0)
        return;
    size_t count = look(bytes, &first);
    check(cohort_bytes_is_packed(bytes) || (first == COHORT_OK && count == size));
    check(bytes_again(&bytes) >= 0);
    compare(bytes, count, seed);
    second = cohort_bytes_need(bytes, 1, &at, &there);
    check(count == MOST_BYTES || (second == first && there == 0));
    cohort_bytes_close(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    uint32_t seed = size > 0 ? data[size - 1] : 0;
    fuzz_write(data, size);
    use(COHORT_PACKING_AUTO, seed, size);
    use(COHORT_PACKING_NONE, seed + 1, size);
    use(COHORT_PACKING_GZIP, seed + 2, size);
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("bytes");
}
#endif
