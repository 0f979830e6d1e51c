/* SPDX-License-Identifier: BSD-3-Clause */
/* The checksum is looked at first: what is read behind it is what was written, or made to look like
 * it, and is checked all the same. */
#include "config.h"

#include "runtime/checkpoint/manifest.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/json_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "1"
#define BEFORE_SUM "{\"cohort.checkpoint\": \"" FORMAT "\",\n \"crc32c\": \""

enum { SUM_DIGITS = 8, SAVE_DIGITS = 16, HEAD_BYTES = 256, SHARD_BYTES = 256 };

/* ------------------------------------------------------------------ writing */

static uint32_t sum_of(const char *text, size_t length)
{
    static const char spaces[SUM_DIGITS + 1] = "        ";
    const size_t at = strlen(BEFORE_SUM);
    uint32_t sum = cohort_crc32c(0, text, at);
    sum = cohort_crc32c(sum, spaces, SUM_DIGITS);
    return cohort_crc32c(sum, text + at + SUM_DIGITS, length - at - SUM_DIGITS);
}

static void add_shard(cohort_text *text, const cohort_manifest_shard *shard, bool is_first)
{
    cohort_text_add(text,
                    "%s\n  {\"file\": \"%s\",\n   \"bytes\": %" PRId64
                    ", \"header_crc32c\": \"%08" PRIx32 "\", \"replicas\": %" PRId64 "}",
                    is_first ? "" : ",", shard->file, shard->bytes, shard->header_sum,
                    shard->replicas);
}

static void put_sum(char *text)
{
    char sum[SUM_DIGITS + 1];
    (void)snprintf(sum, sizeof sum, "%08" PRIx32, sum_of(text, strlen(text)));
    memcpy(text + strlen(BEFORE_SUM), sum, SUM_DIGITS);
}

char *cohort_manifest_to_text(const cohort_manifest *m)
{
    size_t room = HEAD_BYTES + (size_t)m->n * SHARD_BYTES;
    char *out = cohort_allocate(room, 1);
    if (out == NULL)
        return (void)cohort_error_memory("a manifest"), NULL;
    cohort_text text = cohort_text_begin(out, room);
    cohort_text_add(&text,
                    BEFORE_SUM "        \",\n \"save\": \"%016" PRIx64 "\",\n \"step\": %" PRId64
                               ",\n \"replicas\": %" PRId64 ",\n \"shards\": [",
                    m->save, m->step, m->replicas);
    for (int32_t i = 0; i < m->n; i++)
        add_shard(&text, &m->shards[i], i == 0);
    cohort_text_add(&text, "\n ]}\n");
    if (text.length <= COHORT_LIMIT_JSON_BYTES) {
        put_sum(out);
        return out;
    }
    cohort_free(out);
    (void)cohort_error_set(COHORT_EINVAL, "the manifest of %d workers has %zu bytes; at most %d",
                           (int)m->n, text.length, (int)COHORT_LIMIT_JSON_BYTES);
    return NULL;
}

/* ------------------------------------------------------------------ reading */

static uint64_t read_hex(cohort_json *json, size_t n_digits)
{
    const char *text = cohort_json_string(json, NULL);
    if (text == NULL)
        return 0;
    if (strlen(text) != n_digits || strspn(text, "0123456789abcdef") != n_digits)
        cohort_json_refuse(json, "hexadecimal digits are expected");
    return strtoull(text, NULL, 16);
}

/* Members come in the order in which they are written. */
static void expect_member(cohort_json *json, const char *name, bool is_first)
{
    if (!is_first)
        cohort_json_expect(json, ',');
    const char *key = cohort_json_key(json);
    if (key != NULL && strcmp(key, name) != 0)
        cohort_json_refuse(json, "another member is expected");
}

static void read_file(cohort_json *json, char out[COHORT_SHARD_NAME_BYTES])
{
    const char *name = cohort_json_string(json, NULL);
    if (name == NULL)
        return;
    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL ||
        strlen(name) >= COHORT_SHARD_NAME_BYTES) {
        cohort_json_refuse(json, "a file of the same folder is expected");
        return;
    }
    memcpy(out, name, strlen(name) + 1);
}

static void read_shard(cohort_json *json, cohort_manifest_shard *out)
{
    cohort_json_expect(json, '{');
    expect_member(json, "file", true);
    read_file(json, out->file);
    expect_member(json, "bytes", false);
    out->bytes = cohort_json_integer(json);
    expect_member(json, "header_crc32c", false);
    out->header_sum = (uint32_t)read_hex(json, SUM_DIGITS);
    expect_member(json, "replicas", false);
    out->replicas = cohort_json_integer(json);
    cohort_json_expect(json, '}');
}

