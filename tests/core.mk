# SPDX-License-Identifier: BSD-3-Clause
# The core through its public calls alone.
CORE_TESTS_LDADD = libcohort.la $(LIBM)
check_PROGRAMS += tests/wrong_calls.t
tests_wrong_calls_t_SOURCES = tests/wrong_calls.c tests/core.h tests/sanitized.h tests/tap.h
tests_wrong_calls_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/dtype.t
tests_dtype_t_SOURCES = tests/dtype.c tests/dtypes.h tests/tap.h
tests_dtype_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/value.t
tests_value_t_SOURCES = tests/value.c tests/dtypes.h tests/core.h tests/sanitized.h tests/tap.h
tests_value_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/variable.t
tests_variable_t_SOURCES = tests/variable.c tests/core.h tests/sanitized.h tests/tap.h
tests_variable_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/placement_policy.t
tests_placement_policy_t_SOURCES = tests/placement_policy.c tests/core.h tests/sanitized.h tests/tap.h
tests_placement_policy_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/placement.t
tests_placement_t_SOURCES = tests/placement.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_placement_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_placement_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/packs.t tests/topology.t
tests_packs_t_SOURCES = tests/packs.c tests/tap.h
tests_packs_t_LDADD = $(CORE_TESTS_LDADD)
tests_topology_t_SOURCES = tests/topology.c tests/core.h tests/allocator.h tests/libc_functions.h tests/sanitized.h tests/short_memory.h \
    tests/tap.h
tests_topology_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/cuts.t
tests_cuts_t_SOURCES = tests/cuts.c runtime/strategy/cuts.c tests/tap.h
tests_cuts_t_LDADD = $(LIBM)
check_PROGRAMS += tests/hosting.t
tests_hosting_t_SOURCES = tests/hosting.c tests/core.h tests/allocator.h tests/libc_functions.h tests/sanitized.h tests/short_memory.h tests/steer.h \
    tests/tap.h plugins/loopback.h
tests_hosting_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/loss.t
tests_loss_t_SOURCES = tests/loss.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_loss_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/hosting_calls.t
tests_hosting_calls_t_SOURCES = tests/hosting_calls.c tests/core.h tests/sanitized.h tests/tap.h
tests_hosting_calls_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/same_bits.t
tests_same_bits_t_SOURCES = tests/same_bits.c tests/core.h tests/sanitized.h tests/tap.h
tests_same_bits_t_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_same_bits_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/logical_devices.t
tests_logical_devices_t_SOURCES = tests/logical_devices.c tests/core.h tests/sanitized.h tests/tap.h
tests_logical_devices_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/logical_steps.t
tests_logical_steps_t_SOURCES = tests/logical_steps.c tests/core.h tests/sanitized.h tests/tap.h
tests_logical_steps_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/on_read.t
tests_on_read_t_SOURCES = tests/on_read.c tests/core.h tests/sanitized.h tests/tap.h
tests_on_read_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/variable_moves.t
tests_variable_moves_t_SOURCES = tests/variable_moves.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_variable_moves_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_variable_moves_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/variable_calls.t
tests_variable_calls_t_SOURCES = tests/variable_calls.c tests/core.h tests/sanitized.h tests/tap.h
tests_variable_calls_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/run.t
tests_run_t_SOURCES = tests/run.c tests/core.h tests/sanitized.h tests/tap.h
tests_run_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/matmul.t tests/product.t
tests_matmul_t_SOURCES = tests/matmul.c tests/product.h tests/core.h tests/sanitized.h tests/tap.h
tests_matmul_t_LDADD = $(CORE_TESTS_LDADD)
tests_product_t_SOURCES = tests/product.c tests/product.h tests/allocator.h tests/libc_functions.h tests/sanitized.h \
    tests/short_memory.h tests/tap.h
