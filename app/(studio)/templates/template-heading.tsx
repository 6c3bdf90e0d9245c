import Link from "next/link";
import type { StudioTemplate } from "./edits.ts";

/** What the template is, in as little room as it can be said: the picture is what one came for. */
export function TemplateHeading({ template }: { template: StudioTemplate }) {
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
