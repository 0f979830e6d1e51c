/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/value/number.h"

#include <string.h>

/* ------------------------------------------------------------------ making and freeing */

static void destroy_variable(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    cohort_strategy_disown(dependent);
    for (int32_t i = 0; v->copies != NULL && i < v->n_copies; i++) {
        cohort_buffer_destroy(v->copies[i].buffers[0]);
        cohort_buffer_destroy(v->copies[i].buffers[1]);
    }
    if (v->copies != NULL) /* executors still count in them */
        cohort_crew_wait_all(v->strategy->crew);
    if (!cohort_crew_has_lost(v->strategy->crew))
        cohort_free(v->copies);
    cohort_free(v->updated);
    cohort_free(v->last);
    cohort_free(v->devices);
    cohort_free(v->results);
    cohort_free(v->name);
    cohort_free(v);
}

/* Back to the last version that all copies have. */
static void settle_variable(cohort_dependent *dependent)
{
    cohort_variable *v = (cohort_variable *)dependent;
    uint64_t complete = UINT64_MAX;
    for (int32_t i = 0; i < v->n_copies; i++) {
        uint64_t done = atomic_load(&v->copies[i].done);
        complete = done < complete ? done : complete;
    }
    for (int32_t i = 0; i < v->n_copies; i++) {
        atomic_store(&v->copies[i].done, complete);
        (void)cohort_buffer_settle(v->copies[i].buffers[0]);
        (void)cohort_buffer_settle(v->copies[i].buffers[1]);
    }
    v->version = complete;
    memset(v->updated, 0, 2 * (size_t)v->strategy->crew->n_lanes * sizeof *v->updated);
}

