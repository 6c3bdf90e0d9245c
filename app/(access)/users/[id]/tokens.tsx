import type { z } from "zod";
import type { Token as TokenSchema } from "#lib/schemas/token.ts";
import type { TokenUsage } from "#lib/schemas/usage.ts";
import { Table } from "../../../ui/table.tsx";
import { Cell } from "../../../ui/table-cell.tsx";
import { Row } from "../../../ui/table-row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { UsageChart } from "../../../ui/usage-chart.tsx";
import { RevokeToken } from "./revoke-token.tsx";

type Token = z.output<typeof TokenSchema>;
type Usage = z.output<typeof TokenUsage>;

function TokenName({ name, tokenPrefix }: Pick<Token, "name" | "tokenPrefix">) {
  return (
    <Cell className="max-sm:mb-1">
      <span className="font-medium max-sm:text-lg">{name}</span>
      <code className="block font-mono text-soft text-xs max-sm:basis-full">{tokenPrefix}…</code>
    </Cell>
  );
}

function LiveTokens({ tokens, usage, userName }: { tokens: Token[]; usage: Usage[]; userName: string }) {
  return (
    <Table caption="Tokens that work" columns={["Name", "Created", "Last used", "Renders in 30 days", ""]}>
      {tokens.map((token) => {
        const used = usage.find(({ tokenId }) => tokenId === token.id);
        return (
          <Row key={token.id}>
            <TokenName {...token} />
            <Cell label="Created">
              <TimeAgo moment={token.createdAt} />
            </Cell>
            <Cell label="Last used">
              <TimeAgo moment={token.lastUsedAt} />
            </Cell>
            <Cell label="Renders in 30 days">
              {used ? <UsageChart {...used} /> : <span className="text-soft">none</span>}
            </Cell>
            <Cell className="max-sm:mt-2 sm:text-right">
              <RevokeToken id={token.id} name={token.name} prefix={token.tokenPrefix} userName={userName} />
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

function RevokedTokens({ tokens }: { tokens: Token[] }) {
  return (
    <details className="mt-6">
      <summary className="cursor-pointer text-soft text-sm hover:text-ink">{tokens.length} revoked</summary>
      <div className="mt-3">
        <Table caption="Revoked tokens" columns={["Name", "Created", "Last used", "Revoked"]}>
          {tokens.map((token) => (
            <Row key={token.id} isFaded>
              <TokenName {...token} />
              <Cell label="Created">
                <TimeAgo moment={token.createdAt} />
              </Cell>
              <Cell label="Last used">
                <TimeAgo moment={token.lastUsedAt} />
              </Cell>
              <Cell label="Revoked">
                <TimeAgo moment={token.revokedAt} />
              </Cell>
            </Row>
          ))}
        </Table>
      </div>
    </details>
  );
}

type TokensProps = { tokens: Token[]; usage: Usage[]; userName: string; isViewer: boolean };

/** Somebody's tokens: those that work with what they have rendered, and those that are revoked folded away. */
export function Tokens({ tokens, usage, userName, isViewer }: TokensProps) {
  const live = tokens.filter(({ revokedAt }) => revokedAt === null);
  const revoked = tokens.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <>
      {live.length === 0 ? (
        <p className="text-soft">
          {isViewer
            ? "You have no token that works. You make them under Tokens."
            : "No token of theirs works. They make tokens for themselves, under Tokens."}
        </p>
      ) : (
        <LiveTokens tokens={live} usage={usage} userName={userName} />
      )}
      {revoked.length > 0 && <RevokedTokens tokens={revoked} />}
    </>
  );
}
