/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a memo of a call that was bound and prepared: what it passed, what that held, and its
 * launches. */
#include "config.h"

#include "runtime/memo/memo_parts.h"

#include "runtime/base/checks.h"
#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/call/absence.h"
#include "runtime/call/guard.h"

#include <string.h>

/* ------------------------------------------------------------------ may it be kept? */

static void add_named(uint64_t *set, const cohort_expression *expression)
{
    for (int32_t i = 0; i < expression->count; i++)
        if (expression->nodes[i].kind == COHORT_NODE_PARAMETER)
            *set |= UINT64_C(1) << expression->nodes[i].operand;
}

/* The parameters on which shapes or ranges depend. */
static uint64_t named_by_any(const cohort_binder *binder, int32_t count)
{
    const cohort_signature *s = binder->binding.signature;
    uint64_t set = 0;
    for (int32_t i = 0; i < s->n_indices; i++)
        add_named(&set, &s->counts[i]);
    for (int32_t i = 0; i < s->n_parameters; i++) {
        add_named(&set, &s->parameters[i].computed);
        for (int32_t axis = 0; axis < COHORT_MAX_RANK; axis++)
            add_named(&set, &s->parameters[i].extents[axis]);
    }
    for (int32_t i = 0; i < count; i++) {
        const cohort_geometry *g = &binder->prepared[i].executable->geometry;
        for (int32_t d = 0; d < g->dims; d++) {
            add_named(&set, &g->global[d]);
            add_named(&set, &g->local[d]);
            add_named(&set, &g->offset[d]);
        }
    }
    return set;
}

/* Of a run of all replicas first rows follow from the shapes of what these read, which are
 * compared. */
static bool has_own_rows(const cohort_binding *b)
{
    return b->kind == COHORT_CALL_RUN && b->strategy->workers == NULL;
}

/* Is the constant the same in each call, as long as all else is? */
static bool is_same_each_time(const cohort_binding *b, int64_t constant)
{
    return constant == COHORT_CONSTANT_REPLICA_ID || constant == COHORT_CONSTANT_NUM_REPLICAS ||
           (constant == COHORT_CONSTANT_FIRST_ROW && has_own_rows(b));
}

/* A number that has a value of its own each time, or that does not fit into the argument, is not
 * kept: false. */
static bool find_part(const cohort_binding *b, const cohort_parameter *p, const cohort_argument *a,
                      bool is_named, cohort_memo_part *out)
{
    if (p == NULL || p->role == COHORT_ROLE_ARRAY) {
        *out = a->kind == COHORT_ARGUMENT_VARIABLE ? COHORT_MEMO_VARIABLE : COHORT_MEMO_VALUE;
        return a->kind == COHORT_ARGUMENT_VALUE || a->kind == COHORT_ARGUMENT_VARIABLE;
    }
    switch (a->kind) {
    case COHORT_ARGUMENT_VALUE:
        *out = COHORT_MEMO_HELD;
        return !is_named;
    case COHORT_ARGUMENT_INT:
    case COHORT_ARGUMENT_UINT:
    case COHORT_ARGUMENT_REAL:
        *out = is_named || p->role != COHORT_ROLE_NUMBER ? COHORT_MEMO_FIXED : COHORT_MEMO_NUMBER;
        return true;
    case COHORT_ARGUMENT_CONSTANT: {
        bool is_same = is_same_each_time(b, a->as.i);
        *out = is_same ? COHORT_MEMO_FIXED : COHORT_MEMO_CONSTANT;
        return is_same || (!is_named && a->as.i != COHORT_CONSTANT_FIRST_ROW);
    }
    case COHORT_ARGUMENT_BYTES:
        *out = COHORT_MEMO_BYTES;
        return true;
    case COHORT_ARGUMENT_POINTER:
        *out = COHORT_MEMO_POINTER;
        return true;
    default:
        return false;
    }
}

static bool has_absent(const cohort_binding *b)
{
    bool has = cohort_absence_is_read(b);
    for (int32_t i = 0; i < b->count && !has; i++)
        has = b->is_absent[i];
    return has;
}

/* What is read of parameter servers is asked for anew each time, as is which logical device is in
 * use. A body that is checked is no part of a set of launches, nor repeated. */
