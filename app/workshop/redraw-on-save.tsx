"use client";

import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { useNotices } from "./use-notices.ts";

/**
 * Reads the page again after each change of a template's file. After a restart of the server, too. A page that nobody sees does not
 * wait for changes: a browser has six connections to a server for all of its tabs. When it is seen again, it looks once.
 */
function useTemplateChanges(): void {
  const router = useRouter();
  const refresh = useEffectEvent(() => router.refresh());
  useEffect(() => {
    let events: EventSource | undefined;
    let last: unknown;
    const follow = () => {
      events?.close();
      events = document.visibilityState === "hidden" ? undefined : new EventSource("/api/workshop/changes");
      events?.addEventListener("message", ({ data }) => {
        if (last !== undefined && last !== data) refresh();
        last = data;
      });
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      events?.close();
    };
  }, []);
}

function noticeWords(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "1 notice about something without effect" : `${count} notices about what has no effect`;
}

/** Leads from a template to its workshop, and tells how many notices wait there. */
function WorkshopLink({ slug }: { slug: string }) {
  const notices = useNotices(slug);
  return (
    <p className="mb-8 flex flex-wrap gap-x-4 text-sm">
      <Link className="link" href={`/workshop/${slug}`} prefetch={false}>
        Edit the files of this template
      </Link>
      <span role="status" className="text-warn">
        {noticeWords(notices.length)}
      </span>
    </p>
  );
}

/** Part of every page in development: it follows the files of the templates, and leads from a template to its workshop. */
export function RedrawOnSave() {
  useTemplateChanges();
  const [, slug] = /^\/templates\/(.+)/.exec(usePathname()) ?? [];
  return slug === undefined ? null : <WorkshopLink key={slug} slug={slug} />;
}
