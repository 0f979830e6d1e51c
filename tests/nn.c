/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of examples/nn.h: their C bodies against plain references, and on all devices the
 * bits of the C bodies, and of three loops where they multiply. */
#include "config.h"

#include "examples/nn.h"
#include "tests/core.h"

enum { ROWS = 11, MOST_AXES = 20, MOST = ROWS * MOST_AXES };

/* Columns in groups of eight, and what is left over. */
static const struct {
    int64_t d, k;
} shapes[] = { { 5, 3 }, { 4, 8 }, { 7, 10 }, { 3, 16 }, { 20, 17 }, { 1, 1 } };
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void fill(float *out, int64_t n, uint64_t seed, float limit)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = random_uniform(&seed, limit);
}

static bool is_near(double found, double wanted, double tolerance)
{
    return fabs(found - wanted) <= tolerance * (1 + fabs(wanted));
}

static bool are_near(const float *found, const double *wanted, int64_t n, double tolerance)
{
    for (int64_t i = 0; i < n; i++)
        if (!is_near((double)found[i], wanted[i], tolerance)) {
            diag("element %lld is %.9g, not %.9g", (long long)i, (double)found[i], wanted[i]);
            return false;
        }
    return true;
}

/* ------------------------------------------------------------------ products by three loops, which
 * begin with 0 and add one term after the other */

static void multiply(int64_t n, int64_t d, int64_t k, const float *x, const float *w, float *z)
{
    for (int64_t i = 0; i < n * k; i++) {
        z[i] = 0;
        for (int64_t l = 0; l < d; l++)
            z[i] += x[i / k * d + l] * w[l * k + i % k];
    }
}

/* x' e */
static void multiply_gradient(int64_t n, int64_t d, int64_t k, const float *x, const float *e,
                              float *g)
{
    for (int64_t at = 0; at < d * k; at++) {
        g[at] = 0;
        for (int64_t i = 0; i < n; i++)
            g[at] += x[i * d + at / k] * e[i * k + at % k];
    }
}

/* e w' */
static void multiply_back(int64_t n, int64_t d, int64_t k, const float *e, const float *w,
                          float *eh)
{
    for (int64_t at = 0; at < n * d; at++) {
        eh[at] = 0;
        for (int64_t j = 0; j < k; j++)
            eh[at] += e[at / d * k + j] * w[at % d * k + j];
    }
}

/* ------------------------------------------------------------------ the C bodies, against sums in
 * double */

static bool is_activation_right(void)
{
    float z[MOST], a[MOST], b[MOST_AXES], e[MOST], sums[MOST];
    double wanted[MOST], wanted_back[MOST];
    fill(z, MOST, 8, 3), fill(e, MOST, 9, 1), fill(b, MOST_AXES, 3, 1);
    memcpy(a, z, sizeof a);
    memcpy(sums, z, sizeof sums);
    activate_host(0, ROWS, 0, MOST_AXES, ROWS, MOST_AXES, b, a);
    add_bias_host(0, ROWS, 0, MOST_AXES, ROWS, MOST_AXES, b, sums);
    for (int i = 0; i < MOST; i++) {
        float sum = z[i] + b[i % MOST_AXES];
        double t = tanh((double)sum);
        if (!good(sums[i] == sum))
            return false;
        wanted[i] = t;
        wanted_back[i] = (double)e[i] * (1 - t * t);
    }
    activate_back_host(0, MOST, MOST, a, e);
    return are_near(a, wanted, MOST, 2e-7) && are_near(e, wanted_back, MOST, 5e-7);
}

