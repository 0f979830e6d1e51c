/* SPDX-License-Identifier: BSD-3-Clause */
/* What a restore would not do, in one sentence that has the names. */
#include "config.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/checkpoint/pairs.h"

static const struct {
    cohort_checkpoint_relation relation;
    uint32_t allow;
    const char *what;
} kinds[] = {
    { COHORT_CHECKPOINT_MISSING, COHORT_CHECKPOINT_ALLOW_MISSING, "missing in it" },
    { COHORT_CHECKPOINT_EXTRA, COHORT_CHECKPOINT_ALLOW_EXTRA, "in it and not here" },
    { COHORT_CHECKPOINT_OTHER_SHAPE, COHORT_CHECKPOINT_ALLOW_OTHER, "of another shape there" },
    { COHORT_CHECKPOINT_OTHER_DTYPE, COHORT_CHECKPOINT_ALLOW_OTHER, "of another dtype there" },
    { COHORT_CHECKPOINT_OTHER_WORKERS, COHORT_CHECKPOINT_ALLOW_OTHER,
      "of each of the workers that saved, and of no other number of them" },
};
enum { KINDS = sizeof kinds / sizeof *kinds, SHOWN_BYTES = 400 };

/* "float32[3]"; an input has a position. */
static void add_spec(cohort_text *text, const char *before, const cohort_spec *spec)
{
    char shape[COHORT_SHAPE_BYTES];
    cohort_spec known = *spec;
    known.rank = spec->rank < COHORT_MAX_RANK ? spec->rank : COHORT_MAX_RANK;
    cohort_text_add(text, "%s%s", before,
                    spec->dtype != COHORT_VOID
                        ? cohort_shape_to_string(known.dtype, known.rank, known.shape, shape)
                        : "a position or a tensor of a dtype that arrays have not");
}

static void add_pair(cohort_text *names, const cohort_pairs *p, const cohort_pair *pair)
{
    char room[SHOWN_BYTES];
    cohort_text one = cohort_text_begin(room, sizeof room);
    cohort_spec here = cohort_pair_here(pair), there = cohort_pair_there(p, pair);
    cohort_text_add(&one, "%.100s", pair->item != NULL ? pair->item->name : pair->saved->saved);
    if (pair->relation == COHORT_CHECKPOINT_OTHER_SHAPE ||
        pair->relation == COHORT_CHECKPOINT_OTHER_DTYPE) {
        add_spec(&one, " is ", &here);
        add_spec(&one, ", there ", &there);
    }
    (void)cohort_text_add_name(names, ", ", room);
}

static int list_kind(const cohort_pairs *p, int kind, cohort_text *names)
{
    int n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->pairs[i].relation == kinds[kind].relation) {
            if (names->bytes - names->length > SHOWN_BYTES / 4)
                add_pair(names, p, &p->pairs[i]);
            n++;
        }
    return n;
}

/* All kinds together, so that a program is mended at once. */
cohort_status cohort_pairs_check(const cohort_pairs *p, const cohort_state *state)
{
    char room[COHORT_ERROR_BYTES - SHOWN_BYTES];
    cohort_text text = cohort_text_begin(room, sizeof room);
    for (int i = 0; i < KINDS; i++) {
        char listed[SHOWN_BYTES];
        cohort_text names = cohort_text_begin(listed, sizeof listed);
        bool is_allowed = (state->options->allow & kinds[i].allow) != 0;
        int n = is_allowed ? 0 : list_kind(p, i, &names);
        if (n > 0)
            cohort_text_add_item(&text, "; ", "%d %s %s: %s", n, n == 1 ? "is" : "are",
                                 kinds[i].what, listed);
    }
    return text.length == 0 ? COHORT_OK
                            : cohort_error_set(COHORT_EINVAL, "%s: nothing has changed: %s",
                                               p->checkpoint->path, room);
}