tests_product_t_LDADD = $(CORE_LIBS) $(LIBM) -ldl
check_PROGRAMS += tests/absence.t
tests_absence_t_SOURCES = tests/absence.c tests/core.h tests/sanitized.h tests/tap.h
tests_absence_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/share.t
tests_share_t_SOURCES = tests/share.c tests/core.h tests/sanitized.h tests/tap.h
tests_share_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/split.t
tests_split_t_SOURCES = tests/split.c tests/core.h tests/sanitized.h tests/tap.h
tests_split_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/prefix.t
tests_prefix_t_SOURCES = tests/prefix.c tests/core.h tests/core_opencl.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_prefix_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_prefix_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/halo.t
tests_halo_t_SOURCES = tests/halo.c tests/dtypes.h tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_halo_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_halo_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/little.t
tests_little_t_SOURCES = tests/little.c tests/dtypes.h tests/core.h tests/tap.h
tests_little_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/in_call.t
tests_in_call_t_SOURCES = tests/in_call.c tests/core.h tests/tap.h
tests_in_call_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/alone.t
tests_alone_t_SOURCES = tests/alone.c tests/core.h tests/tap.h
tests_alone_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_alone_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/repeat_setting.t
tests_repeat_setting_t_SOURCES = tests/repeat_setting.c tests/core.h tests/tap.h
tests_repeat_setting_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_repeat_setting_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/in_place.t
tests_in_place_t_SOURCES = tests/in_place.c tests/core.h tests/sanitized.h tests/tap.h
tests_in_place_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_in_place_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/all_reduce_into.t
tests_all_reduce_into_t_SOURCES = tests/all_reduce_into.c tests/core.h tests/sanitized.h tests/tap.h
tests_all_reduce_into_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_all_reduce_into_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce.t
tests_reduce_t_SOURCES = tests/reduce.c tests/dtypes.h tests/core.h tests/sanitized.h tests/tap.h
tests_reduce_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce_with.t
tests_reduce_with_t_SOURCES = tests/reduce_with.c tests/core.h tests/sanitized.h tests/tap.h
tests_reduce_with_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce_to.t
tests_reduce_to_t_SOURCES = tests/reduce_to.c tests/dtypes.h tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_reduce_to_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce_list.t
tests_reduce_list_t_SOURCES = tests/reduce_list.c tests/dtypes.h tests/core.h tests/sanitized.h tests/tap.h
tests_reduce_list_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/reduce_memory.t tests/reduce_tree.t
tests_reduce_memory_t_SOURCES = tests/reduce_memory.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_reduce_memory_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_reduce_memory_t_LDADD = $(CORE_LIBS) -ldl $(LIBM)
tests_reduce_tree_t_SOURCES = tests/reduce_tree.c tests/dtypes.h tests/core.h tests/sanitized.h tests/tap.h
tests_reduce_tree_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/bitwise.t
tests_bitwise_t_SOURCES = tests/bitwise.c tests/dtypes.h tests/core.h tests/sanitized.h tests/tap.h
tests_bitwise_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/float8.t
tests_float8_t_SOURCES = tests/float8.c tests/core.h tests/sanitized.h tests/tap.h
tests_float8_t_LDADD = $(CORE_LIBS) $(LIBM)
check_PROGRAMS += tests/gather.t
tests_gather_t_SOURCES = tests/gather.c tests/dtypes.h tests/core.h tests/sanitized.h tests/tap.h
tests_gather_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/accepted.t
tests_accepted_t_SOURCES = tests/accepted.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_accepted_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/async.t
tests_async_t_SOURCES = tests/async.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_async_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_async_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/pipeline.t
tests_pipeline_t_SOURCES = tests/pipeline.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_pipeline_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_pipeline_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/candidate.t
tests_candidate_t_SOURCES = tests/candidate.c tests/core.h tests/command_output.h tests/sanitized.h tests/tap.h
tests_candidate_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_candidate_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/monitor.t
tests_monitor_t_SOURCES = tests/monitor.c tests/core.h tests/tap.h cli/crc32c.h
tests_monitor_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_monitor_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/voice.t
tests_voice_t_SOURCES = tests/voice.c tests/core.h tests/sanitized.h tests/tap.h
tests_voice_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/exit.t
tests_exit_t_SOURCES = tests/exit.c tests/core.h tests/late_leaks.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_exit_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_exit_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/cancel.t
tests_cancel_t_SOURCES = tests/cancel.c tests/core.h tests/late_leaks.h tests/tap.h
tests_cancel_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/launch_set.t
tests_launch_set_t_SOURCES = tests/launch_set.c tests/core.h tests/tap.h
tests_launch_set_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/launch_batch.t
tests_launch_batch_t_SOURCES = tests/launch_batch.c tests/core.h tests/tap.h
tests_launch_batch_t_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_launch_batch_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/repeated.t
tests_repeated_t_SOURCES = tests/repeated.c tests/core.h tests/tap.h
tests_repeated_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/repeated_calls.t
tests_repeated_calls_t_SOURCES = tests/repeated_calls.c tests/core.h tests/tap.h
tests_repeated_calls_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/repeated_list.t
tests_repeated_list_t_SOURCES = tests/repeated_list.c tests/core.h tests/tap.h
tests_repeated_list_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/spellings.t
tests_spellings_t_SOURCES = tests/spellings.c tests/core.h tests/tap.h
tests_spellings_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/feed.t
tests_feed_t_SOURCES = tests/feed.c tests/core.h tests/tap.h
tests_feed_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/series.t
tests_series_t_SOURCES = tests/series.c tests/core.h tests/tap.h
tests_series_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_series_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/series_lost.t
tests_series_lost_t_SOURCES = tests/series_lost.c tests/core.h tests/late_leaks.h tests/steer.h tests/tap.h plugins/loopback.h
tests_series_lost_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/stats.t
tests_stats_t_SOURCES = tests/stats.c tests/core.h tests/steer.h tests/tap.h plugins/loopback.h
tests_stats_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/trace.t
tests_trace_t_SOURCES = tests/trace.c tests/core.h tests/tap.h
tests_trace_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/repeated_program.t
tests_repeated_program_t_SOURCES = tests/repeated_program.c tests/core.h tests/tap.h
tests_repeated_program_t_LDADD = $(CORE_TESTS_LDADD)

