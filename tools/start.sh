#!/bin/sh
# `npm start`: the bootstrap installs what is missing and prints a command, and this shell replaces itself
# with it. A launcher that waits for the product would take 8 MB.
command=$(node "$(dirname "$0")/bootstrap.mjs" --print start "$@") || exit
cd "$(dirname "$0")/.." && eval "exec $command"
