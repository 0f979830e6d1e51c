/* SPDX-License-Identifier: BSD-3-Clause */
/* By open_memstream, so that what prints to a stream for people also makes the texts that calls
 * return, and needs no second writing with a buffer of its own. */
#include "config.h"

#include "runtime/base/print.h"

#include <stdlib.h>

char *cohort_print_to_text(void (*print)(const void *what, FILE *out), const void *what,
                           size_t *out_bytes)
{
    size_t bytes = 0;
    char *text = NULL;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL)
        return NULL;
    print(what, out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    /* glibc cuts the memory to its size in fclose, and answers 0 where it gets none for that */
    if (text != NULL && out_bytes != NULL)
        *out_bytes = bytes;
    return text;
}

const char *cohort_print_kept(char **kept, void (*print)(const void *what, FILE *out),
                              const void *what)
{
    char *text = cohort_print_to_text(print, what, NULL);
    if (text == NULL)
        return "";
    free(*kept);
    *kept = text;
    return text;
}
