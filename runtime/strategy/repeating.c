/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/repeating.h"

#include "runtime/base/settings.h"

#ifdef COHORT_ASSERTIONS
enum { CAN_WATCH = true };
#else
enum { CAN_WATCH = false };
#endif

/* unwatched is last, so that a release knows one word less. */
cohort_repeating cohort_repeating_read(void)
{
    static const char *const words[] = { "off", "memo", "steps", "unwatched" };
    int word = cohort_setting_word(COHORT_SETTING_REPEAT, words, CAN_WATCH ? 4 : 3);
    bool is_unwatched = word > COHORT_REPEAT_STEPS;
    return (cohort_repeating){ is_unwatched ? COHORT_REPEAT_STEPS : (cohort_repeating_kind)word,
                               CAN_WATCH && !is_unwatched };
}
