/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows from a dtype, in one table made of the lists of cohort/codes.h, so that a new dtype
 * is a row there. */
#include "config.h"

#include "runtime/base/dtype.h"

#include "runtime/base/error.h"
#include "runtime/base/half.h"
#include "runtime/base/number.h"

#include <string.h>

/* ------------------------------------------------------------------ traits */

#define TRAITS(name, value, text, bytes, kind) [value] = { text, (int64_t)(bytes), kind, false },
#define NUMBER(name, value, text, bytes, kind) [value] = { text, (int64_t)(bytes), kind, true },
static const struct traits {
    const char *name; /* NULL: a value that is no dtype */
    int64_t bytes;
    char kind;
    bool is_number;
} table[] = { COHORT_NUMBER_DTYPES(NUMBER) COHORT_OTHER_DTYPES(TRAITS) };

enum { DTYPES = sizeof table / sizeof *table };

int64_t cohort_dtype_bytes(cohort_dtype dtype)
{
    return (unsigned)dtype < DTYPES ? table[dtype].bytes : 0;
}

const char *cohort_dtype_name(cohort_dtype dtype)
{
    if ((unsigned)dtype < DTYPES && table[dtype].name != NULL)
        return table[dtype].name;
    return dtype >= COHORT_STRUCT_BASE ? "struct" : "unknown dtype";
}

/* The dtype may be any integer that a program or a file gave: out of the table it has no kind. */
char cohort_dtype_kind(cohort_dtype dtype)
{
    return (unsigned)dtype < DTYPES ? table[dtype].kind : '\0';
}

bool cohort_dtype_is_number(cohort_dtype dtype)
{
    return (unsigned)dtype < DTYPES && table[dtype].is_number;
}

cohort_dtype cohort_dtype_parse(const char *name)
{
    for (int i = 0; name != NULL && i < DTYPES; i++)
        if (table[i].name != NULL && strcmp(name, table[i].name) == 0)
            return (cohort_dtype)i;
    return COHORT_VOID;
}

cohort_dtype cohort_dtype_part(cohort_dtype dtype)
{
    return dtype == COHORT_C64                   ? COHORT_F32
           : dtype == COHORT_C128                ? COHORT_F64
           : dtype == COHORT_COMPLEX_LONG_DOUBLE ? COHORT_LONG_DOUBLE
                                                 : dtype;
}

/* All bits of its width, without the sign's; the shift stays below 64, since a dtype of integers
 * has a byte at least. */
uint64_t cohort_dtype_most(cohort_dtype dtype)
{
    if (dtype == COHORT_BOOL)
        return 1;
    return UINT64_MAX >> (64 - 8 * cohort_dtype_bytes(dtype) + cohort_dtype_is_signed(dtype));
}

int64_t cohort_dtype_least(cohort_dtype dtype)
{
    return cohort_dtype_is_signed(dtype) ? -(int64_t)cohort_dtype_most(dtype) - 1 : 0;
}

/* ------------------------------------------------------------------ one element */

/* By memcpy: elements of records and of files stand at any address. */
/* clang-format off */
#define LOAD(dtype, c_type, convert)                                                               \
    case COHORT_##dtype: {                                                                         \
        c_type x;                                                                                  \
        memcpy(&x, (const char *)elements + i * (int64_t)sizeof x, sizeof x);                      \
        return convert(x);                                                                         \
    }
#define LOAD_NARROW(dtype, c_type, from, to) LOAD(dtype, c_type, (double)from)
#define LOAD_INTEGERS(convert)                                                                     \
    LOAD(I8, int8_t, convert)                                                                      \
    LOAD(U8, uint8_t, convert)                                                                     \
    LOAD(I16, int16_t, convert)                                                                    \
    LOAD(U16, uint16_t, convert)                                                                   \
    LOAD(I32, int32_t, convert)                                                                    \
    LOAD(U32, uint32_t, convert)                                                                   \
    LOAD(I64, int64_t, convert)                                                                    \
    LOAD(U64, uint64_t, convert)
/* clang-format on */

static bool load_bool(const void *elements, int64_t i)
{
    return ((const unsigned char *)elements)[i] != 0;
}

/* The default is bool, the one other dtype that callers may give. Any byte but 0 is true: a file
 * may have 2 there, which is no bool of C. */
int64_t cohort_dtype_load_integer(cohort_dtype dtype, const void *elements, int64_t i)
{
    switch (dtype) {
        LOAD_INTEGERS((int64_t))
    default:
        return load_bool(elements, i);
    }
}

double cohort_dtype_load_real(cohort_dtype dtype, const void *elements, int64_t i)
{
    switch (dtype) {
        LOAD_INTEGERS((double))
        COHORT_NARROW_FLOATS(LOAD_NARROW)
        LOAD(F32, float, (double))
        LOAD(F64, double, (double))
    default:
        return load_bool(elements, i);
    }
}

/* The width alone decides: in two's complement the lowest bits of a number are the same for
 * signed and unsigned dtypes. */
void cohort_dtype_store_integer(cohort_dtype dtype, int64_t number, void *element)
{
    int64_t bytes = cohort_dtype_bytes(dtype);
    if (bytes == 1)
        memcpy(element, &(uint8_t){ (uint8_t)number }, 1);
    else if (bytes == 2)
        memcpy(element, &(uint16_t){ (uint16_t)number }, 2);
    else if (bytes == 4)
        memcpy(element, &(uint32_t){ (uint32_t)number }, 4);
    else
        memcpy(element, &number, sizeof number);
}

/* ------------------------------------------------------------------ conversion */

static cohort_status check(cohort_dtype from, const void *element, const void *out)
{
    if (!cohort_dtype_is_real(from) && !cohort_dtype_is_complex(from))
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_dtype_convert: an element of %s is no number",
                                cohort_dtype_name(from));
    if (element == NULL || out == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_dtype_convert: %s is NULL",
                                element == NULL ? "element" : "out");
    return COHORT_OK;
}

static cohort_status convert(cohort_dtype from, const void *element, cohort_dtype to, void *out)
{
    /* In room of our own first: `out` may be `element`, and stays as it is on failure. */
    char converted[COHORT_NUMBER_BYTES] = { 0 };
    cohort_number number = cohort_number_load(from, element);
    cohort_status status = cohort_number_store(&number, to, "the new dtype", converted);
    if (status < 0)
        return cohort_error_prefix(status, "cohort_dtype_convert");
    memcpy(out, converted, (size_t)cohort_dtype_bytes(to));
    return COHORT_OK;
}

/* Real numbers as double, which none is too large for, are what loops over data ask for: 5 ns each,
 * where all others take 30. */
cohort_status cohort_dtype_convert(cohort_dtype from, const void *element, cohort_dtype to,
                                   void *out)
{
    cohort_status status = check(from, element, out);
    if (status < 0)
        return status;
    if (to != COHORT_F64 || !cohort_dtype_is_number(from) || cohort_dtype_is_complex(from))
        return convert(from, element, to, out);
    double number = cohort_dtype_load_real(from, element, 0);
    memcpy(out, &number, sizeof number);
    return COHORT_OK;
}
