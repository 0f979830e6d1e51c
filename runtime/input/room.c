/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for a step with the devices, which is bounded in bytes. */
#include "config.h"

#include "runtime/executor/executor.h"
#include "runtime/input/input.h"
#include "runtime/strategy/strategy.h"

/* What lies with the devices by default: so many bytes, or steps where these are more. */
enum { IN_FLIGHT_BYTES = 64 << 20, LEAST_STEPS = 3 };

/* Of the elements of the step that was found; 0: they lie where the dataset has them. *out_added:
 * what is not lent already, as a batch is whose other pieces were given, and one of a cache. */
static size_t bytes_of_found(const cohort_input *input, size_t *out_added)
{
    const cohort_source *source = input->found.source;
    const int32_t n = source != NULL ? 1 : input->strategy->n_replicas;
    size_t bytes = 0;
    *out_added = 0;
    for (int32_t r = 0; r < n; r++) {
        const cohort_block *block = source != NULL ? source->element.block : input->kept[r].block;
        bytes += block != NULL ? block->bytes : 0;
        *out_added += block != NULL && !cohort_block_is_lent(block) ? block->bytes : 0;
    }
    return bytes;
}

/* The step that was found is counted as given: after what is lent, since a block that comes back
 * meanwhile is better counted twice than not at all. */
static bool has_room(void *user)
{
    const cohort_input *input = user;
    size_t lent = 0, most = (size_t)input->in_flight_bytes, added;
    for (int32_t i = 0; i < input->n_sources; i++)
        lent += cohort_pool_lent(input->sources[i].pool);
    const size_t bytes = bytes_of_found(input, &added);
    if (most == 0)
        most = LEAST_STEPS * bytes > IN_FLIGHT_BYTES ? LEAST_STEPS * bytes : IN_FLIGHT_BYTES;
    return lent + added <= most;
}

/* A program that only posts would be as many steps ahead of its devices as they have room for
 * operations, each with a batch in memory. What values of the program keep is lent, too, and never
 * comes back here: then the devices have nothing left to do, and the step is given all the same. */
void cohort_input_await_room(cohort_input *input)
{
    if (input->found.status == COHORT_OK && !has_room(input))
        cohort_executor_wait_all_unless(input->strategy->executor, has_room, input);
}
