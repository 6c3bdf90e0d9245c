import { z } from "zod";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { GET as getTemplates } from "../../api/service/templates/route.ts";
import { GET as getTokens } from "../../api/service/tokens/route.ts";
import { GET as getUsage } from "../../api/service/tokens/usage/route.ts";
import { requireSignedIn } from "../../ui/page/guards.ts";
import { PageHeader } from "../../ui/page/page-layout.tsx";
import { page, pageMetadata } from "../../ui/page/page-wrapper.tsx";
import { read } from "../../ui/page/read.ts";
import { serviceOrigin } from "../../ui/page/service-origin.ts";
import { idleReason } from "./idle.ts";
import { readListedTokens } from "./listed-tokens.ts";
import { OwnTokens } from "./own-tokens.tsx";
import { packUsage } from "./token-usage.ts";

export const generateMetadata = pageMetadata(async () => {
  await requireSignedIn("/tokens");
  return { title: "Tokens" };
});

/** The page needs no more of a template than its slug. */
const Slug = TemplateSummary.pick({ slug: true });

/** How many active tokens the page has for its search. They take 0.3 MB. */
const ACTIVE_LISTED = 1_000;

async function Tokens() {
  await requireSignedIn("/tokens");
  const [{ active, usage, ...others }, templates] = await Promise.all([
    readListedTokens({ tokens: getTokens, usage: getUsage }, ACTIVE_LISTED),
    read(getTemplates, { returns: z.array(Slug) }),
  ]);
  const now = new Date();
  const usageOf = (id: string) => {
    const known = usage.get(id);
    return known ? packUsage(known) : null;
  };
  return (
    <>
      <PageHeader
        title="Tokens"
        lead="A token lets a program render pictures. Create one for each program, so that you can revoke them separately."
      />
      <OwnTokens
        active={active.map((token) => ({
          ...token,
          usage: usageOf(token.id),
          idle: idleReason(token, now),
        }))}
        {...others}
        template={templates[0]?.slug ?? "your/template"}
        origin={serviceOrigin()}
      />
    </>
  );
}

export default page(Tokens);
