# SPDX-License-Identifier: BSD-3-Clause
dataset_sources = \
    runtime/data/dataset/answer.c runtime/data/dataset/answer.h runtime/data/dataset/assert_cardinality.c runtime/data/dataset/auto_shard.c \
    runtime/data/dataset/auto_shard.h runtime/data/dataset/batch.c runtime/data/dataset/block.c \
    runtime/data/dataset/block.h runtime/data/dataset/cache.c runtime/data/dataset/concatenate.c \
    runtime/data/dataset/cursor.c runtime/data/dataset/cursor.h runtime/data/dataset/dataset.c \
    runtime/data/dataset/dataset.h runtime/data/dataset/describe.c runtime/data/dataset/element.c \
    runtime/data/dataset/element.h runtime/data/dataset/enumerate.c runtime/data/dataset/fault.c \
    runtime/data/dataset/fault.h runtime/data/dataset/features.c runtime/data/dataset/features.h \
    runtime/data/dataset/file_list.c runtime/data/dataset/file_list.h runtime/data/dataset/files.c \
    runtime/data/dataset/files.h runtime/data/dataset/files_cursor.c runtime/data/dataset/filter.c \
    runtime/data/dataset/generator.c runtime/data/dataset/host_function.c runtime/data/dataset/host_function.h \
    runtime/data/dataset/host_function_call.c runtime/data/dataset/host_function_shape.c \
    runtime/data/dataset/ignore_errors.c runtime/data/dataset/inspect.c runtime/data/dataset/interleave.c \
    runtime/data/dataset/iterator.c runtime/data/dataset/list_files.c runtime/data/dataset/map.c \
    runtime/data/dataset/map_threads.c runtime/data/dataset/map_threads.h runtime/data/dataset/mapping.c \
    runtime/data/dataset/mapping.h runtime/data/dataset/npy_reader.c runtime/data/dataset/npy_reader.h \
    runtime/data/dataset/open_files.c runtime/data/dataset/open_files.h runtime/data/dataset/options.c \
    runtime/data/dataset/padded_batch.c runtime/data/dataset/padding.c runtime/data/dataset/padding.h \
    runtime/data/dataset/row_file.c runtime/data/dataset/row_file.h runtime/data/dataset/prefetch.c \
    runtime/data/dataset/prefetch.h runtime/data/dataset/random.c runtime/data/dataset/random.h \
    runtime/data/dataset/range.c runtime/data/dataset/reader.c runtime/data/dataset/reader.h \
    runtime/data/dataset/repeat.c runtime/data/dataset/shard.c runtime/data/dataset/selection.c runtime/data/dataset/selection.h runtime/data/dataset/shard.h \
    runtime/data/dataset/shuffle.c runtime/data/dataset/shuffle.h runtime/data/dataset/shuffle_elements.c \
    runtime/data/dataset/shuffle_numbers.c runtime/data/dataset/skip.c runtime/data/dataset/slices.c \
    runtime/data/dataset/slices.h runtime/data/dataset/source_csv.c runtime/data/dataset/source_idx.c \
    runtime/data/dataset/source_npy.c runtime/data/dataset/source_npz.c runtime/data/dataset/source_records.c \
    runtime/data/dataset/source_text.c runtime/data/dataset/source_tfrecord.c runtime/data/dataset/split.c \
    runtime/data/dataset/split.h runtime/data/dataset/split_blocks.c runtime/data/dataset/split_key.c \
    runtime/data/dataset/split_rows.c runtime/data/dataset/stack.c \
    runtime/data/dataset/stack.h runtime/data/dataset/take.c runtime/data/dataset/unbatch.c \
    runtime/data/dataset/window.c runtime/data/dataset/zip.c
libcohort_core_la_SOURCES += $(dataset_sources)
