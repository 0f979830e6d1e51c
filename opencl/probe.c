/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel of ours behind the user's source, which answers the sizes and bytes of the source's
 * types.
 *
 * Names of the added kernel begin with cohort_, since it shares a file with the user's names. It is
 * compiled by the same compiler with the same options, so its types are those of the user's
 * kernel. */
#include "config.h"

#include "opencl/probe.h"

#include "opencl/error.h"
#include "opencl/opencl.h"
#include "opencl/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The source with one more kernel behind it; its own length counts, since it may hold zeros. */
struct source {
    char *text;
    size_t used, capacity;
};

__attribute__((format(printf, 2, 3))) static void add_text(struct source *p, const char *format,
                                                           ...)
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
static void add_bytes(struct source *p, const struct opencl_probed *item)
{
    add_text(p, item->is_number ? "%s cohort_v = (%s)(cohort_x" : "%s cohort_v = {", item->name,
             item->name);
    for (uint32_t i = 0; i < item->n_numbers && !item->is_number; i++)
        add_text(p, "%scohort_x + %u", i > 0 ? ", " : " ", i);
    add_text(p,
             "%s;\n__private const uchar *cohort_b = (__private const uchar *)&cohort_v;\n"
             "for (uint cohort_i = 0; cohort_i < sizeof cohort_v && cohort_i < %u; cohort_i++)\n"
             "    cohort_out[%u + cohort_i] = cohort_b[cohort_i];\n",
             item->is_number ? ")" : " }", item->size + OPENCL_PROBE_REST_BYTES,
             item->at + OPENCL_PROBE_SIZE_BYTES);
}

static void add_type(struct source *p, const struct opencl_probed *item, bool is_filled)
{
    add_text(p,
             "{\nconst ulong cohort_n = sizeof(%s);\n"
             "for (uint cohort_i = 0; cohort_i < %d; cohort_i++)\n"
             "    cohort_out[%u + cohort_i] = (uchar)(cohort_n >> 8 * cohort_i);\n",
             item->name, OPENCL_PROBE_SIZE_BYTES, item->at);
    if (is_filled && item->n_numbers > 0)
        add_bytes(p, item);
    add_text(p, "}\n");
}

/* Without the zero bytes at the end of the body's text: a compiler would read nothing behind
 * them. */
static bool make_source(const struct opencl_probe *probe, const cohort_code *code, bool is_filled,
                        struct source *p)
{
    /* upper bounds of what add_type and add_bytes print */
    enum { OF_NUMBER = 32, OF_TYPE = 800 + 2 * OPENCL_PROBE_NAME_BYTES };
    p->used = (size_t)code->bytes;
    p->capacity = p->used + 256;
    for (uint32_t i = 0; i < probe->n; i++)
        p->capacity += OF_TYPE + OF_NUMBER * (size_t)probe->items[i].n_numbers;
    p->text = malloc(p->capacity);
    if (p->text == NULL)
        return false;
    memcpy(p->text, code->data, (size_t)code->bytes);
    while (p->used > 0 && p->text[p->used - 1] == '\0')
        p->used--;
    add_text(p, "\n__kernel void cohort_layouts(__global uchar *cohort_out, ulong cohort_x)\n{\n");
    for (uint32_t i = 0; i < probe->n; i++)
        add_type(p, &probe->items[i], is_filled);
    add_text(p, "}\n");
    return true;
}

/* Run the added kernel with one work-item, and wait for what it wrote. The answer is all zero
 * before, so bytes that are not written are zero. */
static cl_int run(cohort_dev *dev, cl_program program, struct opencl_probe *probe)
{
    cl_int code = CL_SUCCESS;
    size_t one = 1;
    cl_ulong value = OPENCL_PROBE_FIRST;
    cl_mem out = clCreateBuffer(dev->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                probe->bytes, probe->answer, &code);
    cl_kernel kernel = code == CL_SUCCESS ? clCreateKernel(program, "cohort_layouts", &code) : NULL;
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 0, sizeof out, &out);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 1, sizeof value, &value);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(dev->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(dev->queue, out, CL_TRUE, 0, probe->bytes, probe->answer, 0,
                                   NULL, NULL);
    if (kernel != NULL)
        (void)clReleaseKernel(kernel);
    if (out != NULL)
        (void)clReleaseMemObject(out);
    return code;
}

cohort_status opencl_probe_run(cohort_dev *dev, const cohort_code *code, const char *entry,
                               struct opencl_probe *probe, bool is_filled, cohort_error *err)
{
    struct source source;
    struct opencl_program *program = NULL;
    if (!make_source(probe, code, is_filled, &source))
        return cohort_fail(err, COHORT_ENOMEM, 0, "%s: no memory to compare structs", entry);
    cohort_code asking = *code;
    asking.data = source.text;
    asking.bytes = source.used;
    cohort_status st = opencl_program_acquire(dev, &asking, entry, &program, err);
    free(source.text);
    if (st < 0)
        return st;
    cl_int result = run(dev, program->cl, probe);
    opencl_program_release(dev, program);
    return result == CL_SUCCESS ? COHORT_OK
                                : opencl_dev_fail(dev, err, result, "%s: comparing structs", entry);
}
