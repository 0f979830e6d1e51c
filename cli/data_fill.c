/* SPDX-License-Identifier: BSD-3-Clause */
/* zeros(shape), and rand(seed, shape): the same numbers everywhere. */
#include "config.h"

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/half.h"

#include <errno.h>
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

/* The top `digits` bits as a fraction below 1, which a dtype of so many digits has exactly. */
static double fraction(uint64_t random, int digits)
{
    return ldexp((double)(random >> (64 - digits)), -digits);
}

/* Floating-point numbers in [0, 1), integers in 0..99, either bool. One draw for each, two for a
 * complex number. */
static void fill_number(cohort_dtype dtype, char *out, uint64_t *state)
{
    uint64_t random = next_random(state), integer = random % 100;
    float f = (float)fraction(random, 24);
    double d = fraction(random, 53);
    long double x = (long double)d;
    uint16_t bits = half_of_double(fraction(random, dtype == COHORT_F16 ? 11 : 8),
                                   dtype == COHORT_F16 ? HALF_FRACTION : BFLOAT_FRACTION);
    uint16_t u16 = (uint16_t)integer;
    uint32_t u32 = (uint32_t)integer;
    switch (dtype) {
    case COHORT_BOOL:
        *out = (char)(random >> 63);
        break;
    case COHORT_I8:
    case COHORT_U8:
        *out = (char)integer;
        break;
    case COHORT_I16:
    case COHORT_U16:
        memcpy(out, &u16, sizeof u16);
        break;
    case COHORT_I32:
    case COHORT_U32:
        memcpy(out, &u32, sizeof u32);
        break;
    case COHORT_I64:
    case COHORT_U64:
        memcpy(out, &integer, sizeof integer);
        break;
    case COHORT_F16:
    case COHORT_BF16:
        memcpy(out, &bits, sizeof bits);
        break;
    case COHORT_F32:
        memcpy(out, &f, sizeof f);
        break;
    case COHORT_C64:
        fill_number(COHORT_F32, out + sizeof f, state);
        memcpy(out, &f, sizeof f);
        break;
    case COHORT_C128:
        fill_number(COHORT_F64, out + sizeof d, state);
        memcpy(out, &d, sizeof d);
        break;
    case COHORT_COMPLEX_LONG_DOUBLE:
        fill_number(COHORT_LONG_DOUBLE, out + sizeof x, state);
        memcpy(out, &x, sizeof x);
        break;
    case COHORT_LONG_DOUBLE:
        memcpy(out, &x, sizeof x);
        break;
    default:
        memcpy(out, &d, sizeof d);
    }
}

static void fill(const item_type *type, data *d, uint64_t seed)
{
    char *item = d->memory;
    for (int64_t i = 0, items = data_elements(&d->array); i < items; i++, item += type->bytes)
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
