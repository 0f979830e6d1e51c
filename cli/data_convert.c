/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of another dtype than the parameter's. */
#include "config.h"

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/number.h"

/* Element by element, because the message names the first that does not fit. */
static int convert_all(const char *text, const item_type *type, const cohort_array *from, data *to)
{
    const char *in = from->data;
    char *out = to->memory;
    for (int64_t i = 0, n = cohort_array_items(from); i < n;
         i++, in += cohort_dtype_bytes(from->dtype), out += type->bytes) {
        const char *wrong = number_convert(from->dtype, in, type->dtype, out);
        char number[NUMBER_TEXT_BYTES];
        if (wrong != NULL)
            return cli_fail(EXIT_FAILED, "%s=%s: element %lld, %s: %s", type->name, text,
                            (long long)i, number_print(from->dtype, in, number), wrong);
    }
    return EXIT_OK;
}

static int convert(const char *text, const item_type *type, data *d)
{
    data converted = { .array = d->array };
    converted.array.dtype = type->dtype;
    converted.array.item_bytes = type->bytes;
    if (!data_allocate(type, &converted))
        return EXIT_FAILED;
    int code = convert_all(text, type, &d->array, &converted);
    data_free(code == EXIT_OK ? d : &converted);
    if (code == EXIT_OK)
        *d = converted;
    return code;
}

/* Structs and files of structs have no numbers to convert; whether the file fits is told when the
 * argument is checked. Without --convert another dtype is an error, since it is mostly a
 * mistake. */
int data_fit(const char *text, const item_type *type, bool may_convert, data *d)
{
    cohort_dtype dtype = d->array.dtype;
    bool is_number = type->n_numbers == 1 && type->dtype != COHORT_RECORD && dtype != COHORT_RECORD;
    if (dtype == type->dtype || !is_number)
        return EXIT_OK;
    if (may_convert)
        return convert(text, type, d);
    cli_fail(EXIT_FAILED, "%s=%s: expects %s, got %s", type->name, text,
             cohort_dtype_name(type->dtype), cohort_dtype_name(dtype));
    cli_fix("--convert");
    return EXIT_FAILED;
}
