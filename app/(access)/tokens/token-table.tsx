import type { ComponentProps, ReactNode } from "react";
import type { z } from "zod";
import type { Token } from "#lib/schemas/token.ts";
import { Badge } from "../../ui/content/badge.tsx";
import { ChevronDown } from "../../ui/content/icons.tsx";
import { TimeAgo } from "../../ui/content/time-ago.tsx";
import { Cell, Row, Table } from "../../ui/table/table.tsx";
import { UsageChart } from "./usage-chart.tsx";

export type ShownToken = z.output<typeof Token>;

/** Whether a token still renders. */
function isLive({ revokedAt }: Pick<ShownToken, "revokedAt">): boolean {
  return revokedAt === null;
}

/** The first columns of every table of tokens. */
const TOKEN_COLUMNS = ["Name", "Created", "Last used"];

/** A row with the first columns; `children` are the cells of the others. */
function TokenRow({ token, children }: { token: ShownToken; children: ReactNode }) {
  const { name, tokenPrefix, createdAt, lastUsedAt } = token;
  return (
    <Row isFaded={!isLive(token)}>
      <Cell className="max-sm:mb-1">
        <span className="font-medium max-sm:text-lg">{name}</span>
        <code className="block font-mono text-[0.8125rem] text-soft max-sm:basis-full">{tokenPrefix}…</code>
      </Cell>
      <Cell label="Created">
        <TimeAgo moment={createdAt} />
      </Cell>
      <Cell label="Last used">
        <TimeAgo moment={lastUsedAt} />
      </Cell>
      {children}
    </Row>
  );
}

type LiveTokensProps<Live extends ShownToken> = {
  /** The accessible name of the table. */
  caption: string;
  /** Without the revoked ones. */
  tokens: Live[];
  /** The recent renders of a token; `null` for none. */
  usageOf: (token: Live) => ComponentProps<typeof UsageChart> | null;
  /** Why a token should be revoked if no program needs it; `null` for a token that is in use. */
  idleReasonOf: (token: Live) => string | null;
  /** The button that revokes a token. */
  revokeButton: (token: Live) => ReactNode;
};

/** The table of the tokens that are not revoked. */
export function LiveTokens<Live extends ShownToken>(props: LiveTokensProps<Live>) {
  const { caption, tokens, usageOf, idleReasonOf, revokeButton } = props;
  return (
    <Table caption={caption} columns={[...TOKEN_COLUMNS, "Renders in 30 days", ""]}>
      {tokens.map((token) => {
        const [usage, idle] = [usageOf(token), idleReasonOf(token)];
        return (
          <TokenRow key={token.id} token={token}>
            <Cell label="Renders in 30 days">
              {usage ? <UsageChart {...usage} /> : <span className="text-soft">none</span>}
            </Cell>
            <Cell className="max-sm:mt-2 sm:text-right">
              <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1.5 max-sm:flex-row-reverse">
                {idle !== null && <Badge tone="warn">{idle}</Badge>}
                {revokeButton(token)}
              </span>
            </Cell>
          </TokenRow>
        );
      })}
    </Table>
  );
}

type RevokedTokensProps = {
  /** The newest ones. */
  tokens: ShownToken[];
  /** How many there are. */
  total: number;
};

/** The newest revoked tokens, folded away. */
export function RevokedTokens({ tokens, total }: RevokedTokensProps) {
  return (
    <details className="group border-line border-t pt-4">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-2 text-[0.9375rem] text-soft hover:text-ink">
        <span className="-rotate-90 transition-transform group-open:rotate-0">
          <ChevronDown />
        </span>
        {total === 1 ? "1 revoked token" : `${total} revoked tokens`}
      </summary>
      <div className="pt-4">
        {total > tokens.length && <p className="pb-4 text-soft text-sm">The newest {tokens.length} are shown.</p>}
        <Table caption="Revoked tokens" columns={[...TOKEN_COLUMNS, "Revoked"]}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token}>
              <Cell label="Revoked">
                <TimeAgo moment={token.revokedAt} />
              </Cell>
            </TokenRow>
          ))}
        </Table>
      </div>
    </details>
  );
}
