// Loaded before everything else, by whatever Node there is: nothing newer than Node 12 in here.
var wanted = [22, 18];
var got = process.versions.node.split(".").map(Number);

if (got[0] < wanted[0] || (got[0] === wanted[0] && got[1] < wanted[1])) {
  process.stderr.write(
    [
      "Platen needs Node " +
        wanted.join(".") +
        " or newer, and got " +
        process.versions.node +
        " (" +
        process.execPath +
        ").",
      "On Linux x64 and arm64 (glibc), `npm ci` brings Node 24 along as an optional dependency:",
      "run `npm ci` without --omit=optional, then start through npm.",
      "Elsewhere, install Node 24.",
      "",
    ].join("\n"),
  );
  process.exit(1);
}
