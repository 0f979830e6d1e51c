/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process says about its strategies while it runs, for whoever watches it: cohort top, and
 * programs of yours.
 *
 * Under COHORT_TOP=1 each strategy keeps one small file, $XDG_RUNTIME_DIR/cohort/PID-N, of mode
 * 0600, which holds one cohort_monitor_record and is written four times a second. It is removed
 * with the strategy, or when the process exits; one that is killed leaves it.
 *
 * A reader opens the file O_RDONLY | O_NOFOLLOW | O_NONBLOCK, looks that it is a regular file of
 * its own user, and takes all of it with one pread. The record is whole when `magic`, `version` and
 * `bytes` are those of this header, `end` is `begin`, and `sum` is the CRC-32C of all bytes in
 * front of it; where it is not, the writer was in the middle of it: read again. Texts end with a 0
 * within their room, and may hold any other bytes.
 *
 * The writer holds a lock of POSIX on the whole file (fcntl, F_WRLCK): F_GETLK finds none where it
 * has ended, however it did, and whoever has its number now. The writer's own process must not open
 * the file: the lock would end when it is closed again. */
#ifndef COHORT_MONITOR_H
#define COHORT_MONITOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first 8 bytes of a file, and the version of what follows: another one is another layout. */
#define COHORT_MONITOR_MAGIC "COHORTOP"
enum { COHORT_MONITOR_VERSION = 1, COHORT_MONITOR_DEVICES = 64 };

/* A device of a strategy.
 *
 * name           its id, cut where it is longer
 * busy_permille  the share of the last two seconds in which it had operations, of 1000
 * queued         operations that were given to it and are not over
 * memory         bytes that it holds; memory_peak, the most that they were */
typedef struct cohort_monitor_device {
    char name[96];
    int64_t busy_permille, queued, memory, memory_peak;
} cohort_monitor_device;

/* A strategy, as it was a moment ago. Numbers are in the order of bytes of the machine.
 *
 * magic          COHORT_MONITOR_MAGIC, without the 0
 * bytes          sizeof of this struct
 * begin          how often the record was written; end, the same
 * written_ns     when that was, of CLOCK_MONOTONIC, as all times here: one that does not change is
 *                of a process that was stopped, or that finds no room on the disk
 * made_ns        when the strategy was made
 * pid            of the process, as it sees itself
 * program        its name
 * strategy       the kind, such as "mirrored"
 * call           of the library that is under way, "": none is; call_ns, since when
 * status         the error that sticks to the strategy, or 0
 * worker         of its cluster, from 0, of so many workers; -1 and 0: it is of none
 * replicas       of this process
 * n_devices      of which the first COHORT_MONITOR_DEVICES are in `devices`
 * calls          until the last call that is over: what cohort_stats has; so the next six
 * rows           that inputs gave out
 * steps_per_s    of the last two seconds: steps of programs, else of step functions, else of
 *                inputs, the first of these that there are
 * rows_per_s     the same of rows; calls_per_s, of calls */
typedef struct cohort_monitor_record {
    char magic[8];
    uint32_t version, bytes;
    uint64_t begin;
    int64_t written_ns, made_ns, pid;
    char program[64], strategy[64], call[64];
    int64_t call_ns;
    int32_t status, worker, workers, replicas, n_devices, reserved;
    int64_t calls, operations, program_steps, replica_steps, input_steps, rows, bytes_moved;
    double steps_per_s, rows_per_s, calls_per_s;
    cohort_monitor_device devices[COHORT_MONITOR_DEVICES];
    uint64_t end;
    uint32_t sum, reserved_end;
} cohort_monitor_record;

#ifdef __cplusplus
}
#endif
#endif
