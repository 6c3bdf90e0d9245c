import { PassThrough } from "node:stream";
import { beforeEach, expect, it, vi } from "vitest";
import { askNewPassword, confirmDeletion } from "#scripts/users/ask.ts";

const PASSWORD = "typed on a terminal";

/** Somebody at a keyboard. */
function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
  });
  return { input, output, shown: () => shown };
}

// Without one, what runs the tests decides whether there is a backspace.
beforeEach(() => void vi.stubEnv("TERM", "xterm"));

it("a password is asked for twice, and never shown", async () => {
  const { input, output, shown } = terminal();
  const answer = askNewPassword({ input, output });
  input.write(`${PASSWORD}\r`);
  await expect.poll(shown).toContain("Once more: ");
  input.write(`${PASSWORD}x\u007f\r`);
  expect(await answer).toBe(PASSWORD);
  expect(shown()).toBe("Password: \nOnce more: \n");
});

it("two passwords that differ are none", async () => {
  const { input, output } = terminal();
  const answer = askNewPassword({ input, output });
  input.write(`${PASSWORD}\r${PASSWORD}!\r`);
  await expect(answer).rejects.toThrow("differ");
});

it.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("%s is a way out", async (_, key) => {
  const { input, output } = terminal();
  const answer = askNewPassword({ input, output });
  input.write(key);
  await expect(answer).rejects.toThrow("nothing was done");
});

it("a deletion goes on only when the email is typed", async () => {
  const asking = terminal();
  const answer = confirmDeletion(asking, "ada@example.com");
  asking.input.write("Ada@example.com\r");
  await answer;
  const other = terminal();
  const refused = confirmDeletion(other, "ada@example.com");
  other.input.write("yes\r");
  await expect(refused).rejects.toThrow("nothing was done");
});
