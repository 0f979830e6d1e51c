/* SPDX-License-Identifier: BSD-3-Clause */
/* The one door to libffi: a call of a native function whose prototype is known only at run time.
 * Preparing describes the types to libffi and compares its layouts with ours; calling then needs
 * neither memory nor checks, and where all arguments are scalars not even libffi (direct.h).
 *
 * The sig may come from a plugin (cohort_host), so preparing trusts nothing that it indexes by. */
#include "config.h"

#include "runtime/function/native_call.h"

#include <cohort/array.h>

#include "runtime/base/dtype.h"
#include "runtime/base/fpstate.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/function/direct.h"
#include "runtime/function/registers.h"

#include <ffi.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

/* Results up to this size go through a buffer of ours, since libffi widens small ones and some
 * platforms write whole registers; larger ones are written where they belong. */
enum { BUFFER_BYTES = 64 };

struct cohort_call {
    ffi_cif cif;
    uint32_t n_arguments, result_bytes;
    bool is_integer_result;
    int32_t split; /* the argument that is passed as two scalars, see registers.h, or -1 */
    uint32_t split_bytes;
    ffi_type *types[COHORT_MAX_ARGS + 1];
    ffi_type structs[COHORT_LIMIT_STRUCTS];
    ffi_type **elements; /* of all structs */
    cohort_direct direct;
    ffi_type pair; /* of a complex result, where LOSES_COMPLEX */
    ffi_type *halves[3];
};

/* Types without entry cannot be passed by value: floats of 16 bits or less, for which libffi has no
 * type, and COHORT_RECORD, which is no type of C. */
static ffi_type *const scalars[] = {
    [COHORT_VOID] = &ffi_type_void,
    [COHORT_BOOL] = &ffi_type_uint8,
    [COHORT_I8] = &ffi_type_sint8,
    [COHORT_U8] = &ffi_type_uint8,
    [COHORT_I16] = &ffi_type_sint16,
    [COHORT_U16] = &ffi_type_uint16,
    [COHORT_I32] = &ffi_type_sint32,
    [COHORT_U32] = &ffi_type_uint32,
    [COHORT_I64] = &ffi_type_sint64,
    [COHORT_U64] = &ffi_type_uint64,
    [COHORT_F32] = &ffi_type_float,
    [COHORT_F64] = &ffi_type_double,
#ifdef FFI_TARGET_HAS_COMPLEX_TYPE
    [COHORT_C64] = &ffi_type_complex_float,
    [COHORT_C128] = &ffi_type_complex_double,
    [COHORT_COMPLEX_LONG_DOUBLE] = &ffi_type_complex_longdouble,
#endif
    [COHORT_LONG_DOUBLE] = &ffi_type_longdouble,
    [COHORT_POINTER] = &ffi_type_pointer,
};

/* ---- Preparing */

typedef struct builder {
    cohort_call *call;
    const cohort_sig *sig;
    cohort_error *err;
    bool is_needed[COHORT_LIMIT_STRUCTS]; /* structs that are passed by value, or part of one */
} builder;

static bool is_struct(uint32_t type)
{
    return type >= COHORT_STRUCT_BASE;
}

/* The type is one of the sig's structs before `n_known`, or a scalar that libffi knows. */
static cohort_status check_type(const builder *b, uint32_t type, uint32_t n_known)
{
    if (is_struct(type) ? type - COHORT_STRUCT_BASE < n_known
                        : type < sizeof scalars / sizeof *scalars && scalars[type] != NULL)
        return COHORT_OK;
    if (is_struct(type))
        return cohort_fail(b->err, COHORT_EINVAL, 0,
                           "type code %u is no struct that was described before", type);
    return cohort_fail(b->err, COHORT_EINVAL, 0, "%s cannot be passed by value",
                       cohort_dtype_name((cohort_dtype)type));
}

static ffi_type *ffi_type_of(const builder *b, uint32_t type)
{
    return is_struct(type) ? &b->call->structs[type - COHORT_STRUCT_BASE] : scalars[type];
}

