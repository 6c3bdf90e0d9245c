import { buildFonts } from "#lib/fonts/build.ts";
import { currentFonts } from "#lib/fonts/font-set.ts";

const { files, built } = buildFonts();
console.log(`${built ? "Copied" : "Already current:"} ${files} font files in ${currentFonts().folder}`);
