/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of bytes. */
#include "config.h"

#include "tests/bodies/bodies.h"

COHORT_ITEMS_2D(grey, i, n, j, m / 3,
                (int64_t n, int64_t m, const uint8_t *x COHORT_SHAPE(n, m),
                 COHORT_OUT uint8_t *y COHORT_SHAPE(n, m / 3)),
                {
                    int64_t at = i * m + 3 * j;
                    y[i * (m / 3) + j] =
                        (uint8_t)((77 * x[at] + 150 * x[at + 1] + 29 * x[at + 2] + 128) >> 8);
                });
BODIES_CALL(grey, BODIES_IMAGE, v[0])

COHORT_ITEMS(invert, i, n, (int64_t n, const uint8_t x[n], COHORT_OUT uint8_t y[n]),
             { y[i] = (uint8_t)~x[i]; });
BODIES_CALL(invert, BODIES_IMAGE, v[0])

/* Porter and Duff's "over", of bytes; a / 255 rounded without a division. */
COHORT_ITEMS(blend, i, n,
             (int64_t n, const uint8_t x[n], const uint32_t alpha[n], COHORT_OUT uint8_t y[n]), {
                 uint32_t a = alpha[i] & 0xff;
                 uint32_t sum = a * x[i] + (255 - a) * (uint32_t)(i & 0xff) + 128;
                 y[i] = (uint8_t)((sum + (sum >> 8)) >> 8);
             });
BODIES_CALL(blend, COHORT_ARRAY(bodies_image, BODIES_N), BODIES_WORDS, v[0])

/* What lies outside is as the rim. */
COHORT_ITEMS_2D(sobel, i, n, j, m,
                (int64_t n, int64_t m, const uint8_t *x COHORT_SHAPE(n, m),
                 COHORT_OUT uint8_t *y COHORT_SHAPE(n, m)),
                {
                    int64_t up = (i > 0 ? i - 1 : 0) * m;
                    int64_t here = i * m;
                    int64_t down = (i < n - 1 ? i + 1 : n - 1) * m;
                    int64_t left = j > 0 ? j - 1 : 0;
                    int64_t right = j < m - 1 ? j + 1 : m - 1;
                    int across = x[up + right] + 2 * x[here + right] + x[down + right] -
                                 x[up + left] - 2 * x[here + left] - x[down + left];
                    int along = x[down + left] + 2 * x[down + j] + x[down + right] - x[up + left] -
                                2 * x[up + j] - x[up + right];
                    int size = (across < 0 ? -across : across) + (along < 0 ? -along : along);
                    y[here + j] = (uint8_t)(size > 255 ? 255 : size);
                });
BODIES_CALL(sobel, BODIES_IMAGE, v[0])

/* By insertion, of the nine around a point. */
COHORT_ITEMS_2D(median, i, n, j, m,
                (int64_t n, int64_t m, const uint8_t *x COHORT_SHAPE(n, m),
                 COHORT_OUT uint8_t *y COHORT_SHAPE(n, m)),
                {
                    uint8_t sorted[9];
                    int k = 0;
                    for (int64_t a = i - 1; a <= i + 1; a++)
                        for (int64_t b = j - 1; b <= j + 1; b++) {
                            bool is_inside = a >= 0 && a < n && b >= 0 && b < m;
                            uint8_t next = is_inside ? x[a * m + b] : x[i * m + j];
                            int at = k++;
                            for (; at > 0 && sorted[at - 1] > next; at--)
                                sorted[at] = sorted[at - 1];
                            sorted[at] = next;
                        }
                    y[i * m + j] = sorted[4];
                });
BODIES_CALL(median, BODIES_IMAGE, v[0])

