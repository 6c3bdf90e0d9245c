import { cache } from "react";
import { z } from "zod";
import { User } from "#lib/schemas/user.ts";
import { GET as getUser } from "../../../api/service/users/[id]/route.ts";
import { GET as getTokens } from "../../../api/service/users/[id]/tokens/route.ts";
import { GET as getUsage } from "../../../api/service/users/[id]/tokens/usage/route.ts";
import { GET as getUsers } from "../../../api/service/users/route.ts";
import { TimeAgo } from "../../../ui/content/time-ago.tsx";
import { LinkButton } from "../../../ui/form/button.tsx";
import { requireAdministrator, type Viewer } from "../../../ui/page/guards.ts";
import { PageHeader, Section } from "../../../ui/page/page-layout.tsx";
import { PageLink } from "../../../ui/page/page-link.tsx";
import { page, pageMetadata } from "../../../ui/page/page-wrapper.tsx";
import { read } from "../../../ui/page/read.ts";
import { readListedTokens } from "../../tokens/listed-tokens.ts";
import { RoleBadge, StatusBadge } from "../user-table.tsx";
import { Activation, Deletion } from "./account-status.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { SetPassword } from "./set-password.tsx";
import type { Subject } from "./user-actions.ts";
import { UserTokens } from "./user-tokens.tsx";

const PER_PAGE = 50;

/** How many active tokens are shown. */
const ACTIVE_SHOWN = 200;

/**
 * Whether a user is the only active administrator. Sorted by role, administrators come first, so that one page is
 * almost always enough. This is for display: the route itself refuses to lose the last administrator.
 */
async function isLastAdministrator({ id, role, status }: Viewer): Promise<boolean> {
  if (role !== "admin" || status !== "active") return false;
  for (let page = 1; ; page++) {
    const query = { sort: "role", page: String(page), limit: String(PER_PAGE) };
    const users = await read(getUsers, { returns: z.array(User), query });
    if (users.some((other) => other.id !== id && other.role === "admin" && other.status === "active")) return false;
    if (users.length < PER_PAGE || users.at(-1)?.role !== "admin") return true;
  }
}

type PageProps = { params: Promise<{ id: string }> };

/** Read once per request, for the title and the page. */
const readUser = cache(async (id: string) => {
  const viewer = await requireAdministrator(`/users/${encodeURIComponent(id)}`);
  return { viewer, user: await read(getUser, { returns: User, params: { id } }) };
});

export const generateMetadata = pageMetadata(async ({ params }: PageProps) => {
  const { user } = await readUser((await params).id);
  return { title: user.name };
});

async function readPage(id: string) {
  const { viewer, user } = await readUser(id);
  const [tokens, isLast] = await Promise.all([
    readListedTokens({ tokens: getTokens, usage: getUsage, params: { id } }, ACTIVE_SHOWN),
    isLastAdministrator(user),
  ]);
  const isViewer = user.id === viewer.id;
  const subject: Subject = { id, name: user.name, email: user.email, isViewer, isLastAdministrator: isLast };
  return { user, subject, tokens };
}

function Facts({ user }: { user: Viewer }) {
  const facts = [
    ["Last sign-in", user.lastLoginAt],
    ["Created", user.createdAt],
    ["Last changed", user.updatedAt],
  ] as const;
  return (
    <div className="mb-8 flex flex-wrap items-center gap-x-8 gap-y-3 text-sm">
      <span className="flex flex-wrap gap-2">
        <RoleBadge role={user.role} />
        <StatusBadge status={user.status} />
      </span>
      <dl className="flex flex-wrap gap-x-8 gap-y-1">
        {facts.map(([term, moment]) => (
          <div key={term} className="flex flex-wrap gap-x-2">
            <dt className="text-soft">{term}</dt>
            <dd>
              <TimeAgo moment={moment} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function OwnAccount() {
  return (
    <>
      This is your account. To change your password and stay signed in, use the{" "}
      <PageLink href="/account" className="link">
        Account
      </PageLink>{" "}
      page.
    </>
  );
}

async function UserPage({ params }: PageProps) {
  const { user, subject, tokens } = await readPage((await params).id);
  const isActive = user.status === "active";
  const liveTokenCount = tokens.active.length + tokens.hiddenCount;
  return (
    <>
      <p className="mb-4 text-sm">
        <PageLink href="/users" className="link">
          All users
        </PageLink>
      </p>
      <PageHeader
        title={user.name}
        lead={user.email}
        actions={<LinkButton href={`/audit?user=${user.id}`}>Show in the audit trail</LinkButton>}
      />
      <Facts user={user} />
      <Section title="Profile" lead={subject.isViewer ? <OwnAccount /> : "The user signs in with this email."}>
        <ProfileForm subject={subject} role={user.role} />
      </Section>
      <UserTokens {...tokens} isViewer={subject.isViewer} />
      <Section title="Password" lead="Reset a forgotten password. This ends all sessions of the user.">
        <SetPassword subject={subject} />
      </Section>
      <Section
        title={isActive ? "Deactivation" : "Reactivation"}
        lead={
          isActive
            ? "Ends all sessions and stops all tokens at once. You can reactivate the account later."
            : "The user can sign in again, and their tokens work again."
        }
      >
        <Activation subject={subject} isActive={isActive} liveTokenCount={liveTokenCount} />
      </Section>
      <Section title="Deletion" lead="Deletes the account and its tokens permanently. The audit trail is kept.">
        <Deletion subject={subject} />
      </Section>
    </>
  );
}

export default page(UserPage);
