/* SPDX-License-Identifier: BSD-3-Clause */
/* What each operation of the tables is: its name, and an expression (expression.h). <key> in a
 * name stands for a word, which is an argument then (words.c). */
#include "config.h"

#include "tests/golden_runner/table.h"

#define NAME "'" TABLE_VARIABLE "'"

/* ---- reduce */

static const table_operation reduces[] = {
    { "reduce", "plain(reduce(op?'SUM', value(vectors_with(per_replica, axis?)),"
                "        axis_of(axis?, axis_kind?)))" },
    { "reduce of values of <_>", "plain(reduce(op?'SUM', value(per_replica), axis?))" },
    { "reduce of scalars with an axis", "plain(reduce(op?'SUM', value(per_replica), axis?))" },
    { "run(ones) then reduce", "plain(reduce(op?'SUM', run('one', shaped('float32')), axis?))" },
    { "run(ones) then reduce, inside scope",
      "in_scope { plain(reduce(op?'SUM', run('one', shaped('float32')), axis?)) }" },
    { "reduce of a plain <_>",
      "plain(reduce(op?'SUM', content_of_kind(value, kind?'tensor'), axis_of(axis?)))" },
    { "reduce of a plain vector with an axis",
      "plain(reduce(op?'SUM', content_of_kind(value, 'tensor'), axis?))" },
    { "reduce of the replica ids",
      "plain(reduce(op?'SUM', run('id', REPLICA_ID, shaped('int32')), axis?))" },
    { "reduce of a list of per-replica values",
      "x = map_list([1, 2]) { value(vectors_with(by_replica { it }, axis?)) };"
      "{list: map_list(reduce_list(op?'SUM', x, axis?)) { plain(it) }}" },
    { "reduce of a dict",
      "{dict: map_object(value) { plain(at(reduce_list(op?'SUM', value(each(it)), axis?), 0)) }}" },
    { "reduce called in a replica function",
      "x = value(); y = value();"
      "step { set(x, array([1])); reduce('SUM', x, none, y) }; plain(y)" },
    { "run returning one captured tensor, then reduce SUM",
      "c = array(value); x = value(); step { set(x, c) }; plain(reduce('SUM', x))" },
    { "run returning one captured tensor, then reduce MEAN",
      "c = array(value); x = value(); step { set(x, c) }; plain(reduce('MEAN', x))" },
    { "run returning one captured vector, then reduce SUM axis=0",
      "c = array(value); x = value(); step { set(x, c) }; plain(reduce('SUM', x, 0))" },
    { "run returning a python number, then reduce SUM",
      "c = array(value); x = value(); step { set(x, c) }; plain(reduce('SUM', x))" },
    { "run returning the same constant, then reduce",
      "c = array(value); x = value(); step { set(x, c) }; plain(reduce(op?'SUM', x, axis?))" },
    { "reduce_mean in each replica, then reduce MEAN axis=None",
      "plain(reduce('MEAN', run('mean', value(per_replica), shaped('float32'))))" },
    { "v1 reduce, axis left out: SUM, mean, SUM of id+1",
      "x = value(by_replica { i + 1 });"
      "{list: map_list(['SUM', 'MEAN', 'SUM']) { scalar(reduce(it, x)) }}" },
    { "reduce SUM of a vector of equal float32 on each replica",
      "sum = reduce('SUM', value(long_vectors(per_replica)));"
      "{distinct: map_list(runs(at(local_results(sum), 0))) { at(it, 0) }}" },
    { NULL, NULL },
};

/* ---- reduce_to, batch_reduce_to and broadcast_to: to chosen devices. */

static const table_operation destinations[] = {
    { "reduce_to", "reduced_to(value(per_replica), copies_at(destinations))" },
    { "reduce_to of a plain tensor", "reduced_to(value(array(value)), 1)" },
    { "reduce_to in a merge call", "x = value(per_replica); d = destination(x, destinations);"
                                   "copies(at(step { merge(i) { reduce_to(op, x, d) } }, 0),"
                                   "       copies_at(destinations))" },
    { "reduce_to called in a replica function",
      "x = value(); y = value();"
      "step { set(x, array(1)); reduce_to('SUM', x, at(devices_of_replicas, 0), y) }; plain(y)" },
    { "broadcast_to", "x = broadcast(array(value), destination(none, destinations));"
                      "copies(x, copies_at(destinations))" },
    { "broadcast_to(1.0, variable)", "v = variable(array(0)); copies(broadcast(array(value), v))" },
    { "broadcast_to(python float)",
      "v = variable(array(0)); {value: scalar(broadcast(value, v))}" },
    { "reduce_to with destinations=list",
      "copies(reduce_to(op, value(per_replica), comma_list(devices_of_replicas)))" },
    { "reduce_to with CommunicationOptions",
      "communicate(bytes_per_pack, timeout_seconds,"
      "    pick(implementation, ['AUTO', 'auto', 'RING', 'slices', 'NCCL', 'whole']));"
      "copies(reduce_to(op, value(per_replica), variable(array(0))))" },
    { "reduce_to with destinations=empty-string",
      "plain(reduce_to(op, value(per_replica), names('')))" },
    { "reduce_to with destinations=number",
      "plain(reduce_to(op, value(per_replica), names('3')))" },
    { "reduce_to with destinations=other-worker",
      "plain(reduce_to(op, value(per_replica), names('worker1:0')))" },
    { "reduce_to with destinations=none", "plain(reduce_to(op, value(per_replica), none))" },
    { "reduce_to MEAN of a variable to itself",
      "v = variable(array(init)); copies(reduce_to('MEAN', v, v))" },
    { "reduce_to SUM of a variable to itself",
      "v = variable(array(init)); copies(reduce_to('SUM', v, v))" },
    { "reduce, reduce_to, batch_reduce_to with a string op",
      "x = value(per_replica); v = variable(array(0));"
      "{list: [plain(reduce(op, x)), plain(reduce_to(op, x, v)),"
      "        plain(at(batch_reduce_to(op, x, v), 0))]}" },
    { "batch_reduce_to", "v = variable(array(0)); everywhere = value(by_replica { 0 });"
                         "x = map_list(values) { value(each(it)) };"
                         "places = map_list(destinations) {"
                         "    pick(it, ['mirrored', everywhere, 'var', v, 'cpu',"
                         "        at(devices_of_replicas, 0)]) };"
                         "counts = map_list(destinations) {"
                         "    pick(it, ['mirrored', R, 'var', n_copies, 'cpu', n_copies]) };"
                         "sums = map_list(batch_reduce_to('SUM', x, places)) { own(it) };"
                         "means = map_list(batch_reduce_to('MEAN', x, places)) { own(it) };"
                         "{sum: map_list(sums) { y = it; times(at(counts, k)) { y } },"
                         "    mean: map_list(means) { y = it; times(at(counts, k)) { y } }}" },
    { NULL, NULL },
};

/* ---- all_reduce, in replica functions. */

