/* SPDX-License-Identifier: BSD-3-Clause */
/* What is found in a plugin: the rules of cohort/plugin.h that are looked at, and texts. */
#ifndef COHORT_CHECKING_FINDING_H
#define COHORT_CHECKING_FINDING_H

#include "runtime/plugin/slot.h"

/* X(id, rule, what to do) */
#define COHORT_CHECKING_RULES(X)                                                                   \
    X(RET, "ret gets exactly the bytes of the type that the signature returns",                    \
      "write the result as the type of sig->ret, and nothing behind it")                           \
    X(INTO, "read writes the bytes of its range, and no others",                                   \
      "copy `bytes` bytes from `offset` on, to `into`")                                            \
    X(ALL, "read writes every byte of its range", "copy all `bytes` bytes before it is done")      \
    X(FROM, "write reads the host's memory, and leaves it as it is", "copy out of `from` only")    \
    X(LATE, "an operation that is complete touches the host's memory no more",                     \
      "let the event be done after the last access, or leave *out_event NULL then only")           \
    X(BLOCK, "nothing writes behind the end of memory that mem_alloc made",                        \
      "look for offsets and sizes of copies, and for bodies that write out of bounds "             \
      "(COHORT_CHECK=bodies)")                                                                     \
    X(TWICE, "what is handed out is of one owner until it is given back",                          \
      "make a new object for each call, and reuse it after it was given back only")                \
    X(OVERLAP, "two blocks of memory have no byte in common",                                      \
      "look for blocks that are given back too early, and for sizes that are rounded down")        \
    X(MOVED, "the address of memory holds until mem_free", "answer the same address each time")    \
    X(FLOAT, "a plugin does not change the floating-point state of a thread",                      \
      "put back rounding, traps and flush to zero before it returns (fenv.h), and build without "  \
      "-ffast-math")                                                                               \
    X(SIGNALS, "a plugin does not change the signals of a thread",                                 \
      "put back the mask of pthread_sigmask before it returns")                                    \
    X(CPUS,                                                                                        \
      "a plugin does not move the core's threads to other CPUs, but worker_attach, within "        \
      "what they were",                                                                            \
      "put back what sched_getaffinity said before; drivers that pin their caller get a thread "   \
      "of the plugin's own")                                                                       \
    X(ANSWER, "event_wait answers how the operation ended, each time it is asked",                 \
      "keep the status with the event until event_release")                                        \
    X(REDUCE, "reduce has the bits of the core's own, in the order of the terms",                  \
      "merge as the terms say, round each merge to the type, divide once; or answer "              \
      "COHORT_ENOTSUP for what differs")

#define COHORT_CHECKING_RULE_ID_(id, rule, fix) COHORT_CHECKING_##id,
typedef enum cohort_checking_rule {
    COHORT_CHECKING_RULES(COHORT_CHECKING_RULE_ID_) COHORT_CHECKING_RULE_COUNT
} cohort_checking_rule;

struct cohort_checking;

/* An operation of the plugin broke a rule; format says what was seen. The log gets it as an error,
 * and err the same text. Returns COHORT_EINTERNAL. */
cohort_status cohort_finding(struct cohort_checking *checking, cohort_slot_id operation,
                             cohort_checking_rule rule, cohort_error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
