/* SPDX-License-Identifier: BSD-3-Clause */
/* make check-long: random programs on random strategies, with wrong calls and failing devices,
 * against a model in plain C; of each variable the model keeps all contents that its accepted
 * updates made.
 *
 * The status of a call is its own; while an error is up every call answers it in the same words;
 * what is refused has no effect; after recover each variable is at a prefix of its accepted
 * updates, the one that cohort_variable_updates tells, on every copy; and a value is what the model
 * says, or cannot be read where a call that wrote it may have failed.
 *
 * $SEED and $LONG_SECONDS are printed; $ONLY plays one program of the seed. What one draws does not
 * depend on how it goes, but for the order in which devices finish. */
#include "config.h"

#include "tests/long/programs/programs.h"

#include <signal.h>
#include <unistd.h>

enum { HANGS_AFTER = 120, SHOWN = 3 };

program p[1];

static const struct place {
    const char *devices;
    int least;
} places[] = { { "host", 1 },
               { "host/2", 2 },
               { "host/3", 3 },
               { "loopback", 1 },
               { "loopback/2", 2 },
               { "loopback/3,host", 4 },
               { "host,loopback", 2 },
               { "host,loopback/2", 3 },
               { "stream", 1 },
               { "stream/2", 2 },
               { "stream/3", 3 },
               { "host,stream", 2 },
               { "stream/2,host/2", 4 },
               { "stream,loopback", 2 },
               { "stream/2,loopback/2,host", 5 } };
enum { PLACES = sizeof places / sizeof *places };

/* ------------------------------------------------------------------ recovering */

static void look_at_value(model_value *m, bool is_fault)
{
    static double found[MOST];
    if (m->value == NULL || m->kind == EMPTY || m->kind == UNREADABLE)
        return;
    cohort_status status = cohort_value_read(m->value, array_of(found, m->type, total(m)));
    if (status >= 0) {
        for (int i = 0; i < total(m) && p->is_right; i++)
            if (get(found, m->type, i) != m->data[i])
                mismatch("after recover x%d[%d] is %lld, not %lld", (int)(m - p->values), i,
                         (long long)get(found, m->type, i), (long long)m->data[i]);
        return;
    }
    bool is_lost = strstr(cohort_error_text(), "failed") != NULL;
    bool is_half_written =
        strstr(cohort_error_text(), "the value ") != NULL; /* it is of another dtype or size now */
    if (!is_fault || !m->may_be_lost || (!is_lost && !is_half_written))
        mismatch("x%d cannot be read after recover", (int)(m - p->values));
    if (cohort_strategy_recover(p->s) < 0)
        mismatch("recover after a read that was refused");
    m->kind = UNREADABLE;
}

/* Its content never came; a program makes it anew. */
static bool never_came(model_variable *v, int64_t updates)
{
    cohort_array found[MAX_COPIES];
    if (v->is_sure || updates > 0 || cohort_local_results(v->variable, found, MAX_COPIES) >= 0)
        return false;
    if (strstr(cohort_error_text(), "never got its content") == NULL ||
        cohort_strategy_recover(p->s) < 0)
        mismatch("after recover %s cannot be read", cohort_variable_name(v->variable));
    cohort_variable_destroy(v->variable);
    v->variable = NULL;
    return true;
}

static void look_at_variable(model_variable *v, bool is_fault)
{
    cohort_array found[MAX_COPIES];
    int64_t updates = cohort_variable_updates(v->variable);
    if (v->variable == NULL || (is_fault && never_came(v, updates)))
        return;
    int first = is_fault ? v->seen : v->is_loose ? v->loose : v->n - 1;
    v->is_loose = false;
    v->n = v->limit > 0 ? v->limit : v->n;
    v->limit = 0;
    int64_t most = v->history[v->n - 1].update;
    while (v->n > first + 1 && v->history[v->n - 1].update != updates)
        v->n--;
    if (updates != v->history[v->n - 1].update) {
        mismatch("after recover %s is at update %lld of %lld to %lld",
                 cohort_variable_name(v->variable), (long long)updates,
                 (long long)v->history[first].update, (long long)most);
        return;
    }
    if (!copies_are_one_of(v, first, cohort_local_results(v->variable, found, MAX_COPIES), found))
        mismatch("after recover %s is not as after its update %lld",
                 cohort_variable_name(v->variable), (long long)updates);
}

static void look_at_metric(model_metric *m, bool is_fault)
{
    int64_t at = cohort_variable_updates(cohort_variable_find(p->s, "m/total")) - m->first;
    if (at < (is_fault ? m->seen : m->n - 1) || at > m->n - 1) {
        mismatch("after recover the metric is at update %lld of %lld", (long long)(m->first + at),
                 (long long)m->first + m->n - 1);
        return;
    }
    m->n = (int)at + 1;
    double found = cohort_metric_result(m->metric);
    if (found != (double)m->history[m->n - 1])
        mismatch("after recover the metric is %g, not %lld", found,
                 (long long)m->history[m->n - 1]);
}

static void recover(void)
{
    faults_release();
    cohort_status status = cohort_strategy_recover(p->s);
    bool is_fault = faults_were_met() || p->has_late;
    note("cohort_strategy_recover(s) // %s%s", cohort_status_name(status),
         is_fault ? ", something has failed" : "");
    n_recovers++;
    n_operations++;
    if (status < 0)
        mismatch("recover");
    faults_reset();
    p->status = COHORT_OK;
    p->has_late = false;
    for (int i = 0; i < VARIABLES; i++)
        look_at_variable(&p->variables[i], is_fault);
    for (int i = 0; i < VALUES; i++)
        look_at_value(&p->values[i], is_fault);
    look_at_metric(&p->metric, is_fault);
    have_seen_all();
    for (int i = 0; i < VALUES; i++)
        if (p->values[i].value == NULL)
            forget(&p->values[i]);
}