static const table_operation all_reduces[] = {
    { "all_reduce", "own = leaves(every_replica?, per_replica?); x = map_list(own) { value() };"
                    "step { set_all(x, own); all_reduce(op?'SUM', x) };"
                    "like_leaves(per_replica?, map_list(x) { container(it) })" },
    { "all_reduce of unequal shapes (ReductionToOneDevice for central; see the note for mirrored)",
      "own = each(per_replica); x = value();"
      "all_reduced(op?'SUM', x) { set(x, at(own, i)) }" },
    { "all_reduce of the same tensor on every replica: captured",
      "x = value(array(value)); all_reduced(op?'SUM', x) { none }" },
    { "all_reduce of the same tensor on every replica: captured-mean",
      "x = value(array(value)); all_reduced('MEAN', x) { none }" },
    { "all_reduce of the same tensor on every replica: captured-identity",
      "of_all(op?'SUM', value)" },
    { "all_reduce of the same tensor on every replica: constant-in-fn", "of_all(op?'SUM', value)" },
    { "all_reduce of one captured tensor",
      "x = value(array(value)); all_reduced(op?'SUM', x) { none }" },
    { "all_reduce of a python number", "of_all(op?'SUM', value)" },
    { "all_reduce with a bad op", "x = value(); all_reduced(op, x) { set(x, array(1)) }" },
    { "all_reduce with a string op", "x = value(); all_reduced(op, x) { set(x, array(i + 1)) }" },
    { "all_reduce of the replica id",
      "x = value(); all_reduced(op?'SUM', x) { set(x, array(i, 'int32')) }" },
    { "all_reduce of an empty nest", "step { all_reduce(op?'SUM', []) }; {list: []}" },
    { "all_reduce of a list",
      "own = map_list(every_replica) { each(array(it)) }; x = map_list(own) { value() };"
      "step { set_all(x, own); all_reduce(op?'SUM', x) };"
      "{list: map_list(x) { container(it) }}" },
    { "all_reduce of {x:i, y:[2i,(i+1,[i,i*i])], z:int(i)}",
      "x = times(5) { value() };"
      "step { set(at(x, 0), array(i)); set(at(x, 1), array(2 * i)); set(at(x, 2), array(i + 1));"
      "       set(at(x, 3), array([i, i * i])); set(at(x, 4), array(i, 'int32'));"
      "       all_reduce(op?'SUM', x) };"
      "y = map_list(x) { container(it) };"
      "{dict: {x: at(y, 0), y: {list: [at(y, 1), {tuple: [at(y, 2), at(y, 3)]}]}, z: at(y, 4)}}" },
    /* The gradient of all_reduce(x) * c is the all_reduce of c; it is the same for all x. */
    { "gradient of all_reduce(x)*c", "no_matter('x'); own = each(c); x = value();"
                                     "all_reduced(op?'SUM', x) { set(x, at(own, i)) }" },
    { "all_reduce SUM of a vector of equal float32 on each replica",
      "x = value(); own = long_vectors(per_replica); step { set(x, at(own, i)); "
      "all_reduce('SUM', x) };"
      "y = map_list(local_results(x)) { runs(it) };"
      "{equal_on_all_replicas: all_same(y), runs_of_value_and_count: at(y, 0)}" },
    { NULL, NULL },
};

/* ---- run: functions, chains of them, and functions that fail. */

static const table_operation runs[] = {
    { "run(square of 2.0)", "scalars(run('square', 2.0, value()))" },
    { "run(square of 2.0), traced", "scalars(run('square', 2.0, value()))" },
    { "run(replica id, number of replicas)",
      "id = run('first', 0, REPLICA_ID, value()); n = run('first', 0, NUM_REPLICAS, value());"
      "{tuple: [scalars(id), container_of(map_list(local_results(n)) { {value: element(it)} })]}" },
    { "run chain f1=4; f2={a:2x,b:x*x}; f3=a+2b+2", "chain(4, 0)" },
    { "run chain f1=id+1; f2={a:2x,b:x*x}; f3=a+2b+2", "chain(1, REPLICA_ID)" },
    { "run(fn, args=({a: per-replica, b: plain},), kwargs={c: [per-replica]})",
      "a = value(by_replica { array([i], 'int32') });"
      "c = value(by_replica { array([100 * (i + 1)], 'int32') });"
      "scalars(run('sum3', a, 20, c, value()))" },
    { "run with RunOptions", "no_matter('experimental_enable_dynamic_batch_size');"
                             "scalars(run('first', 3, REPLICA_ID, value()))" },
    { "fn raises", "step { fail }" },
    { "only the last replica raises", "step { when(same(i, R - 1)) { fail } }" },
    { "run after an exception",
      "fails { step { fail } }; scalars(run('first', 0, REPLICA_ID, value()))" },
    { "run called in a replica fn", "y = value(); step { run('square', 2.0, y) }; scalars(y)" },
    { "experimental_run(fn) without iterator: 3+id",
      "y = run('first', 3, REPLICA_ID, value());"
      "{per_replica: map_list(local_results(y)) { element(it) }}" },
    /* The gradient of (w - 1)^2 is 2 (w - 1). */
    { "10 steps of w -= 0.2/R*sum(g), loss (w-1)^2, from 3.0",
      "w = variable(array(3.0)); g = value();"
      "{distance: times(11) { d = magnitude(element(read(w)) - 1); run('slope', 2.0, w, g);"
      "                       update(w, 'descend', 0.2 / R, reduce('SUM', g), w); d }}" },
    { NULL, NULL },
};

/* ---- merge_call, and replicas that do not do the same. */

static const table_operation merges[] = {
    { "merge fn raises", "step { merge(i) { fail } }" },
    { "merge fn calls replicas, which raise", "step { merge(i) { step { fail } } }" },
    { "merge fn calls replicas, whose merge fn raises",
      "step { merge(i) { step { merge(i) { fail } } } }" },
    { "number of times the merge fn runs, context in it",
      "x = at(step { merge(i) { count_call; merge_context(passed) } }, 0);"
      "{calls: n_calls, in_cross_replica: at(x, 0), no_replica_context: at(x, 1)}" },
    /* Each argument is one value for each replica; 5, the same for all, is a number there. */
    { "merge_call(fn, args=(id, [10+id, 5]), kwargs={k: id*100})",
      "p = at(step { merge([i, 10 + i, 5, 100 * i]) { passed } }, 0);"
      "is_same = all_same(map_list(p) { at(it, 2) });"
      "{a: 'PerReplica', b: ['PerReplica', choose(is_same, 'int', 'PerReplica')],"
      "    k: 'PerReplica', va: merged(0),"
      "    vb: {list: [merged(1), {value: at(at(p, 0), 2)}]}, vk: merged(3)}" },
    /* What counts is what replica 0 passes. */
    { "every replica gives its own merge fn (returns 100+id)",
      "container_of(step { v = merge(i) { value(array(100 + at(passed, 0), 'int32')) };"
      "                    read(v) })" },
    { "merge fn returns {a: the per-replica argument, b: 3}",
      "x = step {"
      "    v = merge(i) { [value(map_list(passed) { array(2 * it, 'int32') }),"
      "                    value(array(3, 'int32'))] };"
      "    [read(at(v, 0)), read(at(v, 1))] };"
      "{dict: {a: container_of(map_list(x) { at(it, 0) }),"
      "        b: container_of(map_list(x) { {value: element(at(it, 1))} })}}" },
    { "three merge_calls in a row, each a sum of the previous result + id",
      "x = value(); y = value();"
      "step { sum = 0; times(3) { set(x, array(sum + i)); merge(i) { reduce('SUM', x, none, y) };"
      "                           sum = element(read(y)) } };"
      "container(y)" },
    { "merge_call outside any strategy", "{value: merge_outside(3)}" },
    { "only replica 0 calls merge_call",
      "step { when(same(i, 0)) { merge(i) { count_call } } }; {value: n_calls}" },
    { "replica i calls merge_call i+1 times",
      "step { times(i + 1) { merge(i) { count_call } } }; {value: n_calls}" },
    /* What a replica gives back is what it takes part in with. */
    { "run returning a list of length id",
      "x = map_list([0, 1, 2, 3]) { value_of_number(it) };"
      "step { all_reduce('SUM', first_items(x, i)) }; {value: 'nothing failed'}" },
    { "run returning dicts with different keys",
      "x = map_list([0, 1]) { value_of_number(it) };"
      "step { all_reduce('SUM', at(x, choose(i, 1, 0))) }; {value: 'nothing failed'}" },
    { "run returning a list on replica 0 and a number on the others",
      "x = map_list([0, 1]) { value_of_number(it) };"
      "step { all_reduce('SUM', first_items(x, choose(i, 1, 2))) }; {value: 'nothing failed'}" },
    { NULL, NULL },
};

/* ---- Scopes, contexts and the making of strategies. */

static const table_operation scopes[] = {
    { "enter the scope of another strategy",
      "on_another { on_own { in_scope { on_other { in_scope { none } } } } };"
      "{value: 'two scopes mixed'}" },
    { "enter the same scope twice", "in_scope { in_scope { none }; array(is_current, 'int32') }" },
    { "assign a variable under another strategy",
      "v = variable(array(1), 'AUTO', 'SUM');"
      "on_another { in_scope { write('assign', v, 2.0) } }; {value: 'two strategies mixed'}" },
    { "assign a variable in another strategy's run",
      "v = variable(array(1), 'AUTO', 'SUM');"
      "on_another { in_scope { step { write('assign', v, 2.0) } } };"
      "{value: 'two strategies mixed'}" },
    { "contexts: outside, in scope, in run",
      "out = context;"
      "{outside_cross: at(out, 0), outside_has_strategy: at(out, 1), scope: in_scope { context },"
      " run: at(step { context }, 0)}" },
    /* What the message names is the device that is there twice, or not at all: the last one. */
    { "MirroredStrategy with a device named twice", "mirrored(ours(devices))" },
    { "MirroredStrategy with an unknown device", "mirrored(ours(devices))" },
    { "MirroredStrategy with no devices", "mirrored(ours(devices)); {value: 'a strategy'}" },
    { "OneDeviceStrategy('<device>')", "one_device(names(our_device(device)))" },
    { "OneDeviceStrategy('/cpu:1') properties and the device of a variable",
      "d = at(devices_of_replicas, 0);"
      "on(one_device(d)) { o = at(step { own_device }, 0);"
      "    v = at(devices_of_variables, at(at(copies_of(variable(array(1))), 0), 0));"
      "    {replicas: R, worker_devices: map_list(devices_of_replicas) { second_cpu(it) },"
      "        parameter_devices: map_list(devices_of_variables) { second_cpu(it) },"
      "        variable_type: 'ResourceVariable', op_device: second_cpu(o),"
      "        variable_device: second_cpu(v)} }" },
    { "role flags", "role_flags" },
    { NULL, NULL },
};

