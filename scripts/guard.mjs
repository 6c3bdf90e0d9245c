// Loaded with `--import` before everything else, by any version of Node. It must run on 18.18, the first version with `--import`.
const wanted = [22, 18];
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
  process.stderr.write(`Platen needs Node ${wanted.join(".")} or newer, and got ${process.versions.node} (${process.execPath}).
On Linux x64 and arm64 (glibc), \`npm ci\` brings Node 24 along as an optional dependency:
run \`npm ci\` without --omit=optional, then start through npm.
Elsewhere, install Node 24.
`);
  process.exit(1);
}
