/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort checkpoint convert: a checkpoint as a .npz file, and back. */
#include "config.h"

#include "cli/checkpoint.h"
#include "cli/cli.h"
#include "cli/visible.h"

#include <string.h>

int checkpoint_convert(const char *from, const char *to, json *out)
{
    if (cohort_checkpoint_convert(from, to) != COHORT_OK)
        return cli_fail(EXIT_FAILED, "%s", cohort_error_text());
    if (out != NULL) {
        json_text(out, "from", from);
        json_text(out, "to", to);
        return EXIT_OK;
    }
    visible_print(stdout, to, strlen(to));
    printf(": written\n");
    return EXIT_OK;
}
