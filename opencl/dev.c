/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of a device, which end with what the driver said last on its context. */
#include "config.h"

#include "opencl/dev.h"

#include "opencl/error.h"

#include <stdarg.h>
#include <stdio.h>

/* In one line, without repeated blanks, cut at the size of the note. */
void CL_CALLBACK opencl_dev_note(const char *text, const void *more, size_t bytes, void *user)
{
    (void)more;
    (void)bytes;
    cohort_dev *dev = user;
    size_t n = 0;
    if (dev == NULL || text == NULL) /* Oclgrind forgets whose context it is */
        return;
    pthread_mutex_lock(&dev->notes_lock);
    for (const char *at = text; *at != '\0' && n + 1 < sizeof dev->note; at++) {
        char c = *at == '\n' || *at == '\t' ? ' ' : *at;
        if (c != ' ' || (n > 0 && dev->note[n - 1] != ' '))
            dev->note[n++] = c;
    }
    dev->note[n] = '\0';
    pthread_mutex_unlock(&dev->notes_lock);
}

/* Take the note, so that it does not stand behind a later error too. */
static void take_note(cohort_dev *dev, char *out, size_t size)
{
    pthread_mutex_lock(&dev->notes_lock);
    (void)snprintf(out, size, "%s%s%s", dev->note[0] != '\0' ? " (" : "", dev->note,
                   dev->note[0] != '\0' ? ")" : "");
    dev->note[0] = '\0';
    pthread_mutex_unlock(&dev->notes_lock);
}

cohort_status opencl_dev_fail(cohort_dev *dev, cohort_error *err, cl_int code, const char *what,
                              ...)
{
    char text[512], note[300];
    va_list ap;
    va_start(ap, what);
    (void)vsnprintf(text, sizeof text, what, ap);
    va_end(ap);
    take_note(dev, note, sizeof note);
    return cohort_fail(err, opencl_error_status(code), code, "opencl:%u: %s: %s%s",
                       dev->found->index, text, opencl_error_name(code).text, note);
}
