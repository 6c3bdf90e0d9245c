import { acceptsAddresses, findFaulty, findTemplate } from "../../(studio)/templates/find-template.ts";
import { GET as getSources } from "../../api/workshop/files/[...slug]/route.dev.ts";
import { requireOperator } from "../../ui/page/guards.ts";
import { PageHeader } from "../../ui/page/page-layout.tsx";
import { PageLink } from "../../ui/page/page-link.tsx";
import { page, pageMetadata } from "../../ui/page/page-wrapper.tsx";
import { read } from "../../ui/page/read.ts";
import { Sources } from "../operations.ts";
import { Workshop } from "../workshop.tsx";

type PageProps = { params: Promise<{ slug: string[] }> };

async function slugOf({ params }: PageProps): Promise<string> {
  return (await params).slug.join("/");
}

export const generateMetadata = pageMetadata(async (props: PageProps) => {
  const slug = await slugOf(props);
  await requireOperator(`/workshop/${slug}`);
  return { title: `${slug}: workshop` };
});

async function WorkshopPage(props: PageProps) {
  const slug = await slugOf(props);
  await requireOperator(`/workshop/${slug}`);
  const { files, faults } = await read(getSources, { returns: Sources, params: { slug: slug.split("/") } });
  const template = (await findFaulty(slug)) ? null : await findTemplate(slug);
  return (
    <>
      <PageHeader
        title={template?.title ?? slug}
        lead={
          <>
            The files of{" "}
            <PageLink className="link" href={`/templates/${slug}`}>
              {slug}
            </PageLink>
            . Saving writes them. This page exists only in development, for this machine.
          </>
        }
      />
      <Workshop
        key={slug}
        slug={slug}
        files={files}
        faults={faults}
        template={template}
        acceptsAddresses={acceptsAddresses()}
      />
    </>
  );
}

export default page(WorkshopPage);
