import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { fetchedCode, postRender } from "#tests/e2e/answers.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { useGuardedService } from "./guarded-service.ts";
import { STRINGS } from "./strings.ts";

/** Several thousand pictures on a busy machine. */
vi.setConfig({ testTimeout: 600_000 });

/** Texts of one request: one for each text field, starting at `first`. */
function editsOf(fields: string[], first: number): Record<string, string> {
  return Object.fromEntries(
    fields.map((field, index) => [field, STRINGS[(first + index) % STRINGS.length]?.[1].slice(0, 80) ?? ""]),
  );
}

function textFieldsOf({ fields }: TemplateSummary): string[] {
  return Object.entries(fields).flatMap(([name, declaration]) =>
    (declaration as { type: string }).type === "text" ? [name] : [],
  );
}

describe("in the text fields of a template", () => {
  let service: Service;
  let templates: TemplateSummary[];

  beforeAll(async () => {
    service = await startService();
    const response = await fetch(`${service.origin}/api/service/templates`);
    templates = z.array(TemplateSummary).parse(await response.json());
  });

  afterAll(async () => {
    await service?.stop();
  });

  async function draw(template: string, data: Record<string, string> = {}): Promise<Buffer | string> {
    const response = await postRender(service, JSON.stringify({ template, data }));
    return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : await fetchedCode(response);
  }

  it("each text gives a picture or a refusal, and the next picture shows nothing of it", async () => {
    expect(templates.length).toBeGreaterThan(0);
    for (const template of templates) {
      const plain = await draw(template.slug);
      const fields = textFieldsOf(template);
      for (let first = 0; first < STRINGS.length; first += fields.length) {
        const answer = await draw(template.slug, editsOf(fields, first));
        if (typeof answer === "string") expect(answer).toBe("invalid_data");
        else expect([answer.readUInt32BE(16), answer.readUInt32BE(20)]).toEqual([template.width, template.height]);
      }
      expect(await draw(template.slug)).toEqual(plain);
    }
  });

  it("each text as a template, a variant or a field name is refused", async () => {
    for (const [, text] of STRINGS) {
      const bodies = [
        { template: text },
        { template: "social/quote", variant: text },
        { template: "social/quote", data: { [text]: "x" } },
      ];
      const codes = await Promise.all(
        bodies.map(async (body) => fetchedCode(await postRender(service, JSON.stringify(body)))),
      );
      for (const code of codes) expect(code).toMatch(/^unknown_(?:template|variant)$|^invalid_(?:data|request)$/);
    }
  });
});

describe("with the access layer on", () => {
  const guarded = useGuardedService();

  it("each text is kept as the name of an account as it was sent, or refused", async () => {
    for (const [, text] of STRINGS) {
      const answer = await guarded.client.ask("PATCH", "/api/service/account", {
        body: { name: text },
        cookie: guarded.cookie,
      });
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 200) {
        const { name } = (
          await guarded.client.ask("GET", "/api/service/account", { cookie: guarded.cookie })
        ).json() as { name: string };
        expect(name.normalize("NFC")).toBe(text.trim().normalize("NFC"));
      }
    }
  });

  it("each text as an id is unknown or invalid", async () => {
    for (const [, text] of STRINGS) {
      const path = `/api/service/tokens/${encodeURIComponent(text)}`;
      const { status } = await guarded.client.ask("DELETE", path, { cookie: guarded.cookie });
      expect([400, 404, 405]).toContain(status);
    }
  });

  it("each text as a search finds people or nobody", async () => {
    for (const [, text] of STRINGS) {
      const { status } = await guarded.client.ask("GET", `/api/service/users?q=${encodeURIComponent(text)}`, {
        cookie: guarded.cookie,
      });
      expect([200, 400]).toContain(status);
    }
    expect((await guarded.client.ask("GET", "/api/service/users", { cookie: guarded.cookie })).json()).toHaveLength(1);
  });
});
