/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs by value and as elements, constant memory, results of a host function's prototype. */
typedef struct { float x, y; int n; } where;
typedef struct { uchar tag; long much; } odd;
kernel void place(where p, global float *y)
{
    int i = get_global_id(0);
    y[i] = p.x + p.y * i + p.n;
}
kernel void move_all(where by, global where *p)
{
    int i = get_global_id(0);
    p[i].x += by.x;
    p[i].y += by.y;
    p[i].n += by.n;
}
kernel void unpack_odd(odd o, global long *y)
{
    y[get_global_id(0)] = o.much + o.tag;
}
kernel void look_up(constant float *table, global const int *at, global float *y)
{
    int i = get_global_id(0);
    y[i] = table[at[i]];
}
