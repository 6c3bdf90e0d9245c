import { renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { type ComposedDocument, composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import type { Template } from "#lib/templates/template.ts";
import { prepareRendering } from "../prepare.ts";
import { median } from "./load.ts";

/** Renders before the measurement, which fill caches and compile code. */
const WARM_UP_RENDERS = 3;

const READ_LIMIT_MS = 60_000;

/** From the opening of Oku no Hosomichi (1702). */
const JAPANESE =
  "月日は百代の過客にして、行かふ年も又旅人也。舟の上に生涯をうかべ、馬の口とらえて老をむかふる物は、日々旅にして旅を栖とす。古人も多く旅に死せるあり。予もいづれの年よりか、片雲の風にさそはれて、漂泊の思ひやまず、海浜にさすらへ、去年の秋、江上の破屋に蜘の古巣をはらひて、やゝ年も暮、春立る霞の空に、白川の関こえんと、そぞろ神の物につきて心をくるはせ、道祖神のまねきにあひて、取もの手につかず。もゝ引の破をつづり、笠の緒付かえて";

const JAPANESE_CHARACTERS = 200;

type Card = { name: string; template: Template; variant: string; data: Record<string, unknown> };

/** `isFirst`: nothing was fitted in that page before, as after a picture of another size. */
type Sample = { fitMs: number; allMs: number; isFirst: boolean };

/** Renders of a card in a row. A page keeps compiled code for the next document of the same size. */
const RENDERS_IN_A_ROW = 6;

function cardsOf(templates: Template[]): Card[] {
  const cards = templates.map((template) => ({
    name: template.slug,
    template,
    variant: template.defaultVariant,
    data: {},
  }));
  const quote = JAPANESE.slice(0, JAPANESE_CHARACTERS);
  const japanese = templates
    .filter(({ slug }) => slug === "social/quote")
    .flatMap((template) =>
      ["book", "vertical"].map((variant) => ({
        name: `${template.slug}, ${variant}, ${JAPANESE_CHARACTERS} Japanese characters`,
        template,
        variant,
        data: { quote },
      })),
    );
  return [...cards, ...japanese];
}

/** The document of a card, which reports the time that its texts took instead of its measurements. */
async function documentOf({ template, variant, data }: Card) {
  const base = template.variants[variant]?.values ?? {};
  const signal = AbortSignal.timeout(READ_LIMIT_MS);
  const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data", signal });
  const { recolor: _, ...document }: ComposedDocument = composeDocument(template, values);
  const measure = `(() => {
    const isFirst = !(Symbol.for("platen.fitting") in window);
    const start = performance.now();
    ${document.measure};
    const allMs = performance.now() - start;
    return { fitMs: performance.getEntriesByName("fit").at(-1).duration, allMs, isFirst };
  })()`;
  return { ...document, measure };
}

/** Prints what fitting the texts of each card takes inside the page. */
export async function benchFitting(runs: number): Promise<void> {
  const { templates } = await prepareRendering();
  try {
    await warmUp();
    const cards = await Promise.all(
      cardsOf(templates).map(async (card) => ({ ...card, document: await documentOf(card), samples: [] as Sample[] })),
    );
    // Every card once per round, so that a slow minute of the machine affects all of them.
    for (let run = -WARM_UP_RENDERS; run < runs; run++)
      for (const { document, samples } of cards)
        for (let time = 0; time < RENDERS_IN_A_ROW; time++) {
          const { measured } = await renderPicture(document);
          if (run >= 0) samples.push(measured as Sample);
        }
    console.log("Inside the page, after its first layout. `all` adds companions of fonts, contrast and images.");
    const round = (ms: number) => (Number.isFinite(ms) ? Number(ms.toFixed(1)) : "none");
    console.table(
      cards.map(({ name, samples }) => {
        const [first, next] = [true, false].map((isFirst) => samples.filter((sample) => sample.isFirst === isFirst));
        const of = (some: Sample[] = [], key: "fitMs" | "allMs") => some.map((sample) => sample[key]);
        return {
          card: name,
          "fit ms": round(median(of(next, "fitMs"))),
          "fastest fit ms": round(Math.min(...of(next, "fitMs"))),
          "fit ms, first in its page": round(median(of(first, "fitMs"))),
          "all ms": round(median(of(next, "allMs"))),
          "fastest all ms": round(Math.min(...of(next, "allMs"))),
        };
      }),
    );
  } finally {
    await shutDown();
  }
}
