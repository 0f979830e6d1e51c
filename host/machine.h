/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine's name, and how much memory it has. */
#ifndef COHORT_HOST_MACHINE_H
#define COHORT_HOST_MACHINE_H

#include <stddef.h>
#include <stdint.h>

uint64_t machine_memory(void); /* in bytes */
uint64_t machine_page_bytes(void);
void machine_name(char *out_name, size_t size);
/* Equal names have equal uuids, and none is all zero. */
void machine_uuid(const char *name, uint8_t out_uuid[16]);

#endif
