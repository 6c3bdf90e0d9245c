"use client";

import { type RefObject, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { LiveTokens } from "../../ui/live-tokens.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { findTokens, type UsedToken, unpackUsage } from "./token.ts";

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

function RevokeButton({ token, onRevoke }: { token: UsedToken; onRevoke: (token: UsedToken) => void }) {
  const { name, tokenPrefix } = token;
  return (
    <Button size="small" onClick={() => onRevoke(token)} aria-label={`Revoke “${name}”, ${tokenPrefix}…`}>
      Revoke
    </Button>
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
        <LiveTokens
          caption="Your tokens"
          tokens={shown}
          usageOf={({ usage }) => usage && unpackUsage(usage)}
          revokeButton={(token) => <RevokeButton token={token} onRevoke={onRevoke} />}
        />
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
