import Link from "next/link";
import { cache } from "react";
import { z } from "zod";
import { Token, TokenUsage } from "#lib/schemas/token.ts";
import { User } from "#lib/schemas/user.ts";
import { GET as getUser } from "../../../api/service/users/[id]/route.ts";
import { GET as getTokens } from "../../../api/service/users/[id]/tokens/route.ts";
import { GET as getUsage } from "../../../api/service/users/[id]/tokens/usage/route.ts";
import { requireAdministrator } from "../../../ui/guards.ts";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { read } from "../../../ui/read.ts";
import { page, pageMetadata } from "../../../ui/serve-page.tsx";
import { SettingsSection } from "../../../ui/settings-section.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { Viewer } from "../../../ui/viewer.ts";
import { RoleBadge, StatusBadge } from "../user-badges.tsx";
import type { Subject } from "./act-on-user.ts";
import { Activation } from "./activation.tsx";
import { Deletion } from "./deletion.tsx";
import { isLastAdministrator } from "./last-administrator.ts";
import { ProfileForm } from "./profile-form.tsx";
import { SetPassword } from "./set-password.tsx";
import { Tokens } from "./tokens.tsx";
import { TOKENS_HEADING } from "./tokens-heading.ts";

type PageProps = { params: Promise<{ id: string }> };

/** Asked once for the title and the page, and by administrators alone. */
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
  const [tokens, usage, isLast] = await Promise.all([
    read(getTokens, { returns: z.array(Token), params: { id } }),
    read(getUsage, { returns: z.array(TokenUsage), params: { id } }),
    isLastAdministrator(user),
  ]);
  const isViewer = user.id === viewer.id;
  const subject: Subject = { id, name: user.name, email: user.email, isViewer, isLastAdministrator: isLast };
  return { user, subject, tokens, usage };
}

function Facts({ user }: { user: Viewer }) {
  const facts = [
    ["Last login", user.lastLoginAt],
    ["Created", user.createdAt],
    ["Last changed", user.updatedAt],
  ] as const;
  return (
    <div className="mb-8 flex flex-wrap items-center gap-x-8 gap-y-3 text-sm">
      <span className="flex gap-2">
        <RoleBadge role={user.role} />
        <StatusBadge status={user.status} />
      </span>
      <dl className="flex flex-wrap gap-x-8 gap-y-1">
        {facts.map(([term, moment]) => (
          <div key={term} className="flex gap-2">
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
      This is you. Under{" "}
      <Link href="/account" prefetch={false} className="link">
        Account
      </Link>{" "}
      you can change your password and stay signed in.
    </>
  );
}

/** One user, for administrators. */
async function UserPage({ params }: PageProps) {
  const { user, subject, tokens, usage } = await readPage((await params).id);
  const isActive = user.status === "active";
  const liveTokenCount = tokens.filter(({ revokedAt }) => revokedAt === null).length;
  return (
    <>
      <p className="mb-4 text-sm">
        <Link href="/users" prefetch={false} className="link">
          All users
        </Link>
      </p>
      <PageHeader
        title={user.name}
        lead={user.email}
        actions={<LinkButton href={`/audit?user=${user.id}`}>Show in the audit trail</LinkButton>}
      />
      <Facts user={user} />
      <SettingsSection title="Profile" lead={subject.isViewer ? <OwnAccount /> : "They sign in with this email."}>
        <ProfileForm subject={subject} role={user.role} />
      </SettingsSection>
      <SettingsSection
        id={TOKENS_HEADING}
        title="Tokens"
        lead="What their scripts render with. Nobody can see a token's secret again, not even here."
      >
        <Tokens tokens={tokens} usage={usage} userName={user.name} isViewer={subject.isViewer} />
      </SettingsSection>
      <SettingsSection title="Password" lead="For who has forgotten theirs. It ends all their sessions.">
        <SetPassword subject={subject} />
      </SettingsSection>
      <SettingsSection
        title={isActive ? "Deactivation" : "Reactivation"}
        lead={
          isActive
            ? "Shuts them out for a while: sessions end and tokens stop at once. Nothing is deleted."
            : "Lets them in again: their tokens work as before, and they sign in anew."
        }
      >
        <Activation subject={subject} isActive={isActive} liveTokenCount={liveTokenCount} />
      </SettingsSection>
      <SettingsSection
        title="Deletion"
        lead="Takes the account away for good, with its tokens. What it did stays in the audit trail."
      >
        <Deletion subject={subject} />
      </SettingsSection>
    </>
  );
}

export default page(UserPage);
