/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "opencl/layout.h"

#include "opencl/argument.h"
#include "opencl/cltype.h"
#include "opencl/error.h"
#include "opencl/opencl.h"
#include "opencl/program.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_BYTES = 512,
    MOST_NUMBERS = 1024, /* of a struct that is filled; larger ones are compared by size */
    SIZE_BYTES = 8,
    REST_BYTES = 64, /* what is looked at behind the prototype's size */
    TEXT_BYTES = 240
};

/* The first number of a struct; no two of its bytes are alike, so that what a member holds tells
 * its type. */
static const uint64_t first_value = UINT64_C(0x0102030405060700);

/* A number inside a struct of the prototype. */
struct number {
    uint32_t type, offset;
};

struct layout {
    uint32_t arg, size, n_numbers, at; /* at: where its answer starts */
    bool is_number, is_array;          /* the prototype has a number; several, in an array */
    struct number *numbers;            /* NULL: too many, or a record of unknown members */
    char name[NAME_BYTES];             /* of the kernel's type */
};

/* All of a kernel, and what the device answered. */
struct layouts {
    struct layout items[COHORT_MAX_ARGS];
    uint32_t n, bytes;
    unsigned char *answer;
};

/* ---- What the prototype says. */

#define BYTES(name, value, text, bytes) [value] = (uint32_t)(bytes),
static const uint32_t dtype_bytes[] = { COHORT_DTYPES(BYTES) };

static uint32_t type_bytes(const cohort_sig *sig, uint32_t type)
{
    return type >= COHORT_STRUCT_BASE ? sig->types[type - COHORT_STRUCT_BASE].size
                                      : dtype_bytes[type];
}

/* Appends the numbers of a type in the order in which an initializer fills them. */
static void flatten(const cohort_sig *sig, uint32_t type, uint32_t offset, struct number *out,
                    uint32_t *n)
{
    bool is_complex = type == COHORT_C64 || type == COHORT_C128;
    if (type < COHORT_STRUCT_BASE) {
        uint32_t part = type == COHORT_C64    ? (uint32_t)COHORT_F32
                        : type == COHORT_C128 ? (uint32_t)COHORT_F64
                                              : type;
        for (uint32_t i = 0; i < (is_complex ? 2u : 1u) && *n < MOST_NUMBERS; i++)
            out[(*n)++] = (struct number){ part, offset + i * dtype_bytes[part] };
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
static bool ask_name(cl_kernel kernel, cl_uint i, char out[NAME_BYTES])
{
    memset(out, 0, NAME_BYTES);
    if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, NAME_BYTES - 1, out, NULL) !=
        CL_SUCCESS)
        return false;
    size_t bytes = strcspn(out, "*");
    while (bytes > 0 && out[bytes - 1] == ' ')
        bytes--;
    out[bytes] = '\0';
    return bytes > 0 && opencl_cltype_parse(out).scalar == COHORT_VOID;
}

static bool add(struct layouts *all, cl_kernel kernel, const cohort_sig *sig, uint32_t i)
{
    const cohort_arg *arg = &sig->args[i];
    struct layout *item = &all->items[all->n];
    if (!ask_name(kernel, i, item->name))
        return true;
    item->arg = i;
    item->is_number = arg->type < COHORT_STRUCT_BASE && arg->type != COHORT_RECORD;
    item->is_array = arg->kind != COHORT_ARG_VALUE;
    item->size = item->is_number ? dtype_bytes[arg->type] : arg->size;
    item->at = all->bytes;
    if (arg->type != COHORT_RECORD) {
        item->numbers = calloc(MOST_NUMBERS, sizeof *item->numbers);
        if (item->numbers == NULL)
            return false;
        flatten(sig, arg->type, 0, item->numbers, &item->n_numbers);
    }
    if (item->n_numbers == MOST_NUMBERS)
        item->n_numbers = 0;
    all->bytes += SIZE_BYTES + item->size + REST_BYTES;
    all->n++;
    return true;
}

