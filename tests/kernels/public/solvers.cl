/* SPDX-License-Identifier: BSD-3-Clause */
/* Solvers, in the manner of Rodinia and Parboil: macros for sizes and indices,
        constant memory. */
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif
#define IN_RANGE(x, min, max)   ((x)>=(min) && (x)<=(max))
#define MIN(a, b) ((a)<=(b) ? (a) : (b))
#define Index3D(_nx,_ny,_i,_j,_k) ((_i)+_nx*((_j)+_ny*(_k)))
#ifdef RD_WG_SIZE_0_0
    #define MAXBLOCKSIZE RD_WG_SIZE_0_0
#elif defined(RD_WG_SIZE_0)
    #define MAXBLOCKSIZE RD_WG_SIZE_0
#else
    #define MAXBLOCKSIZE 512
#endif

__kernel void Fan1(__global float *m_dev,
                  __global float *a_dev,
                  __global float *b_dev,
                  const int size,
                  const int t) {
    int globalId = get_global_id(0);
    if (globalId < size-1-t) {
         *(m_dev + size * (globalId + t + 1)+t) = *(a_dev + size * (globalId + t + 1) +
        t) / *(a_dev + size * t + t);
    }
}

__kernel void naive_kernel(float c0,float c1,__global float* A0,
                           __global float *Anext,int nx,int ny,int nz)
{
    int i = get_global_id(0)+1;
    int j = get_global_id(1)+1;
    int k = get_global_id(2)+1;
    if(i<nx-1)
    {
        Anext[Index3D (nx, ny, i, j, k)] = c1 *
            ( A0[Index3D (nx, ny, i, j, k + 1)] + A0[Index3D (nx, ny, i, j, k - 1)] +
              A0[Index3D (nx, ny, i, j + 1, k)] + A0[Index3D (nx, ny, i, j - 1, k)] +
              A0[Index3D (nx, ny, i + 1, j, k)] + A0[Index3D (nx, ny, i - 1, j, k)] )
            - A0[Index3D (nx, ny, i, j, k)] * c0;
    }
}

__kernel void dynproc_kernel (int iteration,
                              __global int* gpuWall,
                              __global int* gpuSrc,
                              __global int* gpuResults,
                              int cols,
                              __local int* prev)
{
	int tx = get_local_id(0);
	int x = get_global_id(0);
	prev[tx] = x < cols ? gpuSrc[x] : 0x7fffffff;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (x < cols) {
		int left = tx > 0 ? prev[tx - 1] : prev[tx];
		int right = tx + 1 < cols ? prev[tx + 1] : prev[tx];
		gpuResults[x] = MIN(MIN(left, prev[tx]), right) + gpuWall[cols * iteration + x];
	}
}

__kernel void spmv_jds_naive(__global float *dst_vector, __global float *d_data,
		       __global int *d_index, __global int *d_perm,
		       __global float *x_vec, const int dim,
		       __constant int *jds_ptr_int,
		       __constant int *sh_zcnt_int)
{
	int ix = get_global_id(0);
	if (ix < dim) {
		float sum = 0.0f;
		int  bound=sh_zcnt_int[ix/32];
		for(int k=0;k<bound;k++ )
		{
			int j = jds_ptr_int[k] + ix;
			sum += d_data[j]*x_vec[d_index[j]];
		}
		dst_vector[d_perm[ix]] = sum;
	}
}

__kernel void
kmeans_kernel_c(__global float  *feature,
			  __global float  *clusters,
			  __global int    *membership,
			    int     npoints,
				int     nclusters,
				int     nfeatures,
				int		offset,
				int		size
			  )
{
	unsigned int point_id = get_global_id(0);
    int index = 0;
    if (point_id < npoints)
		{
			float min_dist=FLT_MAX;
			for (int i=0; i < nclusters; i++) {
				float ans  = 0;
				for (int l=0; l<nfeatures; l++){
						ans += (feature[l * npoints +
        point_id]-clusters[i*nfeatures+l])*
							   (feature[l * npoints +
        point_id]-clusters[i*nfeatures+l]);
				}
				if (ans < min_dist) { min_dist = ans; index    = i; }
			}
		  membership[point_id] = index;
		}
	return;
}

__kernel void
kmeans_swap(__global float  *feature,
			__global float  *feature_swap,
			int     npoints,
			int     nfeatures
){
	unsigned int tid = get_global_id(0);
	if (tid >= npoints) return;
	for(int i = 0; i <  nfeatures; i++)
		feature_swap[i * npoints + tid] = feature[tid * nfeatures + i];
}

__kernel void hotspot1D(int iteration, global float *power, global float *temp_src,
        global float *temp_dst,
                        int grid_cols, float Cap, float step, float amb_temp)
{
    __local float on_cuda[BLOCK_SIZE * 2];
    int x = get_global_id(0), tx = get_local_id(0);
    on_cuda[tx] = x < grid_cols ? temp_src[x] : amb_temp;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (IN_RANGE(x, 0, grid_cols - 1))
        temp_dst[x] = on_cuda[tx] + iteration * step / Cap * (power[x] + amb_temp - on_cuda[tx]);
}
