/* SPDX-License-Identifier: BSD-3-Clause */
/* A save plans the file first, so that what cannot be saved is told before anything is written.
 * Then each tensor is fetched, summed and written at its place, and the header, which has the sums,
 * comes last. Nothing of the strategy changes. */
#include "config.h"

#include "runtime/base/array.h"
#include "runtime/base/byte_order.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/checkpoint/plan.h"
#include "runtime/checkpoint/state_copy.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/elements.h"
#include "runtime/data/format/replacement.h"
#include "runtime/rows/fetch.h"
#include "runtime/strategy/call.h"

#include <string.h>

static const char call[] = "cohort_checkpoint_save";

/* ------------------------------------------------------------------ contents */

/* Into memory of as many bytes as one component has, or all of it. component: -1: what is read. */
static cohort_status fetch(const cohort_source_of_tensor *source, int32_t component, void *room)
{
    const cohort_item *item = source->item;
    const cohort_item_form form = cohort_item_form_of(item);
    cohort_array whole = {
        .data = room, .dtype = form.dtype, .rank = form.rank, .item_bytes = form.item_bytes
    };
    memcpy(whole.shape, form.shape, (size_t)form.rank * sizeof *form.shape);
    if (item->variable == NULL) {
        cohort_array_pack(room, &item->part->array);
        return COHORT_OK;
    }
    return component < 0 ? cohort_fetch_whole(item->variable, &whole)
                         : cohort_fetch_component(item->variable, component, &whole);
}

/* As it lies in a file. */
static cohort_status fetch_arranged(const cohort_source_of_tensor *source, int32_t component,
                                    void *room, int64_t bytes)
{
    cohort_dtype dtype = cohort_item_form_of(source->item).dtype;
    cohort_status status = fetch(source, component, room);
    if (status >= 0 && !cohort_byte_order_is_little() && cohort_dtype_kind(dtype) != 'V')
        cohort_elements_arrange(room, bytes, dtype, true);
    return status;
}

static int32_t count_pieces(const cohort_source_of_tensor *source)
{
    return source->has_components ? source->item->variable->n_stores : 1;
}

static cohort_status write_piece(cohort_replacement *file, cohort_tensor_layout *t, int64_t at,
                                 const void *piece, int64_t bytes)
{
    t->sum = cohort_crc32c(t->sum, piece, (size_t)bytes);
    return cohort_replacement_write_at(file, at, piece, (size_t)bytes);
}

static cohort_status write_tensor(cohort_replacement *file, cohort_tensor_layout *t,
                                  const cohort_source_of_tensor *source)
{
    int32_t n = count_pieces(source);
    int64_t bytes = t->bytes / n;
    void *room = cohort_allocate_aligned((size_t)bytes + 1, 64);
    cohort_status status = room != NULL ? COHORT_OK : cohort_error_memory(t->name);
    for (int32_t i = 0; i < n && status >= 0; i++) {
        status = fetch_arranged(source, source->has_components ? i : -1, room, bytes);
        if (status >= 0)
            status = write_piece(file, t, t->at + i * bytes, room, bytes);
    }
    cohort_free(room);
    return status;
}

static cohort_status write_header(cohort_replacement *file, const cohort_tensors_layout *layout)
{
    char *header = cohort_tensors_header(layout);
    if (header == NULL)
        return cohort_error_memory("the header of a checkpoint");
    cohort_status status =
        cohort_replacement_write_at(file, 0, header, (size_t)layout->header_bytes);
    cohort_free(header);
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
    return status < 0 ? status : write_header(file, &plan->layout);
}

/* ------------------------------------------------------------------ the folder */

