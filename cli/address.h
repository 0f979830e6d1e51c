/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses of tasks: HOST:PORT. */
#ifndef COHORT_CLI_ADDRESS_H
#define COHORT_CLI_ADDRESS_H

#include <stddef.h>

/* The host of "b:2222", "b" or "[::1]:80", with its brackets: its length. 0: there is none, or what
 * follows is no port from 1 to 65535; *out_why says which. */
size_t address_host(const char *address, const char **out_why);

#endif
