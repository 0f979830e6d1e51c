#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What mpirun calls in place of ssh (tests/cluster_network.t): the host with the address 10.77.1.1N is the network namespace
# worker-N, with a folder for temporary files of its own.
#
# usage: network_agent.sh [-OPTION...] HOST COMMAND...
while [ "${1#-}" != "$1" ]; do
    shift
done
worker=worker-${1##*.1}
shift
mkdir -p "/run/$worker"
TMPDIR=/run/$worker exec ip netns exec "$worker" sh -c "$*"