/* path: of the new generation, into room of COHORT_LIMIT_PATH_BYTES. */
static cohort_status write_generation(const char *folder, const cohort_generations *before,
                                      cohort_checkpoint_plan *plan, void *const copies[],
                                      char *path)
{
    cohort_replacement file;
    cohort_status status = cohort_generations_next(folder, before, path);
    if (status >= 0 && before->n == 0)
        status = cohort_generations_sync_name(folder);
    if (status >= 0)
        status = cohort_replacement_open_durable(path, &file);
    return status < 0 ? status : cohort_replacement_close(&file, write_all(&file, plan, copies));
}

/* What is removed behind a save is no part of it: its errors are none of the call. What stays goes
 * with the next one. path: of the generation that was saved */
static void clean_up(const char *folder, int32_t keep, cohort_checkpoint_best best,
                     const char *path)
{
    cohort_error_saved saved;
    cohort_error_save(&saved);
    int n;
    if (cohort_generations_prune(folder, keep != 0 ? keep : COHORT_GENERATIONS_KEPT, best, path,
                                 &n) < 0)
        cohort_log(COHORT_LOG_WARNING, "old generations stay: %s", cohort_error_slot());
    cohort_error_restore(&saved);
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
        clean_up(folder, keep, best, path);
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
        status = save_state(folder, &state, step);
        cohort_state_end(&state);
    }
    return status < 0 ? cohort_error_prefix(status, "%s", call) : status;
}

/* ------------------------------------------------------------------ copies */

static cohort_status copy_tensor(const cohort_tensor_layout *t,
                                 const cohort_source_of_tensor *source, void **out)
{
    int32_t n = count_pieces(source);
    int64_t bytes = t->bytes / n;
    *out = cohort_allocate_aligned((size_t)t->bytes + 1, 64);
    cohort_status status = *out != NULL ? COHORT_OK : cohort_error_memory(t->name);
    for (int32_t i = 0; i < n && status >= 0; i++)
        status = fetch_arranged(source, source->has_components ? i : -1, (char *)*out + i * bytes,
                                bytes);
    return status;
}

static cohort_status copy_all(cohort_state_copy *out)
{
    const cohort_tensors_layout *layout = &out->plan.layout;
    out->copies = cohort_allocate(layout->n, sizeof *out->copies);
    cohort_status status = out->copies != NULL ? COHORT_OK : cohort_error_memory("a checkpoint");
    for (size_t i = 0; i < layout->n && status >= 0; i++) {
        const cohort_tensor_layout *t = &layout->tensors[i];
        status = copy_tensor(t, &out->plan.sources[t->index], &out->copies[i]);
    }
    return status;
}

/* The sources are of the state, which ends here. */
cohort_status cohort_state_copy_take(cohort_state_copy *out, const cohort_state *state,
                                     int64_t step)
{
    *out = (cohort_state_copy){ 0 };
    cohort_status status = cohort_checkpoint_plan_begin(&out->plan, state, step);
    if (status < 0)
        return status;
    status = copy_all(out);
    cohort_free(out->plan.sources);
    out->plan.sources = NULL;
    if (status < 0)
        cohort_state_copy_free(out);
    return status;
}

cohort_status cohort_state_copy_write(cohort_state_copy *copy, const char *folder, int32_t keep,
                                      cohort_checkpoint_best best, char *path)
{
    return save_plan(folder, &copy->plan, copy->copies, keep, best, path);
}

void cohort_state_copy_free(cohort_state_copy *copy)
{
    for (size_t i = 0; copy->copies != NULL && i < copy->plan.layout.n; i++)
        cohort_free(copy->copies[i]);
    cohort_free(copy->copies);
    copy->copies = NULL;
    cohort_checkpoint_plan_end(&copy->plan);
}

/* ------------------------------------------------------------------ the call */

cohort_status cohort_checkpoint_save(cohort_strategy *strategy, const char *folder, int64_t step,
                                     const cohort_checkpoint_options *options)
{
    cohort_status status = cohort_call_enter(strategy, call);
    return status < 0 ? status : cohort_call_leave(strategy, save(strategy, folder, step, options));
}
