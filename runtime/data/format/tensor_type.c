/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/tensor_type.h"

#include "runtime/base/memory.h"

#include <string.h>

static const cohort_tensor_type types[] = {
    { "BOOL", 8, COHORT_BOOL },
    { "U8", 8, COHORT_U8 },
    { "I8", 8, COHORT_I8 },
    { "U16", 16, COHORT_U16 },
    { "I16", 16, COHORT_I16 },
    { "U32", 32, COHORT_U32 },
    { "I32", 32, COHORT_I32 },
    { "U64", 64, COHORT_U64 },
    { "I64", 64, COHORT_I64 },
    { "F16", 16, COHORT_F16 },
    { "BF16", 16, COHORT_BF16 },
    { "F32", 32, COHORT_F32 },
    { "F64", 64, COHORT_F64 },
    { "C64", 64, COHORT_C64 },
    { "F8_E4M3", 8, COHORT_F8_E4M3 },
    { "F8_E5M2", 8, COHORT_F8_E5M2 },
    { "F8_E8M0", 8, COHORT_VOID },
    { "F8_E4M3FNUZ", 8, COHORT_VOID },
    { "F8_E5M2FNUZ", 8, COHORT_VOID },
    { "F6_E2M3", 6, COHORT_VOID },
    { "F6_E3M2", 6, COHORT_VOID },
    { "F4", 4, COHORT_VOID },
};
enum { N_TYPES = sizeof types / sizeof *types };

const cohort_tensor_type *cohort_tensor_type_find(const char *name)
{
    for (int i = 0; i < N_TYPES; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

const cohort_tensor_type *cohort_tensor_type_of(cohort_dtype dtype)
{
    for (int i = 0; i < N_TYPES; i++)
        if (types[i].dtype == dtype && dtype != COHORT_VOID)
            return &types[i];
    return cohort_tensor_type_find("U8");
}

/* In the order of the extents, as the format's own reader does: one that is 0 does not make good
 * what was too much before it. */
bool cohort_tensor_type_bytes(const cohort_tensor_type *type, int32_t rank, const int64_t shape[],
                              int64_t *out_bytes)
{
    int64_t items = 1, bits;
    for (int32_t i = 0; i < rank; i++)
        if (!cohort_multiply(items, shape[i], &items))
            return false;
    if (type->bits % 8 == 0)
        return cohort_multiply(items, type->bits / 8, out_bytes);
    if (!cohort_multiply(items, type->bits, &bits) || bits % 8 != 0)
        return false;
    *out_bytes = bits / 8;
    return true;
}
