/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of numbers and vectors as drivers spell them, such as "float4" and "unsigned int". */
#include "config.h"

#include "opencl/cltype.h"

#include <stdlib.h>
#include <string.h>

/* The first spelling of each is OpenCL's own; the others are those of drivers and of C. */
static const struct spelling {
    const char *name;
    uint32_t scalar;
} spellings[] = {
    { "char", COHORT_I8 },
    { "uchar", COHORT_U8 },
    { "short", COHORT_I16 },
    { "ushort", COHORT_U16 },
    { "int", COHORT_I32 },
    { "uint", COHORT_U32 },
    { "long", COHORT_I64 },
    { "ulong", COHORT_U64 },
    { "half", COHORT_F16 },
    { "float", COHORT_F32 },
    { "double", COHORT_F64 },
    { "bool", COHORT_BOOL },
    { "signed char", COHORT_I8 },
    { "unsigned char", COHORT_U8 },
    { "unsigned short", COHORT_U16 },
    { "unsigned int", COHORT_U32 },
    { "unsigned long", COHORT_U64 },
    { "int8_t", COHORT_I8 },
    { "uint8_t", COHORT_U8 },
    { "int16_t", COHORT_I16 },
    { "uint16_t", COHORT_U16 },
    { "int32_t", COHORT_I32 },
    { "uint32_t", COHORT_U32 },
    { "int64_t", COHORT_I64 },
    { "uint64_t", COHORT_U64 },
};
enum { N_SPELLINGS = sizeof spellings / sizeof *spellings };

const char *opencl_cltype_name(uint32_t scalar)
{
    for (size_t i = 0; i < N_SPELLINGS; i++)
        if (spellings[i].scalar == scalar)
            return spellings[i].name;
    return NULL;
}

/* What may stand behind a name: nothing, or the width of a vector. 0 when it is neither. */
static uint32_t width_of(const char *rest)
{
    static const char *const widths[] = { "2", "3", "4", "8", "16" };
    if (rest[0] == '\0')
        return 1;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (strcmp(rest, widths[i]) == 0)
            return (uint32_t)strtoul(rest, NULL, 10);
    return 0;
}

struct opencl_cltype opencl_cltype_parse(const char *name)
{
    char base[128];
    struct opencl_cltype type = { COHORT_VOID, 1, false };
    size_t bytes = strcspn(name, "*");
    type.is_pointer = name[bytes] == '*';
    while (bytes > 0 && name[bytes - 1] == ' ')
        bytes--;
    if (bytes >= sizeof base)
        return type;
    memcpy(base, name, bytes);
    base[bytes] = '\0';
    /* "int" also begins "int8_t": what follows a name must be nothing or a width of a vector, and
     * "8_t" is neither */
    for (size_t i = 0; i < N_SPELLINGS; i++) {
        size_t n = strlen(spellings[i].name);
        uint32_t width = strncmp(base, spellings[i].name, n) == 0 ? width_of(base + n) : 0;
        if (width > 0) {
            type.scalar = spellings[i].scalar;
            type.width = width;
            break;
        }
    }
    return type;
}
