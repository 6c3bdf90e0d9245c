import { setTimeout as sleep } from "node:timers/promises";
import { decoderPids, endlessWork } from "../decoder/decoder-processes.ts";

/** Begins work that takes about a minute, and prints the number of the process that does it. */
void endlessWork(120_000);
while (decoderPids().length === 0) await sleep(10);
console.log(decoderPids()[0]);
