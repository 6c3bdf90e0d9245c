import { parseArgs } from "node:util";
import { buildFonts } from "#lib/fonts/build.ts";
import { currentFonts } from "#lib/fonts/font-set.ts";
import { HelpRequest, runCommand } from "./run-command.ts";

const USAGE = `Copies the fonts that the templates use to where the service reads them. The build does so too.

  npm run fonts`;

await runCommand(async () => {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help) throw new HelpRequest(USAGE);
  const { files, built } = buildFonts();
  console.log(`${built ? "Copied" : "Already current:"} ${files} font files in ${currentFonts().folder}`);
});
