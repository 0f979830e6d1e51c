/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/app/hand.h"

#include <stdio.h>
#include <stdlib.h>

static void need(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "OpenCL by hand: %s: %d\n", what, (int)status);
    exit(1);
}

hand hand_open(const char *source)
{
    hand h = { .n_kernels = 0 };
    cl_platform_id platform;
    cl_int status;
    need(clGetPlatformIDs(1, &platform, NULL), "platforms");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL), "devices");
    h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &status);
    need(status, "a context");
    h.queue = clCreateCommandQueue(h.context, h.device, 0, &status);
    need(status, "a queue");
    const char *text[] = { "#pragma OPENCL FP_CONTRACT OFF\n", source };
    h.program = clCreateProgramWithSource(h.context, 2, text, NULL, &status);
    need(status, "a program");
    need(clBuildProgram(h.program, 1, &h.device, "-cl-std=CL1.2", NULL, NULL), "a build");
    return h;
}

void hand_close(hand *h)
{
    while (h->n_kernels > 0)
        clReleaseKernel(h->kernels[--h->n_kernels]);
    while (h->n_buffers > 0)
        clReleaseMemObject(h->buffers[--h->n_buffers]);
    clReleaseProgram(h->program);
    clReleaseCommandQueue(h->queue);
    clReleaseContext(h->context);
}

cl_kernel hand_kernel(hand *h, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(h->program, name, &status);
    need(status, name);
    return h->kernels[h->n_kernels++] = kernel;
}

cl_mem hand_buffer(hand *h, size_t bytes, const void *content)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(h->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    need(status, "a buffer");
    if (content != NULL)
        need(clEnqueueWriteBuffer(h->queue, buffer, CL_TRUE, 0, bytes, content, 0, NULL, NULL),
             "a write");
    return h->buffers[h->n_buffers++] = buffer;
}

void hand_arg(cl_kernel kernel, int index, size_t bytes, const void *value)
{
    need(clSetKernelArg(kernel, (cl_uint)index, bytes, value), "an argument");
}

void hand_launch(const hand *h, cl_kernel kernel, size_t columns, size_t rows)
{
    const size_t global[] = { columns, rows };
    need(clEnqueueNDRangeKernel(h->queue, kernel, rows > 1 ? 2 : 1, NULL, global, NULL, 0, NULL,
                                NULL),
         "a launch");
}

void hand_finish(const hand *h)
{
    need(clFinish(h->queue), "a wait");
}

void hand_read(const hand *h, cl_mem buffer, size_t bytes, void *out)
{
    need(clEnqueueReadBuffer(h->queue, buffer, CL_TRUE, 0, bytes, out, 0, NULL, NULL), "a read");
}
