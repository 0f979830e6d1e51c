/* SPDX-License-Identifier: BSD-3-Clause */
/* Which communicator, and what it answers.
 *
 * Two MPIs in one process tread on each other, so a plugin is loaded only when it is the right one:
 * it brings its MPI with it. The MPI that the program has loaded, or the launcher set, says which
 * one that is. */
#include "config.h"

#include "runtime/exchange/communicator.h"

#include "runtime/base/kept.h"
#include "runtime/base/library.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include "runtime/base/trace.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/launcher.h"
#include "runtime/exchange/presence.h"
#include "runtime/plugin/registry.h"
#include "runtime/plugin/search.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char open_mpi[] = COHORT_SEARCH_COMMUNICATOR "openmpi",
                  mpich[] = COHORT_SEARCH_COMMUNICATOR "mpich";

/* ------------------------------------------------------------------ which plugin */

/* NULL: the program has loaded none. */
static cohort_native_fn find_symbol(const char *name)
{
    cohort_native_fn fn = NULL;
    cohort_error_saved earlier;
    cohort_error_save(&earlier);
    bool has = cohort_library_symbol(NULL, name, &fn) >= 0;
    cohort_error_restore(&earlier);
    return has ? fn : NULL;
}

static bool has_symbol(const char *name)
{
    return find_symbol(name) != NULL;
}

/* NULL: either. *out_why: what says so. */
static const char *find_wanted(const char **out_why)
{
    if (has_symbol("MPI_Init")) {
        bool is_open = has_symbol("ompi_mpi_comm_world");
        *out_why =
            is_open ? "the program is linked with Open MPI" : "the program is linked with MPICH";
        return is_open ? open_mpi : mpich;
    }
    switch (cohort_launcher_find(out_why)) {
    case COHORT_LAUNCHER_OPEN_MPI:
        return open_mpi;
    case COHORT_LAUNCHER_MPICH:
        return mpich;
    default: /* PMIx is of any MPI */
        return NULL;
    }
}

/* Of the MPI that the program has loaded. Source: MPI 3.1, section 8.7: both may be called at any
 * time. */
static bool is_flag_set(const char *name)
{
    int (*ask_flag)(int *flag) = (int (*)(int *))find_symbol(name);
    int flag = 0;
    return ask_flag != NULL && ask_flag(&flag) == 0 && flag != 0;
}

static bool is_initialised(void)
{
    return is_flag_set("MPI_Initialized");
}

bool cohort_communicator_has_others(void)
{
    const char *why;
    return is_initialised() || cohort_launcher_find(&why) != COHORT_LAUNCHER_NONE;
}

bool cohort_communicator_is_started(void)
{
    const char *why;
    return has_symbol("MPI_Init") || cohort_launcher_find(&why) != COHORT_LAUNCHER_NONE;
}

/* NULL with the reason. */
static const cohort_loaded *find_plugin(void)
{
    const char *why, *wanted = find_wanted(&why);
    const cohort_loaded *found = cohort_registry_plugin(wanted != NULL ? wanted : open_mpi);
    if (found == NULL && wanted == NULL)
        found = cohort_registry_plugin(mpich);
    if (found == NULL && wanted != NULL)
        (void)cohort_error_prefix(cohort_error_status(), "%s", why);
    else if (found == NULL)
        (void)cohort_error_set(COHORT_ENOENT,
                               "%s%sthere is no plugin '%s' and no '%s': build Cohort "
                               "with --with-openmpi or --with-mpich",
                               why, why[0] != '\0' ? ": " : "", open_mpi, mpich);
    return found;
}

static bool is_whole(const cohort_communicator_ops *o)
{
    return o->struct_size >= sizeof *o && o->open != NULL && o->close != NULL && o->info != NULL &&
           o->host != NULL && o->send != NULL && o->receive != NULL && o->broadcast != NULL &&
           o->gather != NULL && o->barrier != NULL && o->test != NULL && o->abandon != NULL &&
           o->reserve != NULL;
}

static cohort_status find_ops(const cohort_loaded *loaded, const cohort_communicator_ops **out)
{
    const cohort_plugin *p = loaded->plugin;
    *out = p->extension != NULL ? p->extension(p->self, COHORT_COMMUNICATOR_EXTENSION) : NULL;
    if (*out != NULL && is_whole(*out))
        return COHORT_OK;
    return cohort_error_set(COHORT_EINCOMPATIBLE, "%s: it has no whole extension '%s'",
                            loaded->file, COHORT_COMMUNICATOR_EXTENSION);
}