static bool is_cross_entropy_right(int64_t k)
{
    float z[MOST], e[MOST], loss[ROWS];
    int32_t y[ROWS];
    fill(z, ROWS * k, 10, 4);
    for (int i = 0; i < ROWS; i++)
        y[i] = (int32_t)(i % k);
    cross_entropy_host(0, ROWS, ROWS, k, z, y, e, loss);
    for (int64_t i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += exp((double)z[i * k + j]);
        for (int64_t j = 0; j < k; j++)
            if (!is_near((double)e[i * k + j], exp((double)z[i * k + j]) / sum - (j == y[i]), 1e-6))
                return good(false);
        if (!good(is_near((double)loss[i], log(sum) - (double)z[i * k + y[i]], 1e-6)))
            return false;
    }
    return true;
}

/* Loss of a network over the rows, as a function of one weight, in double. */
typedef struct small_network {
    float x[ROWS * NN_PIXELS], w1[NN_PIXELS * NN_HIDDEN], b1[NN_HIDDEN], w2[NN_HIDDEN * NN_CLASSES],
        b2[NN_CLASSES];
    int32_t y[ROWS];
} small_network;

static double row_loss(const small_network *nn, int64_t row)
{
    double h[NN_HIDDEN], z[NN_CLASSES], sum = 0;
    for (int j = 0; j < NN_HIDDEN; j++) {
        h[j] = (double)nn->b1[j];
        for (int l = 0; l < NN_PIXELS; l++)
            h[j] += (double)nn->x[row * NN_PIXELS + l] * (double)nn->w1[l * NN_HIDDEN + j];
        h[j] = tanh(h[j]);
    }
    for (int j = 0; j < NN_CLASSES; j++) {
        z[j] = (double)nn->b2[j];
        for (int l = 0; l < NN_HIDDEN; l++)
            z[j] += h[l] * (double)nn->w2[l * NN_CLASSES + j];
        sum += exp(z[j]);
    }
    return log(sum) - z[nn->y[row]];
}

static double loss_of(const small_network *nn)
{
    double sum = 0;
    for (int64_t row = 0; row < ROWS; row++)
        sum += row_loss(nn, row);
    return sum;
}

/* (loss(w + h) - loss(w - h)) / 2h */
static double slope(small_network *nn, float *weight)
{
    const float before = *weight, h = 0x1p-9f;
    *weight = before + h;
    double above = loss_of(nn), up = (double)*weight;
    *weight = before - h;
    double below = loss_of(nn), down = (double)*weight;
    *weight = before;
    return (above - below) / (up - down);
}

static void gradients(const small_network *nn, float *g1, float *g2)
{
    float h[ROWS * NN_HIDDEN], z[ROWS * NN_CLASSES], e[ROWS * NN_CLASSES], eh[ROWS * NN_HIDDEN],
        loss[ROWS];
    multiply(ROWS, NN_PIXELS, NN_HIDDEN, nn->x, nn->w1, h);
    activate_host(0, ROWS, 0, NN_HIDDEN, ROWS, NN_HIDDEN, nn->b1, h);
    multiply(ROWS, NN_HIDDEN, NN_CLASSES, h, nn->w2, z);
    add_bias_host(0, ROWS, 0, NN_CLASSES, ROWS, NN_CLASSES, nn->b2, z);
    cross_entropy_host(0, ROWS, ROWS, NN_CLASSES, z, nn->y, e, loss);
    multiply_gradient(ROWS, NN_HIDDEN, NN_CLASSES, h, e, g2);
    multiply_back(ROWS, NN_HIDDEN, NN_CLASSES, e, nn->w2, eh);
    activate_back_host(0, ROWS * NN_HIDDEN, ROWS * NN_HIDDEN, h, eh);
    multiply_gradient(ROWS, NN_PIXELS, NN_HIDDEN, nn->x, eh, g1);
}

