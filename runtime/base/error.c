/* SPDX-License-Identifier: BSD-3-Clause */
/* The error slot is one text and one status for each thread, so that threads never see each other's
 * errors and reading the text needs no lock. A function that fails fills the slot; one that passes
 * the status on may put words before it. */
#include "config.h"

#include "runtime/base/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* In static memory of the thread: an error about missing memory needs none. */
static _Thread_local char slot[COHORT_ERROR_BYTES];
static _Thread_local cohort_status slot_status;
/* a bit for each cohort_handle_kind of which no object was made, for the reason in `slot` */
static _Thread_local uint32_t slot_kinds;
/* among these bits: it is why a number was answered that is a status */
static const uint32_t answer_kind = UINT32_C(1) << 31;

/* So often programs have looked at an error, whoever's. */
static _Atomic uint64_t times_read;

const char *cohort_error_text(void)
{
    atomic_fetch_add_explicit(&times_read, 1, memory_order_relaxed);
    return slot;
}

const char *cohort_error_slot(void)
{
    return slot;
}

uint64_t cohort_error_times_read(void)
{
    return atomic_load_explicit(&times_read, memory_order_relaxed);
}

cohort_status cohort_error_status(void)
{
    return slot_status;
}

void cohort_error_clear(void)
{
    slot_status = COHORT_OK;
    slot_kinds = 0;
    slot[0] = '\0';
}

/* Only the text of the 2 KiB is copied. */
void cohort_error_save(cohort_error_saved *out_saved)
{
    out_saved->status = slot_status;
    out_saved->kinds = slot_kinds;
    memcpy(out_saved->text, slot, strlen(slot) + 1);
}

void cohort_error_restore(const cohort_error_saved *saved)
{
    slot_status = saved->status;
    slot_kinds = saved->kinds;
    memcpy(slot, saved->text, strlen(saved->text) + 1);
}

/* A text that was cut inside a UTF-8 sequence loses that sequence. */
static void trim_partial_character(char *text, size_t capacity)
{
    size_t end = strlen(text), start = end;
    if (end + 1 < capacity)
        return;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start > 0 && ((unsigned char)text[start - 1] & 0xc0) == 0xc0)
        text[start - 1] = '\0';
}

/* The slot's own text may be among the arguments: it is printed elsewhere first. The same sentence
 * again is the same error, and what was not made because of it stays noted. */
static void fill_slot(const char *format, va_list arguments)
{
    char text[COHORT_ERROR_BYTES];
    (void)vsnprintf(text, sizeof text, format, arguments);
    trim_partial_character(text, sizeof text);
    if (strcmp(text, slot) != 0)
        slot_kinds = 0;
    memcpy(slot, text, strlen(text) + 1);
}

bool cohort_error_is_status(cohort_status status)
{
    return strcmp(cohort_status_name(status), "?") != 0;
}

cohort_status cohort_error_set(cohort_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_slot(format != NULL ? format : "", arguments);
    va_end(arguments);
    /* what is no error would be taken for success by the caller, although a text was set */
    slot_status = status < 0 && cohort_error_is_status(status) ? status : COHORT_EINVAL;
    return slot_status;
}

/* A quarter of the slot for the prefix: the sentence, which is cut at the end if at all, keeps
 * the rest. */
cohort_status cohort_error_prefix(cohort_status status, const char *format, ...)
{
    char prefix[COHORT_ERROR_BYTES / 4];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    return cohort_error_set(status, "%s: %s", prefix, slot);
}

void cohort_error_note_unmade(uint32_t kinds)
{
    slot_kinds |= kinds;
}

int64_t cohort_error_answer(int64_t answer)
{
    if (answer < 0)
        slot_kinds |= answer_kind;
    return answer;
}

cohort_status cohort_error_number(int64_t number, const char *format, ...)
{
    bool is_answer = number < 0 && number == slot_status && (slot_kinds & answer_kind) != 0;
    char text[COHORT_ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return is_answer ? cohort_error_set(COHORT_EINVAL, "%s; the number is an earlier error: %s",
                                        text, slot)
                     : cohort_error_set(COHORT_EINVAL, "%s", text);
}

cohort_status cohort_error_null(const char *call, const char *what)
{
    return cohort_error_set(COHORT_EINVAL, "%s: %s is NULL", call, what);
}

cohort_status cohort_error_null_object(const char *call, const char *what, uint32_t kinds)
{
    static const char because[] = " is NULL, because of an earlier error: ";
    const char *reason = slot, *next;
    uint32_t unmade = slot_kinds;
    if ((unmade & kinds) == 0)
        return cohort_error_null(call, what);
    while ((next = strstr(reason, because)) != NULL)
        /* A chain of calls with NULL tells the first reason alone, not each call that met it. */
        reason = next + sizeof because - 1;
    (void)cohort_error_set(COHORT_EINVAL, "%s: %s%s%s", call, what, because, reason);
    slot_kinds = unmade;
    return COHORT_EINVAL;
}

cohort_status cohort_error_memory(const char *what)
{
    return cohort_error_set(COHORT_ENOMEM, "out of memory for %s", what);
}

/* Set in each child, by the C library, before fork returns there: so a look at it costs a load,
 * where getpid would be a system call in each call of the library. */
static atomic_bool is_forked;

static void note_fork(void)
{
    atomic_store(&is_forked, true);
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, note_fork);
}

/* Relaxed: a child starts with the one thread that has written it. */
bool cohort_error_is_forked(void)
{
    return atomic_load_explicit(&is_forked, memory_order_relaxed);
}

/* Calls that may be the first to need a device begin with this: one of them registers the handler,
 * so that forks before it do no harm, and those behind it only have to look. */
cohort_status cohort_error_if_forked(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, watch_forks);
    if (!cohort_error_is_forked())
        return COHORT_OK;
    return cohort_error_set(
        COHORT_ENODEV, "this process was forked after Cohort was used, and devices do not survive "
                       "that: exec a program, or fork before the first call");
}
