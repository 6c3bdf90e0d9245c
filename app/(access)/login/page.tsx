import { redirect } from "next/navigation";
import { isDevelopment } from "#lib/config.ts";
import { losesCookie } from "#lib/status/origin.ts";
import { requireAccessLayer } from "../../ui/guards.ts";
import { configuredOrigin } from "../../ui/known-origin.ts";
import { toLocalPath } from "../../ui/local-path.ts";
import { page, pageMetadata } from "../../ui/serve-page.tsx";
import { viewer } from "../../ui/viewer.ts";
import { LoginForm } from "./login-form.tsx";
import { wayIn } from "./way-in.ts";

/** Guarded as the page is: open mode has no such page. */
export const generateMetadata = pageMetadata(async () => {
  requireAccessLayer();
  return { title: "Sign in" };
});

type LoginProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

async function Login({ searchParams }: LoginProps) {
  requireAccessLayer();
  const next = toLocalPath((await searchParams).next);
  if (await viewer()) redirect(next);
  return (
    <div className="mx-auto grid max-w-md items-start gap-x-16 gap-y-8 lg:max-w-4xl lg:grid-cols-[1fr_25rem] lg:pt-[7vh]">
      <div className="lg:pt-6">
        <h1 className="font-display font-semibold text-3xl tracking-tight">Sign in</h1>
        <p className="mt-4 max-w-[40ch] text-soft">
          Your templates, your tokens, and pictures made from both are behind this door.
        </p>
        <dl className="mt-8 hidden max-w-[44ch] flex-col gap-5 border-line border-t pt-6 text-sm lg:flex">
          <Hints />
        </dl>
      </div>
      <LoginForm
        next={next}
        publicOrigin={configuredOrigin()}
        needsHttps={!isDevelopment()}
        looksPlain={losesCookie(await wayIn())}
      />
      <dl className="flex flex-col gap-5 border-line border-t pt-6 text-sm lg:hidden">
        <Hints />
      </dl>
    </div>
  );
}

function Hints() {
  return (
    <>
      <div>
        <dt className="font-medium">No account yet?</dt>
        <dd className="text-soft">An administrator makes one for you; nobody can sign up alone.</dd>
      </div>
      <div>
        <dt className="font-medium">Password forgotten?</dt>
        <dd className="text-soft">
          An administrator can set a new one. Whoever runs the service can, too, with{" "}
          <code className="font-mono text-ink text-xs">npm run users -- set-password</code>.
        </dd>
      </div>
    </>
  );
}

export default page(Login);
