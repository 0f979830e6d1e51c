/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin and its devices say they are: the first lie makes the core refuse all of it. */
#include "config.h"

#include "cli/conformance/rules.h"

#include <cohort/device.h>

/* ---- The file and its entry. */

void rule_loads(const subject *s)
{
    const char *why;
    claim_begin("load it");
    subject_entry_fn entry = subject_entry(s->file, &why);
    claim(entry != NULL, "the file loads, and has an entry%s%s", entry == NULL ? ": " : "",
          entry == NULL ? why : "");
}

void rule_entry(const subject *s)
{
    cohort_request later = { .struct_size = sizeof later,
                             .core_minor = COHORT_ABI_MINOR + 1,
                             .core_version = "9" };
    cohort_request showing = { .struct_size = sizeof showing,
                               .core_minor = COHORT_ABI_MINOR,
                               .core_version = "0" };
    cohort_error err = { .struct_size = sizeof err };
    const char *why;
    subject_entry_fn entry = subject_entry(s->file, &why);
    if (!claim(entry != NULL, "the file has an entry"))
        return;
    const cohort_plugin *plugin = entry(&showing, NULL);
    claim(plugin != NULL && entry(&showing, NULL) == plugin,
          "the entry answers the same again, without a host table");
    claim(entry(&later, &err) == NULL && err.code == COHORT_EINCOMPATIBLE && err.text[0] != '\0',
          "another minor of ABI 1 is COHORT_EINCOMPATIBLE, with a text");
}

static bool is_text(const char *text, size_t most)
{
    if (text == NULL || memchr(text, '\0', most) == NULL)
        return false;
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return false;
    return true;
}

