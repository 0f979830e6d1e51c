/* SPDX-License-Identifier: BSD-3-Clause */
/* Memos: compared with what a call passes and what that holds now, and launched.
 *
 * All comparing comes before the first post, as all that may fail does in a call that is bound. */
#include "config.h"

#include "runtime/memo/memo_parts.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/memo/shadow.h"
#include "runtime/operation/build.h"
#include "runtime/operation/ledger.h"

#include <string.h>

/* ------------------------------------------------------------------ comparing */

/* Of an object that is destroyed nothing may be read. */
static bool is_value(const cohort_memo_argument *m, const cohort_argument *a,
                     const cohort_strategy *strategy)
{
    return a->kind == COHORT_ARGUMENT_VALUE && a->as.p == m->given.as.p &&
           cohort_handle_is(a->as.p, COHORT_HANDLE_VALUE) &&
           ((const cohort_value *)a->as.p)->strategy == strategy;
}

/* An output that was declared insists on its shape, wherever it is now. */
static bool holds_value(const cohort_memo_argument *m)
{
    const cohort_value *value = m->given.as.p;
    return value->components == m->components && value->is_declared == m->is_declared &&
           (!m->is_read || value->kind == m->kind) &&
           (!m->is_declared || (value->declared_dtype == m->declared_dtype &&
                                cohort_extents_is_same(&value->declared, &m->declared)));
}

/* Where it lives, and what its dtype and shape are, never changes. */
static bool is_variable(const cohort_memo_argument *m, const cohort_argument *a)
{
    return a->kind == COHORT_ARGUMENT_VARIABLE && a->as.p == m->given.as.p &&
           cohort_handle_is(a->as.p, COHORT_HANDLE_VARIABLE) &&
           ((const cohort_variable *)a->as.p)->uid == m->uid;
}

static bool holds_variable(const cohort_memo_argument *m)
{
    return ((const cohort_variable *)m->given.as.p)->caches.epoch.now > 0;
}

static bool is_same_number(const cohort_argument *a, const cohort_argument *b)
{
    return a->kind == b->kind && a->as.u == b->as.u;
}

/* The bytes of a new number, where every launch finds them: also those of an update that its
 * devices share, which have records of their own. */
static void write_number(const cohort_memo *memo, const cohort_memo_argument *m, const void *bytes)
{
    if (memo->binding != NULL)
        memcpy(memo->binding->numbers + m->value_at, bytes, m->parameter->bytes);
    for (int32_t i = 0; i < memo->n_launches; i++) {
        const cohort_memo_launch *l = &memo->launches[i];
        memcpy(cohort_launch_values(l->head->executable, l->slots) + m->value_at, bytes,
               m->parameter->bytes);
    }
}

/* False: it is none for the parameter, which the call that is bound then says. */
static bool take_number(const cohort_memo *memo, cohort_memo_argument *m,
                        const cohort_argument *number)
{
    _Alignas(16) char bytes[COHORT_NUMBER_BYTES];
    if (!cohort_number_is(number) ||
        cohort_number_convert(number, (cohort_dtype)m->parameter->type, bytes) < 0)
        return false;
    write_number(memo, m, bytes);
    m->given.kind = number->kind;
    m->given.as = number->as;
    return true;
}

static inline bool holds_number(const cohort_memo *memo, cohort_memo_argument *m,
                                const cohort_argument *number)
{
    return is_same_number(&m->given, number) || take_number(memo, m, number);
}

static bool take_held(const cohort_memo *memo, cohort_memo_argument *m, const cohort_argument *a,
                      const cohort_strategy *strategy)
{
    const cohort_value *value = a->as.p;
    if (a->kind != COHORT_ARGUMENT_VALUE || !cohort_handle_is(value, COHORT_HANDLE_VALUE) ||
        value->strategy != strategy || !cohort_value_is_number(value))
        return false;
    cohort_argument number = cohort_argument_make_(COHORT_ARGUMENT_REAL, NULL);
    number.as.f = value->number;
    return holds_number(memo, m, &number);
}

