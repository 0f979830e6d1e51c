# SPDX-License-Identifier: BSD-3-Clause
# Tables of recorded cases, run by tests/golden, which is built and never installed; and the cases by hand.
check_PROGRAMS += tests/semantics.t
tests_semantics_t_SOURCES = tests/semantics/cases.h tests/semantics/gather.c tests/semantics/main.c \
    tests/semantics/mirrored.c tests/semantics/on_read.c tests/semantics/placement.c tests/semantics/reduce.c \
    tests/semantics/run.c tests/semantics/shared.c tests/core.h tests/sanitized.h tests/tap.h
tests_semantics_t_LDADD = $(CORE_TESTS_LDADD)

dist_check_SCRIPTS += tests/golden.t
EXTRA_DIST += tests/data/golden
tests_golden_SOURCES = tests/golden_runner/calls_cluster.c tests/golden_runner/calls_dataset.c \
    tests/golden_runner/calls_input.c tests/golden_runner/calls_replica.c \
    tests/golden_runner/calls_result.c tests/golden_runner/calls_strategy.c \
    tests/golden_runner/calls_topology.c tests/golden_runner/calls_value.c \
    tests/golden_runner/calls_variable.c tests/golden_runner/calls_worker.c \
    tests/golden_runner/definitions.c tests/golden_runner/expression.c \
    tests/golden_runner/expression.h tests/golden_runner/files.c tests/golden_runner/functions.c \
    tests/golden_runner/input.c tests/golden_runner/judge.c tests/golden_runner/load.c \
    tests/golden_runner/main.c tests/golden_runner/number.c tests/golden_runner/operations.c \
    tests/golden_runner/output.c tests/golden_runner/rows.c tests/golden_runner/steps.c \
    tests/golden_runner/strategy.c tests/golden_runner/table.h tests/golden_runner/thing.c \
    tests/golden_runner/words.c tests/dtypes.h tests/tap.h
EXTRA_DIST += tests/long/changed_rows.py
more_long_checks =
if JANSSON
EXTRA_PROGRAMS += tests/golden
CLEANFILES += tests/golden$(EXEEXT)
tests/golden.log: tests/golden$(EXEEXT)

# In the long lane: whatever is changed in what a row wants, it fails. Some two minutes; nothing is drawn at random.
more_long_checks += check-changed-rows
check-changed-rows: tests/golden$(EXEEXT) $(plugin_LTLIBRARIES)
	if command -v python3 >/dev/null; \
	then python3 $(srcdir)/tests/long/changed_rows.py tests/golden$(EXEEXT) $(srcdir)/tests/data/golden/*.json; \
	else echo '1..0 # SKIP no python3'; fi
endif
tests_golden_CPPFLAGS = $(AM_CPPFLAGS) \
    -DBUILD_PLUGIN_PATH='"$(abs_builddir)/host/.libs:$(abs_builddir)/opencl/.libs:$(abs_builddir)/plugins/.libs"'
tests_golden_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) -pthread
tests_golden_LDADD = libcohort.la $(JANSSON_LIBS) $(LIBM)
