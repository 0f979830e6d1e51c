/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether each device builds and runs a kernel, which was tried in a process of its own. */
#include "config.h"

#include "cli/cli.h"
#include "cli/doctor.h"
#include "cli/finding.h"

#include <string.h>

/* An error of the library may end with what to do. */
static void say_failed(doctor *d, const finding *f)
{
    static const char mark[] = "; fix: ";
    const char *fix = strstr(f->text, mark);
    char other[256];
    (void)snprintf(other, sizeof other, "cohort check --devices %s, which says more", f->subject);
    doctor_say(d, DOCTOR_WRONG, "kernels", fix != NULL ? fix + strlen(mark) : other, "%s: %.*s",
               f->subject, (int)(fix != NULL ? (size_t)(fix - f->text) : strlen(f->text)), f->text);
}

static void say_ended(doctor *d, const finding *f)
{
    char fix[256];
    doctor_say(d, DOCTOR_WRONG, "kernels", finding_fix(f, fix, sizeof fix), "%s: %s", f->subject,
               f->text);
}

/* A plugin that did not get so far is told as one that is not used. */
static void say(doctor *d, const finding *f)
{
    if (f->kind == FINDING_GOOD)
        doctor_say(d, DOCTOR_OK, "kernels", NULL, "%s builds and runs a kernel", f->subject);
    else if (f->kind == FINDING_SAID)
        doctor_say(d, DOCTOR_NOTE, "kernels", NULL, "%s: %s", f->subject, f->text);
    else if (f->kind == FINDING_FAILED)
        say_failed(d, f);
    else if (f->file == NULL)
        say_ended(d, f);
}

void doctor_kernels(doctor *d)
{
    for (const finding *f = d->findings; f != NULL; f = f->next)
        say(d, f);
}
