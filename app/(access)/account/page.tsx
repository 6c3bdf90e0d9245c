import { z } from "zod";
import { Session, UnknownLogin } from "#lib/schemas/session.ts";
import { GET as getSessions } from "../../api/service/account/sessions/route.ts";
import { GET as getUnknownLogins } from "../../api/service/account/unknown-logins/route.ts";
import { Badge } from "../../ui/content/badge.tsx";
import { TimeAgo } from "../../ui/content/time-ago.tsx";
import { requireSignedIn } from "../../ui/page/guards.ts";
import { PageHeader, Section } from "../../ui/page/page-layout.tsx";
import { page, pageMetadata } from "../../ui/page/page-wrapper.tsx";
import { read } from "../../ui/page/read.ts";
import { SignOutButton } from "../../ui/shell/sign-out.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { SessionList } from "./session-list.tsx";
import { UnknownLogins } from "./unknown-logins.tsx";

export const generateMetadata = pageMetadata(async () => {
  await requireSignedIn("/account");
  return { title: "Account" };
});

async function Account() {
  const { name, email, role, createdAt } = await requireSignedIn("/account");
  const [sessions, unknownLogins] = await Promise.all([
    read(getSessions, { returns: z.array(Session) }),
    read(getUnknownLogins, { returns: z.array(UnknownLogin) }),
  ]);
  return (
    <>
      <PageHeader
        title="Account"
        lead={
          <>
            <Badge>{role === "admin" ? "Administrator" : "User"}</Badge> Created <TimeAgo moment={createdAt} />
          </>
        }
        actions={<SignOutButton />}
      />
      <UnknownLogins logins={unknownLogins} />
      <Section title="Profile" lead="Other users see your name. You sign in with your email.">
        <ProfileForm name={name} email={email} />
      </Section>
      <Section
        id="password"
        title="Password"
        lead="A new password ends all your other sessions. Your tokens keep working."
      >
        <PasswordForm email={email} />
      </Section>
      <SessionList sessions={sessions} />
    </>
  );
}

export default page(Account);
