/* SPDX-License-Identifier: BSD-3-Clause */
/* The values, variables, metrics and the input that each world has. */
#include "config.h"

#include "tests/long/recorded/recorded.h"

enum { MOST_PLACES = 32 };

/* Lists of devices, and the fewest replicas that each can have. */
static struct place {
    char devices[60];
    int least;
} places[MOST_PLACES];
static int n_places;

/* ------------------------------------------------------------------ drawing */

static void draw_held(struct held *h)
{
    static const char *const placements[] = { "mirrored", "central", "sharded", "round-robin" };
    int placement = draw(2) == 1 ? 0 : draw(4);
    h->type = draw(2) == 1 ? F32 : (dtype)draw(DTYPES);
    h->width = draw(3) > 0 ? WIDE : ROW_IDS + draw(MAX_WIDTH - ROW_IDS + 1);
    h->placement = placements[placement];
    h->is_on_read = draw(3) == 0;
    h->aggregation = (cohort_aggregation)draw(4);
    if (h->aggregation == COHORT_AGGREGATE_MEAN && h->type == I32)
        h->aggregation = COHORT_AGGREGATE_SUM;
}

static void draw_input(design *d)
{
    static const int batches[] = { 1, 2, 3, 5, 8, 13 };
    d->rows = draw(4) > 0 ? 1 + draw(60) : 0;
    d->batch = batches[draw(sizeof batches / sizeof *batches)];
    d->ahead = draw(3) - 1;
    d->fails_at = draw(8) == 0 ? draw(60) : -1;
}

COHORT_ITEMS(nothing, i, n, (int64_t n), { (void)i; });

/* All at once: who calls a body while it is up. */
static cohort_status meet(cohort_replica *me, void *user)
{
    cohort_status status = cohort_replica_run(me, nothing, 1);
    (void)user;
    return status < 0 ? status : cohort_barrier(me);
}

/* The first body on a device of several cores starts a team for those that want one, and in a step
 * function one for each replica's thread: libomp keeps both. */
static bool warm_up(struct place *place)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = place->devices, .replicas = MAX_REPLICAS });
    if (s == NULL)
        return false;
    place->least = cohort_strategy_devices(s, NULL, 0);
    bool is_good = cohort_run(s, nothing, 1) == COHORT_OK &&
                   cohort_for_each_replica(s, meet, NULL) == COHORT_OK;
    cohort_strategy_destroy(s);
    return is_good;
}

bool worlds_warm_up(const char *devices)
{
    bool is_good = true;
    for (const char *at = devices; is_good && *at != '\0' && n_places < MOST_PLACES;) {
        struct place *place = &places[n_places++];
        const size_t length = strcspn(at, ";");
        is_good = length < sizeof place->devices;
        (void)snprintf(place->devices, sizeof place->devices, "%.*s", (int)length, at);
        is_good = is_good && warm_up(place);
        at += length + (at[length] == ';');
    }
    return is_good && n_places > 0;
}

void design_draw_contents(design *d)
{
    draw_input(d);
    for (int i = 0; i < POOL; i++) {
        d->fixed[i] = draw(3) > 0 ? WIDE : 1 + draw(11);
        d->types[i] = (dtype)draw(DTYPES);
    }
    d->fixed[IDS] = d->fixed[SPLIT_IDS] = d->fixed[PLAIN_F32] = WIDE;
    for (int r = 0; r < MAX_REPLICAS; r++)
        d->uneven[r] = draw(5);
    for (int i = 0; i < HELD; i++) {
        const struct held *h = &d->held[i];
        draw_held(&d->held[i]);
        note("w%d: %s[%d], \"%s\", %s, aggregation %d", i, dtype_names[h->type], h->width,
             h->placement, h->is_on_read ? "ON_READ" : "ON_WRITE", (int)h->aggregation);
    }
    note("s = cohort_strategy_create(\"%s\", \"%s\", %d replicas); %s; %d rows in batches of %d",
         d->name != NULL ? d->name : "", d->devices, d->replicas,
         d->f == &of_items ? "items" : "loops", d->rows, d->batch);
}