/* ---- Containers: what run gives, local results, values from a function. */

#define NO_CONTAINER "leave_out('no counterpart: a function gives values, and writes variables')"

static const table_operation results[] = {
    { "container that run gives for python-<_>", "contained(1, 'int64', 'int')" },
    { "container that run gives for bool", "contained(true, 'bool', 'bool')" },
    { "container that run gives for numpy", "contained(1, 'float32', 'float32')" },
    { "container that run gives for replica-id", "contained(1, 'int32', 'EagerTensor')" },
    { "container that run gives for captured-tensor", "contained(1, 'float32', 'EagerTensor')" },
    { "container that run gives for fresh-equal-tensor", "contained(1, 'float32', 'EagerTensor')" },
    { "container that run gives for string", "contained([1], 'uint8', 'str')" },
    { "container that run gives for list",
      "x = value(); y = value(); z = value();"
      "step { set(x, array(1, 'int64')); set(y, array(1)); set(z, array(1, 'int32')) };"
      "a = called(x, 'int64', 'int'); b = called(y, 'float32', 'EagerTensor');"
      "c = called(z, 'int32', 'EagerTensor');"
      "{form: [form(x), form(y), form(z)],"
      " local_results: by_replica { [at(a, i), at(b, i), at(c, i)] }}" },
    { "container that run gives for tuple-dict",
      "x = value(); y = value(); step { set(x, array(1)); set(y, array(1, 'int64')) };"
      "a = called(x, 'float32', 'EagerTensor'); b = called(y, 'int64', 'int');"
      "{form: [{a: form(x)}, form(y)], local_results: by_replica { [{a: at(a, i)}, at(b, i)] }}" },
    { "container that run gives for none", NO_CONTAINER },
    { "container that run gives for variable", NO_CONTAINER },
    { "container that run gives for empty-list", NO_CONTAINER },
    { "experimental_local_results of python",
      "{tuple: map_list(local_results(3)) { {value: element(it)} }}" },
    { "experimental_local_results of plain-tensor", "{tuple: local_results(value(array(1)))}" },
    { "experimental_local_results of a per-replica value",
      "{tuple: local_results(value(by_replica { i }))}" },
    { "experimental_local_results of [per-replica, per-replica]",
      "x = value(by_replica { i }); y = value(by_replica { 10 * i });"
      "{tuple: local_results_list([x, y]) { {list: entries} }}" },
    { "experimental_local_results of {a:per-replica, b:[per-replica, 5]}",
      "x = value(by_replica { i }); y = value(by_replica { 10 * i });"
      "{tuple: local_results_list([x, y, 5]) {"
      "    {dict: {a: at(entries, 0),"
      "            b: {list: [at(entries, 1), {value: element(at(entries, 2))}]}}} }}" },
    { "experimental_local_results of dict",
      "{tuple: local_results_list([1]) { {dict: {a: {value: element(at(entries, 0))}}} }}" },
    { "unwrap, group", "x = value(by_replica { i }); group(x);"
                       "{unwrap: map_list(local_results(x)) { element(it) + 1 },"
                       " unwrap_plain: map_list(local_results(5.0)) { element(it) },"
                       " group_kind: 'Operation', unwrap_type: 'tuple'}" },
    { "distribute_values_from_function(10*id + R)",
      "container(value_from { array(10 * i + R, 'int32') })" },
    { "distribute_values_from_function giving python numbers",
      "container(value_from { array(i, 'int32') })" },
    { "distribute_values_from_function giving texts",
      "x = each(per_replica); container(value_from { at(x, i) })" },
    { "distribute_values_from_function giving a dict",
      "{dict: {a: container(value_from { array(i, 'int32') })}}" },
    { NULL, NULL },
};

/* ---- Variables: making them, and what is read of those that every replica writes for itself. */

static const table_operation variables[] = {
    { "variable with synchronization NONE", "state(variable(array(1), 'NONE'))" },
    { "variable with an invalid synchronization", "state(variable(array(1), 'NONE'))" },
    { "variable with an invalid aggregation", "state(variable(array(1), 'AUTO', 'invalid'))" },
    { "ON_READ variable with an invalid aggregation",
      "state(variable(array(1), 'ON_READ', 'invalid'))" },
    { "value_container, variable_created_in_scope",
      "v = variable(array(1));"
      "on_another { is_foreign_in = is_in_scope(named_variable('foreign', array(1))) };"
      "{container_of_component_is_v: lends(v, at(local_results(v), 0)),"
      " in_scope: is_in_scope(v), foreign_in_scope: is_foreign_in}" },
    { "assign to a variable of texts",
      "v = variable(initial); before = times(n_copies) { read(v) };"
      "write('assign', v, array(value));"
      "{before: before, after: times(n_copies) { read(v) }}" },
    { "colocate_vars_with a variable of this strategy",
      "state(colocated(" NAME ", array(2), named_variable('with', array(1))))" },
    { "colocate_vars_with a variable made outside the scope",
      "on_another { w = named_variable('with', array(1));"
      "             on_own { state(colocated(" NAME ", array(2), w)) } }" },
    /* Each replica has a content of its own: the first one's counts. */
    { "variable with a random initialiser, created in run",
      "v = at(step { named_variable(" NAME ", array(0.919 - 0.081 * i)) }, 0);"
      "components = member(state(v), 'components');"
      "{components_equal: all_same(components),"
      " type: choose(n_copies - 1, 'MirroredVariable', 'AggregatingVariable'),"
      " n: length(components)}" },
    { "assign(i) in replicas, then cross-replica read by <_>", "v = own_numbers; read(v)" },
    { "assign(i) in replicas, then v+1 cross", "v = own_numbers; array(element(read(v)) + 1)" },
    { "assign(i) in replicas, then v+1 in replicas",
      "v = own_numbers; scalars(run('next_float', v, value()))" },
    { "cross-replica read on NONE", "read(variable(initial, 'ON_READ', aggregation?'NONE'))" },
    { "ON_READ MEAN, replica assign(i*i+1), cross-replica read",
      "v = variable(initial, 'ON_READ', 'MEAN'); step { write('assign', v, i * i + 1) };"
      "state(v)" },
    { "v+1 in cross-replica context",
      "type = number_dtype(init); v = variable(array(init, type), 'AUTO', aggregation?'NONE');"
      "array(element(read(v)) + 1, type)" },
    { "v+1 in replicas",
      "type = number_dtype(init); v = variable(array(init, type), 'AUTO', aggregation?'NONE');"
      "scalars(run(choose(same(type, 'int32'), 'next_int', 'next_float'), v, value()))" },
    { NULL, NULL },
};

/* ---- assign, assign_add, assign_sub and scatter_*, in both contexts. */

