/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/tpu_env.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdbool.h>
#include <string.h>

static bool has_key(const char *line, size_t bytes, const char *key)
{
    size_t length = strlen(key);
    return bytes > length && strncmp(line, key, length) == 0 && line[length] == ':';
}

static cohort_status copy(const char *value, size_t bytes, char **out)
{
    if ((*out = cohort_allocate(bytes + 1, 1)) == NULL)
        return cohort_error_memory("tpu-env");
    memcpy(*out, value, bytes);
    return COHORT_OK;
}

/* What stands behind the colon, quoted or bare. */
static cohort_status read_value(const char *value, size_t bytes, int line, char **out)
{
    static const char white[] = " \t\r";
    while (bytes > 0 && strchr(white, value[0]) != NULL)
        value++, bytes--;
    while (bytes > 0 && strchr(white, value[bytes - 1]) != NULL)
        bytes--;
    if (bytes == 0 || (value[0] != '\'' && value[0] != '"'))
        return copy(value, bytes, out);
    if (bytes >= 2 && value[bytes - 1] == value[0])
        return copy(value + 1, bytes - 2, out);
    return cohort_error_set(COHORT_EINVAL,
                            "tpu-env: line %d: a value begins with a quotation mark, and does not "
                            "end with it; expected KEY: 'VALUE'",
                            line);
}

cohort_status cohort_tpu_env_find(const char *text, const char *key, char **out)
{
    int line = 1;
    *out = NULL;
    for (const char *at = text; *at != '\0'; line++) {
        size_t bytes = strcspn(at, "\n"), skipped = strlen(key) + 1;
        if (has_key(at, bytes, key))
            return read_value(at + skipped, bytes - skipped, line, out);
        at += bytes + (at[bytes] == '\n');
    }
    return COHORT_OK;
}
