/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes of a kernel's launch: up to three expressions, parsed when a body is chosen for a
 * device, evaluated in each launch. */
#include "config.h"

#include "runtime/function/geometry.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/expression.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DIMS = 3 };

/* ---- Parsing */

static cohort_status parse_list(cohort_lexer *lexer, cohort_arena *arena,
                                cohort_expression list[MAX_DIMS], int32_t *out_dims)
{
    cohort_status status = COHORT_OK;
    bool has_more = true;
    *out_dims = 0;
    while (status == COHORT_OK && has_more) {
        if (*out_dims == MAX_DIMS)
            return cohort_lexer_error(lexer, lexer->token, "more than %d dimensions", MAX_DIMS);
        status = cohort_expression_parse(lexer, arena, &list[(*out_dims)++]);
        if (status == COHORT_OK)
            status = cohort_lexer_accept(lexer, ",", &has_more);
    }
    if (status == COHORT_OK && lexer->token.kind != COHORT_TOKEN_END)
        status = cohort_lexer_error(lexer, lexer->token,
                                    "the geometry ends before this; sizes are divided by commas");
    return status;
}

static cohort_status parse_sizes(cohort_arena *arena, const cohort_signature *signature,
                                 const char *text, cohort_expression list[MAX_DIMS],
                                 int32_t *out_dims)
{
    cohort_lexer lexer;
    cohort_status status = cohort_lexer_init(&lexer, signature->name, text);
    if (status == COHORT_OK)
        status = parse_list(&lexer, arena, list, out_dims);
    for (int32_t i = 0; status == COHORT_OK && i < *out_dims; i++)
        status = cohort_expression_link(&lexer, signature->parameters, signature->n_parameters,
                                        &list[i]);
    return status;
}

/* One that goes with the global size: "the local size", "the offset". NULL: there is none. */
static cohort_status parse_beside(cohort_geometry *geometry, const cohort_signature *signature,
                                  const char *what, const char *text, const char *global,
                                  cohort_expression list[MAX_DIMS], bool *out_has)
{
    int32_t dims = 0;
    *out_has = text != NULL;
    if (text == NULL)
        return COHORT_OK;
    cohort_status status = parse_sizes(&geometry->arena, signature, text, list, &dims);
    if (status == COHORT_OK && dims != geometry->dims)
        status = cohort_error_set(
            COHORT_EINVAL, "%s: the %s \"%s\" has %d dimensions, the global size \"%s\" %d",
            signature->name, what, text, (int)dims, global, (int)geometry->dims);
    return status;
}

static cohort_status parse_all(cohort_geometry *geometry, const cohort_signature *signature,
                               const cohort_geometry_texts *texts)
{
    cohort_status status =
        parse_sizes(&geometry->arena, signature, texts->global, geometry->global, &geometry->dims);
    if (status == COHORT_OK)
        status = parse_beside(geometry, signature, "local size", texts->local, texts->global,
                              geometry->local, &geometry->has_local);
    if (status == COHORT_OK)
        status = parse_beside(geometry, signature, "offset", texts->offset, texts->global,
                              geometry->offset, &geometry->has_offset);
    return status;
}

cohort_status cohort_geometry_init(cohort_geometry *geometry, const cohort_signature *signature,
                                   const cohort_geometry_texts *texts)
{
    const char *beside = texts->local != NULL ? texts->local : texts->offset;
    *geometry = (cohort_geometry){ 0 };
    if (texts->global == NULL && beside != NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: %s \"%s\" without a global size",
                                signature->name,
                                texts->local != NULL ? "a local size" : "an offset", beside);
    if (texts->global == NULL)
        return COHORT_OK;
    cohort_status status = parse_all(geometry, signature, texts);
    if (status != COHORT_OK)
        cohort_geometry_fini(geometry);
    return status;
}

void cohort_geometry_of_items(cohort_geometry *geometry, const cohort_signature *signature)
{
    _Static_assert((int)COHORT_MAX_INDICES == (int)MAX_DIMS, "each index has its dimension");
    *geometry = (cohort_geometry){ .dims = signature->n_indices };
    for (int32_t i = 0; i < geometry->dims; i++)
        geometry->global[i] = signature->counts[geometry->dims - 1 - i];
}

void cohort_geometry_fini(cohort_geometry *geometry)
{
    cohort_arena_free(&geometry->arena);
    *geometry = (cohort_geometry){ 0 };
}

