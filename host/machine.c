/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine's name, its memory, and an identity that stays. */
#include "config.h"

#include "host/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static uint64_t positive(long value, uint64_t otherwise)
{
    return value > 0 ? (uint64_t)value : otherwise;
}

uint64_t machine_page_bytes(void)
{
    return positive(sysconf(_SC_PAGESIZE), 4096);
}

/* Where the system does not say, a number that no allocation reaches and no sum overflows. */
uint64_t machine_memory(void)
{
    return positive(sysconf(_SC_PHYS_PAGES), SIZE_MAX / 2 / machine_page_bytes()) *
           machine_page_bytes();
}

/* "key   : value" of /proc/cpuinfo; NULL when the line has another key. */
static const char *value_of(char *line, const char *key)
{
    char *colon = strchr(line, ':');
    size_t length = strlen(key);
    if (colon == NULL || strncmp(line, key, length) != 0 ||
        strspn(line + length, " \t") != (size_t)(colon - line) - length)
        return NULL;
    colon[strcspn(colon, "\n")] = '\0';
    return colon + 1 + strspn(colon + 1, " \t");
}

static int find_name(FILE *cpuinfo, const char *key, char *out_name, size_t size)
{
    char line[512];
    rewind(cpuinfo);
    while (fgets(line, sizeof line, cpuinfo) != NULL) {
        const char *value = value_of(line, key);
        if (value != NULL && value[0] != '\0')
            return snprintf(out_name, size, "%s", value);
    }
    return 0;
}

/* /proc/cpuinfo has another key on each architecture; the first that has a value is the name. */
void machine_name(char *out_name, size_t size)
{
    static const char *const keys[] = { "model name", "cpu model", "cpu",
                                        "Model",      "Hardware",  "uarch" };
    struct utsname system;
    FILE *cpuinfo = fopen("/proc/cpuinfo", "re");
    int length = 0;
    for (size_t i = 0; cpuinfo != NULL && length == 0 && i < sizeof keys / sizeof *keys; i++)
        length = find_name(cpuinfo, keys[i], out_name, size);
    if (cpuinfo != NULL)
        (void)fclose(cpuinfo);
    if (length == 0)
        (void)snprintf(out_name, size, "%s CPU", uname(&system) == 0 ? system.machine : "unknown");
}

/* FNV-1a */
static uint64_t hash(uint64_t start, const char *text)
{
    uint64_t value = start;
    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3u;
    return value;
}

/* The same on each start, and not zero (| 1), as the core asks for. It depends on the name alone:
 * the host device is the only one of this plugin. */
void machine_uuid(const char *name, uint8_t out_uuid[16])
{
    uint64_t words[2];
    words[0] = hash(hash(0xcbf29ce484222325u, "host"), name) | 1;
    words[1] = hash(words[0], name);
    memcpy(out_uuid, words, sizeof words);
}