static bool take_constant(const cohort_memo *memo, cohort_memo_argument *m,
                          const cohort_argument *a, const cohort_binder *binder)
{
    bool is_step = m->constant == COHORT_CONSTANT_STEP;
    int64_t now =
        is_step ? (int64_t)binder->strategy->executor->failure.step : binder->binding.batch_rows;
    cohort_argument number = cohort_argument_integer_(COHORT_ARGUMENT_INT, now);
    return a->kind == COHORT_ARGUMENT_CONSTANT && a->as.i == m->constant && now >= is_step &&
           holds_number(memo, m, &number);
}

static bool take_bytes(const cohort_memo *memo, const cohort_memo_argument *m,
                       const cohort_argument *a)
{
    bool is_pointer = m->part == COHORT_MEMO_POINTER;
    if (a->kind != m->given.kind ||
        (!is_pointer && (a->bytes != m->parameter->bytes || a->as.p == NULL)))
        return false;
    write_number(memo, m, is_pointer ? &a->as.p : a->as.p);
    return true;
}

/* is_own: the memo was made for this very argument, of an object that is there, and what differs is
 * what that holds. */
static bool holds_argument(const cohort_binder *binder, const cohort_memo *memo,
                           cohort_memo_argument *m, const cohort_argument *a, bool is_own)
{
    if (!is_own && !cohort_memo_is_same_name(m, a))
        return false;
    switch (m->part) {
    case COHORT_MEMO_VALUE:
        return (is_own || is_value(m, a, binder->strategy)) && holds_value(m);
    case COHORT_MEMO_VARIABLE:
        return (is_own || is_variable(m, a)) && holds_variable(m);
    case COHORT_MEMO_FIXED:
        return is_own || is_same_number(&m->given, a);
    case COHORT_MEMO_NUMBER:
        return is_own || holds_number(memo, m, a);
    case COHORT_MEMO_HELD:
        return take_held(memo, m, a, binder->strategy);
    case COHORT_MEMO_CONSTANT:
        return take_constant(memo, m, a, binder);
    default:
        return is_own || take_bytes(memo, m, a);
    }
}

static bool is_as_it_was(const cohort_memo_cell *c, const cohort_memo_shape *shape)
{
    const cohort_content *content = c->content;
    return content->places.list == shape->list &&
           content->places.first_device == shape->first_device && c->place->buffer != NULL &&
           (!c->argument->is_read ||
            (content->state == COHORT_CONTENT_FILLED && content->dtype == shape->dtype &&
             content->item_bytes == shape->item_bytes &&
             cohort_extents_is_same(&content->extents, &shape->extents)));
}

/* A content whose form is that of the last comparison, or of when it got its shape, is
 * unchanged. */
static inline bool holds_content(cohort_memo_cell *c, const cohort_memo_shape *shape)
{
    if (c->content->form == c->form) {
        cohort_assert(is_as_it_was(c, shape));
        return true;
    }
    if (!is_as_it_was(c, shape))
        return false;
    c->form = c->argument->is_read ? c->content->form : COHORT_MEMO_NO_FORM;
    return true;
}

/* A copy is brought to the device. */
static bool holds_store(const cohort_memo_launch *l, const cohort_memo_cell *c)
{
    return !cohort_memo_reads_copy(c) ||
           cohort_variable_prepare_read(cohort_memory_own(c->argument->given.as.p), l->device) >= 0;
}

static bool holds_launch(const cohort_memo *memo, const cohort_memo_launch *l, bool is_unaltered)
{
    bool holds = true;
    for (int32_t i = 0; i < memo->n_cells && holds; i++)
        holds = l->cells[i].content != NULL
                    ? is_unaltered || holds_content(&l->cells[i], &l->shapes[i])
                    : holds_store(l, &l->cells[i]);
    return holds;
}

/* Values of which nothing has changed since all of them were looked at are not looked at again. */
static bool holds_launches(cohort_memo *memo, uint64_t now)
{
    bool is_unaltered = memo->alterations == now, holds = true;
    for (int32_t i = 0; i < memo->n_launches && holds && (!is_unaltered || memo->has_copies); i++)
        holds = holds_launch(memo, &memo->launches[i], is_unaltered);
    if (holds)
        memo->alterations = now;
    return holds;
}

