/* SPDX-License-Identifier: BSD-3-Clause */
/* A name is one of ours if it is what is printed of what was read from it: so there is one name for
 * each thing, and files of a program that only look alike are left alone. */
#include "config.h"

#include "runtime/checkpoint/generation_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 18 }; /* which always fit */

static const char digits[] = "0123456789", hexadecimal[] = "0123456789abcdef";

void cohort_generation_print(int64_t number, bool is_sharded,
                             char out[COHORT_GENERATION_NAME_BYTES])
{
    (void)snprintf(out, COHORT_GENERATION_NAME_BYTES, COHORT_GENERATION_BEGINNING "%06" PRId64 "%s",
                   number, is_sharded ? COHORT_MANIFEST_ENDING : COHORT_CHECKPOINT_ENDING);
}

/* The number behind the beginning, and what follows it; 0: there is none. */
static int64_t read_number(const char *name, const char **out_behind)
{
    if (strncmp(name, COHORT_GENERATION_BEGINNING, strlen(COHORT_GENERATION_BEGINNING)) != 0)
        return 0;
    const char *at = name + strlen(COHORT_GENERATION_BEGINNING);
    size_t n = strspn(at, digits);
    *out_behind = at + n;
    return n > 0 && n <= MOST_DIGITS ? strtoll(at, NULL, 10) : 0;
}

int64_t cohort_generation_number(const char *name, bool *out_is_sharded)
{
    char again[COHORT_GENERATION_NAME_BYTES];
    const char *behind = "";
    int64_t number = read_number(name, &behind);
    bool is_sharded = strcmp(behind, COHORT_MANIFEST_ENDING) == 0;
    cohort_generation_print(number, is_sharded, again);
    if (out_is_sharded != NULL)
        *out_is_sharded = is_sharded;
    return strcmp(name, again) == 0 ? number : 0;
}

/* ------------------------------------------------------------------ shards */

void cohort_shard_name_print(const cohort_shard_name *shard, char out[COHORT_SHARD_NAME_BYTES])
{
    (void)snprintf(out, COHORT_SHARD_NAME_BYTES,
                   COHORT_GENERATION_BEGINNING "%06" PRId64 ".%016" PRIx64 "-%" PRId32
                                               "-of-%" PRId32 COHORT_CHECKPOINT_ENDING,
                   shard->number, shard->save, shard->worker, shard->workers);
}

/* A number of a worker, passed; -1: there is none. */
static int32_t read_worker(const char **at)
{
    enum { MOST = 9 };
    size_t n = strspn(*at, digits);
    long number = n > 0 && n <= MOST ? strtol(*at, NULL, 10) : -1;
    *at += n;
    return (int32_t)number;
}

bool cohort_shard_name_read(const char *name, cohort_shard_name *out)
{
    enum { SAVE_DIGITS = 16 };
    static const char of[] = "-of-";
    char again[COHORT_SHARD_NAME_BYTES];
    const char *at = "";
    *out = (cohort_shard_name){ .number = read_number(name, &at) };
    if (*at++ != '.' || strspn(at, hexadecimal) != SAVE_DIGITS || at[SAVE_DIGITS] != '-')
        return false;
    out->save = strtoull(at, NULL, 16);
    at += SAVE_DIGITS + 1;
    out->worker = read_worker(&at);
    if (strncmp(at, of, strlen(of)) != 0)
        return false;
    at += strlen(of);
    out->workers = read_worker(&at);
    cohort_shard_name_print(out, again);
    return out->number > 0 && out->worker >= 0 && out->worker < out->workers &&
           strcmp(name, again) == 0;
}

/* ------------------------------------------------------------------ paths */

bool cohort_manifest_is_name(const char *path)
{
    size_t length = strlen(path), ending = strlen(COHORT_MANIFEST_ENDING);
    return length >= ending && strcmp(path + length - ending, COHORT_MANIFEST_ENDING) == 0;
}

const char *cohort_generation_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
