import { FloodingConnection } from "./flooding-connection.ts";

/** Accounts that do not exist. More than one, so that the limits of an account are not the only ones that refuse. */
const ACCOUNTS = 50;

/** How often each status was answered. */
export type Statuses = Record<number, number>;

function loginRequest(port: number, email: string): string {
  const body = JSON.stringify({ email, password: "not the right password" });
  const origin = `127.0.0.1:${port}`;
  const head = [
    "POST /api/service/login HTTP/1.1",
    `Host: ${origin}`,
    `Origin: http://${origin}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/**
 * Floods a server of this machine with wrong logins. Each connection sends the next one as soon as it has an answer.
 * @returns ends the flood, and tells what was answered
 */
export function floodLogins({ port, connections }: { port: number; connections: number }): {
  statuses: Statuses;
  end: () => void;
} {
  const statuses: Statuses = {};
  const requests = Array.from({ length: ACCOUNTS }, (_, at) => loginRequest(port, `nobody-${at}@example.com`));
  const onStatus = (status: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const flood = { port, requests, onStatus };
  const open = Array.from({ length: connections }, (_, at) => new FloodingConnection(flood, at));
  return {
    statuses,
    end: () => {
      for (const connection of open) connection.end();
    },
  };
}
