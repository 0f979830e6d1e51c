/* SPDX-License-Identifier: BSD-3-Clause */
/* Caps on sizes that come from outside. Each has a test. */
#ifndef COHORT_BASE_LIMITS_H
#define COHORT_BASE_LIMITS_H

enum {
    COHORT_LIMIT_PROTOTYPE_BYTES = 16384, /* text of one prototype, or of one struct */
    COHORT_LIMIT_NAME_BYTES = 128,        /* one identifier of a prototype */
    COHORT_LIMIT_EXPRESSION_NODES = 64,   /* of one extent */
    COHORT_LIMIT_STRUCT_BYTES = 4096,     /* a struct passed by value */
    COHORT_LIMIT_STRUCT_MEMBERS = 256,    /* of one struct */
    COHORT_LIMIT_STRUCTS = 64,            /* types that one function names */
    COHORT_LIMIT_HELPERS = 256,           /* of COHORT_HELPER and the like that one body uses */
    COHORT_LIMIT_ARGUMENT_BYTES = 16384,  /* all arguments of one launch, structs included */
    COHORT_LIMIT_REPLICAS = 65536,
    COHORT_LIMIT_PARTS = 1024,   /* of one device */
    COHORT_LIMIT_DEVICES = 4096, /* of one plugin, and of one strategy */
    COHORT_LIMIT_DEVICE_LIST_BYTES = 65536,
    COHORT_LIMIT_MESH_CORES = 1 << 20, /* of one topology, and of one assignment */
    COHORT_LIMIT_VARIABLE_NAME_BYTES = 256,
    COHORT_LIMIT_PATH_BYTES = 4096,
    COHORT_LIMIT_MANIFEST_BYTES = 4096,
    COHORT_LIMIT_PLUGIN_FILES = 1024, /* candidates of one folder */
    /* source, options, device ... of one built kernel */
    COHORT_LIMIT_CACHE_KEY_BYTES = 16 << 20,
    COHORT_LIMIT_CACHE_BLOCK_BYTES = 64 << 20, /* one built kernel */
    /* text before the elements; NumPy itself refuses more than 10,000 */
    COHORT_LIMIT_NPY_HEADER_BYTES = 65536,
    COHORT_LIMIT_NPY_BAND_BYTES = 64 << 20,      /* rows of an array in Fortran order, turned */
    COHORT_LIMIT_ZIP_MEMBERS = 65536,            /* of one .npz file */
    COHORT_LIMIT_ZIP_DIRECTORY_BYTES = 64 << 20, /* names and sizes of all of them */
    COHORT_LIMIT_LINE_BYTES = 16 << 20,          /* one line of text, or one field of a CSV file */
    COHORT_LIMIT_CSV_COLUMNS = 65536,
    COHORT_LIMIT_FILES = 1 << 20,           /* of one source, patterns looked up */
    COHORT_LIMIT_COMPONENTS = 64,           /* of one element of a dataset */
    COHORT_LIMIT_BLOCKS = 16,               /* of a program, one in the other */
    COHORT_LIMIT_BLOCK_TIMES = 1000000000,  /* of one block, in one step */
    COHORT_LIMIT_MAP_THREADS = 256,         /* of one cohort_dataset_map */
    COHORT_LIMIT_SPLIT_PARTS = 4096,        /* of one cohort_dataset_split */
    COHORT_LIMIT_RECORD_BYTES = 1 << 30,    /* one record of a TFRecord file */
    COHORT_LIMIT_TENSORS_BYTES = 100000000, /* the header of a safetensors file, as there */
    COHORT_LIMIT_CLUSTER_JOBS = 1024,
    COHORT_LIMIT_CLUSTER_TASKS = 65536,
    COHORT_LIMIT_JSON_BYTES = 1 << 20,
    COHORT_LIMIT_JSON_DEPTH = 32,            /* brackets that are open at once */
    COHORT_LIMIT_METADATA_BYTES = 1 << 20,   /* of one text of Google's cloud */
    COHORT_LIMIT_SLURM_LIST_BYTES = 1 << 20, /* of hosts, or of their tasks */
    COHORT_LIMIT_CLUSTER_TEXT_BYTES = 1024   /* an address, a job's name, any text of a resolver */
};

#endif
