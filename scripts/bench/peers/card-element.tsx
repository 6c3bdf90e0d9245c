import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReactElement } from "react";
import type { Card } from "./card.ts";

const fontDir = process.env.BENCH_FONT_DIR ?? "";
const font = (file: string) => readFileSync(join(fontDir, file));

/** The font family that the browsers use too. */
export const FONTS = [
  { name: "Inter", weight: 400 as const, style: "normal" as const, data: font("400Regular/Inter_400Regular.ttf") },
  { name: "Inter", weight: 700 as const, style: "normal" as const, data: font("700Bold/Inter_700Bold.ttf") },
];

const FILL = { display: "flex", flexDirection: "column", width: "100%", height: "100%", fontFamily: "Inter" } as const;

function gradient(title: string): ReactElement {
  const background = "linear-gradient(135deg, #1d4ed8, #9333ea 50%, #f97316)";
  const panel = { marginTop: 40, width: 420, height: 110, borderRadius: 24, background: "#fff" };
  return (
    <div style={{ ...FILL, padding: 80, color: "#fff", backgroundImage: background }}>
      <div style={{ fontSize: 84, fontWeight: 700, lineHeight: 1.1, textShadow: "0 6px 24px rgba(0, 0, 0, .45)" }}>
        {title}
      </div>
      <div style={{ fontSize: 36, marginTop: 36 }}>Somebody wrote this, and means it.</div>
      <div style={{ ...panel, boxShadow: "0 24px 60px rgba(0, 0, 0, .5)" }} />
    </div>
  );
}

function flat(title: string): ReactElement {
  const frame = {
    padding: 60,
    border: "16px solid #b08d3c",
    background: "#fffdf5",
    color: "#222",
    alignItems: "center",
  } as const;
  return (
    <div style={{ ...FILL, ...frame }}>
      <div style={{ fontSize: 72, fontWeight: 700, marginTop: 60 }}>{title}</div>
      <div style={{ fontSize: 36, marginTop: 36 }}>Somebody wrote this, and means it.</div>
    </div>
  );
}

/** The card as elements, for the routes that have no browser. */
export function elementOf({ name, title }: Card): ReactElement {
  return name === "gradient" ? gradient(title) : flat(title);
}