static const table_operation writes[] = {
    { "assign", "written_state" },
    { "assign_<_>", "written_state" },
    { "scatter_<_>",
      "x = deltas(delta); where = context?'cross'; v = initialized; in_context(where) { "
      "scatter(op_name, v, at(at(x, i), 0), at(at(x, i), 1)) }; state(v)" },
    { "replica write of a per-replica value",
      "where = context?'cross'; v = initialized; x = value(per_replica);"
      "in_context(where) { write(op, v, x) }; state(v)" },
    { "write of another mirrored variable",
      "where = context?'cross'; v = initialized; x = at(passed('mirrored-var', other), 0);"
      "in_context(where) { write(op, v, x) }; state(v)" },
    { "replica write of a literal", "written_in_turn" },
    { "replica write", "written_in_turn" },
    { "cross-replica write", "written_in_turn" },
    { "step counter: replica assign_add(1)",
      "v = initialized; step { write('assign_add', v, 1) }; state(v)" },
    { "ON_READ, NONE: cross-replica <op>(5.0, read_value=False) on 8.0",
      "v = on_read; write(op, v, 5.0); {components_after: member(state(v), 'components')}" },
    { "ON_READ, NONE: cross-replica <op>(5.0) on 8.0: components afterwards and the error",
      "v = on_read; write(op, v, 5.0); {components_after: member(state(v), 'components')}" },
    { "cross-replica assign on ON_READ SUM",
      "v = variable(initial, 'ON_READ', 'SUM'); write('assign', v, value); state(v)" },
    { "cross-replica <op>(<x>)", "v = on_read; write(op, v, 1.0 * x); state(v)" },
    { "cross-replica <op> on SUM", "v = on_read; write(op, v, 1.0); state(v)" },
    { NULL, NULL },
};

/* ---- update: a function runs where a variable lives, once for each copy. The variable is a vector
 * of one, for functions take arrays: its numbers as Python had them, scalars. */

static const table_operation updates[] = {
    { "extended.update(v, assign_add, args=(plain,))",
      "v = variable(array([init])); update(v, 'add', value(array([3])), v); scalar_state(v)" },
    { "extended.update(v, assign_add, args=(mirrored,))",
      "v = variable(array([init])); update(v, 'add', named_variable('by', array([4])), v);"
      "scalar_state(v)" },
    { "extended.update(v, assign_add, args=(per-replica,))",
      "v = variable(array([init]));"
      "update(v, 'add', value(by_replica { array([i + 1]) }), v); scalar_state(v)" },
    { "extended.update(v, assign 1.0)",
      "v = variable(array([init])); update(v, 'set', 1.0, v); scalar_state(v)" },
    { "extended.update(group=False)",
      "v = variable(array([init])); update(v, 'add', value(array([2])), v);"
      "{form: 'tuple', value: {tuple: tensors(v)}}" },
    { "extended.update called in a replica fn",
      "v = variable(array([init])); x = value(array([2])); step { update(v, 'add', x, v) };"
      "scalar_state(v)" },
    { "update ctx: fn gets each component; returns value*10",
      "v = variable(array([2])); y = colocated('result', array([0]), v);"
      "update(v, 'times', 10.0, v, y); {list: tensors(y)}" },
    { NULL, NULL },
};

/* ---- gather and all_gather. */

static const table_operation gathers[] = {
    { "gather", "plain(gather(value(per_replica), axis))" },
    { "gather of scalars", "plain(gather(value(per_replica), axis))" },
    { "gather of a plain tensor", "plain(gather(value(array(value)), axis))" },
    /* Index slices are two values, ids and rows, and gather takes one. */
    { "gather of <_> index slices",
      "plain(gather([value(array([1], 'int32')), value(array([[1, 2]]))], axis))" },
    { "all_gather of index slices",
      "leave_out('no counterpart: all_gather takes a value, index slices are two')" },
    { "all_gather", "own = each(per_replica); all_gathered(axis) { at(own, i) }" },
    { "all_gather of {x:[i], y:[[[float(i)]]]}",
      "x = value(); gx = value(); y = value(); gy = value();"
      "step { set(x, array([i], 'int32')); set(y, array([[i]]));"
      "       all_gather(x, axis, gx); all_gather(y, axis, gy) };"
      "{dict: {x: container(gx), y: {list: [container(gy)]}}}" },
    { "gather called in a replica function",
      "x = value(); y = value(); step { set(x, array([i])); gather(x, 0, y) }; plain(y)" },
    /* The sum over the replicas of c, of which each takes its own part. */
    { "gradient of sum(all_gather(x)*c), c[j] = (j+1)*(i+1) on replica i",
      "own = each(x); sizes = by_replica { rows_of(at(own, i)) }; all = sum_of(sizes);"
      "x = value(by_replica { array(map_list(count(all)) { it * (i + 1) }) });"
      "step { all_reduce('SUM', x) }; sums = local_results(x);"
      "container_of(by_replica {"
      "    part_of(at(sums, i), at(own, i), sum_of(first_items(sizes, i))) })" },
    /* G6: shapes that differ, G7: ranks that differ, G8: index slices. */
    { "all_reduce(1.0) after the case G6-2-gather in the same process",
      "fails { gather(value(by_replica { filled([1, i + 1]) }), 0) }; "
      "all_reduced_ones(op)" },
    { "all_reduce(1.0) after the case G6-2-all_gather in the same process",
      "fails { all_gathered(0) { filled([1, i + 1]) } }; all_reduced_ones(op)" },
    { "all_reduce(1.0) after the case G7-2-all_gather in the same process",
      "fails { all_gathered(0) { at([filled([1]), filled([1, 1])], i) } }; "
      "all_reduced_ones(op)" },
    { "all_reduce(1.0) after the case G8-2-gather in the same process",
      "fails { gather([value(), value()], 0) }; all_reduced_ones(op)" },
    { "all_reduce(1.0) after the case scalar-2-gather in the same process",
      "fails { gather(value(by_replica { filled([]) }), 0) }; all_reduced_ones(op)" },
    { NULL, NULL },
};

/* ---- Where variables live; parameter servers are parameter devices here: variables cut into
 * shards, and scheduled functions, which are step functions. TensorFlow's names. */

static const table_operation placements[] = {
    { "partitioner <name>(<n> bytes, at most <most>)",
      "parts_of(partitioned(filled(shape), name, n, most))" },
    { "partitioner <name>(<n> bytes)", "parts_of(partitioned(filled(shape), name, n))" },
    { "partitioner <name>(<n>)", "parts_of(partitioned(filled(shape), name, n))" },
    { "FixedShardsPartitioner", "parts_of(partitioned(filled(shape), 'FixedShards', num_shards))" },
    { "MinSizePartitioner",
      "no_matter('bytes_per_string');"
      "parts_of(partitioned(filled(shape), 'MinSize', min_shard_bytes, max_shards?1))" },
    { "MaxSizePartitioner",
      "no_matter('bytes_per_string');"
      "parts_of(partitioned(filled(shape), 'MaxSize', max_shard_bytes, max_shards?))" },
    { "type and device of a variable",
      "v = variable(array(1)); c = copies_of(v);"
      "when(less(length(devices_of_replicas), n_copies)) {"
      "    leave_out('a device that cannot be cut hosts all replicas') };"
      "single = choose(R - 1, 'AggregatingVariable', 'ResourceVariable');"
      "{type: choose(n_copies - 1, 'MirroredVariable', single),"
      "    device: choose(n_copies - 1, map_list(c) { cpu(at(it, 0)) },"
      "        cpu(at(at(c, 0), 0)))}" },
    /* What is in one piece says no more about itself. */
    { "variable of <rows> rows in <parts> parts",
      "v = sharded(filled([rows]), parts);"
      "c = copies_of(v); end = sum_of(map_list(c) { at(it, 2) });"
      "choose(length(c) - 1,"
      "       {type: 'ShardedVariable', sizes: map_list(c) { at(it, 2) },"
      "        offsets: with_item(map_list(c) { at(it, 1) }, end),"
      "        names: map_list(c) { fill('v/part_#:0', [k]) },"
      "        devices: map_list(c) { fill('/job:ps/task:#/CPU:0', [at(it, 0)]) }},"
      "       {type: 'CachingVariable'})" },
    { "scalar variable with a partitioner",
      "on(sharding(3)) { {type: type_of_shards(length(copies_of(variable(array(1)))))} }" },
    { "sharded variable of 7 rows in 3 parts as one tensor", "v = seven_rows; read(v)" },
    { "embedding lookup of rows [6,0,3,3] in a sharded variable of 7 rows, 3 parts",
      "v = seven_rows; plain(lookup(v, array([6, 0, 3, 3], 'int32')))" },
    { "v[1:6:2]", "v = seven_rows; plain(lookup(v, array([1, 3, 5], 'int32')))" },
    { "scatter_add of {0:[1,1], 4:[2,2], 6:[3,3]}",
      "v = seven_rows; read(scatter('scatter_add', v, array([0, 4, 6], 'int32'),"
      "        array([[1, 1], [2, 2], [3, 3]])))" },
    { "variable 8.0, scheduled replica assign_add(3.0)",
      "v = variable(array(8), synchronization?'AUTO', aggregation?'NONE');"
      "step { write('assign_add', v, 3.0) };"
      "{type: type_of_shards(length(copies_of(v))), value: element(read(v))}" },
    { "replica id and number of replicas in a scheduled run",
      "{id_and_replicas: at(step { [i, R] }, 0)}" },
    { "a scheduled function fails: join()", "step { fail }; wait" },
    { "schedule after the error was reported",
      "fails { step { fail } }; step { none }; wait; {done: true}" },
    { "local, no accelerator: devices",
      "d = devices_of_replicas;"
      "{replicas: R, worker_devices: map_list(d) { cpu(k) },"
      "    parameter_devices: map_list(devices_of_variables) { cpu(place(it, d)) }}" },
    { "cluster without ps", "strategy('round-robin', simple([job('chief', ['a:1']),"
                            "    job('worker', ['b:1'])], 'chief', 0))" },
    { "cluster with two chiefs", "strategy('round-robin', simple([job('chief', ['a:1', 'b:1']),"
                                 "    job('ps', ['c:1'])], 'chief', 0))" },
    { "checkpoint mirrored -> mirrored",
      "named_variable('saved', array(value)); w = named_variable(" NAME ", array(0));"
      "restored('saved', " NAME "); state(w)" },
    { "checkpoint mirrored -> plain",
      "named_variable('saved', array(value)); w = on_one_device(" NAME ", array(0));"
      "restored('saved', " NAME "); state(w, 1)" },
    { "checkpoint plain -> mirrored",
      "on_one_device('saved', array(value)); w = named_variable(" NAME ", array(0));"
      "restored('saved', " NAME "); state(w)" },
    { "group by size (bytes)", "{packs: packs_by_bytes(sizes, bytes_per_pack)}" },
    { "split of n elements into packs", "{sizes: packs_by_number(n, num_packs)}" },
    { "packer with zero packs", "{sizes: packs_by_number(1, 0)}" },
    { "CommunicationOptions", "packs_by_bytes([1], bytes_per_pack); {value: bytes_per_pack}" },
    { "<_>(num_packs=<packs>)", "{value: length(packs_by_number(1, packs))}" },
    { NULL, NULL },
};

