/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of the system that programs run into. */
#include "config.h"

#include "cli/doctor.h"

#include <glob.h>
#include <stddef.h>
#include <sys/resource.h>

/* Less than this is too little. */
typedef struct limit {
    const char *name, *fix, *consequence;
    int resource;
    rlim_t least;
    const char *needed_with; /* files that say whether it matters; NULL: always */
} limit;

static const limit limits[] = {
    { "open files", "ulimit -n 1024", "data of many files cannot be read", RLIMIT_NOFILE, 256,
      NULL },
    { "stack", "ulimit -s 8192", "functions with arrays of their own end in a crash", RLIMIT_STACK,
      1 << 20, NULL },
    { "address space", "ulimit -v unlimited", "drivers and large arrays do not fit", RLIMIT_AS,
      (rlim_t)4 << 30, NULL },
    { "locked memory", "ulimit -l unlimited, or the limits of the batch system",
      "MPI over InfiniBand is slow or fails", RLIMIT_MEMLOCK, 64 << 20, "/dev/infiniband/*" },
};

static bool matters(const char *pattern)
{
    glob_t found;
    if (pattern == NULL)
        return true;
    bool is_some = glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
    return is_some;
}

void doctor_limits(doctor *d)
{
    bool is_good = true;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit now;
        const limit *l = &limits[i];
        if (getrlimit(l->resource, &now) != 0 || now.rlim_cur >= l->least ||
            !matters(l->needed_with))
            continue; /* RLIM_INFINITY is the largest number */
        doctor_say(d, DOCTOR_NOTE, "limits", l->fix, "%s: the limit is %llu, and so %s", l->name,
                   (unsigned long long)now.rlim_cur, l->consequence);
        is_good = false;
    }
    if (is_good)
        doctor_say(d, DOCTOR_OK, "limits", NULL,
                   "open files, stack, address space and locked memory");
}
