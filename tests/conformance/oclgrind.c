/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL plugin on Oclgrind, another implementation than the usual one, which looks at each
 * access to memory. */
#include "config.h"

#include "tests/conformance/conformance.h"

#include <glob.h>
#include <sys/stat.h>

/* The loader takes a folder with files that name one library each. */
static const char *choose_platform(void)
{
    static const char *const patterns[] = { "/usr/lib/oclgrind/liboclgrind-rt-icd.so",
                                            "/usr/lib*/*/oclgrind/liboclgrind-rt-icd.so",
                                            "/usr/local/lib*/oclgrind/liboclgrind-rt-icd.so" };
    glob_t found = { 0 };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        (void)glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &found);
    char folder[2048], file[2100];
    const char *builddir = getenv("builddir"), *why = "Oclgrind is not installed";
    (void)snprintf(folder, sizeof folder, "%s/tests/oclgrind-work",
                   builddir != NULL ? builddir : ".");
    (void)snprintf(file, sizeof file, "%s/oclgrind.icd", folder);
    (void)mkdir(folder, 0755);
    FILE *icd = found.gl_pathc > 0 ? fopen(file, "w") : NULL;
    if (icd != NULL && fprintf(icd, "%s\n", found.gl_pathv[0]) > 0)
        why = NULL;
    if (icd != NULL)
        (void)fclose(icd);
    globfree(&found);
    (void)setenv("OCL_ICD_VENDORS", folder, 1);
    return why;
}

int main(void)
{
    const char *why = choose_platform();
    return why != NULL ? skip_all(why) : conformance_run("opencl/.libs/cohort-opencl.so", 1);
}