static void layouts_free(struct layouts *all)
{
    for (uint32_t i = 0; all != NULL && i < COHORT_MAX_ARGS; i++)
        free(all->items[i].numbers);
    if (all != NULL)
        free(all->answer);
    free(all);
}

/* ---- What the kernel says. */

/* The source with one more kernel behind it; its own length counts, since it may hold zeros. */
struct probe {
    char *text;
    size_t used, capacity;
};

__attribute__((format(printf, 2, 3))) static void add_text(struct probe *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(p->text + p->used, p->capacity - p->used, format, arguments);
    va_end(arguments);
    p->used += n > 0 ? (size_t)n : 0;
}

/* `cohort_v` is a variable of the type, filled: a struct number by number, each the sum of a
 * run-time value, of which no compiler says that it does not fit; the name of a number, or of a
 * vector, with that value alone. */
static void add_bytes(struct probe *p, const struct layout *item)
{
    add_text(p, item->is_number ? "%s cohort_v = (%s)(cohort_x" : "%s cohort_v = {", item->name,
             item->name);
    for (uint32_t i = 0; i < item->n_numbers && !item->is_number; i++)
        add_text(p, "%scohort_x + %u", i > 0 ? ", " : " ", i);
    add_text(p,
             "%s;\n__private const uchar *cohort_b = (__private const uchar *)&cohort_v;\n"
             "for (uint cohort_i = 0; cohort_i < sizeof cohort_v && cohort_i < %u; cohort_i++)\n"
             "    cohort_out[%u + cohort_i] = cohort_b[cohort_i];\n",
             item->is_number ? ")" : " }", item->size + REST_BYTES, item->at + SIZE_BYTES);
}

static void add_type(struct probe *p, const struct layout *item, bool is_filled)
{
    add_text(p,
             "{\nconst ulong cohort_n = sizeof(%s);\n"
             "for (uint cohort_i = 0; cohort_i < %d; cohort_i++)\n"
             "    cohort_out[%u + cohort_i] = (uchar)(cohort_n >> 8 * cohort_i);\n",
             item->name, SIZE_BYTES, item->at);
    if (is_filled && item->n_numbers > 0)
        add_bytes(p, item);
    add_text(p, "}\n");
}

static bool make_probe(const struct layouts *all, const cohort_code *code, bool is_filled,
                       struct probe *p)
{
    enum { OF_NUMBER = 32, OF_TYPE = 800 + 2 * NAME_BYTES };
    p->used = (size_t)code->bytes;
    p->capacity = p->used + 256;
    for (uint32_t i = 0; i < all->n; i++)
        p->capacity += OF_TYPE + OF_NUMBER * (size_t)all->items[i].n_numbers;
    p->text = malloc(p->capacity);
    if (p->text == NULL)
        return false;
    memcpy(p->text, code->data, (size_t)code->bytes);
    while (p->used > 0 && p->text[p->used - 1] == '\0')
        p->used--;
    add_text(p, "\n__kernel void cohort_layouts(__global uchar *cohort_out, ulong cohort_x)\n{\n");
    for (uint32_t i = 0; i < all->n; i++)
        add_type(p, &all->items[i], is_filled);
    add_text(p, "}\n");
    return true;
}

/* Runs it with one work-item. */
static cl_int run(cohort_dev *dev, cl_program program, struct layouts *all)
{
    cl_int code = CL_SUCCESS;
    size_t one = 1;
    cl_ulong value = first_value;
    cl_mem out = clCreateBuffer(dev->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, all->bytes,
                                all->answer, &code);
    cl_kernel kernel = code == CL_SUCCESS ? clCreateKernel(program, "cohort_layouts", &code) : NULL;
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 0, sizeof out, &out);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 1, sizeof value, &value);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(dev->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(dev->queue, out, CL_TRUE, 0, all->bytes, all->answer, 0, NULL,
                                   NULL);
    if (kernel != NULL)
        (void)clReleaseKernel(kernel);
    if (out != NULL)
        (void)clReleaseMemObject(out);
    return code;
}

