import Link from "next/link";

export const metadata = { title: "Nothing here" };

export default function NotFound() {
  return (
    <main className="message">
      <p className="mark">Platen</p>
      <h1>There is nothing at this address.</h1>
      <p>
        <Link href="/">See the templates</Link>
      </p>
    </main>
  );
}