/* Only structs that are passed by value are described to libffi: those that only arrays have may
 * be larger than the limit allows. */
static cohort_status need(builder *b, uint32_t type)
{
    cohort_status status = check_type(b, type, b->sig->ntypes);
    if (status == COHORT_OK && is_struct(type))
        b->is_needed[type - COHORT_STRUCT_BASE] = true;
    return status;
}

static cohort_status need_arguments(builder *b)
{
    cohort_status status = need(b, b->sig->ret);
    for (uint32_t i = 0; status == COHORT_OK && i < b->sig->nargs; i++) {
        const cohort_arg *arg = &b->sig->args[i];
        if (arg->kind == COHORT_ARG_VALUE)
            status = arg->type == COHORT_VOID
                         ? cohort_fail(b->err, COHORT_EINVAL, 0, "argument %u is void", i)
                         : need(b, arg->type);
        else if (arg->kind != COHORT_ARG_MEM && arg->kind != COHORT_ARG_LOCAL)
            status = cohort_fail(b->err, COHORT_EINVAL, 0, "argument %u has kind %u", i, arg->kind);
    }
    return status;
}

/* Adds to *elements what libffi's description of this struct takes, its end included. */
static cohort_status need_members(builder *b, uint32_t place, size_t *elements)
{
    const cohort_layout *layout = &b->sig->types[place];
    cohort_status status = COHORT_OK;
    size_t count = 1;
    if (layout->nmembers == 0 || layout->size == 0 || layout->size > COHORT_LIMIT_STRUCT_BYTES)
        return cohort_fail(b->err, COHORT_EINVAL, 0,
                           "a struct of %u members and %u bytes; by value at most %d",
                           layout->nmembers, layout->size, COHORT_LIMIT_STRUCT_BYTES);
    for (uint32_t i = 0; status == COHORT_OK && i < layout->nmembers; i++) {
        const cohort_member *member = &layout->members[i];
        bool is_larger = member->count > layout->size || count - 1 + member->count > layout->size;
        count += is_larger ? 0 : member->count; /* a size_t may have 32 bits */
        status = check_type(b, member->type, place);
        if (status == COHORT_OK && (member->type == COHORT_VOID || is_larger || member->count == 0))
            status = cohort_fail(b->err, COHORT_EINVAL, 0,
                                 "member %u of a struct of %u bytes is void, or has %u "
                                 "elements",
                                 i, layout->size, member->count);
        if (status == COHORT_OK && is_struct(member->type))
            b->is_needed[member->type - COHORT_STRUCT_BASE] = true;
    }
    *elements += count;
    return status;
}

/* From the last to the first: a struct comes behind those that it contains, so a struct that is
 * needed is met before its members are looked at. */
static cohort_status need_structs(builder *b, size_t *elements)
{
    cohort_status status = COHORT_OK;
    for (uint32_t place = b->sig->ntypes; status == COHORT_OK && place-- > 0;)
        if (b->is_needed[place])
            status = need_members(b, place, elements);
    return status;
}

static cohort_status wrong_layout(const builder *b, uint32_t place)
{
    return cohort_fail(b->err, COHORT_EINVAL, 0,
                       "struct %u: its layout (%u bytes, aligned to %u) is not the "
                       "platform's",
                       place, b->sig->types[place].size, b->sig->types[place].align);
}

/* The arguments of libffi must be, byte for byte, what the compiler of the body expects; a struct
 * whose text is another than the program's would else be torn at a call. */
static cohort_status compare_layout(const builder *b, uint32_t place, const size_t *offsets)
{
    const cohort_layout *layout = &b->sig->types[place];
    const ffi_type *type = &b->call->structs[place];
    if (type->size != layout->size || type->alignment != layout->align)
        return wrong_layout(b, place);
    for (uint32_t i = 0; i < layout->nmembers; i++) {
        const cohort_member *member = &layout->members[i];
        size_t bytes = ffi_type_of(b, member->type)->size;
        for (uint32_t k = 0; k < member->count; k++)
            if (*offsets++ != member->offset + k * bytes)
                return wrong_layout(b, place);
    }
    return COHORT_OK;
}