/* ---- How a batch is divided over the replicas of one worker. */

static const table_operation splits[] = {
    { "experimental_distribute_dataset(range(n).batch(G))",
      "steps(distribute(pipeline(pipeline?'batch')))" },
    { "experimental_distribute_dataset(range(n).batch+map(G))",
      "steps(distribute(pipeline(pipeline?'batch')))" },
    { "experimental_distribute_dataset of range(n), <pipeline> with G",
      "steps(distribute(pipeline(pipeline?'batch')))" },
    { "range(n).batch(G), one worker, auto-shard policy",
      "steps(distribute(pipeline(pipeline?'batch')))" },
    { "range(n).batch(G), one worker, <policy>", "steps(distribute(pipeline(pipeline?'batch')))" },
    { "range(n).batch(G).map, one worker, auto-shard <policy>",
      "steps(distribute(pipeline(pipeline?'batch')))" },
    { "range(n).batch(G).repeat(2), one worker, auto-shard <policy>",
      "steps(distribute(pipeline(pipeline?'batch')))" },
    { "TextLineDataset(one file of n lines).batch(G), one worker, auto-shard policy",
      "steps(distribute(pipeline(pipeline?'text+batch')))" },
    { "experimental_distribute_dataset with options",
      "steps(distribute_with(range(n).batch(G), options_called(options)))" },
    { "distribute a pipeline", "steps(distribute(do(pipeline)))" },
    { "first steps of a pipeline", "steps(distribute(do(pipeline)), most)" },
    { "distribute a pipeline with InputOptions", "steps(distribute_with(do(pipeline), options))" },
    { "reduce over the rows of each step",
      "in = distribute(do(pipeline));"
      "{steps: until_end { own(reduce(op, at(next_values(in), 0), 0)) }}" },
    { "gather the rows of each step", "in = distribute(do(pipeline)); {steps: until_end { "
                                      "own(gather(at(next_values(in), 0), 0)) }}" },
    { "experimental_distribute_dataset(range(3)), not batched", "steps(distribute(range(n)))" },
    { "experimental_distribute_dataset of unbatched scalars", "steps(distribute(range(n)))" },
    { "experimental_distribute_dataset of unbatched rows",
      "steps(distribute(rows(at(shape, 0), at(shape, 1))))" },
    { "experimental_distribute_dataset(from_tensors of 5 rows)",
      "steps(distribute(tensors_of(array([0, 1, 2, 3, 4], 'int64'))))" },
    { "batched component together with a scalar component",
      "steps(distribute(zip(range(8).batch(4), range(8))))" },
    { "components with different batch sizes, zip(batch(4), batch(2))",
      "steps(distribute(zip(range(8).batch(4), range(4).batch(2))))" },
    { "fixed-size rule, zip(batch(4), batch(2))",
      "steps(distribute(zip(range(8).batch(4), range(4).batch(2))))" },
    { "range(<n>).batch(<G>)", "steps(distribute(range(n).batch(G)))" },
    { "range(<n>).batch(<G>), auto-shard <policy>", "steps(distribute(range(n).batch(G)))" },
    { "range(<n>).batch(<G>).repeat(2), auto-shard <policy>",
      "steps(distribute(range(n).batch(G).repeat(2)))" },
    { "range(<n>).repeat().batch(<G>), first 4 steps",
      "steps(distribute(range(n).repeat.batch(G)), 4)" },
    { "batch sizes, one worker, fixed-size rule",
      "repeats_replicas('R'); x = all_steps(distribute(range(G).batch(G)));"
      "{sizes: map_list(at(x, 0)) { length(it) }}" },
    { "sub-batch sizes, one worker, legacy rule",
      "repeats_replicas('R'); x = all_steps(distribute(range(G).batch(G)));"
      "{sizes: map_list(at(x, 0)) { length(it) }}" },
    /* The elements that a rebatched dataset has in TensorFlow. */
    { "legacy rule: range(n).batch(b), R",
      "repeats_replicas('R');"
      "{elements: joined(all_steps(distribute(range(n).batch(b, drop_remainder))))}" },
    { "[5,6,7].batch(2), square in each replica",
      "x = distribute(slices(array([5, 6, 7])).batch(2)); y = value();"
      "{steps: until_end { numbers(run_next('square_rows', x, y)) }}" },
    { "range(5).batch(2), x+1 in each replica",
      "x = distribute(chain_of_op); y = value();"
      "{steps: until_end { numbers(run_next('next_rows', x, y)) }}" },
    { "[1..11].batch(4): per step [SUM axis=0, MEAN axis=0]",
      "in = distribute(slices(array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).batch(4));"
      "{steps: until_end { x = at(next_values(in), 0);"
      "                    [scalar(reduce('SUM', x, 0)), scalar(reduce('MEAN', x, 0))] }}" },
    /* The order of a shuffle is that of the dataset alone. */
    { "shuffle with a seed: concatenation of a step equals the undistributed batch",
      "d = range(n).shuffle(8, 7).batch(G); alone = flat_elements(share(d));"
      "{same_as_undistributed: same(alone, joined(joined(all_steps(distribute(d)))))}" },
    { "inferred batch size", "{value: rows_of_full_batch(distribute(pipeline(pipeline)))}" },
    { "inferred batch size (-1: none; the legacy rule is used)",
      "{value: rows_of_full_batch(distribute(pipeline(pipeline)))}" },
    { "experimental_distribute_dataset, structure <structure>",
      "{steps: all_steps(structured(distribute(pipeline(structure))))}" },
    { "element_spec, structure <structure>",
      "d = with_policy(pipeline(structure));"
      "{dataset: element_spec(d, form_of_pipeline(structure)),"
      "    distributed: element_spec(distribute(d), form_of_pipeline(structure))}" },
    /* What the replicas get in some steps is what the dataset has in as many elements. */
    { "partial-batch handling, cardinality, element_spec: <pipeline>",
      "d = pipeline(pipeline); alone = flat_elements(share(d).take(6));"
      "given = joined(joined(all_steps(distribute(share(d)), 6)));"
      "{partial_batch_handling: same(alone, given), cardinality: none,"
      " element_spec: element_spec(distribute(d), form_of_pipeline(pipeline))}" },
    { NULL, NULL },
};

