import { ChevronDown } from "./icons.tsx";
import { Table } from "./table.tsx";
import { Cell } from "./table-cell.tsx";
import { TimeAgo } from "./time-ago.tsx";
import { type ShownToken, TOKEN_COLUMNS, TokenRow } from "./token-row.tsx";

/** The tokens that ended, for whoever wonders what an old prefix was. */
export function RevokedTokens({ tokens }: { tokens: ShownToken[] }) {
  return (
    <details className="group border-line border-t pt-4">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-2 text-[0.9375rem] text-soft hover:text-ink">
        <span className="-rotate-90 transition-transform group-open:rotate-0">
          <ChevronDown />
        </span>
        {tokens.length === 1 ? "One revoked token" : `${tokens.length} revoked tokens`}
      </summary>
      <div className="pt-4">
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
