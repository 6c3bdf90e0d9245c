import type { ReactNode } from "react";
import type { TemplateDetail } from "#lib/schemas/template.ts";
import type { KnownOrigin } from "../ui/use-origin.ts";
import { firstBody } from "./first-call.ts";
import { FirstCallBlock } from "./first-call-block.tsx";
import { Thumbnail } from "./thumbnail.tsx";

/** What the service is, in a sentence. */
export function Headline({ children }: { children?: ReactNode }) {
  return (
    <>
      <h1 className="max-w-[16ch] font-display font-semibold text-3xl tracking-tight">
        A template and a few edits in, a picture out.
      </h1>
      <p className="mt-5 max-w-[46ch] text-lg text-soft">
        One call names a template, says what to change, and gets the PNG back, drawn by a real browser.
      </p>
      {children}
    </>
  );
}

/** How high the example may be, in CSS pixels: the templates below it are to be seen too. */
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
        alt={`What the call draws: the template ${slug}`}
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

type IntroductionProps = { template: TemplateDetail; origin: KnownOrigin; needsToken: boolean };

/** What this is, the call that makes a picture, and the picture that it makes. */
export function Introduction({ template, origin, needsToken }: IntroductionProps) {
  return (
    <section aria-label="The first call" className="grid items-center gap-x-14 gap-y-10 lg:grid-cols-2">
      <div className="min-w-0">
        <Headline />
        <div className="mt-7">
          <FirstCallBlock origin={origin} body={firstBody(template)} hasToken={needsToken} />
          {needsToken && (
            <p className="mt-3 text-soft text-sm">
              <code className="font-mono">PLATEN_TOKEN</code> is a token of yours:{" "}
              <a className="link" href="/tokens">
                make one
              </a>
              , then <code className="font-mono">export PLATEN_TOKEN=svc_…</code>
            </p>
          )}
          <p className="mt-3 text-soft text-sm">
            The{" "}
            <a className="link" href="/docs">
              quick start
            </a>{" "}
            goes on from here.
          </p>
        </div>
      </div>
      <Example template={template} />
    </section>
  );
}
