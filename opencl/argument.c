/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a kernel takes what the prototype says, before a launch finds out.
 *
 * In two steps: the prototype alone, against what any kernel can take, before anything is built;
 * then argument by argument against the kernel, which the driver describes (-cl-kernel-arg-info). A
 * driver that does not describe kernels still knows sizes of values, so these are compared at
 * least. A wrong type would not fail in OpenCL: the kernel would read other numbers. */
#include "config.h"

#include "opencl/argument.h"

#include "opencl/cltype.h"
#include "opencl/error.h"
#include "opencl/image.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_BYTES = 192, DECLARATION_BYTES = 600 };

#define DTYPE_NAME(name, value, text, bytes, kind) [value] = text,
#define DTYPE_BYTES(name, value, text, bytes, kind) [value] = (uint32_t)(bytes),
static const char *const dtype_names[] = { COHORT_DTYPES(DTYPE_NAME) };
static const uint32_t dtype_bytes[] = { COHORT_DTYPES(DTYPE_BYTES) };
#define DTYPE_KIND(name, value, text, bytes, kind) [value] = kind,
static const char dtype_kinds[] = { COHORT_DTYPES(DTYPE_KIND) };
enum { N_DTYPES = sizeof dtype_bytes / sizeof *dtype_bytes };

/* A kernel's argument as the driver tells it. */
struct declared {
    cl_kernel_arg_address_qualifier space;
    cl_kernel_arg_type_qualifier qualifiers;
    cl_kernel_arg_access_qualifier access; /* of an image */
    char type[128], name[128];
};

static const char *dtype_name(uint32_t type)
{
    return type >= COHORT_STRUCT_BASE ? "a struct"
           : type < N_DTYPES          ? dtype_names[type]
                                      : "an unknown type";
}

static bool is_struct(uint32_t type)
{
    return type >= COHORT_STRUCT_BASE || type == COHORT_RECORD;
}

/* ---- The signature alone. */

/* The signature comes from outside of the plugin, so numbers of types are checked before they are
 * used as indices, and sizes before bytes are copied. */
static bool is_known_type(const cohort_sig *sig, const cohort_arg *arg)
{
    if (arg->type == COHORT_RECORD)
        return arg->kind != COHORT_ARG_VALUE && arg->size > 0;
    if (arg->type < N_DTYPES)
        return dtype_bytes[arg->type] > 0 && arg->size == dtype_bytes[arg->type];
    return arg->type >= COHORT_STRUCT_BASE && arg->type - COHORT_STRUCT_BASE < sig->ntypes &&
           arg->size == sig->types[arg->type - COHORT_STRUCT_BASE].size;
}

static bool uses_type(const cohort_sig *sig, uint32_t type, uint32_t wanted)
{
    if (type < COHORT_STRUCT_BASE || type - COHORT_STRUCT_BASE >= sig->ntypes)
        return type == wanted;
    const cohort_layout *layout = &sig->types[type - COHORT_STRUCT_BASE];
    for (uint32_t i = 0; i < layout->nmembers; i++)
        /* a struct has only structs with smaller numbers, so that a signature which names itself
         * ends */
        if (layout->members[i].type < type && uses_type(sig, layout->members[i].type, wanted))
            return true;
    return false;
}

/* Why a kernel cannot take values, or bytes in memory, of this type; NULL when it can. */
static const char *type_fault(const cohort_sig *sig, const cohort_arg *arg, bool has_fp64)
{
    static const struct {
        uint32_t type;
        const char *why;
    } never[] = { { COHORT_LONG_DOUBLE, "OpenCL C has no long double" },
                  { COHORT_COMPLEX_LONG_DOUBLE, "OpenCL C has no complex numbers" },
                  { COHORT_POINTER, "a device cannot follow a pointer of the host" } },
      by_value[] = { { COHORT_BOOL, "OpenCL C takes no bool as an argument; use int32_t" },
                     { COHORT_F16, "OpenCL C takes no half by value; use float" },
                     { COHORT_BF16, "OpenCL C has no bfloat16; use float" },
                     { COHORT_F8_E4M3, "OpenCL C has no float8; use float" },
                     { COHORT_F8_E5M2, "OpenCL C has no float8; use float" },
                     { COHORT_C64, "OpenCL C has no complex numbers; use a struct of two floats" },
                     { COHORT_C128,
                       "OpenCL C has no complex numbers; use a struct of two doubles" } };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (uses_type(sig, arg->type, never[i].type))
            return never[i].why;
    for (size_t i = 0; arg->kind == COHORT_ARG_VALUE && i < sizeof by_value / sizeof *by_value; i++)
        if (uses_type(sig, arg->type, by_value[i].type))
            return by_value[i].why;
    if (!has_fp64 && (uses_type(sig, arg->type, COHORT_F64) || arg->type == COHORT_C128))
        return "this device has no float64 (cl_khr_fp64)";
    return NULL;
}

