import { buildFonts, FONTS_DIR } from "#lib/fonts/build.ts";

const { files, built } = buildFonts();
console.log(`${built ? "Gathered" : "Already current:"} ${files} font files in ${FONTS_DIR}`);
