import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { auditHref, type Filter } from "./filter.ts";

/** What the trail shows where no entry is. */
export function Nothing({ filter, isFiltered }: { filter: Filter; isFiltered: boolean }) {
  const isTurned = filter.before !== "" || filter.after !== "";
  if (isTurned)
    return (
      <EmptyState
        title="There is nothing older."
        action={<LinkButton href={auditHref({ ...filter, before: "", after: "" })}>Show the newest</LinkButton>}
      />
    );
  return (
    <EmptyState
      title={isFiltered ? "Nothing of the kind has happened." : "Nothing has happened yet."}
      action={isFiltered && <LinkButton href="/audit">Show everything</LinkButton>}
    >
      Every sign-in and every change of a user, a password or a token is written down here when it happens.
    </EmptyState>
  );
}