/* Elements of arrays one by one, as libffi wants them; returns what follows their end. */
static ffi_type **list_elements(const builder *b, uint32_t place, ffi_type **elements)
{
    const cohort_layout *layout = &b->sig->types[place];
    for (uint32_t i = 0; i < layout->nmembers; i++)
        for (uint32_t k = 0; k < layout->members[i].count; k++)
            *elements++ = ffi_type_of(b, layout->members[i].type);
    *elements++ = NULL;
    return elements;
}

static cohort_status describe_structs(builder *b, size_t n_elements)
{
    ffi_type **elements = b->call->elements = cohort_allocate(n_elements, sizeof *elements);
    size_t *offsets = cohort_allocate(n_elements, sizeof *offsets);
    cohort_status status = COHORT_OK;
    if (elements == NULL || offsets == NULL)
        status = cohort_fail(b->err, COHORT_ENOMEM, 0, "out of memory for a call");
    for (uint32_t place = 0; status == COHORT_OK && place < b->sig->ntypes; place++) {
        if (!b->is_needed[place])
            continue;
        b->call->structs[place] = (ffi_type){ .type = FFI_TYPE_STRUCT, .elements = elements };
        elements = list_elements(b, place, elements);
        if (ffi_get_struct_offsets(FFI_DEFAULT_ABI, &b->call->structs[place], offsets) != FFI_OK)
            status = wrong_layout(b, place);
        else
            status = compare_layout(b, place, offsets);
    }
    cohort_free(offsets);
    return status;
}

static cohort_status make_structs(builder *b)
{
    size_t n_elements = 0;
    cohort_status status = need_arguments(b);
    if (status == COHORT_OK)
        status = need_structs(b, &n_elements);
    return status == COHORT_OK && n_elements > 0 ? describe_structs(b, n_elements) : status;
}

/* ---- What libffi is told instead of a type with which it makes a mistake, and what is passed
 * alike
 *
 * LOSES_COMPLEX     ARM without registers for floats (3.4.4): there is no room for the address at
 *                   which a body puts a complex result, and arguments at the end are lost; for a
 *                   struct of two numbers, which comes back in the same way, there is.
 *                   Source: AAPCS32, 6.4; libffi src/arm/ffi.c.
 * OVERFLOWS_FLOATS  RISC-V (3.4.8): a struct of one float goes to the ninth of eight registers for
 *                   floats; the float alone, which takes the same place, does not.
 *                   Source: RISC-V psABI, hardware floating-point calling convention; libffi
 *                   src/riscv/ffi.c.
 * ALIGNS_DOUBLES    POWER (3.4.4): a struct of long doubles alone is aligned to 16 bytes, as other
 *                   structs with one are, where compilers align what takes registers for floats to
 *                   8. Source: GCC, rs6000_function_arg_boundary; libffi
 *                   src/powerpc/ffi_linux64.c. */

enum {
#if defined __arm__ && !defined __ARM_PCS_VFP
    LOSES_COMPLEX = 1,
#else
    LOSES_COMPLEX = 0,
#endif
#if defined __riscv
    OVERFLOWS_FLOATS = 1,
#else
    OVERFLOWS_FLOATS = 0,
#endif
#if defined __powerpc64__
    ALIGNS_DOUBLES = 1,
#else
    ALIGNS_DOUBLES = 0,
#endif
    MOST_LONG_DOUBLES = 4 /* in a struct that takes registers for floats, two for each */
};

