/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of cohort_ops as a list, for plugins that declare, or replace, all of them by one
 * macro: M(name, parameters but the last one, `cohort_error *err`) for those that a plugin
 * must have, O(...) for the others. cohort/plugin.h says what each does. */
#ifndef COHORT_KIT_OPERATIONS_H
#define COHORT_KIT_OPERATIONS_H

#include <cohort/plugin.h>

#define KIT_QUEUE_ cohort_dev *dev, cohort_queue *queue
#define KIT_DONE_ cohort_event **out_event
#define KIT_OPERATIONS(M, O)                                                                       \
    M(enumerate, void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,               \
      uint32_t *out_n)                                                                             \
    M(device_open, void *self, uint32_t index, uint32_t part, uint32_t parts,                      \
      cohort_dev **out_dev)                                                                        \
    M(device_close, cohort_dev *dev)                                                               \
    M(mem_alloc, cohort_dev *dev, uint64_t bytes, uint32_t flags, cohort_mem **out_mem)            \
    M(mem_free, cohort_dev *dev, cohort_mem *mem)                                                  \
    M(write, KIT_QUEUE_, cohort_mem *mem, uint64_t offset, const void *from, uint64_t bytes,       \
      KIT_DONE_)                                                                                   \
    M(read, KIT_QUEUE_, cohort_mem *mem, uint64_t offset, void *into, uint64_t bytes, KIT_DONE_)   \
    M(kernel_create, cohort_dev *dev, const cohort_code *code, const char *entry,                  \
      const cohort_sig *sig, cohort_kernel **out_kernel)                                           \
    M(kernel_destroy, cohort_dev *dev, cohort_kernel *kernel)                                      \
    M(launch, KIT_QUEUE_, cohort_kernel *kernel, const cohort_launch *launch, KIT_DONE_)           \
    O(event_wait, cohort_dev *dev, cohort_event *event, uint64_t timeout_ns)                       \
    O(event_release, cohort_dev *dev, cohort_event *event)                                         \
    O(event_notify, cohort_dev *dev, cohort_event *event, cohort_notify_fn fn, void *user)         \
    O(event_time, cohort_dev *dev, cohort_event *event, uint64_t *out_start_ns,                    \
      uint64_t *out_end_ns)                                                                        \
    O(queue_create, cohort_dev *dev, uint32_t flags, cohort_queue **out_queue)                     \
    O(queue_destroy, KIT_QUEUE_)                                                                   \
    O(queue_wait, KIT_QUEUE_, uint32_t nevents, cohort_event *const *events)                       \
    O(mem_host_ptr, cohort_dev *dev, cohort_mem *mem, void **out_ptr)                              \
    O(mem_import, cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir, cohort_mem **out_mem)  \
    O(mem_slice, cohort_dev *dev, cohort_mem *mem, uint64_t offset, uint64_t bytes,                \
      cohort_mem **out_mem)                                                                        \
    O(mem_map, KIT_QUEUE_, cohort_mem *mem, uint64_t offset, uint64_t bytes, uint32_t dir,         \
      void **out_ptr, KIT_DONE_)                                                                   \
    O(mem_unmap, KIT_QUEUE_, cohort_mem *mem, void *ptr, KIT_DONE_)                                \
    O(mem_info, cohort_dev *dev, uint64_t *out_free, uint64_t *out_total)                          \
    O(host_alloc, cohort_dev *dev, uint64_t bytes, void **out_ptr)                                 \
    O(host_free, cohort_dev *dev, void *ptr)                                                       \
    O(copy, KIT_QUEUE_, cohort_mem *dst, uint64_t dst_offset, cohort_mem *src,                     \
      uint64_t src_offset, uint64_t bytes, KIT_DONE_)                                              \
    O(can_access_peer, cohort_dev *dev, cohort_dev *peer, uint32_t *out_yes)                       \
    O(fill, KIT_QUEUE_, cohort_mem *mem, uint64_t offset, uint64_t bytes, const void *pattern,     \
      uint32_t pattern_bytes, KIT_DONE_)                                                           \
    O(reduce, KIT_QUEUE_, const cohort_reduction *reduction, KIT_DONE_)                            \
    O(kernel_binary, cohort_dev *dev, cohort_kernel *kernel, const char **out_format, void *out,   \
      uint64_t cap, uint64_t *out_bytes)                                                           \
    O(worker_attach, cohort_dev *dev, int32_t caller_cpu)                                          \
    O(query, cohort_dev *dev, const char *key, char *out_text, uint64_t size)                      \
    O(device_abandon, cohort_dev *dev)                                                             \
    O(launch_batch, KIT_QUEUE_, cohort_kernel *kernel, const cohort_launch *launches, uint32_t n,  \
      volatile uint32_t *out_done)

#endif
