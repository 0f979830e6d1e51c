/* SPDX-License-Identifier: BSD-3-Clause */
/* Graph kernels, in the manner of Rodinia: a typedef of an unnamed struct, char masks. */
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable

//Structure to hold a node information
typedef struct{
	int starting;
	int no_of_edges;
} Node;

__kernel void BFS_1( const __global Node* g_graph_nodes,
					const __global int* g_graph_edges,
					__global char* g_graph_mask,
					__global char* g_updating_graph_mask,
					__global char* g_graph_visited,
					__global int* g_cost,
					const  int no_of_nodes){
	int tid = get_global_id(0);
	if( tid<no_of_nodes && g_graph_mask[tid]){
		g_graph_mask[tid]=false;
		for(int i=g_graph_nodes[tid].starting; i<(g_graph_nodes[tid].no_of_edges +
        g_graph_nodes[tid].starting); i++){
			int id = g_graph_edges[i];
			if(!g_graph_visited[id]){
				g_cost[id]=g_cost[tid]+1;
				g_updating_graph_mask[id]=true;
			}
		}
	}
}

//--5 parameters
__kernel void BFS_2(__global char* g_graph_mask,
					__global char* g_updating_graph_mask,
					__global char* g_graph_visited,
					__global char* g_over,
					const  int no_of_nodes
					) {
	int tid = get_global_id(0);
	if( tid<no_of_nodes && g_updating_graph_mask[tid]){
		g_graph_mask[tid]=true;
		g_graph_visited[tid]=true;
		*g_over=true;
		g_updating_graph_mask[tid]=false;
	}
}

typedef struct latLong
    {
        float lat;
        float lng;
    } LatLong;

__kernel void NearestNeighbor(__global LatLong *d_locations,
							  __global float *d_distances,
							  const int numRecords,
							  const float lat,
							  const float lng) {
	 int globalId = get_global_id(0);
     if (globalId < numRecords) {
         __global LatLong *latLong = d_locations+globalId;
         __global float *dist=d_distances+globalId;
         *dist =
        (float)sqrt((lat-latLong->lat)*(lat-latLong->lat)+(lng-latLong->lng)*(lng-latLong->lng));
	 }
}

struct edge { uint from, to; float weight; };
typedef struct edge edge_t;

__kernel void relax(__global const struct edge *edges, uint n, __global const float *dist,
        __global float *out)
{
    uint i = get_global_id(0);
    if (i < n) out[i] = dist[edges[i].from] + edges[i].weight;
}

__kernel void heaviest(global edge_t *restrict edges, float by)
{
    edges[get_global_id(0)].weight *= by;
}
