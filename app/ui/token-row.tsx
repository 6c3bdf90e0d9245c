import type { ReactNode } from "react";
import type { z } from "zod";
import type { Token } from "#lib/schemas/token.ts";
import { Cell } from "./table-cell.tsx";
import { Row } from "./table-row.tsx";
import { TimeAgo } from "./time-ago.tsx";

export type ShownToken = z.output<typeof Token>;

/** The columns that every table of tokens begins with. */
export const TOKEN_COLUMNS = ["Name", "Created", "Last used"];

/** A token in a table: what every one has, and the cells of the table's own columns. */
export function TokenRow({ token, children }: { token: ShownToken; children: ReactNode }) {
  const { name, tokenPrefix, createdAt, lastUsedAt, revokedAt } = token;
  return (
    <Row isFaded={revokedAt !== null}>
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
