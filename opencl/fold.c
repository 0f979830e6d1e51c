/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions on the device: one kernel for each type, which plays the stack program of a reduction
 * for one element.
 *
 * The kernels have the bits of the core's loops (runtime/arithmetic): every merge is rounded to the
 * type, or to float32 where 16-bit floats are divided, and NaN are made canonical in the last step.
 * What a device need not compute so is left to the core: floats without subnormal numbers,
 * quotients that are not rounded correctly, products of complex numbers. No barriers and no local
 * memory, which are slow where the device is a CPU. */
#include "config.h"

#include "opencl/fold.h"

#include "opencl/error.h"
#include "opencl/launch.h"
#include "opencl/opencl.h"
#include "opencl/program.h"

#include <string.h>

/* ---- The kernels. */

/* The numbers of the operations are those of cohort_reduce_op. */
static const char source[] =
    "#ifdef HAS_FP64\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#endif\n"
    "float from_bf16(ushort x) { return as_float((uint)x << 16); }\n"
    "ushort to_bf16(float x) {\n"
    "    uint bits = as_uint(x);\n"
    "    if ((bits & 0x7fffffffu) > 0x7f800000u) return (ushort)(bits >> 16 | 0x40u);\n"
    "    return (ushort)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);\n"
    "}\n"
    "float from_f16(ushort x) {\n"
    "    uint sign = (uint)(x & 0x8000u) << 16, shifted = (uint)(x & 0x7fffu) << 13;\n"
    "    uint bits = shifted >= 0x0f800000u ? shifted | 0x7f800000u : shifted + 0x38000000u;\n"
    "    if (shifted < 0x00800000u)\n"
    "        bits = as_uint(as_float(shifted + 0x38800000u) - 0x1p-14f);\n"
    "    return as_float(sign | bits);\n"
    "}\n"
    "ushort to_f16(float x) {\n"
    "    uint bits = as_uint(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;\n"
    "    uint half_bits = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;\n"
    "    if (size < 0x38800000u) half_bits = as_uint(as_float(size) + 0.5f) - 0x3f000000u;\n"
    "    if (size >= 0x477ff000u) half_bits = 0x7c00u;\n"
    "    if (size > 0x7f800000u) half_bits = 0x7e00u | (size >> 13 & 0x3ffu);\n"
    "    return (ushort)(sign | half_bits);\n"
    "}\n"
    "#define SAME(x) (x)\n"
    "#define DONE_bf16(x) (((x) & 0x7fffu) > 0x7f80u ? (ushort)0x7fc0 : (x))\n"
    "#define DONE_f16(x) (((x) & 0x7fffu) > 0x7c00u ? (ushort)0x7e00 : (x))\n"
    "#define DONE_f32(x) ((x) != (x) ? as_float(0x7fc00000u) : (x))\n"
    "#define DONE_f64(x) ((x) != (x) ? as_double(0x7ff8000000000000ul) : (x))\n"
    "#define PICK(LOAD, k) case k: y = LOAD(p##k[o##k + i]); break;\n"
    "#define FOLD(NAME, TYPE, S, LOAD, STORE, R, SUM, PROD, MIN, MAX, DONE, QUOTIENT)\\\n"
    "kernel void NAME(uint op, uint n, ulong merges, ulong count, uint is_divided, R by,\\\n"
    "                 global TYPE *d, ulong at, ARGUMENTS(TYPE)) {\\\n"
    "    ulong i = get_global_id(0);\\\n"
    "    S s[16], y = 0;\\\n"
    "    uint depth = 0;\\\n"
    "    if (i >= count) return;\\\n"
    "    for (uint t = 0; t < n; t++) {\\\n"
    "        if (t > 0) s[depth++] = y;\\\n"
    "        switch (t) {\\\n"
    "        PICK(LOAD, 0) PICK(LOAD, 1) PICK(LOAD, 2) PICK(LOAD, 3)\\\n"
    "        PICK(LOAD, 4) PICK(LOAD, 5) PICK(LOAD, 6) PICK(LOAD, 7)\\\n"
    "        PICK(LOAD, 8) PICK(LOAD, 9) PICK(LOAD, 10) PICK(LOAD, 11)\\\n"
    "        PICK(LOAD, 12) PICK(LOAD, 13) PICK(LOAD, 14) PICK(LOAD, 15)\\\n"
    "        }\\\n"
    "        for (uint m = (uint)(merges >> 4 * t) & 15u; m > 0; m--) {\\\n"
    "            S x = s[--depth];\\\n"
    "            y = op == 1u ? SUM : op == 3u ? MIN : op == 4u ? MAX : PROD;\\\n"
    "        }\\\n"
    "    }\\\n"
    "    if (n > 1) y = DONE(y);\\\n"
    "    if (is_divided) y = DONE((S)(QUOTIENT));\\\n"
    "    d[at + i] = STORE(y);\\\n"
    "}\n"
    "#define TERM_OF(T, k) global const T *p##k, ulong o##k\n"
    "#define ARGUMENTS(T)\\\n"
    "    TERM_OF(T, 0), TERM_OF(T, 1), TERM_OF(T, 2), TERM_OF(T, 3), TERM_OF(T, 4),\\\n"
    "    TERM_OF(T, 5), TERM_OF(T, 6), TERM_OF(T, 7), TERM_OF(T, 8), TERM_OF(T, 9),\\\n"
    "    TERM_OF(T, 10), TERM_OF(T, 11), TERM_OF(T, 12), TERM_OF(T, 13), TERM_OF(T, 14),\\\n"
    "    TERM_OF(T, 15)\n"
    "#define WHOLE(NAME, TYPE, WIDE) FOLD(NAME, TYPE, TYPE, SAME, SAME, uint,\\\n"
    "    (TYPE)((WIDE)x + (WIDE)y), (TYPE)((WIDE)x * (WIDE)y), x < y ? x : y,\\\n"
    "    x > y ? x : y, SAME, y)\n"
    "WHOLE(fold_2, char, uint) WHOLE(fold_3, uchar, uint)\n"
    "WHOLE(fold_4, short, uint) WHOLE(fold_5, ushort, uint)\n"
    "WHOLE(fold_6, int, uint) WHOLE(fold_7, uint, uint)\n"
    "WHOLE(fold_8, long, ulong) WHOLE(fold_9, ulong, ulong)\n"
    "FOLD(fold_1, uchar, uchar, SAME, SAME, uint, y, y, (uchar)((x != 0) & (y != 0)),\\\n"
    "     (uchar)((x != 0) | (y != 0)), SAME, y)\n"
    "#define REAL(NAME, TYPE, S, LOAD, STORE, R, FROM, TO, DONE)\\\n"
    "    FOLD(NAME, TYPE, S, LOAD, STORE, R, TO(FROM(x) + FROM(y)), TO(FROM(x) * FROM(y)),\\\n"
    "    FROM(x) < FROM(y) || FROM(x) != FROM(x) ? x : y,\\\n"
    "    FROM(x) > FROM(y) || FROM(x) != FROM(x) ? x : y, DONE, TO(FROM(y) / by))\n"
    "REAL(fold_10, ushort, ushort, SAME, SAME, float, from_f16, to_f16, DONE_f16)\n"
    "REAL(fold_11, ushort, ushort, SAME, SAME, float, from_bf16, to_bf16, DONE_bf16)\n"
    "REAL(fold_12, float, float, SAME, SAME, float, SAME, SAME, DONE_f32)\n"
    "#ifdef HAS_FP64\n"
    "REAL(fold_13, double, double, SAME, SAME, double, SAME, SAME, DONE_f64)\n"
    "#endif\n"
    "REAL(fold_14, ushort, float, from_f16, to_f16, float, SAME, SAME, DONE_f32)\n"
    "REAL(fold_15, ushort, float, from_bf16, to_bf16, float, SAME, SAME, DONE_f32)\n";

