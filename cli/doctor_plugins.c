/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugins: their folder, those that were refused, and the host's, without which little works. */
#include "config.h"

#include "cli/cli.h"
#include "cli/devices.h"
#include "cli/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

bool doctor_is_plugin(const char *candidate)
{
    return strchr(candidate, '/') != NULL || strncmp(candidate, "COHORT_", 7) == 0;
}

const cohort_device *doctor_device(const char *id)
{
    const cohort_device *d = cohort_device_next(NULL);
    while (d != NULL && strcmp(cohort_device_id(d), id) != 0)
        d = cohort_device_next(d);
    return d;
}

/* Whether it may be searched is the library's to say, which has it among what is refused. A library
 * that is not installed yet has its plugins elsewhere. */
static void check_folder(doctor *d)
{
    const char *folder = cohort_installed_folder("plugins");
    struct stat entry;
    if (stat(folder, &entry) == 0 && S_ISDIR(entry.st_mode))
        doctor_say(d, DOCTOR_OK, "plugins", NULL, "folder %s", folder);
    else if (cli_setting("COHORT_PLUGIN_PATH")[0] != '\0')
        doctor_say(d, DOCTOR_NOTE, "plugins", NULL,
                   "folder %s: %s; COHORT_PLUGIN_PATH has the plugins", folder, strerror(ENOENT));
    else
        doctor_say(d, DOCTOR_WRONG, "plugins",
                   "install libcohort1 (a package of Debian), or set COHORT_PLUGIN_PATH to the "
                   "folder of the plugins",
                   "folder %s: %s", folder, strerror(ENOENT));
}

static void say_refused(doctor *d, const cohort_unused *u)
{
    const char *reason = cohort_unused_reason(u), *fix = cohort_unused_fix(u);
    bool is_left_out = strncmp(reason, "left out by COHORT_PLUGINS=", 27) == 0;
    if (is_left_out)
        fix = "unset COHORT_PLUGINS, or name the plugin there";
    else if (fix[0] == '\0')
        fix = "install the plugin that belongs to this library, or take it away";
    doctor_say(d, is_left_out ? DOCTOR_NOTE : DOCTOR_WRONG, "plugins", fix, "%s: %s",
               cohort_unused_candidate(u), reason);
}

static void check_refused(doctor *d)
{
    for (const cohort_unused *u = cohort_unused_next(NULL); u != NULL; u = cohort_unused_next(u))
        if (doctor_is_plugin(cohort_unused_candidate(u)))
            say_refused(d, u);
}

static void check_host(doctor *d)
{
    const cohort_device *host = doctor_device("host:0");
    if (host != NULL)
        doctor_say(d, DOCTOR_OK, "host", NULL, "the host plugin opens: host:0, %" PRId64 " units",
                   devices_number(host, "compute_units"));
    else
        doctor_say(
            d, DOCTOR_WRONG, "host",
            "install libcohort1 (a package of Debian), and let COHORT_PLUGINS not leave host out",
            "there is no host:0: the host plugin is not there or does not open");
}

void doctor_plugins(doctor *d)
{
    check_folder(d);
    check_refused(d);
    check_host(d);
}