static cohort_status read_shards(cohort_json *json, cohort_manifest *out)
{
    size_t room = 0;
    cohort_json_expect(json, '[');
    for (bool more = json->why == NULL; more; more = cohort_json_more(json, ']')) {
        if (!cohort_grow((void **)&out->shards, &room, (size_t)out->n + 1, sizeof *out->shards))
            return cohort_error_memory("a manifest");
        out->shards[out->n] = (cohort_manifest_shard){ 0 };
        read_shard(json, &out->shards[out->n++]);
    }
    return COHORT_OK;
}

/* The replicas of the workers are those of all, none of which has none. */
static void check_replicas(cohort_json *json, const cohort_manifest *m)
{
    int64_t left = m->replicas;
    for (int32_t i = 0; i < m->n && left >= 0; i++)
        left = m->shards[i].replicas > 0 && m->shards[i].replicas <= left
                   ? left - m->shards[i].replicas
                   : -1;
    if (left != 0)
        cohort_json_refuse(json, "as many replicas as all shards have are expected");
}

static cohort_status read_members(cohort_json *json, cohort_manifest *out)
{
    expect_member(json, "save", false);
    out->save = read_hex(json, SAVE_DIGITS);
    expect_member(json, "step", false);
    out->step = cohort_json_integer(json);
    expect_member(json, "replicas", false);
    out->replicas = cohort_json_integer(json);
    expect_member(json, "shards", false);
    cohort_status status = read_shards(json, out);
    if (status < 0)
        return status;
    check_replicas(json, out);
    cohort_json_expect(json, '}');
    cohort_json_finish(json);
    return COHORT_OK;
}

static cohort_status parse(const char *path, char *text, size_t bytes, cohort_manifest *out)
{
    cohort_json json = cohort_json_begin(text, bytes);
    uint32_t sum = sum_of(text, bytes);
    cohort_json_expect(&json, '{');
    expect_member(&json, "cohort.checkpoint", true);
    (void)cohort_json_string(&json, NULL);
    expect_member(&json, "crc32c", false);
    if (read_hex(&json, SUM_DIGITS) != sum)
        cohort_json_refuse(&json, "the checksum is another one: the manifest is damaged");
    cohort_status status = read_members(&json, out);
    if (status >= 0 && json.why != NULL)
        status = cohort_error_set(COHORT_EINVAL, "%s: byte %zu: %s", path, json.why_at, json.why);
    return status;
}

/* Whatever its number, a manifest of another format begins so. */
static cohort_status check_beginning(const char *path, const char *text, size_t bytes)
{
    static const char beginning[] = "{\"cohort.checkpoint\": \"";
    const size_t length = strlen(beginning);
    if (bytes >= strlen(BEFORE_SUM) + SUM_DIGITS &&
        strncmp(text, BEFORE_SUM, strlen(BEFORE_SUM)) == 0)
        return COHORT_OK;
    size_t n = bytes > length && strncmp(text, beginning, length) == 0
                   ? strspn(text + length, "0123456789")
                   : 0;
    if (n > 0 && n < SUM_DIGITS && text[length + n] == '"' && text[length] > '1')
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "%s: has format %.*s of Cohort's checkpoints, and this version "
                                "knows " FORMAT ": it is newer",
                                path, (int)n, text + length);
    return cohort_error_set(COHORT_EINVAL, "%s: byte 0: no manifest of a checkpoint", path);
}

cohort_status cohort_manifest_read(const cohort_file *file, cohort_manifest *out)
{
    *out = (cohort_manifest){ 0 };
    if (file->bytes > COHORT_LIMIT_JSON_BYTES)
        return cohort_error_set(COHORT_EINVAL, "%s: %lld bytes; a manifest has at most %d",
                                file->path, (long long)file->bytes, (int)COHORT_LIMIT_JSON_BYTES);
    const size_t bytes = (size_t)file->bytes;
    char *text = cohort_allocate(bytes + 1, 1);
    cohort_status status =
        text != NULL ? cohort_file_read(file, 0, text, bytes) : cohort_error_memory(file->path);
    if (status >= 0)
        status = check_beginning(file->path, text, bytes);
    if (status >= 0)
        status = parse(file->path, text, bytes, out);
    cohort_free(text);
    if (status < 0)
        cohort_manifest_free(out);
    return status;
}

void cohort_manifest_free(cohort_manifest *manifest)
{
    cohort_free(manifest->shards);
    *manifest = (cohort_manifest){ 0 };
}