enum { ARGUMENTS_BEFORE = 8, GOOD_GROUP = 256, LOG_WARNING = 1 };

/* ---- Making them. */

/* A driver that does not build them is no reason for a call to fail: the core can do it all. */
static cohort_status leave_to_core(cohort_dev *dev)
{
    dev->fold.is_refused = true;
    opencl_host->log(opencl_host->ctx, LOG_WARNING,
                     "the driver does not make the kernels of reductions, so the host reduces what "
                     "this device has, which is slower");
    return COHORT_ENOTSUP;
}

static cohort_status acquire_program(cohort_dev *dev, cohort_error *err)
{
    cohort_code code = { .struct_size = sizeof code,
                         .format = "opencl.c",
                         .data = source,
                         .bytes = sizeof source - 1,
                         .options = dev->found->has_fp64 ? "-DHAS_FP64" : "" };
    if (dev->fold.program != NULL)
        return COHORT_OK;
    cohort_status st = opencl_program_acquire(dev, &code, "a reduction", &dev->fold.program, err);
    return st < 0 ? leave_to_core(dev) : COHORT_OK;
}

static cohort_status find_kernel(cohort_dev *dev, uint32_t number, cohort_error *err)
{
    char name[16];
    cl_int code = CL_SUCCESS;
    struct opencl_fold *fold = &dev->fold;
    cohort_status st = fold->kernels[number] == NULL ? acquire_program(dev, err) : COHORT_OK;
    if (st < 0 || fold->kernels[number] != NULL)
        return st;
    (void)snprintf(name, sizeof name, "fold_%u", number);
    cl_kernel kernel = clCreateKernel(fold->program->cl, name, &code);
    if (code != CL_SUCCESS)
        return leave_to_core(dev);
    size_t group = 0;
    (void)clGetKernelWorkGroupInfo(kernel, dev->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group,
                                   &group, NULL);
    fold->groups[number] = group == 0 ? 1 : group < GOOD_GROUP ? group : GOOD_GROUP;
    fold->kernels[number] = kernel;
    return COHORT_OK;
}

