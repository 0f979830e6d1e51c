# SPDX-License-Identifier: BSD-3-Clause
format_sources = \
    runtime/format/crc32.c runtime/format/crc32.h runtime/format/elements.c runtime/format/elements.h \
    runtime/format/file.c runtime/format/file.h runtime/format/inflate.c runtime/format/inflate.h \
    runtime/format/npy.c runtime/format/npy_dict.c runtime/format/npy_dict.h runtime/format/npy_header.c \
    runtime/format/npy_header.h runtime/format/npy_save.c runtime/format/npz.c runtime/format/npz.h \
    runtime/format/replacement.c runtime/format/replacement.h runtime/format/stream.c runtime/format/stream.h \
    runtime/format/zip.c runtime/format/zip.h runtime/format/zip_end.c runtime/format/zip_end.h
libcohort_core_la_SOURCES += $(format_sources)
libcohort_core_la_CFLAGS += $(ZLIB_CFLAGS)
libcohort_core_la_LIBADD += $(ZLIB_LIBS)