static bool are_gradients_slopes(void)
{
    static small_network nn;
    static float g1[NN_PIXELS * NN_HIDDEN], g2[NN_HIDDEN * NN_CLASSES];
    bool is_good = true;
    fill(nn.x, ROWS * NN_PIXELS, 11, 1), fill(nn.w1, NN_PIXELS * NN_HIDDEN, 12, 0.2f),
        fill(nn.b1, NN_HIDDEN, 13, 0.2f);
    fill(nn.w2, NN_HIDDEN * NN_CLASSES, 14, 0.2f), fill(nn.b2, NN_CLASSES, 15, 0.2f);
    for (int i = 0; i < ROWS; i++)
        nn.y[i] = i % NN_CLASSES;
    gradients(&nn, g1, g2);
    for (int i = 0; i < NN_PIXELS * NN_HIDDEN && is_good; i += 331)
        is_good = good(is_near((double)g1[i], slope(&nn, &nn.w1[i]), 1e-4));
    for (int i = 0; i < NN_HIDDEN * NN_CLASSES && is_good; i += 61)
        is_good = good(is_near((double)g2[i], slope(&nn, &nn.w2[i]), 1e-4));
    return is_good;
}

/* Adam as it is written down, in double. */
static bool is_adam_right(void)
{
    float g[MOST], m[MOST] = { 0 }, v[MOST] = { 0 }, w[MOST];
    double dm[MOST] = { 0 }, dv[MOST] = { 0 }, dw[MOST];
    fill(w, MOST, 16, 1);
    for (int i = 0; i < MOST; i++)
        dw[i] = (double)w[i];
    for (int step = 1; step <= 20; step++) {
        fill(g, MOST, (uint64_t)step, 1);
        adam_host(0, MOST, MOST, (float)nn_adam_rate(0.01, step), 0.5f, g, m, v, w);
        for (int i = 0; i < MOST; i++) {
            double gradient = (double)g[i] / 2;
            dm[i] = 0.9 * dm[i] + 0.1 * gradient;
            dv[i] = 0.999 * dv[i] + 0.001 * gradient * gradient;
            dw[i] -= 0.01 * (dm[i] / (1 - pow(0.9, step))) /
                     (sqrt(dv[i] / (1 - pow(0.999, step))) + 1e-8);
        }
    }
    return are_near(w, dw, MOST, 5e-6);
}

/* ------------------------------------------------------------------ everywhere the bits of the C
 * bodies */

static bool are_equal(const void *found, const void *wanted, size_t bytes)
{
    return good(memcmp(found, wanted, bytes) == 0);
}

static bool layer_everywhere(cohort_strategy *s, int64_t d, int64_t k)
{
    float x[MOST], w[MOST_AXES * MOST_AXES], b[MOST_AXES], z[MOST], wanted[MOST];
    fill(x, ROWS * d, 1, 1), fill(w, d * k, 2, 1), fill(b, k, 3, 1);
    multiply(ROWS, d, k, x, w, wanted);
    add_bias_host(0, ROWS, 0, k, ROWS, k, b, wanted);
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(x, ROWS, d)),
                 *vz = cohort_value_create(s);
    return good(cohort_matmul(s, &nn_product, 1, vx, COHORT_ARRAY(w, d, k), vz) == COHORT_OK) &&
           good(cohort_run(s, add_bias, COHORT_ARRAY(b, k), vz) == COHORT_OK) &&
           good(cohort_value_read(vz, COHORT_ARRAY(z, ROWS, k)) == COHORT_OK) &&
           are_equal(z, wanted, (size_t)(ROWS * k) * sizeof *z);
}

/* Each replica has the sum over its own rows. */
static bool gradient_everywhere(cohort_strategy *s, int64_t d, int64_t k)
{
    float x[MOST], e[MOST], wanted[MOST_AXES * MOST_AXES];
    cohort_array found[CORE_MAX_REPLICAS];
    fill(x, ROWS * d, 4, 1), fill(e, ROWS * k, 5, 1);
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(x, ROWS, d)), *g = cohort_value_create(s);
    bool is_good =
        good(cohort_matmul(s, &nn_gradient, 1, vx, cohort_value_split(s, COHORT_ARRAY(e, ROWS, k)),
                           g) == COHORT_OK) &&
        good(cohort_local_results(g, found, CORE_MAX_REPLICAS) == cohort_strategy_num_replicas(s));
    for (int64_t r = 0, row = 0; row < ROWS && is_good; r++) {
        int64_t rows = cohort_value_rows(vx, (int)r);
        multiply_gradient(rows, d, k, &x[row * d], &e[row * k], wanted);
        is_good = are_equal(found[r].data, wanted, (size_t)(d * k) * sizeof *wanted);
        row += rows;
    }
    return is_good;
}

