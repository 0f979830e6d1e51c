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

#define WORDS "list verify show diff convert prune"

static const char help[] =
    "usage: cohort checkpoint list|verify|show PATH [--json]\n"
    "       cohort checkpoint diff PATH PATH [--json]\n"
    "       cohort checkpoint convert PATH FILE.npz|FILE.safetensors [--json]\n"
    "       cohort checkpoint prune FOLDER --keep N [--best greatest|least] [--json]\n"
    "\n"
    "Say what is in checkpoints, make other files of them, and remove old ones. PATH is a\n"
    "folder that a program saves to, or a file of the safetensors format, also of another\n"
    "program's; of a folder show, diff and convert take the newest generation that is whole.\n"
    "\n"
    "  list     the generations of a folder: step, tensors, bytes, time\n"
    "  verify   read everything, with all checksums, and name each tensor that is damaged\n"
    "  show     names, dtypes and shapes of the tensors, and the metadata\n"
    "  diff     the tensors in which two differ\n"
    "  convert  write all that is in one as a .npz file of NumPy's, or what is in such a file\n"
    "           as a safetensors file with checksums\n"
    "  prune    remove the generations of a folder but the newest, and the one with the best\n"
    "           score\n"
    "\n"
    "  --keep N     how many of the newest stay, 2 to 1000000\n"
    "  --best NAME  greatest or least: which score is the best; default: none stays for its score\n"
    "  --json       one JSON object on stdout: schema, and generations, tensors, notes, "
    "differences,\n"
    "               from and to, or removed\n"
    "  --help       this text\n"
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
    int (*run_keep)(const char *folder, const checkpoint_kept *kept, json *out);
} word;

static const word words[] = { { .name = "list", .run = checkpoint_list },
                              { .name = "verify", .run = checkpoint_verify },
                              { .name = "show", .run = checkpoint_show },
                              { .name = "diff", .run_two = checkpoint_diff },
                              { .name = "convert", .run_two = checkpoint_convert },
                              { .name = "prune", .run_keep = checkpoint_prune } };
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
    cli_fail(EXIT_USAGE, "checkpoint: there is no '%s'; list, verify, show, diff, convert or prune",
             name);
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

static int run_word(const word *w, char *const paths[], const checkpoint_kept *kept, json *out)
{
    if (out != NULL) {
        json_object(out, NULL);
        json_integer(out, "schema", 1);
    }
    int code = w->run != NULL       ? w->run(paths[0], out)
               : w->run_two != NULL ? w->run_two(paths[0], paths[1], out)
                                    : w->run_keep(paths[0], kept, out);
    if (out != NULL)
        json_object_end(out);
    return code;
}

enum { KEEP = 1, BEST, JSON };
static const struct option options[] = { { "keep", required_argument, NULL, KEEP },
                                         { "best", required_argument, NULL, BEST },
                                         { "json", no_argument, NULL, JSON },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

static bool take_best(const char *text, checkpoint_kept *out)
{
    out->best = strcmp(text, "greatest") == 0 ? COHORT_CHECKPOINT_GREATEST
                : strcmp(text, "least") == 0  ? COHORT_CHECKPOINT_LEAST
                                              : COHORT_CHECKPOINT_NO_BEST;
    if (out->best != COHORT_CHECKPOINT_NO_BEST)
        return true;
    cli_fail(EXIT_USAGE, "--best %s: expected greatest or least", text);
    return false;
}

static bool take_option(int option, checkpoint_kept *out, bool *wants_json)
{
    enum { LEAST_KEPT = 2, MOST_KEPT = 1000000 };
    uint64_t number = 0;
    if (option == KEEP && !cli_integer("--keep", optarg, LEAST_KEPT, MOST_KEPT, &number))
        return false;
    if (option == KEEP)
        out->keep = (int32_t)number;
    *wants_json = *wants_json || option == JSON;
    return option != BEST || take_best(optarg, out);
}

static bool check_kept(const word *w, const checkpoint_kept *kept)
{
    bool is_given = kept->keep > 0 || kept->best != COHORT_CHECKPOINT_NO_BEST;
    if (w->run_keep != NULL && kept->keep == 0)
        return missing("--keep, the number of generations that stay, is"), false;
    if (w->run_keep == NULL && is_given)
        return cli_fail(EXIT_USAGE, "checkpoint %s: --keep and --best are for prune", w->name),
               false;
    return true;
}

static int run_words(const cli_command *self, int argc, char **argv, const checkpoint_kept *kept,
                     json *out)
{
    if (optind == argc)
        return missing("list, verify, show, diff, convert or prune is");
    const word *w = find(argv[optind++]);
    if (w == NULL || !check_kept(w, kept))
        return EXIT_USAGE;
    char *const *paths = argv + optind;
    int n = w->run_two != NULL ? 2 : 1;
    if (argc - optind < n)
        return missing(n == 1 ? "the path is" : "two paths are to be given; one is");
    optind += n;
    return cli_no_words(self, argc, argv) ? run_word(w, paths, kept, out) : EXIT_USAGE;
}

static int run(const cli_command *self, int argc, char **argv)
{
    checkpoint_kept kept = { 0 };
    bool wants_json = false;
    json out = { .file = stdout };
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (!take_option(option, &kept, &wants_json))
            return EXIT_USAGE;
    }
    return run_words(self, argc, argv, &kept, wants_json ? &out : NULL);
}

static const cli_value values[] = { { NULL, CLI_WORD, WORDS },
                                    { "best", CLI_WORD, "greatest least" },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_checkpoint = {
    "checkpoint", "what is in checkpoints, and whether it is whole", help, run, options, values
};
