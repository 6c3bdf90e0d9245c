"use client";

import { ChevronDown } from "../../ui/icons.tsx";
import { Table } from "../../ui/table.tsx";
import { Cell } from "../../ui/table-cell.tsx";
import { Row } from "../../ui/table-row.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import type { UsedToken } from "./token.ts";

/** The tokens that ended, for whoever wonders what an old prefix was. */
export function RevokedTokens({ tokens }: { tokens: UsedToken[] }) {
  return (
    <details className="group border-line border-t pt-4">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-2 text-[0.9375rem] text-soft hover:text-ink">
        <span className="-rotate-90 transition-transform group-open:rotate-0">
          <ChevronDown />
        </span>
        {tokens.length === 1 ? "One revoked token" : `${tokens.length} revoked tokens`}
      </summary>
      <div className="pt-4">
        <Table caption="Revoked tokens" columns={["Name", "Created", "Last used", "Revoked"]}>
          {tokens.map(({ id, name, tokenPrefix, createdAt, lastUsedAt, revokedAt }) => (
            <Row key={id} isFaded>
              <Cell>
                <span className="flex min-w-0 flex-col">
                  <span className="font-medium">{name}</span>
                  <span className="font-mono text-[0.8125rem]">{tokenPrefix}…</span>
                </span>
              </Cell>
              <Cell label="Created">
                <TimeAgo moment={createdAt} />
              </Cell>
              <Cell label="Last used">
                <TimeAgo moment={lastUsedAt} />
              </Cell>
              <Cell label="Revoked">
                <TimeAgo moment={revokedAt} />
              </Cell>
            </Row>
          ))}
        </Table>
      </div>
    </details>
  );
}