void opencl_fold_fini(cohort_dev *dev, struct opencl_fold *fold)
{
    for (int i = 0; i < OPENCL_FOLD_KERNELS; i++)
        if (fold->kernels[i] != NULL)
            (void)clReleaseKernel(fold->kernels[i]);
    if (fold->program != NULL)
        opencl_program_release(dev, fold->program);
}

/* ---- What is left to the core. */

/* As the kernel sees it: a complex number is two. 16-bit floats that are divided have kernels
 * behind those of the types, whose stack is of float32. */
typedef struct elements {
    uint32_t type, kernel;
    uint64_t bytes, count;
} elements;

#define DTYPE_BYTES(name, value, text, bytes) [value] = (uint32_t)(bytes),
static const uint32_t dtype_bytes[] = { COHORT_DTYPES(DTYPE_BYTES) };

static bool is_complex(uint32_t type)
{
    return type == COHORT_C64 || type == COHORT_C128;
}

static elements elements_of(const cohort_reduction *r)
{
    uint32_t type = r->type == COHORT_C64    ? COHORT_F32
                    : r->type == COHORT_C128 ? COHORT_F64
                                             : r->type;
    bool is_wide = r->divisor != 1 && (type == COHORT_F16 || type == COHORT_BF16);
    return (elements){ type, is_wide ? OPENCL_FOLD_TYPES + type - COHORT_F16 : type,
                       type < OPENCL_FOLD_TYPES ? dtype_bytes[type] : 0,
                       is_complex(r->type) ? 2 * r->count : r->count };
}

/* Float16 and bfloat16 are computed in float32. */
static bool has_exact(const struct opencl_found *found, uint32_t type, bool is_divided)
{
    if (type == COHORT_F64)
        return found->has_fp64;
    if (type < COHORT_F16)
        return !is_divided;
    return found->has_exact_floats && (!is_divided || found->can_round_correctly);
}

static bool has_operation(const cohort_reduction *r)
{
    bool is_sum = r->op == COHORT_SUM, is_extreme = r->op == COHORT_MIN || r->op == COHORT_MAX;
    if (is_complex(r->type))
        return is_sum;
    return is_extreme || (r->type != COHORT_BOOL && (is_sum || r->op == COHORT_PROD));
}

static bool is_aligned(const cohort_reduction *r, uint64_t bytes)
{
    bool is_good = r->dst_offset % bytes == 0;
    for (uint32_t i = 0; i < r->nterms; i++)
        is_good = is_good && r->terms[i].offset % bytes == 0;
    return is_good;
}

static bool is_possible(const cohort_dev *dev, const cohort_reduction *r, const elements *e)
{
    return !dev->fold.is_refused && r->order == COHORT_ORDER_STACK &&
           r->nterms <= OPENCL_FOLD_TERMS && e->bytes > 0 && has_operation(r) &&
           has_exact(dev->found, e->type, r->divisor != 1) && is_aligned(r, e->bytes) &&
           e->count <= SIZE_MAX - GOOD_GROUP;
}

