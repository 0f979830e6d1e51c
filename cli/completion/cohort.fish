# fish completion for cohort 0.1.0
# Printed by: cohort completion fish

function __cohort_is_first
    test (count (commandline -opc)) -eq 1
end

# Whether the command is this one.
function __cohort_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end

# Whether it is, and has no word of its own yet.
function __cohort_wants_word
    __cohort_is $argv[1]; and test (count (string match -v -- '-*' (commandline -opc))) -eq 2
end

# Of the word at the cursor, without an option's name: what stands before the last of these
# characters, and that.
function __cohort_before
    commandline -ct | string replace -r -- '^--[^=]*=' '' |
        string replace -r -- '[^'$argv[1]']*$' ''
end

# The ids of the devices, and the plugins that bring them.
function __cohort_devices
    set -l before (__cohort_before ,)
    set -l cohort (commandline -opc)[1]
    set cohort (string replace -r -- '^~' $HOME $cohort)
    for id in ($cohort devices 2>/dev/null | sed -n '/^not used/q;s/^  \([a-z0-9_-]*\)\(:[0-9.]*\) .*/\1\2 \1/p' | tr ' ' '\n' | sort -u)
        echo $before$id
    end
end

# Behind the last = , or @ of the word.
function __cohort_files
    set -l before (__cohort_before '=,@')
    set -l word (commandline -ct | string replace -r -- '^--[^=]*=' '')
    for file in (complete -C": $(string sub -s (math (string length -- "$before") + 1) -- "$word")")
        echo $before$file
    end
end

