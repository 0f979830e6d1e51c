/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers: the plugin gets memory of the layer's instead of the caller's, between guard bytes,
 * and empty where it is to be written. When the operation is over the memory is looked at, copied
 * out, and emptied: who reads it later gets NaN, and who writes it later is found. */
#include "config.h"

#include "runtime/checking/layer.h"

#include "runtime/base/digest.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/checking/around.h"

#include <string.h>

/* ---- Rooms of what is over. */

static void keep(cohort_checking *checking, cohort_slot_id operation, cohort_padded *room)
{
    uint32_t at = checking->next_latest++ % COHORT_CHECKING_LATEST;
    cohort_padded_clear(room);
    cohort_padded_free(&checking->latest[at].room);
    checking->latest[at].room = *room;
    checking->latest[at].operation = operation;
    *room = (cohort_padded){ 0 };
}

cohort_status cohort_checking_look_late(cohort_checking *checking, cohort_error *err)
{
    for (int i = 0; i < COHORT_CHECKING_LATEST; i++) {
        cohort_padded *room = &checking->latest[i].room;
        int64_t at;
        if (room->block == NULL || !cohort_padded_is_touched(room, &at))
            continue;
        cohort_status status =
            cohort_finding(checking, checking->latest[i].operation, COHORT_CHECKING_LATE, err,
                           "wrote to byte %lld of %llu of the host's memory after it was complete",
                           (long long)at, (unsigned long long)room->bytes);
        cohort_padded_free(room);
        return status;
    }
    return COHORT_OK;
}

/* ---- What an operation has written. */

static cohort_status check_guards(cohort_checking *checking, const cohort_held *op,
                                  cohort_error *err)
{
    cohort_checking_rule rule = op->operation == COHORT_SLOT_READ    ? COHORT_CHECKING_INTO
                                : op->operation == COHORT_SLOT_WRITE ? COHORT_CHECKING_FROM
                                                                     : COHORT_CHECKING_RET;
    int64_t at;
    if (!cohort_padded_is_broken(&op->room, &at))
        return COHORT_OK;
    return cohort_finding(checking, (cohort_slot_id)op->operation, rule, err,
                          "wrote to byte %lld of host memory that has %llu", (long long)at,
                          (unsigned long long)op->room.bytes);
}

/* Bytes that still look empty are read once more, over others: those that come out otherwise were
 * not written. While other operations are in flight, which may have written there, only those are
 * told that the second read left out, too. */
static cohort_status check_all(cohort_checking *checking, const cohort_held *op, cohort_error *err)
{
    const unsigned char *empty = memchr(op->room.at, COHORT_PADDED_EMPTY, (size_t)op->room.bytes);
    if (op->operation != COHORT_SLOT_READ || empty == NULL)
        return COHORT_OK;
    enum { OTHER = 0x5a };
    bool is_alone = checking->events.n <= 1; /* this one, where there are events */
    unsigned char *again = cohort_allocate((size_t)op->room.bytes, 1);
    cohort_status status = COHORT_OK;
    if (again != NULL)
        memset(again, OTHER, (size_t)op->room.bytes);
    if (again != NULL &&
        cohort_checking_get(checking, op->mem, op->offset, again, op->room.bytes) == COHORT_OK)
        for (uint64_t i = 0; i < op->room.bytes && status == COHORT_OK; i++)
            if (op->room.at[i] == COHORT_PADDED_EMPTY && again[i] != COHORT_PADDED_EMPTY &&
                (is_alone || again[i] == OTHER))
                status = cohort_finding(checking, COHORT_SLOT_READ, COHORT_CHECKING_ALL, err,
                                        "left byte %llu of %llu out", (unsigned long long)i,
                                        (unsigned long long)op->room.bytes);
    cohort_free(again);
    return status;
}

static uint64_t digest(const cohort_held *op)
{
    return cohort_digest_add(COHORT_DIGEST_OF_NOTHING, op->room.at, op->room.bytes);
}

/* The plugin leaves what it reads as it is, and so does the core, whose own mistake is no finding
 * in the plugin: the plugin had a copy. */
static cohort_status check_from(cohort_checking *checking, const cohort_held *op, cohort_error *err)
{
    if (op->operation != COHORT_SLOT_WRITE || op->from == NULL)
        return COHORT_OK;
    if (op->digest != digest(op))
        return cohort_finding(checking, COHORT_SLOT_WRITE, COHORT_CHECKING_FROM, err,
                              "changed the %llu bytes that it was to read",
                              (unsigned long long)op->room.bytes);
    if (memcmp(op->room.at, op->from, (size_t)op->room.bytes) != 0)
        cohort_log(COHORT_SUBSYSTEM_CHECKING, COHORT_LOG_ERROR,
                   "%s: %llu bytes of the host were changed while they were written to the device: "
                   "a mistake of Cohort, not of the plugin",
                   checking->device->id, (unsigned long long)op->room.bytes);
    return COHORT_OK;
}

