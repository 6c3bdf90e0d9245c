"use client";

import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { PageLink } from "../ui/page/page-link.tsx";
import { GalleryNotices } from "./gallery-notices.tsx";
import { useNotices } from "./use-notices.ts";

/**
 * Reads the page again after each change of a template's file. After a restart of the server, too. A page that nobody sees does not
 * wait for changes: a browser has six connections to a server for all of its tabs. When it is seen again, it looks once.
 * @returns a text that changes with every file; undefined at first
 */
function useTemplateState(): string | undefined {
  const router = useRouter();
  const [state, setState] = useState<string>();
  const refresh = useEffectEvent(() => router.refresh());
  useEffect(() => {
    let events: EventSource | undefined;
    let last: string | undefined;
    const follow = () => {
      events?.close();
      events = document.visibilityState === "hidden" ? undefined : new EventSource("/api/workshop/changes");
      events?.addEventListener("message", ({ data }: MessageEvent<string>) => {
        if (last !== undefined && last !== data) refresh();
        last = data;
        setState(data);
      });
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      events?.close();
    };
  }, []);
  return state;
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
      <PageLink className="link" href={`/workshop/${slug}`}>
        Edit the files of this template
      </PageLink>
      <span role="status" className="text-warn">
        {noticeWords(notices.length)}
      </span>
    </p>
  );
}

/** Around every page in development: it follows the files of the templates, and leads to their workshops. */
export function RedrawOnSave({ children }: { children: ReactNode }) {
  const state = useTemplateState();
  const path = usePathname();
  const [, slug] = /^\/templates\/(.+)/.exec(path) ?? [];
  if (path === "/") return <GalleryNotices state={state}>{children}</GalleryNotices>;
  return (
    <>
      {slug !== undefined && <WorkshopLink key={slug} slug={slug} />}
      {children}
    </>
  );
}
