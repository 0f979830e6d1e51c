/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether structs and named types of a kernel lie in memory as those of the prototype do.
 *
 * No question of OpenCL tells that, so the device is asked by a second kernel (probe.h), whose
 * variables of these types have a known number in each member. Where that number is found, and in
 * which form, tells offset and type of the member. */
#include "config.h"

#include "opencl/layout.h"

#include "opencl/argument.h"
#include "opencl/cltype.h"
#include "opencl/probe.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NUMBERS = 1024, /* of a struct that is filled; larger ones are compared by size */
    TEXT_BYTES = 240
};

/* ---- What the prototype says. */

#define BYTES(name, value, text, bytes, kind) [value] = (uint32_t)(bytes),
static const uint32_t dtype_bytes[] = { COHORT_DTYPES(BYTES) };

static uint32_t type_bytes(const cohort_sig *sig, uint32_t type)
{
    return type >= COHORT_STRUCT_BASE ? sig->types[type - COHORT_STRUCT_BASE].size
                                      : dtype_bytes[type];
}

/* Appends the numbers of a type in the order in which an initializer fills them. */
static void flatten(const cohort_sig *sig, uint32_t type, uint32_t offset,
                    struct opencl_probed_number *out, uint32_t *n)
{
    bool is_complex = type == COHORT_C64 || type == COHORT_C128;
    if (type < COHORT_STRUCT_BASE) {
        uint32_t part = type == COHORT_C64    ? (uint32_t)COHORT_F32
                        : type == COHORT_C128 ? (uint32_t)COHORT_F64
                                              : type;
        for (uint32_t i = 0; i < (is_complex ? 2u : 1u) && *n < MOST_NUMBERS; i++)
            out[(*n)++] = (struct opencl_probed_number){ part, offset + i * dtype_bytes[part] };
        return;
    }
    const cohort_layout *layout = &sig->types[type - COHORT_STRUCT_BASE];
    for (uint32_t m = 0; m < layout->nmembers; m++) {
        const cohort_member *member = &layout->members[m];
        for (uint32_t i = 0; i < member->count && *n < MOST_NUMBERS; i++)
            flatten(sig, member->type, offset + member->offset + i * type_bytes(sig, member->type),
                    out, n);
    }
}

/* "pair" of "pair *": the driver's spelling, without what makes it a pointer. False: it does not
 * say. */
static bool ask_name(cl_kernel kernel, cl_uint i, char out[OPENCL_PROBE_NAME_BYTES])
{
    memset(out, 0, OPENCL_PROBE_NAME_BYTES);
    if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, OPENCL_PROBE_NAME_BYTES - 1, out,
                           NULL) != CL_SUCCESS)
        return false;
    size_t bytes = strcspn(out, "*");
    while (bytes > 0 && out[bytes - 1] == ' ')
        bytes--;
    out[bytes] = '\0';
    return bytes > 0 && opencl_cltype_parse(out).scalar == COHORT_VOID;
}

/* An argument with a type that has a name of its own; others were compared by argument.c. */
static bool add(struct opencl_probe *probe, cl_kernel kernel, const cohort_sig *sig, uint32_t i)
{
    const cohort_arg *arg = &sig->args[i];
    struct opencl_probed *item = &probe->items[probe->n];
    if (arg->kind > COHORT_ARG_LOCAL || !ask_name(kernel, i, item->name))
        return true; /* images and samplers have no layout */
    item->arg = i;
    item->is_number = arg->type < COHORT_STRUCT_BASE && arg->type != COHORT_RECORD;
    item->is_array = arg->kind != COHORT_ARG_VALUE;
    item->size = item->is_number ? dtype_bytes[arg->type] : arg->size;
    if (arg->type != COHORT_RECORD) {
        item->numbers = calloc(MOST_NUMBERS, sizeof *item->numbers);
        if (item->numbers == NULL)
            return false;
        flatten(sig, arg->type, 0, item->numbers, &item->n_numbers);
    }
    if (item->n_numbers == MOST_NUMBERS)
        item->n_numbers = 0;
    probe->n++;
    if (item->n_numbers > 0)
        item->value = calloc(1, opencl_probed_room(item));
    return item->n_numbers == 0 || item->value != NULL;
}

