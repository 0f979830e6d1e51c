/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/metadata.h"

#include "runtime/base/callback.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

#include <string.h>

const char *cohort_metadata_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static cohort_status copy(const char *text, const char *path, char **out)
{
    static const char white[] = " \t\r\n";
    if (memchr(text, '\0', COHORT_LIMIT_METADATA_BYTES + 1) == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s has more than %d bytes",
                                cohort_metadata_name(path), COHORT_LIMIT_METADATA_BYTES);
    size_t bytes = strlen(text);
    while (bytes > 0 && strchr(white, text[bytes - 1]) != NULL)
        bytes--;
    if ((*out = cohort_allocate(bytes + 1, 1)) == NULL)
        return cohort_error_memory(cohort_metadata_name(path));
    memcpy(*out, text, bytes);
    return COHORT_OK;
}

/* A function that answers NULL and sets no error has no such text. */
static cohort_status ask(const cohort_metadata *from, const char *path, char **out)
{
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    const char *text = from->function(from->user, path);
    cohort_status status = text == NULL ? cohort_error_status() : COHORT_OK;
    status = cohort_callback_end(&callback, status < 0 ? status : COHORT_OK);
    if (status < 0)
        return cohort_error_prefix(status, "the function 'metadata', asked for %s", path);
    return text != NULL ? copy(text, path, out) : COHORT_OK;
}

cohort_status cohort_metadata_find(const cohort_metadata *from, const char *given, const char *path,
                                   char **out)
{
    *out = NULL;
    if (given != NULL)
        return copy(given, path, out);
    return from->function != NULL ? ask(from, path, out) : COHORT_OK;
}

cohort_status cohort_metadata_read(const cohort_metadata *from, const char *given, const char *path,
                                   char **out)
{
    cohort_status status = cohort_metadata_find(from, given, path, out);
    if (status < 0 || *out != NULL)
        return status;
    return cohort_error_set(COHORT_ENOENT, "there is no %s: the options do not give it, and %s",
                            cohort_metadata_name(path),
                            from->function != NULL ? "the function 'metadata' has none"
                                                   : "they have no function 'metadata' to ask");
}
