"use client";

import { type RefObject, useState } from "react";
import { Button } from "../../ui/form/button.tsx";
import { Switch } from "../../ui/form/switch.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { LiveTokens } from "./token-table.tsx";
import { findTokens, type UsedToken, unpackUsage } from "./token-usage.ts";

type TokenListProps = {
  /** Without the revoked ones. */
  tokens: UsedToken[];
  /** How many tokens are left out, between the newest and the oldest. */
  hiddenCount: number;
  heading: RefObject<HTMLHeadingElement | null>;
  onRevoke: (token: UsedToken) => void;
};

/** The shortest list that has a search. */
const SEARCH_MIN_TOKENS = 8;

/** How many rows are added at a time. */
const BATCH_ROWS = 50;

function RevokeButton({ token, onRevoke }: { token: UsedToken; onRevoke: (token: UsedToken) => void }) {
  const { name, tokenPrefix } = token;
  return (
    <Button size="small" onClick={() => onRevoke(token)} aria-label={`Revoke “${name}”, ${tokenPrefix}…`}>
      Revoke
    </Button>
  );
}

/** The tokens that are not revoked, newest first, with a search when there are many. */
export function TokenList({ tokens, hiddenCount, heading, onRevoke }: TokenListProps) {
  const [text, setText] = useState("");
  const [wantsIdle, setWantsIdle] = useState(false);
  const [limit, setLimit] = useState(BATCH_ROWS);
  const idleCount = tokens.filter(({ idle }) => idle !== null).length;
  // The filter has gone when the last unused token was revoked.
  const showsIdle = wantsIdle && idleCount > 0;
  const found = findTokens(tokens, text).filter(({ idle }) => !showsIdle || idle !== null);
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
          {tokens.length === 1 ? "1 token" : `${tokens.length + hiddenCount} tokens`}
        </h2>
        {tokens.length >= SEARCH_MIN_TOKENS && (
          <TextField
            label="Search tokens"
            hidesLabel
            type="search"
            placeholder="Name or prefix"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="w-full sm:w-72"
          />
        )}
      </div>
      {idleCount > 0 && (
        <Switch
          label={`Only tokens that are not in use (${idleCount})`}
          checked={wantsIdle}
          onCheckedChange={setWantsIdle}
        />
      )}
      {found.length > 0 && (
        <LiveTokens
          caption="Your tokens"
          tokens={shown}
          usageOf={({ usage }) => usage && unpackUsage(usage)}
          idleReasonOf={({ idle }) => idle}
          revokeButton={(token) => <RevokeButton token={token} onRevoke={onRevoke} />}
        />
      )}
      {hiddenCount > 0 && (
        <p className="text-soft text-sm">
          Only the {tokens.length / 2} newest and the {tokens.length / 2} oldest are listed and searched.{" "}
          <code className="font-mono">GET /api/service/tokens</code> has all of them.
        </p>
      )}
      <p role="status" className="text-soft text-sm">
        {(text !== "" || showsIdle) && (found.length === 0 ? "No token matches." : `${found.length} found`)}
      </p>
      {found.length > shown.length && (
        <div>
          <Button onClick={() => setLimit(limit + BATCH_ROWS)}>
            Show {Math.min(BATCH_ROWS, found.length - shown.length)} more of {found.length}
          </Button>
        </div>
      )}
    </section>
  );
}
