/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort/random.h: the known answers of Random123, places, ranges, distributions, and the bits that
 * every compiler and device must give. All seeds are fixed, and so are all results. */
#include "tests/tap.h"

#include <cohort/random.h>
#include <cohort/random.h> /* twice, as two headers of a program would */

#include <inttypes.h>

enum { N = 1 << 20 };

static bool are_words(const unsigned found[4], const unsigned wanted[4])
{
    return memcmp(found, wanted, 4 * sizeof *found) == 0;
}

static cohort_random at(uint64_t item)
{
    return cohort_random_at(2026, 3, 1, item);
}

/* ---- Philox */

static void test_known_answers(void)
{
    static const struct {
        unsigned counter[4], key[2], wanted[4];
    } known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        unsigned word[4];
        memcpy(word, known[i].counter, sizeof word);
        cohort_philox4x32(word, known[i].key[0], known[i].key[1]);
        if (!ok(are_words(word, known[i].wanted), "Philox4x32-10 gives known answer %d", (int)i))
            diag("%08x %08x %08x %08x", word[0], word[1], word[2], word[3]);
    }
}

static void draw(cohort_random r, unsigned out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = cohort_random_bits(&r);
}

/* The layout that the header gives, so that others can compute the numbers again. */
static void test_layout(void)
{
    unsigned found[4],
        wanted[4] = { 0x89abcdef, 0x00000067, 0x2468ace0, 0x00abcd00 | 0x13 | 0x12000000 };
    draw(cohort_random_at(0x0123456700112233u, 0x132468ace0u, 0x12abcd, 0x6789abcdefu), found);
    cohort_philox4x32(wanted, 0x00112233, 0x01234567);
    ok(are_words(found, wanted), "seed, step, replica and item are where the header says");
    cohort_random r = at(7);
    for (int i = 0; i < 4; i++)
        (void)cohort_random_bits(&r);
    draw(r, found);
    unsigned second[4] = { 7, 0x100, 3, 0x100 };
    cohort_philox4x32(second, 2026, 0);
    ok(are_words(found, second), "the next block of an item is the next counter");
}

static void test_ranges(void)
{
    unsigned first[4], other[4];
    draw(cohort_random_at(1, 2, 3, 4), first);
    const cohort_random beyond[] = { cohort_random_at(1, 2 + (UINT64_C(1) << 40), 3, 4),
                                     cohort_random_at(1, 2, 3 + (UINT64_C(1) << 24), 4),
                                     cohort_random_at(1, 2, 3, 4 + (UINT64_C(1) << 40)) };
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        draw(beyond[i], other);
        ok(are_words(first, other), "of numbers that are too large the low bits count");
    }
    const cohort_random near[] = { cohort_random_at(1 + (UINT64_C(1) << 63), 2, 3, 4),
                                   cohort_random_at(1, 2 + (UINT64_C(1) << 39), 3, 4),
                                   cohort_random_at(1, 2, 3 + (1 << 23), 4),
                                   cohort_random_at(1, 2, 3, 4 + (UINT64_C(1) << 39)) };
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        draw(near[i], other);
        ok(!are_words(first, other), "the highest bit of each part counts");
    }
}

/* ---- Distributions */

/* How far counts of equal chances are from n / bins, as a normal deviate (Wilson, Hilferty). */
static double chi(const int *counts, int bins, double n)
{
    double sum = 0, freedom = bins - 1;
    for (int i = 0; i < bins; i++)
        sum += (counts[i] - n / bins) * (counts[i] - n / bins) / (n / bins);
    return (cbrt(sum / freedom) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom));
}

static void test_uniform(void)
{
    static int counts[1024];
    double sum = 0;
    float least = 1, most = 0;
    memset(counts, 0, sizeof counts);
    for (uint64_t i = 0; i < N; i++) {
        cohort_random r = at(i);
        float u = cohort_random_uniformf(&r);
        counts[(int)(u * 1024)]++;
        sum += (double)u;
        least = fminf(least, u), most = fmaxf(most, u);
    }
    ok(least >= 0 && most < 1, "uniform floats are in [0, 1)");
    ok(fabs(sum / N - 0.5) < 4 / sqrt(12.0 * N), "their mean is 1/2");
    ok(fabs(chi(counts, 1024, N)) < 4, "all parts of the interval are alike");
}

static void test_below(void)
{
    cohort_random r = at(0);
    bool is_zero = true;
    for (int i = 0; i < 100; i++)
        is_zero &= cohort_random_below(&r, 1) == 0;
    ok(is_zero, "below 1 there is 0 alone");
    cohort_random a = at(1), b = at(1);
    ok(cohort_random_below(&a, 0) == cohort_random_bits(&b), "0 stands for all 32 bits");
    static int counts[1000];
    memset(counts, 0, sizeof counts);
    bool is_below = true;
    for (int i = 0; i < N; i++) {
        unsigned k = cohort_random_below(&r, 1000);
        is_below &= k < 1000;
        counts[k % 1000]++;
    }
    ok(is_below, "below 1000");
    ok(fabs(chi(counts, 1000, N)) < 4, "each alike");
}

/* By words without rejection, a third of the numbers below 3 2^30 would come twice as often. */
static void test_bias(void)
{
    int thirds[3] = { 0 }, n_words = 0;
    cohort_random r = at(2);
    for (int i = 0; i < N; i++) {
        int before = (int)(r.counter[1] >> 8) * 4 + r.n_drawn;
        thirds[cohort_random_below(&r, 3u << 30) % 3]++;
        n_words += (int)(r.counter[1] >> 8) * 4 + r.n_drawn - before;
    }
    ok(fabs(chi(thirds, 3, N)) < 4, "integers below 3 2^30 have no bias");
    ok(fabs((double)n_words / N - 4.0 / 3) < 0.01, "one word in four is refused for it");
}

