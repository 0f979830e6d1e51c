/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/address.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PORT = 65535, PORT_DIGITS = 5 };

static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    long port = digits > 0 && digits <= PORT_DIGITS ? strtol(text, NULL, 10) : 0;
    return text[digits] == '\0' && port > 0 && port <= MOST_PORT;
}

/* An address of IPv6 has colons of its own. */
static size_t host_length(const char *address)
{
    const char *bracket = address[0] == '[' ? strchr(address, ']') : NULL;
    return bracket != NULL ? (size_t)(bracket + 1 - address) : strcspn(address, ":");
}

size_t address_host(const char *address, const char **out_why)
{
    size_t n = host_length(address);
    *out_why = NULL;
    const char *colon = strchr(address, ':');
    if (address[0] != '[' && colon != NULL && strchr(colon + 1, ':') != NULL)
        *out_why = "an address of IPv6 stands in brackets, such as [::1]:2222";
    else if (n == 0 || strspn(address, "[]") == n)
        *out_why = "it names no host";
    else if (address[0] == '-' || strcspn(address, " ,;/\\'\"@") < n)
        *out_why = "its host has a character that no name of a host has";
    else if (address[n] != '\0' && (address[n] != ':' || !is_port(address + n + 1)))
        *out_why = "its port is no number from 1 to 65535";
    return *out_why == NULL ? n : 0;
}
