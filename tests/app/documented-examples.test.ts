import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { LOGIN_PER_PAIR } from "#lib/access/access-limits.ts";
import { addressGroup } from "#lib/addresses/address-group.ts";
import { closeDatabase } from "#lib/db/database.ts";
import type { ErrorCode, Issue } from "#lib/errors.ts";
import { BODY_IDLE_MS } from "#lib/http/http-limits.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { route } from "#lib/http/route/route.ts";
import { encodePng } from "#lib/render/encode-png.ts";
import { renderPrepared, shutDown } from "#lib/render/render.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";
import { ERROR_REFERENCE } from "../../app/docs/content/error-reference.ts";
import { DOC_PAGES, writePage } from "../../app/docs/doc-pages.ts";
import { addUser, PASSWORD, signIn } from "../access/people.ts";
import { useDatabase } from "../database.ts";
import { ask, errorOf, postRequest } from "../http/requests.ts";
import { dataUrl, picture } from "../images/files.ts";
import { prepareTemplates } from "../templates/shipped.ts";
import { sourcesOf } from "../ui/docs/sources.ts";
import { type Sent, send } from "./client.ts";

useDatabase();

beforeAll(async () => {
  await prepareTemplates();
  return () => shutDown();
});

let user: { session: string };
let admin: { session: string; id: string };

beforeEach(async () => {
  user = { session: (await signIn(await addUser("ada"))).secret };
  const record = await addUser("admin", "admin");
  admin = { session: (await signIn(record)).secret, id: record.id };
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
});

type Example = { message: string; issues?: Issue[] };

async function exampleOf(response: Response): Promise<Example> {
  const { message, issues } = await errorOf(response);
  return { message, ...(issues && { issues }) };
}

const render = (json: unknown, sent: Sent = {}) => send("POST", "images/render", { ...user, json, ...sent });

const nameUser = (name: string) => ({ email: `${name}@example.com`, name, password: PASSWORD });

/** The preparation of a render that ends only when it is aborted. */
function untilAbort(signal: AbortSignal): Promise<never> {
  return new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Occupies the browser, and as many places in the queue, until `act` is done. */
async function whileBusy(waiting: number, act: () => Promise<Response>): Promise<Response> {
  const end = new AbortController();
  const running = Promise.withResolvers<void>();
  const hold = (signal: AbortSignal) => {
    running.resolve();
    return untilAbort(signal);
  };
  const options = { signal: end.signal, caller: addressGroup(null) };
  const occupied = Array.from({ length: waiting + 1 }, () => renderPrepared(hold, options));
  const settled = Promise.allSettled(occupied);
  await running.promise;
  try {
    return await act();
  } finally {
    end.abort();
    await settled;
  }
}

/** How each error comes about. */
const PRODUCE: Record<ErrorCode, () => Promise<Response>> = {
  invalid_json: () =>
    send("POST", "images/render", { ...user, body: "", headers: { "content-type": "application/json" } }),
  invalid_request: () => render({ template: "social/quote", dat: {} }),
  unauthorized: () => send("POST", "images/render", { json: { template: "social/quote" } }),
  forbidden: () => send("GET", "users", user),
  origin_mismatch: () => send("POST", "tokens", { ...user, headers: { origin: "https://elsewhere.example" } }),
  wrong_password: () =>
    send("POST", "account/password", { ...user, json: { currentPassword: "not this one", newPassword: PASSWORD } }),
  not_found: () => send("GET", "nothing", user),
  method_not_allowed: () => send("GET", "images/render", user),
  request_timeout: async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const reading = ask(
        route({ auth: anyone, body: z.object({}), handle: () => new Response() }),
        postRequest({ body: new ReadableStream(), headers: { "content-type": "application/json" } }),
      );
      await vi.advanceTimersByTimeAsync(BODY_IDLE_MS);
      return await reading;
    } finally {
      vi.useRealTimers();
    }
  },
  email_taken: () => send("POST", "users", { ...admin, json: nameUser("ada") }),
  last_admin: () => send("PATCH", `users/${admin.id}`, { ...admin, json: { role: "user" } }),
  payload_too_large: () => render({}, { headers: { "content-length": "12000001" } }),
  unsupported_media_type: () => render({}, { headers: { "content-type": "text/plain" } }),
  misdirected_request: () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "false");
    return send("GET", "templates", { headers: { host: "elsewhere.example" } });
  },
  unknown_template: () => render({ template: "social/qoute" }),
  unknown_variant: () => render({ template: "social/quote", variant: "buk" }),
  invalid_data: () => render({ template: "social/quote", data: { quot: "Less", accent: "blu" } }),
  image_rejected: async () => {
    const png = await picture(64, 64).png().toBuffer();
    return render({ template: "social/story", data: { image: dataUrl("png", png.subarray(0, -20)) } });
  },
  rate_limited: async () => {
    const json = { email: "ada@example.com", password: "not the right one" };
    for (let count = 0; count < LOGIN_PER_PAIR.attempts; count++) await send("POST", "login", { json });
    return send("POST", "login", { json });
  },
  internal: () => {
    const broken = route({
      auth: anyone,
      handle: () => {
        throw new TypeError("A fault.");
      },
    });
    return ask(broken, postRequest());
  },
  render_failed: () => {
    const noPicture = route({
      auth: anyone,
      handle: async () => {
        const { png: effort } = requireRenderConfig();
        return new Response(new Uint8Array(await encodePng(Buffer.alloc(0), { width: 1, height: 1, effort })));
      },
    });
    return ask(noPicture, postRequest());
  },
  overloaded: () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "false");
    return whileBusy(64, () => send("POST", "images/render", { json: { template: "social/quote" } }));
  },
  unavailable: async () => {
    await closeDatabase();
    vi.stubEnv("DATABASE_URL", "postgres://postgres@127.0.0.1:1/none");
    const response = await send("GET", "account", user);
    await closeDatabase();
    return response;
  },
  misconfigured: () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "soon");
    return render({ template: "social/quote" });
  },
  render_timeout: () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "100");
    const slow = route({
      auth: anyone,
      handle: async () => new Response(new Uint8Array((await renderPrepared(untilAbort)).png)),
    });
    return ask(slow, postRequest());
  },
};

