import type { Metadata } from "next";
import { z } from "zod";
import { Session } from "#lib/schemas/session.ts";
import { GET as getSessions } from "../../api/service/account/sessions/route.ts";
import { Badge } from "../../ui/badge.tsx";
import { requireSignedIn } from "../../ui/guards.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { read } from "../../ui/read.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { AccountSection } from "./account-section.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { SessionList } from "./session-list.tsx";
import { SignOutButton } from "./sign-out-button.tsx";

/** Guarded as the page is: the title of a page that is nobody's would be told to everyone. */
export async function generateMetadata(): Promise<Metadata> {
  await requireSignedIn("/account");
  return { title: "Account" };
}

export default async function Account() {
  const { name, email, role, createdAt } = await requireSignedIn("/account");
  const sessions = await read(getSessions, { returns: z.array(Session) });
  return (
    <>
      <PageHeader
        title="Account"
        lead={
          <>
            <Badge>{role === "admin" ? "Administrator" : "User"}</Badge> since <TimeAgo moment={createdAt} />
          </>
        }
        actions={<SignOutButton />}
      />
      <AccountSection title="Profile" explanation="Your name is what others see; the email is what you sign in with.">
        <ProfileForm name={name} email={email} />
      </AccountSection>
      <AccountSection title="Password" explanation="A new one signs you out everywhere but here. Tokens go on working.">
        <PasswordForm email={email} />
      </AccountSection>
      <SessionList sessions={sessions} />
    </>
  );
}
