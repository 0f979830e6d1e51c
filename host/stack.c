/* SPDX-License-Identifier: BSD-3-Clause */
/* libomp has a call that says how large its threads' stacks are. libgomp has none: its variables
 * are read as it reads them. A number, with blanks around it, in KiB or in the unit of a letter
 * behind it; of what is none it says so and passes on to the next variable. */
#include "config.h"

#include "host/stack.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n\v\f\r";

/* The power of two of the unit at *at, which is passed over; none: KiB. -1: no unit. */
static int take_unit(const char **at)
{
    static const char units[] = "bBkKmMgG";
    if (**at == '\0')
        return 10;
    const char *unit = strchr(units, *(*at)++);
    return unit != NULL ? (int)(unit - units) / 2 * 10 : -1;
}

static bool parse(const char *text, size_t *out_bytes)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (errno != 0 || end == text)
        return false;
    const char *at = end + strspn(end, blanks);
    int shift = take_unit(&at);
    at += strspn(at, blanks);
    if (shift < 0 || *at != '\0' || number << shift >> shift != number)
        return false;
    *out_bytes = number << shift;
    return true;
}

/* Of libomp alone. The runtime that is there is known only now (team_runtime). */
extern size_t kmp_get_stacksize_s(void) __attribute__((weak));

static bool is_said_by(const char *variable, struct stack *out)
{
    const char *text = getenv(variable);
    if (text == NULL || (kmp_get_stacksize_s == NULL && !parse(text, &out->bytes)))
        return false;
    out->variable = variable;
    (void)snprintf(out->text, sizeof out->text, "%s", text);
    return true;
}

static struct stack find(void)
{
    static const char *const variables[] = { "OMP_STACKSIZE", "GOMP_STACKSIZE" };
    struct stack stack = { 0 };
    bool is_said = kmp_get_stacksize_s != NULL && is_said_by("KMP_STACKSIZE", &stack);
    for (int i = 0; i < 2 && !is_said; i++)
        is_said = is_said_by(variables[i], &stack);
    if (kmp_get_stacksize_s != NULL)
        stack.bytes = kmp_get_stacksize_s();
    return stack;
}

const struct stack *stack_get(void)
{
    static struct stack stack;
    static bool is_found;
    if (!is_found) {
        stack = find();
        is_found = true; /* written once, and not where others read */
    }
    return &stack;
}
