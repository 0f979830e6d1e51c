/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of devices that fail, are held, or take their time. */
#include "config.h"

#include "tests/long/programs/programs.h"

enum { PLUGINS = 2, MAX_RULES = 32 };

static const cohort_loopback *plugins[PLUGINS]; /* loopback and stream; NULL: not there */

typedef struct fault {
    const cohort_loopback *plugin;
    int32_t rule;
    cohort_loopback_action action;
    cohort_status status;
} fault;

static fault faults[MAX_RULES];
static int n_rules;

void faults_open(void)
{
    plugins[0] = steer();
    plugins[1] = steer_stream();
}

/* The second half are those of the plugin stream alone: in the call, and in the queue. */
static uint32_t draw_op(int plugin)
{
    static const uint32_t ops[] = { COHORT_LOOPBACK_ALLOC,         COHORT_LOOPBACK_KERNEL_CREATE,
                                    COHORT_LOOPBACK_WRITE,         COHORT_LOOPBACK_READ,
                                    COHORT_LOOPBACK_LAUNCH,        COHORT_LOOPBACK_COPY,
                                    COHORT_LOOPBACK_ENQUEUE_WRITE, COHORT_LOOPBACK_ENQUEUE_READ,
                                    COHORT_LOOPBACK_ENQUEUE_COPY,  COHORT_LOOPBACK_ENQUEUE_LAUNCH };
    return ops[draw(plugin == 0 ? 6 : sizeof ops / sizeof *ops)];
}

static void add(int plugin, cohort_loopback_rule rule)
{
    static const char *const actions[] = { "", "fail", "delay", "hold" };
    if (plugins[plugin] == NULL || n_rules == MAX_RULES)
        return;
    rule.part = draw(2) == 1 ? COHORT_LOOPBACK_ANY : (uint32_t)draw(3);
    faults[n_rules] =
        (fault){ plugins[plugin], plugins[plugin]->rule(&rule), rule.action, rule.status };
    if (faults[n_rules].rule >= 0)
        n_rules++;
    note("// %s: %s at operation %u, number %u of part %d", plugin == 0 ? "loopback" : "stream",
         actions[rule.action], rule.op, rule.nth, (int)rule.part);
}

void faults_arm_failure(uint32_t most_nth)
{
    int plugin = draw(PLUGINS);
    add(plugin, (cohort_loopback_rule){ .op = draw_op(plugin),
                                        .nth = 1 + (uint32_t)draw((int)most_nth),
                                        .action = COHORT_LOOPBACK_FAIL,
                                        .status = COHORT_EINTERNAL });
}

void faults_arm_loss(uint32_t most_nth)
{
    add(draw(PLUGINS), (cohort_loopback_rule){ .op = COHORT_LOOPBACK_ANY,
                                               .nth = 1 + (uint32_t)draw((int)most_nth),
                                               .sticky = 1,
                                               .action = COHORT_LOOPBACK_FAIL,
                                               .status = COHORT_ELOST });
}

void faults_arm(void)
{
    static const uint64_t most_ns[] = { 1000, 30000, 300000 };
    int plugin = draw(PLUGINS), what = draw(50);
    uint32_t op = draw_op(plugin), nth = 1 + (uint32_t)draw(5);
    if (what < 3)
        add(plugin,
            (cohort_loopback_rule){ .op = op,
                                    .nth = nth,
                                    .action = COHORT_LOOPBACK_FAIL,
                                    .status = draw(4) == 0 ? COHORT_ENOMEM : COHORT_EINTERNAL });
    else if (what == 3)
        add(1, (cohort_loopback_rule){
                   .op = COHORT_LOOPBACK_EXECUTE, .nth = nth, .action = COHORT_LOOPBACK_HOLD });
    else if (what < 8)
        add(plugin, (cohort_loopback_rule){ .op = op,
                                            .nth = nth,
                                            .action = COHORT_LOOPBACK_DELAY,
                                            .delay_ns = most_ns[draw(3)] });
}

void faults_release(void)
{
    for (int i = 0; i < n_rules; i++)
        if (faults[i].action == COHORT_LOOPBACK_HOLD)
            faults[i].plugin->release(faults[i].rule);
}

static bool was_met(const fault *f)
{
    return f->action == COHORT_LOOPBACK_FAIL && f->plugin->reached(f->rule, 1, 0) != 0;
}

bool faults_were_met(void)
{
    bool were = false;
    for (int i = 0; i < n_rules; i++)
        were = were || was_met(&faults[i]);
    return were;
}

bool fault_explains(cohort_status status)
{
    bool does = p->has_late && status == COHORT_EINVAL;
    for (int i = 0; i < n_rules; i++)
        does = does || (was_met(&faults[i]) && faults[i].status == status);
    return does;
}

void faults_reset(void)
{
    for (int i = 0; i < PLUGINS; i++)
        if (plugins[i] != NULL)
            plugins[i]->reset();
    n_rules = 0;
}
