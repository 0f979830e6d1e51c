/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of bodies as numbers: the texts that Cohort knows, families, and vendors' own. */
#include "config.h"

#include "runtime/function/format.h"

#include "cohort/function.h"
#include "runtime/operation/executable_make.h"
#include "tests/tap.h"

static void test_none(void)
{
    ok(cohort_format_of(NULL) == COHORT_FORMAT_NONE && cohort_format_of("") == COHORT_FORMAT_NONE,
       "no text is no format");
    ok(!cohort_format_is_native(COHORT_FORMAT_NONE) && !cohort_format_is_opencl(COHORT_FORMAT_NONE),
       "and of no family");
    ok(cohort_format_name(COHORT_FORMAT_NONE) == NULL, "and has no name");
}

static void test_known(void)
{
    static const struct {
        const char *name;
        bool is_native;
    } known[] = { { "native.fn", true },     { "native.sym", true },  { "opencl.c", false },
                  { "opencl.spirv", false }, { "opencl.bin", false }, { "opencl.enqueue", false } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        cohort_format format = cohort_format_of(known[i].name);
        const char *name = cohort_format_name(format);
        is_text(name != NULL ? name : "NULL", known[i].name, "%s is known by its name",
                known[i].name);
        ok(cohort_format_is_native(format) == known[i].is_native &&
               cohort_format_is_opencl(format) == !known[i].is_native,
           "%s is of one family", known[i].name);
        ok(cohort_format_is_taken(known[i].name, known[i].name), "%s is taken where it is listed",
           known[i].name);
    }
}

static void test_others(void)
{
    ok(cohort_format_of("npu.elf") == COHORT_FORMAT_FOREIGN &&
           cohort_format_of("native") == COHORT_FORMAT_FOREIGN &&
           cohort_format_of("Opencl.c") == COHORT_FORMAT_FOREIGN,
       "another text is foreign");
    cohort_format native = cohort_format_of("native.fn2"), opencl = cohort_format_of("opencl.cl");
    ok(cohort_format_is_native(native) && cohort_format_name(native) == NULL,
       "a vendor's own may be native");
    ok(cohort_format_is_opencl(opencl) && cohort_format_name(opencl) == NULL, "or of OpenCL");
    ok(cohort_format_is_taken("npu.elf", "npu.elf") &&
           !cohort_format_is_taken("npu.elf", "npu.o") &&
           !cohort_format_is_taken("opencl.a", "opencl.b"),
       "vendors' own are told by their texts");
}

static void test_symbols(void)
{
    ok(cohort_format_is_taken("native.sym", "native.fn"), "a symbol is taken as a function");
    ok(!cohort_format_is_taken("native.fn", "native.sym") &&
           !cohort_format_is_taken("native.sym", "opencl.c"),
       "and a function never as a symbol");
}

static void empty(void)
{
}

/* What a device of these formats says to a function that has no body for it. */
static const char *refusal(const cohort_function *function, const char *const formats[])
{
    cohort_device_info info = { .struct_size = sizeof info, .formats = formats };
    cohort_device device = { .info = &info, .id = "npu:0" };
    return cohort_executable_check(function, &device) == COHORT_EINCOMPATIBLE ? cohort_error_text()
                                                                              : "no refusal";
}

static void test_remedies(void)
{
    static const char *const opencl[] = { "opencl.enqueue", "opencl.c", NULL },
                             *const host[] = { "native.fn", NULL },
                             *const vendor[] = { "npu.elf", "opencl.c", NULL };
    cohort_function native = { .struct_size = sizeof native, .name = "add", .host = empty },
                    kernel = { .struct_size = sizeof kernel, .name = "add", .opencl = "" };
    is_text(
        refusal(&native, opencl),
        "add: no body for npu:0: it takes opencl.enqueue, opencl.c, the function has native.fn; "
        "give it .opencl = ... or COHORT_ITEMS, or run it on the host (--devices host)",
        "a function for the host alone is told what it takes elsewhere");
    has_text(refusal(&kernel, host),
             "the function has opencl.c; give it a C body (COHORT_FUNCTION, COHORT_ITEMS)",
             "and a kernel what it takes on the host");
    has_text(
        refusal(&native, vendor),
        "; give it a body of that format in .more, or .opencl = ... or COHORT_ITEMS, or run it",
        "of several families each is told");
    has_text(refusal(&native, NULL),
             "it takes none, the function has native.fn; run it on the host",
             "of none nothing but the host is");
}

int main(void)
{
    test_none();
    test_known();
    test_others();
    test_symbols();
    test_remedies();
    return tap_done();
}
