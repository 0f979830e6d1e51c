/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/words.h"

#include "runtime/step/news.h"

#include <stdio.h>
#include <string.h>

static void add_site(char *text, size_t size, const char *site)
{
    size_t used = strlen(text);
    if (site != NULL && site[0] != '\0')
        (void)snprintf(text + used, size - used, " at %s", site);
}

const char *cohort_words_call(const cohort_rendezvous *rendezvous, char text[COHORT_WORDS_BYTES])
{
    char arguments[COHORT_WORDS_BYTES / 2] = "";
    if (rendezvous->describe != NULL)
        rendezvous->describe(rendezvous, arguments, sizeof arguments);
    (void)snprintf(text, COHORT_WORDS_BYTES, arguments[0] != '\0' ? "%s (%s)" : "%s%s",
                   rendezvous->call, arguments);
    add_site(text, COHORT_WORDS_BYTES, rendezvous->site);
    return text;
}

const char *cohort_words_latest(const cohort_part *part, char text[COHORT_WORDS_BYTES])
{
    (void)snprintf(text, COHORT_WORDS_BYTES,
                   part->call != NULL ? "after %s" : "before any collective%s",
                   part->call != NULL ? part->call : "");
    add_site(text, COHORT_WORDS_BYTES, part->call != NULL ? part->site : NULL);
    return text;
}

int32_t cohort_words_id(const cohort_stage *stage, int32_t replica)
{
    return cohort_strategy_replica_id(stage->strategy, replica);
}

cohort_status cohort_words_prefix(const cohort_frame *frame, cohort_status status)
{
    bool has_site = frame->site != NULL && frame->site[0] != '\0';
    return cohort_error_prefix(status, "step function %s%s%s",
                               frame->name != NULL ? frame->name : "", has_site ? " at " : "",
                               has_site ? frame->site : "");
}

void cohort_words_fail(cohort_stage *stage, const cohort_frame *frame, cohort_status status)
{
    cohort_news_raise(stage, cohort_words_prefix(frame, status));
}
