/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers that the arguments of a call take, as ABIs count them: only as far as it needs to
 * be known to step aside of mistakes of libffi (registers.h). */
#include "config.h"

#include "runtime/function/registers.h"

#include "runtime/base/dtype.h"

#include <stdbool.h>

/* Recursion ends because the members of a struct come earlier in the table. */
cohort_dtype cohort_registers_only_element(const cohort_sig *sig, uint32_t type,
                                           uint32_t *out_count)
{
    *out_count = 1;
    if (type < COHORT_STRUCT_BASE)
        return (cohort_dtype)type;
    const cohort_layout *layout = &sig->types[type - COHORT_STRUCT_BASE];
    uint32_t all = 0;
    cohort_dtype only = COHORT_VOID;
    for (uint32_t i = 0; i < layout->nmembers; i++) {
        uint32_t count;
        cohort_dtype found = cohort_registers_only_element(sig, layout->members[i].type, &count);
        only = i == 0 || found == only ? found : COHORT_VOID;
        all += layout->members[i].count * count;
        if (only == COHORT_VOID)
            return COHORT_VOID;
    }
    *out_count = all;
    return only;
}

#if defined(__x86_64__) && !defined(_WIN32)

enum { INTEGER_REGISTERS = 6, SSE_REGISTERS = 8, EIGHTBYTE = 8 };

typedef enum register_class {
    CLASS_NONE,
    CLASS_SSE,
    CLASS_INTEGER,
    CLASS_MEMORY
} register_class; /* in the order in which one wins over another where both share an eightbyte */

/* Classes of the two eightbytes of a value of at most 16 bytes. */
typedef struct classes {
    register_class eightbytes[2];
} classes;

static uint32_t type_bytes(const cohort_sig *sig, uint32_t type)
{
    static const uint8_t sizes[] = {
#define TYPE_BYTES(name, value, text, bytes, kind) [value] = (bytes),
        COHORT_DTYPES(TYPE_BYTES)
    };
    return type >= COHORT_STRUCT_BASE ? sig->types[type - COHORT_STRUCT_BASE].size : sizes[type];
}

static register_class scalar_class(uint32_t type)
{
    const cohort_dtype dtype = (cohort_dtype)type;
    if (type == COHORT_LONG_DOUBLE || type == COHORT_COMPLEX_LONG_DOUBLE)
        return CLASS_MEMORY;
    return cohort_dtype_is_complex(dtype) ||
                   (cohort_dtype_is_floating(dtype) && !cohort_dtype_is_narrow(dtype))
               ? CLASS_SSE
               : CLASS_INTEGER;
}

static void merge(classes *c, uint32_t offset, register_class class)
{
    register_class *held = &c->eightbytes[offset / EIGHTBYTE];
    *held = class > *held ? class : *held;
}

/* Recursion ends because the members of a struct come earlier in the table. */
static void classify(const cohort_sig *sig, uint32_t type, uint32_t offset, classes *c)
{
    if (type < COHORT_STRUCT_BASE) {
        merge(c, offset, scalar_class(type));
        /* a complex double has two eightbytes */
        merge(c, offset + type_bytes(sig, type) - 1, scalar_class(type));
        return;
    }
    const cohort_layout *layout = &sig->types[type - COHORT_STRUCT_BASE];
    for (uint32_t i = 0; i < layout->nmembers; i++)
        for (uint32_t k = 0; k < layout->members[i].count; k++)
            classify(sig, layout->members[i].type,
                     offset + layout->members[i].offset +
                         k * type_bytes(sig, layout->members[i].type),
                     c);
}

static classes classes_of(const cohort_sig *sig, const cohort_arg *arg)
{
    classes c = { { CLASS_NONE, CLASS_NONE } };
    bool is_pointer = arg->kind != COHORT_ARG_VALUE;
    if (is_pointer)
        c.eightbytes[0] = CLASS_INTEGER;
    else if (type_bytes(sig, arg->type) > 2 * EIGHTBYTE)
        c.eightbytes[0] = CLASS_MEMORY;
    else
        classify(sig, arg->type, 0, &c);
    return c;
}

static int count_class(const classes *c, register_class class)
{
    return (c->eightbytes[0] == class) + (c->eightbytes[1] == class);
}

static bool is_integer_then_sse(const cohort_sig *sig, const cohort_arg *arg, const classes *c)
{
    return arg->kind == COHORT_ARG_VALUE && arg->type >= COHORT_STRUCT_BASE &&
           type_bytes(sig, arg->type) > EIGHTBYTE && c->eightbytes[0] == CLASS_INTEGER &&
           c->eightbytes[1] == CLASS_SSE;
}

int32_t cohort_registers_find_split(const cohort_sig *sig)
{
    /* such a result's address is a hidden first argument */
    bool is_returned_in_memory =
        sig->ret >= COHORT_STRUCT_BASE && type_bytes(sig, sig->ret) > 2 * EIGHTBYTE;
    int n_integer = is_returned_in_memory ? 1 : 0, n_sse = 0; /* taken so far */
    for (uint32_t i = 0; i < sig->nargs; i++) {
        classes c = classes_of(sig, &sig->args[i]);
        if (is_integer_then_sse(sig, &sig->args[i], &c) && n_integer == INTEGER_REGISTERS - 1 &&
            n_sse >= 1 && n_sse < SSE_REGISTERS)
            return (int32_t)i;
        int integer = n_integer + count_class(&c, CLASS_INTEGER),
            sse = n_sse + count_class(&c, CLASS_SSE);
        /* An argument goes to registers as a whole or not at all: where one of its halves has no
         * register left, both lie on the stack and later arguments may still take the registers. */
        if (count_class(&c, CLASS_MEMORY) == 0 && integer <= INTEGER_REGISTERS &&
            sse <= SSE_REGISTERS) {
            n_integer = integer;
            n_sse = sse;
        }
    }
    return -1;
}

#else

int32_t cohort_registers_find_split(const cohort_sig *sig)
{
    (void)sig;
    return -1;
}

#endif