/* ---- Datasets alone, and what one of several workers reads of them. */

static const table_operation sources[] = {
    { "pipeline", "all_of(do(pipeline))" },
    { "element_spec of a pipeline",
      "d = do(pipeline); spec = element_spec(d, '%'); destroy(d); {value: spec}" },
    { "auto-shard of a pipeline", "share_of(do(pipeline))" },
    { "range(n).batch(b).rebatch(sizes)",
      "size = equal_sizes(sizes); all_of(range(n).batch(b).rebatch(size, drop_remainder))" },
    { "rebatch with a number", "all_of(range(7).batch(2).rebatch(sizes))" },
    { "range(n).shard(num, index)", "all_of(chain_of_op)" },
    { "range(4).shard(num, index)", "all_of(chain_of_op)" },
    { "range(1,10,4)", "all_of(chain_of_op)" },
    { "range(0)", "all_of(chain_of_op)" },
    { "range(3).repeat(0)", "all_of(chain_of_op)" },
    { "range(7).batch(3,drop)", "all_of(chain_of_op)" },
    { "range(5).skip(2)", "all_of(chain_of_op)" },
    { "range(5).take(-1)", "all_of(chain_of_op)" },
    { "range(5).skip(-1)", "all_of(chain_of_op)" },
    { "range(5).batch(2).unbatch", "all_of(chain_of_op)" },
    { "range(3).batch(0)", "all_of(chain_of_op)" },
    { "from_tensor_slices of two arrays of different length",
      "elements(slices(array([0, 0, 0]), array([0, 0, 0, 0])))" },
    { "cardinality of infinite", "cardinality_of(range(3).repeat)" },
    { "cardinality of batch-of-infinite", "cardinality_of(range(3).repeat.batch(2))" },

    { "list_files(10 files x 10 records) -> flat_map(TFRecord) -> batch(5)",
      "{elements: flat_elements(auto_shard("
      "    with_policy(listed_records(10, 10).flat_map_records.batch(5)), workers, index))}" },
    { "TFRecordDataset(10 files x 10 records)", "share_of(records(10, 10))" },
    { "3 files, 5 workers, AUTO", "share_of(listed_records(3, 2).flat_map_records)" },
    { "3 files, 5 workers, FILE, worker <index>",
      "share_of(listed_records(3, 2).flat_map_records)" },
    { "TFRecordDataset(3 files), 5 workers, FILE", "share_of(records(3, 2))" },
    { "range(4), 2 workers, index -1", "share_of(chain_of_op)" },
    { "range(4).prefetch(1), DATA", "share_of(chain_of_op)" },
    { "range(10).batch(4), AUTO", "share_of(chain_of_op)" },
    { "range(5).repeat(2), AUTO", "share_of(chain_of_op)" },
    { "range(100).shard(SHARD_HINT, 0), no auto-shard", "elements(chain_of_op)" },
    { "range(6).shard(SHARD_HINT,0), DATA", "share_of(chain_of_op)" },
    { "from_tensor_slices(7), AUTO", "share_of(rows(7, 0))" },
    { "from_generator of 6, AUTO", "share_of(generator(6))" },
    { "from_tensor_slices(files).flat_map(TextLine), AUTO",
      "share_of(listed_lines(4, 3).flat_map_lines)" },
    { "TextLine(files 0,1).concatenate(TextLine(files 2,3)), AUTO",
      "share_of(text(first_items(line_files(4, 3), 2))"
      ".concatenate(text(without_first(line_files(4, 3), 2))))" },
    { "TextLineDataset(4 files x 3 lines), FILE", "share_of(lines(4, 3))" },
    { "TextLineDataset(4 files x 3 lines).batch(2), <policy>", "share_of(lines(4, 3).batch(2))" },
    { "files.interleave(TextLine, cycle 2), AUTO",
      "share_of(listed_lines(4, 3).interleave_lines)" },
    { "files shuffled before the reader, records shuffled after, 2 workers",
      "a = shuffled_share(0); b = shuffled_share(1); both = common(a, b);"
      "{sizes: [length(a), length(b)], common: both, union: length(a) + length(b) - both}" },
    { "values of AutoShardPolicy as in the notes", "{list: policies}" },
    { NULL, NULL },
};

/* ---- Inputs of functions that make a dataset for each worker, and the iterators of
 * tf.distribute's first version: initialize comes before the first next. */

static const table_operation functions[] = {
    { "distribute_datasets_from_function(range(10), unbatched)",
      "steps(from_function { range(n) })" },
    { "distribute a function of a pipeline", "steps(from_function { do(pipeline) })" },
    { "distribute a function with InputOptions",
      "steps(distribute_function(options) { do(pipeline) })" },
    { "distribute_datasets_from_function(range(n).batch(b))",
      "steps(from_function { range(n).batch(b) })" },
    { "distribute_datasets_from_function(range(n).batch(b, drop_remainder))",
      "steps(from_function { range(n).batch(b, drop_remainder) })" },
    { "from_function: range(5).batch(1, drop_remainder): one replica lacks data in the last step",
      "steps(from_function { range(n).batch(b, drop) })" },
    { "from_function range(40).batch(10)", "steps(from_function { range(n).batch(b) })" },
    { "dataset_fn returns a list", "steps(from_function { none })" },
    { "InputContext given to dataset_fn [pipelines, id, replicas]",
      "from_function { range(8).batch(2) }; {contexts: contexts}" },
    { "from_function, PER_REPLICA, placed on the device, not fetched",
      "x = steps(distribute_function(options_called('per-replica')) { range(n).batch(b) });"
      "{dtype: member(x, 'dtype'), steps: member(x, 'steps'), contexts: contexts}" },
    { "distribute_datasets_from_function with options",
      "when(same(options, 'place-on-device')) { leave_out("
      "    'no counterpart: nobody can ask where elements lie before they are taken') };"
      "steps(distribute_function(options_called(options)) { range(n).batch(b) })" },
    { "make_input_fn_iterator(range(9).batch(2))",
      "iterated(iterator_of_function('per-worker') { range(n).batch(b) })" },
    { "make_input_fn_iterator with a function giving a list",
      "iterated(iterator_of_function('per-worker') { none })" },
    { "InputContext of make_input_fn_iterator",
      "iterator_of_function('per-worker') { range(8).batch(2) }; {contexts: contexts}" },
    { "make_dataset_iterator(range(2*R+1).batch(2R))", "iterated(iterator(range(n).batch(G)))" },
    { "make_dataset_iterator(range(12).batch(R+1))", "iterated(iterator(range(n).batch(G)))" },
    { "make_dataset_iterator of a v2 dataset",
      "leave_out('the row does not say what the dataset is')" },
    { "make_dataset_iterator(range(4)), not batched", "iterated(iterator(range(n)))" },
    { "make_input_fn_iterator with a callable that gives a constant 5",
      "in = initialize(iterator_of_function('per-worker') { constant(5) });"
      "{steps: all_steps(in, 3)}" },
    { "make_input_fn_iterator with PER_REPLICA",
      "in = initialize(iterator_of_function('per-replica') { range(4).batch(2) });"
      "{steps: with_item(all_steps(in), 'END'), contexts: contexts}" },
    { "make_input_fn_iterator(range(10)); experimental_run(identity); initialize again",
      "in = iterator_of_function('per-worker') { range(n) }; two_rounds { "
      "single_numbers(run_next('same_number', in, y)) }" },
    { "make_dataset_iterator(range(3*R).batch(R)); experimental_run(x+1); initialize again",
      "in = iterator(range(n).batch(G));"
      "two_rounds { numbers(run_next('next_rows', in, y)) }" },
    { "experimental_run_steps_on_iterator with initial_loop_values {sum: 0}", "sums_of_steps" },
    { "experimental_run_steps_on_iterator, outputs set in the replicas: sum, mean of "
      "sum(x); range(20R).batch(2R)",
      "sums_of_steps" },
    { "numpy dataset of 6 rows, repeat 2, batch 6: concatenation of each step",
      "in = distribute(numpy(array([[1, 2], [6, 12], [2, 4], [5, 10], [3, 6], [4, 8]]),"
      "                      array([5, 4, 3, 2, 1, 0])).repeat(2).batch(6));"
      "{steps: with_item(until_end { map_list(next_values(in)) {"
      "    tensor_numbers(at(local_results(gather(it, 0)), 0)) } }, 'END')}" },
    { NULL, NULL },
};

