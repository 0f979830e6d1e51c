/* SPDX-License-Identifier: BSD-3-Clause */
/* The operands that a recorded call keeps. */
#include "config.h"

#include "runtime/value/operand.h"
#include "runtime/value/remote.h"

#include <string.h>

static cohort_status check_owner(const cohort_recorder *recorder, const cohort_strategy *owner,
                                 const char *call, const char *what)
{
    return owner == recorder->strategy
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: %s belongs to another strategy", call, what);
}

cohort_status cohort_operand_keep_value(cohort_recorder *recorder, const char *call,
                                        const cohort_value *value, const char *what)
{
    cohort_status status = cohort_recorder_use(recorder, value, COHORT_HANDLE_VALUE, call, what);
    return status < 0 ? status : check_owner(recorder, value->strategy, call, what);
}

cohort_status cohort_operand_keep_variable(cohort_recorder *recorder, const char *call,
                                           const cohort_variable *variable)
{
    cohort_status status =
        cohort_recorder_use(recorder, variable, COHORT_HANDLE_VARIABLE, call, "the variable");
    return status < 0 ? status : check_owner(recorder, variable->strategy, call, "the variable");
}

cohort_status cohort_operand_keep_values(cohort_recorder *recorder, const char *call,
                                         cohort_value *const **values, int n)
{
    cohort_status status = COHORT_OK;
    cohort_value *const *kept = cohort_recorder_copy(recorder, *values, (size_t)n, sizeof **values);
    if (kept == NULL)
        return *values == NULL && n == 0 ? COHORT_OK : COHORT_ENOMEM;
    for (int i = 0; i < n && status >= 0; i++)
        status = cohort_operand_keep_value(recorder, call, kept[i], "a value");
    *values = kept;
    return status;
}

/* The memory that the argument points to, of so many bytes. */
static cohort_status keep_bytes(cohort_recorder *recorder, cohort_argument *x, size_t bytes)
{
    const void *from = x->as.p;
    x->as.p = cohort_recorder_copy(recorder, from, bytes, 1);
    return x->as.p != NULL || from == NULL ? COHORT_OK : COHORT_ENOMEM;
}

/* The array's memory stays the caller's. */
static cohort_status keep_array(cohort_recorder *recorder, const char *call, cohort_argument *x)
{
    if (recorder->is_borrowing)
        return keep_bytes(recorder, x, sizeof(cohort_array));
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: called while a program is recorded, and an array of the caller is borrowed for one "
        "call alone: make a value of it before (cohort_value_plain, cohort_value_split), and set "
        "that between two runs of the program",
        call);
}

/* The numbers of a COHORT_EACH, which every replay reads. */
static cohort_status keep_each(cohort_recorder *recorder, cohort_argument *x)
{
    if (x->bytes != COHORT_ARGUMENT_ARRAY || x->as.p == NULL)
        return cohort_error_set(COHORT_EINVAL, "COHORT_EACH takes an array");
    cohort_status status = cohort_array_check(x->as.p, false, "COHORT_EACH");
    if (status < 0)
        return status;
    cohort_array *list = cohort_recorder_copy(recorder, x->as.p, 1, sizeof *list);
    void *numbers = list != NULL
                        ? cohort_arena_take(recorder->arena, (size_t)cohort_array_items(list),
                                            (size_t)cohort_array_item_bytes(list))
                        : NULL;
    if (numbers == NULL)
        return cohort_error_memory("a recorded call");
    cohort_array_pack(numbers, list);
    list->data = numbers;
    memset(list->strides, 0, sizeof list->strides);
    x->as.p = list;
    return COHORT_OK;
}

/* A total that does not fit into the argument. */
static cohort_status keep_share(cohort_recorder *recorder, cohort_argument *x)
{
    return x->bytes == COHORT_ARGUMENT_LONG_DOUBLE ? keep_bytes(recorder, x, sizeof(long double))
                                                   : COHORT_OK;
}

