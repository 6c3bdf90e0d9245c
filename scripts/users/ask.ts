import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { comparableEmail } from "#lib/schemas/user.ts";
import { UsageError } from "../run-command.ts";

/** Where questions are asked and answered. */
export type Dialogue = { input: NodeJS.ReadableStream & { isTTY?: boolean }; output: NodeJS.WritableStream };

/** The input and output of a command. */
export type Terminal = Dialogue & {
  /** Writes a part of a long result. @returns whether someone still reads it */
  print: (text: string) => Promise<boolean>;
};

/** Far more than the longest password. */
const INPUT_BYTES = 4_096;

type Questions = Dialogue & { questions: string[]; isSecret: boolean };

/**
 * Asks one question after the other. The answers to secret questions are not shown.
 * @throws Error at the end of the input and for Ctrl-C
 */
async function ask({ input, output, questions, isSecret }: Questions): Promise<string[]> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: isSecret ? discard : output, terminal: true, historySize: 0 });
  const typed = lines[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      output.write(question);
      const { done, value } = await typed.next();
      if (isSecret) output.write("\n");
      if (done) throw new Error("There was no answer. Nothing was changed.");
      answers.push(value);
    }
    return answers;
  } finally {
    lines.close();
  }
}

async function readAll(input: NodeJS.ReadableStream): Promise<string> {
  const bytes = await buffer(input);
  if (bytes.length === 0) throw new Error("Got no password: standard input is empty.");
  if (bytes.length > INPUT_BYTES)
    throw new Error(`Got ${bytes.length} bytes on standard input, want a password of at most ${INPUT_BYTES} bytes.`);
  const fault = new Error("The password on standard input is not valid UTF-8.");
  // UTF-16 has a NUL in every letter of English. No login can send one.
  if (bytes.includes(0)) throw fault;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch {
    throw fault;
  }
}

/** A store of passwords may print notes in further lines. @throws Error for them, because nobody could type a line break */
function requireOneLine(password: string): string {
  const lines = password.split(/\r\n|\r|\n/).length;
  if (lines === 1) return password;
  throw new Error(`Got ${lines} lines on standard input, want one with the password. Nothing was changed.`);
}

/**
 * A new password: typed twice on a terminal, otherwise the only line of standard input, without the byte order mark
 * that shells of Windows write before it: nobody could type that.
 * @throws Error
 */
export async function askNewPassword(terminal: Dialogue): Promise<string> {
  if (!terminal.input.isTTY) return requireOneLine(await readAll(terminal.input));
  const questions = ["Password: ", "Repeat password: "];
  const [password = "", again] = await ask({ ...terminal, questions, isSecret: true });
  if (password !== again) throw new Error("The two passwords differ. Nothing was changed.");
  return password;
}

/** Asks to confirm a deletion. @throws Error without confirmation; UsageError when there is no terminal */
export async function confirmDeletion(terminal: Dialogue, email: string): Promise<void> {
  if (!terminal.input.isTTY)
    throw new UsageError("A deletion cannot be undone. Without a terminal, confirm it with --yes.");
  const questions = [`This deletes ${email} and all of their tokens for good. Type the email to continue: `];
  const [answer] = await ask({ ...terminal, questions, isSecret: false });
  if (comparableEmail(answer ?? "") !== email) throw new Error("That is a different email. Nothing was changed.");
}
