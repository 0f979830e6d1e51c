/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy writes an array of a dtype of the package ml_dtypes with its letter and bytes alone, which
 * it does not read back as what it was: "<V2" of bfloat16, "<f1" of float8_e5m2, and "<V1" of all
 * its other dtypes of one byte. Their names it reads, where that package was imported. */
#include "config.h"

#include "runtime/data/format/npy_dtype.h"

#include "runtime/base/byte_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Letter and bytes. Of two rows of one dtype the first is written. */
static const struct {
    char kind;
    int bytes;
    cohort_dtype dtype;
} dtypes[] = {
    { 'b', 1, COHORT_BOOL }, { 'i', 1, COHORT_I8 },    { 'u', 1, COHORT_U8 },
    { 'i', 2, COHORT_I16 },  { 'u', 2, COHORT_U16 },   { 'i', 4, COHORT_I32 },
    { 'u', 4, COHORT_U32 },  { 'i', 8, COHORT_I64 },   { 'u', 8, COHORT_U64 },
    { 'f', 2, COHORT_F16 },  { 'f', 4, COHORT_F32 },   { 'f', 8, COHORT_F64 },
    { 'c', 8, COHORT_C64 },  { 'c', 16, COHORT_C128 },
};
enum { N_DTYPES = sizeof dtypes / sizeof *dtypes };

/* Those of ml_dtypes. wide: as NumPy writes it where it is told apart by that; else NULL */
static const struct {
    const char *name, *wide;
    cohort_dtype dtype;
} named[] = {
    { "bfloat16", "V2", COHORT_BF16 },
    { "float8_e4m3fn", NULL, COHORT_F8_E4M3 },
    { "float8_e5m2", "f1", COHORT_F8_E5M2 },
};
enum { N_NAMED = sizeof named / sizeof *named };

/* NumPy's letter for the byte order of this machine. */
static char machine_order(void)
{
    return cohort_byte_order_is_little() ? '<' : '>';
}

static bool is_other_order(char order)
{
    return (order == '<' || order == '>') && order != machine_order();
}

static void set(cohort_array *array, cohort_dtype dtype, int64_t item_bytes)
{
    array->dtype = dtype;
    array->item_bytes = item_bytes;
}

/* ------------------------------------------------------------------ reading */

/* Of a name numbers are little-endian, as they are written here; of letters as the order says. */
static bool parse_named(const char *descr, cohort_array *array, bool *out_is_swapped)
{
    char order = descr[0];
    bool has_order = order == '<' || order == '>';
    for (int i = 0; i < N_NAMED; i++) {
        bool is_name = strcmp(descr, named[i].name) == 0;
        bool is_wide = has_order && named[i].wide != NULL && strcmp(descr + 1, named[i].wide) == 0;
        if (!is_name && !is_wide)
            continue;
        set(array, named[i].dtype, 0);
        *out_is_swapped =
            cohort_dtype_bytes(named[i].dtype) > 1 && is_other_order(is_name ? '<' : order);
        return true;
    }
    return false;
}

static bool parse_letters(const char *kind, char order, cohort_array *array, bool *out_is_swapped)
{
    char wanted[8];
    for (int i = 0; i < N_DTYPES; i++) {
        (void)snprintf(wanted, sizeof wanted, "%c%d", dtypes[i].kind, dtypes[i].bytes);
        if (strcmp(kind, wanted) == 0) {
            set(array, dtypes[i].dtype, 0);
            *out_is_swapped = dtypes[i].bytes > 1 && is_other_order(order);
            return true;
        }
    }
    return false;
}

/* "V8": bytes, which have no order. */
static bool parse_void(const char *kind, char order, cohort_array *array)
{
    enum { MOST_DIGITS = 9 };
    int64_t bytes = 0;
    size_t digits = kind[0] == 'V' ? strspn(kind + 1, "0123456789") : 0;
    if (digits == 0 || digits > MOST_DIGITS || kind[1] == '0' || kind[1 + digits] != '\0' ||
        order == '<' || order == '>')
        return false;
    for (size_t i = 1; i <= digits; i++)
        bytes = 10 * bytes + (kind[i] - '0');
    set(array, COHORT_RECORD, bytes);
    return true;
}

/* Dtypes of NumPy that arrays here do not have are refused as not supported; anything else is no
 * dtype. */
const char *cohort_npy_dtype_parse(const char *descr, cohort_array *array, bool *out_is_swapped,
                                   cohort_status *out_status)
{
    bool has_order = descr[0] != '\0' && strchr("<>|=", descr[0]) != NULL;
    const char *kind = descr + has_order;
    char order = has_order ? descr[0] : '=';
    *out_is_swapped = false;
    *out_status = COHORT_OK;
    if (parse_named(descr, array, out_is_swapped) ||
        parse_letters(kind, order, array, out_is_swapped) || parse_void(kind, order, array))
        return NULL;
    bool is_known = kind[0] != '\0' && strchr("OSaUVMmfc", kind[0]) != NULL;
    *out_status = is_known ? COHORT_ENOTSUP : COHORT_EINVAL;
    return strcmp(kind, "V1") == 0
               ? "so NumPy calls several dtypes of the package ml_dtypes; save x.view('uint8')"
               : "arrays have bool, integers, float8 to float64, bfloat16, complex64, complex128";
}

/* ------------------------------------------------------------------ writing */

/* A name says nothing of the byte order: elsewhere than on little-endian machines letters do. */
static const char *write_named(cohort_dtype dtype, char *text)
{
    for (int i = 0; i < N_NAMED; i++)
        if (named[i].dtype == dtype && (cohort_byte_order_is_little() || named[i].wide == NULL ||
                                        cohort_dtype_bytes(dtype) == 1))
            (void)snprintf(text, COHORT_NPY_DTYPE_BYTES, "%s", named[i].name);
        else if (named[i].dtype == dtype)
            (void)snprintf(text, COHORT_NPY_DTYPE_BYTES, ">%s", named[i].wide);
    return text[0] != '\0' ? text : NULL;
}

const char *cohort_npy_dtype_write(const cohort_array *array, char *text)
{
    text[0] = '\0';
    for (int i = 0; i < N_DTYPES; i++)
        if (dtypes[i].dtype == array->dtype) {
            (void)snprintf(text, COHORT_NPY_DTYPE_BYTES, "%c%c%d",
                           dtypes[i].bytes > 1 ? machine_order() : '|', dtypes[i].kind,
                           dtypes[i].bytes);
            return text;
        }
    if (array->dtype != COHORT_RECORD)
        return write_named(array->dtype, text);
    (void)snprintf(text, COHORT_NPY_DTYPE_BYTES, "|V%" PRId64, array->item_bytes);
    return text;
}