/* In 16.16 fixed point, to half the size again. */
COHORT_ITEMS_2D(resize, i, rows, j, columns,
                (int64_t rows, int64_t columns, int64_t n, int64_t m,
                 const uint8_t *x COHORT_SHAPE(n, m),
                 COHORT_OUT uint8_t *y COHORT_SHAPE(rows, columns)),
                {
                    int64_t down = i * ((n - 1) * 65536 / (rows - 1));
                    int64_t right = j * ((m - 1) * 65536 / (columns - 1));
                    int64_t a = (down >> 16) * m + (right >> 16);
                    int64_t next_row = (down >> 16) < n - 1 ? m : 0;
                    int64_t next = (right >> 16) < m - 1 ? 1 : 0;
                    int64_t u = right & 0xffff;
                    int64_t w = down & 0xffff;
                    int64_t top = x[a] * (65536 - u) + x[a + next] * u;
                    int64_t low = x[a + next_row] * (65536 - u) + x[a + next_row + next] * u;
                    y[i * columns + j] = (uint8_t)((top * (65536 - w) + low * w) >> 32);
                });
BODIES_CALL(resize, BODIES_IMAGE, v[0], COHORT_NAMED(rows, 55), COHORT_NAMED(columns, 90))

/* BT.601; the sum may be negative, and above 255. */
COHORT_ITEMS(yuv_to_rgb, i, n / 3, (int64_t n, const uint8_t x[n], COHORT_OUT uint8_t y[n]), {
    int c = 298 * (x[3 * i] - 16);
    int d = x[3 * i + 1] - 128;
    int e = x[3 * i + 2] - 128;
    int parts[3] = { c + 409 * e, c - 100 * d - 208 * e, c + 516 * d };
    for (int k = 0; k < 3; k++) {
        int byte = (parts[k] + 128) >> 8;
        y[3 * i + k] = (uint8_t)(byte < 0 ? 0 : byte > 255 ? 255 : byte);
    }
});
BODIES_CALL(yuv_to_rgb, BODIES_IMAGE, v[0])

COHORT_ITEMS_2D(dilate, i, n, j, m,
                (int64_t n, int64_t m, const uint8_t *x COHORT_SHAPE(n, m),
                 COHORT_OUT uint8_t *y COHORT_SHAPE(n, m)),
                {
                    uint8_t most = 0;
                    for (int64_t a = i > 0 ? i - 1 : 0; a <= i + 1 && a < n; a++)
                        for (int64_t b = j > 0 ? j - 1 : 0; b <= j + 1 && b < m; b++)
                            most = x[a * m + b] > most ? x[a * m + b] : most;
                    y[i * m + j] = most;
                });
BODIES_CALL(dilate, BODIES_IMAGE, v[0])

COHORT_TABLE(uint8_t, bayer, [4][4], {
    { 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 },
    {
        15, 7, 13, 5
    }
});
COHORT_ITEMS_2D(dither, i, n, j, m,
                (int64_t n, int64_t m, const uint8_t *x COHORT_SHAPE(n, m),
                 COHORT_OUT uint8_t *y COHORT_SHAPE(n, m)),
                { y[i * m + j] = x[i * m + j] > 16 * bayer[i & 3][j & 3] + 8 ? 255 : 0; });
BODIES_CALL(dither, BODIES_IMAGE, v[0])

COHORT_ITEMS(pack_565, i, n / 3,
             (int64_t n, const uint8_t x[n], COHORT_OUT uint16_t *y COHORT_SHAPE(n / 3)), {
                 y[i] = (uint16_t)((x[3 * i] >> 3) << 11 | (x[3 * i + 1] >> 2) << 5 |
                                   x[3 * i + 2] >> 3);
             });
BODIES_CALL(pack_565, BODIES_IMAGE, v[0])

const bodies_case bodies_of_images[] = {
    { "grey", grey_call, 1, 0x52a1d0137652a417 },
    { "invert", invert_call, 1, 0xe23b33a0b63a4106 },
    { "blend", blend_call, 1, 0x0606d62bbd724bae },
    { "sobel", sobel_call, 1, 0x17f4575f8d0dcb0d },
    { "median", median_call, 1, 0xddaa5770f02aeb3a },
    { "resize", resize_call, 1, 0x98efc2375321454e },
    { "yuv_to_rgb", yuv_to_rgb_call, 1, 0xd128cd3d56dd4381 },
    { "dilate", dilate_call, 1, 0x51c1086eafd38f25 },
    { "dither", dither_call, 1, 0x910197ffb8883fcc },
    { "pack_565", pack_565_call, 1, 0x1541a847a71bde68 },
    { 0 },
};
