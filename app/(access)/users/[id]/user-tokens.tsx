import type { z } from "zod";
import type { TokenUsage } from "#lib/schemas/token.ts";
import { Section } from "../../../ui/page/page-layout.tsx";
import { idleReason } from "../../tokens/idle.ts";
import type { ListedTokens } from "../../tokens/listed-tokens.ts";
import { LiveTokens, RevokedTokens, type ShownToken } from "../../tokens/token-table.tsx";
import { RevokeToken } from "./revoke-token.tsx";

type Usage = z.output<typeof TokenUsage>;

type UserTokensProps = ListedTokens<ShownToken> & { usage: Map<string, Usage>; isViewer: boolean };

const HEADING_ID = "tokens";

/** The tokens of a user, and their usage. */
export function UserTokens({ active, hiddenCount, revoked, usage, isViewer }: UserTokensProps) {
  const now = new Date();
  const live = active.map((token) => ({ ...token, idle: idleReason(token, now) }));
  // Tokens that may be revoked come first: there may be many, in no other order than their age.
  const sorted = [...live.filter(({ idle }) => idle !== null), ...live.filter(({ idle }) => idle === null)];
  return (
    <Section
      id={HEADING_ID}
      title="Tokens"
      lead="Tokens that the user's programs render with, first those that are not in use. A token is shown only when it is created."
    >
      <div className="flex flex-col gap-6">
        {live.length === 0 ? (
          <p className="text-soft">
            {isViewer
              ? "You have no active token. Create one on the Tokens page."
              : "No active tokens. Users create their own on the Tokens page."}
          </p>
        ) : (
          <LiveTokens
            caption="Active tokens"
            tokens={sorted}
            usageOf={({ id }) => usage.get(id) ?? null}
            idleReasonOf={({ idle }) => idle}
            revokeButton={({ id, name, tokenPrefix }) => (
              <RevokeToken token={{ id, name, tokenPrefix }} headingId={HEADING_ID} />
            )}
          />
        )}
        {hiddenCount > 0 && (
          <p className="text-soft text-sm">
            Only the {active.length / 2} newest and the {active.length / 2} oldest of {active.length + hiddenCount} are
            listed.
          </p>
        )}
        {revoked.total > 0 && <RevokedTokens {...revoked} />}
      </div>
    </Section>
  );
}
