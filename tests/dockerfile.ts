import { readFileSync } from "node:fs";

const text = readFileSync("Dockerfile", "utf8");

/** The variables that the image sets. */
export const IMAGE_ENVIRONMENT: Record<string, string> = Object.fromEntries(
  [...text.matchAll(/^(?:ENV| ) ([A-Z_]+)=(\S+)/gm)].map(([, name = "", value = ""]) => [name, value]),
);

/** The command of the image. */
export const IMAGE_COMMAND = JSON.parse(/^CMD (\[.*\])$/m.exec(text)?.[1] ?? "[]") as string[];
