import type { z } from "zod";
import type { TokenUsage } from "#lib/schemas/token.ts";
import { LiveTokens } from "../../../ui/live-tokens.tsx";
import { RevokedTokens } from "../../../ui/revoked-tokens.tsx";
import type { ShownToken } from "../../../ui/token-row.tsx";
import { RevokeToken } from "./revoke-token.tsx";

type Usage = z.output<typeof TokenUsage>;

type TokensProps = { tokens: ShownToken[]; usage: Usage[]; userName: string; isViewer: boolean };

/** Somebody's tokens: those that work with what they have rendered, and those that are revoked folded away. */
export function Tokens({ tokens, usage, userName, isViewer }: TokensProps) {
  const live = tokens.filter(({ revokedAt }) => revokedAt === null);
  const revoked = tokens.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <div className="flex flex-col gap-6">
      {live.length === 0 ? (
        <p className="text-soft">
          {isViewer
            ? "You have no token that works. You make them under Tokens."
            : "No token of theirs works. They make tokens for themselves, under Tokens."}
        </p>
      ) : (
        <LiveTokens
          caption="Tokens that work"
          tokens={live}
          usageOf={({ id }) => usage.find(({ tokenId }) => tokenId === id) ?? null}
          revokeButton={({ id, name, tokenPrefix }) => (
            <RevokeToken id={id} name={name} prefix={tokenPrefix} userName={userName} />
          )}
        />
      )}
      {revoked.length > 0 && <RevokedTokens tokens={revoked} />}
    </div>
  );
}
