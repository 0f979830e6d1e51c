#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort launch: wrong words, and the line that it makes, with an mpirun that only says what it got.
. "${srcdir:-.}/tests/tap.sh"
scratch cli_launch

launch() {
    run env PATH="$scratch/bin:$PATH" "$builddir/cli/cohort" launch "$@"
}

# says PART CLAIM: the latest launch, which a file of tasks told what to start
says() {
    build_lacks jansson "$2" || has "$out" "$1" "$2"
}

# The MPIs of this machine are not asked: the first of a name in PATH is.
fake() {
    mkdir -p "$scratch/bin"
    cat >"$scratch/bin/$1" <<END
#!/bin/sh
case \$1 in --version) echo "$2" ;; *) printf '<%s>' "\$@"; echo; exit 7 ;; esac
END
    chmod +x "$scratch/bin/$1"
}
fake mpirun.openmpi "mpirun.openmpi (OpenRTE) 4.1.4"
fake mpirun.mpich "HYDRA build details:"

launch
is "$code" 2 "without a program it is wrong usage"
has "$out" "there is no program to start" "which is said"
launch x
has "$out" "how many processes?" "so it is without a number"
launch -n 0 x
has "$out" "-n 0: expected an integer from 1 to 65536" "0 processes are none"
launch -n 2 --tf-config "$scratch/none" x
has "$out" "one of -n, --jobs and --tf-config says how many processes" "two numbers are one too many"
launch -n 2 --jobs worker=2 x
has "$out" "one of -n, --jobs and --tf-config says how many processes" "so are a number and jobs"
for wrong in "worker:expected a job and its number of tasks" "workers=2:there is no such job" \
    "worker=1,worker=2:it is there twice" "worker=1,:expected a job and its number" "worker=0:expected an integer from 1 to 65536" \
    "chief=2:expected an integer from 1 to 1" "worker=2,ps=-1:expected an integer" "worker=65536,ps=1:more than 65536 processes"; do
    launch --jobs "${wrong%%:*}" x
    has "$code:$out" "2:" "--jobs ${wrong%%:*} is wrong usage"
    has "$out" "${wrong#*:}" "and told why"
done
launch --mpi nompi -n 1 x
has "$out" "--mpi nompi: expected openmpi or mpich" "an MPI has one of two names"
launch --labels -n 1 x
has "$out" "did you mean --label?" "a wrong option gets the one that was meant"
launch --tf-config "$scratch/none" x
is "$code" 1 "a file that is not there is a failure"
has "$out" "$scratch/none: No such file or directory" "and named"
echo '{' >"$scratch/cut"
launch --tf-config "$scratch/cut" x
says "$scratch/cut: resolver 'tf_config': TF_CONFIG: byte 2" "no JSON is told with its place"
echo '{"cluster": {"ps": ["a:1"]}}' >"$scratch/ps"
launch --tf-config "$scratch/ps" x
says "has no job chief and no job worker" "a cluster without workers starts nothing"
# refused NAME CLUSTER PART CLAIM: a file with this cluster starts nothing
refused() {
    echo "{\"cluster\": {$2}}" >"$scratch/$1"
    launch --dry-run --mpi openmpi --tf-config "$scratch/$1" x
    says "$scratch/$1: $3" "$4"
    build_lacks jansson "$4, and starts nothing" || is "$code" 1 "$4, and starts nothing"
}
refused master '"master": ["a:1"], "worker": ["b:1"]' \
    "cohort_cluster_spec_is_chief: the cluster has a job 'master'; jobs are chief, worker, ps and evaluator" "a job that there is not is refused"
