/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of one type in one set of instructions: included once for each, with
 *
 *   NAME(step)   names of what is defined
 *   REAL         float or double; PACK, UNPACK of it
 *   TARGET       attribute of the functions
 *   VECTOR_BYTES of a register; HEIGHT, VECTORS: rows of a tile, and registers of each of its rows
 *   BLOCK_ROWS, BLOCK_COLUMNS, BLOCK_DEPTH
 *                of a block: what is packed of a is to lie in the second cache with its sums, a
 *                panel of b in the first
 *
 * A tile stays in registers over the terms of a block, its sums in memory between blocks: a float
 * in memory is that of the register, so each sum takes up its terms in order, however it is cut.
 * Products and sums are rounded by themselves (-ffp-contract=off). */

typedef REAL NAME(vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL))));

#define LANES (VECTOR_BYTES / (int)sizeof(REAL))
#define WIDTH (VECTORS * LANES)

/* Where a product works: a and b packed, sums of tiles one after the other; and how much of each
 * matrix fits. */
typedef struct NAME(space) {
    REAL *a, *b, *sums;
    int64_t rows, columns, depth;
} NAME(space);

/* sums[HEIGHT][WIDTH] += a[depth][HEIGHT]' b[depth][WIDTH] */
TARGET static void NAME(tile)(int64_t depth, const REAL *a, const REAL *b, REAL *sums)
{
    NAME(vector) s[HEIGHT][VECTORS];
    for (int i = 0; i < HEIGHT; i++)
        for (int v = 0; v < VECTORS; v++)
            s[i][v] = *(const NAME(vector) *)(sums + i * WIDTH + v * LANES);
    for (int64_t l = 0; l < depth; l++) {
        NAME(vector) line[VECTORS];
        for (int v = 0; v < VECTORS; v++)
            line[v] = *(const NAME(vector) *)(b + l * WIDTH + v * LANES);
        UNROLLED
        for (int i = 0; i < HEIGHT; i++)
            UNROLLED
        for (int v = 0; v < VECTORS; v++)
            s[i][v] += a[l * HEIGHT + i] * line[v];
    }
    for (int i = 0; i < HEIGHT; i++)
        for (int v = 0; v < VECTORS; v++)
            *(NAME(vector) *)(sums + i * WIDTH + v * LANES) = s[i][v];
}

/* Of a block of c: its first row and column in the matrix, and its size. */
typedef struct NAME(block) {
    int64_t row, column, rows, columns;
} NAME(block);

TARGET static void NAME(pack_a)(const cohort_product *p, const NAME(block) * at, int64_t term,
                                int64_t depth, REAL *out)
{
    for (int64_t i = 0; i < at->rows; i += HEIGHT, out += HEIGHT * depth) {
        const cohort_panel panel = { .from = p->a,
                                     .offset = (at->row + i) * p->a_row + term * p->a_column,
                                     .lane = p->a_row,
                                     .term = p->a_column,
                                     .lanes = at->rows - i < HEIGHT ? at->rows - i : HEIGHT,
                                     .depth = depth };
        PACK(p->dtype, &panel, HEIGHT, out);
    }
}

TARGET static void NAME(pack_b)(const cohort_product *p, const NAME(block) * at, int64_t term,
                                int64_t depth, REAL *out)
{
    for (int64_t j = 0; j < at->columns; j += WIDTH, out += WIDTH * depth) {
        const cohort_panel panel = { .from = p->b,
                                     .offset = (at->column + j) * p->b_column + term * p->b_row,
                                     .lane = p->b_column,
                                     .term = p->b_row,
                                     .lanes = at->columns - j < WIDTH ? at->columns - j : WIDTH,
                                     .depth = depth };
        PACK(p->dtype, &panel, WIDTH, out);
    }
}

/* A panel of b, which the first cache keeps, with all rows of the block. */
TARGET static void NAME(multiply)(const NAME(block) * at, int64_t depth, const NAME(space) * space)
{
    REAL *sums = space->sums;
    for (int64_t j = 0; j < at->columns; j += WIDTH)
        for (int64_t i = 0; i < at->rows; i += HEIGHT, sums += HEIGHT * WIDTH)
            NAME(tile)(depth, space->a + i * depth, space->b + j * depth, sums);
}

