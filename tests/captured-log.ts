import { Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { createLog, logState } from "#lib/log.ts";

/** Collects the log lines of level info and above until the end of the running test. */
export function captureLog(): string[] {
  const usual = logState.peek();
  const lines: string[] = [];
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    lines.push(String(chunk));
    done();
  };
  logState.replace(createLog(new Writable({ write }), "info"));
  onTestFinished(() => {
    if (usual) logState.replace(usual);
    else logState.reset();
  });
  return lines;
}
