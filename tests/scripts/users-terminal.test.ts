import { PassThrough } from "node:stream";
import { beforeEach, expect, it, vi } from "vitest";
import { askNewPassword, confirmDeletion } from "#scripts/users/ask.ts";
import { table } from "#scripts/users/table.ts";

const PASSWORD = "typed on a terminal";

/** A terminal whose input the test types. */
function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
  });
  return { input, output, shown: () => shown };
}

// The terminal type decides whether backspace works.
beforeEach(() => void vi.stubEnv("TERM", "xterm"));

it("a password is asked for twice, and never shown", async () => {
  const { input, output, shown } = terminal();
  const answer = askNewPassword({ input, output });
  input.write(`${PASSWORD}\r`);
  await expect.poll(shown).toContain("Repeat password: ");
  input.write(`${PASSWORD}x\u007f\r`);
  expect(await answer).toBe(PASSWORD);
  expect(shown()).toBe("Password: \nRepeat password: \n");
});

it("two different passwords are refused", async () => {
  const { input, output } = terminal();
  const answer = askNewPassword({ input, output });
  input.write(`${PASSWORD}\r${PASSWORD}!\r`);
  await expect(answer).rejects.toThrow("differ");
});

it("a password from a pipe has neither the byte order mark before it nor the newline after it", async () => {
  const input = new PassThrough();
  input.end(`\ufeff${PASSWORD}\r\n`);
  expect(await askNewPassword({ input, output: new PassThrough() })).toBe(PASSWORD);
});

it.each(["\n", "\r\n", "\r"])("a password from a pipe with a second line after %j is refused", async (lineBreak) => {
  const input = new PassThrough();
  input.end(`${PASSWORD}${lineBreak}from a store of passwords\n`);
  await expect(askNewPassword({ input, output: new PassThrough() })).rejects.toThrow("Got 2 lines on standard input");
});

it.each(["utf16le", "latin1"] as const)("a password from a pipe in %s is refused", async (encoding) => {
  const input = new PassThrough();
  input.end(Buffer.from(`${PASSWORD}é`, encoding));
  await expect(askNewPassword({ input, output: new PassThrough() })).rejects.toThrow("not valid UTF-8");
});

it.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("%s cancels", async (_, key) => {
  const { input, output } = terminal();
  const answer = askNewPassword({ input, output });
  input.write(key);
  await expect(answer).rejects.toThrow("Nothing was changed");
});

it("a deletion needs the typed email", async () => {
  const asking = terminal();
  const answer = confirmDeletion(asking, "ada@example.com");
  asking.input.write("Ada@example.com\r");
  await answer;
  const other = terminal();
  const refused = confirmDeletion(other, "ada@example.com");
  other.input.write("yes\r");
  await expect(refused).rejects.toThrow("Nothing was changed");
});

it("a table has columns as wide as their longest cell, for any number of rows", () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => [`${at}@example.com`, "user"]);
  const lines = table(["EMAIL", "ROLE"], rows).split("\n");
  expect(lines).toHaveLength(200_001);
  expect(lines[0]).toBe("EMAIL               ROLE");
  expect(lines.at(-1)).toBe("199999@example.com  user");
});