static bool may_be_kept(const cohort_binding *b)
{
    bool is_update = b->kind == COHORT_CALL_UPDATE;
    return b->strategy->servers == NULL && (b->strategy->checks & COHORT_CHECK_BODIES) == 0 &&
           b->n_borrowed == 0 && b->lead < 0 && !b->is_where_used && !has_absent(b) &&
           (is_update ? !b->updated->is_sharded
                      : !cohort_guard_is_on(b) && !(b->signature->has_result && b->result == NULL));
}

/* ------------------------------------------------------------------ parts */

static void keep_value(cohort_memo_argument *m)
{
    const cohort_value *value = m->given.as.p;
    m->is_read = m->parameter != NULL && cohort_parameter_is_read(m->parameter);
    m->kind = value->kind;
    m->components = value->components;
    m->is_declared = value->is_declared;
    m->declared_dtype = value->declared_dtype;
    m->declared = value->declared;
}

/* The number that a value has is what a later one is compared with. */
static void keep_held(cohort_memo_argument *m)
{
    const cohort_value *value = m->given.as.p;
    m->given.kind = COHORT_ARGUMENT_REAL;
    m->given.as.f = value->number;
}

/* Its number is compared like that of a number which is passed. */
static void keep_constant(cohort_memo_argument *m, const cohort_binder *binder)
{
    bool is_step = m->given.as.i == COHORT_CONSTANT_STEP;
    m->constant = m->given.as.i;
    m->given.kind = COHORT_ARGUMENT_INT;
    m->given.as.i =
        is_step ? (int64_t)binder->strategy->executor->failure.step : binder->binding.batch_rows;
}

static uint32_t value_at(const cohort_signature *s, const cohort_parameter *parameter)
{
    uint32_t at = 0;
    for (const cohort_parameter *p = s->parameters; p < parameter; p++)
        if (cohort_parameter_has_value(p))
            at += cohort_parameter_value_bytes(p);
    return at;
}

/* The parameter that an argument was matched with; NULL: it is the result. */
static const cohort_parameter *parameter_of(const cohort_binding *b, const cohort_argument *a)
{
    for (int32_t i = 0; i < b->signature->n_parameters; i++)
        if (b->given[i] == a)
            return &b->signature->parameters[i];
    return NULL;
}

static bool keep_argument(cohort_memo_argument *m, const cohort_binder *binder,
                          const cohort_argument *a, uint64_t named)
{
    const cohort_binding *b = &binder->binding;
    const cohort_parameter *p = m->parameter = parameter_of(b, a);
    bool is_named = p != NULL && (named >> (p - b->signature->parameters) & 1) != 0;
    m->given = *a;
    m->kind_passed = a->kind;
    m->object = cohort_memo_object(a);
    if (!find_part(b, p, a, is_named, &m->part))
        return false;
    m->value_at = p != NULL ? value_at(b->signature, p) : 0;
    if (m->part == COHORT_MEMO_VALUE)
        keep_value(m);
    else if (m->part == COHORT_MEMO_HELD)
        keep_held(m);
    else if (m->part == COHORT_MEMO_CONSTANT)
        keep_constant(m, binder);
    else if (m->part == COHORT_MEMO_VARIABLE)
        m->uid = ((const cohort_variable *)a->as.p)->uid;
    return true;
}

static bool keep_arguments(cohort_memo *memo, const cohort_binder *binder,
                           const cohort_memo_call *call)
{
    uint64_t named = named_by_any(binder, memo->n_launches);
    bool is_kept = true;
    for (int32_t i = 0; i < memo->n_arguments && is_kept; i++) {
        is_kept = keep_argument(&memo->arguments[i], binder, &call->flat[i], named);
        if (memo->arguments[i].part != COHORT_MEMO_VALUE)
            memo->others[memo->n_others++] = (uint8_t)i;
    }
    memo->alterations = cohort_alterations_now();
    return is_kept;
}

static const cohort_memo_argument *argument_of(const cohort_memo *memo,
                                               const cohort_parameter *parameter)
{
    const cohort_memo_argument *m = memo->arguments;
    while (m->parameter != parameter)
        m++;
    return m;
}

static void keep_content(cohort_memo_cell *c, cohort_memo_shape *shape, cohort_content *content,
                         int32_t device, const cohort_extents *extents)
{
    c->content = content;
    c->form = COHORT_MEMO_NO_FORM;
    c->place = cohort_places_at(&content->places, device);
    c->bytes = (uint64_t)(cohort_shape_items(extents->rank, extents->shape) * shape->item_bytes);
    shape->list = content->places.list;
    shape->first_device = content->places.first_device;
    shape->extents = *extents;
}

