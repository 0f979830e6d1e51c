# SPDX-License-Identifier: BSD-3-Clause
# make fuzz CC=clang: search for input that does harm, FUZZ_SECONDS for each parser; finds go to tests/fuzz/found.
FUZZ_SECONDS = 60
FUZZ_CFLAGS = $(BASE_CFLAGS) -pthread -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
FUZZ_CPPFLAGS = $(AM_CPPFLAGS) -DCOHORT_FUZZER
fuzzers = $(fuzzed:%=tests/fuzz/%$(EXEEXT))
fuzzed = prototype npy bytes example tfrecord csv idx npy_rows text tf_config slurm safetensors manifest trace
EXTRA_PROGRAMS += tests/fuzz/prototype tests/fuzz/npy tests/fuzz/bytes tests/fuzz/example tests/fuzz/tfrecord \
    tests/fuzz/csv tests/fuzz/idx tests/fuzz/npy_rows tests/fuzz/text tests/fuzz/tf_config tests/fuzz/slurm tests/fuzz/safetensors tests/fuzz/manifest \
    tests/fuzz/trace
CLEANFILES += $(fuzzers) tests/fuzz/libparsers.a

# What they look into, instrumented; a linker takes of it what a fuzzer needs.
EXTRA_LIBRARIES = tests/fuzz/libparsers.a
tests_fuzz_libparsers_a_SOURCES = $(base_sources) $(function_sources) $(format_sources) $(dataset_sources) \
    $(cluster_text_sources) $(report_sources) runtime/checkpoint/manifest.c
nodist_tests_fuzz_libparsers_a_SOURCES = $(function_texts)
tests_fuzz_libparsers_a_CPPFLAGS = $(FUZZ_CPPFLAGS) $(places)
tests_fuzz_libparsers_a_CFLAGS = $(FUZZ_CFLAGS) $(FFI_CFLAGS) $(ZLIB_CFLAGS) $(JANSSON_CFLAGS)
fuzz_libs = tests/fuzz/libparsers.a $(FFI_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS) $(LIBM)

tests_fuzz_prototype_SOURCES = tests/fuzz/prototype.c
tests_fuzz_prototype_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_prototype_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_prototype_LDADD = $(fuzz_libs)

tests_fuzz_npy_SOURCES = tests/fuzz/npy.c
tests_fuzz_npy_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_npy_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_npy_LDADD = $(fuzz_libs)

tests_fuzz_bytes_SOURCES = tests/fuzz/bytes.c tests/bytes_again.h tests/fuzz/file.h
tests_fuzz_bytes_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_bytes_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_bytes_LDADD = $(fuzz_libs)

tests_fuzz_example_SOURCES = tests/fuzz/example.c
tests_fuzz_example_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_example_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_example_LDADD = $(fuzz_libs)

tests_fuzz_tfrecord_SOURCES = tests/fuzz/tfrecord.c tests/bytes_again.h tests/fuzz/file.h
tests_fuzz_tfrecord_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_tfrecord_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_tfrecord_LDADD = $(fuzz_libs)

tests_fuzz_csv_SOURCES = tests/fuzz/csv.c tests/fuzz/file.h
tests_fuzz_csv_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_csv_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_csv_LDADD = $(fuzz_libs)

tests_fuzz_idx_SOURCES = tests/fuzz/idx.c tests/fuzz/file.h
tests_fuzz_idx_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_idx_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_idx_LDADD = $(fuzz_libs)

tests_fuzz_npy_rows_SOURCES = tests/fuzz/npy_rows.c tests/fuzz/file.h
tests_fuzz_npy_rows_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_npy_rows_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_npy_rows_LDADD = $(fuzz_libs)

tests_fuzz_text_SOURCES = tests/fuzz/text.c tests/bytes_again.h tests/fuzz/file.h
tests_fuzz_text_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_text_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_text_LDADD = $(fuzz_libs)

tests_fuzz_tf_config_SOURCES = tests/fuzz/tf_config.c
tests_fuzz_tf_config_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_tf_config_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_tf_config_LDADD = $(fuzz_libs)

tests_fuzz_slurm_SOURCES = tests/fuzz/slurm.c
tests_fuzz_slurm_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_slurm_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_slurm_LDADD = $(fuzz_libs)

tests_fuzz_safetensors_SOURCES = tests/fuzz/safetensors.c tests/fuzz/file.h
tests_fuzz_safetensors_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_safetensors_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_safetensors_LDADD = $(fuzz_libs)

tests_fuzz_manifest_SOURCES = tests/fuzz/manifest.c tests/fuzz/file.h
tests_fuzz_manifest_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_manifest_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_manifest_LDADD = $(fuzz_libs)

tests_fuzz_trace_SOURCES = tests/fuzz/trace.c
tests_fuzz_trace_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_trace_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_trace_LDADD = $(fuzz_libs)

.PHONY: fuzz
fuzz: $(fuzzers)
	$(MKDIR_P) tests/fuzz/found
	for name in $(fuzzed); do \
	    $(MKDIR_P) "tests/fuzz/found/$$name"; \
	    "tests/fuzz/$$name" -max_total_time=$(FUZZ_SECONDS) -timeout=10 -max_len=20000 -print_final_stats=1 \
	        "-artifact_prefix=tests/fuzz/found/$$name/" "tests/fuzz/found/$$name" \
	        "$(top_srcdir)/tests/fuzz/corpus/$$name" || exit 1; \
	done
