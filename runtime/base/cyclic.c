/* SPDX-License-Identifier: BSD-3-Clause */
/* mremap(2) of 0 bytes of a shared mapping makes another one of the same pages, without a file that
 * would have a name, a descriptor or a limit. */
#include "config.h"

#include "runtime/base/cyclic.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* Each is an area of its own for the system, of which a process has some 65,000. */
enum { MOST_TURNS = 1024 };

uint64_t cohort_cyclic_page(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t count_turns(uint64_t bytes, uint64_t turn)
{
    return bytes / turn + (bytes % turn > 0);
}

static char *reserve(uint64_t bytes)
{
    if (bytes > SIZE_MAX)
        return NULL;
    void *memory = mmap(NULL, (size_t)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

/* Over what is reserved there, so nothing of anybody else's goes. */
static bool fill(char *memory, uint64_t turns, size_t turn)
{
    bool is_done = mmap(memory, turn, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == memory;
    for (uint64_t i = 1; i < turns && is_done; i++) {
        char *at = memory + i * turn;
        is_done = mremap(memory, 0, turn, MREMAP_MAYMOVE | MREMAP_FIXED, at) == at;
    }
    return is_done;
}

void *cohort_cyclic_create(uint64_t bytes, uint64_t turn)
{
    uint64_t turns = count_turns(bytes, turn);
    char *memory = turns > 0 && turns <= MOST_TURNS ? reserve(turns * turn) : NULL;
    if (memory != NULL && !fill(memory, turns, (size_t)turn)) {
        cohort_cyclic_destroy(memory, bytes, turn);
        memory = NULL;
    }
    return memory;
}

void cohort_cyclic_destroy(void *memory, uint64_t bytes, uint64_t turn)
{
    if (memory != NULL)
        (void)munmap(memory, (size_t)(count_turns(bytes, turn) * turn));
}
