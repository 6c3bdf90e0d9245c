"use client";

/** What a page shows instead of itself when it failed. The reason is in the log, under the digest. */
export default function PageError({ error }: { error: Error & { digest?: string } }) {
  return (
    <main className="message">
      <p className="mark">Platen</p>
      <h1>Something went wrong on our side.</h1>
      <p>
        <a href="/">Start again</a>
        {error.digest && <span> · {error.digest}</span>}
      </p>
    </main>
  );
}
