/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations have in common, as expressions with a name (expression.h). */
#include "config.h"

#include "tests/golden_runner/expression.h"

const definition definitions[] = {
    /* ---- Lists. */
    { "one_of", "x, list", "at(list, place(x, list))" },
    { "with_item", "list, x", "joined([list, [x]])" },
    { "common", "a, b", "sum_of(map_list(a) { less(place(it, b), length(b)) })" },
    { "differ", "a, b", "less(same(a, b), 1)" },

    /* ---- What values and variables hold. */
    { "own", "x", "tensor_numbers(at(local_results(x), 0))" },
    { "plain", "x", "only(local_results(x))" },
    { "container", "x", /* what is there once for all replicas stands there for each */
      "all = local_results(x); container_of(by_replica { at(all, choose(length(all) - 1, i, 0)) "
      "})" },
    { "numbers", "x", "map_list(local_results(x)) { tensor_numbers(it) }" },
    { "single_numbers", "x", "map_list(local_results(x)) { tensor_numbers(single(it)) }" },
    { "scalars", "x", "container_of(map_list(local_results(x)) { single(it) })" },
    { "called", "x, type, name",
      "map_list(local_results(x)) { choose(same(member(it, 'dtype'), type), name, '?') }" },
    { "sum_and_mean", "x, axis", "map_list(['SUM', 'MEAN']) { own(reduce(it, x, axis)) }" },
    { "initial", "", "array(init?0)" },
    { "copies", "x, n", "y = plain(x); {list: times(n?n_copies) { y }}" },
    { "state", "v, n",
      "{dtype: dtype(v), cross_read: or_error { tensor_numbers(read(v)) },"
      " components: components(v, n?n_copies),"
      " replica_read: map_list(step { read(v) }) { tensor_numbers(it) }}" },
    { "scalar_state", "v",
      "s = state(v); {dtype: member(s, 'dtype'), cross_read: at(member(s, 'cross_read'), 0),"
      " components: map_list(member(s, 'components')) { at(it, 0) },"
      " replica_read: map_list(member(s, 'replica_read')) { at(it, 0) }}" },
    { "tensors", "v", "map_list(member(state(v), 'components')) { array(at(it, 0)) }" },

    /* Where a result is wanted, and how many copies of it are there in TensorFlow. */
    { "destination", "x, word",
      "pick(word, ['value', x, 'var', variable(array(0)), 'cpu', at(devices_of_replicas, 0)])" },
    { "copies_at", "word", "pick(word, ['value', R, 'var', n_copies, 'cpu', 1])" },
    { "reduced_to", "x, n", "copies(reduce_to(op, x, destination(x, destinations)), n)" },
    { "options_called", "word",
      "pick(word, ['fetch=False', {}, 'place-on-device', {},"
      "    'buffer=0', {experimental_per_replica_buffer_size: 0},"
      "    'buffer=3', {experimental_per_replica_buffer_size: 3},"
      "    'per-replica', {experimental_replication_mode: 'PER_REPLICA'}])" },

    { "long_vectors", "numbers", "each(map_list(numbers) { filled([length], it) })" },

    /* ---- Variables. Cohort has no synchronization NONE, and no aggregation of that name; 99 is
     * none. */
    { "variable", "a, synchronization, aggregation",
      "variable_of(a, at([0, 1, 2, 99],"
      "    place(synchronization?'AUTO', ['AUTO', 'ON_WRITE', 'ON_READ', 'NONE'])),"
      "    at([0, 1, 2, 3, 99], place(aggregation?'NONE',"
      "        ['NONE', 'SUM', 'MEAN', 'ONLY_FIRST_REPLICA', 'invalid'])))" },
    { "sharded", "a, n", "partitioned(a, 'FixedShards', n)" },
    { "write_op", "op",
      "place(op, ['assign', 'assign_add', 'assign_sub', 'scatter_add', 'scatter_sub',"
      "    'scatter_mul', 'scatter_div', 'scatter_min', 'scatter_max', 'scatter_update'])" },
    { "write", "op, v, x", "write_of(write_op(op), v, x)" },
    { "scatter", "op, v, ids, rows", "scatter_of(write_op(op), v, ids, rows)" },
    { "components", "v, n", /* of each replica: of the copy that its device has */
      "all = local_results(v); hosts = map_list(copies_of(v)) { at(it, 0) };"
      "map_list(count(n)) { r = k;"
      "    own = choose(same(length(all), n), r, place(host_of(r), hosts));"
      "    tensor_numbers(at(all, own)) }" },

    { "initialized", "", "variable(initial, synchronization?'AUTO', aggregation?'NONE')" },
    { "on_read", "", "variable(initial, 'ON_READ', aggregation?'NONE')" },
    { "own_numbers", "", "v = on_read; step { write('assign', v, i) }; v" },
    { "written_state", "",
      "kind = one_of(argument?'literal', ['literal', 'zero-literal', 'zero', 'tensor', 'captured',"
      "    'captured-tensor', 'fresh-tensor', 'mirrored-var', 'python-id', 'per-replica']);"
      "x = value?; where = context?'cross'; v = initialized; y = passed(kind, x);"
      "in_context(where) { write(op_name, v, at(y, i)) }; state(v)" },
    { "written_in_turn", "",
      "where = context?'cross'; v = initialized;"
      "map_list(ops) { in_context(where) { write(at(it, 0), v, 1 * at(it, 1)) } }; state(v)" },
    { "seven_rows", "",
      "sharded(array([[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11], [12, 13]]), 3)" },

    /* ---- What is reduced, and gathered, in replica functions. */
    { "all_reduced", "op, into", "step { do(block); all_reduce(op, into) }; container(into)" },
    { "of_all", "op, x", "x = array(x); y = value(); all_reduced(op, y) { set(y, x) }" },
    { "all_reduced_ones", "op", "x = value(); all_reduced(op, x) { set(x, array(1)) }" },
    { "all_gathered", "axis",
      "x = value(); y = value(); step { set(x, do(block)); all_gather(x, axis, y) }; "
      "container(y)" },

    { "contained", "content, type, name", /* what run gives */
      "x = value(); step { set(x, array(content, type)) };"
      "{form: form(x), local_results: called(x, type, name)}" },

    /* ---- Chains of functions, and what was passed to a merge call, in p. */
    { "chain", "a, b",
      "x = run('first', a, b, value()); a = value(); b = value(); run('second', x, a, b);"
      "y = run('third', b, a, value());"
      "{f1: scalars(x), f2: {dict: {a: scalars(a), b: scalars(b)}}, f3: scalars(y)}" },
    { "merged", "place", "container_of(map_list(p) { array(at(it, place), 'int32') })" },

    /* ---- Names of devices in TensorFlow; the second CPU there is the device d. */
    { "cpu", "n", "fill('/job:localhost/replica:0/task:0/device:CPU:#', [n])" },
    { "second_cpu", "name", "cpu(choose(same(name, d), 1, name))" },
    { "ours", "devices", "comma_list(map_list(devices) { names(our_device(it)) })" },
    { "parts_of", "v",
      "c = copies_of(v); {partitions: map_list(shape) { choose(k, 1, length(c)) }}" },
    { "type_of_shards", "n", "choose(n - 1, 'ShardedVariable', 'CachingVariable')" },

    /* ---- Datasets, and inputs. */
    { "rows", "r, c, type", /* r elements of c numbers, 0, 1, 2, ...; c is 0: numbers alone */
      "lists = map_list(count(r)) { first = k * c; map_list(count(c)) { first + k } };"
      "slices(array(choose(c, lists, map_list(lists) { k }), type?'int64'))" },
    { "lines", "n, each", "names(fill('# files', [n])); text(line_files(n, each))" },
    { "records", "n, each", "names(fill('# files', [n])); tfrecord(record_files(n, each))" },
    { "listed_lines", "n, each", "names(fill('# files', [n])); list_files(line_files(n, each))" },
    { "listed_records", "n, each",
      "names(fill('# files', [n])); list_files(record_files(n, each))" },
    { "pipeline", "name", "do(chain_of_pipeline(name))" },
    { "chain_of_op", "", "do(op_name)" }, /* up to a comma */
    { "equal_sizes", "sizes",
      "when(1 - all_same(sizes) + less(at(sizes, 0), 1)) {"
      "    leave_out('no counterpart: batches of sizes in turn') };"
      "at(sizes, 0)" },
    { "not_sharded", "d", "sharded_by(d, at(policies, 0))" },
    { "with_policy", "d",
      "sharded_by(d, pick(policy?'', ['', none, 'OFF', at(policies, 0), 'AUTO', at(policies, 1),"
      "    'FILE', at(policies, 2), 'DATA', at(policies, 3), 'HINT', at(policies, 4)]))" },
    { "distribute", "d", "distribute_as_is(with_policy(d))" },
    { "distribute_with", "d, options", "distribute_as_is_with(with_policy(d), options)" },
    { "all_of", "d", "{cardinality: cardinality(d), elements: elements(d)}" },
    { "cardinality_of", "d", "n = cardinality(d); destroy(d); {value: n}" },
    { "shuffled_share", "index",
      "elements(auto_shard(with_policy(listed_records(10, 10).shuffle(10, 7).flat_map_records"
      ".shuffle(30, 8)), 2, index))" },
    { "share_of", "d", "{elements: elements(auto_shard(with_policy(d), workers, index))}" },
    { "flat_elements", "d", "joined(elements(d))" },
    { "all_steps", "in, most", "until_end(most) { next_rows(in) }" },
    { "steps", "in, most", "{dtype: dtype_of_input(in), steps: all_steps(in, most)}" },
    { "iterated", "in", "initialize(in); {steps: with_item(all_steps(in), 'END')}" },
    { "from_function", "", "distribute_function({}) { do(block) }" },
    { "joined_steps", "of, each", "map_list(workers(of, each) { do(block) }) { joined(it) }" },

    { "two_rounds", "",
      "y = value(); {rounds: times(2) { initialize(in);"
      "    with_item(until_end { do(block) }, 'END') }}" },
    { "sums_of_steps", "",
      "in = initialize(iterator(range(20 * R).batch(2 * R))); y = value();"
      "times(iterations) { run_next('add_rows', in, y) };"
      "{sum: [scalar(reduce('SUM', y))], mean: [scalar(reduce('MEAN', y))],"
      "    non_tensor: {nt: fill('(#,)', [R])}}" },
    /* Together they are the rows, and none is more than one more than another. */
    { "are_even", "sizes, rows",
      "all = joined(sizes);"
      "far = map_list(all) { a = it; sum_of(map_list(all) { less(a + 1, it) }) };"
      "same([sum_of(all), sum_of(far)], [rows, 0])" },

    /* ---- Clusters. */
    { "with_config", "",
      "in_environment({TF_CONFIG: TF_CONFIG}) { r = tf_config; {value: do(block)} }" },
    { "union_with", "index",
      "r = union(simple(job('worker', ['a:1', 'b:1'])), simple(job('worker', ['c:1'], [index])));"
      "{value: cluster(r)}" },
    { "one_of_two", "type, id, n, gpus",
      "simple(job('worker', ['c:1']), type, id, {master: fill('m#', [n]),"
      "    rpc_layer: fill('r#', [n]), environment: fill('e#', [n]), accelerators: {GPU: gpus}})" },
    { "task_of", "jobs, type, id", /* one host device for each server */
      "r = simple(jobs, type, id);"
      "on(strategy('round-robin', r, 'host/2')) {"
      "    u = update_config(config({isolate_session_state: true})); role = role_flags;"
      "    {value: {replicas: R, worker_devices: map_list(devices_of_replicas) {"
      "        fill('/job:#/replica:0/task:#/device:CPU:#', [task_type(r), task_id(r), k]) },"
      "    parameter_devices: map_list(devices_of_variables) { fill('/job:ps/task:#', [k]) },"
      "    isolate_session_state: isolates(u), device_filters: filters(u),"
      "    between_graph: member(role, 'between_graph'), should_init: member(role, 'should_init'),"
      "    should_checkpoint: member(role, 'should_checkpoint'),"
      "    should_save_summary: member(role, 'should_save_summary')}} }" },
    { NULL, NULL, NULL },
};
