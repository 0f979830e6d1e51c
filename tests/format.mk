# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/npy.t tests/npy_corpus.t
tests_npy_t_SOURCES = tests/npy.c tests/data/npy/cases.h tests/tap.h
tests_npy_t_LDADD = libcohort.la
tests_npy_corpus_t_SOURCES = tests/fuzz/npy.c tests/fuzz/replay.h tests/tap.h
tests_npy_corpus_t_LDADD = libcohort.la
EXTRA_DIST += tests/data/npy scripts/make_npy_cases.py

fuzzers += tests/fuzz/npy$(EXEEXT)
EXTRA_PROGRAMS += tests/fuzz/npy
tests_fuzz_npy_SOURCES = tests/fuzz/npy.c $(format_sources) runtime/base/error.c runtime/base/memory.c \
    runtime/base/status.c runtime/value/array.c runtime/value/array.h
tests_fuzz_npy_CPPFLAGS = $(AM_CPPFLAGS) -DCOHORT_FUZZER
tests_fuzz_npy_CFLAGS = $(FUZZ_CFLAGS) $(ZLIB_CFLAGS)
tests_fuzz_npy_LDADD = $(ZLIB_LIBS)
