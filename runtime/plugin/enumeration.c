/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of a plugin, and those that it saw and does not offer.
 *
 * Both are asked for on a thread of their own (errand.h), under COHORT_TIMEOUT_OPEN: drivers look
 * at hardware then, and may not come back. The thread only fills a struct; all that was answered is
 * checked by the asker, so that an answer that comes late has changed nothing. */
#include "config.h"

#include "runtime/plugin/enumeration.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/plugin/errand.h"
#include "runtime/plugin/gate.h"
#include "runtime/plugin/info.h"

#include <stdbool.h>
#include <string.h>

typedef struct question {
    cohort_errand errand;
    cohort_status (*enumerate)(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,
                               uint32_t *out_n, cohort_error *err);
    void *self;
    cohort_status status;
    cohort_error err;
    cohort_device_info *infos; /* the errand's block */
    uint32_t counted, filled;
} question;

/* ---- On the thread. */

/* Ask twice, to count and to fill. The count of the plugin is not believed before it is checked:
 * nothing is allocated for more devices than Cohort allows. */
static cohort_status count_and_fill(question *q)
{
    cohort_status st = q->enumerate(q->self, 0, sizeof *q->infos, NULL, &q->counted, &q->err);
    if (st != COHORT_OK || q->counted == 0 || q->counted > COHORT_LIMIT_DEVICES)
        return st;
    q->errand.block = q->infos = cohort_allocate(q->counted, sizeof *q->infos);
    if (q->infos == NULL)
        return cohort_fail(&q->err, COHORT_ENOMEM, 0, "out of memory for %u devices", q->counted);
    for (uint32_t i = 0; i < q->counted; i++)
        q->infos[i].struct_size = sizeof *q->infos;
    return q->enumerate(q->self, q->counted, sizeof *q->infos, q->infos, &q->filled, &q->err);
}

static void answer(cohort_errand *errand)
{
    question *q = (question *)errand;
    q->status = count_and_fill(q);
}

/* ---- On the asker's thread. */

/* In the order in which one fault could hide behind another: the status, the end of the error text
 * before that text is read, the numbers before the entries that they count. */
static cohort_status check_answer(const question *q, const cohort_ops *ops)
{
    char text[COHORT_ERROR_BYTES];
    if (!cohort_slot_allows(COHORT_SLOT_ENUMERATE, q->status))
        return cohort_error_set(
            COHORT_EINVAL,
            "enumerate returns %d (%s); expected COHORT_OK, or an error of cohort/codes.h",
            q->status, cohort_status_name(q->status));
    if (q->status < 0 && memchr(q->err.text, '\0', sizeof q->err.text) == NULL)
        return cohort_error_set(
            q->status, "enumerate fails with an error text without an end; expected at most 1007 "
                       "bytes, and a 0");
    cohort_utf8_escape(q->err.text, sizeof q->err.text, text, sizeof text);
    if (q->status < 0)
        return cohort_error_set(q->status, "enumerate: %s",
                                text[0] != '\0' ? text : cohort_status_text(q->status));
    if (q->counted > COHORT_LIMIT_DEVICES)
        return cohort_error_set(COHORT_EINVAL,
                                "the plugin claims %u devices; at most %d are possible", q->counted,
                                COHORT_LIMIT_DEVICES);
    if (q->counted > 0 && q->filled != q->counted)
        return cohort_error_set(COHORT_EINVAL, "the plugin counts %u devices and then lists %u",
                                q->counted, q->filled);
    cohort_status st = COHORT_OK;
    for (uint32_t i = 0; st >= 0 && i < q->counted; i++)
        if ((st = cohort_info_check(&q->infos[i], i)) >= 0)
            st = cohort_gate_check_caps(ops, &q->infos[i], i);
    return st;
}

static cohort_status take_answer(question *q, const cohort_ops *ops, cohort_device_info **out,
                                 uint32_t *out_n)
{
    cohort_status st = check_answer(q, ops);
    if (st < 0)
        return st;
    *out = q->infos;
    *out_n = q->counted;
    q->errand.block = NULL; /* now the caller's */
    return COHORT_OK;
}