static ffi_type *type_of_argument(const builder *b, uint32_t type)
{
    ffi_type *told = ffi_type_of(b, type);
    uint32_t count = 0;
    if (!is_struct(type) || (!OVERFLOWS_FLOATS && !ALIGNS_DOUBLES))
        return told;
    cohort_dtype element = cohort_registers_only_element(b->sig, type, &count);
    if (OVERFLOWS_FLOATS && count == 1 && (element == COHORT_F32 || element == COHORT_F64))
        return scalars[element];
    if (ALIGNS_DOUBLES && count <= MOST_LONG_DOUBLES && element == COHORT_LONG_DOUBLE)
        told->alignment = ffi_type_double.alignment;
    return told;
}

static ffi_type *type_of_result(const builder *b)
{
    ffi_type *type = ffi_type_of(b, b->sig->ret);
    cohort_call *call = b->call;
    if (!LOSES_COMPLEX || type->type != FFI_TYPE_COMPLEX)
        return type;
    call->halves[0] = call->halves[1] = type->elements[0];
    call->pair = (ffi_type){ .type = FFI_TYPE_STRUCT, .elements = call->halves };
    return &call->pair;
}

static cohort_status make_cif(builder *b)
{
    cohort_call *call = b->call;
    uint32_t n_types = 0, ret = b->sig->ret;
    call->split = cohort_registers_find_split(b->sig);
    for (uint32_t i = 0; i < b->sig->nargs; i++) {
        const cohort_arg *arg = &b->sig->args[i];
        bool is_value = arg->kind == COHORT_ARG_VALUE, is_split = (int32_t)i == call->split;
        ffi_type *type = is_value ? type_of_argument(b, arg->type) : &ffi_type_pointer;
        call->types[n_types++] = is_split ? &ffi_type_uint64 : type;
        if (is_split) {
            call->types[n_types++] = &ffi_type_double;
            call->split_bytes = (uint32_t)type->size;
        }
    }
    call->n_arguments = b->sig->nargs;
    /* libffi widens results of these types: see narrow */
    call->is_integer_result = ret == COHORT_BOOL || cohort_dtype_is_integer((cohort_dtype)ret);
    if (ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, n_types, type_of_result(b), call->types) !=
        FFI_OK)
        return cohort_fail(b->err, COHORT_EINVAL, 0, "libffi cannot describe this function");
    call->result_bytes = ret == COHORT_VOID ? 0 : (uint32_t)call->cif.rtype->size;
    call->direct = cohort_direct_plan(b->sig);
    return COHORT_OK;
}

static cohort_status check_sig(const cohort_sig *sig, cohort_error *err)
{
    if (sig == NULL || sig->struct_size < sizeof *sig)
        return cohort_fail(err, COHORT_EINVAL, 0, "a signature that is NULL or too small");
    if (sig->nargs > COHORT_MAX_ARGS || (sig->nargs > 0 && sig->args == NULL))
        return cohort_fail(err, COHORT_EINVAL, 0, "%u arguments; at most %u", sig->nargs,
                           COHORT_MAX_ARGS);
    if (sig->ntypes > COHORT_LIMIT_STRUCTS || (sig->ntypes > 0 && sig->types == NULL))
        return cohort_fail(err, COHORT_EINVAL, 0, "%u structs; at most %d", sig->ntypes,
                           COHORT_LIMIT_STRUCTS);
    return COHORT_OK;
}

cohort_status cohort_call_prepare(const cohort_sig *sig, cohort_call **out_call, cohort_error *err)
{
    *out_call = NULL;
    cohort_status status = check_sig(sig, err);
    if (status != COHORT_OK)
        return status;
    builder b = { .call = cohort_allocate(1, sizeof(cohort_call)), .sig = sig, .err = err };
    if (b.call == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "out of memory for a call");
    status = make_structs(&b);
    if (status == COHORT_OK)
        status = make_cif(&b);
    if (status != COHORT_OK) {
        cohort_call_free(b.call);
        return status;
    }
    *out_call = b.call;
    return COHORT_OK;
}

void cohort_call_free(cohort_call *call)
{
    if (call != NULL)
        cohort_free(call->elements);
    cohort_free(call);
}

/* ---- Calling */

/* The arguments of libffi that are not in argv: the halves of the split struct; and copies of what
 * is large. */
