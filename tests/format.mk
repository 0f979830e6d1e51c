# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/npy.t tests/npy_corpus.t
tests_npy_t_SOURCES = tests/npy.c tests/data/npy/cases.h tests/tap.h
tests_npy_t_LDADD = libcohort.la
tests_npy_corpus_t_SOURCES = tests/fuzz/npy.c tests/fuzz/replay.h tests/tap.h
tests_npy_corpus_t_LDADD = libcohort.la
EXTRA_DIST += tests/data/npy scripts/make_npy_cases.py

check_PROGRAMS += tests/bytes.t tests/crc32c.t tests/tfrecord.t tests/example.t
tests_bytes_t_SOURCES = tests/bytes.c tests/bytes_again.h tests/core.h tests/sanitized.h tests/files.h tests/tap.h tests/data/records/zeroes.h
tests_bytes_t_LDADD = $(CORE_LIBS)
tests_crc32c_t_SOURCES = tests/crc32c.c tests/core.h tests/sanitized.h tests/tap.h
tests_crc32c_t_LDADD = $(CORE_LIBS)
tests_tfrecord_t_SOURCES = tests/tfrecord.c tests/bytes_again.h tests/core.h tests/sanitized.h tests/files.h tests/tap.h tests/data/records/cases.h
tests_tfrecord_t_LDADD = $(CORE_LIBS)
tests_example_t_SOURCES = tests/example.c tests/core.h tests/sanitized.h tests/files.h tests/tap.h tests/data/records/cases.h
tests_example_t_LDADD = $(CORE_LIBS)
EXTRA_DIST += tests/data/records scripts/make_record_cases.py

check_PROGRAMS += tests/bytes_corpus.t tests/example_corpus.t tests/tfrecord_corpus.t
tests_bytes_corpus_t_SOURCES = tests/fuzz/bytes.c tests/bytes_again.h tests/fuzz/file.h tests/fuzz/replay.h tests/tap.h
tests_bytes_corpus_t_LDADD = $(CORE_LIBS)
tests_example_corpus_t_SOURCES = tests/fuzz/example.c tests/fuzz/replay.h tests/tap.h
tests_example_corpus_t_LDADD = $(CORE_LIBS)
tests_tfrecord_corpus_t_SOURCES = tests/fuzz/tfrecord.c tests/bytes_again.h tests/fuzz/file.h tests/fuzz/replay.h tests/tap.h
tests_tfrecord_corpus_t_LDADD = $(CORE_LIBS)

check_PROGRAMS += tests/safetensors.t tests/safetensors_corpus.t tests/manifest_corpus.t
tests_safetensors_t_SOURCES = tests/safetensors.c tests/core.h tests/sanitized.h tests/files.h tests/tap.h tests/data/safetensors/cases.h
tests_safetensors_t_LDADD = $(CORE_LIBS)
tests_safetensors_corpus_t_SOURCES = tests/fuzz/safetensors.c tests/fuzz/file.h tests/fuzz/replay.h tests/tap.h
tests_safetensors_corpus_t_LDADD = $(CORE_LIBS)
tests_manifest_corpus_t_SOURCES = tests/fuzz/manifest.c tests/fuzz/file.h tests/fuzz/replay.h tests/tap.h
tests_manifest_corpus_t_LDADD = $(CORE_LIBS)
EXTRA_DIST += tests/data/safetensors scripts/make_safetensors_cases.py

check_PROGRAMS += tests/locale.t
tests_locale_t_SOURCES = tests/locale.c tests/rows_file.h tests/tap.h
tests_locale_t_LDADD = $(CORE_LIBS) $(LIBM)

# Files of rows.
check_PROGRAMS += tests/csv.t tests/idx.t tests/npy_rows.t tests/text.t
tests_csv_t_SOURCES = tests/csv.c tests/data/rows/csv_cases.h tests/rows_file.h tests/tap.h
tests_csv_t_LDADD = $(CORE_LIBS) $(LIBM)
tests_idx_t_SOURCES = tests/idx.c tests/data/rows/idx_cases.h tests/rows_file.h tests/tap.h
tests_idx_t_LDADD = $(CORE_LIBS)
tests_npy_rows_t_SOURCES = tests/npy_rows.c tests/data/npy/cases.h tests/rows_file.h tests/tap.h
tests_npy_rows_t_LDADD = $(CORE_LIBS)
tests_text_t_SOURCES = tests/text.c tests/bytes_again.h tests/data/rows/text_cases.h tests/rows_file.h tests/tap.h
tests_text_t_LDADD = $(CORE_LIBS)
EXTRA_DIST += tests/data/rows scripts/make_row_cases.py

check_PROGRAMS += tests/csv_corpus.t tests/idx_corpus.t tests/npy_rows_corpus.t tests/text_corpus.t
rows_fuzz_headers = tests/bytes_again.h tests/fuzz/file.h tests/fuzz/replay.h tests/tap.h
tests_csv_corpus_t_SOURCES = tests/fuzz/csv.c $(rows_fuzz_headers)
tests_csv_corpus_t_LDADD = $(CORE_LIBS)
tests_idx_corpus_t_SOURCES = tests/fuzz/idx.c $(rows_fuzz_headers)
tests_idx_corpus_t_LDADD = $(CORE_LIBS)
tests_npy_rows_corpus_t_SOURCES = tests/fuzz/npy_rows.c $(rows_fuzz_headers)
tests_npy_rows_corpus_t_LDADD = $(CORE_LIBS)
tests_text_corpus_t_SOURCES = tests/fuzz/text.c $(rows_fuzz_headers)
tests_text_corpus_t_LDADD = $(CORE_LIBS)
