/* SPDX-License-Identifier: BSD-3-Clause */
/* Random steps on random strategies: recorded and replayed in runs of random length they leave what
 * the same calls leave in a loop, to the last bit, and fail at the same step in the same words;
 * where a device fails, each variable is at a prefix of its updates (failure.c).
 *
 * In make check a short run with a fixed seed; with $LONG_SECONDS (make check-long) as long as
 * that, and with $STEPS until as many steps have been compared. $SEED and $ONLY play the same
 * again. $DEVICES has other lists of devices, as "opencl:0;host,opencl:0". */
#include "config.h"

#include "tests/long/recorded/recorded.h"

#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#define EVERYWHERE                                                                                 \
    "host;host/2;host/3;loopback;loopback/2;loopback/3,host;host,loopback;stream;stream/3;"        \
    "host,stream;stream/2,host/2;stream,loopback;stream/2,loopback/2,host"

enum { HANGS_AFTER = 120, SHOWN = 3, CHECKED_STEPS = 400, CHECK_SEED = 20, MOST_STEPS = 40 };

program p[1]; /* of the log: whether what is played is right, its strategy, its error */

static int64_t n_steps, n_calls, n_step_functions, n_errors, n_ends, n_failures, n_losses;

/* ------------------------------------------------------------------ words of an error */

/* What the recorded words have before those of the call itself. */
static const char *behind_step(const outcome *o, int64_t *step, int *call)
{
    int used = 0;
    char name[64];
    *call = 0;
    if (sscanf(o->words, "step %" SCNd64 " of a program: %n", step, &used) != 1 || used == 0)
        return NULL;
    const char *rest = o->words + used;
    used = 0;
    while (sscanf(rest, "call %d, cohort_program_repeat, time %*d of %*d: %n", call, &used) == 1 &&
           used > 0) {
        rest += used;
        used = 0;
    }
    *call = 0;
    if (sscanf(rest, "call %d, %63[a-z_]: %n", call, name, &used) == 2 && used > 0)
        rest += used;
    return rest;
}

static bool has_same_words(const step_calls *calls, const outcome *wanted, const outcome *found,
                           int64_t step)
{
    int64_t said = 0;
    int call = 0;
    static const char next[] = "cohort_input_next: "; /* which a program does not call */
    bool is_next = wanted->call == 0 && strncmp(wanted->words, next, sizeof next - 1) == 0;
    const char *rest = behind_step(found, &said, &call),
               *words = wanted->words + (is_next ? sizeof next - 1 : 0);
    if (rest != NULL && said == step && call == recorded_number(calls, wanted->call) &&
        strcmp(rest, words) == 0)
        return true;
    mismatch("step %lld, call %d unrecorded: '%s'; recorded: '%s'", (long long)step, wanted->call,
             wanted->words, found->words);
    return false;
}

static bool is_alike(const step_calls *calls, const outcome *wanted, const outcome *found,
                     int64_t step)
{
    if (wanted->status != found->status || wanted->steps != found->steps) {
        mismatch("%d after %lld steps recorded ('%s'), %d after %lld in a loop ('%s')",
                 found->status, (long long)found->steps, found->words, wanted->status,
                 (long long)wanted->steps, wanted->words);
        return false;
    }
    return wanted->status >= 0 || count_step_functions(calls) > 0 ||
           has_same_words(calls, wanted, found, step);
}

/* ------------------------------------------------------------------ both beside each other */

static void recover(world *loop, world *replayed)
{
    if (cohort_strategy_recover(loop->s) < 0 || cohort_strategy_recover(replayed->s) < 0)
        mismatch("recover");
}

static void compare(world *loop, world *replayed, const look *instead)
{
    look wanted, found;
    if (instead != NULL)
        wanted = *instead;
    else
        world_look(loop, &wanted);
    world_look(replayed, &found);
    (void)looks_alike(loop, &wanted, &found);
}

