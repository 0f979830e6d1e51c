/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL: its devices, or the plugin's own reasons why there are none, and whether this user may
 * open the graphics cards. */
#include "config.h"

#include "cli/cli.h"
#include "cli/doctor.h"

#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define VENDORS "/etc/OpenCL/vendors"

/* Somebody has installed a driver, or named one: that none works is then a fault. */
static bool is_expected(void)
{
    glob_t found;
    const char *vendors = getenv("OCL_ICD_VENDORS"), *libraries = getenv("OCL_ICD_FILENAMES");
    if ((vendors != NULL && vendors[0] != '\0') || (libraries != NULL && libraries[0] != '\0'))
        return true;
    bool is_some = glob(VENDORS "/*.icd", 0, NULL, &found) == 0;
    globfree(&found);
    return is_some;
}

/* A card that two drivers offer is used twice where both are named, or none. */
static void check_note(doctor *d, const cohort_device *device)
{
    char fix[128];
    const char *note = cohort_device_property(device, "note");
    if (note == NULL || note[0] == '\0')
        return;
    (void)snprintf(fix, sizeof fix, "name one of the two, such as --devices %.60s",
                   cohort_device_id(device));
    doctor_say(d, DOCTOR_NOTE, "opencl", fix, "%s %s", cohort_device_id(device), note);
}

static int check_devices(doctor *d)
{
    int n = 0;
    for (const cohort_device *v = cohort_device_next(NULL); v != NULL; v = cohort_device_next(v)) {
        const char *plugin = cohort_device_property(v, "plugin"),
                   *name = cohort_device_property(v, "name");
        if (plugin == NULL || strcmp(plugin, "opencl") != 0)
            continue;
        doctor_say(d, DOCTOR_OK, "opencl", NULL, "%s: %s", cohort_device_id(v),
                   name != NULL ? name : "");
        check_note(d, v);
        n++;
    }
    return n;
}

static int check_unused(doctor *d)
{
    int n = 0;
    doctor_verdict verdict = is_expected() ? DOCTOR_WRONG : DOCTOR_NOTE;
    for (const cohort_unused *u = cohort_unused_next(NULL); u != NULL; u = cohort_unused_next(u)) {
        if (doctor_is_plugin(cohort_unused_candidate(u)))
            continue;
        const char *fix = cohort_unused_fix(u);
        doctor_say(d, verdict, "opencl",
                   fix[0] != '\0'
                       ? fix
                       : "another driver of this device, or run on the CPU: --devices host",
                   "%s: %s", cohort_unused_candidate(u), cohort_unused_reason(u));
        n++;
    }
    return n;
}

/* The file's group is the one to join: render on most systems, video on some. */
static void refuse_card(doctor *d, const char *path)
{
    struct stat entry;
    char fix[256];
    if (stat(path, &entry) != 0)
        return;
    const struct group *group = getgrgid(entry.st_gid);
    const char *name = group != NULL ? group->gr_name : "render";
    const struct passwd *user = getpwuid(geteuid());
    (void)snprintf(fix, sizeof fix,
                   "usermod -aG %s %s, and log in again; in a container: --group-add %s", name,
                   user != NULL ? user->pw_name : "$USER", name);
    doctor_say(d, DOCTOR_WRONG, "graphics", fix, "%s may not be opened by this user", path);
}

static void check_cards(doctor *d)
{
    static const char *const patterns[] = { "/dev/dri/renderD*", "/dev/kfd", "/dev/nvidiactl" };
    int good = 0, before = d->n[DOCTOR_WRONG];
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        bool is_some = glob(patterns[i], 0, NULL, &found) == 0;
        for (size_t k = 0; is_some && k < found.gl_pathc; k++)
            if (access(found.gl_pathv[k], R_OK | W_OK) == 0)
                good++;
            else
                refuse_card(d, found.gl_pathv[k]);
        globfree(&found);
    }
    if (good > 0)
        doctor_say(d, DOCTOR_OK, "graphics", NULL,
                   "files of graphics cards that this user may open: %d", good);
    else if (before == d->n[DOCTOR_WRONG])
        doctor_say(d, DOCTOR_OK, "graphics", NULL, "no graphics card in /dev");
}

void doctor_opencl(doctor *d)
{
    int devices = check_devices(d), unused = check_unused(d);
    if (devices + unused == 0)
        doctor_say(
            d, DOCTOR_NOTE, "opencl",
            "install cohort-plugin-opencl (a package of Debian), or run on the CPU: --devices "
            "host",
            "the OpenCL plugin is not there");
    check_cards(d);
}