/* What a launch reads or writes by an array. */
static void keep_array(cohort_memo_cell *c, cohort_memo_shape *shape, const cohort_binding *b,
                       int32_t launch, const cohort_memo_launch *l, const cohort_bound_array *a)
{
    const cohort_parameter *p = a->parameter;
    c->mode = a->mode;
    c->store = -1;
    shape->dtype = cohort_parameter_array_dtype(p->type);
    shape->item_bytes = p->bytes;
    if (a->variable != NULL) {
        c->store = a->variable->is_per_replica ? l->replica
                                               : cohort_variable_store_for(a->variable, l->device);
    } else if (cohort_parameter_is_read(p)) {
        cohort_content *content = cohort_value_content(a->value, l->replica);
        keep_content(c, shape, content, l->device, &content->extents);
    } else {
        keep_content(c, shape, &a->value->components[l->replica], l->device,
                     &b->bounds[launch].arrays[a->at]);
    }
}

static void keep_result(cohort_memo_cell *c, cohort_memo_shape *shape, const cohort_binding *b,
                        const cohort_memo_launch *l)
{
    const cohort_extents number = { 0 };
    const cohort_signature *s = b->signature;
    c->mode = COHORT_USE_WRITE;
    shape->dtype = cohort_parameter_array_dtype(s->result_type);
    shape->item_bytes = s->result_bytes;
    keep_content(c, shape, &b->result->components[l->replica], l->device, &number);
}

/* The last set, or one that the launch begins. */
static void join_set(cohort_memo *memo, cohort_memo_launch *l)
{
    if (memo->n_sets > 0)
        l->slots = cohort_launch_set_add(&memo->sets[memo->n_sets - 1], l->head, memo->n_cells);
    if (l->slots != NULL)
        return;
    cohort_launch_set *set = &memo->sets[memo->n_sets++];
    cohort_launch_set_make(set, l->room, l->uses);
    l->slots = cohort_launch_set_add(set, l->head, memo->n_cells);
}

static void keep_head(cohort_memo *memo, cohort_memo_launch *l, const cohort_binding *b,
                      int32_t launch, const cohort_prepared *prepared)
{
    cohort_executable *executable = prepared->executable;
    cohort_launch_begin(l->head, executable);
    cohort_launch_direct(l->head, cohort_binding_named(b, launch), &prepared->grid);
    l->head->counts = b->counts;
    if (memo->sets != NULL)
        join_set(memo, l);
    cohort_binding_fill_values(b, launch, cohort_launch_values(executable, l->slots));
    cohort_launch_fill_locals(executable, l->slots, b->bounds[launch].values);
}

/* What the call reads in place while it writes it too is brought before the launch, for the writing
 * begins with a copy of its own. */
static void keep_written_apart(const cohort_memo_launch *l, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            if (l->cells[i].mode == COHORT_USE_READ && l->cells[j].mode == COHORT_USE_WRITE &&
                l->cells[i].content == l->cells[j].content)
                l->cells[i].bytes = 0;
}

/* array: of the prototype; behind all of them: the result. */
static void keep_place(cohort_memo_cell *c, const cohort_memo_launch *l, int32_t array)
{
    if (l->uses == NULL) /* an update */
        return;
    c->use = &l->uses[array];
    c->use->mode = c->mode;
    c->slot = cohort_launch_slot_of_array(l->head->executable, l->slots, array);
}

/* The arrays of a mode, from the cell at `next` on. Returns the next one. */
static int32_t keep_arrays(cohort_memo *memo, const cohort_memo_launch *l, const cohort_binding *b,
                           int32_t launch, cohort_use_mode mode, int32_t next)
{
    for (int32_t i = 0; i < b->n_arrays; i++) {
        if (b->arrays[i].mode != mode)
            continue;
        cohort_memo_cell *c = &l->cells[next];
        c->argument = argument_of(memo, b->arrays[i].parameter);
        keep_array(c, &l->shapes[next++], b, launch, l, &b->arrays[i]);
        keep_place(c, l, i);
        memo->has_copies = memo->has_copies || cohort_memo_reads_copy(c);
    }
    return next;
}

