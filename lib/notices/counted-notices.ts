import { processState } from "#lib/process-state.ts";
import { findHome, type TemplateHome } from "#lib/templates/folders/template-home.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { ignoredStyles } from "./ignored-styles.ts";
import { type Notice, withoutRepeated } from "./notice.ts";
import { CALLER, drawnSoFar, keyOf, plainNotices } from "./template-notices.ts";
import { type TemplateTexts, textsOf } from "./template-sources.ts";

/** How many notices a template has. */
export type NoticeCount = {
  slug: string;
  count: number;
  /** Whether its variants were drawn for it. Otherwise the count is of what the files alone tell. */
  isDrawn: boolean;
};

type Read = { slug: string; home: TemplateHome; texts: TemplateTexts; key: string };

type Kept = { key: string; notices: Notice[] };

const kept = processState("undrawn-notices", () => new Map<string, Kept>());

function read(template: Template): Read[] {
  const { slug } = template;
  const home = findHome(slug);
  if (!home) return [];
  const texts = textsOf(home);
  return [{ slug, home, texts, key: keyOf(texts, template) }];
}

/** Judges the files of templates that have changed. One small page judges the styles of a whole folder. */
async function judgeFiles(changed: Read[]): Promise<void> {
  for (const all of Map.groupBy(changed, ({ home }) => home.root).values()) {
    const sources = new Map(all.flatMap(({ texts }) => texts.sources).map((source) => [source.file, source]));
    const ignored = await ignoredStyles([...sources.values()], { caller: CALLER });
    for (const { slug, texts, key } of all) {
      const own = ignored.filter(({ file }) => texts.sources.some((source) => source.file === file));
      kept.get().set(slug, { key, notices: withoutRepeated([...own, ...plainNotices(texts)]) });
    }
  }
}

/**
 * Counts the notices of all templates without drawing one: those that their files alone tell, or, where the variants were drawn
 * since the last change of a file, all of them.
 * @throws AppError as a render does
 */
export async function countNotices(): Promise<NoticeCount[]> {
  const { templates } = await getRegistry();
  const all = templates.flatMap(read);
  await judgeFiles(
    all.filter(({ slug, key }) => drawnSoFar(slug, key) === undefined && kept.get().get(slug)?.key !== key),
  );
  return all.map(({ slug, key }) => {
    const drawn = drawnSoFar(slug, key);
    const notices = drawn ?? kept.get().get(slug)?.notices ?? [];
    return { slug, count: notices.length, isDrawn: drawn !== undefined };
  });
}