/* ------------------------------------------------------------------ what it answers */

/* Texts of a plugin are printed as they are only where they can be. */
static cohort_status tell(cohort_status status, const cohort_error *err)
{
    char text[COHORT_ERROR_BYTES];
    if (status >= 0)
        return COHORT_OK;
    cohort_utf8_escape(err->text, sizeof err->text, text, sizeof text);
    return cohort_error_set(status, "%s", text);
}

/* The mpirun of another MPI, or a launcher that this one does not know, starts processes of which
 * each is alone. */
static cohort_status check_world(int32_t handle, const cohort_comm_info *info)
{
    return handle == COHORT_MPI_WORLD && info->size == 1 ? cohort_launcher_check_alone(info->engine)
                                                         : COHORT_OK;
}

static cohort_status check_info(const cohort_comm_info *info)
{
    bool is_sane = info->size > 0 && info->rank >= 0 && info->rank < info->size;
    return is_sane ? COHORT_OK
                   : cohort_error_set(COHORT_EINCOMPATIBLE,
                                      "the communicator says that this is rank %d of %d",
                                      (int)info->rank, (int)info->size);
}

static bool is_allowed(const cohort_communicator *c)
{
    return c->info.is_serialized || pthread_equal(c->opener, pthread_self());
}

bool cohort_communicator_is_up(const cohort_communicator *c)
{
    return is_allowed(c) && !is_flag_set("MPI_Finalized");
}

static void close_alone(cohort_communicator *c)
{
    if (is_allowed(c) && !c->has_unread)
        c->ops->close(c->comm);
    else
        cohort_keep(c->comm);
    c->comm = NULL;
}

static cohort_status check_opened(cohort_status status, const cohort_comm *comm)
{
    return status > 0 || (status >= 0 && comm == NULL)
               ? cohort_error_set(COHORT_EINCOMPATIBLE,
                                  "the plugin's open answers %d without a communicator",
                                  (int)status)
               : status;
}

static void tell_rank(const cohort_comm_info *info)
{
    cohort_log_set_rank(info->rank);
    cohort_trace_set_rank(info->rank, info->size);
}

static cohort_status open_alone(int32_t handle, cohort_communicator *out)
{
    const int64_t limit_ns = cohort_setting_ns(COHORT_SETTING_TIMEOUT_WORKER);
    const cohort_loaded *plugin = find_plugin();
    cohort_error err = { .struct_size = sizeof err };
    *out = (cohort_communicator){ .info = { .struct_size = sizeof out->info },
                                  .opener = pthread_self() };
    cohort_status status = plugin != NULL ? find_ops(plugin, &out->ops) : cohort_error_status();
    if (status >= 0)
        status =
            tell(out->ops->open(plugin->plugin->self, handle,
                                limit_ns > 0 ? (uint64_t)limit_ns : UINT64_MAX, &out->comm, &err),
                 &err);
    if (status >= 0)
        status = check_opened(status, out->comm);
    if (status < 0) {
        out->comm = NULL;
        return status;
    }
    out->ops->info(out->comm, &out->info);
    out->info.engine[sizeof out->info.engine - 1] = '\0';
    status = check_info(&out->info);
    if (status >= 0)
        status = check_world(handle, &out->info);
    out->reserved = COHORT_COMM_RESERVED;
    if (status < 0)
        close_alone(out);
    else
        tell_rank(&out->info);
    return status;
}

/* MPI is asked by one thread at a time. */
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

/* The others look for who is missing at about this time, too: this one is there a second more. */
static cohort_status name_absent(cohort_status status)
{
    char absent[256], found[COHORT_ERROR_BYTES];
    const struct timespec more = { 1, 0 };
    if (!cohort_presence_find_absent(absent, sizeof absent))
        return status;
    (void)snprintf(found, sizeof found, "%s", cohort_error_slot());
    (void)nanosleep(&more, NULL);
    return cohort_error_set(status, "%s: missing, or ended, is %s", found, absent);
}

