/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort plugin kernels: the bodies with which devices are checked, as texts, for whoever has a
 * compiler of another format. */
#include "config.h"

#include "cli/plugin.h"

#include "cli/cli.h"
#include "cli/conformance/bodies.h"
#include "cli/project.h"

#include <string.h>

/* The function, of which the table has one line, a statement on each. */
static void print_function(FILE *file, const char *c)
{
    int depth = 0, parentheses = 0;
    for (; *c != '\0'; c++) {
        parentheses += (*c == '(') - (*c == ')');
        depth += (*c == '{') - (*c == '}');
        (void)fputc(*c, file);
        bool ends = (*c == ';' && parentheses == 0) || *c == '{' || *c == '}';
        if (!ends)
            continue;
        while (c[1] == ' ')
            c++;
        (void)fprintf(file, "\n%*s", 4 * (depth - (c[1] == '}')), "");
    }
}

static void print_c(FILE *file, int i)
{
    (void)fprintf(file,
                  "/* %s: %s. One call does all items. */\n"
                  "#include <stdint.h>\n\n%s",
                  bodies[i].name, body_texts[i].what, body_texts[i].declarations);
    print_function(file, body_texts[i].function);
}

static void print_kernel(FILE *file, int i)
{
    (void)fprintf(file,
                  "/* %s: %s. One work-item does its own item; result: what the function in C "
                  "returns. */\n%s\n",
                  bodies[i].name, body_texts[i].what, bodies[i].source);
}

static void print_readme(FILE *file, int unused)
{
    (void)unused;
    (void)fprintf(
        file,
        "# Bodies by which a device is checked\n\n"
        "For a device that takes neither `native.fn` nor `opencl.c`: compile each of these to its\n"
        "format, `VENDOR.KIND`, and put what comes of it into this folder, as `NAME.KIND`. The\n"
        "content of the file is what `kernel_create` gets as `code->data`; the entry is `body`. "
        "Then\n\n"
        "    cohort plugin check ./cohort-VENDOR.so --kernels .\n\n"
        "tries the rules about launches. The range of a launch has one dimension, with as many "
        "items\n"
        "as there are; a body may do them all in one call, as `NAME.c` does, or one each, as "
        "`NAME.cl`.\n"
        "What the function returns goes to `ret` of the launch. Of a rule whose body is not here "
        "it is\n"
        "not proven that it holds, which is no pass. `give_...` are needed of the dtypes that the\n"
        "device says it has.\n\n"
        "| name | what it does |\n|---|---|\n");
    for (int i = 0; i < BODIES; i++)
        (void)fprintf(file, "| `%s` | %s |\n", bodies[i].name, body_texts[i].what);
}

#define IN_C(name, i) { NULL, name ".c", i, print_c },
#define IN_OPENCL_C(name, i) { NULL, name ".cl", i, print_kernel },
#define BODY(name, ...) IN_C(#name, BODY_##name) IN_OPENCL_C(#name, BODY_##name)
#define GIVE(name, ...)                                                                            \
    IN_C("give_" #name, BODY_give_##name) IN_OPENCL_C("give_" #name, BODY_give_##name)
#define GIVE_IN_C(name, ...) IN_C("give_" #name, BODY_give_##name)
static const project_file files[] = {
#include "cli/conformance/bodies.def"
    { NULL, "README.md", 0, print_readme },
    { NULL, NULL, 0, NULL },
};

static const project_kind kind = { .command = "plugin kernels", .files = files };

int plugin_kernels(const char *folder)
{
    return project_make(&kind, folder, ".");
}
