# SPDX-License-Identifier: BSD-3-Clause
input_sources = \
    runtime/input/crc32.c runtime/input/crc32.h runtime/input/elements.c runtime/input/elements.h \
    runtime/input/file.c runtime/input/file.h runtime/input/inflate.c runtime/input/inflate.h \
    runtime/input/npy.c runtime/input/npy_dict.c runtime/input/npy_dict.h runtime/input/npy_header.c \
    runtime/input/npy_header.h runtime/input/npy_save.c runtime/input/npz.c runtime/input/npz.h \
    runtime/input/replacement.c runtime/input/replacement.h runtime/input/stream.c runtime/input/stream.h \
    runtime/input/zip.c runtime/input/zip.h runtime/input/zip_end.c runtime/input/zip_end.h
libcohort_core_la_SOURCES += $(input_sources)
libcohort_core_la_CFLAGS += $(ZLIB_CFLAGS)
libcohort_core_la_LIBADD += $(ZLIB_LIBS)
