import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { UsageError } from "../run-command.ts";

/** Where a command hears and speaks. */
export type Terminal = { input: NodeJS.ReadableStream & { isTTY?: boolean }; output: NodeJS.WritableStream };

/** Far more than the longest password, in bytes. */
const INPUT_BYTES = 4_096;

type Questions = Terminal & { questions: string[]; isSecret: boolean };

/**
 * Asks one question after the other. What is typed for a secret one is not shown.
 * @throws Error when nothing is answered: at the end of the input, or for Ctrl-C
 */
async function ask({ input, output, questions, isSecret }: Questions): Promise<string[]> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: isSecret ? silence : output, terminal: true, historySize: 0 });
  const typed = lines[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      output.write(question);
      const { done, value } = await typed.next();
      if (isSecret) output.write("\n");
      if (done) throw new Error("Nothing was answered, and nothing was done.");
      answers.push(value);
    }
    return answers;
  } finally {
    lines.close();
  }
}

async function readAll(input: NodeJS.ReadableStream): Promise<string> {
  const bytes = await buffer(input);
  if (bytes.length === 0) throw new Error("No password was given: standard input is empty.");
  if (bytes.length > INPUT_BYTES) throw new Error("Standard input is too long to be a password.");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch {
    throw new Error("The password on standard input is not UTF-8.");
  }
}

/** A new password: typed twice on a terminal, and otherwise all of standard input but one newline at its end. @throws Error */
export async function askNewPassword(terminal: Terminal): Promise<string> {
  if (!terminal.input.isTTY) return await readAll(terminal.input);
  const questions = ["Password: ", "Once more: "];
  const [password = "", again] = await ask({ ...terminal, questions, isSecret: true });
  if (password !== again) throw new Error("The two passwords differ, and nothing was done.");
  return password;
}

/** Makes sure that a user is meant to be deleted. @throws Error when not; UsageError when nobody can be asked */
export async function confirmDeletion(terminal: Terminal, email: string): Promise<void> {
  if (!terminal.input.isTTY) throw new UsageError("A deletion cannot be undone. Without a terminal it needs --yes.");
  const questions = [`This deletes ${email}, with all tokens, for good. Type the email to go on: `];
  const [answer] = await ask({ ...terminal, questions, isSecret: false });
  if (answer?.trim().toLowerCase() !== email) throw new Error("That is another email, and nothing was done.");
}