/* ---- Doing it. */

static uint64_t merges_of(const cohort_reduction *r)
{
    uint64_t merges = 0;
    for (uint32_t i = 0; i < r->nterms; i++)
        merges |= (uint64_t)r->terms[i].merges << 4 * i;
    return merges;
}

/* Terms that there are not have no memory: what stood there before may be gone. */
static cl_int set_term(cl_kernel kernel, const cohort_reduction *r, uint32_t i, uint64_t bytes)
{
    const cohort_term *term = i < r->nterms ? &r->terms[i] : NULL;
    cl_ulong offset = term != NULL ? term->offset / bytes : 0;
    cl_int code = clSetKernelArg(kernel, ARGUMENTS_BEFORE + 2 * i, sizeof(cl_mem),
                                 term != NULL ? &term->mem->cl : NULL);
    return code == CL_SUCCESS
               ? clSetKernelArg(kernel, ARGUMENTS_BEFORE + 2 * i + 1, sizeof offset, &offset)
               : code;
}

static cl_int set_arguments(cl_kernel kernel, const cohort_reduction *r, const elements *e)
{
    const cl_uint op = r->op, n = r->nterms, is_divided = r->divisor != 1;
    const cl_ulong merges = merges_of(r), count = e->count, at = r->dst_offset / e->bytes;
    const cl_float single_by = (cl_float)r->divisor;
    const cl_double double_by = (cl_double)r->divisor;
    const struct {
        size_t bytes;
        const void *value;
    } first[ARGUMENTS_BEFORE] = {
        { sizeof op, &op },
        { sizeof n, &n },
        { sizeof merges, &merges },
        { sizeof count, &count },
        { sizeof is_divided, &is_divided },
        { e->type == COHORT_F64 ? sizeof double_by : sizeof single_by,
          e->type == COHORT_F64 ? (const void *)&double_by : (const void *)&single_by },
        { sizeof(cl_mem), &r->dst->cl },
        { sizeof at, &at },
    };
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < ARGUMENTS_BEFORE && code == CL_SUCCESS; i++)
        code = clSetKernelArg(kernel, i, first[i].bytes, first[i].value);
    for (uint32_t i = 0; i < OPENCL_FOLD_TERMS && code == CL_SUCCESS; i++)
        code = set_term(kernel, r, i, e->bytes);
    return code;
}

/* One term that is not divided keeps all its bits, those of a NaN too. */
static cohort_status copy(cohort_dev *dev, const cohort_reduction *r, uint64_t bytes,
                          cohort_event **out_event, cohort_error *err)
{
    const cohort_term *from = &r->terms[0];
    if (from->mem == r->dst && from->offset == r->dst_offset)
        return COHORT_OK;
    return opencl_copy(dev, NULL, r->dst, r->dst_offset, from->mem, from->offset, bytes, out_event,
                       err);
}

cohort_status opencl_reduce(cohort_dev *dev, cohort_queue *queue, const cohort_reduction *reduction,
                            cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    elements e = elements_of(reduction);
    if (!is_possible(dev, reduction, &e))
        return cohort_fail(err, COHORT_ENOTSUP, 0, "op %u of %u terms of type %u", reduction->op,
                           reduction->nterms, reduction->type);
    if (e.count == 0)
        return COHORT_OK;
    if (reduction->nterms == 1 && reduction->divisor == 1)
        return copy(dev, reduction, e.count * e.bytes, out_event, err);
    cohort_status st = find_kernel(dev, e.kernel, err);
    if (st < 0)
        return st;
    cl_kernel kernel = dev->fold.kernels[e.kernel];
    cl_int code = set_arguments(kernel, reduction, &e);
    if (code != CL_SUCCESS)
        return opencl_dev_fail(dev, err, code, "the arguments of a reduction");
    size_t group = dev->fold.groups[e.kernel];
    struct opencl_geometry geometry = { .dims = 1,
                                        .is_local_chosen = true,
                                        .global = { ((size_t)e.count + group - 1) / group * group },
                                        .local = { group } };
    return opencl_launch_range(dev, kernel, "a reduction", &geometry, out_event, err);
}