refused local '"local": ["a:1"]' "cohort_cluster_spec_is_chief: the cluster has a job 'local'" "also where it is the only one"
refused chiefs '"chief": ["a:1", "b:1"], "worker": ["c:1"]' "cohort_cluster_spec_is_chief: the cluster has 2 tasks of job 'chief'; at most one" "so are two chiefs"
refused evaluators '"evaluator": ["a:1", "b:1"], "worker": ["c:1"]' "cohort_cluster_spec_is_chief: the cluster has 2 tasks of job 'evaluator'" "and two evaluators"
refused gap '"worker": {"0": "a:1", "3": "b:1"}' "job worker has 2 tasks, and one is task 3: processes are numbered from 0 on" "so are tasks with a gap"
refused first '"chief": ["a:1"], "ps": {"1": "b:1"}' "job ps has 1 task, and one is task 1" "and those that do not begin with 0"
refused port '"worker": ["a:1", "b:x"]' "the address of worker 1 is 'b:x': its port is no number from 1 to 65535" "so is a port that is none"
refused hostless '"worker": [":1"]' "the address of worker 0 is ':1': it names no host" "an address without a host"
refused two '"worker": ["a,b:1"]' "the address of worker 0 is 'a,b:1': its host has a character" "one that would be two machines"
refused option '"worker": ["--x:1"]' "the address of worker 0 is '--x:1'" "one that would be an option"
refused six '"worker": ["[::1]:2222"]' "the address of worker 0 is '[::1]:2222': mpirun takes names of machines" "and one of IPv6"
echo '{"cluster": {"worker": {"1": "b:1", "0": "a"}}}' >"$scratch/numbered"
launch --dry-run --mpi mpich --tf-config "$scratch/numbered" x
says "mpirun.mpich -hosts a:1,b:1 -n 2 x" "tasks by their numbers, and a machine without a port, are as good as a list"
echo '{"sparseCluster": {"worker": {"0": "a:1"}}, "task": {"type": "worker", "index": 0}}' >"$scratch/sparse"
launch --dry-run --mpi mpich --tf-config "$scratch/sparse" x
says "it does not name the other workers" "a cluster that is not whole is refused"
for wrong in "--restart -1:expected an integer from 0 to 1000000" "--grace x:expected an integer" "--start-timeout 1s:expected an integer" \
    "--bind-to cores:expected none, hwthread, core, socket or numa" "--env =x:there is no name" "--env NOT_THERE:this process has no such variable"; do
    # shellcheck disable=SC2086 # two words
    launch -n 2 ${wrong%%:*} x
    has "$code:$out" "2:" "${wrong%%:*} is wrong usage"
    has "$out" "${wrong#*:}" "and told why, ${wrong%%:*}"
done
launch --tf-config "$scratch/four" --hostfile "$scratch/none" x
has "$code:$out" "2:cohort: launch: --tf-config says which machines there are, and so does --hostfile" "two files of machines are one too many"
launch --hostfile "$scratch/none" x
has "$code:$out" "1:cohort: $scratch/none: No such file" "a file of machines that is not there is a failure"
# machines TEXT OPTION...: a dry run with this file of machines
machines() {
    printf '%b' "$1" >"$scratch/machines"
    shift
    launch --dry-run --hostfile "$scratch/machines" "$@" x
}
for wrong in ':it names no machine' '# a\n:it names no machine' 'a:0:expected 1 to 65536 processes' 'a slots=x:expected 1 to 65536' \
    'a\nb max_slots=2:line 2' 'a\:2 slots=2:expected 1 to 65536' 'a slots=1 b:there is a word too many' '[\:\:1]:takes no addresses of IPv6' \
    '--x:no name of a host has' 'a,b:no name of a host has' 'a\:65536\nb:more than 65536 processes'; do
    text=$(printf '%s' "$wrong" | sed 's/:[^:\\]*$//; s/\\:/:/g')
    machines "$text" --mpi mpich
    has "$code:$out" "1:cohort: $scratch/machines: " "machines '$text' are refused"
    has "$out" "${wrong##*:}" "and told why, '$text'"
done
machines 'a\nb:1\n' --mpi mpich -n 3
has "$code:$out" "1:cohort: $scratch/machines: its machines take 2 processes, and 3 are to be started" "more processes than machines take are refused"
machines '# two machines\n\na:2\t# first\r\nb slots=3\nc\n' --mpi mpich
is "$code:$out" "0:mpirun.mpich -hosts a:2,b:3,c:1 -n 6 x" "both MPIs' lines say which machines there are, and how many processes"
machines 'a:2\nb slots=3\na\n' --mpi openmpi -n 4
has "$out" "--oversubscribe --bind-to none --host a:2 -n 2 x : --host b:2 -n 2 x" "they are filled one after the other"
machines 'a:2\nb:1\n' --mpi mpich --jobs worker=2,ps=1
is "$out" "mpirun.mpich -hosts a:2,b:1 -genv COHORT_JOBS worker=2,ps=1 -n 3 x" "also with jobs"
machines 'a\nb\n' --mpi openmpi --env HOME --env 'A=b c' --bind-to core
has "$out" "--bind-to core:overload-allowed --host a:1 -x HOME -x 'A=b c' -n 1 x : --host b:1 -x HOME -x 'A=b c' -n 1 x" "variables and binding are Open MPI's"
machines 'a\nb\n' --mpi mpich --env HOME --env 'A=b c' --bind-to core
is "$out" "mpirun.mpich -bind-to core -hosts a:1,b:1 -genv A 'b c' -n 2 x" "and MPICH's, which passes on what it has"
head -c 1100000 /dev/zero | tr '\0' ' ' >"$scratch/large"
launch --tf-config "$scratch/large" x
has "$out" "it has more than 1048576 bytes" "a file has an end"
printf '{"cluster"\0' >"$scratch/zero"
launch --tf-config "$scratch/zero" x
has "$out" "it has a byte 0, and is no text" "and is a text"