static cohort_status check_name(cohort_strategy *s, const char *name)
{
    if (name == NULL || name[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: a variable needs a name");
    if (strnlen(name, COHORT_LIMIT_VARIABLE_NAME_BYTES + 1) > COHORT_LIMIT_VARIABLE_NAME_BYTES)
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: the name '%.32s...' has more than %d bytes", name,
                                COHORT_LIMIT_VARIABLE_NAME_BYTES);
    if (cohort_variable_find(s, name) != NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_variable_create: the strategy has a variable '%s' already", name);
    return COHORT_OK;
}

static cohort_status check_options(cohort_strategy *s, const char *name, const cohort_variable_options *options)
{
    for (size_t i = 0; options != NULL && i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "variable '%s': reserved[%zu] of the options is not zero", name, i);
    if (options != NULL && options->colocate_with != NULL && options->colocate_with->strategy != s)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': colocate_with is '%s', which belongs to another strategy", name,
                                options->colocate_with->name);
    return COHORT_OK;
}

static cohort_status choose_places(cohort_variable *v, const cohort_variable_options *options)
{
    const cohort_strategy *s = v->strategy;
    v->devices = cohort_allocate((size_t)s->n_devices, sizeof *v->devices);
    if (v->devices == NULL)
        return cohort_error_memory("a variable");
    const cohort_variable *with = options != NULL ? options->colocate_with : NULL;
    if (with != NULL)
        memcpy(v->devices, with->devices, (size_t)with->n_copies * sizeof *v->devices);
    v->n_copies = with != NULL ? with->n_copies : s->placement->place(s->n_devices, v->devices);
    return COHORT_OK;
}

static cohort_status make_copies(cohort_variable *v)
{
    cohort_crew *crew = v->strategy->crew;
    v->updated = cohort_allocate(2 * (size_t)crew->n_lanes, sizeof *v->updated);
    v->copies = cohort_allocate((size_t)v->n_copies, sizeof *v->copies);
    v->last = cohort_allocate((size_t)v->n_copies, sizeof *v->last);
    if (v->updated == NULL || v->copies == NULL || v->last == NULL)
        return cohort_error_memory("a variable");
    for (int32_t i = 0; i < v->n_copies; i++)
        for (int j = 0; j < 2; j++)
            if ((v->copies[i].buffers[j] = cohort_buffer_create(crew, crew->opened[v->devices[i]])) == NULL)
                return COHORT_ENOMEM;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ updates */

typedef struct update_op {
    cohort_op op;
    cohort_buffer *current, *next;
    uint64_t bytes;
    bool keep;
    _Atomic uint64_t *done; /* of a copy, to be set; or NULL */
    uint64_t version;
} update_op;

static cohort_status do_start(cohort_lane *lane, cohort_op *op)
{
    update_op *u = (update_op *)op;
    (void)lane;
    return u->keep ? cohort_opened_copy(u->next->opened, u->next->mem, 0, u->current->mem, 0, u->bytes) : COHORT_OK;
}

static cohort_status do_commit(cohort_lane *lane, cohort_op *op)
{
    update_op *u = (update_op *)op;
    (void)lane;
    atomic_store_explicit(u->done, u->version, memory_order_release);
    return COHORT_OK;
}

static update_op *begin(cohort_variable *v, int32_t copy, cohort_op_fn run)
{
    update_op *u = cohort_crew_begin(v->strategy->crew, cohort_strategy_opened(v->strategy, v->devices[copy]), sizeof *u, run);
    if (u == NULL)
        return NULL;
    u->op.subject = v->name;
    u->current = cohort_variable_current(v, copy);
    u->next = v->copies[copy].buffers[(v->version + 1) & 1];
    u->bytes = v->bytes;
    u->done = &v->copies[copy].done;
    u->version = v->version + 1;
    return u;
}

cohort_buffer *cohort_variable_start_update(cohort_variable *v, int32_t copy, bool keep)
{
    cohort_crew *crew = v->strategy->crew;
    cohort_buffer *current = cohort_variable_current(v, copy), *next = v->copies[copy].buffers[(v->version + 1) & 1];
    cohort_buffer_require(next, v->bytes);
    cohort_crew_need_nothing(crew);
    for (int32_t i = 0; i < 2 * crew->n_lanes; i++)
        cohort_crew_need(crew, i, v->updated[i]);
    cohort_buffer_need_write(next);
    if (keep)
        cohort_buffer_need_read(current);
    update_op *u = begin(v, copy, do_start);
    if (u == NULL)
        return next;
    u->keep = keep && v->bytes > 0;
    cohort_tick tick = cohort_crew_post(crew, next->opened, &u->op);
    cohort_buffer_note_write(next, tick, true);
    if (keep)
        cohort_buffer_note_read(current, tick);
    return next;
}

void cohort_variable_finish_update(cohort_variable *v, const cohort_tick last[])
{
    memset(v->updated, 0, 2 * (size_t)v->strategy->crew->n_lanes * sizeof *v->updated);
    for (int32_t i = 0; i < v->n_copies; i++)
        if (last[i].lane != NULL && v->updated[last[i].lane->index] < last[i].number)
            v->updated[last[i].lane->index] = last[i].number;
    v->version++;
}

/* The copy is complete once `next` is written. */
static cohort_tick post_commit(cohort_variable *v, int32_t copy, cohort_buffer *next)
{
    cohort_crew_need_nothing(v->strategy->crew);
    cohort_buffer_need_read(next);
    update_op *u = begin(v, copy, do_commit);
    return u != NULL ? cohort_crew_post(v->strategy->crew, next->opened, &u->op) : (cohort_tick){ NULL, 0 };
}

/* ------------------------------------------------------------------ assigning */

/* What every copy gets: a row-major block, or a plain value. */
typedef struct assignment {
    const void *block;
    cohort_content *content;
} assignment;

static void write_copy(cohort_variable *v, int32_t copy, const assignment *from, cohort_buffer *next)
{
    cohort_crew *crew = v->strategy->crew;
    if (v->bytes == 0)
        return;
    if (from->content != NULL) {
        cohort_transfer_copy(next, cohort_content_place_read(from->content, crew, v->devices[copy]), v->bytes);
        return;
    }
    void *block = cohort_allocate_aligned(v->bytes, 64);
    if (block == NULL) {
        cohort_failure_raise(&crew->failure, cohort_error_memory("the content of a variable"));
        return;
    }
    memcpy(block, from->block, v->bytes);
    cohort_transfer_upload_taken(next, 0, block, v->bytes);
}

static cohort_status assign_all(cohort_variable *v, const assignment *from)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < v->n_copies && from->content != NULL && status >= 0; i++)
        status = cohort_content_prepare(from->content, v->strategy->crew, v->devices[i]);
    if (status < 0)
        return status;
    for (int32_t i = v->n_copies - 1; i >= 0; i--) { /* the caller's own device, mostly the first, comes last */
        cohort_buffer *next = cohort_variable_start_update(v, i, false);
        write_copy(v, i, from, next);
        v->last[i] = post_commit(v, i, next);
    }
    cohort_variable_finish_update(v, v->last);
    return COHORT_OK;
}

static cohort_status check_same(const cohort_variable *v, cohort_dtype dtype, int64_t item_bytes, int32_t rank,
                                const int64_t shape[])
{
    bool is_same = dtype == v->dtype && item_bytes == v->item_bytes && rank == v->extents.rank;
    for (int32_t i = 0; i < rank && is_same; i++)
        is_same = shape[i] == v->extents.shape[i];
    if (is_same)
        return COHORT_OK;
    char has[128], got[128];
    return cohort_error_set(COHORT_EINVAL, "variable '%s' is %s, what is assigned is %s", v->name,
                            cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has),
                            cohort_shape_to_string(dtype, rank, shape, got));
}

