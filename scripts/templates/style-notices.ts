import { relative, sep } from "node:path";
import { templateFolders } from "#lib/config.ts";
import { SHIPPED } from "#lib/environment/kinds.ts";
import { ignoredStyles } from "#lib/notices/ignored-styles.ts";
import { markupNotices } from "#lib/notices/markup-notices.ts";
import type { Notice, SourceText } from "#lib/notices/notice.ts";
import { stillStyles } from "#lib/notices/still-styles.ts";
import { svgNotices } from "#lib/notices/svg-notices.ts";
import { drawingsBelow, sourcesOf, stylesBelow } from "#lib/notices/template-sources.ts";
import { unusedStyles } from "#lib/notices/unused-styles.ts";
import { foldersWithTemplate, SHIPPED_TEMPLATES_DIR } from "#lib/templates/build-registry.ts";

/** The texts of all templates that are checked, faulty and hidden ones included, and of shared files that none uses. */
export class TemplateFiles {
  readonly #templates: { slug: string; sources: SourceText[] }[];
  /** All style sheets and markup, each once. */
  readonly styles: SourceText[];
  /** All SVG files, each once. */
  readonly drawings: SourceText[];

  constructor(roots: string[]) {
    const slugOf = (folder: string, root: string) => relative(root, folder).split(sep).join("/");
    this.#templates = roots.flatMap((root) =>
      foldersWithTemplate(root).map((folder) => ({
        slug: slugOf(folder, root),
        sources: sourcesOf({ folder, root }),
      })),
    );
    this.styles = roots.flatMap((root) => stylesBelow(root, root));
    this.drawings = roots.flatMap((root) => drawingsBelow(root, root));
  }

  /** The files of each template with the shared ones that it names. */
  get byTemplate(): SourceText[][] {
    return this.#templates.map(({ sources }) => sources);
  }

  /** The files of a served template, which is the first of its name. */
  sourcesOf(slug: string): SourceText[] {
    return this.#templates.find((template) => template.slug === slug)?.sources ?? [];
  }
}

/** Reads the files of the folders that are checked. */
export function readTemplateFiles(): TemplateFiles {
  return new TemplateFiles(templateFolders().map((folder) => (folder === SHIPPED ? SHIPPED_TEMPLATES_DIR : folder)));
}

/** What has no effect in the style sheets, the markup and the SVG files of all templates. @throws AppError as a render does */
export async function styleNotices(files: TemplateFiles): Promise<Notice[]> {
  return [
    ...(await ignoredStyles(files.styles)),
    ...files.byTemplate.flatMap((sources) => [
      ...unusedStyles(sources),
      ...stillStyles(sources),
      ...markupNotices(sources),
    ]),
    ...svgNotices(files.drawings),
  ];
}
