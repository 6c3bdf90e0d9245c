import { buildFonts } from "#lib/fonts/build.ts";
import { currentFonts } from "#lib/fonts/current.ts";

const { files, built } = buildFonts();
console.log(`${built ? "Gathered" : "Already current:"} ${files} font files in ${currentFonts().folder}`);
