/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a TFRecord file: records with checksums, without, and passed over are at the same
 * places. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/tfrecord.h"

#include "tests/bytes_again.h"
#include "tests/fuzz/file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

enum { HEAD = 12, AROUND = 16 };

static uint32_t masked(const uint8_t *data, size_t size)
{
    uint32_t crc = cohort_crc32c(0, data, size);
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

/* A record that was accepted lies in the file as it must. */
static void check_record(const uint8_t *file, size_t size, int64_t at, const uint8_t *record,
                         size_t n, bool check_crc)
{
    uint8_t crc[4];
    uint32_t wanted = masked(record, n);
    for (int i = 0; i < 4; i++)
        crc[i] = (uint8_t)(wanted >> 8 * i);
    check(at >= 0 && n + AROUND <= size - (size_t)at);
    check(n == 0 || memcmp(file + at + HEAD, record, n) == 0);
    check(!check_crc || memcmp(file + at + HEAD + n, crc, sizeof crc) == 0);
}

/* How many records come; *end is where the next would be. */
static int64_t read_all(cohort_bytes *bytes, const uint8_t *file, size_t size, bool check_crc,
                        int64_t *end)
{
    int64_t count = 0, at = 0;
    const uint8_t *record;
    size_t n;
    bool can_go_on = true;
    while (can_go_on) {
        at = cohort_bytes_at(bytes);
        cohort_status status = cohort_tfrecord_next(bytes, check_crc, &record, &n, &can_go_on);
        check(status == COHORT_OK || status == COHORT_END || strlen(cohort_error_text()) > 0);
        check((status == COHORT_OK) == (record != NULL) && (status != COHORT_OK || can_go_on));
        if (status == COHORT_OK && !cohort_bytes_is_packed(bytes))
            check_record(file, size, at, record, n, check_crc);
        check(can_go_on ? cohort_bytes_at(bytes) >= at + AROUND : cohort_bytes_at(bytes) == at);
        count += can_go_on;
    }
    *end = at;
    return count;
}

static void use(cohort_bytes **bytes, const uint8_t *file, size_t size, bool check_crc)
{
    int64_t end, skipped = -1;
    check(bytes_again(bytes) >= 0);
    int64_t count = read_all(*bytes, file, size, check_crc, &end);
    check(bytes_again(bytes) >= 0);
    check(cohort_tfrecord_skip(*bytes, check_crc, count, &skipped) == COHORT_OK);
    check(skipped == count && cohort_bytes_at(*bytes) == end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    cohort_bytes *bytes = NULL;
    fuzz_write(data, size);
    cohort_status status = cohort_tfrecord_open(fuzz_path, &bytes);
    check(status >= 0 || bytes == NULL);
    if (status >= 0) {
        use(&bytes, data, size, true);
        use(&bytes, data, size, false);
    }
    cohort_bytes_close(bytes);
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifdef COHORT_FUZZER
static void put(uint8_t *p, uint64_t number, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (uint8_t)(number >> 8 * i);
}

static uint32_t roll(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Make records of the bytes: lengths that the file has, mostly, and checksums, mostly. */
static void mend(uint8_t *data, size_t size, uint32_t seed)
{
    for (size_t at = 0; size - at >= AROUND;) {
        size_t left = size - at - AROUND, n = data[at] % 64;
        n = roll(&seed) % 4 == 0 || n > left ? left : n;
        bool is_lie = roll(&seed) % 16 == 0;
        put(data + at, is_lie ? (uint64_t)roll(&seed) << roll(&seed) % 48 : n, 8);
        put(data + at + 8, masked(data + at, 8), 4);
        if (roll(&seed) % 16 != 0)
            put(data + at + HEAD + n, masked(data + at + HEAD, n), 4);
        at += n + AROUND;
    }
}

/* Half of the time. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 2 == 0)
        mend(data, size, seed);
    return size;
}
#else
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("tfrecord");
}
#endif
