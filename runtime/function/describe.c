/* SPDX-License-Identifier: BSD-3-Clause */
/* The questions of programs about a function: cohort_function_parameter and cohort_function_scalar.
 * Answers lend texts of the signature, which lives as long as its descriptor is known. */
#include "config.h"

#include <cohort/prototype.h>

#include "runtime/base/error.h"
#include "runtime/function/signature.h"

#include <string.h>

/* Two enums with the same meaning: the public one is part of the ABI, ours is not. */
static const cohort_parameter_kind kinds[] = {
    [COHORT_ROLE_NUMBER] = COHORT_PARAMETER_NUMBER,
    [COHORT_ROLE_STRUCT] = COHORT_PARAMETER_STRUCT,
    [COHORT_ROLE_BOUND] = COHORT_PARAMETER_BOUND,
    [COHORT_ROLE_COMPUTED] = COHORT_PARAMETER_COMPUTED,
    [COHORT_ROLE_ARRAY] = COHORT_PARAMETER_ARRAY,
    [COHORT_ROLE_LOCAL] = COHORT_PARAMETER_LOCAL,
    [COHORT_ROLE_POINTER] = COHORT_PARAMETER_POINTER,
};

static cohort_dtype dtype_of(uint32_t type)
{
    return type >= COHORT_STRUCT_BASE ? COHORT_RECORD : (cohort_dtype)type;
}

static uint32_t flags_of(const cohort_parameter *p)
{
    if (p->role == COHORT_ROLE_POINTER)
        return p->is_const ? COHORT_PARAMETER_READ
                           : COHORT_PARAMETER_READ | COHORT_PARAMETER_WRITTEN;
    return (cohort_parameter_is_read(p) ? COHORT_PARAMETER_READ : 0) |
           (cohort_parameter_is_written(p) ? COHORT_PARAMETER_WRITTEN : 0);
}

static cohort_parameter_info describe_parameter(const cohort_signature *s,
                                                const cohort_parameter *p)
{
    cohort_parameter_info info = { .flags = flags_of(p),
                                   .kind = kinds[p->role],
                                   .dtype = dtype_of(p->type),
                                   .rank = p->is_unsized ? 0 : p->rank,
                                   .item_bytes = p->bytes,
                                   .name = p->name,
                                   .type = cohort_signature_type_name(s, p->type) };
    for (int32_t i = 0; i < info.rank; i++)
        info.extents[i] = p->extents[i].text;
    return info;
}

static cohort_parameter_info describe_result(const cohort_signature *s)
{
    uint32_t type = s->has_result ? s->result_type : COHORT_VOID;
    return (cohort_parameter_info){ .flags = COHORT_PARAMETER_WRITTEN,
                                    .kind = type >= COHORT_STRUCT_BASE ? COHORT_PARAMETER_STRUCT
                                                                       : COHORT_PARAMETER_NUMBER,
                                    .dtype = dtype_of(type),
                                    .item_bytes = s->has_result ? s->result_bytes : 0,
                                    .name = "result",
                                    .type = cohort_signature_type_name(s, type) };
}

/* A caller that was compiled with an earlier header has a smaller struct: it gets the members
 * that it knows. Its struct_size stays as it was. */
static void hand_out(cohort_parameter_info *out, cohort_parameter_info *info)
{
    uint32_t bytes = out->struct_size < sizeof *info ? out->struct_size : sizeof *info;
    info->struct_size = out->struct_size;
    memcpy(out, info, bytes);
}

cohort_status cohort_function_parameter(const cohort_function *function, int index,
                                        cohort_parameter_info *out)
{
    if (out == NULL || out->struct_size < offsetof(cohort_parameter_info, extents))
        return cohort_error_set(COHORT_EINVAL, "cohort_function_parameter: struct_size is not set");
    const cohort_signature *s = cohort_signature_of(function);
    if (s == NULL || index < COHORT_RESULT)
        return s == NULL ? COHORT_EINVAL
                         : cohort_error_set(COHORT_EINVAL, "%s: parameter %d", s->name, index);
    if (index >= s->n_parameters)
        return COHORT_END;
    cohort_parameter_info info =
        index == COHORT_RESULT ? describe_result(s) : describe_parameter(s, &s->parameters[index]);
    hand_out(out, &info);
    return COHORT_OK;
}

/* Numbers in one item of a type. */
/* Members of structs come earlier in the table of types, which is what ends the recursion. */
static int64_t count_scalars(const cohort_sig *sig, uint32_t type)
{
    if (type < COHORT_STRUCT_BASE)
        return type == COHORT_VOID ? 0 : 1;
    const cohort_layout *layout = &sig->types[type - COHORT_STRUCT_BASE];
    int64_t count = 0;
    for (uint32_t i = 0; i < layout->nmembers; i++)
        count += layout->members[i].count * count_scalars(sig, layout->members[i].type);
    return count;
}

/* Down from struct to member until a number is met; members come earlier in the table of types,
 * so the way ends. At each level position counts the numbers that are still to be passed over. */
static cohort_status find_scalar(const cohort_sig *sig, uint32_t type, int64_t position,
                                 cohort_dtype *out_dtype, int64_t *out_offset)
{
    while (type >= COHORT_STRUCT_BASE) {
        const cohort_layout *layout = &sig->types[type - COHORT_STRUCT_BASE];
        const cohort_member *member = layout->members, *end = member + layout->nmembers;
        int64_t each = 1;
        for (; member < end; member++) {
            each = count_scalars(sig, member->type);
            if (position < each * member->count)
                break;
            position -= each * member->count;
        }
        if (member == end)
            return COHORT_END;
        *out_offset +=
            member->offset + position / each * cohort_signature_type_bytes(sig, member->type);
        position %= each;
        type = member->type;
    }
    *out_dtype = (cohort_dtype)type;
    return position < count_scalars(sig, type) ? COHORT_OK : COHORT_END;
}

cohort_status cohort_function_scalar(const cohort_function *function, int index, int position,
                                     cohort_dtype *out_dtype, int64_t *out_offset)
{
    const cohort_signature *s = cohort_signature_of(function);
    *out_dtype = COHORT_VOID;
    *out_offset = 0;
    if (s == NULL || index < COHORT_RESULT || position < 0)
        return s == NULL ? COHORT_EINVAL
                         : cohort_error_set(COHORT_EINVAL, "%s: parameter %d", s->name, index);
    if (index >= s->n_parameters)
        return COHORT_END;
    uint32_t result = s->has_result ? s->result_type : COHORT_VOID;
    uint32_t type = index == COHORT_RESULT ? result : s->parameters[index].type;
    return find_scalar(&s->sig, type, position, out_dtype, out_offset);
}
