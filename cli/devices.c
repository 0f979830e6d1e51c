/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort devices: what there is, and why the rest is not used. */
#include "config.h"

#include "cli/devices.h"

#include "cli/cli.h"
#include "cli/colour.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/probe.h"
#include "cli/visible.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: cohort devices [--json] [--svg FILE] [--plugin FILE]\n"
    "\n"
    "List the devices of this machine, and every candidate that is not used with the reason.\n"
    "The ids are what --devices, $COHORT_DEVICES and cohort_mirrored() take; host/2 is the host "
    "cut in two.\n"
    "Each plugin is asked in a process of its own first, and one that ends it is not used.\n"
    "\n"
    "  --json         one JSON object: schema, devices, unused\n"
    "  --svg FILE     draw them as well: cores, compute units and memory, and which devices share "
    "them\n"
    "  --plugin FILE  load this plugin as well; may be repeated\n"
    "  --help         this text\n"
    "\n"
    "Exit codes: 0 fine, 1 a plugin does not load or a file cannot be written, 2 wrong usage, 3 no "
    "device.\n";

const char *devices_property(const cohort_device *device, const char *key)
{
    const char *text = cohort_device_property(device, key);
    return text != NULL ? text : "";
}

int64_t devices_number(const cohort_device *device, const char *key)
{
    return (int64_t)strtoull(devices_property(device, key), NULL, 10);
}

bool devices_is_cpu(const cohort_device *device)
{
    return strcmp(devices_property(device, "type"), "cpu") == 0;
}

/* The host plugin says it behind the version of its driver. */
const char *devices_quota(const cohort_device *device)
{
    const char *quota = strstr(devices_property(device, "driver"), "; quota ");
    return quota != NULL ? quota + strlen("; ") : "";
}

static bool is_default(const cohort_device *device)
{
    return strcmp(devices_property(device, "default"), "yes") == 0;
}

bool devices_runs_examples(const cohort_device *device)
{
    const char *formats = devices_property(device, "formats");
    for (size_t length; *formats != '\0'; formats += length + strspn(formats + length, ", ")) {
        length = strcspn(formats, ",");
        if ((length == 9 && strncmp(formats, "native.fn", length) == 0) ||
            (length == 8 && strncmp(formats, "opencl.c", length) == 0))
            return true;
    }
    return false;
}

const char *devices_choice(const cohort_device *device)
{
    if (is_default(device))
        return "default";
    if (!devices_runs_examples(device))
        return "on request: takes a format of its own alone";
    return devices_is_cpu(device) ? "on request: a CPU" : "on request";
}

static void print_json(void)
{
    json out = { .file = stdout };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_array(&out, "devices");
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d)) {
        json_object(&out, NULL);
        json_text(&out, "id", cohort_device_id(d));
        json_text(&out, "plugin", devices_property(d, "plugin"));
        json_text(&out, "name", devices_property(d, "name"));
        json_integer(&out, "compute_units", devices_number(d, "compute_units"));
        json_integer(&out, "memory_bytes", devices_number(d, "memory_bytes"));
        json_text(&out, "note", devices_property(d, "note"));
        json_object_end(&out);
    }
    json_array_end(&out);
    json_array(&out, "unused");
    for (const cohort_unused *u = cohort_unused_next(NULL); u != NULL; u = cohort_unused_next(u)) {
        json_object(&out, NULL);
        json_text(&out, "candidate", cohort_unused_candidate(u));
        json_text(&out, "reason", cohort_unused_reason(u));
        json_text(&out, "fix", cohort_unused_fix(u));
        json_object_end(&out);
    }
    json_array_end(&out);
    json_object_end(&out);
}

/* The facts that a bug report needs to begin with. */
static const char *describe_machine(char *out, size_t size)
{
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0')
        strcpy(name, "this machine");
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES),
         page_bytes = sysconf(_SC_PAGESIZE);
    (void)snprintf(out, size, "%s: %ld core%s, %.1f GiB memory; cohort %s", name, cores,
                   cores == 1 ? "" : "s", (double)pages * (double)page_bytes / (1 << 30),
                   cohort_version());
    return out;
}

/* Names and reasons come from files and drivers. */
static void print_visible(const char *text)
{
    visible_print(stdout, text, strlen(text));
}

static void print_id(const char *id)
{
    char shown[512];
    printf("  %-12s  ", visible(id, shown, sizeof shown));
}

static void print_device(const cohort_device *device)
{
    int64_t units = devices_number(device, "compute_units");
    print_id(cohort_device_id(device));
    print_visible(devices_property(device, "name"));
    printf(", %lld unit%s", (long long)units, units == 1 ? "" : "s");
    if (devices_quota(device)[0] != '\0') {
        printf(" (");
        print_visible(devices_quota(device));
        printf(")");
    }
    printf(", %.1f GiB", (double)devices_number(device, "memory_bytes") / (1 << 30));
    printf("   %s\n", devices_choice(device));
    const char *note = devices_property(device, "note");
    if (note[0] == '\0')
        return;
    printf("  note: ");
    print_visible(note);
    printf("\n");
}