/* ---- The end of the data, steps that may have no value, replicas without rows. */

static const table_operation ends[] = {
    { "next() past the end",
      "in = distribute(range(2).batch(2)); all_steps(in); past_the_end(in)" },
    { "get_next past the end",
      "in = distribute(range(2).batch(2)); all_steps(in); past_the_end(in)" },
    { "get_next_as_optional x4 on range(2R+1).batch(2R)",
      "in = distribute(range(n).batch(G)); {calls: times(4) { next_optional(in) }}" },
    { "get_next_as_optional of a pipeline",
      "in = distribute(do(pipeline)); {calls: times(calls) { next_optional(in) }}" },
    /* A value into which nothing was written has nothing to read. */
    { "get_value of an optional without a value",
      "in = distribute(range(0).batch(2)); next_optional(in); rows_of_step(in)" },
    { "next(iterator) in a replica fn",
      "in = distribute(range(8).batch(4)); step { next_values(in) };"
      "{value: 'it can be called there'}" },
    { "iterate the same distributed dataset twice; two iterators at once",
      "d = range(4).batch(4); a = distribute(share(d)); x = next_rows(a);"
      "b = distribute(share(d)); y = next_rows(b); in = distribute(d);"
      "{first: all_steps(in), second: all_steps(initialize(in)), two_iterators: [x, y]}" },
    { "traced for loop over range(5).batch(4), total",
      "in = distribute(range(5).batch(4));"
      "x = until_end { element(read(reduce('SUM', at(next_values(in), 0), 0))) };"
      "{dtype: 'int64', shape: [], data: [sum_of(x)]}" },
    /* One row in a batch of as many as there are replicas. */
    { "shapes and dtypes that every replica gets from one row in a batch of R",
      "name = pick(element, ['float-2d', 'float-2d', 'dict', 'two-components',"
      "                      'string', 'string']);"
      "x = map_list(next_values(distribute(pipeline(name)))) { local_results(it) };"
      "{per_replica: by_replica { r = i; map_list(x) { kind(at(it, r)) } }}" },
    { "does the replica function run on replicas without rows",
      "x = at(next_values(distribute(range(1).batch(R))), 0);"
      "{ran: step { [i, [rows_here(x)]] }}" },
    { "get_per_replica_batch_size", "repeats_replicas('R'); {value: context_batch_size(R, G)}" },
    { "InputOptions() defaults", "leave_out('no counterpart: an input reads two steps ahead, and "
                                 "rows lie where they were read')" },
    { "fused batch norm, training, of an empty batch (0,4,4,3)",
      "leave_out('no counterpart: Cohort has no layers')" },
    { NULL, NULL },
};

/* ---- Several workers, which step together in one process. */

static const table_operation workers[] = {
    { "batch sizes by worker",
      "s = map_list(workers(W, replicas_per_worker) { distribute(range(G).batch(G)) }) {"
      "    map_list(joined(it)) { length(it) } };"
      "{workers: s, invariants_hold: are_even(s, G)}" },
    { "sub-batches of each worker in order: range(n).batch(G) batch, rebatch then auto-shard",
      "{workers: joined_steps(W, replicas_per_worker) { distribute(range(n).batch(G)) }}" },
    { "sub-batches of each worker in order: range(n).batch(G) batch+map, rebatch then auto-shard",
      "{workers: joined_steps(W, replicas_per_worker) {"
      "        distribute(range(n).batch(G).map) }}" },
    { "range(8).batch(4).rebatch(sizes), DATA",
      "{elements: at(joined_steps(workers, 1) { distribute(range(8).batch(4)) }, index)}" },
    { "range(4).batch(2), auto-shard OFF",
      "{workers: workers(2, 1) { distribute(range(n).batch(G).not_sharded) }}" },
    { "range(4), not batched", "{workers: workers(2, 1) { distribute(range(n)) }}" },
    { "from_function: range(4)", "{workers: workers(2, 1) { from_function { range(n) } }}" },
    { "experimental_distribute_dataset(range(n).batch(G)): rows of each worker's replica, "
      "every step",
      "{workers: workers(R, 1) { distribute(range(n).batch(G)) }}" },
    { "range(<n>).batch(<G>), <policy>",
      "{workers: workers(R, 1) { distribute(range(n).batch(G)) }}" },
    { "range(<n>).repeat().batch(<G>), 4 steps",
      "{workers: workers(R, 1, 4) { distribute(range(n).repeat.batch(G)) }}" },
    { "TextLineDataset(3 files x 3 lines).batch(4)",
      "{workers: workers(R, 1) { distribute(lines(3, 3).batch(4)) }}" },
    { "from_function: worker w has 2+w batches of 1 (drop_remainder)",
      "{workers: workers(R, 1) {"
      "        from_function { range(2 + at(context, 1)).batch(1, drop) } }}" },
    { NULL, NULL },
};

/* ---- Clusters: the roles of tasks, and what resolvers say. */

static const table_operation clusters[] = {
    { "is_chief", "{value: is_chief(cluster_of(cluster), type?, id?)}" },
    { "id_in_cluster", "{value: id_in_cluster(cluster_of(cluster), type?, id?)}" },
    { "worker_count(<type>)", "{value: worker_count(cluster_of(cluster), type)}" },
    { "collective_leader", "{value: collective_leader(cluster_of(cluster), type?, id?)}" },
    { "coordination_leader", "{value: coordination_leader(cluster_of(cluster))}" },
    { "TFConfig: master()", "with_config { master(r) }" },
    { "TFConfig: master('ps', 0, 'grpc')", "with_config { master(r, 'ps', 0, 'grpc') }" },
    { "TFConfig with session_master: master()", "with_config { master(r) }" },
    { "TFConfig: cluster spec", "with_config { cluster(r) }" },
    { "TFConfig with a job given by index", "with_config { cluster(r) }" },
    { "TFConfig: text that is no JSON", "with_config { cluster(r) }" },
    { "TFConfig: task type, id, rpc layer, environment",
      "with_config { [or_none(task_type(r)), task_id(r), or_none(rpc_layer(r)),"
      "        or_none(environment(r))] }" },
    { "TFConfig with the index as text", "with_config { [task_type(r), task_id(r), master(r)] }" },
    { "TFConfig: num_accelerators() on a machine without any",
      "in_environment({TF_CONFIG: TF_CONFIG}) { a = accelerators(tf_config) };"
      "when(1 - same(a, {})) { leave_out('this machine has accelerators') }; {value: a}" },
    { "Simple: defaults", "r = simple; {value: [master(r), or_none(task_type(r)), task_id(r),"
                          " environment(r), accelerators(r), or_none(rpc_layer(r))]}" },
    { "Simple: master('worker', 1)",
      "{value: master(simple(job('worker', ['a:1', 'b:2'])), 'worker', 1)}" },
    { "Simple with a plain dict",
      "leave_out('no counterpart: the compiler refuses what is no list of jobs')" },
    { "Union of a list and a dict spec", "union_with(3)" },
    { "Union with a duplicate key", "union_with(1)" },
    { "Union of nothing", "union" },
    { "Union of a non-resolver", "union(cluster_of('empty'))" },
    { "Union: other properties come from the first",
      "r = union(one_of_two('worker', 0, 1, 1), one_of_two('ps', 2, 2, 7));"
      "{value: [task_type(r), task_id(r), environment(r), accelerators(r), rpc_layer(r),"
      "        master(r)]}" },
    { "Slurm resolver",
      "in_environment(env) { r = slurm(arguments);"
      "    {value: {spec: cluster(r), task: [task_type(r), task_id(r)], master: master(r),"
      "     cuda: choose(member(arguments, 'auto_set_gpu'), accelerator_ids(r), '')}} }" },
    { "expand a Slurm host list", "{value: slurm_hosts(list)}" },
    { "expand a Slurm tasks-per-node list", "{value: slurm_tasks(list)}" },
    { "update_config_proto",
      "given = config({allow_soft_placement: true});"
      "before = [isolates(given), filters(given), allows_soft(given)];"
      "on(strategy(pick(strategy, ['central', 'central', 'onedevice', 'one-device']))) {"
      "    u = update_config(given);"
      "    {value: {isolate_session_state: isolates(u), device_filters: filters(u),"
      "        soft_kept: allows_soft(u), same_object: is_it(u, given),"
      "        input_changed: differ(before,"
      "        [isolates(given), filters(given), allows_soft(given)])}} }" },
    { "configure(session_config): the given config afterwards",
      "on(strategy(pick(strategy, ['central', 'central', 'onedevice', 'one-device']))) { "
      "{value: {isolate_session_state: isolates(configure(config))}} }" },
    { "ParameterServerStrategy (v1) on a cluster of 3 workers, 2 ps: role flags and config",
      "task_of([job('worker', ['a:1', 'b:1', 'c:1']), job('ps', ['d:1', 'e:1'])], type, id)" },
    { "ParameterServerStrategy (v1) on a cluster without ps",
      "task_of([job('worker', ['a:1', 'b:1', 'c:1'])], 'worker', 0)" },
    { NULL, NULL },
};

