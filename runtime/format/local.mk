# SPDX-License-Identifier: BSD-3-Clause
format_sources = \
    runtime/format/bytes.c runtime/format/bytes.h runtime/format/crc32.c runtime/format/crc32.h \
    runtime/format/crc32c.c runtime/format/crc32c.h runtime/format/crc_table.c runtime/format/crc_table.h \
    runtime/format/csv.c runtime/format/csv.h \
    runtime/format/csv_block.c runtime/format/csv_block.h runtime/format/csv_error.c \
    runtime/format/csv_error.h runtime/format/csv_header.c runtime/format/csv_header.h \
    runtime/format/csv_integer.c runtime/format/csv_integer.h runtime/format/csv_number.c \
    runtime/format/csv_number.h runtime/format/csv_plan.c runtime/format/csv_plan.h \
    runtime/format/csv_row.c runtime/format/csv_row.h runtime/format/csv_run.c runtime/format/csv_run.h \
    runtime/format/csv_scan.h runtime/format/csv_selection.c runtime/format/csv_selection.h \
    runtime/format/elements.c runtime/format/elements.h runtime/format/example.c runtime/format/example.h \
    runtime/format/example_value.c runtime/format/example_value.h runtime/format/file.c \
    runtime/format/file.h runtime/format/idx.c runtime/format/idx.h runtime/format/inflate.c \
    runtime/format/inflate.h runtime/format/npy.c runtime/format/npy_dict.c runtime/format/npy_dict.h \
    runtime/format/npy_header.c runtime/format/npy_header.h runtime/format/npy_rows.c \
    runtime/format/npy_rows.h runtime/format/npy_save.c runtime/format/npz.c runtime/format/npz.h \
    runtime/format/replacement.c runtime/format/replacement.h runtime/format/stream.c \
    runtime/format/stream.h runtime/format/text.c runtime/format/text.h runtime/format/tfrecord.c \
    runtime/format/tfrecord.h runtime/format/wire.c runtime/format/wire.h runtime/format/zip.c \
    runtime/format/zip.h runtime/format/zip_end.c runtime/format/zip_end.h
libcohort_core_la_SOURCES += $(format_sources)
libcohort_core_la_CFLAGS += $(ZLIB_CFLAGS)
libcohort_core_la_LIBADD += $(ZLIB_LIBS)
