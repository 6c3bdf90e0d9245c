import { z } from "zod";
import { accessEnabled } from "#lib/config.ts";
import { configReport } from "#lib/config-report.ts";
import { TemplateDetail, TemplateSummary } from "#lib/schemas/template.ts";
import { faultyTemplates } from "#lib/templates/faults/faulty-templates.ts";
import { GET as getTemplate } from "./api/service/templates/[...slug]/route.ts";
import { GET as getTemplates } from "./api/service/templates/route.ts";
import { FaultyTemplates } from "./gallery/faulty-templates.tsx";
import { Gallery } from "./gallery/gallery.tsx";
import type { GalleryItem } from "./gallery/gallery-filter.ts";
import { Headline, Introduction } from "./gallery/introduction.tsx";
import { Invitation } from "./gallery/invitation.tsx";
import { EmptyState } from "./ui/feedback/empty-state.tsx";
import { Notice } from "./ui/feedback/notice.tsx";
import { LinkButton } from "./ui/form/button.tsx";
import { viewer } from "./ui/page/guards.ts";
import { publicRobots } from "./ui/page/indexing.ts";
import { PageLink } from "./ui/page/page-link.tsx";
import { page, pageMetadata } from "./ui/page/page-wrapper.tsx";
import { read } from "./ui/page/read.ts";
import { serviceOrigin } from "./ui/page/service-origin.ts";

/** The title is absolute, because the title template of the layout does not apply to its own page. */
export const generateMetadata = pageMetadata(async () => ({
  title: { absolute: "Templates · Platen" },
  robots: publicRobots(),
}));

/** A template without its fields, which are most of its size and which the gallery does not need. */
const ListedTemplate = TemplateSummary.omit({ fields: true });

/** The part of a template that is sent to the browser. */
function toGalleryItem({ variants, defaultVariant: _, ...shown }: z.output<typeof ListedTemplate>): GalleryItem {
  return { ...shown, variantCount: variants.length };
}

/** For an operator who believes that accounts are on. */
function OpenModeNotice() {
  const faults = configReport().open;
  if (faults.length === 0) return null;
  return (
    <div className="mb-8">
      <Notice tone="warn" title="Open mode: everyone who can reach this server may render.">
        {faults.map(({ variable, message }) => (
          <p key={variable} className="break-words">
            <code className="font-mono text-sm">{variable}</code>: {message}
          </p>
        ))}
      </Notice>
    </div>
  );
}

function NoTemplates() {
  return (
    <>
      <Headline />
      <div className="mt-12">
        <EmptyState
          title="No templates yet"
          action={<LinkButton href="/docs/templates">How to write a template</LinkButton>}
        >
          <p>
            A template is a folder of files in <code className="font-mono text-sm">templates/</code>, or in the folder
            that <code className="font-mono text-sm">SERVICE_TEMPLATES_DIR</code> names. Restart the service to load new
            templates.
          </p>
        </EmptyState>
      </div>
    </>
  );
}

/** The first wide template, because it looks best beside the command; otherwise the first one. */
function exampleOf<T extends { width: number; height: number }>(templates: T[]): T | undefined {
  return templates.find(({ width, height }) => width > height) ?? templates[0];
}

async function Home() {
  const user = await viewer();
  if (accessEnabled() && user === null) return <Invitation />;
  const templates = await read(getTemplates, { returns: z.array(ListedTemplate) });
  const faulty = await faultyTemplates();
  const example = exampleOf(templates);
  if (!example)
    return (
      <>
        <OpenModeNotice />
        {faulty.length > 0 ? <FaultyTemplates templates={faulty} /> : <NoTemplates />}
      </>
    );
  const params = { slug: example.slug.split("/") };
  const template = await read(getTemplate, { returns: TemplateDetail, params });
  return (
    <>
      <OpenModeNotice />
      <Introduction template={template} origin={serviceOrigin()} needsToken={accessEnabled()} />
      <FaultyTemplates templates={faulty} />
      <section aria-labelledby="templates" className="mt-16 border-line border-t pt-8">
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6">
          <h2 id="templates" className="font-display font-semibold text-2xl tracking-tight">
            Templates
          </h2>
          <PageLink className="link text-[0.9375rem]" href="/docs/templates">
            Write your own template
          </PageLink>
        </div>
        <Gallery items={templates.map(toGalleryItem)} />
      </section>
    </>
  );
}

export default page(Home);
