/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort doctor: what of this machine and this environment keeps Cohort from working, or from being
 * fast, and what to do. */
#include "config.h"

#include "cli/doctor.h"

#include "cli/cli.h"
#include "cli/colour.h"
#include "cli/probe.h"
#include "cli/visible.h"

#include <stdarg.h>
#include <string.h>

static const char help[] =
    "usage: cohort doctor [--json]\n"
    "\n"
    "Look at what Cohort needs: its plugins, cores, OpenCL drivers, folders, limits, environment "
    "variables, MPI and data.\n"
    "Each device builds and runs a kernel in a process of its own, which its driver may end.\n"
    "Each line is ok, or wrong with a line 'fix: what to do', or a note of what could be better or "
    "is "
    "not there.\n"
    "\n"
    "  --json  one JSON object: schema, ok, checks\n"
    "  --help  this text\n"
    "\n"
    "Exit codes: 0 nothing is wrong, 1 something is, 2 wrong usage.\n";

static const char *const names[] = { "ok", "note", "wrong" };

static void say_text(doctor_verdict verdict, const char *check, const char *fix, const char *text)
{
    static const colour colours[] = { COLOUR_GOOD, COLOUR_NOTE, COLOUR_BAD };
    char padded[16];
    (void)snprintf(padded, sizeof padded, "%-5s", names[verdict]);
    colour_print(colours[verdict], padded);
    printf("  %-9s ", check);
    visible_print(stdout, text, strlen(text));
    printf("\n");
    if (fix[0] == '\0')
        return;
    printf("fix: ");
    visible_print(stdout, fix, strlen(fix));
    printf("\n");
}

static void say_json(json *out, doctor_verdict verdict, const char *check, const char *fix,
                     const char *text)
{
    json_object(out, NULL);
    json_text(out, "check", check);
    json_text(out, "result", names[verdict]);
    json_text(out, "text", text);
    json_text(out, "fix", fix[0] != '\0' ? fix : NULL);
    json_object_end(out);
}

void doctor_say(doctor *d, doctor_verdict verdict, const char *check, const char *fix,
                const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    d->n[verdict]++;
    fix = fix != NULL ? fix : "";
    if (d->wants_json)
        say_json(&d->out, verdict, check, fix, text);
    else
        say_text(verdict, check, fix, text);
}

static void check_all(doctor *d)
{
    static void (*const checks[])(doctor *) = { doctor_plugins,  doctor_cores, doctor_opencl,
                                                doctor_kernels,  doctor_cache, doctor_limits,
                                                doctor_settings, doctor_mpi,   doctor_data };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        checks[i](d);
}

static void report_json(doctor *d)
{
    json_object(&d->out, NULL);
    json_integer(&d->out, "schema", 1);
    json_array(&d->out, "checks");
    check_all(d);
    json_array_end(&d->out);
    json_bool(&d->out, "ok", d->n[DOCTOR_WRONG] == 0);
    json_object_end(&d->out);
}

static int run(const cli_command *self, int argc, char **argv)
{
    doctor d = { .out = { .file = stdout } };
    int code;
    if (!cli_json_option(self, argc, argv, &d.wants_json, &code))
        return code;
    if (!cli_no_words(self, argc, argv))
        return EXIT_USAGE;
    d.findings = probe_plugins(&(probe_wish){ .depth = PROBE_RUN });
    finding_leave_out(d.findings);
    if (d.wants_json)
        report_json(&d);
    else
        check_all(&d);
    if (!d.wants_json)
        printf("%d ok, %d to note, %d wrong\n", d.n[DOCTOR_OK], d.n[DOCTOR_NOTE],
               d.n[DOCTOR_WRONG]);
    finding_free_all(d.findings);
    return d.n[DOCTOR_WRONG] == 0 ? EXIT_OK : EXIT_FAILED;
}

const cli_command cli_doctor = { "doctor",
                                 "what is wrong with the installation, and how to put it right",
                                 help,
                                 run,
                                 cli_json_options,
                                 NULL };
