/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of body formats that the core knows. Any other text is a vendor's, and compared as
 * such. */
#include "config.h"

#include "runtime/function/format.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
    [COHORT_FORMAT_NATIVE_FN] = "native.fn",   [COHORT_FORMAT_NATIVE_SYM] = "native.sym",
    [COHORT_FORMAT_OPENCL_C] = "opencl.c",     [COHORT_FORMAT_OPENCL_SPIRV] = "opencl.spirv",
    [COHORT_FORMAT_OPENCL_BIN] = "opencl.bin", [COHORT_FORMAT_OPENCL_ENQUEUE] = "opencl.enqueue",
    [COHORT_FORMAT_OPENCL_OTHER] = NULL,
};
enum { N_NAMES = sizeof names / sizeof *names };

static bool begins_with(const char *text, const char *family)
{
    return strncmp(text, family, strlen(family)) == 0;
}

cohort_format cohort_format_of(const char *text)
{
    if (text == NULL || text[0] == '\0')
        return COHORT_FORMAT_NONE;
    for (int i = 0; i < N_NAMES; i++)
        if (names[i] != NULL && strcmp(names[i], text) == 0)
            return (cohort_format)i;
    return begins_with(text, "native.")   ? COHORT_FORMAT_NATIVE_OTHER
           : begins_with(text, "opencl.") ? COHORT_FORMAT_OPENCL_OTHER
                                          : COHORT_FORMAT_FOREIGN;
}

const char *cohort_format_name(cohort_format format)
{
    return names[format];
}

bool cohort_format_is_taken(const char *body, const char *listed)
{
    return strcmp(body, listed) == 0 || (cohort_format_of(body) == COHORT_FORMAT_NATIVE_SYM &&
                                         cohort_format_of(listed) == COHORT_FORMAT_NATIVE_FN);
}
