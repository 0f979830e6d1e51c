# SPDX-License-Identifier: BSD-3-Clause
# Not part of check: `make bench` builds and runs them.
EXTRA_PROGRAMS += bench/step
bench_step_SOURCES = bench/step.c
bench_step_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_step_LDADD = libcohort.la

.PHONY: bench
bench: bench/step$(EXEEXT) $(plugin_LTLIBRARIES)
	COHORT_PLUGIN_PATH='$(abs_builddir)/host/.libs' bench/step$(EXEEXT)