static cohort_status assign_array(cohort_variable *v, const cohort_array *array)
{
    cohort_status status = cohort_array_check(array, false, v->name);
    if (status >= 0)
        status = check_same(v, array->dtype, cohort_array_item_bytes(array), array->rank, array->shape);
    if (status < 0)
        return status;
    void *packed = cohort_array_is_row_major(array) ? NULL : cohort_allocate_aligned(v->bytes, 64);
    if (packed == NULL && !cohort_array_is_row_major(array))
        return cohort_error_memory("an assignment");
    if (packed != NULL)
        cohort_array_pack(packed, array);
    status = assign_all(v, &(assignment){ .block = packed != NULL ? packed : array->data });
    cohort_free(packed);
    return status;
}

static cohort_status assign_value(cohort_variable *v, const cohort_value *value)
{
    if (value == NULL)
        return cohort_error_null(v->name, "the value to assign");
    if (value->strategy != v->strategy)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': the value to assign belongs to another strategy", v->name);
    if (value->kind != COHORT_PLAIN_VALUE)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': only a plain value can be assigned; %s", v->name,
                                value->kind == COHORT_EMPTY_VALUE ? "nothing has written this one"
                                                                  : "combine this one with cohort_reduce first");
    const cohort_content *c = &value->plain;
    if (c->state != COHORT_CONTENT_FILLED)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': the call that was to write the value failed", v->name);
    cohort_status status = check_same(v, c->dtype, c->item_bytes, c->extents.rank, c->extents.shape);
    return status >= 0 ? assign_all(v, &(assignment){ .content = (cohort_content *)c }) : status;
}

static cohort_status assign_number(cohort_variable *v, const cohort_argument *number)
{
    _Alignas(16) char item[16];
    cohort_status status = cohort_number_convert(number, v->dtype, item);
    if (status < 0)
        return cohort_error_prefix(status, "variable '%s'", v->name);
    char *block = status >= 0 ? cohort_allocate_aligned(v->bytes, 64) : NULL;
    if (status < 0)
        return status;
    if (block == NULL)
        return cohort_error_memory("an assignment");
    for (uint64_t i = 0; i < v->bytes; i += (uint64_t)v->item_bytes)
        memcpy(block + i, item, (size_t)v->item_bytes);
    status = assign_all(v, &(assignment){ .block = block });
    cohort_free(block);
    return status;
}

static cohort_status assign(cohort_variable *v, const cohort_argument *content)
{
    switch (content->kind) {
    case COHORT_ARGUMENT_ARRAY:
        return assign_array(v, content->as.p);
    case COHORT_ARGUMENT_VALUE:
        return assign_value(v, content->as.p);
    case COHORT_ARGUMENT_INT:
    case COHORT_ARGUMENT_UINT:
    case COHORT_ARGUMENT_REAL:
    case COHORT_ARGUMENT_LONG_DOUBLE:
    case COHORT_ARGUMENT_COMPLEX:
        return assign_number(v, content);
    default:
        return cohort_error_set(COHORT_EINVAL, "variable '%s': a number, an array or a plain value can be assigned", v->name);
    }
}

cohort_status cohort_variable_assign_argument(cohort_variable *variable, cohort_argument content)
{
    if (variable == NULL)
        return cohort_error_null("cohort_variable_assign", "the variable");
    cohort_status status = cohort_strategy_enter(variable->strategy, "cohort_variable_assign");
    if (status < 0)
        return status;
    return cohort_strategy_advance(variable->strategy, assign(variable, &content));
}

/* ------------------------------------------------------------------ creating */

static cohort_status create(cohort_variable *v, const char *name, const cohort_array *initial,
                            const cohort_variable_options *options)
{
    cohort_status status = check_name(v->strategy, name);
    if (status >= 0)
        status = cohort_array_check(initial, true, name);
    if (status >= 0)
        status = check_options(v->strategy, name, options);
    if (status >= 0 && (v->name = cohort_string_copy(name)) == NULL)
        status = cohort_error_memory("a variable");
    if (status < 0)
        return status;
    v->dtype = initial->dtype;
    v->item_bytes = cohort_array_item_bytes(initial);
    v->extents.rank = initial->rank;
    memcpy(v->extents.shape, initial->shape, sizeof v->extents.shape);
    v->bytes = (uint64_t)(cohort_array_items(initial) * v->item_bytes);
    status = choose_places(v, options);
    return status >= 0 ? make_copies(v) : status;
}

