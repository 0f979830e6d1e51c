/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel of ours behind the user's source, which answers the sizes and bytes of the source's
 * types.
 *
 * Names of the added kernel begin with cohort_, since it shares a file with the user's names. It is
 * compiled by the same compiler with the same options, so its types are those of the user's
 * kernel. */
#include "config.h"

#include "opencl/probe.h"

#include "opencl/dev.h"
#include "opencl/error.h"
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
 * vector, with that value alone. It is stored as a whole, through a parameter of its type, as
 * users' kernels do that: rusticl of Mesa 22.3 reads other bytes through a private pointer than
 * those that it stores, and ends the process for some pointers that were converted. */
static void add_value(struct source *p, const struct opencl_probed *item, uint32_t i)
{
    add_text(p, item->is_number ? "%s cohort_v = (%s)(cohort_x" : "%s cohort_v = {", item->name,
             item->name);
    for (uint32_t k = 0; k < item->n_numbers && !item->is_number; k++)
        add_text(p, "%scohort_x + %u", k > 0 ? ", " : " ", k);
    add_text(p, "%s;\nif (sizeof cohort_v <= %u)\n    cohort_%u[0] = cohort_v;\n",
             item->is_number ? ")" : " }", opencl_probed_room(item), i);
}

static bool is_stored(const struct opencl_probed *item, bool is_filled)
{
    return is_filled && item->value != NULL;
}

static void add_types(struct source *p, const struct opencl_probe *probe, bool is_filled)
{
    for (uint32_t i = 0; i < probe->n; i++) {
        add_text(p, "{\ncohort_sizes[%u] = sizeof(%s);\n", i, probe->items[i].name);
        if (is_stored(&probe->items[i], is_filled))
            add_value(p, &probe->items[i], i);
        add_text(p, "}\n");
    }
}

static void add_parameters(struct source *p, const struct opencl_probe *probe, bool is_filled)
{
    add_text(p, "__global ulong *cohort_sizes, ulong cohort_x");
    for (uint32_t i = 0; i < probe->n; i++)
        if (is_stored(&probe->items[i], is_filled))
            add_text(p, ", __global %s *cohort_%u", probe->items[i].name, i);
}

/* Without the zero bytes at the end of the body's text: a compiler would read nothing behind
 * them. */
static bool make_source(const struct opencl_probe *probe, const cohort_code *code, bool is_filled,
                        struct source *p)
{
    /* upper bounds of what add_types and add_parameters print */
    enum { OF_NUMBER = 32, OF_TYPE = 400 + 4 * OPENCL_PROBE_NAME_BYTES };
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
    add_text(p, "\n__kernel void cohort_layouts(");
    add_parameters(p, probe, is_filled);
    add_text(p, ")\n{\n");
    add_types(p, probe, is_filled);
    add_text(p, "}\n");
    return true;
}

/* ---- Running it. */

/* What a run makes: a buffer for the sizes, and one for each value that is stored. */
struct asking {
    cohort_dev *dev;
    cl_kernel kernel;
    cl_mem sizes, values[COHORT_MAX_ARGS];
    cl_ulong answered[COHORT_MAX_ARGS];
};

/* The next argument, a buffer: all zero, so that bytes which are not written are zero. */
static cl_int add_buffer(struct asking *asking, cl_uint argument, void *zeros, size_t bytes,
                         cl_mem *out_buffer)
{
    cl_int code = CL_SUCCESS;
    *out_buffer = clCreateBuffer(asking->dev->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 bytes, zeros, &code);
    return code == CL_SUCCESS
               ? clSetKernelArg(asking->kernel, argument, sizeof *out_buffer, out_buffer)
               : code;
}

static cl_int add_arguments(struct asking *asking, const struct opencl_probe *probe, bool is_filled)
{
    cl_ulong first = OPENCL_PROBE_FIRST;
    cl_uint argument = 2;
    cl_int code = add_buffer(asking, 0, asking->answered, sizeof *asking->answered * probe->n,
                             &asking->sizes);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(asking->kernel, 1, sizeof first, &first);
    for (uint32_t i = 0; code == CL_SUCCESS && i < probe->n; i++)
        if (is_stored(&probe->items[i], is_filled))
            code = add_buffer(asking, argument++, probe->items[i].value,
                              opencl_probed_room(&probe->items[i]), &asking->values[i]);
    return code;
}

static cl_int read_buffer(const struct asking *asking, cl_mem buffer, void *into, size_t bytes)
{
    return clEnqueueReadBuffer(asking->dev->queue, buffer, CL_TRUE, 0, bytes, into, 0, NULL, NULL);
}

static cl_int read_answers(struct asking *asking, struct opencl_probe *probe)
{
    cl_int code =
        read_buffer(asking, asking->sizes, asking->answered, sizeof *asking->answered * probe->n);
    for (uint32_t i = 0; code == CL_SUCCESS && i < probe->n; i++) {
        probe->items[i].answered_size = asking->answered[i];
        if (asking->values[i] != NULL)
            code = read_buffer(asking, asking->values[i], probe->items[i].value,
                               opencl_probed_room(&probe->items[i]));
    }
    return code;
}

static void release(struct asking *asking, const struct opencl_probe *probe)
{
    if (asking->sizes != NULL)
        (void)clReleaseMemObject(asking->sizes);
    for (uint32_t i = 0; i < probe->n; i++)
        if (asking->values[i] != NULL)
            (void)clReleaseMemObject(asking->values[i]);
    if (asking->kernel != NULL)
        (void)clReleaseKernel(asking->kernel);
}

/* With one work-item, whose answer is waited for. */
static cl_int run(cohort_dev *dev, cl_program program, struct opencl_probe *probe, bool is_filled)
{
    cl_int code = CL_SUCCESS;
    size_t one = 1;
    struct asking asking = { .dev = dev };
    asking.kernel = clCreateKernel(program, "cohort_layouts", &code);
    if (code == CL_SUCCESS)
        code = add_arguments(&asking, probe, is_filled);
    if (code == CL_SUCCESS)
        code =
            clEnqueueNDRangeKernel(dev->queue, asking.kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = read_answers(&asking, probe);
    release(&asking, probe);
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
    cl_int result = run(dev, program->cl, probe, is_filled);
    opencl_program_release(dev, program);
    return result == CL_SUCCESS ? COHORT_OK
                                : opencl_dev_fail(dev, err, result, "%s: comparing structs", entry);
}