static cohort_status look(cohort_checking *checking, cohort_held *op, cohort_status status,
                          cohort_error *err)
{
    if (op->room.block == NULL)
        return status;
    cohort_status found = check_guards(checking, op, err);
    if (found == COHORT_OK)
        found = check_from(checking, op, err);
    if (found == COHORT_OK && status == COHORT_OK)
        found = check_all(checking, op, err);
    if (op->into != NULL && status == COHORT_OK)
        memcpy(op->into, op->room.at, (size_t)op->room.bytes);
    keep(checking, (cohort_slot_id)op->operation, &op->room);
    return found != COHORT_OK ? found : status;
}

cohort_status cohort_checking_ended(cohort_checking *checking, cohort_held *event,
                                    cohort_status status, cohort_error *err)
{
    status = look(checking, event, status, err);
    if (status == COHORT_OK)
        status = cohort_checking_look_late(checking, err);
    event->is_over = true;
    event->status = status;
    /* of a finding, which the plugin would not say again */
    event->text = status != event->answer ? cohort_string_copy(err->text) : NULL;
    return status;
}

/* Nobody can tell whose event it is, or there is no memory to note it: the operation is waited for,
 * so that the core has none in flight that the layer does not know. An event that is alive stays
 * for the operation that it is of. */
static cohort_status take_event(cohort_checking *checking, cohort_held *op, cohort_event **event,
                                bool is_alive, cohort_error *err)
{
    cohort_event *taken = *event;
    cohort_status status = cohort_checking_await(checking, COHORT_OK, taken);
    *event = NULL;
    if (!is_alive && status != COHORT_ETIMEDOUT)
        (void)checking->base->event_release(checking->dev, taken, NULL);
    status = look(checking, op, status, err);
    return is_alive ? cohort_finding(checking, (cohort_slot_id)op->operation, COHORT_CHECKING_TWICE,
                                     err, "handed out event %p, which is alive", (void *)taken)
                    : status;
}

cohort_status cohort_checking_begun(cohort_checking *checking, cohort_held *op,
                                    cohort_status status, cohort_event **event, cohort_error *err)
{
    if (*event == NULL || checking->base->event_wait == NULL || status < 0) {
        status = look(checking, op, status, err);
        cohort_status late = cohort_checking_look_late(checking, status < 0 ? NULL : err);
        return status == COHORT_OK ? late : status;
    }
    bool is_alive = cohort_handles_find(&checking->events, *event) != NULL;
    cohort_held *held = is_alive ? NULL : cohort_handles_add(&checking->events, *event);
    if (held == NULL)
        return take_event(checking, op, event, is_alive, err);
    op->next = held->next;
    op->handle = *event;
    *held = *op;
    return status;
}

/* ---- The operations. */

static cohort_status write_mem(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                               uint64_t offset, const void *from, uint64_t bytes,
                               cohort_event **out_event, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_held op = { .operation = COHORT_SLOT_WRITE, .from = from };
    const void *theirs = from;
    cohort_around around;
    if (cohort_padded_make(&op.room, bytes, from)) {
        theirs = memcpy(op.room.at, from, (size_t)bytes);
        op.digest = digest(&op);
    }
    cohort_around_begin(&around, checking, COHORT_SLOT_WRITE);
    cohort_status status =
        checking->base->write(checking->dev, queue, mem, offset, theirs, bytes, out_event, err);
    status = cohort_checking_begun(checking, &op, status, out_event, err);
    return cohort_around_end(&around, status, err);
}

static cohort_status read_mem(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                              uint64_t offset, void *into, uint64_t bytes, cohort_event **out_event,
                              cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_held op = { .operation = COHORT_SLOT_READ, .into = into, .mem = mem, .offset = offset };
    cohort_around around;
    void *theirs = cohort_padded_make(&op.room, bytes, into) ? op.room.at : into;
    cohort_around_begin(&around, checking, COHORT_SLOT_READ);
    cohort_status status =
        checking->base->read(checking->dev, queue, mem, offset, theirs, bytes, out_event, err);
    status = cohort_checking_begun(checking, &op, status, out_event, err);
    return cohort_around_end(&around, status, err);
}

static cohort_status copy_mem(cohort_dev *dev, cohort_queue *queue, cohort_mem *dst,
                              uint64_t dst_offset, cohort_mem *src, uint64_t src_offset,
                              uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_held op = { .operation = COHORT_SLOT_COPY };
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_COPY);
    cohort_status status = checking->base->copy(checking->dev, queue, dst, dst_offset, src,
                                                src_offset, bytes, out_event, err);
    status = cohort_checking_begun(checking, &op, status, out_event, err);
    return cohort_around_end(&around, status, err);
}

void cohort_checking_set_transfers(cohort_ops *ops)
{
    ops->write = write_mem;
    ops->read = read_mem;
    ops->copy = copy_mem;
}
