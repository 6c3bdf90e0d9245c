import type { ReactNode } from "react";
import type { TemplateDetail } from "#lib/schemas/template.ts";
import type { ServiceOrigin } from "../ui/page/use-service-origin.ts";
import { FirstCall } from "./first-call.tsx";
import { Thumbnail } from "./thumbnail.tsx";

/** Longer values would hide the rest of the command. */
const MAX_EDIT_CHARS = 64;

/**
 * A short text of the default variant, from a required field if there is one. Sent as an edit, it renders the picture
 * that is shown beside the command.
 */
function exampleEdit({ fields, values, defaultVariant }: TemplateDetail): [name: string, value: string] | undefined {
  const own = values[defaultVariant] ?? {};
  const names = Object.keys(fields).filter((name) => fields[name]?.type === "text");
  for (const name of names.toSorted((a, b) => Number(fields[b]?.required) - Number(fields[a]?.required))) {
    const value = own[name];
    if (typeof value !== "string" || value === "" || value.includes("\n")) continue;
    if (value.length <= MAX_EDIT_CHARS) return [name, value];
  }
  return undefined;
}

/** The body of a request for the default variant of a template. */
function firstBody(template: TemplateDetail): string {
  const edit = exampleEdit(template);
  return JSON.stringify({ template: template.slug, ...(edit && { data: Object.fromEntries([edit]) }) }, null, 2);
}

export function Headline({ children }: { children?: ReactNode }) {
  return (
    <>
      <h1 className="max-w-[16ch] font-display font-semibold text-3xl tracking-tight [overflow-wrap:anywhere]">
        Turn a template and a few edits into a picture
      </h1>
      <p className="mt-5 max-w-[46ch] text-lg text-soft">
        One request names a template and its edits, and returns a PNG rendered by a real browser.
      </p>
      {children}
    </>
  );
}

/** The maximum height of the example, so that the templates below it are visible. */
const EXAMPLE_HEIGHT_PX = 400;

function Example({ template }: { template: TemplateDetail }) {
  const { slug, width, height } = template;
  const widest = Math.round((EXAMPLE_HEIGHT_PX * width) / height);
  return (
    <figure className="mx-auto w-full" style={{ maxWidth: widest }}>
      <Thumbnail
        slug={slug}
        width={width}
        height={height}
        sizes={`(max-width: 64rem) min(92vw, ${widest}px), min(40rem, 46vw, ${widest}px)`}
        alt={`Picture of the command: the template ${slug}`}
        isFirst
        className="rounded-md shadow-print"
      />
      <figcaption className="mt-3 flex justify-between gap-4 font-mono text-[0.8125rem] text-soft">
        <span>picture.png</span>
        <span className="tabular-nums">
          {width} × {height}
        </span>
      </figcaption>
    </figure>
  );
}

type IntroductionProps = { template: TemplateDetail; origin: ServiceOrigin; needsToken: boolean };

/** Introduces the service with a command and the picture that it renders. */
export function Introduction({ template, origin, needsToken }: IntroductionProps) {
  return (
    <section aria-label="First picture" className="grid items-center gap-x-14 gap-y-10 lg:grid-cols-2">
      <div className="min-w-0">
        <Headline />
        <div className="mt-7">
          <FirstCall origin={origin} body={firstBody(template)} hasToken={needsToken} />
          {needsToken && (
            <p className="mt-3 text-soft text-sm">
              <a className="link" href="/tokens">
                Create a token
              </a>{" "}
              and run <code className="font-mono [overflow-wrap:anywhere]">export PLATEN_TOKEN=svc_…</code> first.
            </p>
          )}
          <p className="mt-3 text-soft text-sm">
            To learn more, read the{" "}
            <a className="link" href="/docs">
              quick start
            </a>
            .
          </p>
        </div>
      </div>
      <Example template={template} />
    </section>
  );
}
