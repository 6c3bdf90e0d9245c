import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { linkPath } from "#lib/links/sign-link.ts";
import { KEY, LINK_KEYS, OTHER_KEY } from "../links/links.ts";

/** Runs `npm run link` without npm. @returns what it printed, and its exit code */
function link(
  args: string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string | Buffer } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/link.ts", ...args], {
    env: { ...process.env, SERVICE_LINK_KEYS: LINK_KEYS, PORT: "4000", ...env },
    input,
    encoding: "utf8",
  });
  return { status, output: stdout.trim(), complaint: stderr };
}

const DATA = { quote: "Less is more." };

it("prints a link that is signed with the first key, for this machine or the public origin", () => {
  const path = linkPath({ template: "social/quote", data: DATA, fallback: "book" }, KEY);
  const args = ["social/quote", "--data", JSON.stringify(DATA), "--fallback", "book"];
  expect(link(args)).toEqual({ status: 0, output: `http://localhost:4000${path}`, complaint: "" });
  const env = { SERVICE_PUBLIC_ORIGIN: "https://cards.example.org" };
  expect(link(args, { env }).output).toBe(`https://cards.example.org${path}`);
});

it("takes another key and origin, a variant, and edits from standard input", () => {
  const path = linkPath({ template: "social/quote", variant: "book", data: DATA }, OTHER_KEY);
  const args = ["social/quote", "--variant", "book", "--data", "-", "--key", "mail", "--origin", "https://a.example"];
  expect(link(args, { input: JSON.stringify(DATA) }).output).toBe(`https://a.example${path}`);
});

it.each([
  ["90m", 90 * 60],
  ["12h", 12 * 3_600],
  ["30d", 30 * 86_400],
  ["2099-01-31T12:00Z", Date.parse("2099-01-31T12:00Z") / 1_000 - Date.now() / 1_000],
])("signs the expiry %s", (text, seconds) => {
  const { output } = link(["social/quote", "--expires", text, "--unchecked"]);
  const payload = output.split("/").at(-1)?.slice(0, -".png".length) ?? "";
  const { expires } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { expires: number };
  // Starting the command takes time.
  expect(Math.abs(expires - (Date.now() / 1_000 + seconds))).toBeLessThan(120);
});

it.each<[string, string[], Record<string, string>, RegExp]>([
  ["no template", [], {}, /npm run link -- <template>/],
  ["an unknown option", ["social/quote", "--expire", "1d"], {}, /^Unknown option '--expire'/],
  ["an expiry in the past", ["social/quote", "--expires", "2020-01-01"], {}, /want a time to come/],
  ["an expiry that is no time", ["social/quote", "--expires", "soon"], {}, /want a time to come/],
  ["an unknown key", ["social/quote", "--key", "none"], {}, /^Got --key "none", want "web" or "mail"\.$/m],
  ["no keys", ["social/quote"], { SERVICE_LINK_KEYS: "" }, /^SERVICE_LINK_KEYS is not set/],
  [
    "faulty keys",
    ["social/quote"],
    { SERVICE_LINK_KEYS: "web:short" },
    /SERVICE_LINK_KEYS: got a secret of 5 characters/,
  ],
  ["data that is no JSON", ["social/quote", "--data", "{"], {}, /^Got --data that is not JSON/],
  [
    "data with a key twice",
    ["social/quote", "--data", '{"quote":"a","quote":"b"}'],
    {},
    /refuses:\n\/quote Got this key/,
  ],
  ["half a character", ["social/quote", "--data", '{"quote":"\\ud800"}'], {}, /\/quote Got half of a surrogate pair/],
  ["too much data", ["social/quote", "--data", `{"quote":"${"x".repeat(7_000)}"}`], {}, /want at most 8192: shorten/],
])("refuses %s in a few words", (name, args, env, reason) => {
  const { status, output, complaint } = link(args, { env });
  expect([status, output]).toEqual([name === "faulty keys" ? 1 : 2, ""]);
  expect(complaint).toMatch(reason);
  expect(complaint).not.toMatch(/^ {4}at /m);
});

it("refuses what its templates refuse, with every fault at once", () => {
  const data = JSON.stringify({ qoute: "Less is more.", accent: "redd" });
  const args = ["social/quote", "--variant", "bok", "--fallback", "nothing", "--data", data];
  const { status, output, complaint } = link(args);
  expect([status, output]).toEqual([2, ""]);
  expect(complaint.split("\n").slice(0, -1)).toEqual([
    "The link is not signed:",
    expect.stringMatching(
      /^ {2}--variant: "social\/quote" has no variant "bok"\. Did you mean "book"\? Want "book" or /,
    ),
    expect.stringMatching(/^ {2}--fallback: "social\/quote" has no variant "nothing"\. Want "book" or /),
    '  --data: /data/qoute Unknown field "qoute". Did you mean "quote"?',
    '  --data: /data/accent Got "redd", want a hex colour such as #1d4ed8.',
    "Correct it, or sign it with --unchecked for a service with other templates.",
  ]);
});

it("takes edits with the byte order mark of an editor, and none in another encoding", () => {
  const args = ["social/quote", "--data", "-"];
  const path = linkPath({ template: "social/quote", data: DATA }, KEY);
  expect(link(args, { input: `\ufeff${JSON.stringify(DATA)}` }).output).toBe(`http://localhost:4000${path}`);
  const latin = link(args, { input: Buffer.from('{"quote":"Grüße"}', "latin1") });
  expect(latin).toMatchObject({ status: 2, output: "", complaint: expect.stringContaining("Save it as UTF-8.") });
});

it("signs what its templates do not have for another service only when told to", () => {
  const { status, complaint } = link(["socal/quote"]);
  expect(status).toBe(2);
  expect(complaint).toContain('There is no template "socal/quote". Did you mean "social/quote"?');
  const path = linkPath({ template: "socal/quote" }, KEY);
  expect(link(["socal/quote", "--unchecked"]).output).toBe(`http://localhost:4000${path}`);
  const env = { SERVICE_TEMPLATES_DIR: "/nowhere" };
  expect(link(["social/quote"], { env }).complaint).toContain("SERVICE_TEMPLATES_DIR does not name a folder");
  expect(link(["social/quote", "--unchecked"], { env }).status).toBe(0);
});

it("does not look at addresses of images, which the service may accept", () => {
  const args = (picture: unknown) => ["commerce/product", "--data", JSON.stringify({ picture })];
  const src = "https://images.example.org/kettle.png";
  expect(link(args(src)).complaint).toBe("");
  expect(link(args({ src, zoom: 2 })).complaint).toBe("");
  expect(link(args({ src, zom: 2 })).complaint).toContain("--data: /data/picture");
  expect(link(args("kettle.png")).complaint).toContain("--data: /data/picture");
});
