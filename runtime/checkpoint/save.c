/* SPDX-License-Identifier: BSD-3-Clause */
/* A save plans the file first, so that what cannot be saved is told before anything is written.
 * Then each tensor is summed and written at its place, from where it lies if the host sees it
 * there, and the header, which has the sums, comes last. Nothing of the strategy changes. */
#include "config.h"

#include "runtime/base/byte_order.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/checkpoint/plan.h"
#include "runtime/checkpoint/save_across.h"
#include "runtime/checkpoint/source.h"
#include "runtime/checkpoint/state_copy.h"
#include "runtime/checkpoint/tensor.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/elements.h"
#include "runtime/data/format/replacement.h"
#include "runtime/rows/fetch.h"
#include "runtime/strategy/call.h"

#include <string.h>

static const char call[] = "cohort_checkpoint_save";

/* ------------------------------------------------------------------ contents */

/* A block is summed behind its write, which has brought it into the cache: the lanes of the sum
 * alone would wait for memory. */
static cohort_status write_piece(cohort_replacement *file, cohort_tensor_layout *t, int64_t at,
                                 const void *piece, int64_t bytes)
{
    enum { BLOCK = 1 << 18 };
    cohort_status status = COHORT_OK;
    for (int64_t done = 0; done < bytes && status >= 0;) {
        const char *block = (const char *)piece + done;
        size_t n = (size_t)(bytes - done < BLOCK ? bytes - done : BLOCK);
        status = cohort_replacement_write_at(file, at + done, block, n);
        t->sum = cohort_crc32c(t->sum, block, n);
        done += (int64_t)n;
    }
    return status;
}

/* Where it lies as a file has it; NULL with COHORT_OK: it is to be fetched. */
static const void *find_in_place(const cohort_source_of_tensor *source, int32_t component,
                                 cohort_status *out_status)
{
    cohort_dtype dtype = cohort_item_form_of(source->item).dtype;
    *out_status = COHORT_OK;
    if (source->item->variable == NULL ||
        (!cohort_byte_order_is_little() && cohort_dtype_kind(dtype) != 'V'))
        return NULL;
    return cohort_fetch_in_place(source->item->variable, component, out_status);
}

/* room: of a piece, made where it is needed. */
static cohort_status write_fetched(cohort_replacement *file, cohort_tensor_layout *t, int64_t at,
                                   const cohort_source_of_tensor *source, int32_t component,
                                   void **room, int64_t bytes)
{
    if (*room == NULL)
        *room = cohort_allocate_aligned((size_t)bytes + 1, 64);
    if (*room == NULL)
        return cohort_error_memory(t->name);
    cohort_status status = cohort_source_fetch(source, component, *room, bytes);
    return status < 0 ? status : write_piece(file, t, at, *room, bytes);
}

static cohort_status write_tensor(cohort_replacement *file, cohort_tensor_layout *t,
                                  const cohort_source_of_tensor *source)
{
    int32_t n = cohort_source_pieces(source);
    int64_t bytes = t->bytes / n;
    void *room = NULL;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < n && status >= 0; i++) {
        int32_t component = source->has_components ? i : -1;
        const void *content = find_in_place(source, component, &status);
        if (content != NULL)
            status = write_piece(file, t, t->at + i * bytes, content, bytes);
        else if (status >= 0)
            status = write_fetched(file, t, t->at + i * bytes, source, component, &room, bytes);
    }
    cohort_free(room);
    return status;
}

/* copies: of the tensors; NULL: they are fetched. */
static cohort_status write_all(cohort_replacement *file, cohort_checkpoint_plan *plan,
                               void *const copies[])
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < plan->layout.n && status >= 0; i++) {
        cohort_tensor_layout *t = &plan->layout.tensors[i];
        status = copies != NULL ? write_piece(file, t, t->at, copies[i], t->bytes)
                                : write_tensor(file, t, &plan->sources[t->index]);
    }
    return status < 0 ? status : cohort_checkpoint_write_header(file, &plan->layout);
}

/* ------------------------------------------------------------------ the folder */

