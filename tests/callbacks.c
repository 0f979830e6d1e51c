/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the program that calls call: what goes wrong in them is the error of the call
 * around, in the words of what went wrong, whatever they return. */
#include "config.h"

#include "tests/core.h"
#include "tests/late_leaks.h"
#include "tests/steer.h"

#include <stdatomic.h>
#include <unistd.h>

COHORT_FUNCTION(grow, (int64_t n, float by, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += by;
}

COHORT_FUNCTION(tell, (int32_t id, COHORT_OUT int64_t y[1]), COHORT_HOST_ONLY)
{
    y[0] = id + 1;
}

/* Which function; INNER: of a step in the function of a merge call. */
typedef enum kind { STEP, MERGE, INNER_STEP, INNER_MERGE, VALUE, PLACEMENT, DATASETS, KINDS } kind;

/* What it does. The first two return COHORT_OK after a call that failed, the next its own words and
 * status, after nothing or after such a call; then a number that is no status, and a status without
 * a word. A call that fails in a step is its error at once, for the other replicas to stop: words
 * that come later are too late. */
typedef enum fault {
    OWN_CALL,
    OTHER_CALL,
    WORDS,
    WORDS_AFTER_CALL,
    NO_STATUS,
    NO_WORDS,
    FAULTS,
    NO_FAULT
} fault;

/* From where the call around is made. */
typedef enum place { OUTSIDE, IN_MERGE, IN_STEP, WHERES } place;

typedef struct job {
    cohort_strategy *s, *other;
    cohort_value *v, *foreign;
    cohort_variable *w;
    cohort_placement steered;
    kind kind;
    fault fault;
    place place;
    bool is_silent; /* whoever calls on the way hides what came of it */
    int depth, odd; /* odd: the replica that does it */
} job;

static atomic_int bad, times;

#define must(condition)                                                                            \
    (void)(core_good((condition), #condition, __FILE__, __LINE__) ? 0 : atomic_fetch_add(&bad, 1))

/* ---- Going wrong. */

static bool is_in_step(const job *j)
{
    return j->kind == STEP || j->kind == INNER_STEP || j->place == IN_STEP;
}

static bool may_call(const job *j)
{
    return j->kind == MERGE || j->kind == INNER_MERGE || j->kind == DATASETS;
}

/* A call that is right, where none is allowed; else one that is wrong. */
static void call_own(const job *j)
{
    must(cohort_run(j->s, may_call(j) ? NULL : tell, 1, j->v) == COHORT_EINVAL);
}

static int go_wrong(const job *j)
{
    (void)atomic_fetch_add(&times, 1);
    switch (j->fault) {
    case OWN_CALL:
        call_own(j);
        return COHORT_OK;
    case OTHER_CALL:
        must(cohort_run(j->other, NULL, 1, j->foreign) == COHORT_EINVAL);
        return COHORT_OK;
    case WORDS_AFTER_CALL:
        call_own(j);
        return cohort_error_set(COHORT_ENOENT, "row %d has no label", 7);
    case WORDS:
        return cohort_error_set(COHORT_ENOENT, "row %d has no label", 7);
    case NO_STATUS:
        return -1000;
    case NO_WORDS:
        return COHORT_ENOENT;
    default:
        (void)cohort_error_set(COHORT_ENOENT, "said and not meant");
        return COHORT_OK;
    }
}

/* ---- The functions. */

static cohort_status fill(int replica, int n, cohort_array *out, void *user)
{
    static const float x[2] = { 1, 2 };
    const job *j = user;
    must(n == cohort_strategy_num_replicas(j->s));
    *out = COHORT_ARRAY(x, 2);
    return replica == j->odd ? go_wrong(j) : COHORT_OK;
}

static int place_first(const cohort_place_request *request, cohort_copy out[], int capacity,
                       void *user)
{
    (void)request, (void)capacity;
    int status = go_wrong(user);
    out[0] = (cohort_copy){ .device = 0 };
    return status < 0 ? status : 1;
}

static cohort_dataset *make(const cohort_input_context *context, void *user)
{
    const job *j = user;
    int status = context->input_pipeline_id == j->odd ? go_wrong(j) : COHORT_OK;
    return status < 0 ? NULL : cohort_dataset_range(0, 10, 1);
}

/* The call around; whether it has made something. */
static bool call_around(job *j)
{
    static const float x[3] = { 1, 2, 3 };
    const cohort_input_options each = { .replication_mode = COHORT_PER_REPLICA };
    cohort_value *value = NULL;
    cohort_variable *variable = NULL;
    cohort_input *input = NULL;
    if (j->kind == VALUE)
        value = cohort_value_from_function(j->s, fill, j);
    else if (j->kind == PLACEMENT)
        variable = cohort_variable_create(j->s, "w", COHORT_ARRAY(x, 3),
                                          &(cohort_variable_options){ .placement = &j->steered });
    else
        input = cohort_distribute_datasets_from_function_with(j->s, make, j, &each);
    bool has_made = value != NULL || variable != NULL || input != NULL;
    if (j->place != IN_STEP) {
        cohort_value_destroy(value);
        cohort_variable_destroy(variable);
        cohort_input_destroy(input);
    }
    return has_made;
}

static cohort_status step(cohort_replica *me, void *user);

static cohort_status merge(cohort_strategy *strategy, void *const user[], int n)
{
    job *j = user[n - 1];
    cohort_status status = COHORT_OK;
    if (j->kind >= VALUE)
        return call_around(j) || j->is_silent ? COHORT_OK : cohort_strategy_status(strategy);
    if (j->kind == (j->depth == 0 ? MERGE : INNER_MERGE))
        return go_wrong(j);
    j->depth++;
    status = cohort_for_each_replica(strategy, step, j);
    j->depth--;
    return j->is_silent ? COHORT_OK : status;
}

static cohort_status step(cohort_replica *me, void *user)
{
    job *j = user;
    cohort_status status = COHORT_OK;
    if (j->place == IN_STEP)
        return call_around(j) || j->is_silent ? COHORT_OK : cohort_strategy_status(j->s);
    if (j->kind == (j->depth == 0 ? STEP : INNER_STEP))
        return cohort_replica_id(me) == j->odd ? go_wrong(j) : COHORT_OK;
    status = cohort_merge_call(me, merge, j);
    return j->is_silent ? COHORT_OK : status;
}

/* ---- What comes of it. */

static bool is_too_late(const job *j)
{
    return j->fault == WORDS_AFTER_CALL && j->kind <= INNER_MERGE;
}

static cohort_status wanted_status(const job *j)
{
    bool is_own = j->fault == WORDS || (j->fault == WORDS_AFTER_CALL && !is_too_late(j)) ||
                  (j->fault == NO_WORDS && j->kind != DATASETS);
    return is_own ? COHORT_ENOENT : COHORT_EINVAL;
}

static const char *wanted_words(const job *j)
{
    switch (is_too_late(j) ? OWN_CALL : j->fault) {
    case OWN_CALL:
        return may_call(j)     ? ": the function is NULL"
               : is_in_step(j) ? ": cohort_run: called inside a step function of its strategy"
                               : ": cohort_run: a call of this strategy is under way";
    case OTHER_CALL:
        return j->kind <= INNER_MERGE || j->place != OUTSIDE
                   ? ": cohort_run: called for another strategy than the one "
                     "whose step function runs: mixing strategies"
                   : ": the function is NULL";
    case NO_STATUS:
        return ": it returned -1000, which is no status";
    case NO_WORDS:
        return j->kind == DATASETS ? ": it returned NULL" : ": it returned -4 (not found)";
    default:
        return ": row 7 has no label";
    }
}

/* Who called the function, before what it has to say. */
static bool has_who(const job *j, const char *text)
{
    char who[100] = "variable 'w': placement 'steered'";
    int n = cohort_strategy_num_replicas(j->s);
    if (j->kind == VALUE)
        (void)snprintf(who, sizeof who, "cohort_value_from_function: the function, for replica %d",
                       j->odd);
    if (j->kind == DATASETS)
        (void)snprintf(who, sizeof who,
                       "cohort_distribute_datasets_from_function_with: the dataset function, for "
                       "input pipeline %d of %d",
                       j->odd, n);
    if (j->kind == STEP || j->kind == INNER_STEP)
        (void)snprintf(who, sizeof who, ": replica %d on ", j->odd);
    bool is_merge = j->kind == MERGE || j->kind == INNER_MERGE || j->place == IN_MERGE;
    bool is_step = j->kind <= INNER_MERGE || j->place != OUTSIDE;
    const char *at = strstr(text, wanted_words(j));
    return good(at != NULL) &&
           good((strncmp(text, "step function step at ", 22) == 0) == is_step) &&
           good((strstr(text, ": function of cohort_merge_call at ") != NULL) == is_merge) &&
           good(j->kind == MERGE || j->kind == INNER_MERGE || strstr(text, who) != NULL);
}

static cohort_status enter(job *j)
{
    if (j->kind <= INNER_MERGE || j->place != OUTSIDE)
        return cohort_for_each_replica(j->s, step, j);
    if (call_around(j))
        return COHORT_OK;
    char text[2048];
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    cohort_status status = cohort_strategy_status(j->s);
    return good(strcmp(text, cohort_error_text()) == 0) ? status : COHORT_OK;
}

static bool works(const job *j)
{
    int64_t found[CORE_MAX_REPLICAS] = { 0 };
    int n = cohort_strategy_num_replicas(j->s);
    return good(cohort_run(j->s, tell, COHORT_REPLICA_ID, j->v) == COHORT_OK) &&
           good(cohort_value_read(j->v, COHORT_ARRAY(found, n)) == COHORT_OK) &&
           good(found[n - 1] == n) && good(cohort_variable_find(j->s, "w") == NULL) &&
           good(cohort_strategy_status(j->other) == COHORT_OK) &&
           good(cohort_value_scalar(j->foreign) == 2);
}

static bool is_told(job *j)
{
    (void)cohort_error_set(COHORT_EINVAL, "a text that is stale soon");
    atomic_store(&bad, 0);
    atomic_store(&times, 0);
    bool is_good = refused(j->s, wanted_status(j), enter(j)) && has_who(j, cohort_error_text()) &&
                   good(atomic_load(&bad) == 0) && good(atomic_load(&times) == 1) && works(j);
    if (!is_good)
        diag("kind %d, fault %d, place %d, silent %d, replica %d", j->kind, j->fault, j->place,
             j->is_silent, j->odd);
    return is_good;
}

static bool opens(job *j, cohort_strategy *s, int replicas)
{
    *j = (job){ .s = s, .other = cohort_mirrored(replicas % 2 == 0 ? "host/2" : "host") };
    j->steered = (cohort_placement){ .name = "steered", .place = place_first, .user = j };
    j->v = cohort_value_create(s);
    j->foreign = cohort_value_number(j->other, 2);
    return good(j->v != NULL) && good(j->foreign != NULL);
}

/* Every fault of the function, of the first and of the last replica, told on and hidden on the
 * way. */
static bool tells_all(job *j, int replicas)
{
    bool is_good = true;
    for (j->fault = 0; j->fault < FAULTS && is_good; j->fault++)
        for (int i = 0; i < 4 && is_good; i++) {
            j->is_silent = i % 2 == 1;
            j->odd = i / 2 * (replicas - 1);
            is_good = (j->kind == DATASETS && j->fault == NO_STATUS) || is_told(j);
        }
    return is_good;
}

static bool tells(cohort_strategy *s, int replicas, kind of, place from)
{
    job j;
    bool is_good = opens(&j, s, replicas);
    j.kind = of;
    j.place = from;
    is_good = is_good && tells_all(&j, replicas);
    cohort_strategy_destroy(j.other);
    return is_good;
}

static bool steps(cohort_strategy *s, int replicas)
{
    return tells(s, replicas, STEP, OUTSIDE);
}

static bool merges(cohort_strategy *s, int replicas)
{
    return tells(s, replicas, MERGE, OUTSIDE);
}

static bool inner_ones(cohort_strategy *s, int replicas)
{
    return tells(s, replicas, INNER_STEP, OUTSIDE) && tells(s, replicas, INNER_MERGE, OUTSIDE);
}

static bool values(cohort_strategy *s, int replicas)
{
    return tells(s, replicas, VALUE, OUTSIDE);
}

static bool placements(cohort_strategy *s, int replicas)
{
    return tells(s, replicas, PLACEMENT, OUTSIDE);
}

static bool datasets(cohort_strategy *s, int replicas)
{
    return tells(s, replicas, DATASETS, OUTSIDE);
}

static bool others_in_merges(cohort_strategy *s, int replicas)
{
    return tells(s, replicas, VALUE, IN_MERGE) && tells(s, replicas, PLACEMENT, IN_MERGE) &&
           tells(s, replicas, DATASETS, IN_MERGE);
}

static bool placements_in_steps(cohort_strategy *s, int replicas)
{
    return tells(s, replicas, PLACEMENT, IN_STEP);
}

/* ---- What is no fault. */

static bool passes(cohort_strategy *s, int replicas)
{
    job j;
    bool is_good = opens(&j, s, replicas);
    j.fault = NO_FAULT;
    for (j.kind = 0; j.kind < KINDS && is_good; j.kind++)
        for (j.place = OUTSIDE; j.place <= IN_MERGE && is_good; j.place++)
            is_good = good(enter(&j) == COHORT_OK) && works(&j);
    cohort_strategy_destroy(j.other);
    return is_good;
}

/* ---- What was called before. */

static cohort_status merge_late(cohort_strategy *strategy, void *const user[], int n)
{
    const job *j = user[n - 1];
    must(cohort_strategy_num_replicas(strategy) == n);
    must(cohort_update(j->w, grow, 1, j->w) == COHORT_OK);
    return go_wrong(j);
}

static cohort_status step_late(cohort_replica *me, void *user)
{
    const job *j = user;
    if (j->kind == MERGE)
        return cohort_merge_call(me, merge_late, user);
    if (cohort_replica_id(me) != j->odd)
        return cohort_replica_update(me, j->w, grow, 1,
                                     j->w); /* unless the other one was quicker to fail */
    must(cohort_replica_update(me, j->w, grow, 1, j->w) == COHORT_OK);
    return go_wrong(j);
}

static bool all_copies_are(cohort_variable *w, float wanted)
{
    cohort_array copies[CORE_MAX_REPLICAS];
    float found = 0;
    int n = cohort_local_results(w, copies, CORE_MAX_REPLICAS);
    bool is_good = good(n > 0) &&
                   good(cohort_variable_read(w, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
                   good(found == wanted);
    for (int i = 0; i < n && is_good; i++)
        is_good = good(*(const float *)copies[i].data == wanted);
    return is_good;
}

/* A device is late, so that the update is not done yet when the function goes wrong. */
static void keep_updates(const cohort_loopback *loopback, const char *devices, uint32_t late)
{
    static const float one = 1;
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .replicas = 4 });
    job j;
    bool is_good = opens(&j, s, 4);
    j.w = cohort_variable_create(s, "w", COHORT_ARRAY(&one, 1), NULL);
    is_good = is_good && good(cohort_wait(s) == COHORT_OK);
    float wanted = 1;
    for (j.kind = STEP; j.kind <= MERGE && is_good; j.kind++)
        for (j.fault = 0; j.fault < FAULTS && is_good; j.fault++) {
            atomic_store(&bad, 0);
            loopback->reset();
            (void)loopback->rule(&(cohort_loopback_rule){ .part = late,
                                                          .op = COHORT_LOOPBACK_ANY,
                                                          .nth = 1,
                                                          .sticky = 1,
                                                          .action = COHORT_LOOPBACK_DELAY,
                                                          .delay_ns = 5000000 });
            is_good = refused(s, wanted_status(&j), cohort_for_each_replica(s, step_late, &j)) &&
                      good(atomic_load(&bad) == 0) && all_copies_are(j.w, ++wanted);
            loopback->reset();
        }
    ok(is_good,
       "what was called before a function went wrong is done all the same; %s, device %d late",
       devices, (int)late);
    cohort_strategy_destroy(j.other);
    cohort_strategy_destroy(s);
}

int main(void)
{
    (void)alarm(300); /* a hang is a failure */
    const cohort_loopback *loopback = steer();
    (void)good(cohort_function_check(tell, NULL) == COHORT_OK &&
               cohort_function_check(grow, NULL) == COHORT_OK);
    (void)core_warm();
    core_everywhere(passes, "a function that goes well goes well, whatever it said");
    const core_live warm = core_live_now();
    core_everywhere(steps, "what goes wrong in a step function is the step's error, in its words");
    core_everywhere(merges, "so it is in the function of a merge call");
    core_everywhere(inner_ones, "and in steps in merge functions, and merge functions in those");
    core_everywhere(values, "in the function of a value");
    core_everywhere(placements, "in a placement policy");
    core_everywhere(datasets, "in a dataset function");
    core_everywhere(others_in_merges, "in all of these in a merge function");
    core_everywhere(placements_in_steps, "and in a placement policy in a step");
    for (uint32_t late = 0; late < 3 && loopback != NULL; late++)
        keep_updates(loopback, "loopback/3,host", late);
    if (loopback == NULL)
        skip("functions that go wrong while a device is late",
             "there is no loopback plugin on COHORT_PLUGIN_PATH");
    core_no_leak(warm);
    no_leak_so_far();
    return tap_done();
}
