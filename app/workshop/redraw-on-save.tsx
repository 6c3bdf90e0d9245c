"use client";

import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";

/** Reads the page again after each change of a template's file. After a restart of the server, too. */
function useTemplateChanges(): void {
  const router = useRouter();
  const refresh = useEffectEvent(() => router.refresh());
  useEffect(() => {
    const events = new EventSource("/api/workshop/changes");
    let last: unknown;
    events.onmessage = ({ data }) => {
      if (last !== undefined && last !== data) refresh();
      last = data;
    };
    return () => events.close();
  }, []);
}

/** Part of every page in development: it follows the files of the templates, and leads from a template to its workshop. */
export function RedrawOnSave() {
  useTemplateChanges();
  const [, slug] = /^\/templates\/(.+)/.exec(usePathname()) ?? [];
  if (slug === undefined) return null;
  return (
    <p className="mb-8 text-sm">
      <Link className="link" href={`/workshop/${slug}`} prefetch={false}>
        Edit the files of this template
      </Link>
    </p>
  );
}
