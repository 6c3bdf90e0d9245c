"use client";

import { useRef, useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RevokedTokens } from "../../ui/revoked-tokens.tsx";
import { useRefresh } from "../../ui/use-refresh.ts";
import { type CallFacts, FirstCall } from "./first-call.tsx";
import { NewToken } from "./new-token.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import type { UsedToken } from "./token.ts";
import { TokenList } from "./token-list.tsx";

type TokenDeskProps = CallFacts & { tokens: UsedToken[] };

/** What a token is for, to someone who has none. */
function NoToken(call: CallFacts) {
  return (
    <EmptyState
      title="No program renders for you yet"
      action={
        <div className="w-full max-w-3xl">
          <FirstCall token="$PLATEN_TOKEN" {...call} />
        </div>
      }
    >
      Scripts, build jobs and other services cannot sign in: they send a token. Create one, put it into{" "}
      <code className="font-mono text-ink text-sm">PLATEN_TOKEN</code>, and this call makes their first picture.
    </EmptyState>
  );
}

/** Everything about one's own tokens. */
export function TokenDesk({ tokens, ...call }: TokenDeskProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const refresh = useRefresh(heading);
  const [revoking, setRevoking] = useState<UsedToken | null>(null);
  // The list comes a moment after the first token, and by then nobody has to be told what one is for.
  const [hasMade, setMade] = useState(false);
  const active = tokens.filter(({ revokedAt }) => revokedAt === null);
  const revoked = tokens.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <div className="flex flex-col gap-10">
      <NewToken
        {...call}
        onCreated={() => {
          setMade(true);
          refresh();
        }}
      />
      {active.length === 0 && !hasMade && <NoToken {...call} />}
      {active.length > 0 && <TokenList tokens={active} heading={heading} onRevoke={setRevoking} />}
      {revoked.length > 0 && <RevokedTokens tokens={revoked} />}
      <RevokeDialog token={revoking} onClose={() => setRevoking(null)} onRevoked={refresh} />
    </div>
  );
}