typedef struct passed {
    uint64_t halves[2];
    size_t n_bytes;
    alignas(16) unsigned char copies[COHORT_LIMIT_ARGUMENT_BYTES]; /* [n_bytes] */
} passed;

/* Large structs are the callee's, which may change them. Some platforms pass them by their address
 * (AAPCS64, 6.8.2, stage B), and not each libffi copies them before (its issue 694), so that a body
 * would change an argument of the next call. Only a plugin's own signature can have more than there
 * is room for. */
static void *copy_if_large(const ffi_type *type, void *argument, passed *p)
{
    const size_t in_registers = 2 * sizeof(void *);
    if (type->size <= in_registers || type->size > sizeof p->copies - p->n_bytes)
        return argument;
    void *copy = memcpy(p->copies + p->n_bytes, argument, type->size);
    p->n_bytes += (type->size + 15) / 16 * 16;
    return copy;
}

/* Addresses of what libffi passes: those of argv, with the halves of the split struct in their
 * place. */
static void arrange(const cohort_call *call, void *const *argv, void **values, passed *p)
{
    ffi_type *const *types = call->types;
    p->n_bytes = 0;
    for (uint32_t i = 0; i < call->n_arguments; i++) {
        if ((int32_t)i != call->split) {
            *values++ = copy_if_large(*types++, argv[i], p);
            continue;
        }
        p->halves[1] = 0; /* what a struct below 16 bytes leaves */
        memcpy(p->halves, argv[i], call->split_bytes);
        *values++ = &p->halves[0];
        *values++ = &p->halves[1];
        types += 2;
    }
}

/* libffi returns integers smaller than ffi_arg as an ffi_arg. By value, not by taking the first
 * bytes, which on a big-endian machine are the wrong ones. */
static void narrow(const void *buffer, uint32_t bytes, void *ret)
{
    ffi_arg wide;
    memcpy(&wide, buffer, sizeof wide);
    uint8_t narrow8 = (uint8_t)wide;
    uint16_t narrow16 = (uint16_t)wide;
    uint32_t narrow32 = (uint32_t)wide;
    memcpy(ret,
           bytes == 1   ? (void *)&narrow8
           : bytes == 2 ? (void *)&narrow16
                        : (void *)&narrow32,
           bytes);
}

static void give_result(const cohort_call *call, const void *buffer, void *ret)
{
    if (call->is_integer_result && call->result_bytes < sizeof(ffi_arg))
        narrow(buffer, call->result_bytes, ret);
    else
        memcpy(ret, buffer, call->result_bytes);
}

static void call_by_libffi(const cohort_call *call, cohort_native_fn fn, void *const *argv,
                           void *ret)
{
    void *values[COHORT_MAX_ARGS + 1];
    alignas(16) unsigned char buffer[BUFFER_BYTES];
    passed p;
    arrange(call, argv, values, &p);
    if (call->result_bytes > BUFFER_BYTES) {
        /* a struct of this size: libffi has no reason to write more than its bytes */
        ffi_call(cohort_memory_own(&call->cif), fn, ret, values);
        return;
    }
    ffi_call(cohort_memory_own(&call->cif), fn, buffer, values);
    if (ret != NULL)
        give_result(call, buffer, ret);
}

/* The thread may be the program's, with other rounding or traps, and a body may change them:
 * results depend on neither, and the thread gets back what it had. */
void cohort_call_native(const cohort_call *call, cohort_native_fn fn, void *const *argv, void *ret)
{
    cohort_fpstate saved = cohort_fpstate_get();
    if (!cohort_fpstate_same_mode(saved, cohort_fpstate_default()))
        cohort_fpstate_set(cohort_fpstate_default());
    if (call->direct.is_possible)
        cohort_direct_call(&call->direct, fn, argv, ret);
    else
        call_by_libffi(call, fn, argv, ret);
    if (cohort_fpstate_get() != saved)
        cohort_fpstate_set(saved);
}
