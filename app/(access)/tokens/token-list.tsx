"use client";

import { type RefObject, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Table } from "../../ui/table.tsx";
import { Cell } from "../../ui/table-cell.tsx";
import { Row } from "../../ui/table-row.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { UsageChart } from "../../ui/usage-chart.tsx";
import { findTokens, type Usage, type UsedToken, unpackUsage } from "./token.ts";

type TokenListProps = {
  /** None of them revoked. */
  tokens: UsedToken[];
  heading: RefObject<HTMLHeadingElement | null>;
  onRevoke: (token: UsedToken) => void;
};

/** From how many on a list has a search. */
const SEARCHED_FROM = 8;

/** How many stand in the page at once. */
const ROWS_AT_ONCE = 50;

function Renders({ usage }: { usage: Usage | null }) {
  if (!usage) return <span className="text-soft">none</span>;
  return <UsageChart {...unpackUsage(usage)} />;
}

function TokenRow({ token, onRevoke }: { token: UsedToken; onRevoke: (token: UsedToken) => void }) {
  const { name, tokenPrefix, createdAt, lastUsedAt, usage } = token;
  return (
    <Row>
      <Cell>
        <span className="flex min-w-0 flex-col">
          <span className="font-medium">{name}</span>
          <span className="font-mono text-[0.8125rem] text-soft">{tokenPrefix}…</span>
        </span>
      </Cell>
      <Cell label="Created">
        <TimeAgo moment={createdAt} />
      </Cell>
      <Cell label="Last used">
        <TimeAgo moment={lastUsedAt} />
      </Cell>
      <Cell label="Renders in 30 days">
        <Renders usage={usage} />
      </Cell>
      <Cell className="sm:text-right">
        <Button size="small" onClick={() => onRevoke(token)} aria-label={`Revoke “${name}”, ${tokenPrefix}…`}>
          Revoke
        </Button>
      </Cell>
    </Row>
  );
}

/** The tokens that work, the newest first, with a search where there are many. */
export function TokenList({ tokens, heading, onRevoke }: TokenListProps) {
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(ROWS_AT_ONCE);
  const found = findTokens(tokens, text);
  const shown = found.slice(0, limit);
  return (
    <section aria-labelledby="active-tokens" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2
          ref={heading}
          id="active-tokens"
          tabIndex={-1}
          className="w-fit font-display font-semibold text-xl outline-offset-4"
        >
          {tokens.length === 1 ? "One token" : `${tokens.length} tokens`}
        </h2>
        {tokens.length >= SEARCHED_FROM && (
          <TextField
            label="Find a token"
            hidesLabel
            type="search"
            placeholder="Find by name or prefix"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="w-full sm:w-72"
          />
        )}
      </div>
      {found.length > 0 && (
        <Table caption="Your tokens" columns={["Name", "Created", "Last used", "Renders in 30 days", ""]}>
          {shown.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={onRevoke} />
          ))}
        </Table>
      )}
      <p role="status" className="text-soft text-sm">
        {text !== "" && (found.length === 0 ? "No token has that in its name or prefix." : `${found.length} found`)}
      </p>
      {found.length > shown.length && (
        <div>
          <Button onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
            Show {Math.min(ROWS_AT_ONCE, found.length - shown.length)} more of {found.length}
          </Button>
        </div>
      )}
    </section>
  );
}
