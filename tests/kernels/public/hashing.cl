/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers: generators, hashes, sorting networks; types of <stdint.h> by hand. */
typedef uint uint32_t;
typedef ulong uint64_t;
typedef struct { uint64_t state;  uint64_t inc; } pcg32_random_t;
typedef struct{
	unsigned int matrix_a;
	unsigned int mask_b;
	unsigned int mask_c;
	unsigned int seed;
} mt_struct_stripped;

#define ROTL32(x, r) (((x) << (r)) | ((x) >> (32 - (r))))
#define N_STATES (1 << 1)
#define STATE(n) uint32_t state##n

__constant uint32_t K[4] = { 0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u };

__kernel void xorshift(__global uint32_t *state, const uint rounds)
{
    uint32_t x = state[get_global_id(0)];
    for (uint i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    state[get_global_id(0)] = x;
}

__kernel void pcg(__global pcg32_random_t *rng, __global uint32_t *out)
{
    __global pcg32_random_t *r = &rng[get_global_id(0)];
    uint64_t old = r->state;
    r->state = old * 6364136223846793005UL + (r->inc | 1);
    uint32_t xorshifted = ((old >> 18u) ^ old) >> 27u;
    uint32_t rot = old >> 59u;
    out[get_global_id(0)] = (xorshifted >> rot) | (xorshifted << ((-rot) & 31));
}

__kernel void seed_twisters(__global mt_struct_stripped *d_MT, unsigned int by)
{
    d_MT[get_global_id(0)].seed += by * get_global_id(0);
}

__kernel void mix_states(STATE(0), STATE(1), __global uint32_t out[N_STATES], const char shift)
{
    out[0] = ROTL32(state0 ^ K[0], shift);
    out[1] = ROTL32(state1 ^ K[1], shift);
}

inline void ComparatorLocal(__local uint *keyA, __local uint *keyB, uint arrowDir)
{
    if ((*keyA > *keyB) == arrowDir) { uint t = *keyA; *keyA = *keyB; *keyB = t; }
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void bitonicSortLocal(__global uint *d_Dst, __global uint *d_Src, uint arrayLength,
        uint sortDir, __local uint *l_key)
{
    l_key[get_local_id(0)] = d_Src[get_global_id(0)];
    l_key[get_local_id(0) + arrayLength / 2] = d_Src[get_global_id(0) + arrayLength / 2];
    for (uint size = 2; size <= arrayLength; size <<= 1)
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint dir = size == arrayLength ? sortDir :
        sortDir ^ ((get_local_id(0) & (size / 2)) != 0);
            uint pos = 2 * get_local_id(0) - (get_local_id(0) & (stride - 1));
            ComparatorLocal(&l_key[pos], &l_key[pos + stride], dir);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    d_Dst[get_global_id(0)] = l_key[get_local_id(0)];
    d_Dst[get_global_id(0) + arrayLength / 2] = l_key[get_local_id(0) + arrayLength / 2];
}

kernel void count_bits(global const ulong2 *words, global ushort *counts)
{
    ulong2 w = popcount(words[get_global_id(0)]);
    counts[get_global_id(0)] = (ushort)(w.x + w.y);
}