static bool is_same_call(const cohort_memo_call *a, const cohort_memo_call *b)
{
    return cohort_memo_is_same_start(a, b) && a->signature == b->signature;
}

/* The variable is looked at when it is known to be there: the call is made for it, or passes it. */
static bool is_same_updated(const cohort_memo *memo)
{
    return memo->binding == NULL || memo->binding->updated->uid == memo->updated;
}

/* What a later argument finds wrong changes nothing of what an earlier one took over: that is as
 * the call passes it, and compared again by the next one. */
static bool holds_arguments(const cohort_binder *binder, const cohort_memo *memo,
                            const cohort_memo_call *call)
{
    const cohort_argument *a = call->flat;
    bool is_own = call->own != NULL, holds = true;
    for (int32_t i = 0; i < memo->n_arguments && holds; i++, a++)
        holds = a->kind != COHORT_ARGUMENT_END &&
                holds_argument(binder, memo, &memo->arguments[i], a, is_own);
    return holds && a->kind == COHORT_ARGUMENT_END;
}

/* Of a call that passes the objects of the memo, of which no value has changed since all of them
 * were looked at. */
static bool holds_others(const cohort_binder *binder, const cohort_memo *memo,
                         const cohort_memo_call *call)
{
    bool is_own = call->own != NULL, holds = true;
    for (int32_t i = 0; i < memo->n_others && holds; i++)
        holds = holds_argument(binder, memo, &memo->arguments[memo->others[i]],
                               &call->flat[memo->others[i]], is_own);
    return holds;
}

static bool holds_all(const cohort_binder *binder, cohort_memo *memo, const cohort_memo_call *call)
{
    bool is_own = call->own != NULL, is_alike = is_own || call->is_expected;
    uint64_t now = cohort_alterations_now();
    return (is_alike || is_same_call(&memo->call, call)) &&
           (is_alike && memo->alterations == now ? holds_others(binder, memo, call)
                                                 : holds_arguments(binder, memo, call)) &&
           (is_own || is_same_updated(memo)) && holds_launches(memo, now);
}

bool cohort_memo_holds(cohort_memos *memos, cohort_memo_way *way, const cohort_memo_call *call)
{
    bool holds = way != NULL && way->memo != NULL && holds_all(memos->binder, way->memo, call);
    if (holds)
        cohort_admission_note_held(&way->admission);
    return holds;
}

/* ------------------------------------------------------------------ launching */

/* A slot is mostly what it was with the call before; what was stored a moment ago is slow to
 * copy. */
static inline void use(const cohort_memo_cell *c, cohort_use_mode mode, cohort_buffer *buffer)
{
    c->use->mode = mode;
    c->use->buffer = buffer;
    if (*c->slot != buffer)
        *c->slot = buffer;
}

/* Have the set itself make the memory of a step's rows that of their buffers, where it can. */
static void place_value(cohort_memo_cell *c, int32_t device, cohort_launch_set *set,
                        cohort_executor *executor)
{
    cohort_content *content = c->content;
    if (c->place->epoch.now == content->places.epoch.now) {
        use(c, COHORT_USE_READ, c->place->buffer);
        return;
    }
    const void *memory = c->bytes > 0 ? cohort_content_borrowed(content) : NULL;
    if (memory == NULL || !cohort_launch_set_import(set, c->place->buffer, memory, c->bytes)) {
        use(c, COHORT_USE_READ, cohort_content_place_read(content, executor, device));
        return;
    }
    cohort_ledger_set_relative(&c->place->epoch, content->places.epoch.now);
    use(c, COHORT_USE_WRITE, c->place->buffer);
}

static cohort_buffer *place_variable(const cohort_memo_launch *l, const cohort_memo_cell *c)
{
    cohort_variable *v = cohort_memory_own(c->argument->given.as.p);
    return c->store >= 0 ? cohort_variable_current(v, c->store)
                         : cohort_variable_place_read(v, l->replica, l->device);
}

