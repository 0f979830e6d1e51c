/* SPDX-License-Identifier: BSD-3-Clause */
/* An operand hides what a call reads: its value or its variable is asked in one way. An array or a
 * number of the program becomes a value for the time of the call, so that nothing above has a third
 * case. */
#include "config.h"

#include "runtime/value/operand.h"

#include "runtime/base/memory.h"
#include "runtime/base/number.h"
#include "runtime/operation/scan.h"
#include "runtime/strategy/call.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ from an argument */

/* A value of another strategy lies on lanes of another executor, whose fences mean nothing here. */
static cohort_status check_owner(const cohort_strategy *mine, const cohort_strategy *owner,
                                 const char *call, const char *what)
{
    return mine == owner ? COHORT_OK
                         : cohort_error_set(COHORT_EINVAL, "%s: the %s belongs to another strategy",
                                            call, what);
}

static cohort_status take_value(cohort_operand *out, cohort_strategy *s, cohort_value *value,
                                const char *call)
{
    cohort_status status = cohort_handle_check(value, COHORT_HANDLE_VALUE, call, "the value");
    if (status >= 0)
        status = check_owner(s, value->strategy, call, "value");
    if (status >= 0 && value->kind == COHORT_EMPTY_VALUE)
        status = cohort_error_set(COHORT_EINVAL, "%s: nothing has written the value", call);
    out->value = value;
    return status;
}

static cohort_status take_variable(cohort_operand *out, cohort_strategy *s,
                                   cohort_variable *variable, const char *call)
{
    cohort_status status =
        cohort_handle_check(variable, COHORT_HANDLE_VARIABLE, call, "the variable");
    if (status >= 0)
        status = check_owner(s, variable->strategy, call, "variable");
    if (status >= 0)
        status = cohort_variable_check_readable(variable, call);
    out->variable = variable;
    return status;
}

