/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain way of an update: as that of a run (plain.c), for the stores of variables. */
#include "config.h"

#include "runtime/call/plain.h"

#include "runtime/call/cut.h"
#include "runtime/call/guard.h"
#include "runtime/call/place.h"
#include "runtime/call/prepare.h"
#include "runtime/call/served_call.h"
#include "runtime/call/sharers.h"
#include "runtime/operation/build.h"

/* ------------------------------------------------------------------ the way of a store */

static cohort_write_kind kind_of(const cohort_binding *b)
{
    return b->is_of_component ? COHORT_WRITE_LOCAL : COHORT_WRITE_JOINT;
}

static bool is_kept(const cohort_bound_array *a)
{
    return cohort_binding_updated(a) != NULL && cohort_parameter_is_read(a->parameter);
}

/* By another argument, whose content must not change while the function runs. */
static bool reads_what_it_writes(const cohort_binding *b)
{
    bool reads = false;
    for (int32_t i = 0; i < b->n_arrays && !reads; i++) {
        const cohort_variable *v = b->arrays[i].variable;
        for (int32_t j = 0; j < b->n_arrays && !reads && v != NULL; j++)
            reads = i != j && cohort_binding_updated(&b->arrays[j]) == v;
    }
    return reads;
}

static bool has_own_elements(const cohort_binding *b, const cohort_bound_array *a)
{
    return b->signature->own_axes[a->at] > 0;
}

static bool keeps_own_elements(const cohort_binding *b)
{
    bool is_own = true;
    for (int32_t i = 0; i < b->n_arrays && is_own; i++)
        is_own = !is_kept(&b->arrays[i]) || has_own_elements(b, &b->arrays[i]);
    return is_own;
}

/* Several cores copy by their team, as a whole, unless it is too little for that. */
static cohort_update_way choose_way(const cohort_binding *b, int32_t launch,
                                    const cohort_prepared *prepared)
{
    bool is_rolled_back = false;
    for (int32_t i = 0; i < b->n_arrays; i++) {
        const cohort_variable *v = cohort_binding_updated(&b->arrays[i]);
        is_rolled_back = is_rolled_back || (v != NULL && !cohort_variable_is_in_place(v));
    }
    if (!is_rolled_back && !reads_what_it_writes(b))
        return COHORT_UPDATE_IN_PLACE;
    bool is_bare = !b->is_absent[launch] && cohort_sharers_take_items(prepared) &&
                   keeps_own_elements(b) &&
                   cohort_launch_may_slice(prepared->executable->context,
                                           b->updated->stores[b->first + launch].bytes);
    return is_bare ? COHORT_UPDATE_BARE : COHORT_UPDATE_OTHER;
}

/* ------------------------------------------------------------------ start, launch, commit */

/* Uses of the arrays, then those of starting. */
enum { USES = COHORT_MAX_ARGUMENTS * (1 + COHORT_VARIABLE_USES) };

static cohort_buffer *start_variable(const cohort_binding *b, int32_t launch, cohort_update_way way,
                                     const cohort_bound_array *a, cohort_use out_more[])
{
    int32_t store = b->first + launch;
    /* the component of a replica without rows goes on as it is */
    bool keep = b->is_absent[launch] || cohort_parameter_is_read(a->parameter);
    switch (way) {
    case COHORT_UPDATE_IN_PLACE:
        return b->is_absent[launch] ? cohort_variable_start(a->variable, store, kind_of(b), keep)
                                    : cohort_variable_start_in_place(a->variable, store);
    case COHORT_UPDATE_BARE:
        return cohort_variable_start_bare(a->variable, store, kind_of(b), out_more);
    default:
        return cohort_variable_start_other(a->variable, store, kind_of(b), keep);
    }
}

/* Start the update of every variable that the function writes, on one store. Returns the number of
 * uses that follow those of the arrays. */
