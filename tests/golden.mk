# SPDX-License-Identifier: BSD-3-Clause
# Tables of recorded cases, run by tests/golden, which is built and never installed; and the cases by hand.
check_PROGRAMS += tests/semantics.t
tests_semantics_t_SOURCES = tests/semantics/cases.h tests/semantics/gather.c tests/semantics/main.c \
    tests/semantics/mirrored.c tests/semantics/on_read.c tests/semantics/placement.c tests/semantics/reduce.c \
    tests/semantics/run.c tests/semantics/shared.c tests/core.h tests/sanitized.h tests/tap.h
tests_semantics_t_LDADD = $(CORE_TESTS_LDADD)

dist_check_SCRIPTS += tests/golden.t
EXTRA_DIST += tests/data/golden
tests_golden_SOURCES = tests/table/elements.c tests/table/files.c tests/table/input.c tests/table/judge.c \
    tests/table/load.c tests/table/main.c tests/table/number.c tests/table/op_absent.c tests/table/op_batch_size.c \
    tests/table/op_checkpoint.c tests/table/op_cluster.c tests/table/op_collective.c \
    tests/table/op_config.c tests/table/op_destination.c tests/table/op_end.c \
    tests/table/op_function.c tests/table/op_gather.c tests/table/op_iterator.c tests/table/op_merge.c \
    tests/table/op_packs.c tests/table/op_parameter.c tests/table/op_placement.c tests/table/op_reduce.c \
    tests/table/op_resolver.c tests/table/op_result.c \
    tests/table/op_run.c tests/table/op_scope.c tests/table/op_shard.c tests/table/op_source.c \
    tests/table/op_split.c tests/table/op_structure.c tests/table/op_topology.c tests/table/op_update.c tests/table/op_variable.c \
    tests/table/op_worker.c tests/table/op_write.c tests/table/operations.c tests/table/output.c \
    tests/table/pipeline.c tests/table/pipeline.h tests/table/pipeline_calls.c tests/table/steps.c \
    tests/table/strategy.c tests/table/table.h tests/table/words.c tests/tap.h
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
tests_golden_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_golden_LDADD = libcohort.la $(JANSSON_LIBS) $(LIBM)
