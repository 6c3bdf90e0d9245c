import type { FaultyTemplate } from "#lib/templates/faults/faulty-templates.ts";
import { withKeys } from "../ui/content/with-keys.ts";
import { PageLink } from "../ui/page/page-link.tsx";

/** The faults that a card of the gallery has room for. */
const SHOWN_FAULTS = 2;

/** Faults of a template: where, the line, and what to do. */
export function TemplateFaults({ faults }: Pick<FaultyTemplate, "faults">) {
  return (
    <ul className="grid gap-4">
      {withKeys(faults, ({ place, reason }) => `${place} ${reason}`).map(({ key, item: { place, reason, source } }) => (
        <li key={key} className="min-w-0 [overflow-wrap:anywhere]">
          <code className="font-mono text-[0.8125rem] text-danger">{place}</code>
          {source !== undefined && (
            <pre className="mt-1 overflow-x-auto rounded bg-code px-2.5 py-1.5 text-code-ink text-xs">
              <code>{source}</code>
            </pre>
          )}
          <p className="mt-1 text-sm">{reason}</p>
        </li>
      ))}
    </ul>
  );
}

function FaultyCard({ slug, faults }: FaultyTemplate) {
  const hidden = faults.length - SHOWN_FAULTS;
  return (
    <li className="relative min-w-0">
      <div className="min-h-40 rounded-lg border border-danger bg-surface p-4">
        <TemplateFaults faults={faults.slice(0, SHOWN_FAULTS)} />
        {hidden > 0 && (
          <p className="mt-3 text-sm text-soft">
            and {hidden} more {hidden === 1 ? "fault" : "faults"}
          </p>
        )}
      </div>
      <h3 className="mt-3 font-display font-semibold text-lg leading-snug">
        <PageLink href={`/templates/${slug}`} className="hover:underline [overflow-wrap:anywhere]">
          {slug}
        </PageLink>
      </h3>
      <p className="mt-0.5 text-[0.8125rem] text-soft">Not served until its files are corrected.</p>
    </li>
  );
}

/** The templates that have faults, with the faults where their pictures would be. Nothing where there are none. */
export function FaultyTemplates({ templates }: { templates: FaultyTemplate[] }) {
  if (templates.length === 0) return null;
  return (
    <section aria-labelledby="faulty-templates" className="mt-12">
      <h2 id="faulty-templates" className="font-display font-semibold text-2xl tracking-tight">
        {templates.length === 1 ? "A template with faults" : `${templates.length} templates with faults`}
      </h2>
      <ul className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,24rem),1fr))] gap-x-6 gap-y-10">
        {templates.map((template) => (
          <FaultyCard key={template.slug} {...template} />
        ))}
      </ul>
    </section>
  );
}
