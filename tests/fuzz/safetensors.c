/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a safetensors file: what is taken lies in the file as it must, every name is found,
 * and all of it can be read. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/safetensors.h"

#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const cohort_safetensors *file, const uint8_t *data, size_t size)
{
    int64_t end = file->n > 0 ? file->tensors[0].at : (int64_t)size;
    for (size_t i = 0; i < file->n; i++) {
        const cohort_tensor *t = &file->tensors[i];
        check(t->at == end && t->bytes >= 0 && (uint64_t)t->bytes <= size - (size_t)t->at);
        check(cohort_safetensors_find(file, t->name) == t);
        uint8_t *room = malloc((size_t)t->bytes + 1);
        check(room != NULL);
        cohort_status status = fuzz_status(cohort_safetensors_read(file, t, room));
        check(status >= 0 || t->has_sum);
        check(memcmp(room, data + t->at, (size_t)t->bytes) == 0);
        check(cohort_safetensors_check(file, t) == status);
        free(room);
        end += t->bytes;
    }
    check(end == (int64_t)size);
    for (size_t i = 0; i < file->n_notes; i++)
        check(cohort_safetensors_text(file, file->notes[i].key) == file->notes[i].text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    cohort_safetensors file;
    fuzz_write(data, size);
    if (fuzz_status(cohort_safetensors_open(fuzz_path, &file)) >= 0) {
        use(&file, data, size);
        cohort_safetensors_close(&file);
    }
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("safetensors");
}
#endif