static void free_probe(struct opencl_probe *probe)
{
    for (uint32_t i = 0; probe != NULL && i < COHORT_MAX_ARGS; i++) {
        free(probe->items[i].numbers);
        free(probe->items[i].value);
    }
    free(probe);
}

/* ---- Comparing. */

/* The bytes that a member of the type, which is no complex number, holds of a value; how many. */
static uint32_t encode(uint32_t type, uint64_t value, unsigned char out[8])
{
    static const unsigned char infinite_half[] = { 0x00, 0x7c };
    float single = (float)value;
    double twice = (double)value;
    uint32_t bytes = dtype_bytes[type];
    for (uint32_t i = 0; i < bytes; i++) /* as OpenCL devices that Cohort takes have them */
        out[i] = (unsigned char)(value >> 8 * i);
    if (type == COHORT_F32)
        memcpy(out, &single, sizeof single);
    else if (type == COHORT_F64)
        memcpy(out, &twice, sizeof twice);
    else if (type == COHORT_F16)
        memcpy(out, infinite_half, sizeof infinite_half);
    return bytes;
}

static bool holds(const unsigned char *bytes, uint32_t type, uint64_t value)
{
    unsigned char wanted[8];
    uint32_t n = encode(type, value, wanted);
    return memcmp(bytes, wanted, n) == 0;
}

/* float16 may be stored as ushort, and bool as one. */
static bool number_is_right(const unsigned char *bytes, uint32_t type, uint64_t value)
{
    return holds(bytes, type, value) || (type == COHORT_F16 && holds(bytes, COHORT_U16, value)) ||
           (type == COHORT_BOOL && bytes[0] == 1);
}

/* NULL: it was not filled, or is too large for an answer. */
static const unsigned char *value_of(const struct opencl_probed *item, bool is_filled)
{
    return is_filled && item->answered_size <= opencl_probed_room(item) ? item->value : NULL;
}

/* Of an array as many times as the kernel's vector, or struct of numbers, has lanes. */
static bool number_is_alike(const struct opencl_probed *item, bool is_filled)
{
    uint64_t size = item->answered_size;
    bool is_same = item->is_array ? size > 0 && size % item->size == 0 : size == item->size;
    const unsigned char *value = value_of(item, is_filled);
    for (uint64_t at = 0; is_same && value != NULL && at < size; at += item->size)
        for (uint32_t i = 0; is_same && i < item->n_numbers; i++)
            is_same = number_is_right(value + at + item->numbers[i].offset, item->numbers[i].type,
                                      OPENCL_PROBE_FIRST);
    return is_same;
}

static bool struct_is_alike(const struct opencl_probed *item, bool is_filled)
{
    bool is_same = item->answered_size == item->size;
    const unsigned char *value = value_of(item, is_filled);
    for (uint32_t i = 0; is_same && value != NULL && i < item->n_numbers; i++)
        is_same = number_is_right(value + item->numbers[i].offset, item->numbers[i].type,
                                  OPENCL_PROBE_FIRST + i);
    return is_same;
}

static bool is_alike(const struct opencl_probed *item, bool is_filled)
{
    return item->is_number ? number_is_alike(item, is_filled) : struct_is_alike(item, is_filled);
}

/* ---- The message. */

static void add_word(char out[TEXT_BYTES], const char *type, uint32_t offset)
{
    size_t used = strlen(out);
    (void)snprintf(out + used, TEXT_BYTES - used, "%s%s at %u", used > 0 ? ", " : "", type, offset);
}

/* "int at 0, float at 4": what stands in the bytes of a filled struct, each number where it is
 * found. */
static void print_found(const unsigned char *bytes, uint64_t size, const struct opencl_probed *item,
                        char out[TEXT_BYTES])
{
    static const uint32_t types[] = { COHORT_I64, COHORT_F64, COHORT_I32, COHORT_F32,
                                      COHORT_I16, COHORT_F16, COHORT_I8 };
    uint32_t at = 0, found = 0;
    out[0] = '\0';
    while (at < size && found < item->n_numbers) {
        uint32_t width = 0;
        uint64_t value = OPENCL_PROBE_FIRST + (item->is_number ? 0 : found);
        for (size_t i = 0; width == 0 && i < sizeof types / sizeof *types; i++) {
            unsigned char unused[8];
            uint32_t n = encode(types[i], value, unused);
            if (at % n == 0 && at + n <= size && holds(bytes + at, types[i], value)) {
                add_word(out, opencl_cltype_name(types[i]), at);
                width = n;
            }
        }
        found += width > 0;
        at += width > 0 ? width : 1;
    }
}