static int32_t start_store(const cohort_binding *b, int32_t launch, cohort_update_way way,
                           cohort_use uses[USES])
{
    int32_t n = 0;
    for (int32_t i = 0; i < b->n_arrays; i++) {
        const cohort_bound_array *a = &b->arrays[i];
        if (cohort_binding_updated(a) == NULL)
            continue;
        uses[i] = (cohort_use){ COHORT_USE_WRITE,
                                start_variable(b, launch, way, a, &uses[b->n_arrays + n]), NULL };
        n += way == COHORT_UPDATE_BARE ? COHORT_VARIABLE_USES : 0;
    }
    return n;
}

/* An update counts every variable that it writes when the launch has succeeded. A part of one, and
 * one with a guard, which has to look at what was written, leave that to operations of their
 * own. */
static void add_commits(const cohort_binding *b, int32_t launch, cohort_update_way way,
                        bool is_counted, const cohort_use uses[], cohort_launch_op *l)
{
    int32_t store = b->first + launch;
    for (int32_t i = 0; i < b->n_arrays; i++) {
        const cohort_bound_array *a = &b->arrays[i];
        cohort_variable *v = cohort_binding_updated(a);
        if (v == NULL)
            continue;
        cohort_store *s = &v->stores[store];
        cohort_launch_commit commit = { .number = s->number.now };
        if (is_counted) {
            commit.counter = &s->done;
            commit.version = cohort_variable_state_after(v, store, kind_of(b));
        }
        if (has_own_elements(b, a)) {
            commit.into = uses[i].buffer;
            commit.line_bytes = a->parameter->bytes * cohort_launch_line(l, a->at);
        }
        if (way == COHORT_UPDATE_BARE && is_kept(a)) {
            commit.from = cohort_variable_current(v, store);
        } else if (way == COHORT_UPDATE_IN_PLACE) {
            commit.begun = &s->begun;
            commit.ended = is_counted ? &s->ended : NULL;
        }
        cohort_launch_add_commit(l, commit);
    }
}

/* Complete the update of a store by operations of their own, after what was posted for its
 * buffers. */
static void commit_store(const cohort_binding *b, int32_t launch, const cohort_use uses[])
{
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (cohort_binding_updated(&b->arrays[i]) != NULL)
            cohort_variable_post_commit(b->arrays[i].variable, b->first + launch, kind_of(b),
                                        uses[i].buffer);
}

/* The launch completes the store itself (add_commits), and its fence stands for the write. */
static void note_commits(const cohort_binding *b, int32_t launch, cohort_fence fence)
{
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (cohort_binding_updated(&b->arrays[i]) != NULL)
            b->arrays[i].variable->stores[b->first + launch].last = fence;
}

static cohort_launch_op *draft_share(const cohort_binding *b, int32_t launch, cohort_update_way way,
                                     bool is_counted, const cohort_sharer *share,
                                     const cohort_use uses[])
{
    cohort_launch_op *l = cohort_prepare_draft(b, launch, share->prepared);
    if (share->items > 0)
        cohort_launch_cut(l, share->first_item, share->items);
    add_commits(b, launch, way, is_counted, uses, l);
    return l;
}

/* Returns whether every share was posted: else a device is lost. Builds are posted before the
 * parts, between which nothing else is. */
static bool submit_shares(const cohort_binding *b, int32_t launch, cohort_update_way way,
                          const cohort_sharer shares[], int32_t n, const cohort_use uses[],
                          int32_t n_uses)
{
    cohort_executor *executor = b->strategy->executor;
    bool is_posted = true;
    for (int32_t i = 0; i < n; i++)
        cohort_executable_use(executor, shares[i].prepared->executable);
    cohort_parts parts = cohort_parts_begin(executor, uses, n_uses);
    for (int32_t i = 0; i < n; i++) {
        cohort_launch_op *l = draft_share(b, launch, way, false, &shares[i], uses);
        is_posted = cohort_launch_submit_part(&parts, l, uses).lane != NULL && is_posted;
    }
    cohort_parts_end(&parts);
    return is_posted;
}

