import Link from "next/link";
import { cache } from "react";
import { z } from "zod";
import { accessEnabled, renderConfig } from "#lib/config.ts";
import { TemplateDetail } from "#lib/schemas/template.ts";
import { type FaultyTemplate, faultyTemplates } from "#lib/templates/faults/faulty-templates.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { GET as getTemplate } from "../../../api/service/templates/[...slug]/route.ts";
import { GET as getTemplates } from "../../../api/service/templates/route.ts";
import { TemplateFaults } from "../../../gallery/faulty-templates.tsx";
import { requireStudio } from "../../../ui/page/guards.ts";
import { page, pageMetadata } from "../../../ui/page/page-wrapper.tsx";
import { read } from "../../../ui/page/read.ts";
import { serviceOrigin } from "../../../ui/page/service-origin.ts";
import type { StudioTemplate } from "../edits.ts";
import { Studio } from "../studio.tsx";

function TemplateHeading({ template }: { template: StudioTemplate }) {
  const { title, slug, description, width, height } = template;
  return (
    <div className="-mt-2 mb-6 sm:-mt-5">
      <nav aria-label="Breadcrumb" className="text-sm">
        <Link
          href="/"
          prefetch={false}
          className="text-soft underline decoration-edge underline-offset-4 hover:text-ink"
        >
          Templates
        </Link>
        <span aria-hidden="true" className="mx-2 text-edge">
          /
        </span>
        <code className="font-mono text-[0.8125rem] text-soft [overflow-wrap:anywhere]">{slug}</code>
      </nav>
      <div className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="font-display font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">{title}</h1>
        <p className="text-soft text-sm tabular-nums">
          {width} × {height}
        </p>
      </div>
      <p className="mt-1.5 max-w-prose text-soft">{description}</p>
    </div>
  );
}

type PageProps = { params: Promise<{ slug: string[] }>; searchParams: Promise<Record<string, string | string[]>> };

const Detail = TemplateDetail.extend({ fields: z.record(z.string(), fieldDeclaration) });

/** Next does not decode the segments of a page, unlike those of a route. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Read once per request, for the title and the page. */
const findTemplate = cache((path: string) => read(getTemplate, { returns: Detail, params: { slug: path.split("/") } }));

/** The path of the page with its query, which signing in leads back to. */
async function ownPath({ params, searchParams }: PageProps): Promise<string> {
  const query = Object.entries(await searchParams).flatMap(([key, value]) =>
    [value].flat().map((text): [string, string] => [key, text]),
  );
  const path = `/templates/${(await params).slug.join("/")}`;
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

async function slugOf({ params }: PageProps): Promise<string> {
  return (await params).slug.map(decoded).join("/");
}

function acceptsAddresses(): boolean {
  try {
    return renderConfig().images.hosts.length > 0;
  } catch {
    // The render reports an invalid configuration.
    return false;
  }
}

/** The template with this slug, if it has faults. */
const findFaulty = cache(async (slug: string) => {
  const faulty = (await faultyTemplates()).find((template) => template.slug === slug);
  // The route refuses foreign hosts and requests without a session, as for a template that is served.
  if (faulty) await read(getTemplates, { returns: z.array(z.unknown()) });
  return faulty;
});

function FaultyTemplatePage({ slug, faults }: FaultyTemplate) {
  return (
    <>
      <h1 className="font-display font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">{slug}</h1>
      <p className="mt-1.5 mb-6 max-w-prose text-soft">
        This template is not served until its files are corrected. Reload this page after a change.
      </p>
      <TemplateFaults faults={faults} />
    </>
  );
}

export const generateMetadata = pageMetadata(async (props: PageProps) => {
  await requireStudio(await ownPath(props));
  if (await findFaulty(await slugOf(props))) return { title: "A template with faults" };
  const { title, description } = await findTemplate(await slugOf(props));
  return { title, description };
});

async function TemplatePage(props: PageProps) {
  const viewer = await requireStudio(await ownPath(props));
  const faulty = await findFaulty(await slugOf(props));
  if (faulty) return <FaultyTemplatePage {...faulty} />;
  const template = await findTemplate(await slugOf(props));
  return (
    <>
      <TemplateHeading template={template} />
      <Studio
        key={template.slug}
        template={template}
        origin={serviceOrigin()}
        needsToken={accessEnabled()}
        acceptsAddresses={acceptsAddresses()}
        mayProve={viewer === null || viewer.role === "admin"}
      />
    </>
  );
}

export default page(TemplatePage);