static bool back_everywhere(cohort_strategy *s, int64_t d, int64_t k)
{
    float e[MOST], w[MOST_AXES * MOST_AXES], eh[MOST], wanted[MOST];
    fill(e, ROWS * k, 6, 1), fill(w, d * k, 7, 1);
    multiply_back(ROWS, d, k, e, w, wanted);
    cohort_value *veh = cohort_value_create(s);
    return good(cohort_matmul(s, &nn_back, 1, cohort_value_split(s, COHORT_ARRAY(e, ROWS, k)),
                              COHORT_ARRAY(w, d, k), veh) == COHORT_OK) &&
           good(cohort_value_read(veh, COHORT_ARRAY(eh, ROWS, d)) == COHORT_OK) &&
           are_equal(eh, wanted, (size_t)(ROWS * d) * sizeof *eh);
}

static bool sums_everywhere(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    (void)replicas;
    for (size_t i = 0; i < SHAPES && is_good; i++)
        is_good = layer_everywhere(s, shapes[i].d, shapes[i].k) &&
                  gradient_everywhere(s, shapes[i].d, shapes[i].k) &&
                  back_everywhere(s, shapes[i].d, shapes[i].k);
    return is_good;
}

static bool activations_everywhere(cohort_strategy *s, int replicas)
{
    enum { K = MOST_AXES };
    float z[MOST], e[MOST], bias[K], found[MOST], found_back[MOST];
    (void)replicas;
    fill(z, MOST, 8, 12), fill(e, MOST, 9, 1), fill(bias, K, 3, 1); /* also where tanh is flat */
    cohort_value *a = cohort_value_split(s, COHORT_ARRAY(z, ROWS, K)),
                 *b = cohort_value_split(s, COHORT_ARRAY(e, ROWS, K));
    bool is_good = good(cohort_run(s, activate, COHORT_ARRAY(bias, K), a) == COHORT_OK) &&
                   good(cohort_run(s, activate_back, a, b) == COHORT_OK) &&
                   good(cohort_value_read(a, COHORT_ARRAY(found, ROWS, K)) == COHORT_OK) &&
                   good(cohort_value_read(b, COHORT_ARRAY(found_back, ROWS, K)) == COHORT_OK);
    activate_host(0, ROWS, 0, K, ROWS, K, bias, z);
    activate_back_host(0, MOST, MOST, z, e);
    return is_good && are_equal(found, z, sizeof z) && are_equal(found_back, e, sizeof e);
}

static bool cross_entropy_everywhere(cohort_strategy *s, int replicas)
{
    enum { K = NN_CLASSES };
    float z[ROWS * K], e[ROWS * K], loss[ROWS], wanted_e[ROWS * K], wanted_loss[ROWS];
    int32_t y[ROWS];
    (void)replicas;
    fill(z, ROWS * K, 10, 30); /* also where exp is 0 */
    for (int i = 0; i < ROWS; i++)
        y[i] = (int32_t)(i % K);
    cross_entropy_host(0, ROWS, ROWS, K, z, y, wanted_e, wanted_loss);
    cohort_value *ve = cohort_value_create(s), *vloss = cohort_value_create(s);
    return good(cohort_run(s, cross_entropy, cohort_value_split(s, COHORT_ARRAY(z, ROWS, K)),
                           cohort_value_split(s, COHORT_ARRAY(y, ROWS)), ve, vloss) == COHORT_OK) &&
           good(cohort_value_read(ve, COHORT_ARRAY(e, ROWS, K)) == COHORT_OK) &&
           good(cohort_value_read(vloss, COHORT_ARRAY(loss, ROWS)) == COHORT_OK) &&
           are_equal(e, wanted_e, sizeof e) && are_equal(loss, wanted_loss, sizeof loss);
}

