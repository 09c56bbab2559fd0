#!/bin/sh
# `npm start`: the bootstrap installs what is missing and prints the command, and this shell becomes it. The
# product is then npm's own child: a bootstrap that waits beside it would take 8 MB.
command=$(node "$(dirname "$0")/bootstrap.mjs" --print start "$@") || exit
cd "$(dirname "$0")/.." && eval "exec $command"
