import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { buildFonts } from "#lib/fonts/build.ts";
import { RENDER_BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { runInRequestContext } from "#lib/http/server/request-context.ts";
import { shutDown } from "#lib/render/render.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import * as render from "../../../app/api/service/images/render/route.ts";
import { ask, chunkedBody, errorOf, expectSafeHeaders, postRequest } from "../../http/requests.ts";

type Json = Record<string, unknown>;

let slug: string;

beforeAll(async () => {
  buildFonts();
  const { templates } = await getRegistry();
  slug = templates.find((template) => template.slug.includes("/"))?.slug ?? "";
  return () => shutDown();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function post(body: Json | BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  const isPlain = Object.getPrototypeOf(body) === Object.prototype;
  return ask(render.POST, postRequest({ body: isPlain ? JSON.stringify(body) : (body as BodyInit), headers }));
}

async function codeOf(body: Json | BodyInit, headers?: Record<string, string>): Promise<string> {
  return (await errorOf(await post(body, headers))).code;
}

describe("a valid render request", () => {
  it("is answered with a PNG and the headers of the contract", async () => {
    const response = await post({ template: slug });
    expect(response.status).toBe(200);
    expectSafeHeaders(response);
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("content-length")).toBe(String(png.length));
    expect(response.headers.get("content-disposition")).toBe(`inline; filename="${slug.replaceAll("/", "-")}.png"`);
    expect(response.headers.get("server-timing")).toMatch(/^\w+;dur=[\d.]+/);
  });

  it("may be exactly 12,000,000 bytes long, by length and chunked; one byte more is refused", async () => {
    const body = Buffer.from(JSON.stringify({ template: slug }).padEnd(RENDER_BODY_LIMIT_BYTES));
    expect((await post(body)).status).toBe(200);
    expect((await post(chunkedBody([body.subarray(0, 5_000_000), body.subarray(5_000_000)]).body)).status).toBe(200);
    expect(await codeOf(Buffer.concat([body, Buffer.from(" ")]))).toBe("payload_too_large");
    const chunked = chunkedBody([body, Buffer.from(" ")]);
    expect(await codeOf(chunked.body)).toBe("payload_too_large");
  });
});

describe("in open mode", () => {
  function postFrom(address: string, title: string): Promise<Response> {
    const received = { headers: new Headers(), address, encrypted: false };
    const context = { requestId: title, method: "POST", received };
    return runInRequestContext(context, () => post({ template: slug, data: { title } }));
  }

  it("an address with many requests does not delay another one", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "");
    const answered: string[] = [];
    const note = (name: string) => (response: Response) => {
      expect(response.status).toBe(200);
      answered.push(name);
    };
    const many = Array.from({ length: 12 }, (_, index) => postFrom("192.0.2.1", `${index}`).then(note("many")));
    await Promise.all([...many, postFrom("192.0.2.2", "alone").then(note("one"))]);
    // Renders that ran or were prepared before it arrived finish first.
    expect(answered.indexOf("one")).toBeLessThan(6);
  });
});

describe("an invalid render request", () => {
  it.each<[string, Json]>([
    ["no template", {}],
    ["an empty template", { template: "" }],
    ["an empty variant", { template: "a", variant: "" }],
    ["a null variant", { template: "a", variant: null }],
    ["a number", { template: 1 }],
    ["an array as data", { template: "a", data: [] }],
    ["null as data", { template: "a", data: null }],
    ["a text as data", { template: "a", data: "x" }],
    ["an unknown key", { template: "a", format: "jpeg" }],
    ["NUL in a text", { template: "a\0" }],
    ["NUL in a field", { template: "a", data: { quote: "a\0b" } }],
  ])("with %s is invalid_request", async (_name, body) => {
    const error = await errorOf(await post(body));
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.length).toBeGreaterThan(0);
  });

  it.each(["toString", "constructor", "__proto__", "../x", "/", ".", "social", "hasOwnProperty", "x".repeat(100_000)])(
    "for the template %s is unknown_template",
    async (template) => {
      expect(await codeOf({ template })).toBe("unknown_template");
    },
  );

  it("for a template without its folder names the whole slug", async () => {
    const template = slug.slice(slug.lastIndexOf("/") + 1);
    expect((await errorOf(await post({ template }))).message).toContain(`Did you mean "${slug}"?`);
  });

  it.each(["toString", "__proto__", "constructor"])("for the variant %s is unknown_variant", async (variant) => {
    expect(await codeOf({ template: slug, variant })).toBe("unknown_variant");
  });

  it.each(['{"__proto__":{}}', '{"a":{"constructor":1}}', '{"a":[{"\\u005f_proto__":1}]}', '{"prototype":null}'])(
    "with the data %s is refused and changes no prototype",
    async (data) => {
      expect(await codeOf(`{"template":"${slug}","data":${data}}`)).toBe("invalid_request");
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );

  it("is refused unread for its content type and encoding", async () => {
    expect(await codeOf("{}", { "content-type": "" })).toBe("unsupported_media_type");
    expect(await codeOf("{}", { "content-type": "text/plain" })).toBe("unsupported_media_type");
    const { body, taken } = chunkedBody([new Uint8Array(1000)]);
    expect(await codeOf(body, { "content-encoding": "gzip" })).toBe("unsupported_media_type");
    expect(taken()).toBe(0);
  });
});

describe("an invalid render configuration", () => {
  it("is answered 503, after faults of the request", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "soon");
    expect(await codeOf("{")).toBe("invalid_json");
    expect(await codeOf({ template: "" })).toBe("invalid_request");
    expect(await codeOf({ template: slug })).toBe("misconfigured");
    expect(await codeOf({ template: "no/such" })).toBe("misconfigured");
  });

  it("is logged with every variable and its accepted values, and never with its value", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "soon");
    vi.stubEnv("SERVICE_RENDER_QUEUE", "plenty");
    const { message } = await errorOf(await post({ template: slug }));
    expect(message).toContain("SERVICE_RENDER_TIMEOUT_MS: want a number of milliseconds, 100 to 300000");
    expect(message).toContain("SERVICE_RENDER_QUEUE: want a number of waiting renders, 0 to 10000");
    expect(message).not.toMatch(/soon|plenty/);
  });
});

describe("the access layer", () => {
  it("is on for exactly one value, and then checks credentials before the body is read", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    const huge = chunkedBody([new Uint8Array(RENDER_BODY_LIMIT_BYTES)]);
    expect(await codeOf(huge.body, { "content-type": "text/plain" })).toBe("unauthorized");
    expect(huge.taken()).toBe(0);
    for (const value of ["TRUE", "1", "yes", " true", ""]) {
      vi.stubEnv("SERVICE_AUTH_ENABLED", value);
      expect((await post({ template: slug })).status).toBe(200);
    }
  });
});