/* ------------------------------------------------------------------ a program */

static bool open_program(uint64_t seed, uint64_t number)
{
    static const char *const names[] = { NULL, "mirrored", "central", "sharded", "round-robin" };
    chance_seed(seed, number, 0);
    const struct place *place = &places[draw(PLACES)];
    const char *name = draw(3) > 0 ? NULL : names[draw(5)];
    memset(p, 0, sizeof *p);
    p->is_right = true;
    p->replicas = place->least + draw(MAX_REPLICAS - place->least + 1);
    p->has_faults = draw(3) > 0;
    log_restart();
    p->s = cohort_strategy_create(&(cohort_strategy_options){
        .name = name, .devices = place->devices, .replicas = p->replicas });
    note("s = cohort_strategy_create(\"%s\", \"%s\", %d replicas)", name != NULL ? name : "",
         place->devices, p->replicas);
    if (p->s == NULL) {
        mismatch("a strategy does not open");
        return false;
    }
    p->metric = (model_metric){ .metric = cohort_metric_create(p->s, "sum", "m"), .n = 1 };
    (void)judge(cohort_wait(p->s), COHORT_OK,
                "m = cohort_metric_create(s, \"sum\", \"m\"), cohort_wait(s)");
    for (int i = 0; i < VALUES; i++)
        forget(&p->values[i]);
    return true;
}

static void call_anything(void)
{
    int which = draw(20);
    if (which < 7)
        call_values();
    else if (which < 14)
        call_variables();
    else if (which < 16)
        call_step();
    else if (which < 17)
        call_metric();
    else if (which < 18)
        call_input();
    else if (which < 19 || draw(3) == 0)
        call_wrong();
}

static void play(uint64_t seed, uint64_t number)
{
    if (!open_program(seed, number))
        return;
    int calls = 20 + draw(100);
    for (int i = 1; i <= calls && p->is_right; i++) {
        chance_seed(seed, number, (uint64_t)i);
        if (p->has_faults)
            faults_arm();
        if (draw(p->status < 0 ? 4 : 100) == 0)
            recover();
        else
            call_anything();
        count_updates();
    }
    if (p->is_right && draw(4) > 0) /* else it is destroyed with all in flight */
        recover();
    faults_release();
    cohort_strategy_destroy(p->s);
    faults_reset();
    lent_free();
}

static void explain(uint64_t seed, uint64_t number)
{
    log_print();
    diag("again, alone: SEED=%llu ONLY=%llu", (unsigned long long)seed, (unsigned long long)number);
}

/* ------------------------------------------------------------------ all of them */

static uint64_t current_seed, current_number;

static void hang(int sig)
{
    (void)sig;
    explain(current_seed, current_number);
    diag("it hangs");
    abort();
}

static uint64_t number_of(const char *setting, uint64_t otherwise)
{
    const char *text = getenv(setting);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

static core_live warm_up(void)
{
    bool is_good = team_start();
    for (int t = 0; t < DTYPES; t++)
        is_good = is_good && cohort_function_check(twice[t], NULL) >= 0 &&
                  cohort_function_check(shift[t], NULL) >= 0 &&
                  cohort_function_check(blend[t], NULL) >= 0 &&
                  cohort_function_check(grow[t], NULL) >= 0 &&
                  cohort_function_check(mix[t], NULL) >= 0;
    for (int i = 0; i < PLACES && is_good; i++) {
        cohort_strategy *s = cohort_mirrored(places[i].devices);
        is_good = s != NULL;
        cohort_strategy_destroy(s);
    }
    if (!is_good)
        (void)ok(false, "functions and devices: %s", cohort_error_text());
    return core_live_now();
}

static uint64_t play_all(uint64_t seed, uint64_t seconds, uint64_t only)
{
    uint64_t wrong = 0, played = 0;
    time_t end = time(NULL) + (time_t)seconds;
    for (uint64_t i = only != UINT64_MAX ? only : 0;
         (played == 0 || time(NULL) < end) && wrong < SHOWN; i++) {
        current_number = i;
        (void)alarm(HANGS_AFTER);
        play(seed, i);
        played++;
        if (!p->is_right)
            explain(seed, i);
        wrong += !p->is_right;
        if (only != UINT64_MAX)
            break;
    }
    (void)ok(
        wrong == 0,
        "%llu programs each do what the model says: %lld calls, %lld refusals, %lld failures, %lld "
        "recoveries (SEED=%llu, %llu s)",
        (unsigned long long)played, (long long)n_operations, (long long)n_refused,
        (long long)n_faults, (long long)n_recovers, (unsigned long long)seed,
        (unsigned long long)seconds);
    return played;
}

int main(void)
{
    uint64_t seed = current_seed = number_of("SEED", (uint64_t)time(NULL)),
             seconds = number_of("LONG_SECONDS", 60);
    (void)signal(SIGALRM, hang);
    diag("SEED=%llu LONG_SECONDS=%llu", (unsigned long long)seed, (unsigned long long)seconds);
    if (steer() == NULL || steer_stream() == NULL)
        return skip_all("there is no loopback or stream plugin on COHORT_PLUGIN_PATH");
    faults_open();
    core_live warm = warm_up();
    warm.threads +=
        /* each replica's thread leaves a team to libomp's pool */
        POOLED_THREADS > 0 ? 2 * MAX_REPLICAS : 0;
    (void)play_all(seed, seconds, number_of("ONLY", UINT64_MAX));
    core_no_leak(warm);
    return tap_done();
}