static void keep_launch(cohort_memo *memo, cohort_memo_launch *l, const cohort_binder *binder,
                        int32_t launch)
{
    const cohort_binding *b = &binder->binding;
    l->replica = cohort_binding_replica(b, launch);
    l->device = cohort_binding_device(b, launch);
    keep_head(memo, l, b, launch, &binder->prepared[launch]);
    memo->n_inputs = keep_arrays(memo, l, b, launch, COHORT_USE_READ, 0);
    (void)keep_arrays(memo, l, b, launch, COHORT_USE_WRITE, memo->n_inputs);
    if (b->result != NULL) {
        cohort_memo_cell *c = &l->cells[b->n_arrays];
        c->argument = argument_of(memo, NULL);
        keep_result(c, &l->shapes[b->n_arrays], b, l);
        keep_place(c, l, b->n_arrays);
    }
    keep_written_apart(l, memo->n_cells);
}

/* The binding fills in constants for each launch; the memo has them among the numbers. */
static void keep_constants(const cohort_memo *memo)
{
    for (const cohort_memo_argument *m = memo->arguments; m < memo->arguments + memo->n_arguments;
         m++)
        if (m->part == COHORT_MEMO_CONSTANT) /* which binding has tried */
            (void)cohort_number_convert(&m->given, (cohort_dtype)m->parameter->type,
                                        memo->binding->numbers + m->value_at);
}

/* What the call is bound to, in memory that stays. It has neither rows nor parts of shards, nor
 * replicas that are absent. */
static void keep_binding(cohort_memo *memo, const cohort_binder *binder, const int32_t order[])
{
    const cohort_binding *b = &binder->binding;
    cohort_binding *kept = memo->binding;
    const cohort_binding room = *kept;
    *kept = *b;
    kept->bounds = memcpy(room.bounds, b->bounds, (size_t)b->count * sizeof *room.bounds);
    kept->numbers = room.numbers;
    if (b->signature->value_bytes > 0)
        memcpy(room.numbers, b->numbers, b->signature->value_bytes);
    kept->is_absent = room.is_absent; /* all false */
    kept->first_rows = kept->own_first_rows = NULL;
    kept->parts = NULL;
    for (int32_t i = 0; i < b->signature->n_parameters; i++)
        kept->given[i] =
            b->given[i] != NULL ? &argument_of(memo, &b->signature->parameters[i])->given : NULL;
    keep_constants(memo);
    memo->updated = b->updated->uid;
    memcpy(memo->prepared, binder->prepared, (size_t)memo->n_prepared * sizeof *memo->prepared);
    for (int32_t i = 0; i < memo->n_launches; i++)
        memo->prepared[order[i]].record = memo->launches[i].head;
}

/* A copy of what all see may lie on no place of the launch's device. */
static bool has_places(const cohort_memo *memo)
{
    bool has = true;
    for (int32_t i = 0; i < memo->n_launches; i++)
        for (int32_t j = 0; j < memo->n_cells; j++)
            has = has && (memo->launches[i].cells[j].content == NULL ||
                          memo->launches[i].cells[j].place != NULL);
    return has;
}

/* ------------------------------------------------------------------ the memo */

/* NULL: there is no room for it now, or such a call is not kept, which stays so. */
static cohort_memo *make(cohort_memos *memos, const cohort_memo_call *call, const int32_t order[],
                         bool *out_is_refused)
{
    const cohort_binder *binder = memos->binder;
    cohort_memo *memo = cohort_memo_make_block(memos, call, order);
    *out_is_refused = false;
    if (memo == NULL)
        return NULL;
    bool is_kept = keep_arguments(memo, binder, call);
    for (int32_t i = 0; i < memo->n_launches && is_kept; i++)
        keep_launch(memo, &memo->launches[i], binder, order[i]);
    if (is_kept && memo->binding != NULL)
        keep_binding(memo, binder, order);
    if (is_kept && has_places(memo))
        return memo;
    *out_is_refused = true;
    cohort_free(memo);
    return NULL;
}

void cohort_memo_keep(cohort_memos *memos, cohort_memo_way *way, const cohort_memo_call *call,
                      const int32_t order[])
{
    const cohort_binding *b = &memos->binder->binding;
    if (way == NULL)
        return;
    bool is_first = way->hash != call->hash;
    way->hash = call->hash;
    if (!cohort_admission_asks(&way->admission, is_first) || b->signature != call->signature ||
        !may_be_kept(b))
        return;
    cohort_memo_drop(memos, way);
    way->memo = make(memos, call, order, &way->admission.is_refused);
    cohort_admission_note_kept(&way->admission, way->memo != NULL);
    if (way->memo != NULL)
        *cohort_memo_bytes(memos, call) += way->memo->bytes;
}
