/* SPDX-License-Identifier: BSD-3-Clause */
/* The subsystems of the log: one table, for COHORT_LOG and for its lines. */
#ifndef COHORT_BASE_SUBSYSTEM_H
#define COHORT_BASE_SUBSYSTEM_H

/* X(id, name): who logs, the folders of runtime/ by their names, of which COHORT_LOG has levels;
 * plugins say theirs by runtime/plugin. */
#define COHORT_SUBSYSTEMS(X)                                                                       \
    X(BASE, "base")                                                                                \
    X(FUNCTION, "function")                                                                        \
    X(MATMUL, "matmul")                                                                            \
    X(DATA, "data")                                                                                \
    X(PLUGIN, "plugin")                                                                            \
    X(CHECKING, "checking")                                                                        \
    X(EXECUTOR, "executor")                                                                        \
    X(OPERATION, "operation")                                                                      \
    X(MESH, "mesh")                                                                                \
    X(CLUSTER, "cluster")                                                                          \
    X(EXCHANGE, "exchange")                                                                        \
    X(STRATEGY, "strategy")                                                                        \
    X(VALUE, "value")                                                                              \
    X(ROWS, "rows")                                                                                \
    X(INPUT, "input")                                                                              \
    X(PROGRAM, "program")                                                                          \
    X(CHECKPOINT, "checkpoint")                                                                    \
    X(SERVER, "server")                                                                            \
    X(COORDINATOR, "coordinator")

#define COHORT_SUBSYSTEM_ID_(id, name) COHORT_SUBSYSTEM_##id,
typedef enum cohort_subsystem {
    COHORT_SUBSYSTEMS(COHORT_SUBSYSTEM_ID_) COHORT_SUBSYSTEM_COUNT
} cohort_subsystem;

extern const char *const cohort_subsystem_names[]; /* by the numbers of cohort_subsystem */

#endif
