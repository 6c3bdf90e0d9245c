import { bytesResponse } from "./answer.ts";

type Text = { text: string; contentType: "text/markdown" | "text/plain" };

/** Text in UTF-8. */
export function textResponse({ text, contentType }: Text): Response {
  return bytesResponse({ bytes: Buffer.from(text), headers: { "Content-Type": `${contentType}; charset=utf-8` } });
}
