/* SPDX-License-Identifier: BSD-3-Clause */
/* Items: the numbers that an element of a parameter consists of, one, or those of a struct with
 * their places in it. The library tells them; the command has no layout of its own. */
#include "config.h"

#include "cli/item.h"

#include "cli/cli.h"
#include "cli/number.h"

#include <stdlib.h>

/* None of a type that has no numbers, such as void. */
static int count_numbers(const cohort_function *function, int index)
{
    cohort_dtype dtype;
    int64_t offset;
    int n = 0;
    while (cohort_function_scalar(function, index, n, &dtype, &offset) == COHORT_OK)
        n++;
    return n;
}

bool item_type_of(const cohort_function *function, int index, item_type *out)
{
    cohort_parameter_info p = { .struct_size = sizeof p };
    if (cohort_function_parameter(function, index, &p) != COHORT_OK)
        return cli_fail(EXIT_USAGE, "%s", cohort_error_text()), false;
    *out = (item_type){ .name = p.name, .dtype = p.dtype, .bytes = p.item_bytes };
    out->n_numbers = count_numbers(function, index);
    out->numbers = calloc((size_t)out->n_numbers + 1, sizeof *out->numbers);
    if (out->numbers == NULL)
        return cli_fail(EXIT_FAILED, "out of memory"), false;
    for (int i = 0; i < out->n_numbers; i++)
        (void)cohort_function_scalar(function, index, i, &out->numbers[i].dtype,
                                     &out->numbers[i].offset);
    return true;
}

void item_type_free(item_type *type)
{
    free(type->numbers);
    *type = (item_type){ 0 };
}

cohort_dtype item_array_dtype(const item_type *type)
{
    return number_is_dtype(type->dtype) ? type->dtype : COHORT_RECORD;
}
