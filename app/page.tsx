import { z } from "zod";
import { accessEnabled, serverConfig } from "#lib/config.ts";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { GET as getTemplates } from "./api/service/templates/route.ts";
import { TemplateCard } from "./template-card.tsx";
import { CodeBlock } from "./ui/code-block.tsx";
import { requireStudio } from "./ui/guards.ts";
import { Notice } from "./ui/notice.tsx";
import { read } from "./ui/read.ts";

function firstCall(origin: string, template: TemplateSummary | undefined): string {
  const body = JSON.stringify({ template: template?.slug ?? "your/template" });
  return [
    `curl ${origin}/api/service/images/render \\`,
    ...(accessEnabled() ? ["  -H 'authorization: Bearer svc_…' \\"] : []),
    "  -H 'content-type: application/json' \\",
    `  -d '${body}' \\`,
    "  -o picture.png",
  ].join("\n");
}

/** The front page: what this is, the call that makes a picture, and the templates that there are. */
export default async function Home() {
  await requireStudio("/");
  const templates = await read(getTemplates, { returns: z.array(TemplateSummary) });
  return (
    <>
      <div className="grid items-end gap-x-12 gap-y-8 lg:grid-cols-2">
        <div>
          <h1 className="max-w-[16ch] font-display font-semibold text-3xl tracking-tight">
            A template and a few edits in, a picture out.
          </h1>
          <p className="mt-5 max-w-[44ch] text-lg text-soft">
            One call renders it with a real browser and answers with the PNG.
          </p>
        </div>
        <CodeBlock
          label="The call that renders a picture"
          code={firstCall(`http://localhost:${serverConfig().port}`, templates[0])}
          wraps
        />
      </div>
      <section aria-labelledby="templates" className="mt-14">
        <h2 id="templates" className="mb-5 border-line border-b pb-3 font-semibold text-lg">
          Templates
        </h2>
        {templates.length === 0 && (
          <Notice>
            There is none yet. A template is a folder below <code>templates/</code>; the README shows how to write one.
          </Notice>
        )}
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-4">
          {templates.map((template) => (
            <TemplateCard key={template.slug} template={template} />
          ))}
        </ul>
      </section>
    </>
  );
}