static cohort_status borrow(cohort_operand *out, cohort_strategy *s, const cohort_array *array)
{
    out->value = cohort_value_borrow(s, array);
    out->is_borrowed = out->value != NULL;
    return out->value != NULL ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status take_number(cohort_operand *out, cohort_strategy *s, const cohort_argument *x,
                                 const char *call)
{
    cohort_dtype dtype = cohort_number_dtype(x);
    _Alignas(16) char item[16];
    cohort_status status = cohort_number_convert(x, dtype, item);
    if (status < 0)
        return cohort_error_prefix(status, "%s", call);
    out->value = cohort_value_borrow_number(s, dtype, item);
    out->is_borrowed = out->value != NULL;
    return out->value != NULL ? COHORT_OK : COHORT_ENOMEM;
}

cohort_status cohort_operand_begin(cohort_operand *out, cohort_strategy *s,
                                   const cohort_argument *x, const char *call)
{
    *out = (cohort_operand){ NULL, NULL, false };
    if (x->kind == COHORT_ARGUMENT_VALUE)
        return take_value(out, s, cohort_memory_own(x->as.p), call);
    if (x->kind == COHORT_ARGUMENT_VARIABLE)
        return take_variable(out, s, cohort_memory_own(x->as.p), call);
    if (x->kind == COHORT_ARGUMENT_ARRAY) {
        cohort_status status = cohort_array_check(x->as.p, false, call);
        return status >= 0 ? borrow(out, s, x->as.p) : status;
    }
    if (cohort_number_is(x))
        return take_number(out, s, x, call);
    return cohort_error_set(COHORT_EINVAL, "%s: takes a value, a variable, a number or an array",
                            call);
}

/* Dropping gives the borrowed memory back behind everything that was posted with it. */
void cohort_operand_end(cohort_operand *operand)
{
    if (operand->is_borrowed)
        cohort_value_drop(operand->value);
    operand->is_borrowed = false;
}

/* A destroyed value still knows its strategy for a while (base/handle.h), so that the error goes
 * there. */
static cohort_strategy *strategy_of_value(const cohort_value *value)
{
    return cohort_handle_is(value, COHORT_HANDLE_VALUE)
               ? value->strategy
               : cohort_call_owner(value, COHORT_HANDLE_VALUE);
}

cohort_strategy *cohort_operand_strategy_of_variable(const cohort_variable *variable)
{
    return cohort_handle_is(variable, COHORT_HANDLE_VARIABLE)
               ? variable->strategy
               : cohort_call_owner(variable, COHORT_HANDLE_VARIABLE);
}

cohort_strategy *cohort_operand_strategy(const cohort_argument *x)
{
    if (x->kind == COHORT_ARGUMENT_VALUE)
        return strategy_of_value(x->as.p);
    if (x->kind == COHORT_ARGUMENT_VARIABLE)
        return cohort_operand_strategy_of_variable(x->as.p);
    return NULL;
}

/* For calls that look at the object before they begin an operand with it. */
cohort_status cohort_operand_check(const cohort_argument *x, const char *call)
{
    if (x->kind == COHORT_ARGUMENT_VALUE)
        return cohort_handle_check(x->as.p, COHORT_HANDLE_VALUE, call, "the value");
    if (x->kind == COHORT_ARGUMENT_VARIABLE)
        return cohort_handle_check(x->as.p, COHORT_HANDLE_VARIABLE, call, "the variable");
    return COHORT_OK;
}

cohort_strategy *cohort_operand_strategy_of_values(cohort_value *const values[], int n)
{
    cohort_strategy *s = NULL;
    for (int i = 0; values != NULL && i < n && s == NULL; i++)
        s = strategy_of_value(values[i]);
    return s;
}

cohort_strategy *cohort_operand_strategy_of_list(const cohort_argument arguments[])
{
    cohort_strategy *s = NULL;
    for (int32_t i = 0; arguments != NULL && s == NULL && i <= COHORT_MAX_ARGUMENTS &&
                        arguments[i].kind != COHORT_ARGUMENT_END;
         i++)
        s = arguments[i].kind == COHORT_ARGUMENT_LIST
                ? cohort_operand_strategy_of_values(arguments[i].as.p, (int)arguments[i].bytes)
                : cohort_operand_strategy(&arguments[i]);
    return s;
}

/* ------------------------------------------------------------------ looking and placing */

const cohort_strategy *cohort_operand_owner(const cohort_operand *o)
{
    return o->variable != NULL ? o->variable->strategy : o->value->strategy;
}

bool cohort_operand_is_per_replica(const cohort_operand *o)
{
    return o->variable != NULL ? o->variable->is_per_replica
                               : o->value->kind == COHORT_PER_REPLICA_VALUE;
}

int32_t cohort_operand_logical(const cohort_operand *o)
{
    return o->variable != NULL ? o->variable->logical : cohort_value_logical(o->value);
}

/* A variable is always FILLED here: begin has refused one without content. */
cohort_component cohort_operand_look(const cohort_operand *o, int32_t replica)
{
    if (o->variable != NULL)
        return (cohort_component){ o->variable->dtype, o->variable->item_bytes,
                                   o->variable->extents, COHORT_CONTENT_FILLED };
    const cohort_content *c = cohort_value_content(o->value, replica);
    return (cohort_component){ c->dtype, c->item_bytes, c->extents, c->state };
}

/* Where a variable can be read without moving it, home first. Shards have to be put together
 * anyway, and that is done at home. */
static int32_t device_of_variable(const cohort_variable *v)
{
    bool is_home_good = v->is_sharded || cohort_variable_store_for(v, v->strategy->home) >= 0;
    return is_home_good ? v->strategy->home : v->stores[0].device;
}

int32_t cohort_operand_device(const cohort_operand *o, int32_t replica)
{
    if (!cohort_operand_is_per_replica(o))
        return o->variable != NULL ? device_of_variable(o->variable)
                                   : cohort_operand_owner(o)->home;
    return o->variable != NULL ? o->variable->stores[replica].device
                               : cohort_value_device(o->value, replica);
}

/* Of a value the replica's content is prepared, of a variable the device alone counts. */
cohort_status cohort_operand_prepare(const cohort_operand *o, int32_t replica, int32_t device)
{
    if (o->variable != NULL)
        return cohort_variable_prepare_read(o->variable, device);
    return cohort_places_prepare(&cohort_value_content(o->value, replica)->places,
                                 o->value->strategy->executor, device);
}

cohort_buffer *cohort_operand_place(const cohort_operand *o, int32_t replica, int32_t device)
{
    if (o->variable != NULL)
        return cohort_variable_place_read(o->variable, replica, device);
    return cohort_content_place_read(cohort_value_content(o->value, replica),
                                     o->value->strategy->executor, device);
}

static void describe(const cohort_operand *o, int32_t replica, int32_t device, const char *call,
                     char *out, size_t size)
{
    char who[32] = "every replica";
    if (cohort_operand_is_per_replica(o))
        (void)snprintf(who, sizeof who, "replica %d",
                       cohort_strategy_replica_id(cohort_operand_owner(o), replica));
    (void)snprintf(out, size, "%s: the contribution of %s on %s", call, who,
                   cohort_strategy_context(cohort_operand_owner(o), device)->device->id);
}

cohort_buffer *cohort_operand_place_guarded(const cohort_operand *o, int32_t replica,
                                            int32_t device, const char *call)
{
    char subject[COHORT_SCAN_SUBJECT_BYTES];
    cohort_buffer *buffer = cohort_operand_place(o, replica, device);
    if (cohort_operand_owner(o)->guard == COHORT_GUARD_PROPAGATE)
        return buffer;
    cohort_component c = cohort_operand_look(o, replica);
    describe(o, replica, device, call, subject, sizeof subject);
    cohort_scan_post(buffer, c.dtype, (uint64_t)cohort_component_items(&c), subject);
    return buffer;
}

/* ------------------------------------------------------------------ a range of bytes */

/* Memory of the content's own may be gone before a device looks: it is given back behind the users
 * of the places' buffers (content.c), and this buffer is none of these. So it is copied now, as is
 * memory that may change. */
static void upload_range(const cohort_content *c, uint64_t offset, uint64_t bytes,
                         cohort_buffer *into)
{
    const char *from = (const char *)c->source + offset;
    bool is_lasting = !c->is_copied && c->owned == NULL;
    if (is_lasting) {
        cohort_transfer_upload(into, from, bytes);
        return;
    }
    cohort_transfer_upload_copy(into, 0, from, bytes, "a value");
}

/* The bytes come from a copy that a device has, else from the source; a whole copy on this device,
 * which would cost more than the range, is not made. */
void cohort_operand_copy_range(const cohort_operand *o, int32_t replica, uint64_t offset,
                               uint64_t bytes, cohort_buffer *into)
{
    if (bytes == 0)
        return;
    if (o->variable != NULL) {
        cohort_variable_copy_range(o->variable, replica, offset, bytes, into);
        return;
    }
    cohort_content *c = cohort_value_content(o->value, replica);
    cohort_buffer *from = cohort_places_find(&c->places, into->context);
    cohort_content_note_read(c);
    if (from != NULL)
        cohort_transfer_copy_blocks(into, 0, 0, from, offset, 0, bytes, 1);
    else
        upload_range(c, offset, bytes, into);
}

cohort_status cohort_operand_fetch(const cohort_operand *o, int32_t replica, void *into,
                                   uint64_t bytes)
{
    int32_t device = cohort_operand_device(o, replica);
    if (bytes == 0)
        return COHORT_OK;
    cohort_status status = cohort_operand_prepare(o, replica, device);
    if (status < 0)
        return status;
    cohort_buffer *buffer = cohort_operand_place(o, replica, device);
    if (o->variable != NULL)
        cohort_variable_wait_complete(o->variable);
    return cohort_transfer_fetch(buffer, into, bytes);
}