void design_draw(design *d)
{
    static const char *const names[] = { NULL, "mirrored", "central", "sharded", "round-robin" };
    const struct place *place = &places[draw(n_places)];
    const bool is_anywhere = strstr(place->devices, "opencl") != NULL;
    *d = (design){ .devices = place->devices,
                   .may_move = !is_anywhere,
                   .f = is_anywhere || draw(2) == 0 ? &of_items : &of_loops,
                   .name = draw(3) > 0 ? NULL : names[draw(5)],
                   .replicas = place->least + draw(MAX_REPLICAS - place->least + 1) };
    design_draw_contents(d);
}

/* ------------------------------------------------------------------ the input */

static cohort_status begin(void **state, void *user)
{
    (void)user;
    *state = calloc(1, sizeof(int));
    return *state != NULL ? COHORT_OK : COHORT_ENOMEM;
}

static void end(void *state, void *user)
{
    (void)user;
    free(state);
}

static cohort_status next_row(cohort_array out[], void *state, void *user)
{
    const design *d = user;
    int row = (*(int *)state)++;
    if (row == d->fails_at)
        return cohort_error_set(COHORT_EINVAL, "row %d is drawn to fail", row);
    if (row >= d->rows)
        return COHORT_END;
    *(float *)out[0].data = (float)(row % 17) / 8 - 1;
    *(int32_t *)out[1].data = row * 7 % ROW_IDS;
    ((double *)out[2].data)[0] = row / 3.0;
    ((double *)out[2].data)[1] = 1.0 / (row + 1);
    return COHORT_OK;
}

static bool open_input(world *w, const design *d)
{
    static const cohort_spec specs[COMPONENTS] = { { .dtype = COHORT_F32 },
                                                   { .dtype = COHORT_I32 },
                                                   { COHORT_F64, 1, { 2 } } };
    if (d->rows == 0)
        return true;
    cohort_dataset *rows = cohort_dataset_generator(
        specs, COMPONENTS,
        &(cohort_generator){ .begin = begin, .next = next_row, .end = end, .user = (void *)d });
    w->input = cohort_distribute_dataset_with(w->s, cohort_dataset_batch(rows, d->batch, false),
                                              &(cohort_input_options){ .ahead = d->ahead });
    return w->input != NULL;
}

/* ------------------------------------------------------------------ values */

/* Memory with the numbers of value i, the same in every world. */
static void *content_of(int i, dtype type, int n)
{
    void *memory = lend((size_t)n * sizeof(double));
    for (int k = 0; k < n; k++) {
        if (type == F32)
            ((float *)memory)[k] = (float)((i * 5 + k * 3) % 23) / 4 - 2;
        else if (type == F64)
            ((double *)memory)[k] = ((i * 5 + k * 3) % 23) / 3.0 - 2;
        else
            ((int32_t *)memory)[k] = (i * 5 + k * 3) % (i == IDS || i == SPLIT_IDS ? ROW_IDS : 23);
    }
    return memory;
}

static cohort_array content_array(int i, dtype type, int n)
{
    return array_of(content_of(i, type, n), type, n);
}

static cohort_value *make_uneven(const world *w, const design *d, int i)
{
    cohort_array parts[MAX_REPLICAS];
    for (int r = 0; r < d->replicas; r++)
        parts[r] = content_array(i + r, d->types[i], d->uneven[r]);
    return cohort_value_per_replica(w->s, parts);
}

/* One number for each replica. */
static cohort_value *make_weights(const world *w, const design *d, int i)
{
    cohort_array parts[MAX_REPLICAS];
    for (int r = 0; r < d->replicas; r++) {
        parts[r] = content_array(i + r, F32, 1);
        parts[r].rank = 0;
    }
    return cohort_value_per_replica(w->s, parts);
}

