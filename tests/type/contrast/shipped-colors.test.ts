import { describe, expect, test } from "vitest";
import { renderTemplate } from "#lib/render/render-template.ts";
import { useRendering } from "#tests/render/rendering.ts";

const rig = useRendering();

/** Colours for the two colour fields of every shipped template: its paper, and what is printed on it. */
const EDITS: [paper: string | undefined, accent: string | undefined][] = [
  [undefined, "#06507f20"],
  ["#06507f20", undefined],
  ["#808080", "#7a7a7a"],
  ["#000000", undefined],
  ["#ffee00", "#ffee00"],
];

describe("in every shipped template", () => {
  test.each(EDITS)("paper %s and accent %s leave every text readable", async (paper, accent) => {
    const turn = EDITS.findIndex((edit) => edit[0] === paper && edit[1] === accent);
    for (const [at, { slug, fields, variants }] of rig.templates().entries()) {
      const [first, second] = Object.keys(fields).filter((name) => fields[name]?.type === "color");
      const data = { ...(paper && first && { [first]: paper }), ...(accent && second && { [second]: accent }) };
      if (Object.keys(data).length === 0) continue;
      // Each variant has one pair: those of a template share a style sheet. `npm run templates -- proof` draws the others.
      for (const variant of Object.keys(variants).filter(
        (_, index) => index % EDITS.length === (turn + at) % EDITS.length,
      )) {
        const { warnings } = await renderTemplate({ template: slug, variant, data });
        // The figure of a story shows the picture that the request chooses, on the paper that it chooses.
        const texts = warnings.filter(({ path }) => !(slug === "social/story" && path === "/data/figure"));
        expect(texts, `${slug} ${variant}`).toEqual([]);
      }
    }
  });
});