static const char *argument_fault(const cohort_sig *sig, const cohort_arg *arg, bool has_fp64)
{
    if (arg->kind < COHORT_ARG_VALUE || arg->kind > COHORT_ARG_IMAGE_3D)
        return "it is of unknown kind";
    if (!is_known_type(sig, arg))
        return "it is of unknown type, or has not the size of its type";
    if (arg->kind == COHORT_ARG_MEM && (arg->dir == 0 || arg->dir > (COHORT_READ | COHORT_WRITE)))
        return "it is neither read nor written";
    if (arg->kind == COHORT_ARG_SAMPLER)
        return arg->size == sizeof(cohort_sampler) ? NULL : "it has not the size of a sampler";
    if (cohort_arg_is_image(arg->kind))
        return opencl_image_fault(arg);
    return type_fault(sig, arg, has_fp64);
}

const char *opencl_argument_name(const cohort_sig *sig, uint32_t i, char out[80])
{
    if (sig->names != NULL && sig->names[i] != NULL)
        (void)snprintf(out, 80, "'%.60s'", sig->names[i]);
    else
        (void)snprintf(out, 80, "%u", i);
    return out;
}

cohort_status opencl_argument_check_prototype(const struct opencl_found *found, const char *entry,
                                              const cohort_sig *sig, cohort_error *err)
{
    char name[80];
    if (sig->nargs > COHORT_MAX_ARGS)
        return cohort_fail(err, COHORT_EINVAL, 0, "%s: %u arguments, at most %u", entry, sig->nargs,
                           COHORT_MAX_ARGS);
    if (sig->ret != COHORT_VOID)
        return cohort_fail(err, COHORT_EINVAL, 0,
                           "%s: returns %s, but OpenCL kernels return nothing", entry,
                           dtype_name(sig->ret));
    for (uint32_t i = 0; i < sig->nargs; i++) {
        const char *fault = argument_fault(sig, &sig->args[i], found->has_fp64);
        if (fault == NULL && sig->args[i].kind > COHORT_ARG_LOCAL && !found->has_images)
            return cohort_fail(err, COHORT_ENOTSUP, 0,
                               "%s: argument %s is %s, and %s has no images "
                               "(CL_DEVICE_IMAGE_SUPPORT)",
                               entry, opencl_argument_name(sig, i, name),
                               cohort_arg_is_image(sig->args[i].kind) ? "an image" : "a sampler",
                               found->info.name);
        if (fault != NULL)
            return cohort_fail(err, COHORT_EINVAL, 0, "%s: argument %s, %s: %s", entry,
                               opencl_argument_name(sig, i, name), dtype_name(sig->args[i].type),
                               fault);
    }
    return COHORT_OK;
}

/* ---- What the kernel declares. */

/* A name that is too long for the room is that of some struct. Whether it is one, or memory of
 * such, follows from the address space. */
static bool ask_type(cl_kernel kernel, cl_uint i, struct declared *out)
{
    cl_int code = clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof out->type - 1,
                                     out->type, NULL);
    if (code == CL_INVALID_VALUE)
        (void)snprintf(out->type, sizeof out->type, "%s",
                       out->space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? "?" : "?*");
    return code == CL_SUCCESS || code == CL_INVALID_VALUE;
}

static bool ask(cl_kernel kernel, cl_uint i, struct declared *out)
{
    memset(out, 0, sizeof *out);
    if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof out->space,
                           &out->space, NULL) != CL_SUCCESS ||
        !ask_type(kernel, i, out))
        return false;
    (void)clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof out->qualifiers,
                             &out->qualifiers, NULL);
    (void)clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof out->access,
                             &out->access, NULL);
    if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof out->name - 1, out->name, NULL) !=
        CL_SUCCESS)
        (void)snprintf(out->name, sizeof out->name, "?");
    return out->type[0] != '\0';
}

