/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoint managers: what is refused; when they save, and that training goes on meanwhile; what
 * they keep; errors of their thread; signals that end a training in order. */
#include "config.h"

#include "tests/checkpoint_folder.h"
#include "tests/core.h"

#include <fcntl.h>
#include <math.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

enum { ELEMENTS = 5000 };

typedef cohort_checkpoint_manager_options with;

/* A strategy with a variable, w. */
static cohort_strategy *strategy_with(cohort_variable **out)
{
    cohort_strategy *s = cohort_mirrored("host/2");
    *out = cohort_variable_create(s, "w", COHORT_ARRAY((float *)NULL, ELEMENTS), NULL);
    return s;
}

/* Of all elements; NAN: they are not equal. */
static float content_of(cohort_variable *w)
{
    static float found[ELEMENTS];
    if (cohort_variable_read(w, COHORT_ARRAY(found, ELEMENTS)) != COHORT_OK)
        return NAN;
    for (int i = 1; i < ELEMENTS; i++)
        if (found[i] != found[0])
            return NAN;
    return found[0];
}

static int64_t newest_step(void)
{
    cohort_checkpoint *c = cohort_checkpoint_open(folder_path);
    int64_t step = cohort_checkpoint_step(c);
    cohort_checkpoint_close(c);
    return step;
}

static bool has_generation(int number)
{
    char name[64];
    (void)snprintf(name, sizeof name, "checkpoint-%06d.safetensors", number);
    return has_file(folder_path, name);
}

/* ------------------------------------------------------------------ wrong calls */

static void refuse_makers(cohort_strategy *s)
{
    int word = 0;
#define make(...) cohort_checkpoint_manager_create(s, folder_path, &(with){ __VA_ARGS__ })
    ok(cohort_checkpoint_manager_create(NULL, folder_path, NULL) == NULL, "no strategy");
    ok(refused_null_for(s, "the folder", cohort_checkpoint_manager_create(s, NULL, NULL)),
       "no folder");
    ok(refused_null_for(s, "is no folder",
                        cohort_checkpoint_manager_create(s, "a.safetensors", NULL)),
       "the name of a file");
    ok(refused_null_for(s, "every -1 steps", make(.every_steps = -1)),
       "a negative number of steps");
    ok(refused_null_for(s, "seconds", make(.every_seconds = -1)), "a negative time");
    ok(refused_null_for(s, "seconds", make(.every_seconds = NAN)), "a time that is no number");
    ok(refused_null_for(s, "seconds", make(.every_seconds = INFINITY)), "an endless one");
    ok(refused_null_for(s, "best is 9", make(.best = 9)), "a best that is none");
    ok(refused_null_for(s, "keep is 1", make(.keep = 1)), "one generation alone");
    ok(refused_null_for(s, "signal 9;", make(.stop_signal = SIGKILL)), "a signal that kills");
    ok(refused_null_for(s, "signal 11;", make(.stop_signal = SIGSEGV)), "or that means a fault");
    ok(refused_null_for(s, "signal -1;", make(.stop_signal = -1)), "or is none");
    ok(refused_null_for(s, "reserved", make(.reserved = { &word })), "a reserved word");
#undef make
}