cohort_status cohort_communicator_open(int32_t handle, cohort_communicator *out)
{
    if (handle == COHORT_MPI_WORLD)
        cohort_presence_say();
    pthread_mutex_lock(&asking);
    cohort_status status = open_alone(handle, out);
    pthread_mutex_unlock(&asking);
    return status == COHORT_ETIMEDOUT && handle == COHORT_MPI_WORLD && !is_initialised()
               ? name_absent(status)
               : status;
}

void cohort_communicator_close(cohort_communicator *c)
{
    pthread_mutex_lock(&asking);
    close_alone(c);
    pthread_mutex_unlock(&asking);
}

cohort_status cohort_communicator_host(const cohort_communicator *c, int32_t rank, char *out,
                                       size_t bytes)
{
    cohort_error err = { .struct_size = sizeof err };
    cohort_status status = tell(c->ops->host(c->comm, rank, out, bytes, &err), &err);
    if (status >= 0)
        out[bytes - 1] = '\0';
    return status;
}

/* ------------------------------------------------------------------ exchanges */

enum { MOST_TAGS = 32768 };

cohort_status cohort_communicator_take_tag(cohort_communicator *c, int32_t *out_tag)
{
    pthread_mutex_lock(&asking);
    bool is_left = c->tags < MOST_TAGS;
    *out_tag = c->tags;
    c->tags += is_left;
    pthread_mutex_unlock(&asking);
    return is_left ? COHORT_OK
                   : cohort_error_set(COHORT_EINVAL,
                                      "%d strategies were made on this communicator; make a "
                                      "resolver of its own for the next",
                                      MOST_TAGS);
}

static cohort_status check_thread(const cohort_communicator *c)
{
    return is_allowed(c)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s was initialised below MPI_THREAD_SERIALIZED, so that only "
                                  "the thread that made the resolver may exchange anything",
                                  c->info.engine);
}

/* The communicator is asked: by this thread alone, with a record for its error, which is not
 * cleared as a whole, for it is large. */
static void ask(cohort_error *err)
{
    err->struct_size = sizeof *err;
    err->text[0] = '\0';
    pthread_mutex_lock(&asking);
}

static cohort_status answer(cohort_status status, const cohort_error *err)
{
    pthread_mutex_unlock(&asking);
    return tell(status, err);
}

cohort_status cohort_communicator_send(const cohort_communicator *c, int32_t to, int32_t tag,
                                       const void *from, uint64_t bytes, cohort_exchange **out)
{
    cohort_error err;
    cohort_status status = check_thread(c);
    if (status < 0)
        return status;
    ask(&err);
    return answer(c->ops->send(c->comm, to, tag, from, bytes, out, &err), &err);
}

cohort_status cohort_communicator_receive(const cohort_communicator *c, int32_t from, int32_t tag,
                                          void *into, uint64_t bytes, uint64_t *out_bytes,
                                          cohort_exchange **out)
{
    cohort_error err;
    cohort_status status = check_thread(c);
    if (status < 0)
        return status;
    ask(&err);
    return answer(c->ops->receive(c->comm, from, tag, into, bytes, out_bytes, out, &err), &err);
}

cohort_status cohort_communicator_reserve(cohort_communicator *c, uint64_t n)
{
    cohort_error err;
    ask(&err);
    cohort_status status = c->ops->reserve(c->comm, c->reserved + n, &err);
    c->reserved += status >= 0 ? n : 0;
    return answer(status, &err);
}

void cohort_communicator_unreserve(cohort_communicator *c, uint64_t n)
{
    pthread_mutex_lock(&asking);
    c->reserved -= n;
    pthread_mutex_unlock(&asking);
}

cohort_status cohort_communicator_test(const cohort_communicator *c, cohort_exchange *exchange)
{
    cohort_error err;
    ask(&err);
    cohort_status status = c->ops->test(c->comm, exchange, &err);
    if (status != COHORT_EAGAIN)
        return answer(status, &err);
    pthread_mutex_unlock(&asking);
    return COHORT_EAGAIN; /* which has no words */
}

void cohort_communicator_abandon(const cohort_communicator *c, cohort_exchange *exchange)
{
    if (!is_allowed(c))
        return;
    pthread_mutex_lock(&asking);
    c->ops->abandon(c->comm, exchange);
    pthread_mutex_unlock(&asking);
}