#define IS_THERE(name) claim(s->ops.name != NULL, "the operation " #name " is there");
#define ARE_BOTH(one, other)                                                                       \
    claim((s->ops.one != NULL) == (s->ops.other != NULL), #one " and " #other " come together");

void rule_table(const subject *s)
{
    IS_THERE(enumerate)
    IS_THERE(device_open)
    IS_THERE(device_close)
    IS_THERE(mem_alloc)
    IS_THERE(mem_free)
    IS_THERE(write)
    IS_THERE(read)
    IS_THERE(kernel_create)
    IS_THERE(kernel_destroy)
    IS_THERE(launch)
    ARE_BOTH(event_wait, event_release)
    ARE_BOTH(queue_create, queue_destroy)
    ARE_BOTH(mem_map, mem_unmap)
    ARE_BOTH(host_alloc, host_free)
    claim(is_text(s->plugin->name, 256) && s->plugin->name[0] != '\0', "its name is a text");
    claim(s->plugin->version == NULL || is_text(s->plugin->version, 256), "its version is a text");
    claim(s->plugin->vendor == NULL || is_text(s->plugin->vendor, 256), "its vendor is a text");
}

/* ---- Devices. */

void rule_enumerate(const subject *s)
{
    struct wide {
        cohort_device_info info;
        unsigned char rest[40];
    } *all = malloc(s->n_devices * sizeof *all);
    uint32_t n = 0;
    if (all == NULL)
        return;
    memset(all, 0x5a, s->n_devices * sizeof *all);
    claim(s->ops.enumerate(s->plugin->self, 0, sizeof s->info, NULL, &n, NULL) == COHORT_OK &&
              n == s->n_devices,
          "devices are counted without room for them, the same number twice");
    (void)s->ops.enumerate(s->plugin->self, s->n_devices, sizeof *all, &all[0].info, &n, NULL);
    const struct wide *mine = &all[s->index];
    claim(mine->rest[0] == 0x5a && memcmp(mine->rest, mine->rest + 1, sizeof mine->rest - 1) == 0,
          "nothing is written behind an entry of a larger stride");
    claim(memcmp(&mine->info, &s->info, sizeof s->info) == 0, "a device says the same twice");
    free(all);
}

void rule_texts(const subject *s)
{
    const cohort_device_info *info = &s->info;
    claim(is_text(info->name, sizeof info->name) && info->name[0] != '\0', "a name");
    claim(is_text(info->driver, sizeof info->driver), "a driver");
    claim(is_text(info->pci, sizeof info->pci), "a place on the bus, or none");
    int n = 0;
    for (const char *const *f = info->formats; f != NULL && *f != NULL && n <= 64; f++, n++)
        claim(is_text(*f, 64) && **f != '\0', "format %d is a text", n);
    claim(n > 0 && n <= 64, "bodies that it takes: 1 to 64 formats");
}

void rule_uuid(const subject *s)
{
    static const uint8_t zero[sizeof s->info.uuid];
    claim(memcmp(s->info.uuid, zero, sizeof zero) != 0, "the uuid is not all zero");
    for (uint32_t i = 0; i < s->index; i++) {
        subject other;
        subject_choose(s, i, &other);
        claim(memcmp(other.info.uuid, s->info.uuid, sizeof zero) != 0,
              "the uuid is not that of device %u", i);
    }
}

static bool is_power(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

void rule_numbers(const subject *s)
{
    const cohort_device_info *info = &s->info;
    claim(info->struct_size >= sizeof *info, "struct_size is %u", info->struct_size);
    claim(info->type >= COHORT_DEVICE_CPU && info->type <= COHORT_DEVICE_ACCELERATOR,
          "the type is %u", info->type);
    claim(info->mem_total > 0 && info->mem_total <= INT64_MAX, "mem_total is %llu",
          (unsigned long long)info->mem_total);
    claim(info->mem_max_alloc > 0 && info->mem_max_alloc <= info->mem_total,
          "mem_max_alloc is %llu", (unsigned long long)info->mem_max_alloc);
    claim(is_power(info->mem_align), "mem_align is %u", info->mem_align);
    claim(is_power(info->import_align), "import_align is %u", info->import_align);
    claim(info->compute_units > 0 && info->compute_units <= INT32_MAX, "compute_units is %u",
          info->compute_units);
    claim(info->max_parts > 0, "max_parts is %u", info->max_parts);
    claim(info->numa_node >= -1, "numa_node is %d", info->numa_node);
}

void rule_caps(const subject *s)
{
    const uint64_t caps = s->info.caps, known = COHORT_CAP_SERIALIZE | COHORT_CAP_PROMPT |
                                                COHORT_CAP_HOST_VISIBLE | COHORT_CAP_UNIFIED |
                                                COHORT_CAP_COHERENT | COHORT_CAP_WIDE_MEAN |
                                                COHORT_CAP_GRID;
    claim((caps & ~known) == 0, "caps are bits that the core knows: %#llx",
          (unsigned long long)caps);
    claim((caps & COHORT_CAP_HOST_VISIBLE) == 0 || SUBJECT_HAS(s, mem_host_ptr),
          "COHORT_CAP_HOST_VISIBLE comes with mem_host_ptr");
    claim((caps & COHORT_CAP_UNIFIED) == 0 || SUBJECT_HAS(s, mem_import),
          "COHORT_CAP_UNIFIED comes with mem_import");
    claim((caps & COHORT_CAP_WIDE_MEAN) == 0 || SUBJECT_HAS(s, reduce),
          "COHORT_CAP_WIDE_MEAN comes with reduce");
}

void rule_types(const subject *s)
{
    claim(s->info.dtypes != 0, "it takes some dtypes");
    claim(SUBJECT_HAS(s, reduce) == (s->info.reductions != 0),
          "it says which reductions it has, or has no reduce");
}

/* The core's own checks, last: what is not in this list is told by it. */
void rule_core(const subject *s)
{
    claim_begin("load it as a program does");
    cohort_status status = cohort_plugin_load(s->file);
    const char *why = status < 0 ? cohort_error_text() : "";
    for (const cohort_unused *u = cohort_unused_next(NULL); status >= 0 && u != NULL;
         u = cohort_unused_next(u))
        if (strcmp(cohort_unused_candidate(u), s->file) == 0) {
            status = COHORT_EINCOMPATIBLE;
            why = cohort_unused_reason(u);
        }
    claim(status >= 0, "a program can load it%s%s", status < 0 ? ": " : "", why);
}
