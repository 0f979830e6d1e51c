/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/opencl_shim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t counts[SHIM_CALLS], matches; /* held: lock, and below */
static struct {
    int call;
    uint32_t nth;
    cl_int code;
    bool is_sticky, has_struck;
} rule;
static cl_event failed; /* a command that failed stays so until its event goes */

/* held: lock */
static void set(int call, uint32_t nth, cl_int code, bool is_sticky)
{
    memset(counts, 0, sizeof counts);
    matches = 0;
    failed = NULL;
    rule.call = call;
    rule.nth = nth;
    rule.code = code;
    rule.is_sticky = is_sticky;
    rule.has_struck = false;
}

void opencl_shim_fail(int call, uint32_t nth, cl_int code, bool is_sticky)
{
    pthread_mutex_lock(&lock);
    set(call, nth, code, is_sticky);
    pthread_mutex_unlock(&lock);
}

uint32_t opencl_shim_count(int call)
{
    pthread_mutex_lock(&lock);
    uint32_t n = counts[call];
    pthread_mutex_unlock(&lock);
    return n;
}

bool opencl_shim_struck(void)
{
    pthread_mutex_lock(&lock);
    bool has_struck = rule.has_struck;
    pthread_mutex_unlock(&lock);
    return has_struck;
}

/* CL_SUCCESS, or what this call is to give. */
static cl_int strike(int call)
{
    cl_int code = CL_SUCCESS;
    pthread_mutex_lock(&lock);
    counts[call]++;
    if (rule.nth > 0 && (rule.call == call || rule.call == SHIM_ANY)) {
        matches++;
        if (matches == rule.nth || (rule.is_sticky && matches > rule.nth)) {
            rule.has_struck = true;
            code = rule.code;
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

/* A program that calls OpenCL through the plugin alone does not have the loader behind it. */
static void *find_next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    void *loader = found == NULL ? dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL) : NULL;
    return loader != NULL ? dlsym(loader, name) : found;
}

#define NEXT(name)                                                                                 \
    static void *_Atomic found;                                                                    \
    union {                                                                                        \
        void *symbol;                                                                              \
        __typeof__(&name) call;                                                                    \
    } next;                                                                                        \
    if (found == NULL)                                                                             \
        found = find_next(#name);                                                                  \
    next.symbol = found

/* What returns a code, and what returns an object and puts the code where the last argument
 * points. */
#define SHIM(name, parameters, arguments)                                                          \
    __attribute__((visibility("default"))) cl_int CL_API_CALL name parameters                      \
    {                                                                                              \
        NEXT(name);                                                                                \
        cl_int code = strike(SHIM_##name);                                                         \
        return code != CL_SUCCESS ? code : next.call arguments;                                    \
    }
#define SHIM_OBJECT(type, name, parameters, arguments)                                             \
    __attribute__((visibility("default"))) type CL_API_CALL name parameters                        \
    {                                                                                              \
        NEXT(name);                                                                                \
        cl_int code = strike(SHIM_##name);                                                         \
        if (code == CL_SUCCESS)                                                                    \
            return next.call arguments;                                                            \
        if (out_code != NULL)                                                                      \
            *out_code = code;                                                                      \
        return NULL;                                                                               \
    }

/* clang-format off */
SHIM_OBJECT(cl_mem, clCreateBuffer,
            (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *out_code),
            (context, flags, size, host, out_code))
SHIM_OBJECT(cl_mem, clCreateSubBuffer,
            (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type kind, const void *info, cl_int *out_code),
            (buffer, flags, kind, info, out_code))
SHIM(clBuildProgram,
     (cl_program program, cl_uint n, const cl_device_id *devices, const char *options,
      void(CL_CALLBACK *notify)(cl_program, void *), void *user),
     (program, n, devices, options, notify, user))
SHIM_OBJECT(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *out_code),
            (program, name, out_code))
SHIM(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value), (kernel, index, size, value))
SHIM(clEnqueueNDRangeKernel,
     (cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset, const size_t *global,
      const size_t *local, cl_uint n, const cl_event *list, cl_event *event),
     (queue, kernel, dims, offset, global, local, n, list, event))
SHIM(clEnqueueReadBuffer,
     (cl_command_queue queue, cl_mem mem, cl_bool blocks, size_t offset, size_t size, void *into, cl_uint n,
      const cl_event *list, cl_event *event),
     (queue, mem, blocks, offset, size, into, n, list, event))
SHIM(clEnqueueWriteBuffer,
     (cl_command_queue queue, cl_mem mem, cl_bool blocks, size_t offset, size_t size, const void *from, cl_uint n,
      const cl_event *list, cl_event *event),
     (queue, mem, blocks, offset, size, from, n, list, event))
SHIM(clEnqueueCopyBuffer,
     (cl_command_queue queue, cl_mem from, cl_mem into, size_t from_offset, size_t into_offset, size_t size, cl_uint n,
      const cl_event *list, cl_event *event),
     (queue, from, into, from_offset, into_offset, size, n, list, event))
SHIM(clEnqueueFillBuffer,
     (cl_command_queue queue, cl_mem mem, const void *pattern, size_t pattern_size, size_t offset, size_t size,
      cl_uint n, const cl_event *list, cl_event *event),
     (queue, mem, pattern, pattern_size, offset, size, n, list, event))
SHIM_OBJECT(void *, clEnqueueMapBuffer,
            (cl_command_queue queue, cl_mem mem, cl_bool blocks, cl_map_flags flags, size_t offset, size_t size,
             cl_uint n, const cl_event *list, cl_event *event, cl_int *out_code),
            (queue, mem, blocks, flags, offset, size, n, list, event, out_code))
SHIM(clFlush, (cl_command_queue queue), (queue))
/* clang-format on */

/* The command is over, but did not succeed. */
static void fail_command(cl_event event, cl_int *result)
{
    bool is_known = false;
    pthread_mutex_lock(&lock);
    is_known = failed == event;
    pthread_mutex_unlock(&lock);
    cl_int code = is_known ? rule.code : strike(SHIM_clGetEventInfo);
    if (code == CL_SUCCESS)
        return;
    pthread_mutex_lock(&lock);
    failed = event;
    pthread_mutex_unlock(&lock);
    *result = code;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetEventInfo(cl_event event,
                                                                         cl_event_info what,
                                                                         size_t size, void *value,
                                                                         size_t *out_size)
{
    NEXT(clGetEventInfo);
    cl_int code = next.call(event, what, size, value, out_size);
    if (code == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS && value != NULL &&
        *(cl_int *)value == CL_COMPLETE)
        fail_command(event, value);
    return code;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clReleaseEvent(cl_event event)
{
    NEXT(clReleaseEvent);
    pthread_mutex_lock(&lock);
    if (failed == event)
        failed = NULL;
    pthread_mutex_unlock(&lock);
    return next.call(event);
}