/* The part of the distribution that is below x. */
static double below_normal(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void test_normal(void)
{
    static float z[N];
    double sums[5] = { 0 }, distance = 0;
    for (uint64_t i = 0; i < N; i++) {
        cohort_random r = at(i);
        z[i] = cohort_random_normalf(&r);
        for (int k = 1; k < 5; k++)
            sums[k] += pow((double)z[i], k);
    }
    ok(fabs(sums[1] / N) < 4 / sqrt(N), "normal floats have the mean 0");
    ok(fabs(sums[2] / N - 1) < 4 * sqrt(2.0 / N), "the variance 1");
    ok(fabs(sums[3] / N) < 4 * sqrt(15.0 / N), "no skew");
    ok(fabs(sums[4] / N - 3) < 4 * sqrt(96.0 / N), "and the fourth moment 3");
    qsort(z, N, sizeof *z, by_size);
    for (int i = 0; i < N; i++)
        distance = fmax(distance, fabs(below_normal((double)z[i]) - (i + 0.5) / N));
    ok(distance * sqrt(N) < 1.95, "the test of Kolmogorov and Smirnov does not see another one");
    ok(z[0] > -6.77f && z[N - 1] < 6.77f && z[0] < -4 && z[N - 1] > 4, "its ends are there");
}

/* Doubles are drawn as floats are, from twice the words. */
static void test_doubles(void)
{
    static int counts[1024];
    double sums[5] = { 0 }, least = 1, most = 0, farthest = 0;
    memset(counts, 0, sizeof counts);
    for (uint64_t i = 0; i < N; i++) {
        cohort_random r = at(i);
        const double u = cohort_random_uniform(&r), z = cohort_random_normal(&r);
        counts[(int)(u * 1024)]++;
        least = fmin(least, u), most = fmax(most, u), farthest = fmax(farthest, fabs(z));
        for (int k = 1; k < 5; k++)
            sums[k] += pow(z, k);
    }
    ok(least >= 0 && most < 1, "uniform doubles are in [0, 1)");
    ok(fabs(chi(counts, 1024, N)) < 4, "all parts of the interval are alike");
    ok(fabs(sums[1] / N) < 4 / sqrt(N), "normal doubles have the mean 0");
    ok(fabs(sums[2] / N - 1) < 4 * sqrt(2.0 / N), "the variance 1");
    ok(fabs(sums[3] / N) < 4 * sqrt(15.0 / N), "no skew");
    ok(fabs(sums[4] / N - 3) < 4 * sqrt(96.0 / N), "and the fourth moment 3");
    ok(farthest > 4 && farthest < 9.5, "their ends are there");
    cohort_random a = at(5), b = at(5);
    const uint64_t high = cohort_random_bits(&a), low = cohort_random_bits(&a);
    ok(cohort_random_uniform(&b) == (double)((high << 32 | low) >> 11) * 0x1p-53,
       "a uniform double is two words, the high one first");
}

/* Two normal floats of one item and two of neighbours are as if they knew nothing of each other. */
static void test_independence(void)
{
    double within = 0, beside = 0, squares = 0;
    float last = 0;
    for (uint64_t i = 0; i < N; i++) {
        cohort_random r = at(i);
        float a = cohort_random_normalf(&r), b = cohort_random_normalf(&r);
        within += (double)a * (double)b;
        squares += ((double)a * (double)a - 1) * ((double)b * (double)b - 1);
        beside += (double)last * (double)a;
        last = a;
    }
    ok(fabs(within / N) < 4 / sqrt(N), "numbers of one item do not go together");
    ok(fabs(squares / N) < 4 * 2 / sqrt(N), "nor do their squares");
    ok(fabs(beside / N) < 4 / sqrt(N), "nor do those of neighbours");
}

/* ---- Bits */

static uint64_t fold(uint64_t digest, unsigned word)
{
    return (digest ^ word) * 0x100000001b3u;
}

static void is_digest(uint64_t found, uint64_t wanted, const char *claim)
{
    if (!ok(found == wanted, "%s have the bits that they have everywhere", claim))
        diag("digest %016" PRIx64 ", wanted %016" PRIx64, found, wanted);
}

static void test_bits(void)
{
    uint64_t uniform = 0xcbf29ce484222325u, normal = uniform, below = uniform;
    for (uint64_t i = 0; i < N; i++) {
        cohort_random r = at(i * 0x10001u);
        uniform = fold(uniform, (unsigned)cohort_math_bits_(cohort_random_uniformf(&r)));
        normal = fold(normal, (unsigned)cohort_math_bits_(cohort_random_normalf(&r)));
        below = fold(below, cohort_random_below(&r, 0xc0000001u));
    }
    is_digest(uniform, 0xc1f113162af64c8b, "uniform floats");
    is_digest(normal, 0x437af5ca4514e625, "normal floats");
    is_digest(below, 0xf0e438e5e267f2f8, "integers");
    uint64_t of_doubles = 0xcbf29ce484222325u;
    for (uint64_t i = 0; i < N; i++) {
        cohort_random r = at(i * 0x10001u);
        const double y = cohort_random_uniform(&r) + cohort_random_normal(&r);
        const uint64_t bits = (uint64_t)cohort_math_long_bits_(y);
        of_doubles = fold(fold(of_doubles, (unsigned)(bits & 0xffffffffu)), (unsigned)(bits >> 32));
    }
    is_digest(of_doubles, 0xa737b805ec696494, "doubles");
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    test_known_answers();
    test_layout();
    test_ranges();
    test_uniform();
    test_below();
    test_bias();
    test_normal();
    test_doubles();
    test_independence();
    test_bits();
    return tap_done();
}
