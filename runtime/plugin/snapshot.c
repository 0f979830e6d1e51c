/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a process that has to be as it was after a plugin was loaded.
 *
 * Only what belongs to the calling thread is put back. The rest belongs to all threads, and one of
 * them may have changed it on purpose meanwhile: the log says what is different. */
#include "config.h"

#include "runtime/plugin/snapshot.h"

#include "runtime/base/log.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The umask without setting it, which would change it for other threads; 0 where the system does
 * not tell. */
static unsigned read_mask(void)
{
    char text[1024];
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *line = strstr(text, "\nUmask:");
    return line != NULL ? (unsigned)strtoul(line + strlen("\nUmask:"), NULL, 8) : 0;
}

static void read_process(cohort_snapshot *out)
{
    struct stat folder = { 0 };
    const char *locale = setlocale(LC_ALL, NULL);
    (void)stat(".", &folder);
    out->folder_device = (uint64_t)folder.st_dev;
    out->folder_inode = (uint64_t)folder.st_ino;
    out->mask = read_mask();
    (void)snprintf(out->process_locale, sizeof out->process_locale, "%s",
                   locale != NULL ? locale : "");
}

void cohort_snapshot_take(cohort_snapshot *out)
{
    out->fp = cohort_fpstate_get();
    out->thread_locale = uselocale((locale_t)0);
    read_process(out);
}

static void report(bool is_changed, const char *plugin, const char *what)
{
    if (is_changed)
        cohort_log(COHORT_SUBSYSTEM_PLUGIN, COHORT_LOG_WARNING,
                   "%s: loading the plugin changed the %s of this process", plugin, what);
}

void cohort_snapshot_restore(const cohort_snapshot *before, const char *plugin)
{
    cohort_snapshot now;
    cohort_fpstate_set(before->fp);
    (void)uselocale(before->thread_locale);
    read_process(&now);
    report(now.folder_device != before->folder_device || now.folder_inode != before->folder_inode,
           plugin, "working folder");
    report(now.mask != before->mask, plugin, "umask");
    report(strcmp(now.process_locale, before->process_locale) != 0, plugin, "locale");
}
