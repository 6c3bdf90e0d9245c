import { accessEnabled } from "#lib/config.ts";
import { decodedSegment } from "#lib/http/route/path.ts";
import { linksEnabled } from "#lib/link-config.ts";
import type { FaultyTemplate } from "#lib/templates/faults/faulty-templates.ts";
import { TemplateFaults } from "../../../gallery/faulty-templates.tsx";
import { requireStudio } from "../../../ui/page/guards.ts";
import { publicRobots } from "../../../ui/page/indexing.ts";
import { PageLink } from "../../../ui/page/page-link.tsx";
import { page, pageMetadata } from "../../../ui/page/page-wrapper.tsx";
import { serviceOrigin } from "../../../ui/page/service-origin.ts";
import type { StudioTemplate } from "../edits.ts";
import { acceptsAddresses, findFaulty, findTemplate } from "../find-template.ts";
import { Studio } from "../studio.tsx";
import TemplateNotFound from "./not-found.tsx";

function TemplateHeading({ template }: { template: StudioTemplate }) {
  const { title, slug, description, width, height } = template;
  return (
    <div className="-mt-2 mb-6 sm:-mt-5">
      <nav aria-label="Breadcrumb" className="text-sm">
        <PageLink href="/" className="text-soft underline decoration-edge underline-offset-4 hover:text-ink">
          Templates
        </PageLink>
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

/** The path of the page with its query, which signing in leads back to. */
async function ownPath({ params, searchParams }: PageProps): Promise<string> {
  const query = Object.entries(await searchParams).flatMap(([key, value]) =>
    [value].flat().map((text): [string, string] => [key, text]),
  );
  const path = `/templates/${(await params).slug.join("/")}`;
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

async function slugOf({ params }: PageProps): Promise<string> {
  return (await params).slug.map(decodedSegment).join("/");
}

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
  return { title, description, robots: publicRobots() };
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
        signsLinks={linksEnabled()}
        mayProve={viewer === null || viewer.role === "admin"}
      />
    </>
  );
}

export default page(TemplatePage, TemplateNotFound);