/* COHORT_EBUILD: the types do not take this. */
static cohort_status ask(cohort_dev *dev, const cohort_code *code, const char *entry,
                         struct layouts *all, bool is_filled, cohort_error *err)
{
    struct probe probe;
    struct opencl_program *program = NULL;
    if (!make_probe(all, code, is_filled, &probe))
        return cohort_fail(err, COHORT_ENOMEM, 0, "%s: no memory to compare structs", entry);
    cohort_code asking = *code;
    asking.data = probe.text;
    asking.bytes = probe.used;
    cohort_status st = opencl_program_acquire(dev, &asking, entry, &program, err);
    free(probe.text);
    if (st < 0)
        return st;
    cl_int result = run(dev, program->cl, all);
    opencl_program_release(dev, program);
    return result == CL_SUCCESS ? COHORT_OK
                                : opencl_dev_fail(dev, err, result, "%s: comparing structs", entry);
}

/* ---- Comparing. */

/* The bytes that a member of the type holds of a value; how many. */
static uint32_t encode(uint32_t type, uint64_t value, unsigned char out[8])
{
    static const unsigned char infinite_half[] = { 0x00, 0x7c };
    float single = (float)value;
    double twice = (double)value;
    uint32_t bytes =
        type == COHORT_F64 || type == COHORT_I64 || type == COHORT_U64                          ? 8
        : type == COHORT_F32 || type == COHORT_I32 || type == COHORT_U32                        ? 4
        : type == COHORT_F16 || type == COHORT_BF16 || type == COHORT_I16 || type == COHORT_U16 ? 2
                                                                                                : 1;
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

static uint64_t answered_size(const struct layouts *all, const struct layout *item)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < SIZE_BYTES; i++)
        size |= (uint64_t)all->answer[item->at + i] << 8 * i;
    return size;
}

/* Of an array as many times as the kernel's vector, or struct of numbers, has lanes. */
static bool number_is_alike(const struct layouts *all, const struct layout *item, bool is_filled)
{
    uint64_t size = answered_size(all, item);
    bool is_same = item->is_array ? size > 0 && size % item->size == 0 : size == item->size;
    for (uint32_t at = 0; is_same && is_filled && at + item->size <= size && at <= REST_BYTES;
         at += item->size)
        for (uint32_t i = 0; is_same && i < item->n_numbers; i++)
            is_same =
                number_is_right(all->answer + item->at + SIZE_BYTES + at + item->numbers[i].offset,
                                item->numbers[i].type, first_value);
    return is_same;
}

static bool struct_is_alike(const struct layouts *all, const struct layout *item, bool is_filled)
{
    bool is_same = answered_size(all, item) == item->size;
    for (uint32_t i = 0; is_same && is_filled && i < item->n_numbers; i++)
        is_same = number_is_right(all->answer + item->at + SIZE_BYTES + item->numbers[i].offset,
                                  item->numbers[i].type, first_value + i);
    return is_same;
}

static bool is_alike(const struct layouts *all, const struct layout *item, bool is_filled)
{
    return item->is_number ? number_is_alike(all, item, is_filled)
                           : struct_is_alike(all, item, is_filled);
}

/* ---- The message. */

static void add_word(char out[TEXT_BYTES], const char *type, uint32_t offset)
{
    size_t used = strlen(out);
    (void)snprintf(out + used, TEXT_BYTES - used, "%s%s at %u", used > 0 ? ", " : "", type, offset);
}

/* "int at 0, float at 4": what stands in the bytes of a filled struct, each number where it is
 * found. */
