import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

type Ask = { body?: unknown; cookie?: string | undefined; headers?: Record<string, string> };

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The body as JSON. */
  json: () => unknown;
  /** `service_session=…` of the answer, as a browser would send it back. */
  cookie: string | undefined;
  ms: number;
};

/** A client of one service. Requests are same-origin unless the headers say otherwise, each on a new connection. */
export class Client {
  readonly origin: string;
  readonly #ca: Buffer | undefined;

  constructor(origin: string, ca?: Buffer) {
    this.origin = origin;
    this.#ca = ca;
  }

  ask(method: string, path: string, { body, cookie, headers = {} }: Ask = {}): Promise<Answer> {
    const startedAt = performance.now();
    const content = body === undefined ? undefined : JSON.stringify(body);
    const all = {
      ...(method !== "GET" && { origin: this.origin }),
      ...(content !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(content),
      }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    };
    const send = this.origin.startsWith("https:") ? httpsRequest : httpRequest;
    // The name in the certificate, which may differ from the Host header.
    const tls = this.#ca && { ca: this.#ca, servername: new URL(this.origin).hostname };
    const options = { method, headers: all, agent: false as const, ...tls };
    return new Promise((resolve, reject) => {
      const sent = send(new URL(path, this.origin), options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const cookies = response.headers["set-cookie"] ?? [];
          const cookie = cookies.find((text) => text.startsWith("service_session="))?.split(";")[0];
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, json: () => JSON.parse(text), cookie, ms: performance.now() - startedAt });
        });
      });
      sent.on("error", reject);
      sent.end(content);
    });
  }

  logIn(email: string, password: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask("POST", "/api/service/login", { body: { email, password }, headers });
  }

  /** Renders a small picture. */
  render(headers: Record<string, string>): Promise<Answer> {
    return this.ask("POST", "/api/service/images/render", { body: { template: "blog/article" }, headers });
  }
}

/** The code of an error answer. */
export function codeOf(answer: Answer): string {
  return (answer.json() as { error: { code: string } }).error.code;
}
