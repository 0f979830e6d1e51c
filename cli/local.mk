# SPDX-License-Identifier: BSD-3-Clause
# What every plugin must do, for cohort plugin check and for tests.
conformance_sources = cli/conformance/bodies.c cli/conformance/bodies.def cli/conformance/bodies.h cli/conformance/body.c cli/conformance/body.h cli/conformance/claim.c cli/conformance/claim.h \
    cli/conformance/claim_report.h cli/conformance/describe.c cli/conformance/device.c cli/conformance/event.c \
    cli/conformance/launch.c cli/conformance/memory.c cli/conformance/reduce.c cli/conformance/rules.c \
    cli/conformance/rules.def cli/conformance/rules.h cli/conformance/subject.c cli/conformance/subject.h \
    cli/conformance/values.c
# What cohort report makes of a trace, which tests look into as well.
report_sources = cli/fnv.h cli/json.c cli/json.h cli/json_scan.c cli/json_scan.h cli/report.h cli/report_causes.c cli/report_html.c \
    cli/report_json.c cli/report_lines.c cli/report_lines.h cli/report_make.c cli/report_path.c cli/report_recording.c \
    cli/report_replicas.c cli/report_rounds.c cli/report_shares.c cli/report_spans.c cli/report_steps.c cli/report_text.c \
    cli/report_text.h cli/svg.c cli/svg.h cli/timeline.c cli/timeline.h cli/trace_file.c cli/trace_file.h cli/utf8.h
bin_PROGRAMS += cli/cohort
cli_cohort_SOURCES = \
    cli/address.c cli/address.h cli/ascii.h cli/aside.c cli/aside.h cli/line_directive.c cli/line_directive.h \
    cli/bench.c cli/bench.h cli/bench_copy.c cli/bench_gemm.c cli/bench_launch.c cli/bench_machine.c cli/bench_peak.c \
    cli/bench_peak.h cli/bench_print.c cli/bench_reduce.c cli/bench_svg.c cli/bench_team.c cli/bench_team.h cli/bench_turns.c \
    cli/chart.c cli/chart.h cli/check.c cli/check.h cli/check_reduce.c cli/check_run.c cli/checkpoint.c cli/checkpoint.h cli/checkpoint_convert.c cli/checkpoint_diff.c cli/checkpoint_list.c cli/checkpoint_show.c cli/cli.h cli/cl_condition.c cli/cl_condition.h cli/cl_directive.c cli/cl_macro.c cli/cl_macro.h cli/cl_reader.c cli/cl_reader.h cli/cl_token.c cli/cl_token.h cli/cl_types.c cli/cl_types.h cli/closest.c cli/closest.h cli/cluster.c cli/colour.c cli/colour.h cli/completion.c cli/completion.h cli/completion_bash.c cli/completion_fish.c cli/completion_zsh.c cli/data.c cli/data.h cli/data_convert.c \
    cli/data_file.c cli/data_fill.c cli/data_list.c cli/data_text.c cli/demo.c cli/demo.h cli/demo_options.c \
    cli/demo_report.c cli/demo_stats.c cli/devices.c cli/devices.h cli/devices_draw.c cli/doctor.c cli/doctor.h cli/doctor_cache.c cli/doctor_cores.c cli/doctor_data.c cli/doctor_kernels.c cli/doctor_limits.c cli/doctor_mpi.c cli/doctor_opencl.c cli/doctor_plugins.c cli/doctor_settings.c cli/digits.c cli/digits.h cli/divert.c cli/divert.h cli/embed.c cli/confusion.c cli/confusion.h cli/confusion_draw.c cli/course.c cli/course.h cli/enumeration.c cli/enumeration.h \
    cli/env.c cli/event_file.c cli/event_file.h cli/explain.c cli/explanation.c cli/explanation.h cli/file_format.c cli/file_format.h cli/file_peek.c cli/file_peek.h cli/foreign.c cli/foreign.h cli/inspect.c cli/installed.c cli/installed.h \
    cli/gunzip.c cli/gunzip.h cli/item.c cli/item.h cli/kernel_file.c cli/kernel_file.h cli/labels.c cli/labels.h cli/launch.c cli/launch.h cli/launch_hostfile.c cli/launch_hosts.c cli/launch_jobs.c cli/launch_line.c cli/launch_line.h cli/launch_log.c cli/launch_log.h cli/launch_mpi.c cli/launch_rank.c cli/launch_rank.h cli/launch_report.c cli/launch_report.h cli/launch_signals.c cli/launch_start.c cli/clock.h cli/launch_start.h cli/launch_supervise.c cli/launch_top.c cli/launch_top.h cli/library.c cli/library.h cli/look.c \
    cli/look.h cli/look_head.c cli/look_head.h cli/look_value.c cli/look_value.h cli/main.c cli/new.c cli/number.c \
    cli/number.h cli/one_hot.c cli/one_hot.h cli/options.c cli/output.c cli/output.h cli/pool.c cli/pool.h cli/probe.c cli/probe.h cli/probe_child.c cli/probe_child.h cli/progress.c \
    cli/progress.h cli/project.c cli/project.h cli/record_npy.c cli/record_npy.h cli/regular_file.c cli/regular_file.h cli/replay.c cli/replay.h cli/report.c cli/report_print.c $(report_sources) cli/run.c cli/run.h cli/run_arguments.c cli/run_function.c \
    cli/run_hint.c cli/run_kernel.c cli/run_launch.c cli/run_options.c cli/run_outputs.c cli/run_print.c cli/samples.c \
    cli/samples.h cli/samples_csv.c cli/samples_load.c cli/samples_load.h cli/samples_source.c \
    cli/samples_source.h cli/samples_tfrecord.c cli/say.c \
    cli/scale.c cli/scale.h cli/source.c cli/source.h cli/figures.h cli/finding.c cli/finding.h cli/table_options.c cli/table_options.h cli/template.c cli/template.h cli/crc32c.h cli/terminal.c cli/terminal.h cli/top.c cli/top.h cli/top_json.c cli/top_print.c cli/top_read.c cli/training.c \
    cli/training.h cli/training_log.c cli/training_log.h cli/version.c cli/visible.c cli/visible.h cli/watch.c cli/watch.h \
    cli/plugin.c cli/plugin.h cli/plugin_check.c cli/plugin_kernels.c cli/plugin_list.c cli/plugin_new.c $(conformance_sources) \
    examples/digest.h examples/nn.h examples/random.h
cli_cohort_CPPFLAGS = $(AM_CPPFLAGS)
cli_cohort_CFLAGS = $(PRODUCT_CFLAGS) $(SIMD_CFLAGS) $(ZLIB_CFLAGS) -pthread
cli_cohort_LDADD = libcohort.la $(ZLIB_LIBS) $(LIBM)

# What the shells read; cohort completion prints the rest.
EXTRA_DIST += cli/completion/cohort cli/completion/_cohort cli/completion/cohort.fish
if COMPLETION_BASH
dist_bashcompletion_DATA = cli/completion/cohort
endif
if COMPLETION_ZSH
dist_zshcompletion_DATA = cli/completion/_cohort
endif
if COMPLETION_FISH
dist_fishcompletion_DATA = cli/completion/cohort.fish
endif
