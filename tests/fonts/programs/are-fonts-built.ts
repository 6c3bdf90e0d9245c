import { areFontsBuilt } from "#lib/fonts/build.ts";

// The fonts of the folder in which this runs.
console.log(areFontsBuilt());
