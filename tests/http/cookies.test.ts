import { afterEach, expect, it, vi } from "vitest";
import { clearedCookie, deviceCookie, sessionCookie } from "#lib/http/identity/cookies.ts";
import { PATHS } from "#lib/operations/paths.ts";

const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Lax";
const DAYS_30 = 30 * 24 * 60 * 60;

afterEach(() => {
  vi.unstubAllEnvs();
});

it("the session cookie has the attributes of the contract, and is cleared with the same ones", () => {
  expect(sessionCookie("secret")).toBe(`service_session=secret; ${ATTRIBUTES}; Max-Age=${DAYS_30}; Secure`);
  expect(clearedCookie()).toBe(`service_session=; ${ATTRIBUTES}; Max-Age=0; Secure`);
});

it("the session cookie is not Secure in development, which has no https", () => {
  vi.stubEnv("NODE_ENV", "development");
  expect(sessionCookie("secret")).toBe(`service_session=secret; ${ATTRIBUTES}; Max-Age=${DAYS_30}`);
});

it("the device cookie goes to the login route only, and has the attributes of the contract", () => {
  const attributes = `Path=${PATHS.login}; HttpOnly; SameSite=Lax; Max-Age=${180 * 24 * 60 * 60}`;
  expect(deviceCookie("secret")).toBe(`service_device=secret; ${attributes}; Secure`);
});
