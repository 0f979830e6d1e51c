# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/dataset/auto_shard.c runtime/dataset/auto_shard.h runtime/dataset/batch.c \
    runtime/dataset/batch.h runtime/dataset/block.c runtime/dataset/block.h runtime/dataset/cache.c \
    runtime/dataset/callback.c runtime/dataset/callback.h runtime/dataset/concatenate.c \
    runtime/dataset/cursor.c runtime/dataset/cursor.h runtime/dataset/dataset.c runtime/dataset/dataset.h \
    runtime/dataset/describe.c runtime/dataset/element.c runtime/dataset/element.h \
    runtime/dataset/enumerate.c runtime/dataset/fault.c runtime/dataset/fault.h \
    runtime/dataset/file_list.c runtime/dataset/file_list.h runtime/dataset/filter.c \
    runtime/dataset/generator.c runtime/dataset/host_function.c runtime/dataset/host_function.h \
    runtime/dataset/host_function_call.c runtime/dataset/host_function_shape.c \
    runtime/dataset/ignore_errors.c runtime/dataset/inspect.c runtime/dataset/interleave.c \
    runtime/dataset/iterator.c runtime/dataset/list_files.c runtime/dataset/map.c runtime/dataset/map.h \
    runtime/dataset/map_apply.c runtime/dataset/map_threads.c runtime/dataset/options.c \
    runtime/dataset/pad.c runtime/dataset/pad.h runtime/dataset/padded_batch.c runtime/dataset/prefetch.c \
    runtime/dataset/prefetch.h runtime/dataset/random.c runtime/dataset/random.h runtime/dataset/range.c \
    runtime/dataset/reader.c runtime/dataset/reader.h runtime/dataset/rebatch.c runtime/dataset/repeat.c \
    runtime/dataset/several.c runtime/dataset/several.h runtime/dataset/shard.c runtime/dataset/shard.h \
    runtime/dataset/shuffle.c runtime/dataset/shuffle.h runtime/dataset/shuffle_elements.c \
    runtime/dataset/shuffle_numbers.c runtime/dataset/skip.c runtime/dataset/slices.c \
    runtime/dataset/slices.h runtime/dataset/source_csv.c runtime/dataset/source_cursor.c \
    runtime/dataset/source_features.c runtime/dataset/source_features.h runtime/dataset/source_files.c \
    runtime/dataset/source_files.h runtime/dataset/source_idx.c runtime/dataset/source_npy.c \
    runtime/dataset/source_npy.h runtime/dataset/source_npz.c runtime/dataset/source_open.c \
    runtime/dataset/source_open.h runtime/dataset/source_plain.c runtime/dataset/source_plain.h \
    runtime/dataset/source_records.c runtime/dataset/source_text.c runtime/dataset/source_tfrecord.c \
    runtime/dataset/stack.c runtime/dataset/stack.h runtime/dataset/take.c runtime/dataset/through.c \
    runtime/dataset/through.h runtime/dataset/unbatch.c runtime/dataset/window.c runtime/dataset/zip.c