/* ---- Evaluating */

enum { SIZE_TEXT_BYTES = 128 };

/* "n (16)"; only "16" where the expression is that number. */
static const char *size_text(const cohort_expression *expression, int64_t value,
                             char text[SIZE_TEXT_BYTES])
{
    (void)snprintf(text, SIZE_TEXT_BYTES, "%lld", (long long)value);
    if (strcmp(text, expression->text) != 0)
        (void)snprintf(text, SIZE_TEXT_BYTES, "%.80s (%lld)", expression->text, (long long)value);
    return text;
}

static cohort_status refuse_size(const cohort_signature *signature, const char *where,
                                 const char *which, const cohort_expression *expression,
                                 int64_t value, int64_t least)
{
    char text[SIZE_TEXT_BYTES];
    return cohort_error_set(COHORT_EINVAL, "%s%s: the %s %s must be at least %lld", signature->name,
                            where, which, size_text(expression, value, text), (long long)least);
}

static cohort_status evaluate(const cohort_signature *signature, const char *where,
                              const char *which, const cohort_expression *expression,
                              const int64_t values[], int64_t least, int64_t *out)
{
    const char *problem = cohort_expression_evaluate(expression, values, out);
    if (problem != NULL)
        return cohort_error_set(COHORT_EINVAL, "%s%s: the %s %.80s %s", signature->name, where,
                                which, expression->text, problem);
    if (*out < least)
        return refuse_size(signature, where, which, expression, *out, least);
    return COHORT_OK;
}

/* OpenCL 1.x wants work-groups that divide the whole; where a device could do without, the same
 * kernel would run on one device and fail on another. */
static cohort_status evaluate_local(const cohort_geometry *geometry,
                                    const cohort_signature *signature, const char *where,
                                    const int64_t values[], int32_t i, int64_t global,
                                    cohort_range *out)
{
    int64_t local = 0;
    char small[SIZE_TEXT_BYTES], large[SIZE_TEXT_BYTES];
    cohort_status status =
        evaluate(signature, where, "local size", &geometry->local[i], values, 1, &local);
    if (status == COHORT_OK && global % local != 0)
        status = cohort_error_set(
            COHORT_EINVAL, "%s%s: the local size %s does not divide the global size %s",
            signature->name, where, size_text(&geometry->local[i], local, small),
            size_text(&geometry->global[i], global, large));
    out->local[i] = (uint64_t)local;
    return status;
}

static cohort_status evaluate_offset(const cohort_geometry *geometry,
                                     const cohort_signature *signature, const char *where,
                                     const int64_t values[], int32_t i, int64_t global,
                                     cohort_grid *out)
{
    int64_t offset = 0;
    char first[SIZE_TEXT_BYTES];
    cohort_status status =
        evaluate(signature, where, "offset", &geometry->offset[i], values, 0, &offset);
    if (status == COHORT_OK && offset > INT64_MAX - global)
        status = cohort_error_set(
            COHORT_EINVAL, "%s%s: the offset %s and the global size are more than 2^63 ids",
            signature->name, where, size_text(&geometry->offset[i], offset, first));
    out->offset[i] = (uint64_t)offset;
    return status;
}

cohort_status cohort_geometry_evaluate(const cohort_geometry *geometry,
                                       const cohort_signature *signature, const char *where,
                                       const int64_t values[], cohort_grid *out)
{
    cohort_status status = COHORT_OK;
    int64_t items = 1;
    *out = (cohort_grid){ .range.dims = (uint32_t)geometry->dims };
    for (int32_t i = 0; status == COHORT_OK && i < geometry->dims; i++) {
        int64_t global = 0;
        status =
            evaluate(signature, where, "global size", &geometry->global[i], values, 0, &global);
        if (status == COHORT_OK && geometry->has_local)
            status = evaluate_local(geometry, signature, where, values, i, global, &out->range);
        if (status == COHORT_OK && geometry->has_offset)
            status = evaluate_offset(geometry, signature, where, values, i, global, out);
        if (status == COHORT_OK && !cohort_multiply(items, global, &items))
            status = cohort_error_set(COHORT_EINVAL,
                                      "%s%s: the global size has more than 2^63 work-items",
                                      signature->name, where);
        out->range.global[i] = (uint64_t)global;
    }
    return status;
}