static cohort_variable *variable(cohort_strategy *s, const char *name, const float *initial,
                                 cohort_variable *with)
{
    return cohort_variable_create(s, name, COHORT_ARRAY(initial, MOST),
                                  &(cohort_variable_options){ .colocate_with = with });
}

static bool variable_is(cohort_variable *v, const float *wanted)
{
    float found[MOST];
    return good(cohort_variable_read(v, COHORT_ARRAY(found, MOST)) == COHORT_OK) &&
           are_equal(found, wanted, sizeof found);
}

static bool updates_everywhere(cohort_strategy *s, int replicas)
{
    float g[MOST], m[MOST] = { 0 }, v[MOST] = { 0 }, w[MOST], rates[ROWS + 1];
    bool is_good = true;
    (void)replicas;
    fill(w, MOST, 17, 1);
    nn_rates(rates, ROWS, 0.3);
    cohort_variable *vw = variable(s, "w", w, NULL), *vm = variable(s, "m", m, vw),
                    *vv = variable(s, "v", v, vw);
    for (int step = 1; step <= 5 && is_good; step++) {
        fill(g, MOST, (uint64_t)step, 1);
        cohort_array gradient = COHORT_ARRAY(g, MOST);
        float rate = (float)nn_adam_rate(0.01, step);
        is_good =
            good(cohort_update(vw, momentum, 0.1f, 0.9f, gradient, vm, vw) == COHORT_OK) &&
            good(cohort_update(vw, momentum_of_rows, step, 0.9f, COHORT_ARRAY(rates, ROWS + 1),
                               gradient, vm, vw) == COHORT_OK) &&
            good(cohort_update(vw, sgd, 0.03f, gradient, vw) == COHORT_OK) &&
            good(cohort_update(vw, adam, rate, 0.25f, gradient, vm, vv, vw) == COHORT_OK) &&
            good(cohort_wait(s) == COHORT_OK); /* g is borrowed */
        momentum_host(0, MOST, MOST, 0.1f, 0.9f, g, m, w);
        momentum_host(0, MOST, MOST, (float)(0.3 / step), 0.9f, g, m, w);
        sgd_host(0, MOST, MOST, 0.03f, g, w);
        adam_host(0, MOST, MOST, rate, 0.25f, g, m, v, w);
    }
    return is_good && variable_is(vw, w) && variable_is(vm, m) && variable_is(vv, v);
}

/* ------------------------------------------------------------------ places */

static const core_place more_places[] = {
    { "opencl:0", 1, NULL },
    { "opencl:0", 3, NULL },
    { "opencl:0", 20, NULL },
    { "host,opencl:0", 2, NULL },
    { "loopback,opencl:0,host/2", 7, NULL },
};
enum { MORE_PLACES = sizeof more_places / sizeof *more_places };

static bool has_opencl(void)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_id(d), "opencl:0") == 0)
            return true;
    return false;
}

static bool holds_on(core_check_fn check, const core_place *place)
{
    cohort_strategy *s = core_open(place);
    bool is_good = s != NULL && check(s, place->replicas);
    cohort_strategy_destroy(s);
    if (!is_good)
        diag("with %d replicas on %s", (int)place->replicas, place->devices);
    return is_good;
}

