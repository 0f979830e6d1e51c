/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/conformance/conformance.h"

static const struct group {
    const char *name;
    void (*conform)(const subject *s);
} groups[] = {
    { "enumerate", conform_enumerate }, { "memory", conform_memory },
    { "import", conform_import },       { "slice", conform_slice },
    { "copy", conform_copy },           { "fill", conform_fill },
    { "scalars", conform_scalars },     { "structs", conform_structs },
    { "kernels", conform_kernels },     { "launches", conform_launches },
    { "reduce", conform_reduce },       { "peers", conform_peers },
    { "parts", conform_parts },         { "threads", conform_threads },
    { "reopen", conform_reopen },       { "worker", conform_worker },
    { "manners", conform_manners },
};

int conformance_run(const char *file, uint32_t least)
{
    subject s;
    const char *why = subject_load(&s, file);
    if (why != NULL)
        return skip_all(why);
    if (s.n_devices < least)
        return skip_all("it has too few devices");
    for (uint32_t d = 0; d < s.n_devices; d++) {
        subject device;
        subject_choose(&s, d, &device);
        for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
            diag("%s: %s", device.info.name, groups[i].name);
            groups[i].conform(&device);
        }
    }
    return tap_done();
}
