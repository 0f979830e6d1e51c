# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/plugin/candidate.c runtime/plugin/candidate.h runtime/plugin/device.c \
    runtime/plugin/elf.c runtime/plugin/elf.h runtime/plugin/enumeration.c \
    runtime/plugin/enumeration.h runtime/plugin/errand.c runtime/plugin/errand.h \
    runtime/plugin/extension.c \
    runtime/plugin/gate.c runtime/plugin/gate.h runtime/plugin/host_table.c \
    runtime/plugin/info.c runtime/plugin/info.h \
    runtime/plugin/inventory.c runtime/plugin/inventory.h runtime/plugin/loaded.h \
    runtime/plugin/misspelt.c runtime/plugin/misspelt.h \
    runtime/plugin/plugin.c runtime/plugin/plugin.h runtime/plugin/registry.c \
    runtime/plugin/registry.h runtime/plugin/registry_select.c runtime/plugin/search.c \
    runtime/plugin/search.h runtime/plugin/slot.c runtime/plugin/slot.h runtime/plugin/snapshot.c \
    runtime/plugin/snapshot.h runtime/plugin/trust.c runtime/plugin/trust.h \
    runtime/plugin/stragglers.c runtime/plugin/stragglers.h \
    runtime/plugin/unused.c runtime/plugin/unused.h runtime/plugin/user_namespace.c \
    runtime/plugin/user_namespace.h \
    runtime/plugin/way.h runtime/plugin/writers.c runtime/plugin/writers.h
