/* SPDX-License-Identifier: BSD-3-Clause */
/* A device plugin that does nothing but load and list its devices; each macro makes one thing
 * wrong:
 * ENTRY the entry symbol; PLUGIN_LIE, OPS_LIE, INFO_LIE statements that change a table; ENTRY_ACT,
 * ENUMERATE_ACT statements that misbehave; LISTED how many devices it lists of the DEVICES that it
 * counts. */
#include "plugins/kit/operations.h"

#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef ENTRY
#define ENTRY cohort_plugin_entry_1
#endif
#ifndef NAME
#define NAME toy
#endif
#ifndef DEVICES
#define DEVICES 2
#endif
#ifndef LISTED
#define LISTED DEVICES
#endif
#ifndef UUID
#define UUID 1
#endif
#ifndef PLUGIN_LIE
#define PLUGIN_LIE
#endif
#ifndef OPS_LIE
#define OPS_LIE
#endif
#ifndef INFO_LIE
#define INFO_LIE
#endif
#ifndef ENTRY_ACT
#define ENTRY_ACT
#endif
#ifndef ENUMERATE_ACT
#define ENUMERATE_ACT
#endif
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static const cohort_host *host;

static void describe(cohort_device_info *info, uint32_t index)
{
    static const char *const formats[] = { "native.fn", "toy.blob", NULL };
    info->struct_size = sizeof *info;
    info->type = COHORT_DEVICE_CPU;
    info->caps = COHORT_CAP_PROMPT;
    info->mem_total = info->mem_max_alloc = 1u << 20;
    info->mem_align = info->import_align = 64;
    info->compute_units = 2;
    info->max_parts = 4;
    info->numa_node = -1;
    info->max_args = COHORT_MAX_ARGS;
    info->uuid[0] = UUID;
    info->uuid[1] = (uint8_t)index;
    info->uuid[2] = (uint8_t)(index >> 8);
    info->formats = formats;
    info->dtypes = COHORT_ALL_DTYPES;
    (void)snprintf(info->name, sizeof info->name, "toy %u", index);
    INFO_LIE;
}

/* Asks the host for a setting and logs it. */
static inline void talk(void)
{
    char text[64] = "";
    cohort_status st = host->config_get(host->ctx, "COHORT_DEVICES", text, sizeof text);
    host->log(host->ctx, 1, st == COHORT_OK ? text : "unset");
    host->log(host->ctx, 99,
              host->config_get(host->ctx, "HOME", text, sizeof text) == COHORT_ENOENT ? "two\nlines"
                                                                                      : "");
}

/* Waits until somebody has opened and closed the FIFO for writing. */
static inline void wait_at(const char *fifo)
{
    char byte;
    int gate = open(fifo, O_RDONLY);
    while (read(gate, &byte, 1) > 0)
        continue;
    close(gate);
}

static cohort_status enumerate(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,
                               uint32_t *out_n, cohort_error *err)
{
    (void)self;
    (void)err;
    ENUMERATE_ACT;
    *out_n = (uint32_t)(cap == 0 ? DEVICES : LISTED);
    for (uint32_t i = 0; i < cap && i < (uint32_t)(DEVICES); i++)
        describe((cohort_device_info *)(void *)((char *)out + (size_t)i * stride), i);
    return COHORT_OK;
}

#define STUB(name, ...)                                                                            \
    static inline cohort_status stub_##name(__VA_ARGS__, cohort_error *stub_err)                   \
    {                                                                                              \
        return cohort_fail(stub_err, COHORT_ENOTSUP, 0, "a stub");                                 \
    }
#define SET(name, ...) .name = stub_##name,
#define NOTHING(...)
KIT_OPERATIONS(STUB, STUB)

const cohort_plugin *ENTRY(const cohort_request *request, cohort_error *err);

__attribute__((visibility("default"))) const cohort_plugin *ENTRY(const cohort_request *request,
                                                                  cohort_error *err)
{
    static cohort_ops ops = { .struct_size = sizeof ops, KIT_OPERATIONS(SET, NOTHING) };
    static cohort_plugin plugin = {
        .struct_size = sizeof plugin, .name = TEXT(NAME), .version = "1", .ops = &ops
    };
    (void)err;
    host = request->host;
    ops.enumerate = enumerate;
    OPS_LIE;
    PLUGIN_LIE;
    ENTRY_ACT;
    return &plugin;
}
