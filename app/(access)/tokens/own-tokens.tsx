"use client";

import { useRef, useState } from "react";
import { TimeAgo } from "../../ui/content/time-ago.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useRefresh } from "../../ui/page/use-refresh.ts";
import type { ListedTokens } from "./listed-tokens.ts";
import { type CallFacts, FirstCall, NewToken } from "./new-token.tsx";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";
import { TokenList } from "./token-list.tsx";
import { RevokedTokens } from "./token-table.tsx";
import type { UsedToken } from "./token-usage.ts";
import { countRenders } from "./usage-chart.tsx";

type RevokeOwnTokenProps = {
  /** The token to revoke; `null` closes the dialog. */
  token: UsedToken | null;
  onClose: () => void;
  /** Called after the dialog has closed. */
  onRevoked: (token: UsedToken) => void;
};

/** What stops working. */
function Consequence({ token }: { token: UsedToken }) {
  if (token.lastUsedAt === null) return <p>It has never been used.</p>;
  return (
    <p>
      Programs that use it can no longer render. It was last used{" "}
      <strong className="font-semibold text-ink">
        <TimeAgo moment={token.lastUsedAt} />
      </strong>
      {token.usage && (
        <>
          , with <strong className="font-semibold text-ink">{countRenders(token.usage.total)}</strong> in the last 30
          days
        </>
      )}
      .
    </p>
  );
}

/** Asks for confirmation, and says how much the token is used. */
function RevokeOwnToken({ token, onClose, onRevoked }: RevokeOwnTokenProps) {
  // Keeps the text of the dialog while it fades out.
  const [asked, setAsked] = useState(token);
  if (token !== null && token !== asked) setAsked(token);
  if (asked === null) return null;
  return (
    <RevokeTokenDialog
      token={asked}
      isOpen={token !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onRevoked={() => onRevoked(asked)}
    >
      <div className="flex flex-col gap-3">
        <p className="font-mono text-ink text-sm">{asked.tokenPrefix}…</p>
        <Consequence token={asked} />
        <p>This cannot be undone.</p>
      </div>
    </RevokeTokenDialog>
  );
}

type OwnTokensProps = CallFacts & ListedTokens<UsedToken>;

/** Explains tokens to a reader who has none. */
function NoTokens(call: CallFacts) {
  return (
    <EmptyState
      title="No tokens yet"
      action={
        <div className="w-full max-w-3xl">
          <FirstCall token="$PLATEN_TOKEN" {...call} />
        </div>
      }
    >
      Scripts, build jobs and other services send a token instead of signing in. Create one, set{" "}
      <code className="font-mono text-ink text-sm">PLATEN_TOKEN</code> to it, and run this command to render a picture.
    </EmptyState>
  );
}

/** The tokens of the reader: creates, lists and revokes them. */
export function OwnTokens({ active, hiddenCount, revoked, ...call }: OwnTokensProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const update = useRefresh(heading);
  const [revoking, setRevoking] = useState<UsedToken | null>(null);
  // Hides the explanation at once: the list is refreshed later.
  const [hasCreated, setCreated] = useState(false);
  // Where the server has another version by now, a refresh loads the whole page anew, and a secret that is shown would be lost.
  const [isSecretShown, setSecretShown] = useState(false);
  const [revokedMeanwhile, setRevokedMeanwhile] = useState<string[]>([]);
  const listed = active.filter(({ id }) => !revokedMeanwhile.includes(id));
  const onRevoked = ({ id }: UsedToken) => {
    if (isSecretShown) update(() => setRevokedMeanwhile([...revokedMeanwhile, id]));
    else update();
  };
  return (
    <div className="flex flex-col gap-10">
      <NewToken
        {...call}
        onCreated={() => {
          setCreated(true);
          setSecretShown(true);
        }}
        onStored={() => {
          setSecretShown(false);
          update();
        }}
      />
      {listed.length === 0 && !hasCreated && <NoTokens {...call} />}
      {listed.length > 0 && (
        <TokenList tokens={listed} hiddenCount={hiddenCount} heading={heading} onRevoke={setRevoking} />
      )}
      {revoked.total > 0 && <RevokedTokens {...revoked} />}
      <RevokeOwnToken token={revoking} onClose={() => setRevoking(null)} onRevoked={onRevoked} />
    </div>
  );
}