static cohort_status fill(cohort_variable *v, const cohort_array *initial)
{
    if (initial->data != NULL || v->bytes == 0)
        return assign_array(v, initial);
    void *zeros = cohort_allocate(v->bytes, 1);
    cohort_status status = zeros != NULL ? assign_all(v, &(assignment){ .block = zeros }) : cohort_error_memory("a variable");
    cohort_free(zeros);
    return status;
}

cohort_variable *cohort_variable_create(cohort_strategy *strategy, const char *name, cohort_array initial,
                                        const cohort_variable_options *options)
{
    if (cohort_strategy_enter(strategy, "cohort_variable_create") < 0)
        return NULL;
    cohort_variable *v = cohort_allocate(1, sizeof *v);
    cohort_status status = v != NULL ? COHORT_OK : cohort_error_memory("a variable");
    if (v != NULL) {
        v->strategy = strategy;
        v->dependent = (cohort_dependent){ .destroy = destroy_variable, .settle = settle_variable };
        status = create(v, name, &initial, options);
        cohort_strategy_adopt(strategy, &v->dependent);
        if (status >= 0)
            status = fill(v, &initial);
        if (status < 0)
            destroy_variable(&v->dependent);
    }
    return cohort_strategy_advance(strategy, status) >= 0 ? v : NULL;
}

void cohort_variable_destroy(cohort_variable *variable)
{
    cohort_strategy *strategy = variable != NULL ? variable->strategy : NULL;
    if (strategy == NULL || cohort_strategy_enter_broken(strategy, "cohort_variable_destroy") < 0)
        return;
    destroy_variable(&variable->dependent);
    cohort_strategy_leave(strategy);
}

/* ------------------------------------------------------------------ looking and reading */

cohort_variable *cohort_variable_find(cohort_strategy *strategy, const char *name)
{
    if (strategy == NULL || name == NULL)
        return NULL;
    for (cohort_dependent *d = strategy->dependents.next; d != &strategy->dependents; d = d->next)
        if (d->destroy == destroy_variable && strcmp(((cohort_variable *)d)->name, name) == 0)
            return (cohort_variable *)d;
    return NULL;
}

const char *cohort_variable_name(const cohort_variable *variable)
{
    return variable != NULL ? variable->name : "";
}

cohort_strategy *cohort_variable_strategy(const cohort_variable *variable)
{
    return variable != NULL ? variable->strategy : NULL;
}

int32_t cohort_variable_copy_on(const cohort_variable *v, int32_t device)
{
    for (int32_t i = 0; i < v->n_copies; i++)
        if (v->devices[i] == device)
            return i;
    return -1;
}

static cohort_status read_into(cohort_variable *v, const cohort_array *into)
{
    cohort_crew *crew = v->strategy->crew;
    int32_t home = cohort_variable_copy_on(v, v->strategy->home);
    cohort_buffer *buffer = cohort_variable_current(v, home >= 0 ? home : 0);
    void *staging = cohort_allocate_aligned(v->bytes, 64);
    if (staging == NULL)
        return cohort_error_memory("reading a variable");
    cohort_crew_wait(crew, cohort_transfer_download(buffer, 0, staging, v->bytes));
    cohort_status status = cohort_failure_tell(&crew->failure);
    if (status >= 0)
        cohort_array_unpack(into, staging);
    if (!cohort_crew_has_lost(crew))
        cohort_free(staging);
    return status;
}

cohort_status cohort_variable_read(cohort_variable *variable, cohort_array into)
{
    if (variable == NULL)
        return cohort_error_null("cohort_variable_read", "the variable");
    cohort_variable *v = variable;
    cohort_status status = cohort_strategy_enter(v->strategy, "cohort_variable_read");
    if (status < 0)
        return status;
    status = cohort_array_check(&into, false, "cohort_variable_read");
    if (status >= 0 && v->version == 0)
        status = cohort_error_set(COHORT_EINVAL, "variable '%s' never got its content; assign it", v->name);
    if (status >= 0 && (into.dtype != v->dtype || cohort_array_item_bytes(&into) != v->item_bytes ||
                        (uint64_t)(cohort_array_items(&into) * v->item_bytes) != v->bytes)) {
        char has[128], got[128];
        status = cohort_error_set(COHORT_EINVAL, "variable '%s' is %s, the array %s", v->name,
                                  cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has),
                                  cohort_shape_to_string(into.dtype, into.rank, into.shape, got));
    }
    if (status >= 0 && v->bytes > 0)
        status = read_into(v, &into);
    cohort_strategy_leave(v->strategy);
    return status;
}