static void print_unused(void)
{
    const cohort_unused *u = cohort_unused_next(NULL);
    if (u != NULL)
        colour_print(COLOUR_NOTE, "not used"), printf("\n");
    for (; u != NULL; u = cohort_unused_next(u)) {
        print_id(cohort_unused_candidate(u));
        print_visible(cohort_unused_reason(u));
        printf("\n");
        if (cohort_unused_fix(u)[0] == '\0')
            continue;
        printf("  fix: ");
        print_visible(cohort_unused_fix(u));
        printf("\n");
    }
}

/* A device to begin with, on which the demo works: a default one, such as a GPU, or the first. Not
 * each can be cut in two. */
static void print_hint(void)
{
    const cohort_device *device = NULL;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d)) {
        if (!devices_runs_examples(d))
            continue;
        if (device == NULL || is_default(d))
            device = d;
        if (is_default(d))
            break;
    }
    if (device == NULL)
        return;
    printf("Try: cohort demo --devices ");
    print_visible(cohort_device_id(device));
    printf(devices_number(device, "max_parts") >= 2 ? "/2\n" : "\n");
}

static void print_text(void)
{
    char machine[512];
    printf("%s\n", describe_machine(machine, sizeof machine));
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        print_device(d);
    print_unused();
    print_hint();
}

/* ------------------------------------------------------------------ plugins */

enum { MOST_FILES = 64 };

/* The options of the command line. */
typedef struct wanted {
    bool wants_json;
    const char *svg;
    char *files[MOST_FILES]; /* of --plugin */
    int n_files;
} wanted;

/* The library takes absolute paths alone. */
static bool add_file(wanted *w, const char *file)
{
    char *path = realpath(file, NULL);
    if (path == NULL)
        path = strdup(file);
    if (path == NULL || w->n_files == MOST_FILES) {
        free(path);
        cli_fail(EXIT_FAILED, "--plugin %s: there is no room for more than %d", file, w->n_files);
        return false;
    }
    w->files[w->n_files++] = path;
    return true;
}

static bool load(const char *file, const finding *findings)
{
    while (findings != NULL && strcmp(findings->subject, file) != 0)
        findings = findings->next;
    if (findings != NULL)
        cli_fail(EXIT_FAILED, "%s: %s", file, findings->text);
    else if (cohort_plugin_load(file) < 0)
        cli_fail(EXIT_FAILED, "%s", cohort_error_text());
    else
        return true;
    return false;
}

/* Plugins are opened here when they have shown elsewhere that they end nobody. */
static bool open_plugins(const wanted *w)
{
    finding *findings = probe_plugins(
        &(probe_wish){ .files = (const char *const *)w->files, .n_files = w->n_files });
    bool is_good = true;
    for (int i = 0; is_good && i < w->n_files; i++)
        is_good = load(w->files[i], findings);
    if (is_good)
        finding_leave_out(findings);
    finding_free_all(findings);
    return is_good;
}

static bool draw(const char *path)
{
    char machine[512];
    return output_draw(path, devices_draw, describe_machine(machine, sizeof machine));
}

enum { JSON = 1, SVG, PLUGIN };
static const struct option options[] = { { "json", no_argument, NULL, JSON },
                                         { "svg", required_argument, NULL, SVG },
                                         { "plugin", required_argument, NULL, PLUGIN },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

/* The exit code, or -1 to go on. */
static int read_options(wanted *w, const cli_command *self, int argc, char **argv)
{
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (option == PLUGIN && !add_file(w, optarg))
            return EXIT_FAILED;
        w->wants_json = w->wants_json || option == JSON;
        w->svg = option == SVG ? optarg : w->svg;
    }
    return cli_no_words(self, argc, argv) ? -1 : EXIT_USAGE;
}

static int report(const wanted *w)
{
    if (!open_plugins(w))
        return EXIT_FAILED;
    if (w->wants_json)
        print_json();
    else
        print_text();
    if (w->svg != NULL && !draw(w->svg))
        return EXIT_FAILED;
    if (cohort_device_next(NULL) != NULL)
        return EXIT_OK;
    cli_fail(EXIT_NO_DEVICE, "there is no usable device");
    cli_fix("the host plugin, cohort-host.so, belongs into the plugin folder that cohort version "
            "names, or set "
            "COHORT_PLUGIN_PATH");
    return EXIT_NO_DEVICE;
}

static int run(const cli_command *self, int argc, char **argv)
{
    wanted w = { .wants_json = false };
    int code = read_options(&w, self, argc, argv);
    if (code < 0)
        code = report(&w);
    for (int i = 0; i < w.n_files; i++)
        free(w.files[i]);
    return code;
}

static const cli_value values[] = { { "svg", CLI_FILE, NULL },
                                    { "plugin", CLI_FILE, NULL },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_devices = { "devices", "devices, and why others are not used",
                                  help,      run,
                                  options,   values };
