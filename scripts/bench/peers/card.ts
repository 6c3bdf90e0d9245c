/** Every picture is 1200 by 630, as link previews are. */
export const SIZE = { width: 1200, height: 630 };

export type Card = { name: "gradient" | "flat"; title: string };

/** The content of a picture. Every request has another title, so that no response can be cached. */
export function cardOf(request: Request): Card {
  const { searchParams } = new URL(request.url);
  return { name: searchParams.get("card") === "flat" ? "flat" : "gradient", title: searchParams.get("title") ?? "" };
}

const GRADIENT_STYLE = `
  body { margin: 0; height: 630px; padding: 80px; box-sizing: border-box; color: #fff; font-family: Inter, sans-serif;
    background: linear-gradient(135deg, #1d4ed8, #9333ea 50%, #f97316); }
  h1 { margin: 0; font-size: 84px; line-height: 1.1; text-shadow: 0 6px 24px rgba(0, 0, 0, .45); }
  p { font-size: 36px; }
  div { margin-top: 40px; width: 420px; height: 110px; border-radius: 24px; background: #fff; box-shadow: 0 24px 60px rgba(0, 0, 0, .5); }`;

const FLAT_STYLE = `
  body { margin: 0; height: 630px; padding: 60px; box-sizing: border-box; color: #222; font-family: Inter, sans-serif;
    background: #fffdf5; border: 16px solid #b08d3c; text-align: center; }
  h1 { margin: 60px 0 0; font-size: 72px; }
  p { font-size: 36px; }
  div { display: none; }`;

/** The card as a page, for the routes that have a browser. */
export function htmlOf({ name, title }: Card): string {
  const style = name === "gradient" ? GRADIENT_STYLE : FLAT_STYLE;
  return `<!doctype html><style>${style}</style><body><h1>${title}</h1><p>Somebody wrote this, and means it.</p><div></div>`;
}