cohort_status cohort_enumeration_make(const cohort_loaded *loaded, cohort_device_info **out,
                                      uint32_t *out_n)
{
    *out = NULL;
    *out_n = 0;
    question *q = cohort_errand_create(sizeof *q, answer);
    if (q == NULL)
        return cohort_error_memory("the devices of a plugin");
    q->enumerate = loaded->ops.enumerate;
    q->self = loaded->plugin->self;
    q->err.struct_size = sizeof q->err;
    cohort_status st = cohort_errand_do(&q->errand, "enumerate");
    if (st >= 0)
        st = take_answer(q, &loaded->ops, out, out_n);
    cohort_errand_let_go(&q->errand);
    return st;
}

/* ---- What the plugin does not offer. */

typedef struct search {
    cohort_errand errand;
    const void *(*extension)(void *self, const char *name);
    void *self;
    cohort_status status;      /* the last one */
    cohort_unused_info *infos; /* the errand's block */
    size_t capacity, n;
} search;

/* One device after the other until the plugin says COHORT_END, or has named as many as there may
 * be. A status that is none of these is judged by the asker. */
static void look_for_unused(cohort_errand *errand)
{
    search *s = (search *)errand;
    const cohort_unused_ops *ops = s->extension(s->self, "cohort.unused/0");
    if (ops == NULL || ops->struct_size < sizeof *ops)
        return;
    for (s->status = COHORT_OK; s->status == COHORT_OK && s->n < COHORT_LIMIT_DEVICES;) {
        if (!cohort_grow(&s->errand.block, &s->capacity, s->n + 1, sizeof *s->infos))
            return;
        s->infos = s->errand.block;
        memset(&s->infos[s->n], 0, sizeof *s->infos);
        s->infos[s->n].struct_size = sizeof *s->infos;
        s->status = ops->get(s->self, (uint32_t)s->n, &s->infos[s->n]);
        s->n += s->status == COHORT_OK;
    }
}

static bool is_good(const cohort_unused_info *info)
{
    return cohort_utf8_is_printable(info->name, sizeof info->name) &&
           cohort_utf8_is_printable(info->reason, sizeof info->reason) &&
           cohort_utf8_is_printable(info->fix, sizeof info->fix);
}

/* A text that cannot be shown is replaced by a sentence about that: the device still counts as
 * seen. */
static void add_unused(const search *s, const cohort_loaded *loaded, cohort_note_unused_fn note)
{
    for (size_t i = 0; i < s->n; i++) {
        const cohort_unused_info *info = &s->infos[i];
        bool is_readable = is_good(info);
        (void)cohort_error_set(COHORT_ENODEV, "%s",
                               is_readable ? info->reason : "the plugin gives no readable reason");
        note(is_readable ? info->name : loaded->name, loaded->name, is_readable ? info->fix : "");
    }
}

void cohort_enumeration_of_unused(const cohort_loaded *loaded, cohort_note_unused_fn note)
{
    static const char operation[] = "cohort.unused/0",
                      expected[] = "COHORT_OK, COHORT_END or an error";
    search *s =
        loaded->plugin->extension != NULL ? cohort_errand_create(sizeof *s, look_for_unused) : NULL;
    if (s == NULL)
        return;
    s->extension = loaded->plugin->extension;
    s->self = loaded->plugin->self;
    cohort_status st = cohort_errand_do(&s->errand, operation);
    if (st == COHORT_ETIMEDOUT)
        (void)cohort_gate_shut(loaded, operation, expected,
                               "nothing within its time (COHORT_TIMEOUT_OPEN)");
    /* a plugin without the extension has left the status at 0, COHORT_OK */
    else if (st >= 0 && s->status != COHORT_END &&
             !cohort_slot_allows(COHORT_SLOT_QUERY, s->status))
        (void)cohort_gate_shut(loaded, operation, expected, "%d", s->status);
    else if (st >= 0)
        add_unused(s, loaded, note);
    cohort_errand_let_go(&s->errand);
}