static cohort_buffer *place_output(cohort_memo_cell *c, const cohort_memo_shape *shape,
                                   const cohort_memo_launch *l, cohort_executor *executor)
{
    if (!c->argument->is_read && c->form != c->content->form) {
        cohort_content_take_shape(c->content, shape->dtype, shape->item_bytes, &shape->extents);
        c->form = c->content->form;
    }
    if (c->argument->is_read || !cohort_buffer_has(c->place->buffer, c->bytes))
        return cohort_content_place_write(c->content, executor, l->device, c->bytes,
                                          c->argument->is_read);
    cohort_content_count_write(c->content, c->place);
    return c->place->buffer;
}

/* Inputs first, as in cohort_place_all. */
static void place(const cohort_memo *memo, const cohort_memo_launch *l, cohort_launch_set *set,
                  cohort_executor *executor)
{
    int32_t i = 0;
    for (; i < memo->n_inputs; i++) {
        cohort_memo_cell *c = &l->cells[i];
        if (c->content != NULL)
            place_value(c, l->device, set, executor);
        else
            use(c, COHORT_USE_READ, place_variable(l, c));
    }
    for (; i < memo->n_cells; i++)
        use(&l->cells[i], COHORT_USE_WRITE, place_output(&l->cells[i], &l->shapes[i], l, executor));
    cohort_executable_use(executor, l->head->executable);
}

/* Values that the launches write, as the first one says. Before all of them, for it is the same for
 * each; what these read is in contents that they know already. */
static void begin_outputs(const cohort_memo *memo)
{
    const cohort_memo_cell *cells = memo->launches[0].cells;
    for (int32_t i = memo->n_inputs; i < memo->n_cells; i++)
        cohort_value_become_per_replica(cohort_memory_own(cells[i].argument->given.as.p));
}

/* What places post comes before the set: it brings what launches read, and makes room for what they
 * write, and the launches of one call touch nothing that another one of it writes. */
static void post_run(const cohort_memo *memo, cohort_executor *executor)
{
    const cohort_memo_launch *l = memo->launches;
    begin_outputs(memo);
    for (int32_t i = 0; i < memo->n_sets; i++) {
        cohort_launch_set *set = &memo->sets[i];
        cohort_launch_set_begin(set);
        for (int32_t k = 0; k < set->n; k++)
            place(memo, l++, set, executor);
        cohort_fence fence = cohort_launch_set_submit(set, executor);
        cohort_fences_add(cohort_ledger_open_set(executor, memo->posted), fence);
    }
}

#ifdef COHORT_ASSERTIONS
/* Planned the plain way as well, and compared. */
static void post_watched(cohort_binder *binder, const cohort_memo *memo,
                         const cohort_memo_call *call, cohort_executor *executor)
{
    bool posts;
    cohort_status status = cohort_plain_begin(binder, &call->call, &posts);
    cohort_assert(status >= 0 && posts);
    if (memo->binding != NULL) {
        cohort_shadow_compare_update(binder, memo);
        cohort_plain_update_stores(memo->binding, memo->prepared);
    } else {
        uint64_t sum = cohort_shadow_compare_run(binder, memo);
        post_run(memo, executor);
        cohort_shadow_compare_places(binder, memo, sum);
    }
    cohort_plain_end(binder);
}
#endif

cohort_status cohort_memo_post(const cohort_memos *memos, cohort_memo *memo,
                               const cohort_memo_call *call)
{
    cohort_binding *b = memo->binding;
    cohort_status status =
        b != NULL ? cohort_plain_check_devices(b, call->call.only_on) : COHORT_OK;
    if (status < 0)
        return status;
    cohort_ledger_say_repeatable(memos->executor);
#ifdef COHORT_ASSERTIONS
    if (memos->binder->strategy->repeating.is_watched) {
        post_watched(memos->binder, memo, call, memos->executor);
        return COHORT_OK;
    }
#endif
    if (b != NULL)
        cohort_plain_update_stores(b, memo->prepared);
    else
        post_run(memo, memos->executor);
    return COHORT_OK;
}
