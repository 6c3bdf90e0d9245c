import { buildFonts, currentFonts } from "#lib/fonts/build.ts";

const { files, built } = buildFonts();
console.log(`${built ? "Gathered" : "Already current:"} ${files} font files in ${currentFonts().folder}`);
