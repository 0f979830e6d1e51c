#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort cluster: what TF_CONFIG, Slurm, Kubernetes and SageMaker say, and what is wrong with it.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch cli_cluster
find_python
unset TF_CONFIG SLURM_PROCID SLURM_STEP_NUM_TASKS SLURM_STEP_NODELIST SLURM_STEP_TASKS_PER_NODE JOB_COMPLETION_INDEX \
    COHORT_KUBERNETES_TASKS COHORT_KUBERNETES_SERVICE COHORT_KUBERNETES_NAMESPACE SM_HOSTS SM_CURRENT_HOST

run "$cohort" cluster
is "$code" 0 "no cluster is fine"
is "$out" "no cluster: TF_CONFIG is not set, this is no step of Slurm, no Job of Kubernetes and none of SageMaker, and no mpirun has started it" "and is said"
"$cohort" cluster --json >"$scratch/none.json"
is "$(tr -d ' \n' <"$scratch/none.json")" '{"schema":1,"sources":[]}' "as JSON it is an empty list"

# config TEXT OPTION...: cohort cluster with this TF_CONFIG
config() {
    text=$1
    shift
    run env TF_CONFIG="$text" "$cohort" cluster "$@"
}

# ---------------------------------------------------------------- Slurm
# slurm RANK TASKS HOSTS TASKS_PER_NODE OPTION...
slurm() {
    SLURM_PROCID=$1 SLURM_STEP_NUM_TASKS=$2 SLURM_STEP_NODELIST=$3 SLURM_STEP_TASKS_PER_NODE=$4
    export SLURM_PROCID SLURM_STEP_NUM_TASKS SLURM_STEP_NODELIST SLURM_STEP_TASKS_PER_NODE
    shift 4
    run "$cohort" cluster "$@"
    unset SLURM_PROCID SLURM_STEP_NUM_TASKS SLURM_STEP_NODELIST SLURM_STEP_TASKS_PER_NODE
}
slurm 3 4 'n[9-10]' '2(x2)'
is "$code" 0 "a step of Slurm is fine"
has "$out" "  task         worker 3, not the chief, number 3 of 4 from 0 on" "its task is told"
has "$out" "  master       grpc://n10:8889" "and its master"
has "$out" "               3  n10:8889   <- this process" "and all addresses"
slurm 0 40 'n[9-10]' '20(x2)'
has "$out" "and 24 more" "but no more than sixteen of a job"
slurm 0 40 'n[9-10]' '20(x2)' --json
has "$out" '"n10:8907"' "which JSON has"
slurm 4 4 'n[9-10]' '2(x2)'
is "$code" 1 "a rank that the step has not is wrong"
has "$out" "SLURM_PROCID is 4, and the step has 4 tasks" "and said"
slurm 3 4 'n[9-10]' '2(x2)'
has "$out" "SLURM_STEP_NUM_TASKS says that this is one of 4 processes, and nothing connects them" "that nothing connects them is told"
run env WORLD_SIZE=2 "$cohort" cluster
has "$out" "WORLD_SIZE says that this is one of 2 processes, and nothing connects them: strategies over workers want cohort launch" "also of torchrun"
run env WORLD_SIZE=1 "$cohort" cluster
case $out in *connects*) ok 1 "but not of a process alone" ;; *) ok 0 "but not of a process alone" ;; esac
run env SLURM_STEP_NODELIST=n1 "$cohort" cluster
has "$out" "SLURM_STEP_TASKS_PER_NODE is not set" "so is a variable that is missing"

# ---------------------------------------------------------------- Kubernetes
run env HOSTNAME=train-1 JOB_COMPLETION_INDEX=1 "$cohort" cluster
is "$code" 1 "a pod that does not know how many there are is wrong"
has "$out" "COHORT_KUBERNETES_TASKS is not set" "and said"
run env HOSTNAME=train-1 COHORT_KUBERNETES_TASKS=2 COHORT_KUBERNETES_SERVICE=headless "$cohort" cluster
is "$code" 0 "a pod of Kubernetes is fine"
is "$out" "Kubernetes
  task         worker 1, not the chief, number 1 of 2 from 0 on
  master       grpc://train-1.headless:8470
  rpc layer    grpc
  worker       0  train-0.headless:8470
               1  train-1.headless:8470   <- this process" "and explained"

# ---------------------------------------------------------------- SageMaker
run env SM_CURRENT_HOST=algo-1 "$cohort" cluster
is "$code" 1 "a host of SageMaker without the others is wrong"
has "$out" "SM_HOSTS is not set" "and said"

# ---------------------------------------------------------------- TF_CONFIG
config '{}'
case $out in
*'without jansson'*)
    is "$code" 1 "a TF_CONFIG is wrong in a build without jansson"
    skip "TF_CONFIG is explained" "no jansson"
    tap_done
    ;;
