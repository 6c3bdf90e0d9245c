import { z } from "zod";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { Token, TokenUsage } from "#lib/schemas/token.ts";
import { GET as getTemplates } from "../../api/service/templates/route.ts";
import { GET as getTokens } from "../../api/service/tokens/route.ts";
import { GET as getUsage } from "../../api/service/tokens/usage/route.ts";
import { requireSignedIn } from "../../ui/guards.ts";
import { knownOrigin } from "../../ui/known-origin.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { read } from "../../ui/read.ts";
import { page, pageMetadata } from "../../ui/serve-page.tsx";
import { packUsage } from "./token.ts";
import { TokenDesk } from "./token-desk.tsx";

/** Guarded as the page is: the title of a page that is nobody's would be told to everyone. */
export const generateMetadata = pageMetadata(async () => {
  await requireSignedIn("/tokens");
  return { title: "Tokens" };
});

/** The slug alone: the rest of three hundred templates is nothing to this page. */
const Slug = TemplateSummary.pick({ slug: true });

async function Tokens() {
  await requireSignedIn("/tokens");
  const [tokens, usage, templates] = await Promise.all([
    read(getTokens, { returns: z.array(Token) }),
    read(getUsage, { returns: z.array(TokenUsage) }),
    read(getTemplates, { returns: z.array(Slug) }),
  ]);
  const usageOf = new Map(usage.map(({ tokenId, ...rest }) => [tokenId, packUsage(rest)]));
  return (
    <>
      <PageHeader
        title="Tokens"
        lead="A token lets a program of yours render pictures without you. Give each program its own, so that one can be revoked alone."
      />
      <TokenDesk
        tokens={tokens.map((token) => ({ ...token, usage: usageOf.get(token.id) ?? null }))}
        template={templates[0]?.slug ?? "your/template"}
        origin={knownOrigin()}
      />
    </>
  );
}

export default page(Tokens);