check_PROGRAMS += tests/traced.t
tests_traced_t_SOURCES = tests/traced.c tests/core.h tests/tap.h
tests_traced_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_traced_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/traced_short.t
tests_traced_short_t_SOURCES = tests/traced_short.c tests/core.h tests/allocator.h tests/libc_functions.h tests/sanitized.h \
    tests/spared.h tests/tap.h
tests_traced_short_t_LDADD = $(CORE_TESTS_LDADD) -ldl

check_PROGRAMS += tests/steady.t
tests_steady_t_SOURCES = tests/steady.c tests/core.h tests/sanitized.h tests/libc_functions.h tests/tap.h
tests_steady_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/threads.t
tests_threads_t_SOURCES = tests/threads.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_threads_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_threads_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/replica.t
tests_replica_t_SOURCES = tests/replica.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_replica_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_replica_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/collectives.t
tests_collectives_t_SOURCES = tests/collectives.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_collectives_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_collectives_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/variable_names.t
tests_variable_names_t_SOURCES = tests/variable_names.c tests/core.h tests/sanitized.h tests/tap.h
tests_variable_names_t_CFLAGS = $(AM_CFLAGS) -fno-builtin
tests_variable_names_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/scope.t
tests_scope_t_SOURCES = tests/scope.c tests/core.h tests/sanitized.h tests/tap.h
tests_scope_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_scope_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/communication.t
tests_communication_t_SOURCES = tests/communication.c tests/core.h tests/sanitized.h tests/tap.h
tests_communication_t_LDADD = $(CORE_TESTS_LDADD) -lm
check_PROGRAMS += tests/handles.t
tests_handles_t_SOURCES = tests/handles.c tests/core.h tests/sanitized.h tests/tap.h
tests_handles_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_handles_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/callbacks.t
tests_callbacks_t_SOURCES = tests/callbacks.c tests/core.h tests/late_leaks.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_callbacks_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_callbacks_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/program_errors.t
tests_program_errors_t_SOURCES = tests/program_errors.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_program_errors_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/exhausted.t
tests_exhausted_t_SOURCES = tests/exhausted.c tests/spared.h tests/allocator.h tests/core.h tests/sanitized.h tests/libc_functions.h tests/steer.h tests/tap.h plugins/loopback.h
tests_exhausted_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_exhausted_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/largest.t
tests_largest_t_SOURCES = tests/largest.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_largest_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/items_bits.t
tests_items_bits_t_SOURCES = tests/items_bits.c tests/tap.h
tests_items_bits_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/items_doubles.t
tests_items_doubles_t_SOURCES = tests/items_doubles.c tests/math_doubles.h tests/tap.h
tests_items_doubles_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
check_PROGRAMS += tests/bodies.t
tests_bodies_t_SOURCES = tests/bodies.c tests/bodies/bodies.h tests/bodies/draws.c tests/bodies/exits.c tests/bodies/helpers.c \
    tests/bodies/images.c tests/bodies/integers.c tests/bodies/numbers.c tests/bodies/stencils.c tests/bodies/sums.c tests/tap.h
tests_bodies_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/items_2d.t
tests_items_2d_t_SOURCES = tests/items_2d.c tests/core.h tests/core_opencl.h tests/sanitized.h tests/tap.h
tests_items_2d_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/items_sums_3d.t
tests_items_sums_3d_t_SOURCES = tests/items_sums_3d.c tests/core.h tests/core_opencl.h tests/sanitized.h tests/tap.h
tests_items_sums_3d_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
check_PROGRAMS += tests/items_sums_2d.t
tests_items_sums_2d_t_SOURCES = tests/items_sums_2d.c tests/core.h tests/core_opencl.h tests/sanitized.h tests/tap.h
tests_items_sums_2d_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)

check_PROGRAMS += tests/items_sums.t
tests_items_sums_t_SOURCES = tests/items_sums.c tests/core.h tests/core_opencl.h tests/sanitized.h tests/tap.h
tests_items_sums_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
check_PROGRAMS += tests/items_meaning.t tests/items_meaning_tgmath.t
tests_items_meaning_t_SOURCES = tests/items_meaning.c tests/tap.h
tests_items_meaning_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
tests_items_meaning_tgmath_t_SOURCES = tests/items_meaning.c tests/tap.h
tests_items_meaning_tgmath_t_CPPFLAGS = $(AM_CPPFLAGS) -DWITH_TGMATH
tests_items_meaning_tgmath_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
check_PROGRAMS += tests/items_macros.t tests/items_macros_tgmath.t
tests_items_macros_t_SOURCES = tests/items_macros.c tests/tap.h
tests_items_macros_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
tests_items_macros_tgmath_t_SOURCES = tests/items_macros.c tests/tap.h
tests_items_macros_tgmath_t_CPPFLAGS = $(AM_CPPFLAGS) -DWITH_TGMATH
tests_items_macros_tgmath_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
if CXX17
check_PROGRAMS += tests/items_macros_cxx.t
tests_items_macros_cxx_t_SOURCES = tests/items_macros_cxx.cc tests/tap.h
tests_items_macros_cxx_t_LDADD = libcohort.la $(LIBM)
check_PROGRAMS += tests/items_meaning_cxx.t
tests_items_meaning_cxx_t_SOURCES = tests/items_meaning_cxx.cc tests/tap.h
tests_items_meaning_cxx_t_LDADD = libcohort.la $(LIBM)
endif