static cohort_value *make_value(const world *w, const design *d, int i)
{
    static const cohort_dtype dtypes[DTYPES] = { COHORT_F32, COHORT_F64, COHORT_I32 };
    int n = d->fixed[i];
    switch (i) {
    case PLAIN_F32:
    case PLAIN_F64:
    case PLAIN_I32:
        return cohort_value_plain(w->s, content_array(i, (dtype)(i - PLAIN_F32), n));
    case SPLIT_F32:
        return cohort_value_split(w->s, content_array(i, F32, 2 * n));
    case SPLIT_I32:
        return cohort_value_split(w->s, content_array(i, I32, 2 * n));
    case UNEVEN:
        return make_uneven(w, d, i);
    case IDS:
        return cohort_value_plain(w->s, content_array(i, I32, n));
    case SPLIT_IDS:
        return cohort_value_split(w->s, content_array(i, I32, n));
    case TABLE:
        return cohort_value_plain(w->s, COHORT_ARRAY((double *)content_of(i, F64, 2 * n), n, 2));
    case SHAPED:
        return cohort_value_shaped(w->s, dtypes[d->types[i]], 1, (const int64_t[]){ n });
    case WEIGHTS:
        return make_weights(w, d, i);
    default:
        return i < NUMBERS ? cohort_value_number(w->s, 0.5 + i) : cohort_value_create(w->s);
    }
}

/* ------------------------------------------------------------------ all of it */

static cohort_variable *make_variable(const world *w, const struct held *h, int i)
{
    char name[20];
    (void)snprintf(name, sizeof name, "w%d", i);
    return cohort_variable_create(
        w->s, name, content_array(i, h->type, h->width),
        &(cohort_variable_options){ .synchronization =
                                        h->is_on_read ? COHORT_ON_READ : COHORT_ON_WRITE,
                                    .aggregation = h->aggregation,
                                    .placement = cohort_placement_find(h->placement) });
}

static void make_metric(world *w, int i)
{
    static const char *const kinds[METRICS] = { "mean", "sum", "accuracy" };
    char name[40];
    w->metrics[i] = cohort_metric_create(w->s, kinds[i], kinds[i]);
    (void)snprintf(name, sizeof name, "%s/total", kinds[i]);
    w->of_metrics[2 * i] = cohort_variable_find(w->s, name);
    (void)snprintf(name, sizeof name, "%s/count", kinds[i]);
    w->of_metrics[2 * i + 1] = cohort_variable_find(w->s, name);
}

bool world_open(world *w, const design *d)
{
    memset(w, 0, sizeof *w);
    w->f = d->f;
    w->may_move = d->may_move;
    w->s = cohort_strategy_create(&(cohort_strategy_options){
        .name = d->name, .devices = d->devices, .replicas = d->replicas, .resolver = d->workers });
    w->keeps_steps = core_keeps_steps(w->s);
    for (int i = 0; i < POOL; i++)
        w->values[i] = make_value(w, d, i);
    for (int i = POOL; i < ALL_VALUES; i++)
        w->values[i] = cohort_value_create(w->s);
    w->due = cohort_value_create(w->s);
    for (int i = 0; i < HELD; i++)
        w->variables[i] = make_variable(w, &d->held[i], i);
    for (int i = 0; i < METRICS; i++)
        make_metric(w, i);
    bool is_open = open_input(w, d) && cohort_wait(w->s) >= 0;
    if (!is_open)
        mismatch("a world does not open");
    return is_open;
}

void world_close(world *w)
{
    cohort_strategy_destroy(w->s);
    w->s = NULL;
}

/* Each replica goes to a device behind that of the one before, or to the same. */
void world_move_replicas(world *w)
{
    const int n_devices = cohort_strategy_devices(w->s, NULL, 0);
    int32_t hosted[MAX_REPLICAS] = { 0 };
    int left = cohort_strategy_num_replicas(w->s);
    for (int d = 0; d < n_devices; d++) {
        hosted[d] = d == n_devices - 1 ? left : draw(left + 1);
        left -= hosted[d];
    }
    if (cohort_strategy_set_hosted(w->s, hosted, n_devices) < 0)
        mismatch("replicas do not move: %s", cohort_error_text());
}