static void test_wrong_calls(void)
{
    cohort_variable *w;
    cohort_strategy *s = strategy_with(&w);
    refuse_makers(s);
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(s, folder_path, NULL);
    ok(cohort_checkpoint_manager_step(NULL, 1, NAN, NULL) == COHORT_EINVAL, "no manager");
    ok(!cohort_checkpoint_manager_due(NULL, 1), "for which nothing is due");
    ok(cohort_checkpoint_manager_best(NULL) == NULL, "and nothing is best");
    cohort_checkpoint_manager_destroy(NULL);
    ok(refused_for(s, "step -1", cohort_checkpoint_manager_save(m, -1, NAN, NULL)),
       "a negative step");
    ok(refused_for(
           s, "keep is 1",
           cohort_checkpoint_manager_save(m, 1, NAN, &(cohort_checkpoint_options){ .keep = 1 })),
       "options of a save that are wrong");
    ok(cohort_checkpoint_manager_restore(m, NULL, NULL) == COHORT_END,
       "a folder that is empty is an answer");
    ok(cohort_checkpoint_manager_best(m) == NULL && says("no generation with a score"),
       "and has no best");
    ok(count_files(folder_path) == 0, "nothing was made");
    cohort_checkpoint_manager_destroy(m);
    ok(cohort_checkpoint_manager_wait(m) == COHORT_EINVAL && says("is destroyed already"),
       "one that was destroyed is refused");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ when */

static void test_steps(void)
{
    cohort_variable *w;
    int64_t step = 0;
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m =
        cohort_checkpoint_manager_create(s, folder_path, &(with){ .every_steps = 3 });
    bool is_good = true;
    for (int i = 1; i <= 8; i++) {
        (void)cohort_variable_assign(w, i);
        is_good = is_good && cohort_checkpoint_manager_due(m, i) == (i % 3 == 0) &&
                  cohort_checkpoint_manager_step(m, i, NAN, NULL) == COHORT_OK;
    }
    ok(is_good, "every third step is due");
    ok(cohort_checkpoint_manager_wait(m) == COHORT_OK && newest_step() == 6, "and saved");
    ok(count_files(folder_path) == 3, "twice in eight");
    ok(content_of(w) == 8, "training went on");
    ok(cohort_checkpoint_manager_restore(m, &step, NULL) == COHORT_OK && step == 6 &&
           content_of(w) == 6,
       "a save has the content of its step");
    ok(!cohort_checkpoint_manager_due(m, 8) && cohort_checkpoint_manager_due(m, 9),
       "from which steps are counted after a restore");
    ok(!cohort_checkpoint_manager_due(m, INT64_MIN) && cohort_checkpoint_manager_due(m, INT64_MAX),
       "no step is out of range for the question");
    ok(cohort_checkpoint_manager_save(m, 7, NAN, NULL) == COHORT_OK &&
           cohort_checkpoint_manager_wait(m) == COHORT_OK && newest_step() == 7,
       "a save need not be due");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

static void test_seconds(void)
{
    cohort_variable *w;
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *often = cohort_checkpoint_manager_create(
                                  s, folder_path, &(with){ .every_seconds = 1e-9 }),
                              *seldom = cohort_checkpoint_manager_create(
                                  s, folder_path, &(with){ .every_seconds = 1e9 });
    while (!cohort_checkpoint_manager_due(often, 0))
        continue;
    ok(!cohort_checkpoint_manager_due(seldom, 0), "time is over, or not");
    ok(cohort_checkpoint_manager_step(often, 1, NAN, NULL) == COHORT_OK &&
           cohort_checkpoint_manager_wait(often) == COHORT_OK && newest_step() == 1,
       "and then a step is saved");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* ------------------------------------------------------------------ while it trains */

/* A save that is not over until the test lets it. */
typedef struct held {
    sem_t is_there, goes_on;
    int64_t step;
    char path[256];
} held;

static void hold(const char *path, int64_t step, void *user)
{
    held *h = user;
    h->step = step;
    (void)snprintf(h->path, sizeof h->path, "%s", path);
    (void)sem_post(&h->is_there);
    (void)sem_wait(&h->goes_on);
}

static void held_begin(held *h)
{
    (void)sem_init(&h->is_there, 0, 0);
    (void)sem_init(&h->goes_on, 0, 0);
}

static void held_end(held *h)
{
    (void)sem_destroy(&h->is_there);
    (void)sem_destroy(&h->goes_on);
}

static void test_meanwhile(void)
{
    cohort_variable *w;
    held h;
    held_begin(&h);
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m =
        cohort_checkpoint_manager_create(s, folder_path, &(with){ .durable = hold, .user = &h });
    (void)cohort_variable_assign(w, 1.0);
    ok(cohort_checkpoint_manager_save(m, 1, NAN, NULL) == COHORT_OK, "a save returns");
    (void)sem_wait(&h.is_there);
    bool is_good = true;
    for (int i = 2; i < 50; i++) {
        (void)cohort_variable_assign(w, i);
        is_good = is_good && cohort_checkpoint_manager_step(m, i, NAN, NULL) == COHORT_OK;
    }
    ok(is_good && content_of(w) == 49, "and steps do not wait for it");
    ok(h.step == 1 && strstr(h.path, "checkpoint-000001.safetensors") != NULL && newest_step() == 1,
       "whoever is told that it is durable finds it");
    (void)sem_post(&h.goes_on);
    ok(cohort_checkpoint_manager_wait(m) == COHORT_OK, "a wait does");
    ok(cohort_checkpoint_manager_save(m, 2, NAN, NULL) == COHORT_OK, "another save");
    (void)sem_post(&h.goes_on);
    cohort_strategy_destroy(s);
    ok(newest_step() == 2, "is there when the strategy is destroyed");
    held_end(&h);
    remove_files(folder_path);
}

typedef struct calling {
    cohort_checkpoint_manager *m;
    cohort_status saved, waited, restored;
} calling;

static void call_back(const char *path, int64_t step, void *user)
{
    calling *c = user;
    (void)path;
    c->saved = cohort_checkpoint_manager_save(c->m, step + 1, NAN, NULL);
    c->waited = cohort_checkpoint_manager_wait(c->m);
    c->restored = cohort_checkpoint_manager_restore(c->m, NULL, NULL);
    cohort_checkpoint_manager_destroy(c->m);
}

static void test_callback_that_calls(void)
{
    cohort_variable *w;
    calling c = { 0 };
    cohort_strategy *s = strategy_with(&w);
    c.m = cohort_checkpoint_manager_create(s, folder_path,
                                           &(with){ .durable = call_back, .user = &c });
    ok(cohort_checkpoint_manager_save(c.m, 1, NAN, NULL) == COHORT_OK &&
           cohort_checkpoint_manager_wait(c.m) == COHORT_OK,
       "a callback that calls its manager");
    ok(c.saved == COHORT_EINVAL && c.waited == COHORT_EINVAL && c.restored == COHORT_EINVAL,
       "is refused");
    ok(cohort_checkpoint_manager_save(c.m, 2, NAN, NULL) == COHORT_OK &&
           cohort_checkpoint_manager_wait(c.m) == COHORT_OK && newest_step() == 2,
       "and the manager is there still");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* ------------------------------------------------------------------ what stays */

static void save_scores(cohort_checkpoint_manager *m, const double scores[], int n)
{
    bool is_good = true;
    for (int i = 0; i < n; i++)
        is_good = is_good && cohort_checkpoint_manager_save(m, i, scores[i], NULL) == COHORT_OK;
    ok(is_good && cohort_checkpoint_manager_wait(m) == COHORT_OK, "saves with scores");
}

static bool ends_with(const char *text, const char *end)
{
    return text != NULL && strlen(text) >= strlen(end) &&
           strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void test_best(void)
{
    const double scores[] = { 0.5, 0.75, NAN, -0.25, 0.75, 0.5 };
    cohort_variable *w;
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(
        s, folder_path, &(with){ .best = COHORT_CHECKPOINT_GREATEST, .keep = 2 });
    save_scores(m, scores, 4);
    ok(has_generation(2) && has_generation(3) && has_generation(4) && !has_generation(1),
       "the best stays beside the newest two");
    ok(ends_with(cohort_checkpoint_manager_best(m), "checkpoint-000002.safetensors"),
       "and can be found");
    cohort_checkpoint *c = cohort_checkpoint_open(cohort_checkpoint_manager_best(m));
    ok(cohort_checkpoint_score(c) == 0.75, "it says its score");
    cohort_checkpoint_close(c);
    c = cohort_checkpoint_open(file_in(folder_path, "checkpoint-000003.safetensors"));
    ok(isnan(cohort_checkpoint_score(c)) && isnan(cohort_checkpoint_score(NULL)),
       "another one has none");
    cohort_checkpoint_close(c);
    cohort_checkpoint_manager_destroy(m);
    m = cohort_checkpoint_manager_create(s, folder_path,
                                         &(with){ .best = COHORT_CHECKPOINT_LEAST, .keep = 2 });
    ok(ends_with(cohort_checkpoint_manager_best(m), "checkpoint-000004.safetensors"),
       "another manager finds the least of what is there");
    save_scores(m, scores + 4, 2);
    ok(has_generation(4) && has_generation(5) && has_generation(6) && count_files(folder_path) == 4,
       "which stays then");
    ok(cohort_checkpoint_manager_save(m, 9, NAN, NULL) == COHORT_OK &&
           cohort_checkpoint_manager_wait(m) == COHORT_OK && has_generation(4),
       "no score is never the best");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

static void test_prune(void)
{
    cohort_variable *w;
    const double scores[] = { 3, 9, 4, 5, 1 };
    cohort_strategy *s = strategy_with(&w);
    ok(cohort_checkpoint_prune(NULL, 2, COHORT_CHECKPOINT_NO_BEST) == -1, "nowhere to remove");
    ok(cohort_checkpoint_prune("no/such", 2, COHORT_CHECKPOINT_NO_BEST) == -1, "nor there");
    ok(cohort_checkpoint_prune(folder_path, 1, COHORT_CHECKPOINT_NO_BEST) == -1 &&
           says("keep is 1"),
       "two stay at least");
    ok(cohort_checkpoint_prune(folder_path, 2, 7) == -1 && says("best is 7"),
       "a best that is none");
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(s, folder_path, NULL);
    save_scores(m, scores, 5);
    put_file(folder_path, "checkpoint-000009.safetensors.99-0", "left");
    put_file(folder_path, "mine.txt", "mine");
    put_file(folder_path, "checkpoint-000008.safetensors", "damaged");
    ok(cohort_checkpoint_prune(folder_path, 2, COHORT_CHECKPOINT_GREATEST) == 2 &&
           has_generation(2) && has_generation(4) && has_generation(5) && has_generation(8),
       "two that are whole stay, and the best");
    ok(has_file(folder_path, "mine.txt") &&
           !has_file(folder_path, "checkpoint-000009.safetensors.99-0"),
       "what a killed writer left goes, and nothing else");
    int fd = open(file_in(folder_path, "checkpoint.lock"), O_RDWR);
    (void)flock(fd, LOCK_EX);
    ok(cohort_checkpoint_prune(folder_path, 2, COHORT_CHECKPOINT_NO_BEST) == -1 &&
           says("somebody else"),
       "nothing goes while somebody saves");
    (void)close(fd);
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* The header stays right. */
static void damage_content(int number)
{
    static char bytes[1 << 20];
    char name[64];
    (void)snprintf(name, sizeof name, "checkpoint-%06d.safetensors", number);
    size_t n = get_file(folder_path, name, bytes, sizeof bytes);
    bytes[n - 1] ^= 1;
    put_bytes(folder_path, name, bytes, n);
}

static void test_prune_damaged(void)
{
    cohort_variable *w;
    const double scores[] = { 1, 2, 3, 4, 5 };
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(s, folder_path, NULL);
    save_scores(m, scores, 5);
    for (int number = 3; number <= 5; number++)
        damage_content(number);
    ok(cohort_checkpoint_prune(folder_path, 2, COHORT_CHECKPOINT_NO_BEST) == 1 &&
           !has_generation(1) && newest_step() == 1,
       "the last one that is whole stays behind three that look so");
    damage_content(2);
    ok(cohort_checkpoint_prune(folder_path, 2, COHORT_CHECKPOINT_NO_BEST) == -1 &&
           says("is whole") && has_generation(2),
       "all stay where none is");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* ------------------------------------------------------------------ errors */

static void test_busy(void)
{
    cohort_variable *w;
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(s, folder_path, NULL);
    (void)cohort_checkpoint_manager_save(m, 1, NAN, NULL);
    ok(cohort_checkpoint_manager_wait(m) == COHORT_OK, "a save");
    int fd = open(file_in(folder_path, "checkpoint.lock"), O_RDWR);
    (void)flock(fd, LOCK_EX);
    ok(cohort_checkpoint_manager_save(m, 2, NAN, NULL) == COHORT_OK, "one beside somebody else's");
    ok(cohort_checkpoint_manager_wait(m) == COHORT_EAGAIN && says("the save of step 2"),
       "is told by the next call");
    ok(cohort_strategy_status(s) == COHORT_OK && cohort_checkpoint_manager_wait(m) == COHORT_OK,
       "once, and sticks nowhere");
    (void)close(fd);
    ok(cohort_checkpoint_manager_save(m, 3, NAN, NULL) == COHORT_OK &&
           cohort_checkpoint_manager_wait(m) == COHORT_OK && newest_step() == 3,
       "the next one succeeds");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

static void test_full_disk(void)
{
    struct rlimit before, little;
    cohort_variable *w;
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(s, folder_path, NULL);
    (void)cohort_checkpoint_manager_save(m, 1, NAN, NULL);
    ok(cohort_checkpoint_manager_wait(m) == COHORT_OK, "a save");
    int files = count_files(folder_path);
    (void)getrlimit(RLIMIT_FSIZE, &before);
    little = before;
    little.rlim_cur = 5000;
    (void)setrlimit(RLIMIT_FSIZE, &little);
    ok(cohort_checkpoint_manager_save(m, 2, NAN, NULL) == COHORT_OK,
       "one for which there is no room begins");
    cohort_status status = COHORT_OK;
    for (int i = 0; status == COHORT_OK && i < 100000000; i++)
        status = cohort_checkpoint_manager_step(m, 2, NAN, NULL);
    (void)setrlimit(RLIMIT_FSIZE, &before);
    ok(refused(s, COHORT_EINTERNAL, status), "a step tells that it has failed");
    ok(count_files(folder_path) == files && newest_step() == 1, "and the one before is as it was");
    ok(cohort_checkpoint_manager_save(m, 3, NAN, NULL) == COHORT_OK &&
           cohort_checkpoint_manager_wait(m) == COHORT_OK && newest_step() == 3,
       "a later one succeeds");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

/* ------------------------------------------------------------------ signals */

static bool is_default(int signal)
{
    struct sigaction now;
    (void)sigaction(signal, NULL, &now);
    return now.sa_handler == SIG_DFL;
}

static void test_stop(void)
{
    cohort_variable *w;
    int64_t step = 0;
    cohort_strategy *s = strategy_with(&w);
    const with options = { .stop_signal = SIGTERM };
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(s, folder_path, &options),
                              *plain = cohort_checkpoint_manager_create(s, folder_path, NULL);
    ok(cohort_checkpoint_manager_step(m, 1, NAN, NULL) == COHORT_OK && newest_step() == -1,
       "without a signal a step is a step");
    (void)raise(SIGTERM);
    ok(cohort_checkpoint_manager_due(m, 2) && !cohort_checkpoint_manager_due(plain, 2),
       "SIGTERM ends the training of who asked for it");
    (void)cohort_variable_assign(w, 2.0);
    ok(cohort_checkpoint_manager_step(m, 2, NAN, NULL) == COHORT_END && newest_step() == 2,
       "the step is saved when the call returns");
    (void)raise(SIGTERM);
    ok(cohort_checkpoint_manager_step(m, 2, NAN, NULL) == COHORT_END &&
           count_files(folder_path) == 2,
       "a second one changes nothing");
    ok(cohort_strategy_status(s) == COHORT_OK && content_of(w) == 2, "nor is it an error");
    cohort_checkpoint_manager *later = cohort_checkpoint_manager_create(s, folder_path, &options);
    ok(!cohort_checkpoint_manager_due(later, 3), "one that is made later has not been stopped");
    cohort_checkpoint_manager_destroy(m);
    ok(!is_default(SIGTERM), "the handler stays as long as somebody asks");
    ok(cohort_checkpoint_manager_restore(later, &step, NULL) == COHORT_OK && step == 2,
       "and the training goes on");
    cohort_checkpoint_manager_destroy(later);
    ok(is_default(SIGTERM), "then what was there before is there again");
    cohort_strategy_destroy(s);
    remove_files(folder_path);
}

static void handle_otherwise(int signal)
{
    (void)signal;
}

/* A handler that the program sets later is its own. */
static void test_other_handler(void)
{
    cohort_variable *w;
    struct sigaction now;
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m =
        cohort_checkpoint_manager_create(s, folder_path, &(with){ .stop_signal = SIGHUP });
    (void)signal(SIGHUP, handle_otherwise);
    cohort_checkpoint_manager_destroy(m);
    (void)sigaction(SIGHUP, NULL, &now);
    ok(now.sa_handler == handle_otherwise, "a handler that is set meanwhile stays");
    (void)signal(SIGHUP, SIG_DFL);
    cohort_strategy_destroy(s);
}

/* The save of the step that is stopped at is the one that is under way already. */
static void test_stop_in_save(void)
{
    cohort_variable *w;
    held h;
    held_begin(&h);
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(
        s, folder_path,
        &(with){ .every_steps = 1, .stop_signal = SIGUSR1, .durable = hold, .user = &h });
    ok(cohort_checkpoint_manager_step(m, 5, NAN, NULL) == COHORT_OK, "a save is under way");
    (void)sem_wait(&h.is_there);
    (void)raise(SIGUSR1);
    (void)raise(SIGUSR1);
    (void)sem_post(&h.goes_on);
    ok(cohort_checkpoint_manager_step(m, 5, NAN, NULL) == COHORT_END,
       "a signal in it, and another");
    ok(newest_step() == 5 && count_files(folder_path) == 2, "wait for it, and save no second time");
    cohort_strategy_destroy(s);
    ok(is_default(SIGUSR1), "the handler went with the strategy");
    held_end(&h);
    remove_files(folder_path);
}

static void test_stop_that_fails(void)
{
    cohort_variable *w;
    cohort_strategy *s = strategy_with(&w);
    cohort_checkpoint_manager *m =
        cohort_checkpoint_manager_create(s, "no/such/folder", &(with){ .stop_signal = SIGTERM });
    (void)raise(SIGTERM);
    ok(refused(s, COHORT_ENOENT, cohort_checkpoint_manager_step(m, 1, NAN, NULL)),
       "a last save that fails is an error, and no end");
    ok(cohort_checkpoint_manager_due(m, 2), "and is still due");
    cohort_strategy_destroy(s);
}

int main(void)
{
    cohort_strategy_destroy(cohort_mirrored("host/3"));
    (void)core_warm();
    if (!folder_begin())
        return skip_all("no folder can be made here");
    core_live warm = core_live_now();
    test_wrong_calls();
    test_steps();
    test_seconds();
    test_meanwhile();
    test_callback_that_calls();
    test_best();
    test_prune();
    test_prune_damaged();
    test_busy();
    test_full_disk();
    test_stop();
    test_other_handler();
    test_stop_in_save();
    test_stop_that_fails();
    folder_end();
    core_no_leak(warm);
    return tap_done();
}