esac
run env SM_HOSTS='["algo-1", "algo-2"]' SM_CURRENT_HOST=algo-2 "$cohort" cluster
has "$out" "               1  algo-2:2223   <- this process" "hosts of SageMaker are explained"
run env SM_HOSTS='["algo-1", "algo 2"]' SM_CURRENT_HOST=algo-2 "$cohort" cluster
has "$out" "SM_HOSTS: byte 11: 'algo 2' is no name of a host" "so is what is wrong with them"
has "$out" 'at: ["algo-1",  >>> "algo 2"]' "with the place"
config '{}'
is "$code" 0 "an empty TF_CONFIG is fine"
has "$out" "empty: this process is alone" "and said"

cluster='"cluster": {"chief": ["c:1"], "worker": ["w0:1", "w1:1"], "ps": ["p:1"]}'
config "{$cluster, \"task\": {\"type\": \"worker\", \"index\": 1}, \"rpc_layer\": \"grpc\", \"environment\": \"cloud\"}"
is "$code" 0 "a whole TF_CONFIG is fine"
is "$out" "TF_CONFIG
  task         worker 1, not the chief, number 2 of 3 from 0 on
  master       grpc://w1:1
  rpc layer    grpc
  environment  cloud
  chief        0  c:1
  worker       0  w0:1
               1  w1:1   <- this process
  ps           0  p:1" "and explained"
config "{$cluster, \"task\": {\"type\": \"ps\", \"index\": 0}}"
has "$out" "  task         ps 0, not the chief
" "a ps has no number among workers"
config "{$cluster}"
has "$out" "none: this process is not in the cluster" "a process may be no task"
env TF_CONFIG="{$cluster, \"task\": {\"type\": \"chief\", \"index\": 0}}" "$cohort" cluster --json >"$scratch/full.json"
is "$?" 0 "as JSON"
json_has_keys "$scratch/full.json" \
    "schema sources sources[].accelerator_ids sources[].accelerators sources[].cluster sources[].cluster.chief sources[].cluster.ps sources[].cluster.worker sources[].environment sources[].error sources[].id_in_cluster sources[].is_chief sources[].master sources[].name sources[].rpc_layer sources[].task_id sources[].task_type sources[].worker_count" \
    "it has its keys"
has "$(cat "$scratch/full.json")" '"is_chief": true' "and values"

# wrong TEXT PART CLAIM
wrong() {
    config "$1"
    is "$code" 1 "$3 is wrong"
    has "$out" "$2" "and said"
}
wrong '{"cluster": {"worker": ["a:1", 7]}}' \
    'TF_CONFIG: byte 31: the address of worker 1 is an integer, not a text; put it in quotation marks
at: ..."cluster": {"worker": ["a:1",  >>> 7]}}' "a value of another type"
wrong '{' "no JSON: " "what is no JSON"
wrong '{"cluster": {"boss": ["a:1"]}, "task": {"type": "boss", "index": 0}}' \
    "the cluster has a job 'boss'; jobs are chief, worker, ps and evaluator" "a job that is no role"
wrong '{"cluster": {"chief": ["a:1", "b:1"]}}' "2 tasks of job 'chief'; at most one" "two chiefs"
wrong '{"cluster": {"worker": ["a:1", "b:port"]}}' "TF_CONFIG: the address of worker 1 is 'b:port': its port is no number from 1 to 65535" "a port that is none"
wrong '{"cluster": {"worker": ["a:0"]}}' "its port is no number from 1 to 65535" "port 0"
wrong '{"cluster": {"ps": ["a:65536"], "worker": ["b:1"]}}' "the address of ps 0 is 'a:65536'" "a port that is too large"
wrong '{"cluster": {"worker": [":1"]}}' "it names no host" "an address without a host"
wrong '{"cluster": {"worker": ["a b:1"]}}' "a character that no name of a host has" "two names"
wrong '{"cluster": {"worker": ["::1:2222"]}}' "an address of IPv6 stands in brackets" "IPv6 without brackets"
wrong '{"sparseCluster": {"worker": {"0": "a:1"}}, "task": {"type": "worker", "index": 0}}' "it does not name the other workers" "a sparse cluster"
config '{"cluster": {"worker": ["[::1]:2222", "b", "10.0.0.1:80"]}}'
is "$code" 0 "IPv6 in brackets, a host alone and IPv4 are fine"
wrong '{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker"}}' "has no index" "a task without its index"
wrong "$(printf '{"cluster": {"worker": ["\033[31m", "\377"]}}')" "at: {" "what would colour the terminal"
case $out in
*"$(printf '\033')"*) ok 1 "and shown without effect" ;;
*) ok 0 "and shown without effect" ;;
esac
env TF_CONFIG='[' "$cohort" cluster --json >"$scratch/wrong.json" 2>"$scratch/err"
is "$?" 1 "what is wrong is wrong as JSON too"
has "$(cat "$scratch/wrong.json")" '"error": "resolver' "with the error in it"
has "$(cat "$scratch/err")" "TF_CONFIG: byte 1: no JSON" "and on standard error"
tap_done
