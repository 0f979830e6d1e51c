/* SPDX-License-Identifier: BSD-3-Clause */
/* zeros(shape), and rand(seed, shape): the same numbers everywhere. */
#include "config.h"

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/number.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char zeros[] = "zeros(", random_numbers[] = "rand(";

bool data_is_filled(const char *text)
{
    return strncmp(text, zeros, strlen(zeros)) == 0 ||
           strncmp(text, random_numbers, strlen(random_numbers)) == 0;
}

/* SplitMix64. Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014,
 * figure 16. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Integers in 0..99, either bool, floating-point numbers in [0, 1) which the dtype has exactly: the
 * top bits of a draw as a fraction. */
static void fill_real(cohort_dtype dtype, char *out, uint64_t random)
{
    uint64_t integer = cohort_dtype_kind(dtype) == 'b' ? random >> 63 : random % 100;
    int digits = cohort_dtype_kind(dtype) == 'f' ? number_digits(dtype) : 1;
    digits = digits < DBL_MANT_DIG ? digits : DBL_MANT_DIG;
    double fraction = ldexp((double)(random >> (64 - digits)), -digits);
    if (cohort_dtype_kind(dtype) == 'f')
        (void)cohort_dtype_convert(COHORT_F64, &fraction, dtype, out);
    else
        (void)cohort_dtype_convert(COHORT_U64, &integer, dtype, out);
}

/* One draw for each number, two for a complex one. */
static void fill_number(cohort_dtype dtype, char *out, uint64_t *state)
{
    cohort_dtype part = cohort_dtype_part(dtype);
    fill_real(part, out, next_random(state));
    if (part != dtype)
        fill_real(part, out + cohort_dtype_bytes(part), next_random(state));
}

/* In the order of the items and of the numbers in each, whatever the type's padding, so that a seed
 * gives the same numbers everywhere. */
static void fill(const item_type *type, data *d, uint64_t seed)
{
    char *item = d->memory;
    for (int64_t i = 0, items = cohort_array_items(&d->array); i < items; i++, item += type->bytes)
        for (int k = 0; k < type->n_numbers; k++)
            fill_number(type->numbers[k].dtype, item + type->numbers[k].offset, &seed);
}

/* "7,3,4" without its parenthesis: the seed, and where the shape begins. */
static bool read_seed(const char **text, uint64_t *out)
{
    char *end;
    *text += strspn(*text, " ");
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *out = strtoull(*text, &end, 10);
    end += strspn(end, " ");
    *text = *end == ',' ? end + 1 : end;
    return errno == 0 && (*end == ',' || *end == '\0');
}

/* The text between the parentheses is copied, to be cut off at the last one. */
int data_read_filled(const char *text, const item_type *type, data *out)
{
    bool is_random = text[0] == 'r', is_good = text[strlen(text) - 1] == ')';
    const char *start = strchr(text, '(') + 1, *shape;
    uint64_t seed = 0;
    char *inside = strdup(start);
    if (inside == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    inside[strlen(inside) > 0 ? strlen(inside) - 1 : 0] = '\0';
    shape = inside;
    is_good =
        is_good && (!is_random || read_seed(&shape, &seed)) && data_read_shape(shape, &out->array);
    free(inside);
    if (!is_good)
        return cli_fail(EXIT_USAGE, "%s=%s: expected %s", type->name, text,
                        is_random ? "rand(seed, shape), such as rand(1, 3, 4)"
                                  : "zeros(shape), such as zeros(3, 4)");
    if (!data_allocate(type, out))
        return EXIT_FAILED;
    if (is_random)
        fill(type, out, seed);
    return EXIT_OK;
}