static void print_wanted(const struct opencl_probed *item, char out[TEXT_BYTES])
{
    static const char *const names[] = {
#define NAME(name, value, text, bytes, kind) [value] = text,
        COHORT_DTYPES(NAME)
    };
    out[0] = '\0';
    for (uint32_t i = 0; i < item->n_numbers; i++) {
        const char *name = opencl_cltype_name(item->numbers[i].type);
        add_word(out, name != NULL ? name : names[item->numbers[i].type], item->numbers[i].offset);
    }
}

static cohort_status refuse(const struct opencl_probed *item, bool is_filled, const char *entry,
                            const cohort_sig *sig, cohort_error *err)
{
    char found[TEXT_BYTES] = "", wanted[TEXT_BYTES], name[80];
    const unsigned char *value = value_of(item, is_filled);
    if (value != NULL)
        print_found(value, item->answered_size, item, found);
    print_wanted(item, wanted);
    return cohort_fail(
        err, COHORT_EINVAL, 0,
        "%s: argument %s: '%.60s' of the kernel has %llu bytes%s%s%s, the %s of the prototype "
        "%u%s%s%s; "
        "give both the same %s",
        entry, opencl_argument_name(sig, item->arg, name), item->name,
        (unsigned long long)item->answered_size,
        found[0] != '\0' ? " (of the prototype's members: " : "", found,
        found[0] != '\0' ? ")" : "", item->is_number ? "number" : "struct", item->size,
        wanted[0] != '\0' ? " (" : "", wanted, wanted[0] != '\0' ? ")" : "",
        item->is_number ? "type" : "members in the same order");
}

/* A type that takes no initializer makes the filled probe fail to build: it is then only measured.
 * A name that the compiler does not know in the second kernel is left uncompared. */
static cohort_status compare(cohort_dev *dev, const cohort_code *code, const char *entry,
                             const cohort_sig *sig, struct opencl_probe *probe, cohort_error *err)
{
    bool is_filled = true;
    cohort_error unused = { .struct_size = sizeof unused };
    cohort_status st = opencl_probe_run(dev, code, entry, probe, true, &unused);
    if (st == COHORT_EBUILD) {
        is_filled = false;
        st = opencl_probe_run(dev, code, entry, probe, false, &unused);
    }
    if (st == COHORT_EBUILD) /* names that the driver tells and its compiler does not know */
        return COHORT_OK;
    if (st < 0)
        return cohort_fail(err, st, unused.native, "%s", unused.text);
    for (uint32_t i = 0; i < probe->n; i++)
        if (!is_alike(&probe->items[i], is_filled))
            return refuse(&probe->items[i], is_filled, entry, sig, err);
    return COHORT_OK;
}

cohort_status opencl_layout_check(cohort_dev *dev, const cohort_code *code, cl_kernel kernel,
                                  const char *entry, const cohort_sig *sig, cohort_error *err)
{
    /* Items have the prototype's own text, with its sizes (COHORT_CODE_GUARDED). */
    if (strcmp(code->format, "opencl.c") != 0 || (code->flags & COHORT_CODE_GUARDED) != 0)
        return COHORT_OK;
    struct opencl_probe *probe = calloc(1, sizeof *probe);
    bool has_memory = probe != NULL;
    for (uint32_t i = 0; has_memory && i < sig->nargs; i++)
        has_memory = add(probe, kernel, sig, i);
    cohort_status st =
        !has_memory ? cohort_fail(err, COHORT_ENOMEM, 0, "%s: no memory to compare structs", entry)
        : probe->n > 0 ? compare(dev, code, entry, sig, probe, err)
                       : COHORT_OK;
    free_probe(probe);
    return st;
}
