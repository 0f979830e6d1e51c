/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of cohort demo. */
#include "config.h"

#include "cli/doctor.h"
#include "cli/installed.h"

#include <errno.h>
#include <string.h>

void doctor_data(doctor *d)
{
    char path[4096];
    FILE *file = installed_open("digits.csv", path, sizeof path);
    if (file == NULL) {
        doctor_say(
            d, DOCTOR_WRONG, "data",
            "set COHORT_DATA_PATH to the folder that has digits.csv, or install cohort-tools (a "
            "package of Debian)",
            "%s: %s", path, strerror(errno));
        return;
    }
    (void)fclose(file);
    doctor_say(d, DOCTOR_OK, "data", NULL, "%s", path);
}
