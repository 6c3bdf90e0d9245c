import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import "./style.css";

export const metadata: Metadata = {
  title: { default: "Platen", template: "%s · Platen" },
  description: "A template and a few edits in, a PNG out.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
