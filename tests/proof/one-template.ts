import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Black text on a paper of any colour: it cannot be read on black. */
const FILES = {
  "template.json": JSON.stringify({
    title: "Card",
    description: "A title on paper.",
    width: 600,
    height: 300,
    defaultVariant: "plain",
    fields: {
      title: {
        type: "text",
        label: "Title",
        required: true,
        maxLength: 60,
        fit: { mode: "shrink", minSize: 20, maxLines: 4 },
      },
      paper: { type: "color", label: "Paper", default: "#ffffff" },
    },
  }),
  "content.json": JSON.stringify({ plain: { title: "A title on paper" } }),
  "template.html": `<main style="background: {{ paper }}"><h1 data-fit="title" dir="auto" lang="{{ title | lang }}">{{ title }}</h1></main>`,
  "style.css": `main { width: 600px; height: 300px; padding: 60px } h1 { width: 480px; height: 180px; font: 40px/1.3 "Noto Sans", sans-serif; color: #000 }`,
};

/** Writes the template `card` into a folder, or the same one under other names. @returns the folder */
export function templateFolder(folder: string, slugs = ["card"]): string {
  for (const slug of slugs) {
    mkdirSync(join(folder, slug), { recursive: true });
    for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, slug, name), content);
  }
  return folder;
}