static const char *access_word(cl_kernel_arg_access_qualifier access)
{
    return access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY   ? "write_only "
           : access == CL_KERNEL_ARG_ACCESS_READ_WRITE ? "read_write "
                                                       : "read_only ";
}

/* Images are in global memory, which is not said of them. */
static const char *space_word(const struct declared *declared)
{
    if (opencl_image_is_type(declared->type))
        return declared->type[0] == 'i' ? access_word(declared->access) : "";
    switch (declared->space) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL:
        return "global ";
    case CL_KERNEL_ARG_ADDRESS_CONSTANT:
        return "constant ";
    case CL_KERNEL_ARG_ADDRESS_LOCAL:
        return "local ";
    default:
        return "";
    }
}

static bool is_constant(const struct declared *declared)
{
    return declared->space == CL_KERNEL_ARG_ADDRESS_CONSTANT ||
           (declared->qualifiers & CL_KERNEL_ARG_TYPE_CONST) != 0;
}

/* "global const float *", and "float". */
static void print_type(const struct declared *declared, char out[WORDS_BYTES])
{
    bool says_const = is_constant(declared) && declared->space != CL_KERNEL_ARG_ADDRESS_CONSTANT;
    size_t bytes = strcspn(declared->type, "*");
    (void)snprintf(out, WORDS_BYTES, "%s%s%.*s%s%s", space_word(declared),
                   says_const ? "const " : "", (int)bytes, declared->type,
                   declared->type[bytes] != '\0' ? " " : "", declared->type + bytes);
}

/* "kernel void saxpy(float a, global const float *x)"; cut where it is too long. */
static void print_declaration(cl_kernel kernel, const char *entry, cl_uint n,
                              char out[DECLARATION_BYTES])
{
    int at = snprintf(out, DECLARATION_BYTES, "kernel void %.100s(", entry);
    for (cl_uint i = 0; i < n && at < DECLARATION_BYTES; i++) {
        struct declared declared;
        char type[WORDS_BYTES];
        (void)ask(kernel, i, &declared);
        print_type(&declared, type);
        at += snprintf(out + at, (size_t)(DECLARATION_BYTES - at), "%s%s%s%s", i > 0 ? ", " : "",
                       type, strchr(type, '*') != NULL ? "" : " ", declared.name);
    }
    if (at < DECLARATION_BYTES)
        (void)snprintf(out + at, (size_t)(DECLARATION_BYTES - at), ")");
    else
        memcpy(out + DECLARATION_BYTES - 4, "...", 4);
}

/* ---- Comparing. */

/* A driver that does not tell the access is believed. */
static bool image_is_right(const cohort_arg *arg, const struct declared *declared)
{
    uint32_t dir = arg->dir & (COHORT_READ | COHORT_WRITE);
    cl_kernel_arg_access_qualifier access = dir == COHORT_READ    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
                                            : dir == COHORT_WRITE ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
                                                                  : CL_KERNEL_ARG_ACCESS_READ_WRITE;
    return strcmp(declared->type, opencl_image_name(arg->kind)) == 0 &&
           (declared->access == access || declared->access == 0 ||
            declared->access == CL_KERNEL_ARG_ACCESS_NONE);
}

