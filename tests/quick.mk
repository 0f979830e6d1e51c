# SPDX-License-Identifier: BSD-3-Clause
# `make check-quick`: what one runs while working. On a built tree it builds the programs of these tests alone, and then
# takes less than a minute on two cores. A quick test takes two seconds of a core at most, and asks no compiler, no MPI and
# no driver; what is not here is slow, and `make check-slow` runs it.
quick_tests = tests/abi_layout.t tests/accepted.t tests/all_reduce_into.t tests/alone.t \
    tests/assert.t tests/base_text.t tests/block.t tests/body_format.t tests/bounds.t \
    tests/bucket.t tests/buildlog.t tests/bytes_corpus.t tests/call.t tests/callbacks.t \
    tests/cloud_tpu.t tests/cluster.t tests/cluster_starts.t tests/communication.t tests/configure.t tests/conformance-host.t \
    tests/conformance-loopback.t tests/conformance-skeleton.t tests/conformance-stream.t \
    tests/crc32c.t tests/csv_corpus.t tests/cyclic.t tests/dataset.t tests/dataset_exhausted.t \
    tests/dataset_faults.t tests/dataset_model.t tests/dataset_order.t tests/dataset_split.t \
    tests/dataset_threads.t tests/dataset_work.t tests/declaration.t tests/dtype.t tests/example.t \
    tests/example_corpus.t tests/exit.t tests/files_names.t tests/futex.t tests/gather.t tests/gce.t \
    tests/geometry.t tests/group.t tests/guard.t tests/halo.t tests/handles.t tests/hardened.t \
    tests/host.t tests/idx_corpus.t tests/image.t tests/in_call.t tests/in_place.t tests/include_direction.t \
    tests/items.t tests/items_helper.t tests/items_own.t tests/jobs.t tests/kubernetes.t tests/largest.t tests/launch_batch.t tests/launch_set.t \
    tests/cuts.t tests/hosting.t tests/loss.t tests/launcher.t tests/logical_devices.t tests/logical_steps.t tests/writes.t tests/log.t tests/loopback.t tests/machines.t tests/math.t tests/math_exact.t tests/math_double.t tests/random.t tests/messages.t tests/monitor.t \
    tests/no_affinity.t tests/npy_corpus.t tests/npy_rows_corpus.t tests/on_read.t \
    tests/opencl_found.t tests/opencl_unused.t tests/packs.t tests/patience.t tests/pipeline.t \
    tests/placement_policy.t tests/program.t tests/program_errors.t tests/program_hostile.t \
    tests/program_step.t tests/prototype.t tests/prototype_info.t tests/quota.t tests/reduce_to.t \
    tests/reduce_with.t tests/reduction.t tests/role.t tests/rollback.t tests/run.t tests/safetensors_corpus.t tests/sagemaker.t tests/scope.t \
    tests/series_lost.t tests/settings.t tests/share.t tests/shown_memory.t tests/signature.t tests/slurm.t \
    tests/slurm_corpus.t tests/spin.t tests/split.t tests/stats.t tests/stream.t tests/talk.t tests/team.t tests/text.t \
    tests/text_corpus.t tests/tf_config.t tests/tf_config_corpus.t tests/tfrecord_corpus.t \
    tests/topology.t tests/trust.t tests/union.t tests/unload.t tests/value.t \
    tests/variable_calls.t tests/variable_moves.t tests/variable_names.t tests/voice.t \
    tests/worker_call.t tests/wrong_calls.t

check-quick: all-am
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS check_PROGRAMS= dist_check_SCRIPTS= TESTS='$(quick_tests)'
check-slow: all-am
	slow=; for test in $(TESTS); do case ' $(quick_tests) ' in *" $$test "*) ;; *) slow="$$slow $$test" ;; esac; done; \
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS check_PROGRAMS= dist_check_SCRIPTS= TESTS="$$slow"
.PHONY: check-quick check-slow