describe("the example of an error in the documentation", () => {
  it.each(Object.entries(PRODUCE))("%s is the error that the service answers with", async (code, produce) => {
    const { message, issues } = ERROR_REFERENCE[code as ErrorCode];
    const answered = await exampleOf(await produce());
    // The only setting that is not its default.
    const usual = { ...answered, message: answered.message.replace("100 ms", "30000 ms") };
    expect(usual).toEqual({ message, ...(issues && { issues }) });
  });
});

const README = readFileSync("README.md", "utf8");

it("the error in the README is the one that the service answers with", async () => {
  const [, block = ""] = /```json\n(\{ "error".*?)```/s.exec(README) ?? [];
  const { error } = JSON.parse(block) as ErrorAnswer;
  const answered = await errorOf(await PRODUCE.invalid_data());
  expect(error).toEqual({ ...answered, requestId: error.requestId });
});

describe("a command in the documentation", () => {
  /** The JSON of every `curl -d '…'` that renders. */
  function bodiesOf(markdown: string): object[] {
    const bodies = [...markdown.matchAll(/ -d '((?:[^']|'\\'')*)'/g)].map(
      ([, text = ""]) => JSON.parse(text.replaceAll("'\\''", "'")) as object,
    );
    return bodies.filter((body) => "template" in body);
  }

  it("renders a picture", async () => {
    const sources = sourcesOf({ isGuarded: true });
    const ofTemplates = (await sources.templates()).map(({ slug }) => `/docs/api/${slug}`);
    const paths = [...DOC_PAGES.map(({ path }) => path), ...ofTemplates];
    const pages = await Promise.all(paths.map(async (path) => (await writePage(path, sources))?.body ?? ""));
    const bodies = [README, ...pages].flatMap(bodiesOf);
    expect(bodies.length).toBeGreaterThan(ofTemplates.length + 3);
    for (const body of new Set(bodies.map((one) => JSON.stringify(one))))
      expect([body, (await render(JSON.parse(body))).status]).toEqual([body, 200]);
  });
});