# Random too, short in check, and as long as it is told in check-long.
check_PROGRAMS += tests/recorded.t
tests_recorded_t_SOURCES = tests/long/recorded/calls.c tests/long/recorded/draw.c tests/long/recorded/failure.c tests/long/recorded/replicas.c \
    tests/long/recorded/functions.c tests/long/recorded/items.c tests/long/recorded/look.c tests/long/recorded/main.c \
    tests/long/recorded/play.c tests/long/recorded/recorded.h tests/long/recorded/world.c \
    tests/long/programs/chance.c tests/long/programs/dtypes.c tests/long/programs/faults.c tests/long/programs/log.c \
    tests/long/programs/programs.h tests/long/programs/team.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_recorded_t_LDADD = $(CORE_TESTS_LDADD) -ldl

# The process of tests/right.t, and of tests/checked.t.
EXTRA_PROGRAMS += tests/right_programs
tests/right.log tests/checked.log: tests/right_programs$(EXEEXT)
CLEANFILES += tests/right_programs$(EXEEXT)
tests_right_programs_SOURCES = tests/right/datasets.c tests/right/exceptions.c tests/right/gathers.c tests/right/inputs.c tests/right/kinds.c \
    tests/right/logical.c tests/right/main.c tests/right/metrics.c tests/right/note.c tests/right/note.h tests/right/place.h tests/right/recorded.c \
    tests/right/reduces.c tests/right/right.h tests/right/rows.c tests/right/runs.c tests/right/scatters.c \
    tests/right/sources.c tests/right/steps.c tests/right/values.c tests/right/variables.c
tests_right_programs_LDADD = libcohort.la $(LIBM)

# Long and random: outside of check, with a seed that is printed.
EXTRA_PROGRAMS += tests/long/random_programs
tests_long_random_programs_SOURCES = tests/long/programs/chance.c tests/long/programs/dtypes.c tests/long/programs/faults.c \
    tests/long/programs/inputs.c tests/long/programs/log.c tests/long/programs/main.c tests/long/programs/model.c \
    tests/long/programs/programs.h tests/long/programs/steps.c tests/long/programs/team.c tests/long/programs/values.c \
    tests/long/programs/variables.c tests/long/programs/wrong.c tests/core.h tests/sanitized.h tests/steer.h \
    tests/tap.h plugins/loopback.h
tests_long_random_programs_LDADD = libcohort.la -ldl
EXTRA_PROGRAMS += tests/long/math
tests_long_math_SOURCES = tests/long/math.c tests/math_pairs.h tests/tap.h tests/ulp.h
tests_long_math_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_long_math_LDADD = $(LIBM)
EXTRA_PROGRAMS += tests/long/math_doubles
tests_long_math_doubles_SOURCES = tests/long/math_doubles.c tests/math_doubles.h tests/tap.h
tests_long_math_doubles_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) $(MPFR_CFLAGS)
tests_long_math_doubles_LDADD = $(MPFR_LIBS) $(LIBM)
EXTRA_PROGRAMS += tests/long/mutated_files
tests_long_mutated_files_SOURCES = tests/long/mutated_files.c tests/sanitized.h tests/tap.h
long_programs = tests/long/math$(EXEEXT) tests/long/math_doubles$(EXEEXT) tests/long/random_programs$(EXEEXT) tests/long/mutated_files$(EXEEXT)
LONG_SECONDS = 600

# Under qemu, which is slow: what has bits, orders of bytes, or the calls of a processor.
cross_machines = s390x ppc64el armhf armel riscv64
cross_tests = tests/arithmetic.t tests/call.t tests/cli_data.t tests/crc32c.t tests/example.t tests/gather.t tests/group.t \
    tests/guard.t tests/idx.t tests/math.t tests/metric.t tests/nn.t tests/npy.t tests/placement.t tests/reduce.t \
    tests/safetensors.t tests/sparse.t tests/tfrecord.t tests/value.t