/* ---- Meshes, and the replicas on them: here one on each core, where it is not said. */

static const table_operation topologies[] = {
    { "device assignment",
      "repeats_replicas('replicas'); a = assignment(full_mesh(mesh, 1), computation_shape);"
      "{assignment: by_replica { map_list(count(cores_of_replica(a))) { core_at(a, i, k) } }}" },
    { "device assignment over 2 tasks x 4 devices: properties",
      "t = full_mesh(mesh, 2); a = assignment(t);"
      "{replicas: replicas_of(a), cores: cores_of_replica(a), coordinates_3: core_at(a, 3, 0),"
      " lookup: map_list(count(num_tasks(t))) { [k, lookup_replicas(a, k)] },"
      " host: map_list([0, 5]) { host_name(a, it) }, tpu: map_list([0, 5]) { core_name(a, it) },"
      " ordinal: by_replica { ordinal(a, i) }}" },
    { "lookup_replicas of an unknown task", "lookup_replicas(assignment(full_mesh(mesh, 2)), 5)" },
    { "DeviceAssignment with a rank-2 array",
      "assignment_of(full_mesh([2, 2, 1, 2], 1), array([[0, 0, 0, 0], [0, 0, 0, 0]], 'int32'))" },
    { "DeviceAssignment with a last dimension of 3",
      "assignment_of(full_mesh([2, 2, 1, 2], 1), array([[[0, 0, 0]], [[0, 0, 0]]], 'int32'))" },
    { "topology of 2 tasks x 4 devices",
      "t = full_mesh(mesh, 2); m = mesh_shape(t);"
      "{mesh_shape: m, rank: length(m), tasks: num_tasks(t), per_task: devices_of_task(t, 0),"
      " missing: missing(t), task_at_0101: task_at(t, [0, 1, 0, 1]),"
      " ordinal_at_0101: ordinal_at(t, [0, 1, 0, 1])}" },
    { "topology: <_>", "{missing: missing(mesh_of(mesh, coordinates))}" },
    { NULL, NULL },
};

/* ---- Workers that combine something: each is a process, and has a result of its own. */

static const table_operation processes[] = {
    { "reduce SUM, MEAN (axis none), SUM, MEAN (axis 0) of [id+1, 2]",
      "x = value(by_replica { array([i + 1, 2]) });"
      "map_list([['SUM', none], ['MEAN', none], ['SUM', 0], ['MEAN', 0]]) {"
      "    y = reduce(at(it, 0), x, at(it, 1)); [own(y), member(plain(y), 'dtype')] }" },
    { "replica i holds i+1 rows of value i: SUM axis=0, MEAN axis=0",
      "x = value(by_replica { array(times(i + 1) { i }) }); sum_and_mean(x, 0)" },
    { "only replica 0 holds rows [8.]: SUM axis=0, MEAN axis=0",
      "x = value(by_replica { array(times(choose(i, 0, 1)) { 8 }) }); sum_and_mean(x, 0)" },
    { "reduce SUM, MEAN of the replica id", "x = value(by_replica { i }); sum_and_mean(x, none)" },
    { "reduce SUM of one float32 per worker", "own(reduce('SUM', value(per_worker)))" },
    { "reduce SUM of a vector of equal float32 per worker: distinct results and how often",
      "sum = reduce('SUM', value(long_vectors(per_worker))); n = runs(at(local_results(sum), 0));"
      "{values: map_list(n) { at(it, 0) }, counts: map_list(n) { at(it, 1) }}" },
    { "reduce SUM, reduce_to, batch_reduce_to of a host tensor 1.0",
      "x = value_of_number(1); [own(reduce('SUM', x)), own(reduce_to('SUM', x, 'host:0')),"
      "    map_list(batch_reduce_to('SUM', [x, value_of_number(1)],"
      "        ['host:0', 'host:0'])) { own(it) }]" },
    { "gather axis 0, replica 0 holds no row, the others 2",
      "own(gather(value(by_replica { array(times(choose(i, 2, 0)) { i }) }), 0))" },
    { "gather axis 0 of i+1 rows of value i",
      "own(gather(value(by_replica { array(times(i + 1) { [i] }) }), 0))" },
    { "all_gather axis 1 of shape (1, i+1)",
      "x = value(by_replica { array([times(i + 1) { i }]) }); y = value();"
      "step { all_gather(x, 1, y) }; [own(y)]" },
    { "all_reduce SUM of the list [id, 2*id] and MEAN",
      "x = value(by_replica { i }); y = value(by_replica { 2 * i });"
      "z = value(by_replica { 2 * i });"
      "step { all_reduce('SUM', [x, y]); all_reduce('MEAN', z) }; [[own(y)], [own(z)]]" },
    { "replica write (id: argument id+1; literal: 5.0)",
      "v = variable(array(init), 'ON_WRITE', aggregation);"
      "step { write(op, v, choose(same(argument, 'id'), i + 1.0, 5.0)) }; [own(v)]" },
    { "cross-replica write of 5.0",
      "v = variable(array(init), 'ON_WRITE', aggregation); write(op, v, 5.0); [own(v)]" },
    { "ON_READ: replica assign(id+2); components and cross-replica read",
      "v = variable(array(0), 'ON_READ', aggregation);"
      "step { write('assign', v, i + 2.0) }; [[own(v)], element(read(v))]" },
    { "range(9).batch(4): per step [SUM axis=0, MEAN axis=0] (int64)",
      "in = distribute(range(n).batch(G));"
      "until_end { x = at(next_values(in), 0); sum_and_mean(x, 0) }" },
    { NULL, NULL },
};

/* ---- What is known and has no counterpart in C. */

#define NO_SCOPES "leave_out('no counterpart: nothing can be open inside a scope')"
#define NO_PYTHON "leave_out('no counterpart: a form of a Python call')"
#define NO_OPERAND "leave_out('the row does not say what is reduced, or run')"
#define NO_COORDINATOR                                                                             \
    "leave_out('no counterpart: nothing is scheduled on workers of other processes')"

static const table_operation absent[] = {
    { "reduce of texts", "leave_out('no counterpart: a text is numbers, which have a sum')" },
    { "leave the scope with an inner creator scope open", NO_SCOPES },
    { "then leave the inner scope", NO_SCOPES },
    { "then leave the strategy scope", NO_SCOPES },
    { "is the strategy still current at the end", NO_SCOPES },
    { "run with args<_>", NO_PYTHON },
    { "replicas give argument lists of different length",
      "leave_out('no counterpart: a merge function takes one pointer from each replica')" },
    { "merge_call in a tf.function called in the replica fn",
      "leave_out('no counterpart: nothing is traced')" },
    { "run returning a tuple on replica 0 and a list on the others",
      "leave_out('no counterpart: a tuple is a list')" },
    { "experimental_local_results of none",
      "leave_out('no counterpart: there is no value that is none')" },
    { "default of trainable", "leave_out('no counterpart: Cohort makes no gradients')" },
    { "summary written in every replica (5+id)",
      "leave_out('no counterpart: Cohort writes no summaries')" },
    { "reduce SUM, MEAN axis=0 in a scheduled function", NO_OPERAND },
    { "local: reduce of plain values", NO_OPERAND },
    { "strategy.run outside a scheduled function", NO_OPERAND },
    { "per-worker dataset range(10).batch(2): sums of two scheduled steps (the two may run on one "
      "worker)",
      NO_COORDINATOR },
    { "a second coordinator for the same strategy is the same object", NO_COORDINATOR },
    { NULL, NULL },
};

const table_operation *const table_rows[] = {
    reduces, destinations, all_reduces, runs,       merges, scopes,  results,   variables,
    writes,  updates,      gathers,     placements, splits, sources, functions, ends,
    workers, clusters,     topologies,  processes,  absent, NULL
};
