import { expect, it } from "vitest";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { failed } from "#lib/status/failed.ts";

it.each([
  [new AppError("misconfigured", "SERVICE_TEMPLATES_DIR does not name a folder."), /^Set the variable/],
  [new ConfigError([{ variable: "PORT", message: "got text" }]), /^Mend the variables/],
])("a faulty variable is what is to be set: %s", (error, remedy) => {
  expect(failed(error)).toMatchObject({ state: "error", remedy: expect.stringMatching(remedy) });
});

it("of what is away nobody is sent to look for a variable", () => {
  const away = new AppError("unavailable", 'The templates are not built. Run "npm run templates".');
  const finding = failed(away);
  expect(finding).toMatchObject({ state: "error", summary: away.message, remedy: expect.any(String) });
  expect(JSON.stringify(finding)).not.toMatch(/variable|Configuration/);
});