.PHONY: long check-long check-changed-rows
long: $(long_programs)
check-long: long $(check_PROGRAMS) $(more_long_checks) $(cluster_processes) tests/right_programs$(EXEEXT) tests/recorded.t cli/cohort$(EXEEXT) $(plugin_LTLIBRARIES) $(check_LTLIBRARIES)
	$(AM_TESTS_ENVIRONMENT) STARTS=100 $(SHELL) $(srcdir)/tests/parallel_starts.t
	$(AM_TESTS_ENVIRONMENT) KILLS=200 STOPS=50 $(SHELL) $(srcdir)/tests/cluster_storm.t
	$(AM_TESTS_ENVIRONMENT) PROGRAMS=1000 SEED=$${SEED:-$$(date +%s)} $(SHELL) $(srcdir)/tests/cluster_programs.t
	$(AM_TESTS_ENVIRONMENT) LOSSES=10000 SEED=$${SEED:-$$(date +%s)} tests/loss.t
	$(AM_TESTS_ENVIRONMENT) RIGHT=all $(SHELL) $(srcdir)/tests/right.t
	$(AM_TESTS_ENVIRONMENT) exec tests/same_bits.t $${SEED:-$$(date +%s)} 200
	$(AM_TESTS_ENVIRONMENT) exec tests/reduce_memory.t $${SEED:-$$(date +%s)} 100
	$(AM_TESTS_ENVIRONMENT) COUNT=all $(SHELL) $(srcdir)/tests/checkpoint_io.t
	$(AM_TESTS_ENVIRONMENT) COUNT=all tests/checkpoint_convert.t
	$(AM_TESTS_ENVIRONMENT) KILLS=200 $(SHELL) $(srcdir)/tests/demo_resume.t
	$(AM_TESTS_ENVIRONMENT) COUNT=all $(SHELL) $(srcdir)/tests/cluster_checkpoint.t
	$(AM_TESTS_ENVIRONMENT) COUNT=all $(SHELL) $(srcdir)/tests/cluster_state.t
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/long/blocks.sh
	$(AM_TESTS_ENVIRONMENT) COHORT_CHECK=bodies $(SHELL) $(srcdir)/tests/right.t
	$(AM_TESTS_ENVIRONMENT) CHECKED='$(check_PROGRAMS)' $(SHELL) $(srcdir)/tests/checked.t
	[ ! -e tests/clblast.t ] || $(AM_TESTS_ENVIRONMENT) CLBLAST=libclblast.so.1 tests/clblast.t
	$(AM_TESTS_ENVIRONMENT) CHECK=plugins $(SHELL) $(srcdir)/tests/checked.t
	$(AM_TESTS_ENVIRONMENT) CHECK=plugins CHECKED="$$(sed '/^#/d' $(srcdir)/tests/data/checked_plugins.txt)" $(SHELL) $(srcdir)/tests/checked.t
	$(AM_TESTS_ENVIRONMENT) CASES=all tests/chaos.t
	$(AM_TESTS_ENVIRONMENT) COUNT=all $(SHELL) $(srcdir)/tests/plugin_check.t
	tests/long/math$(EXEEXT)
	tests/long/math_doubles$(EXEEXT)
	COHORT_PLUGIN_PATH='$(abs_builddir)/host/.libs:$(abs_builddir)/plugins/.libs' \
	    LONG_SECONDS=$(LONG_SECONDS) tests/long/random_programs$(EXEEXT)
	COHORT_PLUGIN_PATH='$(abs_builddir)/host/.libs:$(abs_builddir)/plugins/.libs' \
	    LONG_SECONDS=$(LONG_SECONDS) tests/recorded.t
	[ ! -e opencl/.libs/cohort-opencl.so ] || \
	    COHORT_PLUGIN_PATH='$(abs_builddir)/host/.libs:$(abs_builddir)/opencl/.libs:$(abs_builddir)/plugins/.libs' \
	    DEVICES='opencl:0;host,opencl:0;opencl:0,loopback' STEPS=4000 SEED=$${SEED:-$$(date +%s)} tests/recorded.t
	tests/long/mutated_files$(EXEEXT) cli/cohort$(EXEEXT) $${SEED:-$$(date +%s)} 10000 \
	    $(srcdir)/tests/data/npy/*.np[yz] $(srcdir)/tests/data/records/*.tfrecord* $(srcdir)/tests/data/rows/*.[!h]*
	$(AM_TESTS_ENVIRONMENT) ROWS=10000001 $(SHELL) $(srcdir)/tests/cli_split.t
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/long/mutants.sh
	for driver in intel rusticl khronos; do \
	    ($(AM_TESTS_ENVIRONMENT) exec $(SHELL) $(srcdir)/tests/long/drivers.sh $$driver) || exit 1; \
	done
	COHORT='$(abs_builddir)/cohort' $(srcdir)/tests/cross.sh i386 i386 \
	    $$(sed -n '/^check_PROGRAMS/s/.*= //p' $(srcdir)/tests/core.mk | sed 's,tests/items_[a-z_]*[.]t,,g')
	status=0; for machine in $(cross_machines); do \
	    COHORT='$(abs_builddir)/cohort' $(srcdir)/tests/cross.sh $$machine $$machine $(cross_tests) || status=1; \
	done; exit $$status
check_PROGRAMS += tests/guard.t tests/group.t
tests_guard_t_SOURCES = tests/guard.c tests/core.h tests/sanitized.h tests/tap.h
tests_guard_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
check_PROGRAMS += tests/guard_skip.t
tests_guard_skip_t_SOURCES = tests/guard_skip.c tests/core.h tests/sanitized.h tests/tap.h
tests_guard_skip_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
tests_group_t_SOURCES = tests/group.c tests/core.h tests/sanitized.h tests/tap.h
tests_group_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/check_bodies.t
tests_check_bodies_t_SOURCES = tests/check_bodies.c tests/core.h tests/sanitized.h tests/tap.h
tests_check_bodies_t_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
tests_check_bodies_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/rollback.t
tests_rollback_t_SOURCES = tests/rollback.c tests/core.h tests/sanitized.h tests/tap.h
tests_rollback_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/sparse.t
tests_sparse_t_SOURCES = tests/sparse.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h
tests_sparse_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/nn.t
tests_nn_t_SOURCES = tests/nn.c tests/core.h tests/sanitized.h tests/tap.h examples/digest.h examples/nn.h examples/random.h
tests_nn_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/checkpoint.t
tests_checkpoint_t_SOURCES = tests/checkpoint.c tests/checkpoint_folder.h tests/core.h tests/sanitized.h tests/tap.h
tests_checkpoint_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
check_PROGRAMS += tests/checkpoint_manager.t
tests_checkpoint_manager_t_SOURCES = tests/checkpoint_manager.c tests/checkpoint_folder.h tests/core.h tests/sanitized.h tests/tap.h
tests_checkpoint_manager_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_checkpoint_manager_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM)
check_PROGRAMS += tests/checkpoint_shards.t
tests_checkpoint_shards_t_SOURCES = tests/checkpoint_shards.c tests/checkpoint_folder.h tests/core.h tests/sanitized.h tests/tap.h
tests_checkpoint_shards_t_LDADD = $(CORE_LIBS) $(LIBM)
check_PROGRAMS += tests/checkpoint_short.t
tests_checkpoint_short_t_SOURCES = tests/checkpoint_short.c tests/checkpoint_folder.h tests/allocator.h tests/libc_functions.h tests/core.h tests/sanitized.h tests/tap.h
tests_checkpoint_short_t_LDADD = $(CORE_TESTS_LDADD) -ldl -lpthread
check_PROGRAMS += tests/checkpoint_convert.t
tests_checkpoint_convert_t_SOURCES = tests/checkpoint_convert.c tests/checkpoint_folder.h tests/allocator.h tests/libc_functions.h tests/files.h tests/core.h tests/sanitized.h tests/tap.h
tests_checkpoint_convert_t_LDADD = $(CORE_LIBS) -ldl $(LIBM)
EXTRA_DIST += tests/data/checkpoint scripts/make_checkpoint_npz.py

check_PROGRAMS += tests/metric.t
tests_metric_t_SOURCES = tests/metric.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_metric_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/mistakes.t
tests_mistakes_t_SOURCES = tests/mistakes/main.c tests/mistakes/datasets.c tests/mistakes/devices.c tests/mistakes/inputs.c \
    tests/mistakes/metrics.c tests/mistakes/reduces.c tests/mistakes/runs.c tests/mistakes/steps.c tests/mistakes/values.c \
    tests/mistakes/variables.c tests/mistakes/mistakes.h tests/steer.h tests/tap.h plugins/loopback.h
tests_mistakes_t_LDADD = $(CORE_TESTS_LDADD) $(LIBM) -ldl
check_PROGRAMS += tests/program_control.t
tests_program_control_t_SOURCES = tests/program_control.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_program_control_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/program_step.t
tests_program_step_t_SOURCES = tests/program_step.c tests/core.h tests/sanitized.h tests/tap.h
tests_program_step_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/program.t
tests_program_t_SOURCES = tests/program.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_program_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/program_hostile.t
tests_program_hostile_t_SOURCES = tests/program_hostile.c tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_program_hostile_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_program_hostile_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/cluster.t
tests_cluster_t_SOURCES = tests/cluster.c tests/tap.h
tests_cluster_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/launcher.t
tests_launcher_t_SOURCES = tests/launcher.c tests/core.h tests/sanitized.h tests/tap.h
tests_launcher_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/role.t
tests_role_t_SOURCES = tests/role.c tests/core.h tests/sanitized.h tests/tap.h
tests_role_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/tf_config.t
tests_tf_config_t_SOURCES = tests/tf_config.c tests/tap.h
tests_tf_config_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/tf_config_corpus.t
tests_tf_config_corpus_t_SOURCES = tests/fuzz/tf_config.c tests/fuzz/replay.h tests/tap.h
tests_tf_config_corpus_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/slurm.t tests/union.t
tests_slurm_t_SOURCES = tests/slurm.c tests/resolver.h tests/tap.h
tests_slurm_t_LDADD = $(CORE_TESTS_LDADD)
tests_union_t_SOURCES = tests/union.c tests/tap.h
tests_union_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/kubernetes.t
tests_kubernetes_t_SOURCES = tests/kubernetes.c tests/resolver.h tests/tap.h
tests_kubernetes_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/sagemaker.t
tests_sagemaker_t_SOURCES = tests/sagemaker.c tests/resolver.h tests/tap.h
tests_sagemaker_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/gce.t
tests_gce_t_SOURCES = tests/gce.c tests/resolver.h tests/tap.h
tests_gce_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/cloud_tpu.t
tests_cloud_tpu_t_SOURCES = tests/cloud_tpu.c tests/resolver.h tests/tap.h
tests_cloud_tpu_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/configure.t
tests_configure_t_SOURCES = tests/configure.c tests/core.h tests/sanitized.h tests/tap.h
tests_configure_t_LDADD = $(CORE_TESTS_LDADD)
check_PROGRAMS += tests/machines.t
tests_machines_t_SOURCES = tests/machines.c tests/tap.h
tests_machines_t_LDADD = $(CORE_LIBS)

check_PROGRAMS += tests/messages.t
tests_messages_t_SOURCES = tests/messages.c tests/tap.h
tests_messages_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/talk.t
tests_talk_t_SOURCES = tests/talk.c tests/tap.h
tests_talk_t_CFLAGS = $(AM_CFLAGS) -pthread
tests_talk_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/cluster_exhausted.t
tests_cluster_exhausted_t_SOURCES = tests/cluster_exhausted.c tests/allocator.h tests/libc_functions.h tests/sanitized.h tests/short_memory.h tests/tap.h
tests_cluster_exhausted_t_LDADD = $(CORE_TESTS_LDADD) -ldl
check_PROGRAMS += tests/writes.t
tests_writes_t_SOURCES = tests/writes.c tests/tap.h
tests_writes_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/worker_call.t
tests_worker_call_t_SOURCES = tests/worker_call.c tests/tap.h
tests_worker_call_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/jobs.t
tests_jobs_t_SOURCES = tests/jobs.c tests/tap.h
tests_jobs_t_LDADD = $(CORE_LIBS)
check_PROGRAMS += tests/slurm_corpus.t
tests_slurm_corpus_t_SOURCES = tests/fuzz/slurm.c tests/fuzz/replay.h tests/tap.h
tests_slurm_corpus_t_LDADD = $(CORE_LIBS)

# Processes of tests/cluster_*.t, which are no tests by themselves.
EXTRA_DIST += tests/network_agent.sh
cluster_processes = tests/cluster_checkpoint$(EXEEXT) tests/cluster_counted$(EXEEXT) tests/cluster_ranks$(EXEEXT) tests/cluster_faults$(EXEEXT) tests/cluster_inputs$(EXEEXT) tests/cluster_options$(EXEEXT) tests/cluster_recovery$(EXEEXT) tests/cluster_coordinator$(EXEEXT) tests/cluster_coordinator_short$(EXEEXT) tests/cluster_servers$(EXEEXT) tests/cluster_short$(EXEEXT) tests/cluster_skip$(EXEEXT) tests/cluster_state$(EXEEXT) tests/cluster_storm$(EXEEXT) \
    tests/cluster_control$(EXEEXT) tests/cluster_update$(EXEEXT) tests/cluster_positions$(EXEEXT) tests/cluster_programs$(EXEEXT) tests/cluster_workers$(EXEEXT) tests/cluster_writes$(EXEEXT)
if OPENMPI
cluster_processes += tests/cluster_given-openmpi$(EXEEXT) tests/cluster_lost-openmpi$(EXEEXT)
endif
if MPICH
cluster_processes += tests/cluster_given-mpich$(EXEEXT) tests/cluster_lost-mpich$(EXEEXT)
endif
if JANSSON
cluster_processes += tests/golden$(EXEEXT)
endif
tests/cluster_control.log tests/cluster_mpi.log tests/cluster_network.log tests/cluster_programs.log tests/cluster_coordinator.log tests/cluster_servers.log tests/cluster_skip.log tests/cluster_state.log tests/cluster_storm.log tests/cluster_update.log tests/cluster_communication.log tests/cluster_checkpoint.log: $(cluster_processes)
EXTRA_PROGRAMS += tests/cluster_checkpoint tests/cluster_control tests/cluster_counted tests/cluster_options tests/cluster_writes tests/cluster_ranks tests/cluster_faults tests/cluster_inputs tests/cluster_positions tests/cluster_programs tests/cluster_recovery tests/cluster_coordinator tests/cluster_coordinator_short tests/cluster_servers tests/cluster_short tests/cluster_skip tests/cluster_state tests/cluster_storm tests/cluster_update tests/cluster_workers tests/cluster_given-openmpi tests/cluster_given-mpich \
    tests/cluster_lost-openmpi tests/cluster_lost-mpich
CLEANFILES += $(cluster_processes)
tests_cluster_ranks_SOURCES = tests/cluster_ranks.c tests/cluster_process.h
tests_cluster_ranks_LDADD = $(CORE_LIBS)
tests_cluster_options_SOURCES = tests/cluster_options.c tests/cluster_process.h
tests_cluster_options_LDADD = $(CORE_LIBS) $(LIBM)
tests_cluster_counted_SOURCES = tests/cluster_counted.c tests/cluster_process.h
tests_cluster_counted_LDADD = $(CORE_LIBS)
tests_cluster_faults_SOURCES = tests/cluster_faults.c tests/cluster_process.h
tests_cluster_faults_LDADD = libcohort.la
tests_cluster_inputs_SOURCES = tests/cluster_inputs.c tests/cluster_process.h
tests_cluster_inputs_LDADD = libcohort.la
tests_cluster_control_SOURCES = tests/cluster_control.c tests/cluster_process.h
tests_cluster_control_LDADD = libcohort.la
tests_cluster_writes_SOURCES = tests/cluster_writes.c tests/cluster_process.h
tests_cluster_writes_LDADD = libcohort.la
tests_cluster_checkpoint_SOURCES = tests/cluster_checkpoint.c tests/cluster_process.h
tests_cluster_checkpoint_LDADD = libcohort.la -ldl $(LIBM)
tests_cluster_positions_SOURCES = tests/cluster_positions.c tests/cluster_process.h
tests_cluster_positions_LDADD = libcohort.la
tests_cluster_programs_SOURCES = tests/long/workers/main.c tests/long/workers/stages.c tests/long/workers/workers.h \
    tests/long/recorded/calls.c tests/long/recorded/replicas.c tests/long/recorded/draw.c tests/long/recorded/functions.c tests/long/recorded/items.c tests/long/recorded/look.c \
    tests/long/recorded/play.c tests/long/recorded/recorded.h tests/long/recorded/world.c \
    tests/long/programs/chance.c tests/long/programs/dtypes.c tests/long/programs/faults.c tests/long/programs/log.c \
    tests/long/programs/programs.h tests/core.h tests/sanitized.h tests/steer.h tests/tap.h plugins/loopback.h
tests_cluster_programs_LDADD = libcohort.la -ldl
tests_cluster_recovery_SOURCES = tests/cluster_recovery.c tests/cluster_process.h
tests_cluster_recovery_LDADD = libcohort.la
tests_cluster_coordinator_SOURCES = tests/cluster_coordinator.c tests/cluster_process.h
tests_cluster_coordinator_LDADD = libcohort.la
tests_cluster_coordinator_short_SOURCES = tests/cluster_coordinator_short.c tests/allocator.h tests/cluster_process.h tests/libc_functions.h tests/own_memory.h tests/sanitized.h
tests_cluster_coordinator_short_LDADD = libcohort.la -ldl
tests_cluster_servers_SOURCES = tests/cluster_servers.c tests/cluster_process.h tests/served_process.h
tests_cluster_servers_LDADD = libcohort.la
tests_cluster_skip_SOURCES = tests/cluster_skip.c tests/cluster_process.h
tests_cluster_skip_LDADD = libcohort.la
tests_cluster_state_SOURCES = tests/cluster_state.c tests/cluster_process.h
tests_cluster_state_LDADD = libcohort.la
tests_cluster_update_SOURCES = tests/cluster_update.c tests/cluster_process.h tests/served_process.h
tests_cluster_update_LDADD = libcohort.la $(LIBM)
tests_cluster_short_SOURCES = tests/cluster_short.c tests/allocator.h tests/cluster_process.h tests/libc_functions.h tests/own_memory.h tests/sanitized.h
tests_cluster_short_LDADD = libcohort.la -ldl
tests_cluster_storm_SOURCES = tests/cluster_storm.c
tests_cluster_storm_LDADD = libcohort.la
tests_cluster_workers_SOURCES = tests/cluster_workers.c tests/dtypes.h tests/cluster_process.h
tests_cluster_workers_LDADD = libcohort.la $(LIBM)
tests_cluster_given_openmpi_SOURCES = tests/cluster_given.c tests/cluster_process.h
tests_cluster_given_openmpi_CFLAGS = $(AM_CFLAGS) $(OPENMPI_CFLAGS) -pthread
tests_cluster_given_openmpi_LDADD = libcohort.la $(OPENMPI_LIBS)
tests_cluster_given_mpich_SOURCES = tests/cluster_given.c tests/cluster_process.h
tests_cluster_given_mpich_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS) -pthread
tests_cluster_given_mpich_LDADD = libcohort.la $(MPICH_LIBS)
tests_cluster_lost_openmpi_SOURCES = tests/cluster_lost.c tests/cluster_process.h
tests_cluster_lost_openmpi_CFLAGS = $(AM_CFLAGS) $(OPENMPI_CFLAGS) -pthread
tests_cluster_lost_openmpi_LDADD = libcohort.la $(OPENMPI_LIBS)
tests_cluster_lost_mpich_SOURCES = tests/cluster_lost.c tests/cluster_process.h
tests_cluster_lost_mpich_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS) -pthread
tests_cluster_lost_mpich_LDADD = libcohort.la $(MPICH_LIBS)

# Instructions of calls, beside tests/data/counts.txt.
EXTRA_PROGRAMS += tests/counted
CLEANFILES += tests/counted$(EXEEXT)
tests/counts.log: tests/counted$(EXEEXT)
tests_counted_SOURCES = tests/counted.c
tests_counted_LDADD = $(CORE_LIBS)
dist_check_SCRIPTS += tests/counts.t
EXTRA_DIST += scripts/make_counts.sh tests/data/counts.txt tests/data/messages.txt
