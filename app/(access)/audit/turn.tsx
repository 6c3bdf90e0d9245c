import { LinkButton } from "../../ui/link-button.tsx";
import { auditHref, type Filter } from "./filter.ts";

type TurnProps = { filter: Filter; older: string | null; newer: string | null };

/** The way to what happened before and after what is shown. */
export function Turn({ filter, older, newer }: TurnProps) {
  if (older === null && newer === null) return null;
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap items-center gap-3">
      {newer !== null && (
        <>
          <LinkButton size="small" rel="prev" href={auditHref({ ...filter, before: "", after: newer })}>
            Newer
          </LinkButton>
          <LinkButton size="small" tone="quiet" href={auditHref({ ...filter, before: "", after: "" })}>
            Newest
          </LinkButton>
        </>
      )}
      {older !== null && (
        <LinkButton
          size="small"
          rel="next"
          className="ml-auto"
          href={auditHref({ ...filter, before: older, after: "" })}
        >
          Older
        </LinkButton>
      )}
    </nav>
  );
}
