import { expect, it } from "vitest";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { failedFinding } from "#lib/status/finding.ts";

it.each([
  [new AppError("misconfigured", "SERVICE_TEMPLATES_DIR does not name a folder."), /^Set the variable/],
  [new ConfigError([{ variable: "PORT", message: "got text" }]), /^Correct the variables/],
])("the remedy of a faulty variable is to set it: %s", (error, remedy) => {
  expect(failedFinding(error)).toMatchObject({ state: "error", remedy: expect.stringMatching(remedy) });
});

it("the remedy of something unavailable names no variable", () => {
  const away = new AppError("unavailable", 'The templates are not built, or damaged. Run "npm run templates".');
  const finding = failedFinding(away);
  expect(finding).toMatchObject({ state: "error", summary: away.message, remedy: expect.any(String) });
  expect(JSON.stringify(finding)).not.toMatch(/variable|Configuration/);
});
