/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/cl_macro.h"

#include <stdio.h>
#include <string.h>

/* Each name of a body is looked for among all of them. Source: C11, 5.2.4.1, for how many. */
enum { MOST_PARAMETERS = 127 };
_Static_assert(MOST_PARAMETERS == 127, "a sentence says how many");

static unsigned bucket_of(cl_token name)
{
    unsigned hash = 2166136261u; /* FNV-1a */
    for (int i = 0; i < name.length; i++)
        hash = (hash ^ (unsigned char)name.start[i]) * 16777619u;
    return hash % CL_BUCKETS;
}

static cl_macro *find_any(const cl_macros *macros, cl_token name)
{
    cl_macro *m = macros->buckets[bucket_of(name)];
    while (m != NULL && !cl_same(m->name, name))
        m = m->next;
    return m;
}

cl_macro *cl_macros_find(const cl_macros *macros, cl_token name)
{
    cl_macro *m = find_any(macros, name);
    return m != NULL && m->is_defined ? m : NULL;
}

void cl_macros_undefine(cl_macros *macros, cl_token name)
{
    cl_macro *m = find_any(macros, name);
    if (m != NULL)
        m->is_defined = false;
}

/* The names of "(a, b, ...)", from behind the parenthesis on; where the body begins, or -1 and
 * *out_wrong. */
static int read_parameters(cl_macro *m, pool *p, const cl_token *line, int n,
                           const char **out_wrong)
{
    *out_wrong = "the list of a macro's parameters has no end";
    for (int i = 2; i < n; i++) {
        if (cl_is(line[i], ")"))
            return i + 1;
        m->is_variadic |= cl_is(line[i], "...");
        bool is_many = m->parameters.n == MOST_PARAMETERS;
        if (line[i].kind == CL_NAME && (is_many || !cl_list_add(p, &m->parameters, line[i]))) {
            *out_wrong = is_many ? "a macro has more than 127 parameters" : "no memory";
            return -1;
        }
    }
    return -1;
}

/* __VA_ARGS__ is one more parameter. */
static bool add_variadic(cl_macro *m, pool *p)
{
    static const char name[] = "__VA_ARGS__";
    return cl_list_add(p, &m->parameters,
                       (cl_token){ .kind = CL_NAME, .start = name, .length = sizeof name - 1 });
}

static void insert(cl_macros *macros, cl_macro *m)
{
    cl_macro **bucket = &macros->buckets[bucket_of(m->name)];
    cl_macros_undefine(macros, m->name);
    m->next = *bucket;
    *bucket = m;
}

const char *cl_macros_define(cl_macros *macros, pool *p, const cl_token *line, int n)
{
    const char *wrong = "no memory";
    if (n == 0 || line[0].kind != CL_NAME)
        return "#define wants a name";
    cl_macro *m = pool_take(p, sizeof *m);
    if (m == NULL)
        return wrong;
    *m = (cl_macro){ .name = line[0], .is_defined = true };
    m->is_function = n > 1 && cl_is(line[1], "(") && !line[1].has_space;
    int body = m->is_function ? read_parameters(m, p, line, n, &wrong) : 1;
    if (body < 0)
        return wrong;
    if ((m->is_variadic && !add_variadic(m, p)) ||
        !cl_list_add_all(p, &m->body, line + body, n - body))
        return "no memory";
    insert(macros, m);
    return NULL;
}

const char *cl_macros_define_option(cl_macros *macros, pool *p, const char *text)
{
    const char *is = strchr(text, '=');
    size_t bytes = strlen(text) + 3;
    char *line = pool_take(p, bytes);
    cl_list tokens = { .n = 0 };
    if (line == NULL)
        return "no memory";
    (void)snprintf(line, bytes, "%.*s %s", (int)(is != NULL ? is - text : (long)strlen(text)), text,
                   is != NULL ? is + 1 : "1");
    cl_lexer lexer = {
        .at = line, .end = line + strlen(line), .file = "--build-options", .line = 1
    };
    for (cl_token t = cl_lexer_next(&lexer); t.kind != CL_END; t = cl_lexer_next(&lexer))
        if (!cl_list_add(p, &tokens, t))
            return "no memory";
    return cl_macros_define(macros, p, tokens.tokens, tokens.n);
}