static cohort_status keep_content(cohort_recorder *recorder, const char *call, cohort_argument *x)
{
    switch (x->kind) {
    case COHORT_ARGUMENT_ARRAY:
        return keep_array(recorder, call, x);
    case COHORT_ARGUMENT_VALUE:
        return cohort_operand_keep_value(recorder, call, x->as.p, "the value");
    case COHORT_ARGUMENT_VARIABLE:
        return cohort_operand_keep_variable(recorder, call, x->as.p);
    case COHORT_ARGUMENT_LONG_DOUBLE:
        return keep_bytes(recorder, x, sizeof(long double));
    case COHORT_ARGUMENT_COMPLEX:
        return keep_bytes(recorder, x, 2 * sizeof(long double));
    case COHORT_ARGUMENT_BYTES:
        return keep_bytes(recorder, x, x->bytes);
    case COHORT_ARGUMENT_SHARE:
        return keep_share(recorder, x);
    case COHORT_ARGUMENT_EACH:
        return keep_each(recorder, x);
    case COHORT_ARGUMENT_TEXT: {
        const char *text = x->as.p;
        x->as.p = cohort_recorder_text(recorder, text);
        return x->as.p != NULL || text == NULL ? COHORT_OK : COHORT_ENOMEM;
    }
    default:
        return COHORT_OK; /* a number, a constant, or a pointer that is the program's affair */
    }
}

static cohort_status keep_list(cohort_recorder *recorder, const char *call, cohort_argument *x)
{
    cohort_value *const *values = x->as.p;
    if (x->bytes > COHORT_MAX_ARGUMENTS)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: with a list of %u values there are more than %d arguments",
                                call, x->bytes, COHORT_MAX_ARGUMENTS);
    cohort_status status = cohort_operand_keep_values(recorder, call, &values, (int)x->bytes);
    x->as.p = values;
    return status;
}

cohort_status cohort_operand_keep(cohort_recorder *recorder, const char *call, cohort_argument *x)
{
    cohort_status status = x->kind == COHORT_ARGUMENT_LIST ? keep_list(recorder, call, x)
                                                           : keep_content(recorder, call, x);
    if (status < 0 || x->name == NULL)
        return status;
    x->name = cohort_recorder_text(recorder, x->name);
    return x->name != NULL ? COHORT_OK : COHORT_ENOMEM;
}

cohort_status cohort_operand_keep_list(cohort_recorder *recorder, const char *call,
                                       const cohort_argument **arguments)
{
    cohort_status status = COHORT_OK;
    size_t n = 0;
    while ((*arguments)[n].kind != COHORT_ARGUMENT_END && n <= COHORT_MAX_ARGUMENTS)
        n++;
    if (n > COHORT_MAX_ARGUMENTS)
        return cohort_error_set(COHORT_EINVAL, "%s: more than %d arguments", call,
                                COHORT_MAX_ARGUMENTS);
    cohort_argument *kept = cohort_recorder_copy(recorder, *arguments, n + 1, sizeof *kept);
    if (kept == NULL)
        return COHORT_ENOMEM;
    for (size_t i = 0; i < n && status >= 0; i++)
        status = cohort_operand_keep(recorder, call, &kept[i]);
    *arguments = kept;
    return status;
}

void cohort_variable_describe_stores(const cohort_strategy *strategy,
                                     const cohort_variable *variable, FILE *out)
{
    (void)fprintf(out, "%s on", variable->name);
    for (int32_t i = 0; variable->remote != NULL && i < variable->remote->n; i++)
        (void)fprintf(out, "%s parameter server %d", i > 0 ? "," : "",
                      (int)variable->remote->shards[i].server);
    for (int32_t i = 0; variable->remote == NULL && i < variable->n_stores; i++)
        (void)fprintf(out, " %s",
                      cohort_strategy_context(strategy, variable->stores[i].device)->device->id);
}
