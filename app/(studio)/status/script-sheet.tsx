import type { StatusScript } from "#lib/schemas/status-report.ts";
import { ScrollRegion } from "../../ui/content/code-block.tsx";
import { Picture } from "../../ui/content/picture.tsx";

/** The size of the picture from the route, in CSS pixels. */
const SHEET = { width: 1600, columns: 4, rowHeight: 150 };

const THEMES = [
  { theme: "light", className: "only-light" },
  { theme: "dark", className: "only-dark" },
];

/** A sample of every script as rendered by the service, and as text. */
export function ScriptSheet({ scripts }: { scripts: StatusScript[] }) {
  const missing = scripts.filter(({ isCovered }) => !isCovered).map(({ name }) => name);
  const coverage =
    missing.length === 0 ? "No characters are missing." : `Characters are missing in: ${missing.join(", ")}.`;
  return (
    <section aria-labelledby="scripts" className="mt-14">
      <h2 id="scripts" className="font-display font-semibold text-xl">
        {scripts.length} scripts, as rendered
      </h2>
      <p className="mt-2 max-w-prose text-soft">Rendered by the service with its installed fonts. {coverage}</p>
      <ScrollRegion label="Rendered samples" className="mt-5 rounded-lg border border-line bg-surface">
        {THEMES.map(({ theme, className }) => (
          <Picture
            key={theme}
            className={`${className} h-auto w-full min-w-[52rem] print:min-w-0`}
            src={`/api/service/status/scripts?theme=${theme}`}
            width={SHEET.width}
            height={Math.ceil(scripts.length / SHEET.columns) * SHEET.rowHeight}
            unoptimized
            alt={`Samples of ${scripts.length} scripts. The text is below.`}
          />
        ))}
      </ScrollRegion>
      <details className="mt-4">
        <summary className="w-fit cursor-pointer rounded-sm text-soft text-sm hover:text-ink">Show as text</summary>
        <dl className="mt-3 grid gap-x-10 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
          {scripts.map(({ name, language, sample, isCovered }) => (
            <div key={name} className="min-w-0">
              <dt className="text-soft text-sm">
                {name}
                {!isCovered && <span className="text-danger"> · characters missing</span>}
              </dt>
              <dd lang={language} className="[overflow-wrap:anywhere]">
                {sample}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
