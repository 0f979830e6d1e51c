/* SPDX-License-Identifier: BSD-3-Clause */
/* A system that does not tell a process its CPUs, as filters of system calls in containers and
 * emulated kernels do: the online ones are used. Each case is a child, since a filter stays. */
#include "config.h"

#include "cohort/cohort.h"
#include "tests/tap.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

COHORT_ITEMS(twice, i, n, (int64_t n, int32_t x[n]), { x[i] *= 2; });

/* Answers `error` to both system calls; false where no filter may be set. */
static bool filter(int first, int second, int error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)first, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)second, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
    };
    struct sock_fprog program = { .len = sizeof code / sizeof *code, .filter = code };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool was_said;

static void listen(void *user, int level, const char *line)
{
    (void)user;
    (void)level;
    was_said = was_said || strstr(line, "does not say which CPUs") != NULL;
}

/* What a child found out, as its exit code. */
enum { RUNS = 1, ALL_ONLINE = 2, IS_SAID = 4, NO_FILTER = 64 };

static bool runs(void)
{
    enum { N = 1000 };
    static int32_t x[N];
    for (int32_t i = 0; i < N; i++)
        x[i] = i;
    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, N));
    (void)cohort_run(s, twice, v);
    bool is_good = cohort_value_read(v, COHORT_ARRAY(x, N)) == COHORT_OK;
    if (!is_good)
        diag("%s", cohort_error_text());
    for (int32_t i = 0; i < N; i++)
        is_good = is_good && x[i] == 2 * i;
    cohort_strategy_destroy(s);
    return is_good;
}

static int look(void)
{
    cohort_log_set(listen, NULL, COHORT_LOG_INFO);
    bool is_good = runs();
    const cohort_device *host = cohort_device_next(NULL);
    while (host != NULL && strcmp(cohort_device_id(host), "host:0") != 0)
        host = cohort_device_next(host);
    const char *units = cohort_device_property(host, "compute_units");
    bool is_all = units != NULL && atol(units) == sysconf(_SC_NPROCESSORS_ONLN);
    return (is_good ? RUNS : 0) | (is_all ? ALL_ONLINE : 0) | (was_said ? IS_SAID : 0);
}

static void check(const char *what, int first, int second, int error)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(filter(first, second, error) ? look() : NO_FILTER);
    (void)waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER) {
        skip(what, "the system takes no filter of system calls");
        return;
    }
    int found = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    ok((found & RUNS) != 0, "%s: a strategy on host/2 runs", what);
    ok((found & ALL_ONLINE) != 0, "... on all CPUs that are online");
    ok((found & IS_SAID) != 0, "... which the log says");
}

int main(void)
{
    (void)setenv("OMP_NUM_THREADS", "2", 1); /* whatever quota there is */
    (void)unsetenv("OMP_PROC_BIND");
    check("no sched_getaffinity (EPERM)", SYS_sched_getaffinity, SYS_sched_getaffinity, EPERM);
    check("none (ENOSYS)", SYS_sched_getaffinity, SYS_sched_getaffinity, ENOSYS);
    check("no sched_setaffinity either", SYS_sched_getaffinity, SYS_sched_setaffinity, EPERM);
    return tap_done();
}
