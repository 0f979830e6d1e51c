# SPDX-License-Identifier: BSD-3-Clause
# Inputs, by the public calls alone.
check_PROGRAMS += tests/input.t
tests_input_t_SOURCES = tests/input.c tests/input/ahead.c tests/input/batches.c tests/input/cardinality.c tests/input/cases.c tests/input/cases.h \
    tests/input/datasets.c tests/input/examples.c tests/input/pipelines.c tests/input/shared.c tests/input/shared.h tests/input/faults.c tests/input/grown.c tests/input/loans.c tests/input/steady.c tests/input/values.c tests/input/wrong_calls.c \
    tests/core.h tests/sanitized.h tests/entries.h tests/steer.h tests/tap.h plugins/loopback.h
tests_input_t_LDADD = $(CORE_TESTS_LDADD) -lpthread
check_PROGRAMS += tests/input_property.t
tests_input_property_t_SOURCES = tests/input_property.c tests/input/feed.c tests/input/feed.h tests/input/model.c \
    tests/input/positions.c tests/input/positions.h tests/core.h tests/sanitized.h tests/entries.h tests/tap.h
tests_input_property_t_LDADD = $(CORE_TESTS_LDADD)
