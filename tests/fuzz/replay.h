/* SPDX-License-Identifier: BSD-3-Clause */
/* A fuzz target without its fuzzer: replay the corpus. */
#ifndef COHORT_TESTS_FUZZ_REPLAY_H
#define COHORT_TESTS_FUZZ_REPLAY_H

#include "tests/tap.h"

#include <dirent.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline bool replay_file(const char *folder, const char *name)
{
    static uint8_t data[1 << 16];
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t size = fread(data, 1, sizeof data, file);
    (void)fclose(file);
    return LLVMFuzzerTestOneInput(data, size) == 0;
}

/* All of main: each file of tests/fuzz/corpus/NAME is a claim. */
static inline int replay_corpus(const char *corpus_name)
{
    char folder[2048];
    const char *top = getenv("srcdir");
    (void)snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", top != NULL ? top : ".",
                   corpus_name);
    DIR *corpus = opendir(folder);
    if (corpus == NULL)
        return skip_all("the corpus is not there");
    for (const struct dirent *entry = readdir(corpus); entry != NULL; entry = readdir(corpus))
        if (entry->d_name[0] != '.')
            ok(replay_file(folder, entry->d_name), "%s does no harm", entry->d_name);
    (void)closedir(corpus);
    return tap_done();
}

#endif
