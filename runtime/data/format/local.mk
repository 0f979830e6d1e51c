# SPDX-License-Identifier: BSD-3-Clause
format_sources = \
    runtime/data/format/bytes.c runtime/data/format/bytes.h runtime/data/format/crc.c runtime/data/format/crc.h \
    runtime/data/format/columns.c runtime/data/format/columns.h runtime/data/format/csv.c \
    runtime/data/format/csv.h runtime/data/format/csv_error.c runtime/data/format/csv_error.h \
    runtime/data/format/csv_field.c runtime/data/format/csv_field.h runtime/data/format/csv_row.c \
    runtime/data/format/csv_row.h runtime/data/format/csv_schema.c runtime/data/format/csv_schema.h \
    runtime/data/format/csv_spelling.c runtime/data/format/csv_spelling.h \
    runtime/data/format/elements.c runtime/data/format/elements.h runtime/data/format/example.c runtime/data/format/example.h \
    runtime/data/format/example_value.c runtime/data/format/example_value.h runtime/data/format/file.c \
    runtime/data/format/file.h runtime/data/format/idx.c runtime/data/format/idx.h runtime/data/format/inflate.c \
    runtime/data/format/inflate.h runtime/data/format/npy.c runtime/data/format/npy_dict.c runtime/data/format/npy_dict.h \
    runtime/data/format/npy_dtype.c runtime/data/format/npy_dtype.h \
    runtime/data/format/npy_header.c runtime/data/format/npy_header.h runtime/data/format/npy_rows.c \
    runtime/data/format/npy_rows.h runtime/data/format/npy_save.c \
    runtime/data/format/npy_turn.c runtime/data/format/npy_turn.h runtime/data/format/npz.c runtime/data/format/npz.h \
    runtime/data/format/replacement.c runtime/data/format/replacement.h runtime/data/format/stream.c \
    runtime/data/format/stream.h runtime/data/format/lines.c runtime/data/format/lines.h runtime/data/format/tfrecord.c \
    runtime/data/format/tfrecord.h runtime/data/format/wire.c runtime/data/format/wire.h runtime/data/format/zip.c \
    runtime/data/format/zip.h runtime/data/format/zip_end.c runtime/data/format/zip_end.h \
    runtime/data/format/zip_write.c runtime/data/format/zip_write.h \
    runtime/data/format/json_print.c runtime/data/format/json_print.h \
    runtime/data/format/json_reader.c runtime/data/format/json_reader.h \
    runtime/data/format/safetensors.c runtime/data/format/safetensors.h \
    runtime/data/format/safetensors_header.c runtime/data/format/safetensors_header.h \
    runtime/data/format/safetensors_sums.c runtime/data/format/safetensors_write.c \
    runtime/data/format/safetensors_write.h runtime/data/format/tensor_type.c \
    runtime/data/format/tensor_type.h
libcohort_core_la_SOURCES += $(format_sources)
libcohort_core_la_CFLAGS += $(ZLIB_CFLAGS)
libcohort_core_la_LIBADD += $(ZLIB_LIBS)
