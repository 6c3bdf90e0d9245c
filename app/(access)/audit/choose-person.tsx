import Link from "next/link";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import type { Viewer } from "../../ui/viewer.ts";
import { auditHref } from "./filter.ts";

type ChoosePersonProps = { users: Viewer[]; total: number; typed: string; action: string };

/** What the trail shows while it is open whom somebody means. */
export function ChoosePerson({ users, total, typed, action }: ChoosePersonProps) {
  if (users.length === 0)
    return (
      <EmptyState
        title={`Nobody has “${typed}” in their email or name.`}
        action={<LinkButton href={auditHref({ action })}>Show everyone</LinkButton>}
      >
        Users who were deleted are found through an entry about them: its details lead to everything of theirs.
      </EmptyState>
    );
  return (
    <section aria-labelledby="whom">
      <h2 id="whom" className="font-semibold text-lg">
        Whom do you mean?
      </h2>
      <p className="mt-1 text-soft">
        “{typed}” is in the email or the name of {total.toLocaleString("en")} users
        {total > users.length && `; these are the first ${users.length}`}.
      </p>
      <ul className="mt-4 max-w-xl">
        {users.map(({ id, email, name }) => (
          <li key={id} className="border-line border-b py-2.5 [overflow-wrap:anywhere]">
            <Link href={auditHref({ user: id, action })} prefetch={false} className="link">
              {email}
            </Link>
            <span className="ml-3 text-soft">{name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
