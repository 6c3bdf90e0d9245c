import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { isDevelopment } from "#lib/config.ts";
import { entryPointOf } from "#lib/http/identity/entry-point.ts";
import { receivedRequest } from "#lib/http/server/request-context.ts";
import { losesCookie } from "#lib/status/origin.ts";
import { requireAccessLayer, viewer } from "../../ui/page/guards.ts";
import { toLocalPath } from "../../ui/page/local-path.ts";
import { page, pageMetadata } from "../../ui/page/page-wrapper.tsx";
import { configuredOrigin } from "../../ui/page/service-origin.ts";
import { LoginForm } from "./login-form.tsx";

/** A placeholder: only the headers of the request are used. */
const IN_PROCESS_URL = "http://in-process/";

/** Whether the browser reached the service over plain http, and would drop the session cookie. */
async function looksPlain(): Promise<boolean> {
  return losesCookie(entryPointOf(receivedRequest(new Request(IN_PROCESS_URL, { headers: await headers() }))));
}

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
        <p className="mt-4 max-w-[40ch] text-soft">Sign in to use your templates and tokens.</p>
        <dl className="mt-8 hidden max-w-[44ch] flex-col gap-5 border-line border-t pt-6 text-sm lg:flex">
          <Hints />
        </dl>
      </div>
      <LoginForm
        next={next}
        publicOrigin={configuredOrigin()}
        needsHttps={!isDevelopment()}
        looksPlain={await looksPlain()}
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
        <dd className="text-soft">Ask an administrator to create one for you.</dd>
      </div>
      <div>
        <dt className="font-medium">Forgot your password?</dt>
        <dd className="text-soft">
          Ask an administrator to set a new one. The operator can also run{" "}
          <code className="whitespace-nowrap font-mono text-ink text-xs">npm run users -- set-password</code>.
        </dd>
      </div>
    </>
  );
}

export default page(Login);
