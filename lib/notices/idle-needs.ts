/** What a property needs to have an effect. The words complete a message. */
export const NEEDS = {
  container: 'want "display: flex" or "display: grid" on the same element.',
  gaps: 'want "display: flex" or "display: grid" on the same element.',
  flex: 'want "display: flex" on the same element.',
  grid: 'want "display: grid" on the same element.',
  flexItem: 'want "display: flex" on the element around it.',
  gridItem: 'want "display: grid" on the element around it.',
  item: 'want "display: flex" or "display: grid" on the element around it.',
  box: 'it is inline, want "display: inline-block" or "display: block" on it.',
  placed: 'want "position: relative" or "position: absolute" on it.',
  stacked: 'want "position: relative" on it.',
  image: "want it on an <img>.",
  table: 'want "display: table" on the same element.',
  aligned: "only inline elements and cells of tables have it. Align the items of the element around it instead.",
  clipped: 'want "overflow: hidden" on the same element.',
} as const;

export type Need = keyof typeof NEEDS;

/** Properties by what they need. Sources: the property tables ("Applies to") of the modules of CSS. */
const PROPERTIES: Record<Need, string> = {
  container: "align-items justify-content place-items row-gap",
  gaps: "gap column-gap",
  flex: "flex-direction flex-wrap flex-flow",
  grid: "grid-template grid-template-columns grid-template-rows grid-template-areas grid-auto-flow grid-auto-columns grid-auto-rows justify-items",
  flexItem: "flex flex-grow flex-shrink flex-basis",
  gridItem: "grid-area grid-column grid-column-start grid-column-end grid-row grid-row-start grid-row-end",
  item: "order align-self",
  box: "width height min-width min-height max-width max-height inline-size block-size aspect-ratio overflow transform rotate scale translate",
  placed:
    "top right bottom left inset inset-block inset-inline inset-block-start inset-block-end inset-inline-start inset-inline-end",
  stacked: "z-index",
  image: "object-fit object-position",
  table: "table-layout",
  aligned: "vertical-align",
  clipped: "text-overflow",
};

/** The need of each property that is judged. */
export const NEED_OF: Record<string, Need> = Object.fromEntries(
  (Object.keys(PROPERTIES) as Need[]).flatMap((need) => PROPERTIES[need].split(" ").map((name) => [name, need])),
);
