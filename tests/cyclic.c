/* SPDX-License-Identifier: BSD-3-Clause */
/* Cyclic memory (runtime/base/cyclic.h): sizes that there are not; the same pages behind many
 * addresses; nothing left of it. */
#include "config.h"

#include "runtime/base/cyclic.h"
#include "tests/tap.h"

#include <stdint.h>
#include <sys/mman.h>

/* Whether the page is mapped at all. */
static bool is_mapped(void *page, size_t bytes)
{
    return msync(page, bytes, MS_ASYNC) == 0;
}

static void refuses(uint64_t turn)
{
    ok(cohort_cyclic_create(0, turn) == NULL, "none of 0 bytes");
    ok(cohort_cyclic_create(UINT64_MAX, turn) == NULL, "none of all bytes that there are");
    ok(cohort_cyclic_create(turn << 20, turn) == NULL, "none of a million turns");
    cohort_cyclic_destroy(NULL, 0, turn);
    ok(true, "no memory may be destroyed");
}

static bool is_cyclic(char *memory, uint64_t bytes, uint64_t turn)
{
    bool is_same = true;
    for (uint64_t i = 0; i < bytes; i++)
        is_same = is_same && memory[i] == 0;
    for (uint64_t i = 0; i < bytes; i += 61) {
        memory[i] = (char)(i % 127 + 1);
        is_same = is_same && memory[i % turn] == memory[i] &&
                  (i + turn >= bytes || memory[i + turn] == memory[i]);
    }
    return is_same;
}

static void repeats(uint64_t bytes, uint64_t turn)
{
    char *memory = cohort_cyclic_create(bytes, turn);
    if (memory == NULL) {
        skip("the same pages come again", "the system has no second mapping of shared pages");
        return;
    }
    ok(is_cyclic(memory, bytes, turn), "the same pages come again, of %llu bytes",
       (unsigned long long)bytes);
    cohort_cyclic_destroy(memory, bytes, turn);
    uint64_t last = (bytes - 1) / turn * turn;
    ok(!is_mapped(memory, turn) && !is_mapped(memory + last, turn), "and nothing is left");
}

int main(void)
{
    uint64_t page = cohort_cyclic_page();
    ok(page > 0 && (page & (page - 1)) == 0, "a page is a power of two");
    refuses(page);
    repeats(1, page);
    repeats(page, page);
    repeats(5 * page + 1, 2 * page);
    repeats(1024 * page, page);
    return tap_done();
}
