/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as TF_CONFIG: what is read can be written and read again, and an error has its place in
 * the text. */
#include "config.h"

#include "runtime/cluster/tf_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_good)
{
    if (!is_good)
        abort();
}

static void check_error(cohort_status status, const char *text)
{
    static const char place[] = "TF_CONFIG: byte ";
    char *end;
    if (status == COHORT_ENOTSUP)
        return; /* a build without jansson */
    check(status == COHORT_EINVAL && strncmp(cohort_error_text(), place, sizeof place - 1) == 0);
    check(strtoumax(cohort_error_text() + sizeof place - 1, &end, 10) <= strlen(text));
    check(strncmp(end, ": ", 2) == 0);
}

/* The cluster that was read, as a text of its own. */
static void check_again(const cohort_tf_config *found)
{
    cohort_tf_config again;
    const char *json = cohort_cluster_spec_json(found->spec);
    size_t bytes = strlen(json) + sizeof "{\"cluster\": }";
    char *text = malloc(bytes);
    check(text != NULL && found->task_type != NULL && found->session_master != NULL);
    (void)snprintf(text, bytes, "{\"cluster\": %s}", json);
    check(cohort_tf_config_read(text, &again) == COHORT_OK);
    check(cohort_cluster_spec_is_equal(found->spec, again.spec));
    cohort_tf_config_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    cohort_tf_config found;
    char *text = calloc(size + 1, 1);
    check(text != NULL);
    memcpy(text, data, size);
    cohort_status status = cohort_tf_config_read(text, &found);
    if (status == COHORT_OK)
        check_again(&found);
    else
        check_error(status, text);
    cohort_tf_config_free(&found);
    free(text);
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("tf_config");
}
#endif
