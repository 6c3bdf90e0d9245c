import { z } from "zod";
import { Session } from "#lib/schemas/session.ts";
import { GET as getSessions } from "../../api/service/account/sessions/route.ts";
import { Badge } from "../../ui/badge.tsx";
import { requireSignedIn } from "../../ui/guards.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { read } from "../../ui/read.ts";
import { page, pageMetadata } from "../../ui/serve-page.tsx";
import { SettingsSection } from "../../ui/settings-section.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { SessionList } from "./session-list.tsx";
import { SignOutButton } from "./sign-out-button.tsx";

/** Guarded as the page is: the title of a page that is nobody's would be told to everyone. */
export const generateMetadata = pageMetadata(async () => {
  await requireSignedIn("/account");
  return { title: "Account" };
});

async function Account() {
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
      <SettingsSection title="Profile" lead="Your name is what others see; the email is what you sign in with.">
        <ProfileForm name={name} email={email} />
      </SettingsSection>
      <SettingsSection title="Password" lead="A new one signs you out everywhere but here. Tokens go on working.">
        <PasswordForm email={email} />
      </SettingsSection>
      <SessionList sessions={sessions} />
    </>
  );
}

export default page(Account);
