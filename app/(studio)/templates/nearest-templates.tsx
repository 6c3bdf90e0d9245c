"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import type { TemplateSummary } from "#lib/schemas/template.ts";
import { send } from "../../ui/api/api.ts";
import { PageLink } from "../../ui/page/page-link.tsx";
import { nearestSlugs } from "./nearest-names.ts";

function decodedSlug(path: string): string {
  try {
    return decodeURIComponent(path.replace(/^\/templates\//, ""));
  } catch {
    return path;
  }
}

/**
 * Suggests templates for an unknown slug. They are fetched here, because Next sends this page along with every
 * template.
 */
export function NearestTemplates() {
  const slug = decodedSlug(usePathname());
  const [slugs, setSlugs] = useState<string[]>();
  useEffect(() => {
    const unmounting = new AbortController();
    send<TemplateSummary[]>("GET", "/api/service/templates", undefined, { signal: unmounting.signal })
      .then((templates) =>
        setSlugs(
          nearestSlugs(
            slug,
            templates.map((template) => template.slug),
          ),
        ),
      )
      // The page is complete without suggestions.
      .catch(() => setSlugs([]));
    return () => unmounting.abort();
  }, [slug]);
  return (
    // Reserves a line, so that nothing moves when the suggestions arrive.
    <p role="status" className="mt-5 min-h-7 text-lg text-soft [overflow-wrap:anywhere]">
      {slugs && slugs.length > 0 && "Did you mean "}
      {slugs?.map((name, index) => (
        <span key={name}>
          {index > 0 && (index === slugs.length - 1 ? " or " : ", ")}
          <PageLink href={`/templates/${name}`} className="link font-mono text-[0.9375rem]">
            {name}
          </PageLink>
        </span>
      ))}
      {slugs && slugs.length > 0 && "?"}
    </p>
  );
}