/* path: of the new generation, into room of COHORT_LIMIT_PATH_BYTES. */
static cohort_status write_generation(const char *folder, const cohort_generations *before,
                                      cohort_checkpoint_plan *plan, void *const copies[],
                                      char *path)
{
    cohort_replacement file;
    cohort_status status =
        cohort_generations_next(folder, cohort_generations_newest(before), false, path);
    if (status >= 0 && before->n == 0)
        status = cohort_generations_sync_name(folder);
    if (status >= 0)
        status = cohort_replacement_open_durable(path, &file);
    return status < 0 ? status : cohort_replacement_close(&file, write_all(&file, plan, copies));
}

/* By who has the lock. */
static cohort_status write_next(const char *folder, cohort_checkpoint_plan *plan,
                                void *const copies[], char *path)
{
    cohort_generations before;
    cohort_generations_sweep(folder);
    cohort_status status = cohort_generations_list(folder, &before);
    if (status < 0)
        return status;
    status = write_generation(folder, &before, plan, copies, path);
    cohort_generations_free(&before);
    return status;
}

static cohort_status save_plan(const char *folder, cohort_checkpoint_plan *plan,
                               void *const copies[], int32_t keep, cohort_checkpoint_best best,
                               char *path)
{
    int lock;
    cohort_status status = cohort_generations_lock(folder, &lock);
    if (status < 0)
        return status;
    status = write_next(folder, plan, copies, path);
    if (status >= 0)
        cohort_generations_clean_up(folder, keep, best, path);
    cohort_generations_unlock(lock);
    return status;
}

static cohort_status save_state(const char *folder, const cohort_state *state, int64_t step)
{
    cohort_checkpoint_plan plan;
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_status status = cohort_checkpoint_plan_begin(&plan, state, step);
    if (status < 0)
        return status;
    status = save_plan(folder, &plan, NULL, state->options->keep, COHORT_CHECKPOINT_NO_BEST, path);
    cohort_checkpoint_plan_end(&plan);
    return status;
}

cohort_status cohort_checkpoint_check_step(int64_t step, const char *caller)
{
    return step >= 0 ? COHORT_OK
                     : cohort_error_number(step, "%s: step %lld; it is 0 or more", caller,
                                           (long long)step);
}

cohort_status cohort_checkpoint_check_folder(const char *folder, const char *caller)
{
    if (folder == NULL)
        return cohort_error_null(caller, "the folder");
    if (folder[0] == '\0' || cohort_checkpoint_is_file(folder))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: '%s' is no folder; checkpoints go into one, as files with "
                                "names of their own",
                                caller, folder);
    return COHORT_OK;
}

/* Of servers all is copied before it is known to be of one instant. */
static cohort_status save_served(const char *folder, const cohort_state *state, int64_t step)
{
    cohort_state_copy copy = { 0 };
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_status status = cohort_state_copy_take(&copy, state, step);
    if (status < 0)
        return status;
    status = cohort_state_copy_write(&copy, folder, state->options->keep, COHORT_CHECKPOINT_NO_BEST,
                                     path);
    cohort_state_copy_free(&copy);
    return status;
}

static cohort_status save(cohort_strategy *s, const char *folder, int64_t step,
                          const cohort_checkpoint_options *options)
{
    cohort_state state;
    cohort_status status = cohort_checkpoint_check_step(step, call);
    if (status >= 0)
        status = cohort_checkpoint_check_folder(folder, call);
    if (status < 0)
        return status;
    status = cohort_state_begin(&state, s, options);
    if (status >= 0) {
        if (s->workers != NULL)
            status = cohort_save_across(&state, call, folder, step);
        else
            status = s->servers != NULL ? save_served(folder, &state, step)
                                        : save_state(folder, &state, step);
        cohort_state_end(&state);
    }
    return status < 0 ? cohort_state_refuse(status, call) : status;
}

cohort_status cohort_state_copy_write(cohort_state_copy *copy, const char *folder, int32_t keep,
                                      cohort_checkpoint_best best, char *path)
{
    return save_plan(folder, &copy->plan, copy->copies, keep, best, path);
}

/* ------------------------------------------------------------------ the call */

cohort_status cohort_checkpoint_save(cohort_strategy *strategy, const char *folder, int64_t step,
                                     const cohort_checkpoint_options *options)
{
    cohort_status status = cohort_call_enter(strategy, call);
    return status < 0 ? status : cohort_call_leave(strategy, save(strategy, folder, step, options));
}