static void everywhere(core_check_fn check, const char *claim)
{
    char on_opencl[128];
    bool is_good = true;
    core_everywhere(check, claim);
    (void)snprintf(on_opencl, sizeof on_opencl, "%s, on OpenCL devices too", claim);
    if (!has_opencl()) {
        skip(on_opencl, "no OpenCL device");
        return;
    }
    for (size_t i = 0; i < MORE_PLACES && is_good; i++)
        is_good = holds_on(check, &more_places[i]);
    ok(is_good, "%s", on_opencl);
}

/* ------------------------------------------------------------------ the network */

enum { IMAGES = 96, BATCH = 32 };

typedef struct course {
    double first_loss, last_loss, accuracy;
    uint64_t digest;
} course;

/* Images of a class are bright in the columns of that class. */
static bool train(const core_place *place, course *out)
{
    static float x[IMAGES * NN_PIXELS], weights[NN_WEIGHTS];
    int32_t y[IMAGES];
    uint64_t random = 5;
    struct nn nn;
    fill(x, IMAGES * NN_PIXELS, 6, 0.5f);
    for (int i = 0; i < IMAGES; i++)
        for (int j = y[i] = i % NN_CLASSES; j < NN_PIXELS; j += NN_CLASSES)
            x[i * NN_PIXELS + j] += 1;
    cohort_strategy *s = core_open(place);
    bool is_good = s != NULL && nn_create(&nn, s, NN_PIXELS, NN_CLASSES, &random);
    for (int epoch = 0; epoch < 10 && is_good; epoch++) {
        for (int first = 0; first < IMAGES && is_good; first += BATCH)
            is_good = nn_step(&nn, &x[first * NN_PIXELS], &y[first], BATCH, 0.1, 0.9);
        double *loss = epoch == 0 ? &out->first_loss : &out->last_loss;
        is_good = is_good && nn_take(nn.mean_loss, loss) && nn_take(nn.accuracy, &out->accuracy);
    }
    is_good = is_good && nn_evaluate(&nn, x, y, IMAGES, &out->accuracy) && nn_read(&nn, weights);
    out->digest = nn_digest(weights, NN_WEIGHTS);
    cohort_strategy_destroy(s);
    return good(is_good);
}

static void check_network(void)
{
    static const core_place places[] = {
        { "host/2", 4, NULL }, { "host/4", 4, NULL },   { "loopback/3,host", 4, NULL },
        { "stream", 4, NULL }, { "opencl:0", 4, NULL }, { "host,opencl:0", 4, NULL }
    };
    course wanted, found;
    bool is_good = train(&(core_place){ "host", 4, NULL }, &wanted);
    ok(is_good && wanted.last_loss < wanted.first_loss / 10, "a network learns what is easy");
    ok(is_good && wanted.accuracy > 0.98, "and gets it right");
    for (size_t i = 0; i < sizeof places / sizeof *places && is_good; i++)
        if (strstr(places[i].devices, "opencl") == NULL || has_opencl())
            is_good = train(&places[i], &found) && good(found.digest == wanted.digest) &&
                      good(found.accuracy == wanted.accuracy);
    ok(is_good, "4 replicas end with the same weights on all devices");
}

static bool entropies_are_right(void)
{
    bool is_good = true;
    for (int64_t k = 1; k <= MOST_AXES && is_good; k++)
        is_good = is_cross_entropy_right(k);
    return is_good;
}

int main(void)
{
    ok(is_activation_right(), "activate is tanh of z + b, activate_back its derivative");
    ok(entropies_are_right(), "cross_entropy is softmax, its error and the loss");
    ok(are_gradients_slopes(), "gradients are the slopes of the loss");
    ok(is_adam_right(), "adam is Adam");
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        everywhere(sums_everywhere, "products, and add_bias, have the bits of loops");
        everywhere(activations_everywhere, "so have activate and activate_back");
        everywhere(cross_entropy_everywhere, "and cross_entropy");
        everywhere(updates_everywhere, "and the updates momentum, sgd and adam");
    }
    check_network();
    core_no_leak(warm);
    return tap_done();
}
