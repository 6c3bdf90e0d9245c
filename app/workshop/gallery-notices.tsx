"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { CardNote } from "../gallery/gallery-card.tsx";
import { send } from "../ui/api/api.ts";
import { Badge } from "../ui/content/badge.tsx";
import { PageLink } from "../ui/page/page-link.tsx";

/** The notices of a template. Before its variants are drawn, only those that its files alone tell. */
type NoticeCount = { slug: string; count: number; isDrawn: boolean };

/** Asks again with each state of the files. The last answer stays where there is no new one. */
function useNoticeCounts(state: string | undefined): NoticeCount[] | undefined {
  const [counts, setCounts] = useState<NoticeCount[]>();
  useEffect(() => {
    if (state === undefined) return;
    const leaving = new AbortController();
    send<NoticeCount[]>("GET", "/api/workshop/notices", undefined, leaving).then(setCounts, () => undefined);
    return () => leaving.abort();
  }, [state]);
  return counts;
}

const countOf = (count: number, noun: string) => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`);

function sumWords(counts: NoticeCount[]): string {
  const some = counts.filter(({ count }) => count > 0);
  const isWhole = counts.every(({ isDrawn }) => isDrawn);
  if (some.length === 0) return isWhole ? "No notices." : "No notices so far.";
  const sum = some.reduce((total, { count }) => total + count, 0);
  return `${isWhole ? "" : "At least "}${countOf(sum, "notice")} in ${countOf(some.length, "template")}.`;
}

const Counts = createContext<NoticeCount[]>([]);

/** The notices of a template in the corner of its card, which lead to its workshop. It moves nothing when it appears. */
function NoticeLink({ slug }: { slug: string }) {
  const found = useContext(Counts).find((template) => template.slug === slug);
  if (!found || found.count === 0) return null;
  return (
    <PageLink className="absolute top-1 left-1 z-10 rounded-lg p-1 hover:underline" href={`/workshop/${slug}`}>
      <Badge tone="warn">
        {found.isDrawn ? "" : "at least "}
        {countOf(found.count, "notice")}
        <span className="sr-only"> in the files of {slug}: open its workshop</span>
      </Badge>
    </PageLink>
  );
}

/** The gallery in development: its cards tell how many notices their templates have. */
export function GalleryNotices({ state, children }: { state: string | undefined; children: ReactNode }) {
  const counts = useNoticeCounts(state);
  return (
    <CardNote value={NoticeLink}>
      <Counts value={counts ?? []}>
        <div className="mb-8 max-w-prose text-sm">
          <p className="text-soft">
            Shown in development only: a card counts what has no effect in the files of its template. “At least” means
            that its pictures may tell more. Open its page or its workshop to draw them.
          </p>
          {/* Room for the words, so that they move nothing. */}
          <p role="status" className="min-h-5">
            {counts && sumWords(counts)}
          </p>
        </div>
        {children}
      </Counts>
    </CardNote>
  );
}
