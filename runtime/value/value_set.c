/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort_value_set: the next content of a value that the program made. */
#include "config.h"

#include "runtime/operation/ledger.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"
#include "runtime/value/operand.h"
#include "runtime/value/value_content.h"

static cohort_status number_of(const cohort_argument *content, double *out)
{
    switch (content->kind) {
    case COHORT_ARGUMENT_INT:
        *out = (double)content->as.i;
        return COHORT_OK;
    case COHORT_ARGUMENT_UINT:
        *out = (double)content->as.u;
        return COHORT_OK;
    case COHORT_ARGUMENT_REAL:
        *out = content->as.f;
        return COHORT_OK;
    default:
        return cohort_error_set(
            COHORT_EINVAL, "cohort_value_set: a value made by cohort_value_number takes a number");
    }
}

/* In a trial: all that cohort_value_fill_number leaves, but for what it gives back. */
static void foresee_number(cohort_value *value, double number)
{
    cohort_content *content = &value->plain;
    value->number = number;
    cohort_value_take_kind(value, COHORT_PLAIN_VALUE);
    cohort_content_take_shape(content, COHORT_F64, cohort_dtype_bytes(COHORT_F64),
                              &(cohort_extents){ .rank = 0 });
    content->source_epoch = cohort_content_renew(content);
}

static cohort_status set_number(cohort_value *value, const cohort_argument *content)
{
    double number = 0;
    cohort_status status = number_of(content, &number);
    if (status < 0)
        return status;
    cohort_ledger_say_repeatable(value->strategy->executor);
    if (!value->strategy->is_trial)
        return cohort_value_fill_number(value, &number);
    foresee_number(value, number);
    return COHORT_OK;
}

static cohort_status check_next(const cohort_value *value, const cohort_argument *content)
{
    if (value->origin == COHORT_VALUE_OUTPUT || value->origin == COHORT_VALUE_PARTS)
        return cohort_error_set(
            COHORT_EINVAL,
            "cohort_value_set: only values made by cohort_value_number, _plain and _split "
            "can be set");
    if (content->kind != COHORT_ARGUMENT_ARRAY)
        return cohort_error_set(COHORT_EINVAL, "cohort_value_set: this value takes an array");
    const cohort_array *array = content->as.p;
    const cohort_content *old = cohort_value_content(value, 0);
    if (array->dtype != old->dtype || array->rank != old->extents.rank ||
        cohort_array_item_bytes(array) != old->item_bytes)
        return cohort_error_set(
            COHORT_EINVAL, "cohort_value_set: the value is %s of rank %d, the array %s of rank %d",
            cohort_dtype_name(old->dtype), old->extents.rank, cohort_dtype_name(array->dtype),
            array->rank);
    return COHORT_OK;
}

static cohort_status set_content(cohort_value *value, const cohort_argument *content)
{
    if (value->origin == COHORT_VALUE_NUMBER)
        return set_number(value, content);
    cohort_status status = check_next(value, content);
    if (status < 0)
        return status;
    return value->origin == COHORT_VALUE_SPLIT ? cohort_value_fill_split(value, content->as.p)
                                               : cohort_value_fill_plain(value, content->as.p);
}

typedef struct set_request {
    cohort_value *value;
    cohort_argument content;
    const char *site;
} set_request;

/* Another value than a number gets an array, which cannot be kept. */
static cohort_status keep_set(cohort_recorder *recorder, const char *call, void *request)
{
    set_request *r = request;
    cohort_status status = cohort_operand_keep_value(recorder, call, r->value, "the value");
    return status < 0 ? status : cohort_operand_keep(recorder, call, &r->content);
}

static cohort_status run_set(cohort_strategy *strategy, const void *request)
{
    const set_request *r = request;
    (void)strategy;
    return set_content(r->value, &r->content);
}

static void describe_set(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)strategy;
    (void)request;
    (void)fprintf(out, "a number");
}

/* What others are set to is looked at when it is used. */
static void agree_on_set(cohort_strategy *strategy, const void *request)
{
    const set_request *r = request;
    if (r->value->is_agreed || cohort_recorder_here(strategy) != NULL)
        cohort_agreement_note(strategy, cohort_agreement_add(0, &r->content), "cohort_value_set",
                              NULL, r->site);
}

cohort_status cohort_value_set_argument(const char *site, cohort_value *value,
                                        cohort_argument content)
{
    static const cohort_recordable set = { .bytes = sizeof(set_request),
                                           .keep = keep_set,
                                           .run = run_set,
                                           .describe = describe_set,
                                           .agree = agree_on_set };
    cohort_status status = cohort_call_about(value, COHORT_HANDLE_VALUE, "cohort_value_set",
                                             "the value", cohort_operand_strategy(&content));
    const set_request request = { value, content, site };
    return status < 0 ? status
                      : cohort_call_make(value->strategy, "cohort_value_set", &set, &request);
}
