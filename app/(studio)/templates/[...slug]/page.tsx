import { cache } from "react";
import { z } from "zod";
import { accessEnabled, renderConfig } from "#lib/config.ts";
import { TemplateDetail } from "#lib/schemas/template.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { GET as getTemplate } from "../../../api/service/templates/[...slug]/route.ts";
import { requireStudio } from "../../../ui/guards.ts";
import { knownOrigin } from "../../../ui/known-origin.ts";
import { read } from "../../../ui/read.ts";
import { page, pageMetadata } from "../../../ui/serve-page.tsx";
import { Studio } from "../studio.tsx";
import { TemplateHeading } from "../template-heading.tsx";

type PageProps = { params: Promise<{ slug: string[] }>; searchParams: Promise<Record<string, string | string[]>> };

const Detail = TemplateDetail.extend({ fields: z.record(z.string(), fieldDeclaration) });

/** Next leaves the segments of a page as the address spells them, unlike those of a route. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Asked for by the title and by the page. */
const findTemplate = cache((path: string) => read(getTemplate, { returns: Detail, params: { slug: path.split("/") } }));

/** Where signing in leads back to: the link that was opened, with everything that it says. */
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
    // What the configuration lacks is for the render to say.
    return false;
  }
}

export const generateMetadata = pageMetadata(async (props: PageProps) => {
  await requireStudio(await ownPath(props));
  const { title, description } = await findTemplate(await slugOf(props));
  return { title, description };
});

/** One template: its form, its picture, and the code that asks for it. */
async function TemplatePage(props: PageProps) {
  await requireStudio(await ownPath(props));
  const template = await findTemplate(await slugOf(props));
  return (
    <>
      <TemplateHeading template={template} />
      <Studio
        key={template.slug}
        template={template}
        origin={knownOrigin()}
        needsToken={accessEnabled()}
        acceptsAddresses={acceptsAddresses()}
      />
    </>
  );
}

export default page(TemplatePage);
