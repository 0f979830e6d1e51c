/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that load the library, use it and unload it, beside other threads too, by its own file
 * or by that of a library which uses it. This program links neither; it starts itself: with an
 * argument it is the one that unloads, and ends with its own exit code if nothing went wrong. */
#include "config.h"

#include "tests/tap.h"
#include "tests/unload/user.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CODE = 7, MOST_SECONDS = 120, TIMES = 3 };

/* ---- The program that unloads. */

static void fail(const char *why)
{
    diag("%s", why != NULL ? why : "it has no reason");
    _exit(1);
}

static void *open_built(const char *file)
{
    char path[4096];
    const char *build = getenv("builddir");
    (void)snprintf(path, sizeof path, "%s/%s", build != NULL ? build : ".", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail(dlerror());
    return library;
}

/* ISO C has no conversion from data to function pointers. */
#define FIND(library, name, into)                                                                  \
    do {                                                                                           \
        void *found_ = dlsym((library), (name));                                                   \
        if (found_ == NULL)                                                                        \
            fail(dlerror());                                                                       \
        memcpy((into), &found_, sizeof found_);                                                    \
    } while (false)

/* What the library has begun meanwhile goes on, or ends, after it was unloaded. */
static void pause_a_moment(void)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
}

static void use_itself(void)
{
    void *(*mirrored)(const char *devices);
    void (*destroy)(void *strategy);
    void *library = open_built(".libs/libcohort.so.1");
    FIND(library, "cohort_mirrored", &mirrored);
    FIND(library, "cohort_strategy_destroy", &destroy);
    void *strategy = mirrored("host:0");
    if (strategy == NULL)
        fail("no strategy");
    destroy(strategy);
    (void)dlclose(library);
}

static void use_by_user(const char *devices)
{
    use_fn *use;
    void *library = open_built("tests/unload/.libs/libuser.so");
    FIND(library, "use", &use);
    const char *why = use(devices);
    if (why != NULL)
        fail(why);
    (void)dlclose(library);
}

static void *idle(void *nothing)
{
    (void)pause();
    return nothing;
}

static void begin_thread(void *(*run)(void *), pthread_t *out)
{
    if (pthread_create(out, NULL, run, NULL) != 0)
        fail("no thread");
}

static void unload_beside_thread(void)
{
    pthread_t other;
    begin_thread(idle, &other);
    use_itself();
    pause_a_moment();
}

static void unload_again(void)
{
    for (int i = 0; i < TIMES; i++) {
        use_by_user("host/2");
        use_by_user("stream,loopback/2");
        pause_a_moment();
    }
}

static void *use_aside(void *nothing)
{
    use_by_user("host/2");
    use_itself();
    return nothing;
}

static void unload_in_threads(void)
{
    for (int i = 0; i < TIMES; i++) {
        pthread_t threads[2];
        begin_thread(use_aside, &threads[0]);
        begin_thread(use_aside, &threads[1]);
        (void)pthread_join(threads[0], NULL);
        (void)pthread_join(threads[1], NULL);
    }
}

static void exit_in_child(void)
{
    int status = 0;
    use_by_user("host/2");
    pid_t child = fork();
    if (child == 0)
        exit(CODE);
    (void)waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != CODE)
        fail("its child ends otherwise");
    use_by_user("host/2");
}

/* Its files may be replaced by newer ones meanwhile: what is loaded once more is what was there. */
static void look_whether_it_stays(void)
{
    use_by_user("host");
    void *library = dlopen("libcohort.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL)
        fail("it is gone");
    (void)dlclose(library);
    if (dlopen("libcohort.so.1", RTLD_NOW | RTLD_NOLOAD) == NULL)
        fail("it is gone");
}

static const struct {
    const char *name, *claim;
    void (*unload)(void);
} ways[] = {
    { "beside", "that has another thread unloads the library at once", unload_beside_thread },
    { "again", "unloads a library that uses it, and loads it again", unload_again },
    { "threads", "does so in threads that end", unload_in_threads },
    { "child", "forks after that, and its child ends", exit_in_child },
    { "stays", "has the library as long as it runs", look_whether_it_stays },
};
enum { WAYS = sizeof ways / sizeof *ways };

static int unload_as(const char *name)
{
    (void)alarm(MOST_SECONDS); /* far beyond what any takes: who hangs is killed */
    for (int i = 0; i < WAYS; i++)
        if (strcmp(ways[i].name, name) == 0) {
            ways[i].unload();
            return CODE;
        }
    return 1;
}

/* ---- The one that looks. */

static int status_of(const char *name)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", "unload", name, (char *)NULL);
        _exit(127);
    }
    (void)waitpid(child, &status, 0);
    return status;
}

/* Several times, since threads that begin meanwhile are there or not. */
static void ends(int way)
{
    int status = 0, is_good = 1;
    for (int i = 0; i < TIMES && is_good; i++) {
        status = status_of(ways[way].name);
        is_good = WIFEXITED(status) && WEXITSTATUS(status) == CODE;
    }
    if (!ok(is_good, "a program %s", ways[way].claim))
        diag("%s %d", WIFSIGNALED(status) ? "signal" : "exit code",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return unload_as(argv[1]);
    if (access("/proc/self/exe", X_OK) != 0)
        return skip_all("there is no /proc/self/exe");
    for (int way = 0; way < WAYS; way++)
        ends(way);
    return tap_done();
}