static bool kind_is_right(const cohort_arg *arg, const struct declared *declared)
{
    switch (arg->kind) {
    case COHORT_ARG_MEM:
        return declared->space == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
               declared->space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case COHORT_ARG_LOCAL:
        return declared->space == CL_KERNEL_ARG_ADDRESS_LOCAL;
    case COHORT_ARG_SAMPLER:
        return strcmp(declared->type, "sampler_t") == 0;
    default:
        if (cohort_arg_is_image(arg->kind))
            return image_is_right(arg, declared);
        return declared->space == CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

/* Types that memory may hold under other names: OpenCL C has no complex numbers, and of the floats
 * narrower than its own only half, which is optional: so they are integers without a sign. */
static bool is_stored_as(uint32_t type, struct opencl_cltype kernel)
{
    switch (type) {
    case COHORT_BOOL:
        return kernel.width == 1 && (kernel.scalar == COHORT_U8 || kernel.scalar == COHORT_I8);
    case COHORT_C64:
        return kernel.scalar == COHORT_F32 && kernel.width % 2 == 0;
    case COHORT_C128:
        return kernel.scalar == COHORT_F64 && kernel.width % 2 == 0;
    default:
        return type < N_DTYPES && dtype_kinds[type] == 'f' && dtype_bytes[type] < sizeof(float) &&
               dtype_kinds[kernel.scalar] == 'u' && dtype_bytes[kernel.scalar] == dtype_bytes[type];
    }
}

/* Whether a struct is so many equal numbers, which a kernel may take as a vector: the scalar and
 * their number; VOID when the members differ. */
static uint32_t flatten(const cohort_sig *sig, uint32_t type, uint32_t *out_count)
{
    const cohort_layout *layout = &sig->types[type - COHORT_STRUCT_BASE];
    uint32_t scalar = COHORT_VOID;
    *out_count = 0;
    for (uint32_t i = 0; i < layout->nmembers; i++) {
        const cohort_member *member = &layout->members[i];
        if (is_struct(member->type) || (i > 0 && member->type != scalar))
            return COHORT_VOID;
        scalar = member->type;
        *out_count += member->count;
    }
    return scalar;
}

/* A struct of the kernel is compared by its bytes later (opencl_layout_check), a record of bytes is
 * an array of uchar, and a struct of equal numbers may be a vector of them. */
static bool struct_is_right(const cohort_sig *sig, const cohort_arg *arg,
                            struct opencl_cltype kernel)
{
    uint32_t count = 0;
    if (kernel.scalar == COHORT_VOID)
        return true; /* opencl_layout_check compares it */
    if (arg->type < COHORT_STRUCT_BASE)
        return kernel.scalar == COHORT_U8 && kernel.width == 1;
    uint32_t room = kernel.width == 3 ? 4 : kernel.width; /* of elements, in memory */
    return kernel.width > 1 && flatten(sig, arg->type, &count) == kernel.scalar &&
           count == kernel.width && arg->size == room * dtype_bytes[kernel.scalar];
}

/* A vector of 3 has the size of 4, so arrays of it lie otherwise than arrays of numbers: it matches
 * the prototype's own alone, which come as structs. A name that is no OpenCL type passes here when
 * it may be a typedef of a number, which the layout check sees through. */
static bool type_is_right(const cohort_sig *sig, const cohort_arg *arg,
                          const struct declared *declared)
{
    struct opencl_cltype kernel = opencl_cltype_parse(declared->type);
    bool is_value = arg->kind == COHORT_ARG_VALUE;
    if (arg->kind > COHORT_ARG_LOCAL || opencl_image_is_type(declared->type))
        return arg->kind > COHORT_ARG_LOCAL; /* compared as a kind */
    if (kernel.is_pointer == is_value)
        return false;
    if (is_struct(arg->type))
        return struct_is_right(sig, arg, kernel);
    if (kernel.width == 3)
        return false;
    if (kernel.scalar == COHORT_VOID)
        return strncmp(declared->type, "struct ", 7) != 0 &&
               strncmp(declared->type, "union ", 6) != 0;
    if (is_value)
        return kernel.scalar == arg->type && kernel.width == 1;
    return kernel.scalar == arg->type || is_stored_as(arg->type, kernel);
}

/* A vector of 3 as prototypes have it: its lanes, and the room of a fourth. */
static bool is_vector_of_3(const cohort_sig *sig, uint32_t type)
{
    uint32_t count = 0;
    uint32_t scalar = type >= COHORT_STRUCT_BASE ? flatten(sig, type, &count) : COHORT_VOID;
    return scalar != COHORT_VOID && count == 3 &&
           sig->types[type - COHORT_STRUCT_BASE].size == 4 * dtype_bytes[scalar];
}

static void print_wanted_image(const cohort_arg *arg, char out[WORDS_BYTES])
{
    const char *name = opencl_image_name(arg->kind);
    uint32_t dir = arg->dir & (COHORT_READ | COHORT_WRITE);
    (void)snprintf(out, WORDS_BYTES, "%s%s",
                   name == NULL                          ? ""
                   : dir == COHORT_READ                  ? "read_only "
                   : dir == (COHORT_READ | COHORT_WRITE) ? "read_write "
                                                         : "write_only ",
                   name != NULL ? name : "sampler_t");
}

/* "float32", "array of float32", "scratch memory of float32". */
static void print_wanted(const cohort_sig *sig, const cohort_arg *arg, char out[WORDS_BYTES])
{
    const char *kind = arg->kind == COHORT_ARG_MEM     ? "array of "
                       : arg->kind == COHORT_ARG_LOCAL ? "scratch memory of "
                                                       : "";
    const char *type = dtype_name(arg->type);
    uint32_t unused;
    if (arg->kind > COHORT_ARG_LOCAL) {
        print_wanted_image(arg, out);
        return;
    }
    if (is_vector_of_3(sig, arg->type))
        (void)snprintf(out, WORDS_BYTES, "%s%s of 3 %s", kind,
                       arg->kind == COHORT_ARG_VALUE ? "a vector" : "vectors",
                       dtype_name(flatten(sig, arg->type, &unused)));
    else if (is_struct(arg->type))
        (void)snprintf(out, WORDS_BYTES, "%s%s of %u bytes", kind,
                       arg->kind == COHORT_ARG_VALUE ? "a struct" : "structs", arg->size);
    else
        (void)snprintf(out, WORDS_BYTES, "%s%s", kind, type);
}

/* By setting zeros, which sets nothing that stays: each launch sets all arguments. The only
 * question that every driver answers. */
static cohort_status check_size(cl_kernel kernel, const char *entry, const cohort_sig *sig,
                                uint32_t i, cohort_error *err)
{
    char name[80];
    void *zeros = sig->args[i].kind == COHORT_ARG_VALUE ? calloc(1, sig->args[i].size) : NULL;
    cl_int code = zeros != NULL ? clSetKernelArg(kernel, i, sig->args[i].size, zeros) : CL_SUCCESS;
    free(zeros);
    if (code != CL_INVALID_ARG_SIZE)
        return COHORT_OK;
    return cohort_fail(err, COHORT_EINVAL, code,
                       "%s: argument %s has %u bytes in the prototype, and others in the kernel",
                       entry, opencl_argument_name(sig, i, name), sig->args[i].size);
}

static cohort_status check_one(cl_kernel kernel, const char *entry, const cohort_sig *sig,
                               uint32_t i, cohort_error *err)
{
    struct declared declared;
    const cohort_arg *arg = &sig->args[i];
    if (!ask(kernel, i, &declared))
        return COHORT_OK;
    char found[WORDS_BYTES], wanted[WORDS_BYTES], whole[DECLARATION_BYTES], name[80];
    bool is_same = kind_is_right(arg, &declared) && type_is_right(sig, arg, &declared);
    bool is_written = arg->kind == COHORT_ARG_MEM && (arg->dir & COHORT_WRITE) != 0;
    if (is_same && !(is_written && is_constant(&declared)))
        return COHORT_OK;
    print_type(&declared, found);
    print_wanted(sig, arg, wanted);
    print_declaration(kernel, entry, sig->nargs, whole);
    return cohort_fail(
        err, COHORT_EINVAL, 0,
        "%s: argument %s is '%s' in the kernel, %s%s in the prototype%s; the kernel is: %s", entry,
        opencl_argument_name(sig, i, name), found, wanted, is_same ? " that is written" : "",
        !is_same && opencl_cltype_parse(declared.type).width == 3
            ? " (a vector of 3 takes the room of 4 numbers: have it in both)"
            : "",
        whole);
}

static cohort_status check_count(cl_kernel kernel, const char *entry, const cohort_sig *sig,
                                 cohort_error *err)
{
    cl_uint n = 0;
    char whole[DECLARATION_BYTES];
    struct declared declared;
    cl_int code = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(err, code, "%s: asking for its arguments", entry);
    if (n == sig->nargs)
        return COHORT_OK;
    whole[0] = '\0';
    if (n == 0 || ask(kernel, 0, &declared))
        print_declaration(kernel, entry, n, whole);
    return cohort_fail(err, COHORT_EINVAL, 0,
                       "%s: the kernel has %u arguments, the prototype %u%s%s", entry, n,
                       sig->nargs, whole[0] != '\0' ? "; the kernel is: " : "", whole);
}

cohort_status opencl_argument_check_kernel(cl_kernel kernel, const char *entry,
                                           const cohort_sig *sig, cohort_error *err)
{
    cohort_status st = check_count(kernel, entry, sig, err);
    for (uint32_t i = 0; st == COHORT_OK && i < sig->nargs; i++)
        st = check_one(kernel, entry, sig, i, err);
    return st;
}

cohort_status opencl_argument_check_sizes(cl_kernel kernel, const char *entry,
                                          const cohort_sig *sig, cohort_error *err)
{
    cohort_status st = COHORT_OK;
    for (uint32_t i = 0; st == COHORT_OK && i < sig->nargs; i++)
        st = check_size(kernel, entry, sig, i, err);
    return st;
}