static void print_found(const unsigned char *bytes, uint64_t size, const struct layout *item,
                        char out[TEXT_BYTES])
{
    static const uint32_t types[] = { COHORT_I64, COHORT_F64, COHORT_I32, COHORT_F32,
                                      COHORT_I16, COHORT_F16, COHORT_I8 };
    uint32_t at = 0, found = 0;
    out[0] = '\0';
    while (at < size && found < item->n_numbers) {
        uint32_t width = 0;
        uint64_t value = first_value + (item->is_number ? 0 : found);
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

static void print_wanted(const struct layout *item, char out[TEXT_BYTES])
{
    static const char *const names[] = {
#define NAME(name, value, text, bytes) [value] = text,
        COHORT_DTYPES(NAME)
    };
    out[0] = '\0';
    for (uint32_t i = 0; i < item->n_numbers; i++) {
        const char *name = opencl_cltype_name(item->numbers[i].type);
        add_word(out, name != NULL ? name : names[item->numbers[i].type], item->numbers[i].offset);
    }
}

static cohort_status refuse(const struct layouts *all, const struct layout *item, bool is_filled,
                            const char *entry, const cohort_sig *sig, cohort_error *err)
{
    char found[TEXT_BYTES] = "", wanted[TEXT_BYTES], name[80];
    uint64_t size = answered_size(all, item), seen = item->size + (uint64_t)REST_BYTES;
    if (is_filled)
        print_found(all->answer + item->at + SIZE_BYTES, size < seen ? size : seen, item, found);
    print_wanted(item, wanted);
    return cohort_fail(
        err, COHORT_EINVAL, 0,
        "%s: argument %s: '%.60s' of the kernel has %llu bytes%s%s%s, the %s of the prototype "
        "%u%s%s%s; "
        "give both the same %s",
        entry, opencl_argument_name(sig, item->arg, name), item->name, (unsigned long long)size,
        found[0] != '\0' ? " (of the prototype's members: " : "", found,
        found[0] != '\0' ? ")" : "", item->is_number ? "number" : "struct", item->size,
        wanted[0] != '\0' ? " (" : "", wanted, wanted[0] != '\0' ? ")" : "",
        item->is_number ? "type" : "members in the same order");
}

static cohort_status compare(cohort_dev *dev, const cohort_code *code, const char *entry,
                             const cohort_sig *sig, struct layouts *all, cohort_error *err)
{
    bool is_filled = true;
    cohort_error unused = { .struct_size = sizeof unused };
    cohort_status st = ask(dev, code, entry, all, true, &unused);
    if (st == COHORT_EBUILD) {
        is_filled = false;
        st = ask(dev, code, entry, all, false, &unused);
    }
    if (st == COHORT_EBUILD) /* names that the driver tells and its compiler does not know */
        return COHORT_OK;
    if (st < 0)
        return cohort_fail(err, st, unused.native, "%s", unused.text);
    for (uint32_t i = 0; i < all->n; i++)
        if (!is_alike(all, &all->items[i], is_filled))
            return refuse(all, &all->items[i], is_filled, entry, sig, err);
    return COHORT_OK;
}

cohort_status opencl_layouts_check(cohort_dev *dev, const cohort_code *code, cl_kernel kernel,
                                   const char *entry, const cohort_sig *sig, cohort_error *err)
{
    /* Items have the prototype's own text, with its sizes (COHORT_CODE_GUARDED). */
    if (strcmp(code->format, "opencl.c") != 0 || (code->flags & COHORT_CODE_GUARDED) != 0)
        return COHORT_OK;
    struct layouts *all = calloc(1, sizeof *all);
    bool has_memory = all != NULL;
    for (uint32_t i = 0; has_memory && i < sig->nargs; i++)
        has_memory = add(all, kernel, sig, i);
    if (has_memory && all->n > 0)
        has_memory = (all->answer = calloc(1, all->bytes)) != NULL;
    cohort_status st =
        !has_memory  ? cohort_fail(err, COHORT_ENOMEM, 0, "%s: no memory to compare structs", entry)
        : all->n > 0 ? compare(dev, code, entry, sig, all, err)
                     : COHORT_OK;
    layouts_free(all);
    return st;
}
