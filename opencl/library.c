/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols and libraries at run time. Functions of newer versions of OpenCL are looked up, since
 * linking to one would keep the plugin from loading beside an older loader. */
#include "config.h"

#include "opencl/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ISO C has no conversion from a data pointer to a function's, so the bytes are copied. */
static void find(const char *name, void *out_function)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    memcpy(out_function, &symbol, sizeof symbol);
}

opencl_newer opencl_library_newer(void)
{
    opencl_newer newer;
    find("clSVMAlloc", &newer.svm_alloc);
    find("clSVMFree", &newer.svm_free);
    find("clCreateProgramWithIL", &newer.program_with_il);
    return newer;
}

/* Source: ocl_icd.h of ocl-icd; loader/cl_icdl.h of Khronos' loader, which answers it too. */
bool opencl_library_is_ocl_icd(void)
{
    enum { ICDL_VENDOR = 4 };
    void *(*find_extension)(const char *name) = NULL;
    cl_int (*ask)(cl_uint what, size_t size, void *value, size_t *out_size) = NULL;
    char vendor[128] = "";
    find("clGetExtensionFunctionAddress", &find_extension);
    void *symbol = find_extension != NULL ? find_extension("clGetICDLoaderInfoOCLICD") : NULL;
    memcpy(&ask, &symbol, sizeof symbol);
    return ask != NULL && ask(ICDL_VENDOR, sizeof vendor - 1, vendor, NULL) == CL_SUCCESS &&
           strncmp(vendor, "OCL Icd", 7) == 0;
}

bool opencl_library_loads(const char *name, char *text, size_t size)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    const char *why = library == NULL ? dlerror() : "";
    (void)snprintf(text, size, "%s", why != NULL ? why : name);
    (void)dlerror(); /* the linker keeps a text until it is asked again, or the thread ends */
    return library != NULL;
}
