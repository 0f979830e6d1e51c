/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort checkpoint: what checkpoints hold, whether they are whole, and what differs. */
#include "config.h"

#include "cli/checkpoint.h"

#include "cli/cli.h"
#include "cli/closest.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#define WORDS "list verify show diff"

static const char help[] =
    "usage: cohort checkpoint list|verify|show PATH [--json]\n"
    "       cohort checkpoint diff PATH PATH [--json]\n"
    "\n"
    "Say what is in checkpoints. PATH is a folder that a program saves to, or a file of the\n"
    "safetensors format, also of another program's; of a folder show and diff take the newest\n"
    "generation that is whole.\n"
    "\n"
    "  list    the generations of a folder: step, tensors, bytes, time\n"
    "  verify  read everything, with all checksums, and name each tensor that is damaged\n"
    "  show    names, dtypes and shapes of the tensors, and the metadata\n"
    "  diff    the tensors in which two differ\n"
    "\n"
    "  --json  one JSON object on stdout: schema, and generations, tensors, notes or differences\n"
    "  --help  this text\n"
    "\n"
    "Exit codes: 0 fine, 1 a checkpoint is damaged or not there, or two differ, 2 wrong usage.\n";

/* ------------------------------------------------------------------ shared */

bool checkpoint_is_folder(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode);
}

bool checkpoint_path(const char *folder, const char *file, char *room)
{
    int used = snprintf(room, CHECKPOINT_PATH_BYTES, "%s/%s", folder, file);
    if (used >= 0 && used < CHECKPOINT_PATH_BYTES)
        return true;
    cli_fail(EXIT_FAILED, "checkpoint: a path of %d bytes is too long", used);
    return false;
}

static const char *name_of_dtype(const cohort_checkpoint_tensor *t)
{
    return t->dtype != COHORT_VOID ? cohort_dtype_name(t->dtype) : t->type;
}

void checkpoint_print_spec(const cohort_checkpoint_tensor *t)
{
    printf("%s", name_of_dtype(t));
    if (t->dtype == COHORT_RECORD)
        printf(" of %" PRId64 " bytes", t->item_bytes);
    printf(" (");
    for (int32_t i = 0; i < t->rank; i++)
        printf("%s%" PRId64, i > 0 ? ", " : "", t->shape[i]);
    printf(t->rank == 1 ? ",)" : ")");
}

void checkpoint_json_spec(json *out, const cohort_checkpoint_tensor *t)
{
    json_text(out, "dtype", t->dtype != COHORT_VOID ? cohort_dtype_name(t->dtype) : NULL);
    json_text(out, "type", t->type);
    json_array(out, "shape");
    for (int32_t i = 0; i < t->rank; i++)
        json_integer(out, NULL, t->shape[i]);
    json_array_end(out);
    json_integer(out, "bytes", t->bytes);
}

/* ------------------------------------------------------------------ the command */

typedef struct word {
    const char *name;
    int (*run)(const char *path, json *out);
    int (*run_two)(const char *path, const char *other, json *out);
} word;

static const word words[] = { { "list", checkpoint_list, NULL },
                              { "verify", checkpoint_verify, NULL },
                              { "show", checkpoint_show, NULL },
                              { "diff", NULL, checkpoint_diff } };
enum { N_WORDS = sizeof words / sizeof *words };

static const word *find(const char *name)
{
    const char *names[N_WORDS + 1] = { NULL };
    for (int i = 0; i < N_WORDS; i++) {
        names[i] = words[i].name;
        if (strcmp(words[i].name, name) == 0)
            return &words[i];
    }
    const char *meant = closest(name, names);
    cli_fail(EXIT_USAGE, "checkpoint: there is no '%s'; list, verify, show or diff", name);
    if (meant != NULL)
        cli_fix("did you mean 'cohort checkpoint %s'?", meant);
    return NULL;
}

static int missing(const char *what)
{
    cli_fail(EXIT_USAGE, "checkpoint: %s missing", what);
    cli_fix("cohort checkpoint --help");
    return EXIT_USAGE;
}

static int run_word(const word *w, char *const paths[], json *out)
{
    if (out != NULL) {
        json_object(out, NULL);
        json_integer(out, "schema", 1);
    }
    int code = w->run != NULL ? w->run(paths[0], out) : w->run_two(paths[0], paths[1], out);
    if (out != NULL)
        json_object_end(out);
    return code;
}

static int run(const cli_command *self, int argc, char **argv)
{
    bool wants_json;
    int code;
    json out = { .file = stdout };
    if (!cli_json_option(self, argc, argv, &wants_json, &code))
        return code;
    if (optind == argc)
        return missing("list, verify, show or diff is");
    const word *w = find(argv[optind++]);
    if (w == NULL)
        return EXIT_USAGE;
    char *const *paths = argv + optind;
    int n = w->run != NULL ? 1 : 2;
    if (argc - optind < n)
        return missing(n == 1 ? "the path is" : "two paths are to be given; one is");
    optind += n;
    return cli_no_words(self, argc, argv) ? run_word(w, paths, wants_json ? &out : NULL)
                                          : EXIT_USAGE;
}

static const cli_value values[] = { { NULL, CLI_WORD, WORDS }, { NULL, CLI_ANY, NULL } };

const cli_command cli_checkpoint = {
    "checkpoint", "what is in checkpoints, and whether it is whole", help, run, cli_json_options,
    values
};