typedef enum next_step { NOTHING_MORE, TRIED, UNTRIED } next_step;

/* Steps until the end, or an error. All calls of the first one of a program, and of the first one
 * after recover or a move, are tried before one is made: where one of them is wrong, the loop has
 * made those before it. */
static next_step play_both(world *loop, world *replayed, const step_calls *step, int64_t n,
                           next_step what)
{
    static look first;
    outcome wanted, found;
    int64_t from = cohort_program_steps(replayed->program);
    play_unrecorded(loop, step, n, &wanted, &first);
    play_recorded(replayed, n, &found);
    /* a step that is kept is undone as a whole, where the loop has made the calls before */
    bool is_told_otherwise =
        wanted.status < 0 && (count_step_functions(step) > 0 || replayed->keeps_steps);
    p->is_right = p->is_right && is_alike(step, &wanted, &found, from + wanted.steps + 1);
    bool is_refused = wanted.status < 0 && wanted.call > 0,
         was_trial = is_refused && wanted.steps == 0 && what == UNTRIED;
    if (wanted.status < 0)
        recover(loop, replayed);
    if (p->is_right && !is_told_otherwise)
        compare(loop, replayed, was_trial ? &first : NULL);
    n_steps += wanted.steps;
    n_calls += wanted.steps * step->n;
    n_step_functions += wanted.steps * count_step_functions(step);
    n_errors += wanted.status < 0;
    n_ends += wanted.status == COHORT_END;
    /* the check behind an error makes what this step leaves out */
    return !p->is_right || was_trial || is_told_otherwise || (is_refused && has_condition(step)) ||
                   (wanted.status != COHORT_OK && !is_refused)
               ? NOTHING_MORE
           : is_refused ? UNTRIED
                        : TRIED;
}

/* What is refused already when it is recorded fails in the loop, too: in the same words, but maybe
 * behind an earlier call. */
static void check_refused_recording(world *loop, const step_calls *step)
{
    outcome wanted;
    look first;
    int call = 0, used = 0;
    char words[2048];
    (void)snprintf(words, sizeof words, "%s", cohort_error_text());
    play_unrecorded(loop, step, 1, &wanted, &first);
    if (count_step_functions(step) > 0) /* which speaks of itself and of a replica */
        p->is_right = p->is_right && (wanted.status != COHORT_OK || loop->input != NULL);
    else if (sscanf(words, "cohort_program_record, call %d: %n", &call, &used) != 1 || used == 0)
        mismatch("no call is named");
    else if (wanted.status == COHORT_OK && loop->input == NULL)
        mismatch("refused when it is recorded, and not in the loop: %s", words);
    else if (recorded_number(step, wanted.call) == call && strcmp(words + used, wanted.words) != 0)
        mismatch("recorded: '%s'; in a loop: '%s'", words, wanted.words);
    n_errors++;
}

/* Where a value, or a variable with components, lies is where replicas are hosted. */
static bool names_where_replicas_are(const step_calls *step)
{
    bool does = false;
    for (int i = 0; i < step->n; i++) {
        const call_kind kind = step->calls[i].kind;
        does = does || (step->calls[i].target != AT_TEXT &&
                        (kind == REDUCE_TO || kind == BATCH_REDUCE_TO || kind == BROADCAST_TO ||
                         kind == UPDATE_NON_SLOT));
    }
    return does;
}

/* In half of the worlds replicas move between runs of steps: of the recorded one, which keeps more
 * of where they are. */
static void play_worlds(world *loop, world *replayed, const step_calls *step)
{
    const bool moves = replayed->may_move && !names_where_replicas_are(step) && draw(2) == 0;
    p->s = replayed->s;
    loop->step = 1;
    if (world_record(replayed, step) == NULL) {
        check_refused_recording(loop, step);
        return;
    }
    next_step what = UNTRIED;
    for (int64_t left = 1 + draw(MOST_STEPS); left > 0 && what != NOTHING_MORE;) {
        int64_t n = 1 + draw((int)left);
        if (moves && draw(3) == 0) {
            world_move_replicas(replayed);
            what = UNTRIED;
        }
        what = play_both(loop, replayed, step, n, what);
        left -= n;
    }
}

