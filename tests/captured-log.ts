import { Writable } from "node:stream";
import pino, { type Logger } from "pino";
import { onTestFinished } from "vitest";

const LOG = Symbol.for("platen.log");
const holder = globalThis as { [LOG]?: Logger };

/** The lines of level info and above that are logged from here to the end of the running test. */
export function captureLog(): string[] {
  const usual = holder[LOG];
  const lines: string[] = [];
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    lines.push(String(chunk));
    done();
  };
  holder[LOG] = pino({ level: "info" }, new Writable({ write }));
  onTestFinished(() => {
    if (usual) holder[LOG] = usual;
    else delete holder[LOG];
  });
  return lines;
}
