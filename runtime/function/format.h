/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of bodies, as numbers: what a function's body is, and what a device takes. Texts come
 * from programs and plugins, and are read once, where a body or a device's list is. */
#ifndef COHORT_FUNCTION_FORMAT_H
#define COHORT_FUNCTION_FORMAT_H

#include <stdbool.h>

typedef enum cohort_format {
    COHORT_FORMAT_NONE,           /* NULL or "": the end of a list */
    COHORT_FORMAT_FOREIGN,        /* a vendor's own, which only its text tells from another */
    COHORT_FORMAT_NATIVE_FN,      /* a function of this process */
    COHORT_FORMAT_NATIVE_SYM,     /* a symbol of a library, which the core makes a NATIVE_FN */
    COHORT_FORMAT_NATIVE_OTHER,   /* a vendor's own that begins with "native." */
    COHORT_FORMAT_OPENCL_C,       /* source */
    COHORT_FORMAT_OPENCL_SPIRV,   /* intermediate language */
    COHORT_FORMAT_OPENCL_BIN,     /* what a driver has built */
    COHORT_FORMAT_OPENCL_ENQUEUE, /* a function of this process that enqueues by itself */
    COHORT_FORMAT_OPENCL_OTHER    /* a vendor's own that begins with "opencl." */
} cohort_format;

cohort_format cohort_format_of(const char *text);

/* "native.fn"; NULL for NONE, and for those that are more than one. */
const char *cohort_format_name(cohort_format format);

/* A function that is called with the arguments of the prototype. */
static inline bool cohort_format_is_native(cohort_format format)
{
    return format >= COHORT_FORMAT_NATIVE_FN && format <= COHORT_FORMAT_NATIVE_OTHER;
}

/* A body whose result, if there is one, is memory that it writes: kernels return nothing. */
static inline bool cohort_format_is_opencl(cohort_format format)
{
    return format >= COHORT_FORMAT_OPENCL_C && format <= COHORT_FORMAT_OPENCL_OTHER;
}

/* A device whose list has `listed` takes a body of the format `body`: both texts are the same, or a
 * symbol is taken as the function that the core finds. */
bool cohort_format_is_taken(const char *body, const char *listed);

#endif
