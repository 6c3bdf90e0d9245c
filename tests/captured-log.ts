import { Writable } from "node:stream";
import pino from "pino";
import { onTestFinished } from "vitest";
import { logState } from "#lib/log.ts";

/** Collects the log lines of level info and above until the end of the running test. */
export function captureLog(): string[] {
  const usual = logState.peek();
  const lines: string[] = [];
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    lines.push(String(chunk));
    done();
  };
  logState.replace(pino({ level: "info" }, new Writable({ write })));
  onTestFinished(() => {
    if (usual) logState.replace(usual);
    else logState.reset();
  });
  return lines;
}
