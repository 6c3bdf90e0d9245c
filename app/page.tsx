import type { Metadata } from "next";
import Link from "next/link";
import { z } from "zod";
import { accessEnabled } from "#lib/config.ts";
import { TemplateDetail } from "#lib/schemas/template.ts";
import { GET as getTemplate } from "./api/service/templates/[...slug]/route.ts";
import { GET as getTemplates } from "./api/service/templates/route.ts";
import { BlankSheets } from "./gallery/blank-sheets.tsx";
import { Gallery } from "./gallery/gallery.tsx";
import { ListedTemplate, toGalleryItem } from "./gallery/gallery-item.ts";
import { Headline, Introduction } from "./gallery/introduction.tsx";
import { EmptyState } from "./ui/empty-state.tsx";
import { knownOrigin } from "./ui/known-origin.ts";
import { LinkButton } from "./ui/link-button.tsx";
import { read } from "./ui/read.ts";
import { page } from "./ui/serve-page.tsx";
import { viewer } from "./ui/viewer.ts";

/** In full: what the layout adds is for the pages below it. */
export const metadata: Metadata = { title: { absolute: "Templates · Platen" } };

/** For who is not signed in: what this is, and the way in. */
function Invitation() {
  return (
    <div className="grid items-center gap-14 py-[8vh] lg:grid-cols-2">
      <div>
        <Headline>
          <p className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
            <LinkButton href="/login" tone="primary">
              Sign in
            </LinkButton>
            <span className="text-soft">Templates and tokens are for those with an account.</span>
          </p>
        </Headline>
      </div>
      <BlankSheets />
    </div>
  );
}

function NoTemplates() {
  return (
    <>
      <Headline />
      <div className="mt-12">
        <EmptyState
          title="There is no template yet"
          action={<LinkButton href="/docs/templates">How to write one</LinkButton>}
        >
          <p>
            A template is a folder of plain files below <code className="font-mono text-sm">templates/</code>, or below
            the folder that <code className="font-mono text-sm">SERVICE_TEMPLATES_DIR</code> names: what it holds is on
            this page after the next start.
          </p>
        </EmptyState>
      </div>
    </>
  );
}

/** A wide picture shows best beside the call; the first template where none is wide. */
function exampleOf<T extends { width: number; height: number }>(templates: T[]): T | undefined {
  return templates.find(({ width, height }) => width > height) ?? templates[0];
}

/** The gallery: what this is, the call that makes a picture, and every template with its own. */
async function Home() {
  const user = await viewer();
  if (accessEnabled() && user === null) return <Invitation />;
  const templates = await read(getTemplates, { returns: z.array(ListedTemplate) });
  const example = exampleOf(templates);
  if (!example) return <NoTemplates />;
  const params = { slug: example.slug.split("/") };
  const template = await read(getTemplate, { returns: TemplateDetail, params });
  return (
    <>
      <Introduction template={template} origin={knownOrigin()} needsToken={accessEnabled()} />
      <section aria-labelledby="templates" className="mt-16 border-line border-t pt-8">
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6">
          <h2 id="templates" className="font-display font-semibold text-2xl tracking-tight">
            Templates
          </h2>
          <Link className="link text-[0.9375rem]" href="/docs/templates" prefetch={false}>
            Write your own
          </Link>
        </div>
        <Gallery items={templates.map(toGalleryItem)} />
      </section>
    </>
  );
}

export default page(Home);