launch --mpi mpich -n 65536 a "b c" "d'e" -n 5 --help
is "$code" 7 "the exit code is mpirun's"
has "$out" "mpirun.mpich -n 65536 a 'b c' 'd'\\''e' -n 5 --help" "the line can be given to a shell"
has "$out" "<a><b c><d'e><-n><5><--help>" "what follows the program is the program's"
case $out in *"<-n><65536><"*"cohort><launch><--as-rank>"*"><PMI_RANK><1><><0><a>"*) true ;; *) false ;; esac
ok $? "and mpirun gets it behind this command, which starts it on each machine"
has "$out" "cohort: launch: mpirun has ended with 7 before a process was started" "an mpirun that starts nothing is told"
launch --restart 3 --mpi mpich -n 2 a
is "$code:$(echo "$out" | grep -c 'started again')" "7:0" "and is not started again"
launch -n 65536 --label a
has "$out" "--oversubscribe --bind-to none --tag-output -n 65536 a" "more processes than cores are not bound, and labels are asked for"
launch -n 1 --no-label a
has "$out" "--map-by slot:PE=" "on one machine processes share its cores"
launch --dry-run --mpi openmpi -n 65536 a
is "$code" 0 "a dry run does nothing"
has "$out" "mpirun.openmpi" "but to print the line"
echo '{"cluster": {"chief": ["a:1"], "worker": ["a:2", "b:1", "b:2", "a:3"]}, "task": {"type": "chief", "index": 0}}' >"$scratch/four"
launch --dry-run --mpi openmpi --tf-config "$scratch/four" x y
says "--host a:2 -n 2 x y : --host b:2 -n 2 x y : --host a:1 -n 1 x y" "the tasks of a file are processes on its machines, in their order"
launch --dry-run --mpi mpich --tf-config "$scratch/four" x
says "mpirun.mpich -hosts a:2,b:2,a:1 -n 5 x" "also with MPICH"
echo '{"cluster": {"ps": ["c:1", "c:2"], "evaluator": ["a:9"], "chief": ["a:1"], "worker": ["b:1"]}}' >"$scratch/served"
launch --dry-run --mpi openmpi --tf-config "$scratch/served" x
says "--host c:2 -x COHORT_JOBS=chief=1,worker=1,ps=2,evaluator=1 -n 2 x : --host a:1 -x COHORT_JOBS=chief=1,worker=1,ps=2,evaluator=1 -n 1 x" "parameter servers and an evaluator are started too, and told which they are"
launch --dry-run --mpi mpich --tf-config "$scratch/served" x
says "mpirun.mpich -hosts a:1,b:1,c:2,a:1 -genv COHORT_JOBS chief=1,worker=1,ps=2,evaluator=1 -n 5 x" "also with MPICH"
launch --dry-run --mpi mpich --jobs ps=60000,worker=5536 x
is "$out" "mpirun.mpich -genv COHORT_JOBS worker=5536,ps=60000 -n 65536 x" "so are jobs without a file"
TF_CONFIG=wrong
export TF_CONFIG
launch --dry-run --mpi mpich --tf-config "$scratch/four" x
says "mpirun.mpich -hosts a:2,b:2,a:1 -n 5 x" "TF_CONFIG of this process does not matter"
unset TF_CONFIG
cat >"$scratch/bin/mpirun.mpich" <<'END'
#!/bin/sh
[ "$1" != --version ] || exec echo HYDRA
exec sleep 100
END
launch --mpi mpich -n 3 --start-timeout 1 --restart 2 x
is "$code" 124 "a start that does not come is 124"
has "$out" "cohort: launch: 3 of 3 processes have not started within 1 s (--start-timeout), the first of them rank 0" "and told"
run env PATH="$scratch/bin:$PATH" "$builddir/cli/cohort" launch --as-rank key
has "$code:$out" "2:cohort: launch: --as-rank is what cohort launch gives mpirun" "its own words are not for people"
rm "$scratch/bin/mpirun.openmpi" "$scratch/bin/mpirun.mpich"
fake mpirun "some other mpirun"
run env PATH="$scratch/bin:/usr/bin:/bin" "$builddir/cli/cohort" launch --mpi mpich -n 1 x
if command -v mpirun.mpich >/dev/null; then
    skip "an MPI that is not there is told" "MPICH is"
else
    has "$out" "there is no mpirun of mpich" "an MPI that is not there is told"
fi
tap_done
