/* SPDX-License-Identifier: BSD-3-Clause */
/* The error slot of the calling thread. */
#ifndef COHORT_BASE_ERROR_H
#define COHORT_BASE_ERROR_H

#include <cohort/status.h>

#include <stdbool.h>
#include <stdint.h>

enum { COHORT_ERROR_BYTES = 2048 }; /* longer texts are cut, at a character */

/* cohort_error_set (cohort/status.h) takes the slot's own text among its arguments too. */

/* A number of cohort/codes.h. */
bool cohort_error_is_status(cohort_status status);

/* The text in this thread's slot. The text that cohort_error_text answers counts as read by the
 * program; the second one says how often that was, in all threads. */
const char *cohort_error_slot(void);
uint64_t cohort_error_times_read(void);

/* The status that came with the slot's text, for what fails with a NULL; COHORT_OK: the slot is
 * empty. */
cohort_status cohort_error_status(void);

/* Empty the slot. */
void cohort_error_clear(void);

/* The content of the slot, kept for the time of something whose errors are not the caller's. */
typedef struct cohort_error_saved {
    cohort_status status;
    uint32_t kinds; /* of what was not made for this reason */
    char text[COHORT_ERROR_BYTES];
} cohort_error_saved;

void cohort_error_save(cohort_error_saved *out_saved);
void cohort_error_restore(const cohort_error_saved *saved);

/* Put "prefix: " before what the slot says; returns status. */
cohort_status cohort_error_prefix(cohort_status status, const char *format, ...)
    COHORT_PRINTF_(2, 3);

/* Note that the text of the slot is why no object of these kinds was made: a bit for each. That
 * stays while calls tell the same error. For base/handle.h, which knows the kinds. */
void cohort_error_note_unmade(uint32_t kinds);

/* A call got NULL. Returns COHORT_EINVAL. what: "the callback" */
cohort_status cohort_error_null(const char *call, const char *what);

/* The same where an object of these kinds was wanted: the text keeps the reason of the slot, if
 * that is why no such object was made. */
cohort_status cohort_error_null_object(const char *call, const char *what, uint32_t kinds);

/* The last line of a public call that answers a number, or a status where it fails: the slot
 * remembers that its text is the reason of such an answer. Returns the answer. */
int64_t cohort_error_answer(int64_t answer);

/* A call refuses a number that it got; as cohort_error_set with COHORT_EINVAL. Where the number is
 * the answer of a call that has failed, and the reason is still that of the slot, it is told, too:
 * a size that nobody has looked at is passed on as it is. */
cohort_status cohort_error_number(int64_t number, const char *format, ...) COHORT_PRINTF_(2, 3);

/* Out of memory while making `what`. Returns COHORT_ENOMEM. */
cohort_status cohort_error_memory(const char *what);

/* After fork every call of the child answers COHORT_ENODEV: device threads do not survive it
 * (measured: libgomp and PoCL hang). COHORT_OK in the process that first used the library. */
cohort_status cohort_error_if_forked(void);

/* Whether this process is such a child; sets no text. */
bool cohort_error_is_forked(void);

#endif