complete -c cohort -f
complete -c cohort -n __cohort_is_first -l help -s h
complete -c cohort -n __cohort_is_first -l version
complete -c cohort -n __cohort_is_first -a help -d 'the help of a command'
complete -c cohort -n __cohort_is_first -a bench -d 'what Cohort costs here, beside the machine'\''s own limit'
complete -c cohort -n '__cohort_wants_word help' -a bench
complete -c cohort -n '__cohort_is bench' -l devices -r -f -a '(__cohort_devices)'
complete -c cohort -n '__cohort_is bench' -l from -r -f
complete -c cohort -n '__cohort_is bench' -l to -r -f
complete -c cohort -n '__cohort_is bench' -l seconds -r -f
complete -c cohort -n '__cohort_is bench' -l json
complete -c cohort -n '__cohort_is bench' -l svg -r -F
complete -c cohort -n '__cohort_is bench' -s h -l help
complete -c cohort -n '__cohort_wants_word bench' -f -a 'launch copy reduce gemm'
complete -c cohort -n __cohort_is_first -a check -d 'test the installation on every device'
complete -c cohort -n '__cohort_wants_word help' -a check
complete -c cohort -n '__cohort_is check' -l devices -r -f -a '(__cohort_devices)'
complete -c cohort -n '__cohort_is check' -l json
complete -c cohort -n '__cohort_is check' -s h -l help
complete -c cohort -n __cohort_is_first -a checkpoint -d 'what is in checkpoints, and whether it is whole'
complete -c cohort -n '__cohort_wants_word help' -a checkpoint
complete -c cohort -n '__cohort_is checkpoint' -l keep -r -f
complete -c cohort -n '__cohort_is checkpoint' -l best -r -f -a 'greatest least'
complete -c cohort -n '__cohort_is checkpoint' -l json
complete -c cohort -n '__cohort_is checkpoint' -s h -l help
complete -c cohort -n '__cohort_wants_word checkpoint' -f -a 'list verify show diff convert prune'
complete -c cohort -n __cohort_is_first -a cluster -d 'the cluster of TF_CONFIG, Slurm, Kubernetes, SageMaker or MPI'
complete -c cohort -n '__cohort_wants_word help' -a cluster
complete -c cohort -n '__cohort_is cluster' -l json
complete -c cohort -n '__cohort_is cluster' -s h -l help
complete -c cohort -n __cohort_is_first -a completion -d 'scripts that make bash, zsh and fish complete words'
complete -c cohort -n '__cohort_wants_word help' -a completion
complete -c cohort -n '__cohort_is completion' -s h -l help
complete -c cohort -n '__cohort_wants_word completion' -f -a 'bash zsh fish'
complete -c cohort -n __cohort_is_first -a data -d 'what is in files of data, and whether all can be read'
complete -c cohort -n '__cohort_wants_word help' -a data
complete -c cohort -n '__cohort_is data' -l check
complete -c cohort -n '__cohort_is data' -l head -r -f
complete -c cohort -n '__cohort_is data' -l format -r -f -a 'npy npz idx tfrecord csv safetensors'
complete -c cohort -n '__cohort_is data' -l json
complete -c cohort -n '__cohort_is data' -l columns -r -f
complete -c cohort -n '__cohort_is data' -l header -r -f -a 'yes no'
complete -c cohort -n '__cohort_is data' -l separator -r -f -a 'comma semicolon tab space'
complete -c cohort -n '__cohort_is data' -l missing -r -f
complete -c cohort -n '__cohort_is data' -s h -l help
complete -c cohort -n '__cohort_is data' -F
complete -c cohort -n __cohort_is_first -a demo -d 'train on digits or your own data over the devices, compare with one'
complete -c cohort -n '__cohort_wants_word help' -a demo
complete -c cohort -n '__cohort_is demo' -l strategy -r -f -a 'mirrored central one-device round-robin sharded multi-worker-mirrored'
complete -c cohort -n '__cohort_is demo' -l data -r -f -a '(__cohort_files)'
complete -c cohort -n '__cohort_is demo' -l label -r -f
complete -c cohort -n '__cohort_is demo' -l columns -r -f
complete -c cohort -n '__cohort_is demo' -l header -r -f -a 'yes no'
complete -c cohort -n '__cohort_is demo' -l separator -r -f -a 'comma semicolon tab space'
complete -c cohort -n '__cohort_is demo' -l missing -r -f
complete -c cohort -n '__cohort_is demo' -l scale -r -f -a 'none columns max'
complete -c cohort -n '__cohort_is demo' -l devices -r -f -a '(__cohort_devices)'
complete -c cohort -n '__cohort_is demo' -l replicas -r -f
complete -c cohort -n '__cohort_is demo' -l hosting -r -f
complete -c cohort -n '__cohort_is demo' -l balance
complete -c cohort -n '__cohort_is demo' -l guard -r -f -a 'propagate error skip'
complete -c cohort -n '__cohort_is demo' -l epochs -r -f
complete -c cohort -n '__cohort_is demo' -l batch -r -f
complete -c cohort -n '__cohort_is demo' -l steps-per-run -r -f
complete -c cohort -n '__cohort_is demo' -l seed -r -f
complete -c cohort -n '__cohort_is demo' -l output-dir -r -f -a '(__fish_complete_directories (commandline -ct))'
complete -c cohort -n '__cohort_is demo' -l log -r -F
complete -c cohort -n '__cohort_is demo' -l log-format -r -f -a 'csv jsonl tensorboard'
complete -c cohort -n '__cohort_is demo' -l log-steps -r -f
complete -c cohort -n '__cohort_is demo' -l checkpoint -r -f -a '(__fish_complete_directories (commandline -ct))'
complete -c cohort -n '__cohort_is demo' -l every -r -f
complete -c cohort -n '__cohort_is demo' -l stats
complete -c cohort -n '__cohort_is demo' -l json
complete -c cohort -n '__cohort_is demo' -s h -l help
complete -c cohort -n __cohort_is_first -a devices -d 'devices, and why others are not used'
complete -c cohort -n '__cohort_wants_word help' -a devices
complete -c cohort -n '__cohort_is devices' -l json
complete -c cohort -n '__cohort_is devices' -l svg -r -F
complete -c cohort -n '__cohort_is devices' -l plugin -r -F
complete -c cohort -n '__cohort_is devices' -s h -l help
complete -c cohort -n __cohort_is_first -a doctor -d 'what is wrong with the installation, and how to put it right'
complete -c cohort -n '__cohort_wants_word help' -a doctor
complete -c cohort -n '__cohort_is doctor' -l json
complete -c cohort -n '__cohort_is doctor' -s h -l help
complete -c cohort -n __cohort_is_first -a embed -d 'OpenCL C source as a C array, for builds'
complete -c cohort -n '__cohort_wants_word help' -a embed
complete -c cohort -n '__cohort_is embed' -l name -r -f
complete -c cohort -n '__cohort_is embed' -l line-name -r -f
complete -c cohort -n '__cohort_is embed' -s o -l output -r -F
complete -c cohort -n '__cohort_is embed' -s h -l help
complete -c cohort -n '__cohort_is embed' -F
complete -c cohort -n __cohort_is_first -a env -d 'environment variables that Cohort reads'
complete -c cohort -n '__cohort_wants_word help' -a env
complete -c cohort -n '__cohort_is env' -l json
complete -c cohort -n '__cohort_is env' -s h -l help
complete -c cohort -n '__cohort_wants_word env' -f -a 'COHORT_DEVICES COHORT_PLUGINS COHORT_PLUGIN_PATH COHORT_TIMEOUT_LAUNCH COHORT_TIMEOUT_EVENT COHORT_TIMEOUT_COPY COHORT_TIMEOUT_ALLOC COHORT_TIMEOUT_OPEN COHORT_TIMEOUT_BUILD COHORT_TIMEOUT_COLLECTIVE COHORT_TIMEOUT_WORKER COHORT_MACHINE COHORT_SPIN COHORT_REPEAT COHORT_CHECK COHORT_CHECK_SEED COHORT_BLAS COHORT_CLBLAST COHORT_CACHE COHORT_LOG COHORT_LOG_FORMAT COHORT_STATS COHORT_TOP COHORT_TRACE COHORT_DATA_PATH COHORT_JOBS TF_CONFIG SLURM_PROCID SLURM_STEP_NUM_TASKS SLURM_STEP_NODELIST SLURM_STEP_TASKS_PER_NODE SLURM_DISTRIBUTION SLURM_DIST_PLANESIZE SLURM_NODEID SLURM_LOCALID SLURMD_NODENAME COHORT_KUBERNETES_TASKS COHORT_KUBERNETES_SERVICE COHORT_KUBERNETES_NAMESPACE JOB_COMPLETION_INDEX HOSTNAME SM_HOSTS SM_CURRENT_HOST OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_LOCAL_SIZE PMI_SIZE PMI_RANK MPI_LOCALNRANKS PMIX_RANK PMIX_NAMESPACE WORLD_SIZE'
complete -c cohort -n __cohort_is_first -a explain -d 'what a status means, and what to do'
complete -c cohort -n '__cohort_wants_word help' -a explain
complete -c cohort -n '__cohort_is explain' -l json
complete -c cohort -n '__cohort_is explain' -s h -l help
complete -c cohort -n '__cohort_wants_word explain' -f -a 'OK EINVAL ENOMEM ENODEV ENOENT ENOTSUP ELOST ETIMEDOUT EINCOMPATIBLE EBUILD EINTERNAL EAGAIN END'
complete -c cohort -n __cohort_is_first -a launch -d 'start a program on several workers, by mpirun'
complete -c cohort -n '__cohort_wants_word help' -a launch
complete -c cohort -n '__cohort_is launch' -s n -r -f
complete -c cohort -n '__cohort_is launch' -l tf-config -r -F
complete -c cohort -n '__cohort_is launch' -l jobs -r -f
complete -c cohort -n '__cohort_is launch' -l hostfile -r -F
complete -c cohort -n '__cohort_is launch' -l mpi -r -f -a 'openmpi mpich'
complete -c cohort -n '__cohort_is launch' -l env -r -f
complete -c cohort -n '__cohort_is launch' -l bind-to -r -f -a 'none hwthread core socket numa'
complete -c cohort -n '__cohort_is launch' -l log-dir -r -f -a '(__fish_complete_directories (commandline -ct))'
complete -c cohort -n '__cohort_is launch' -l restart -r -f
complete -c cohort -n '__cohort_is launch' -l start-timeout -r -f
complete -c cohort -n '__cohort_is launch' -l grace -r -f
complete -c cohort -n '__cohort_is launch' -l top -r -f
complete -c cohort -n '__cohort_is launch' -l label
complete -c cohort -n '__cohort_is launch' -l no-label
complete -c cohort -n '__cohort_is launch' -l dry-run
complete -c cohort -n '__cohort_is launch' -s h -l help
complete -c cohort -n '__cohort_is launch' -f -a '(__fish_complete_subcommand --fcs-skip=2 -n --tf-config --jobs --hostfile --mpi --env --bind-to --log-dir --restart --start-timeout --grace --top)'
complete -c cohort -n __cohort_is_first -a new -d 'a project of your own that builds at once'
complete -c cohort -n '__cohort_wants_word help' -a new
complete -c cohort -n '__cohort_is new' -l dir -r -f -a '(__fish_complete_directories (commandline -ct))'
complete -c cohort -n '__cohort_is new' -s h -l help
complete -c cohort -n __cohort_is_first -a plugin -d 'plugin files: what there is, a new one, a check'
complete -c cohort -n '__cohort_wants_word help' -a plugin
complete -c cohort -n '__cohort_is plugin' -l rule -r -f
complete -c cohort -n '__cohort_is plugin' -l timeout -r -f
complete -c cohort -n '__cohort_is plugin' -l json
complete -c cohort -n '__cohort_is plugin' -l dir -r -f -a '(__fish_complete_directories (commandline -ct))'
complete -c cohort -n '__cohort_is plugin' -l kernels -r -f -a '(__fish_complete_directories (commandline -ct))'
complete -c cohort -n '__cohort_is plugin' -s h -l help
complete -c cohort -n '__cohort_is plugin' -F
complete -c cohort -n __cohort_is_first -a report -d 'why a run is slow, from its trace'
complete -c cohort -n '__cohort_wants_word help' -a report
complete -c cohort -n '__cohort_is report' -l html -r -F
complete -c cohort -n '__cohort_is report' -l json
complete -c cohort -n '__cohort_is report' -s h -l help
complete -c cohort -n '__cohort_is report' -F
complete -c cohort -n __cohort_is_first -a run -d 'any function on data from the shell'
complete -c cohort -n '__cohort_wants_word help' -a run
complete -c cohort -n '__cohort_is run' -l opencl -r -F
complete -c cohort -n '__cohort_is run' -l global -r -f
complete -c cohort -n '__cohort_is run' -l local -r -f
complete -c cohort -n '__cohort_is run' -l offset -r -f
complete -c cohort -n '__cohort_is run' -l build-options -r -f
complete -c cohort -n '__cohort_is run' -l library -r -F
complete -c cohort -n '__cohort_is run' -l symbol -r -f
complete -c cohort -n '__cohort_is run' -l source -r -F
complete -c cohort -n '__cohort_is run' -l cflags -r -f
complete -c cohort -n '__cohort_is run' -l type -r -f
complete -c cohort -n '__cohort_is run' -l devices -r -f -a '(__cohort_devices)'
complete -c cohort -n '__cohort_is run' -l replicas -r -f
complete -c cohort -n '__cohort_is run' -l split -r -f
complete -c cohort -n '__cohort_is run' -l reduce -r -f
complete -c cohort -n '__cohort_is run' -l output -r -f -a '(__cohort_files)'
complete -c cohort -n '__cohort_is run' -l repeat -r -f
complete -c cohort -n '__cohort_is run' -l time
complete -c cohort -n '__cohort_is run' -l timeout -r -f
complete -c cohort -n '__cohort_is run' -l all
complete -c cohort -n '__cohort_is run' -l convert
complete -c cohort -n '__cohort_is run' -l json
complete -c cohort -n '__cohort_is run' -s h -l help
complete -c cohort -n '__cohort_is run' -f -a '(__cohort_files)'
complete -c cohort -n __cohort_is_first -a top -d 'what running processes do, as they do it'
complete -c cohort -n '__cohort_wants_word help' -a top
complete -c cohort -n '__cohort_is top' -l once
complete -c cohort -n '__cohort_is top' -l json
complete -c cohort -n '__cohort_is top' -l interval -r -f
complete -c cohort -n '__cohort_is top' -l pid -r -f
complete -c cohort -n '__cohort_is top' -s h -l help
complete -c cohort -n __cohort_is_first -a version -d 'version, plugin ABI, how it was configured'
complete -c cohort -n '__cohort_wants_word help' -a version
complete -c cohort -n '__cohort_is version' -l json
complete -c cohort -n '__cohort_is version' -s h -l help
