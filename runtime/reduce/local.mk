# SPDX-License-Identifier: BSD-3-Clause
libcohort_core_la_SOURCES += \
    runtime/reduce/packs.c runtime/reduce/communication.c runtime/reduce/communication.h \
    runtime/reduce/axes.c runtime/reduce/axes.h runtime/reduce/broadcast.c \
    runtime/reduce/combination.c runtime/reduce/combination.h runtime/reduce/combination_across.c \
    runtime/reduce/crossing.c runtime/reduce/crossing.h \
    runtime/reduce/destination.c runtime/reduce/destination.h runtime/reduce/gather.c \
    runtime/reduce/gather.h runtime/reduce/halo.c runtime/reduce/halo.h runtime/reduce/halo_across.c \
    runtime/reduce/halo_across.h runtime/reduce/halo_pieces.c runtime/reduce/halo_pieces.h \
    runtime/reduce/list_memo.c runtime/reduce/list_memo.h runtime/reduce/list_shadow.h runtime/reduce/little.c \
    runtime/reduce/little.h runtime/reduce/near.c \
    runtime/reduce/logical.c runtime/reduce/logical_join.c runtime/reduce/logical_parts.c runtime/reduce/logical_parts.h \
    runtime/reduce/near.h runtime/reduce/plan.c runtime/reduce/plan.h runtime/reduce/plan_post.c \
    runtime/reduce/plan_into.c runtime/reduce/plan_into.h \
    runtime/reduce/plans.c runtime/reduce/plans.h \
    runtime/reduce/reduce.c runtime/reduce/reduce.h runtime/reduce/reduce_list.c \
    runtime/reduce/reduce_to.c runtime/reduce/reducer.c runtime/reduce/reducer.h \
    runtime/reduce/reducer_combine.c runtime/reduce/reducer_combine.h \
    runtime/reduce/slices_plan.c runtime/reduce/slices_plan.h runtime/reduce/survey.c \
    runtime/reduce/survey.h runtime/reduce/ways.c runtime/reduce/ways.h
if ASSERTIONS
libcohort_core_la_SOURCES += runtime/reduce/list_shadow.c
endif