TARGET static void NAME(unpack)(const cohort_product *p, const NAME(block) * at, const REAL *sums)
{
    for (int64_t j = 0; j < at->columns; j += WIDTH) {
        int64_t columns = at->columns - j < WIDTH ? at->columns - j : WIDTH;
        for (int64_t i = 0; i < at->rows; i++)
            UNPACK(p, sums + i * WIDTH, columns, (at->row + i) * p->n + at->column + j);
        sums += (at->rows + HEIGHT - 1) / HEIGHT * HEIGHT * WIDTH;
    }
}

TARGET static void NAME(compute)(const cohort_product *p, const NAME(block) * at,
                                 const NAME(space) * space)
{
    const int64_t tiles = (at->rows + HEIGHT - 1) / HEIGHT * ((at->columns + WIDTH - 1) / WIDTH);
    for (int64_t i = 0; i < tiles * HEIGHT * WIDTH; i++)
        space->sums[i] = 0;
    for (int64_t l = 0; l < p->k; l += space->depth) {
        int64_t depth = p->k - l < space->depth ? p->k - l : space->depth;
        NAME(pack_a)(p, at, l, depth, space->a);
        NAME(pack_b)(p, at, l, depth, space->b);
        NAME(multiply)(at, depth, space);
    }
    NAME(unpack)(p, at, space->sums);
}

/* The least multiple of `step` that is not below n, or the largest one up to `most`. */
static int64_t NAME(up_to)(int64_t n, int64_t step, int64_t most)
{
    return n >= most ? most / step * step : (n + step - 1) / step * step;
}

static size_t NAME(size)(const NAME(space) * s)
{
    return (size_t)(s->rows * s->depth + s->columns * s->depth + s->rows * s->columns);
}

enum {
    NAME(LITTLE) = 4096
}; /* elements on the stack, which many products of layers need at most */

/* Blocks as large as the caches like, or as what there is to compute; less where it does not fit
 * into the stack's, and there is no other memory. *out_memory: to be freed. */
static NAME(space) NAME(begin)(const cohort_product *p, int64_t rows, int64_t columns, REAL *little,
                               void **out_memory)
{
    NAME(space)
    s = { .rows = NAME(up_to)(rows, HEIGHT, BLOCK_ROWS),
          .columns = NAME(up_to)(columns, WIDTH, BLOCK_COLUMNS),
          .depth = NAME(up_to)(p->k, 1, BLOCK_DEPTH) };
    size_t wanted = NAME(size)(&s);
    *out_memory = wanted > NAME(LITTLE) ? cohort_allocate_aligned(wanted * sizeof(REAL), 64) : NULL;
    if (*out_memory == NULL && wanted > NAME(LITTLE)) {
        s.rows = HEIGHT;
        s.columns = WIDTH;
        s.depth = NAME(up_to)(p->k, 1, (NAME(LITTLE) - HEIGHT * WIDTH) / (HEIGHT + WIDTH));
    }
    s.b = *out_memory != NULL ? *out_memory : little;
    s.a = s.b + s.columns * s.depth;
    s.sums = s.a + s.rows * s.depth;
    return s;
}

static void NAME(product)(const cohort_product *p, int64_t row, int64_t rows, int64_t column,
                          int64_t columns)
{
    _Alignas(64) REAL little[NAME(LITTLE)];
    void *memory;
    const NAME(space) space = NAME(begin)(p, rows, columns, little, &memory);
    for (int64_t j = 0; j < columns; j += space.columns)
        for (int64_t i = 0; i < rows; i += space.rows) {
            const NAME(block)
                at = { .row = row + i,
                       .column = column + j,
                       .rows = rows - i < space.rows ? rows - i : space.rows,
                       .columns = columns - j < space.columns ? columns - j : space.columns };
            NAME(compute)(p, &at, &space);
        }
    cohort_free(memory);
}

#undef LANES
#undef WIDTH
#undef NAME
#undef REAL
#undef PACK
#undef UNPACK
#undef TARGET
#undef VECTOR_BYTES
#undef HEIGHT
#undef VECTORS
#undef BLOCK_ROWS
#undef BLOCK_COLUMNS
#undef BLOCK_DEPTH
