/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing down what a program found: a line for each label, by the process of replica 0 alone.
 *
 *     PROGRAM.LABEL KIND SHAPE NUMBER...
 *
 * with tabs around KIND, which is i for integers, f for the bits of floats, or how it may differ
 * (right_how). */
#include "config.h"

#include "tests/right/note.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 100 };

static cohort_strategy *strategy;
static const char *program;
static bool is_first;
static char failure[512];

void note_begin(const char *name, cohort_strategy *s)
{
    int first = 0;
    (void)cohort_strategy_local_replicas(s, &first);
    strategy = s;
    program = name;
    is_first = first == 0;
    failure[0] = '\0';
}

void note_failure(const char *label)
{
    if (failure[0] == '\0')
        (void)snprintf(failure, sizeof failure, "%s: %s", label, cohort_error_text());
}

bool note_end(cohort_strategy *s)
{
    if (cohort_wait(s) != COHORT_OK)
        (void)snprintf(failure, sizeof failure, "%s", cohort_error_text());
    if (failure[0] != '\0')
        printf("%s failed: %s\n", program, failure);
    (void)fflush(stdout);
    return failure[0] == '\0';
}

static char kind_of(const char *label, cohort_dtype dtype)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%s.%s", program, label);
    for (const right_exception *e = right_exceptions; e->name != NULL; e++)
        if (strcmp(e->name, name) == 0)
            return (char)e->how;
    return strchr("biu", cohort_dtype_kind(dtype)) != NULL ? 'i' : 'f';
}

/* Bits, so that -0 and a NaN are what they are. */
static void print_bits(const unsigned char *element, int64_t bytes)
{
    putchar(' ');
    for (int64_t i = bytes - 1; i >= 0; i--)
        printf("%02x", element[i]);
}

static void print_element(char kind, cohort_dtype dtype, const unsigned char *element)
{
    int64_t whole_number = 0;
    double number = 0;
    if (kind == RIGHT_NEARLY && cohort_dtype_convert(dtype, element, COHORT_F64, &number) == 0)
        printf(" %.9g", number);
    else if (strchr("biu", cohort_dtype_kind(dtype)) != NULL &&
             cohort_dtype_convert(dtype, element, COHORT_I64, &whole_number) == 0)
        printf(" %" PRId64, whole_number);
    else
        print_bits(element, cohort_dtype_bytes(dtype));
}

/* FNV-1a, of 64 bits, of the bytes of many numbers. */
static void print_digest(const unsigned char *bytes, int64_t n)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    for (int64_t i = 0; i < n; i++)
        digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    printf(" digest %016" PRIx64, digest);
}

void note_array(const char *label, const cohort_array *array)
{
    const char kind = kind_of(label, array->dtype);
    const int64_t n = cohort_array_items(array), bytes = cohort_dtype_bytes(array->dtype);
    if (!is_first)
        return;
    printf("%s.%s\t%c\t[", program, label, kind);
    for (int i = 0; i < array->rank; i++)
        printf("%s%" PRId64, i == 0 ? "" : ",", array->shape[i]);
    putchar(']');
    if (n > MANY)
        print_digest(array->data, n * bytes);
    for (int64_t i = 0; i < n && n <= MANY; i++)
        print_element(kind, array->dtype, (const unsigned char *)array->data + i * bytes);
    putchar('\n');
}

void note_integer(const char *label, int64_t number)
{
    note_array(label, &(cohort_array){ .data = &number, .dtype = COHORT_I64 });
}

void note_real(const char *label, double number)
{
    note_array(label, &(cohort_array){ .data = &number, .dtype = COHORT_F64 });
}

/* Room for what is read; one byte more, for arrays without elements. */
static bool make_room(cohort_array *array)
{
    array->data = calloc(1, (size_t)(cohort_array_items(array) * 16 + 1));
    return array->data != NULL;
}

void note_value(const char *label, cohort_value *value)
{
    cohort_value *all = value;
    if (cohort_value_kind_of(value) == COHORT_PER_REPLICA_VALUE) {
        all = cohort_value_create(strategy);
        cohort_gather(value, 0, all);
    }
    cohort_array found = { 0 };
    found.rank = cohort_value_shape(all, 0, &found.dtype, found.shape);
    if (found.rank < 0 || !make_room(&found) || cohort_value_read(all, found) != COHORT_OK)
        note_failure(label);
    else
        note_array(label, &found);
    free(found.data);
    if (all != value)
        cohort_value_destroy(all);
}

void note_variable(const char *label, cohort_variable *variable)
{
    cohort_array found = { 0 };
    found.rank = cohort_variable_shape(variable, &found.dtype, found.shape);
    if (found.rank < 0 || !make_room(&found) || cohort_variable_read(variable, found) != COHORT_OK)
        note_failure(label);
    else
        note_array(label, &found);
    free(found.data);
}
