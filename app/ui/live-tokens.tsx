import type { ComponentProps, ReactNode } from "react";
import { Table } from "./table.tsx";
import { Cell } from "./table-cell.tsx";
import { type ShownToken, TOKEN_COLUMNS, TokenRow } from "./token-row.tsx";
import { UsageChart } from "./usage-chart.tsx";

type LiveTokensProps<Live extends ShownToken> = {
  /** Whose they are, to screen readers. */
  caption: string;
  /** None of them revoked. */
  tokens: Live[];
  /** What one has rendered lately; null for nothing. */
  usageOf: (token: Live) => ComponentProps<typeof UsageChart> | null;
  /** The button that revokes one. */
  revokeButton: (token: Live) => ReactNode;
};

/** The tokens that work, with what they have rendered. */
export function LiveTokens<Live extends ShownToken>({ caption, tokens, usageOf, revokeButton }: LiveTokensProps<Live>) {
  return (
    <Table caption={caption} columns={[...TOKEN_COLUMNS, "Renders in 30 days", ""]}>
      {tokens.map((token) => {
        const usage = usageOf(token);
        return (
          <TokenRow key={token.id} token={token}>
            <Cell label="Renders in 30 days">
              {usage ? <UsageChart {...usage} /> : <span className="text-soft">none</span>}
            </Cell>
            <Cell className="max-sm:mt-2 sm:text-right">{revokeButton(token)}</Cell>
          </TokenRow>
        );
      })}
    </Table>
  );
}
