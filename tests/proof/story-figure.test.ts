import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "#lib/proof/fault.ts";
import { COLORS, IMAGES } from "#lib/proof/grid/images.ts";
import { judge } from "#lib/proof/judge.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

const PLACES = ["outside-canvas", "outside-box", "overlap", "clipped"];

async function faultsOf(variant: string, data: Record<string, string>): Promise<Fault[]> {
  return (await judge({ template: "social/story", variant, content: "figure", data }, {})).verdict.faults;
}

describe("the figure of a story stands between the top of the picture and the ground, with all its marks", () => {
  it.each([
    ["craft", "Q"],
    ["craft", "NOVA"],
    ["craft", "Ночь"],
    ["craft", "٢٨"],
    ["swim", "चाँद"],
    ["swim", "Z̵̧a̶l̴g"],
    ["swim", "Ậm ừ"],
    ["swim", "ភ្នំពេញ"],
    ["fireworks", "ว่ายน้ำ"],
    ["fireworks", "চাঁদ"],
    ["fireworks", "Żółć"],
  ])("%s: %s", async (variant, figure) => {
    const faults = await faultsOf(variant, { figure, organiser: "Ą̊̂ḩ" });
    expect(faults.filter(({ kind }) => PLACES.includes(kind))).toEqual([]);
  });
});

describe("the figure of a story can be read with any picture on any paper", () => {
  const VARIANTS = ["swim", "fireworks", "craft"];

  it.each(COLORS.map((color, index) => ({ ...color, variant: VARIANTS[index % VARIANTS.length] ?? "" })))(
    "on $name paper: $variant",
    async ({ value: paper, variant }) => {
      expect(await faultsOf(variant, { paper })).toEqual([]);
    },
  );

  it.each([
    ["white", "swim"],
    ["transparent", "fireworks"],
    ["1x1", "swim"],
    ["10:1", "fireworks"],
  ])("with the picture %s: %s", async (name, variant) => {
    const image = (await IMAGES.find((known) => known.name === name)?.make()) ?? "";
    expect(await faultsOf(variant, { image })).toEqual([]);
  });
});