static void play(uint64_t seed, uint64_t number)
{
    static world loop, replayed;
    static step_calls step;
    design d;
    memset(p, 0, sizeof *p);
    memset(&loop, 0, sizeof loop);
    memset(&replayed, 0, sizeof replayed);
    p->is_right = true;
    log_restart();
    chance_seed(seed, number, 0);
    design_draw(&d);
    draw_step(&d, &step);
    note_calls(&step);
    if (step.n > 0 && world_open(&loop, &d) && world_open(&replayed, &d)) {
        if (design_may_fail(&d) && draw(4) == 0)
            n_failures += play_failure(&d, &loop, &replayed, &step);
        else if (design_may_fail(&d) && draw(4) == 0)
            n_losses += play_loss(&loop, &replayed, &step);
        else
            play_worlds(&loop, &replayed, &step);
    }
    world_close(&loop);
    world_close(&replayed);
    lent_free();
}

/* ------------------------------------------------------------------ all of them */

static uint64_t current_seed, current_number;

static void explain(void)
{
    log_print();
    diag("again, alone: SEED=%llu ONLY=%llu", (unsigned long long)current_seed,
         (unsigned long long)current_number);
}

static void hang(int sig)
{
    (void)sig;
    explain();
    diag("it hangs");
    abort();
}

static uint64_t number_of(const char *setting, uint64_t otherwise)
{
    const char *text = getenv(setting);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

/* Signatures, devices and a team of threads stay for the life of the process. */
static core_live warm_up(void)
{
    const char *devices = getenv("DEVICES");
    bool is_good = team_start() && functions_warm_up() &&
                   worlds_warm_up(devices != NULL ? devices : EVERYWHERE);
    if (!is_good)
        (void)ok(false, "functions and devices: %s", cohort_error_text());
    return core_live_now();
}

static void play_all(uint64_t seconds, int64_t steps, uint64_t only)
{
    uint64_t wrong = 0, played = 0;
    time_t start = time(NULL), end = start + (time_t)seconds;
    uint64_t i = only != UINT64_MAX ? only : 0;
    while (played == 0 || (only == UINT64_MAX && wrong < SHOWN &&
                           (seconds > 0 ? time(NULL) < end : n_steps < steps))) {
        current_number = i;
        (void)alarm(HANGS_AFTER);
        play(current_seed, i++);
        played++;
        if (!p->is_right)
            explain();
        wrong += !p->is_right;
    }
    (void)ok(wrong == 0,
             "%llu programs leave what the loop leaves: %lld steps, %lld calls, %lld of step "
             "functions, %lld errors, %lld ends of the input, %lld failures of devices, %lld "
             "losses without a trace (SEED=%llu)",
             (unsigned long long)played, (long long)n_steps, (long long)n_calls,
             (long long)n_step_functions, (long long)n_errors, (long long)n_ends,
             (long long)n_failures, (long long)n_losses, (unsigned long long)current_seed);
    diag("%lld s", (long long)(time(NULL) - start));
}

int main(void)
{
    uint64_t seconds = number_of("LONG_SECONDS", 0);
    current_seed = number_of("SEED", seconds > 0 ? (uint64_t)time(NULL) : CHECK_SEED);
    (void)signal(SIGALRM, hang);
    diag("SEED=%llu", (unsigned long long)current_seed);
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    if (steer() == NULL || steer_stream() == NULL)
        return skip_all("there is no loopback or stream plugin on COHORT_PLUGIN_PATH");
    faults_open();
    core_live warm = warm_up();
    play_all(seconds, (int64_t)number_of("STEPS", CHECKED_STEPS), number_of("ONLY", UINT64_MAX));
    core_no_leak(warm);
    return tap_done();
}