/* A whole launch counts the write itself, unless a guard has to look at what was written. */
static void launch_store(cohort_binding *b, int32_t launch, cohort_update_way way,
                         const cohort_prepared prepared[], const cohort_use uses[], int32_t n_more)
{
    cohort_sharer shares[COHORT_SHARERS];
    int32_t n_uses = b->n_arrays + n_more;
    int32_t n = cohort_sharers_choose(b, launch, prepared, uses, n_uses, shares);
    bool is_counted = n == 1 && !cohort_guard_is_on(b), is_posted;
    if (n == 1) {
        cohort_launch_op *l = draft_share(b, launch, way, is_counted, shares, uses);
        cohort_fence fence = cohort_launch_submit_behind(b->strategy->executor, l, uses, n_uses);
        is_posted = fence.lane != NULL;
        if (is_counted)
            note_commits(b, launch, fence);
    } else {
        is_posted = submit_shares(b, launch, way, shares, n, uses, n_uses);
    }
    if (is_posted) /* else there is nothing to look at */
        cohort_guard_launch(b, launch, uses);
    if (!is_counted)
        commit_store(b, launch, uses);
}

static void update_store(cohort_binding *b, int32_t launch, const cohort_prepared prepared[])
{
    cohort_use uses[USES];
    cohort_update_way way = prepared[launch].way;
    int32_t n_more = start_store(b, launch, way, uses);
    if (!b->is_absent[launch]) {
        (void)cohort_place_all(b, launch, cohort_binding_device(b, launch), uses);
        launch_store(b, launch, way, prepared, uses, n_more);
    } else {
        commit_store(b, launch, uses);
    }
}

static void finish_stores(const cohort_binding *b)
{
    for (int32_t i = 0; i < b->n_arrays; i++) {
        cohort_variable *v = cohort_binding_updated(&b->arrays[i]);
        if (v != NULL && kind_of(b) == COHORT_WRITE_JOINT)
            cohort_variable_finish(v);
        else if (v != NULL)
            cohort_variable_finish_local(v, b->first);
    }
}

cohort_status cohort_plain_check_devices(const cohort_binding *b, const cohort_destination *only_on)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < b->n_arrays && status >= 0 && only_on != NULL; i++) {
        const cohort_variable *v = cohort_binding_updated(&b->arrays[i]);
        if (v != NULL && !cohort_destination_holds(only_on, v))
            status = cohort_error_set(
                COHORT_EINVAL,
                "%s: cohort_update_non_slot: variable '%s' is written, and lives not whole on "
                "exactly these devices",
                b->signature->name, v->name);
    }
    return status;
}

/* Kernels and places. */
static cohort_status prepare_stores(cohort_binder *binder, cohort_binding *b)
{
    cohort_status status = cohort_prepare_room(binder, b->count + cohort_sharers_room(b));
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        status =
            cohort_prepare_launch(binder, b, i, cohort_binding_device(b, i), &binder->prepared[i]);
    if (status >= 0)
        status = cohort_sharers_prepare(binder, b);
    for (int32_t i = 0; i < b->count && status >= 0; i++)
        binder->prepared[i].way = choose_way(b, i, &binder->prepared[i]);
    return status < 0 ? status : cohort_cut_prepare(b);
}

/* The caller's own device, mostly the first, last. */
static void order_stores(const cohort_binding *b, int32_t order[])
{
    for (int32_t i = 0; i < b->count; i++)
        order[i] = b->count - 1 - i;
}

void cohort_plain_update_stores(cohort_binding *b, const cohort_prepared prepared[])
{
    for (int32_t i = b->count - 1; i >= 0; i--) /* as order_stores */
        update_store(b, i, prepared);
    finish_stores(b);
}

static cohort_status update_served(const cohort_binding *b, bool is_non_slot)
{
    cohort_status status = cohort_served_call_check(b, is_non_slot);
    return status < 0 || b->strategy->is_trial ? status : cohort_served_call_make(b);
}

/* Everything that may fail comes before the first store is started, for a started write is
 * posted. */
cohort_status cohort_plain_begin_update(cohort_binder *binder, const cohort_destination *only_on,
                                        bool *out_posts)
{
    cohort_binding *b = &binder->binding;
    if (b->updated->remote != NULL)
        return update_served(b, only_on != NULL);
    cohort_status status = cohort_plain_check_devices(b, only_on);
    if (status >= 0)
        status = prepare_stores(binder, b);
    *out_posts = status >= 0 && !b->strategy->is_trial;
    if (*out_posts)
        order_stores(b, binder->order);
    return status;
}
