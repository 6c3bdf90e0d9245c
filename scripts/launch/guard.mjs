// Refuses a Node that is too old. Any Node since 14 runs this file.
const WANTED_MAJOR = 24;

if (Number(process.versions.node.split(".")[0]) < WANTED_MAJOR) {
  process.stderr.write(`Platen needs Node ${WANTED_MAJOR} or newer, and got ${process.versions.node} (${process.execPath}).
On Linux x64 and arm64 (glibc) and on Windows x64, \`npm ci\` brings it along as an optional dependency:
run \`npm ci\` without --omit=optional, then start through npm.
Elsewhere, such as on a Mac or with musl, install Node ${WANTED_MAJOR}.
`);
  process.exit(1);
}
