/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as the manifest of a checkpoint. Its checksum is put right first, or nothing behind it
 * would ever be read. What is taken is a manifest that says the same when it is written anew. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/data/format/crc.h"

#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DIGITS = 8, MOST = 1 << 16 };
static const char before_sum[] = "{\"cohort.checkpoint\": \"1\",\n \"crc32c\": \"";

static void put_sum(char *text, size_t size)
{
    char digits[DIGITS + 1] = "        ";
    char *at = text + strlen(before_sum);
    if (size < strlen(before_sum) + DIGITS || memcmp(text, before_sum, strlen(before_sum)) != 0)
        return;
    memcpy(at, digits, DIGITS);
    (void)snprintf(digits, sizeof digits, "%08x", (unsigned)cohort_crc32c(0, text, size));
    memcpy(at, digits, DIGITS);
}

static cohort_status read_bytes(const char *text, size_t size, cohort_manifest *out)
{
    cohort_file file;
    fuzz_write((const uint8_t *)text, size);
    check(cohort_file_open(fuzz_path, &file) >= 0);
    cohort_status status = fuzz_status(cohort_manifest_read(&file, out));
    cohort_file_close(&file);
    return status;
}

static void check_shard(const cohort_manifest_shard *a, const cohort_manifest_shard *b)
{
    check(strcmp(a->file, b->file) == 0 && a->bytes == b->bytes && a->header_sum == b->header_sum &&
          a->replicas == b->replicas);
    check(a->file[0] != '\0' && strchr(a->file, '/') == NULL && a->replicas > 0);
}

/* A name with a quote or a backslash is none that Cohort writes, and is not escaped. */
static bool has_plain_names(const cohort_manifest *m)
{
    bool is_plain = true;
    for (int32_t i = 0; i < m->n; i++)
        for (const char *c = m->shards[i].file; *c != '\0'; c++)
            is_plain = is_plain && (unsigned char)*c >= ' ' && *c != '"' && *c != '\\';
    return is_plain;
}

static void check_again(const cohort_manifest *m)
{
    cohort_manifest again;
    char *text = cohort_manifest_to_text(m);
    check(text != NULL && read_bytes(text, strlen(text), &again) >= 0);
    check(again.n == m->n && again.save == m->save && again.step == m->step &&
          again.replicas == m->replicas);
    for (int32_t i = 0; i < m->n; i++)
        check_shard(&m->shards[i], &again.shards[i]);
    cohort_manifest_free(&again);
    cohort_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[MOST];
    int64_t blocks = cohort_memory_blocks();
    cohort_manifest m;
    if (size > MOST)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    put_sum(text, size);
    if (read_bytes(text, size, &m) >= 0) {
        check(m.n > 0);
        if (has_plain_names(&m))
            check_again(&m);
        cohort_manifest_free(&m);
    }
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("manifest");
}
#endif
