/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a work-group, its barriers, and atomics. */
kernel void group_sums(global const int *x, global int *y, local int *t)
{
    int i = get_local_id(0);
    t[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (i < step)
            t[i] += t[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        y[get_group_id(0)] = t[0];
}
kernel void reverse_groups(global float *x, local float *t)
{
    int i = get_local_id(0), n = get_local_size(0);
    t[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = t[n - 1 - i];
}
kernel void count_groups(global int *y)
{
    local int n;
    if (get_local_id(0) == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        y[get_group_id(0)] = n;
}
kernel void histogram(global const uchar *x, global int *bins)
{
    atomic_inc(&bins[x[get_global_id(0)]]);
}
kernel void tiles(int n, int m, global const int *x, global int *y, local int *t)
{
    int i = get_global_id(0), j = get_global_id(1), h = get_local_size(0), w = get_local_size(1);
    t[get_local_id(0) * w + get_local_id(1)] = x[i * m + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i * m + j] = t[(h - 1 - get_local_id(0)) * w + (w - 1 - get_local_id(1))];
}
