import { describe, expect, it, vi } from "vitest";
import { rendering } from "#lib/render/render.ts";
import { PAYLOAD_CHARS } from "#lib/schemas/link-limits.ts";
import { base64url, CARD, expectNotFound, get, useLinks } from "./linked-card.ts";
import { KEY, linkTo, OTHER_KEY, signedAsIs } from "./links.ts";

useLinks();

describe("not found, without a picture drawn, is", () => {
  const link = linkTo(CARD);
  const [, id = "", signature = "", file = ""] = link.split("/");
  const payload = file.slice(0, -4);
  const json = Buffer.from(payload, "base64url").toString();
  /** The next character of base64url: the last one of a payload may have bits that no byte needs. */
  const next = (text: string) => {
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return text.slice(0, -1) + digits[digits.indexOf(text.at(-1) ?? "") + 1];
  };
  const odd = base64url('{"template":"small/card","variant":"plain"}');
  const fresh = (text: string) => signedAsIs(base64url(text));

  const LINKS: Record<string, string> = {
    "a forged payload": `links/${id}/${signature}/${base64url('{"template":"small/card"}')}.png`,
    "another signature": `links/${id}/${"A".repeat(43)}/${file}`,
    "a signature of the payload alone": `links/${id}/${linkTo(CARD, { ...KEY, id: "" }).split("/")[2]}/${file}`,
    "a cut signature": `links/${id}/${signature.slice(0, -1)}/${file}`,
    "a signature with other unused bits": `links/${id}/${next(signature)}/${file}`,
    "a signature with padding": `links/${id}/${signature}=/${file}`,
    "another key": `links/${OTHER_KEY.id}/${signature}/${file}`,
    "an unknown key": linkTo(CARD, { id: "none", secret: KEY.secret }),
    "a key in capitals": `links/WEB/${signature}/${file}`,
    "a cut payload": `links/${id}/${signature}/${payload.slice(0, -4)}.png`,
    "a payload with padding": `links/${id}/${signature}/${payload}==.png`,
    "a signed payload with padding": signedAsIs(`${odd}=`),
    "a signed payload with other unused bits": signedAsIs(next(odd)),
    "a signed payload in the other alphabet": signedAsIs(
      Buffer.from('{"data":{"title":"???>>>"},"template":"small/card"}').toString("base64").replaceAll("=", ""),
    ),
    "signed JSON with a space": fresh(json.replace(":", ": ")),
    "signed JSON with keys in another order": fresh('{"template":"small/card","data":{"title":"Linked"}}'),
    "signed JSON with a repeated key": fresh('{"template":"small/card","template":"small/card"}'),
    "signed JSON with an escape that is not needed": fresh(json.replace("Linked", "\\u004cinked")),
    "signed JSON with another spelling of a number": fresh('{"expires":4102444800.0,"template":"small/card"}'),
    "signed JSON after a byte order mark": fresh(`\ufeff${json}`),
    "signed text that is not JSON": fresh("{"),
    "signed bytes that are not UTF-8": signedAsIs(Buffer.from('{"template":"\xff"}', "latin1").toString("base64url")),
    "a path with percent-encoding": link.replace("links/web", "links/%77eb"),
    "a payload with percent-encoding": link.replace(
      payload,
      `%${payload.charCodeAt(0).toString(16)}${payload.slice(1)}`,
    ),
    "a query": `${link}?width=1`,
    "an empty query": `${link}?`,
    "a slash at the end": `${link}/`,
    "another ending": link.replace(".png", ".PNG"),
    "two endings": `${link}.png`,
    "no ending": link.slice(0, -4),
    "one more segment": `links/${link.slice(6)}/x`,
    "a payload that is too long": signedAsIs("A".repeat(PAYLOAD_CHARS + 4)),
    "an expired link": linkTo({ ...CARD, expires: 1 }),
  };

  it.each(Object.entries(LINKS))("%s", async (_name, path) => {
    expect(path).not.toBe(link);
    const render = vi.spyOn(rendering.get(), "render");
    await expectNotFound(await get(path));
    await expectNotFound(await get(path, { "if-none-match": "*" }));
    expect(render).not.toHaveBeenCalled();
  });

  it("and the link itself is found", async () => {
    expect((await get(link)).status).toBe(200);
    // The last character of this payload has unused bits.
    expect((await get(signedAsIs(odd))).status).toBe(200);
  });
});
