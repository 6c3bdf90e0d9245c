import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { afterEach, beforeAll, beforeEach, vi } from "vitest";

/** The only credentials that s3rver knows. */
export const CREDENTIALS = { id: "S3RVER", secret: "S3RVER" };

export type ObjectServer = {
  /** The address of a folder in its bucket, without credentials. */
  url: string;
  /** The requests that it got, as `GET /path`. */
  requests: string[];
  /** Answers the next requests itself, until it gets undefined. */
  answerWith(answer: ((response: ServerResponse) => void) | undefined): void;
  stop(): Promise<void>;
};

/** Starts a server of S3's protocol, which checks signatures and keeps objects in a temporary folder. */
async function startObjectServer(): Promise<ObjectServer> {
  const directory = mkdtempSync(join(tmpdir(), "platen-objects-"));
  const s3 = new S3rver({
    directory,
    silent: true,
    address: "127.0.0.1",
    vhostBuckets: false,
    configureBuckets: [{ name: "pictures", configs: [] }],
  });
  await s3.configureBuckets();
  const handle = s3.callback();
  const requests: string[] = [];
  let answer: ((response: ServerResponse) => void) | undefined;
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (answer) answer(response);
    else void handle(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pictures/links`,
    requests,
    answerWith: (given) => {
      answer = given;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Starts a server for the tests of a file, which is the store of `SERVICE_CACHE_S3_URL` in each. @returns how to get it in a test */
export function useObjectServer(): () => ObjectServer {
  let server: ObjectServer;
  beforeAll(async () => {
    server = await startObjectServer();
    return () => server.stop();
  });
  beforeEach(() => {
    vi.stubEnv("SERVICE_CACHE_S3_URL", server.url);
    vi.stubEnv("AWS_ACCESS_KEY_ID", CREDENTIALS.id);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", CREDENTIALS.secret);
    server.requests.length = 0;
  });
  afterEach(() => {
    server.answerWith(undefined);
    vi.unstubAllEnvs();
  });
  return () => server;
}
