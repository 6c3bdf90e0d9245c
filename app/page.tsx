import { headers } from "next/headers";
import { z } from "zod";
import { accessEnabled, serverConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { call } from "#lib/http/call.ts";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { GET as getTemplates } from "./api/service/templates/route.ts";
import { TemplateCard } from "./template-card.tsx";

type Listing = { templates: TemplateSummary[] } | { fault: string };

async function readTemplates(): Promise<Listing> {
  try {
    return { templates: await call(getTemplates, { returns: z.array(TemplateSummary), headers: await headers() }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { fault: error.code === "unauthorized" ? "Only those who are signed in can see them." : error.message };
  }
}

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
  const listing = await readTemplates();
  const templates = "templates" in listing ? listing.templates : [];
  return (
    <main>
      <header className="hero">
        <p className="mark">Platen</p>
        <h1>A template and a few edits in, a picture out.</h1>
        <p className="lead">One call renders it with a real browser and answers with the PNG.</p>
        <section className="call" aria-label="The call that renders a picture">
          <pre>
            <code>{firstCall(`http://localhost:${serverConfig().port}`, templates[0])}</code>
          </pre>
        </section>
      </header>
      <section aria-labelledby="templates">
        <h2 id="templates">Templates</h2>
        {"fault" in listing && <p className="note">{listing.fault}</p>}
        {"templates" in listing && templates.length === 0 && (
          <p className="note">
            There is none yet. A template is a folder below <code>templates/</code>; the README shows how to write one.
          </p>
        )}
        <ul className="cards">
          {templates.map((template) => (
            <TemplateCard key={template.slug} template={template} />
          ))}
        </ul>
      </section>
      <footer>
        <a href="/api/service/openapi.json">OpenAPI document</a>
        <a href="/api/service/templates">Templates as JSON</a>
      </footer>
    </main>
  );
}
