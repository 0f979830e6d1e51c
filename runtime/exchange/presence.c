/* SPDX-License-Identifier: BSD-3-Clause */
/* A process is there while it holds an address of an abstract Unix socket, which no file stands for and
 * which ends with it. */
#include "config.h"

#include "runtime/cluster/presence.h"

#include "runtime/base/settings.h"
#include "runtime/base/text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_PROCESSES = 1024 };

typedef struct job {
    char key[64];
    long rank, size;
} job;

/* -1: it is not set. */
static long number_of(cohort_setting_id setting)
{
    const char *text = cohort_setting_text(setting);
    return text != NULL ? strtol(text, NULL, 10) : -1;
}

/* MPICH's proxy, which has no name for its job, starts each process in a session of its own: so it is
 * the parent of who leads that, whatever shells stand between. 0: it is not known. Source: proc(5). */
static int find_proxy(void)
{
    char name[40], line[512] = "";
    int parent = 0;
    (void)snprintf(name, sizeof name, "/proc/%d/stat", (int)getsid(0));
    FILE *file = fopen(name, "re");
    const char *end =
        file != NULL && fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    if (end == NULL || sscanf(end, ") %*c %d", &parent) != 1)
        parent = 0;
    if (file != NULL)
        (void)fclose(file);
    return parent;
}

/* False: it is not known, or not all of it is here. */
static bool find_job(job *out)
{
    const char *space = cohort_setting_text(COHORT_SETTING_PMIX_NAMESPACE);
    long here;
    if (cohort_setting_text(COHORT_SETTING_OMPI_COMM_WORLD_SIZE) != NULL && space != NULL) {
        (void)snprintf(out->key, sizeof out->key, "%s", space);
        out->rank = number_of(COHORT_SETTING_PMIX_RANK);
        out->size = number_of(COHORT_SETTING_OMPI_COMM_WORLD_SIZE);
        here = number_of(COHORT_SETTING_OMPI_COMM_WORLD_LOCAL_SIZE);
    } else {
        int proxy = find_proxy();
        if (proxy == 0)
            return false;
        (void)snprintf(out->key, sizeof out->key, "%d", proxy);
        out->rank = number_of(COHORT_SETTING_PMI_RANK);
        out->size = number_of(COHORT_SETTING_PMI_SIZE);
        here = number_of(COHORT_SETTING_MPI_LOCALNRANKS);
    }
    return here == out->size && out->size <= MOST_PROCESSES && out->rank >= 0 &&
           out->rank < out->size;
}

/* The length of the address. The first byte of an abstract one is 0. Source: unix(7). */
static socklen_t address_of(const job *j, long rank, struct sockaddr_un *out)
{
    *out = (struct sockaddr_un){ .sun_family = AF_UNIX };
    int n = snprintf(out->sun_path + 1, sizeof out->sun_path - 1, "cohort-%d-%s-%ld-%ld",
                     (int)geteuid(), j->key, j->size, rank);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static void take_address(void)
{
    job j;
    struct sockaddr_un address;
    if (!find_job(&j))
        return;
    socklen_t length = address_of(&j, j.rank, &address);
    int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (held >= 0 && bind(held, (const struct sockaddr *)&address, length) != 0)
        (void)close(held);
}

void cohort_presence_say(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, take_address);
}

static bool is_there(const job *j, long rank)
{
    struct sockaddr_un address;
    socklen_t length = address_of(j, rank, &address);
    int asks = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool is = asks < 0 || connect(asks, (const struct sockaddr *)&address, length) == 0;
    if (asks >= 0)
        (void)close(asks);
    return is;
}

bool cohort_presence_find_absent(char *out, size_t bytes)
{
    job j;
    cohort_text text = cohort_text_begin(out, bytes);
    if (!find_job(&j) || !is_there(&j, j.rank))
        return false;
    for (long r = 0; r < j.size; r++)
        if (!is_there(&j, r))
            cohort_text_add_item(&text, ", ", "rank %ld of %ld", r, j.size);
    return text.length > 0;
}
