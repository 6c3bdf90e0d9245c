import { afterEach, expect, test, vi } from "vitest";
import { renderConfig } from "#lib/config.ts";
import { configReport } from "#lib/config-report.ts";

afterEach(() => vi.unstubAllEnvs());

test("without a setting no address is accepted", () => {
  expect(renderConfig().images).toEqual({ hosts: [], maxBytes: 10_000_000, timeoutMs: 5_000 });
});

test("an image may take half of the time for its render at most", () => {
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "5001");
  expect(renderConfig().images.timeoutMs).toBe(2_500);
  vi.stubEnv("SERVICE_IMAGE_TIMEOUT_MS", "60000");
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "30000");
  expect(renderConfig().images.timeoutMs).toBe(15_000);
});

test("hosts may have a scheme and a port, and private hosts are a separate list", () => {
  vi.stubEnv(
    "SERVICE_IMAGE_HOSTS",
    "Images.Example.com, *.cdn.example.com:8443,http://example.org:8080,https://bücher.example,",
  );
  vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", "http://minio:9000,[fd00::1]");
  const host = { protocol: "https:", isWildcard: false, port: "", isPrivate: false };
  expect(renderConfig().images.hosts).toEqual([
    { ...host, hostname: "images.example.com" },
    { ...host, hostname: "cdn.example.com", isWildcard: true, port: "8443" },
    { ...host, protocol: "http:", hostname: "example.org", port: "8080" },
    { ...host, hostname: "xn--bcher-kva.example" },
    { ...host, protocol: "http:", hostname: "minio", port: "9000", isPrivate: true },
    { ...host, hostname: "[fd00::1]", isPrivate: true },
  ]);
});

test.each([
  "*",
  "*.com",
  "*.10.0.0.1",
  "a.*.example.com",
  "user@example.com",
  "example.com/images",
  "ftp://example.com",
  "example.com:99999",
  "example.com:",
  "https://",
  "exa mple.com",
  "example.com?x",
  "example.com#x",
  "\\\\example.com",
])("%s is refused as a host, and the report says what is wanted", (entry) => {
  vi.stubEnv("SERVICE_IMAGE_HOSTS", `good.example.com,${entry}`);
  expect(configReport().render).toEqual([
    {
      variable: "SERVICE_IMAGE_HOSTS",
      message: expect.stringMatching(/^got ".+", want hosts such as images\.example\.com/),
    },
  ]);
});

test.each([
  ["SERVICE_IMAGE_HOSTS", "https://user:hunter2@example.com/a", 'got "https://…@example.com/a", want'],
  ["SERVICE_IMAGE_HOSTS", "https://user:hun,ter2@example.com", 'got "https://…@example.com", want'],
  ["SERVICE_IMAGE_PRIVATE_HOSTS", "user:hun@ter2@minio", 'got "…@minio", want'],
  ["SERVICE_PUBLIC_ORIGIN", "https://user:hunter2@example.com", 'got "https://…@example.com", want an origin'],
  ["SERVICE_HOSTS", "user:hunter2@example.com", 'got "…@example.com", want names'],
  ["SERVICE_HOSTS", "user:hun,ter2@example.com", 'got "…@example.com", want names'],
])("the report on %s quotes no password", (variable, value, message) => {
  vi.stubEnv("SERVICE_AUTH_ENABLED", String(variable === "SERVICE_PUBLIC_ORIGIN"));
  vi.stubEnv(variable, value);
  expect(Object.values(configReport()).flat()).toContainEqual({ variable, message: expect.stringContaining(message) });
});

test("a private host has no wildcard", () => {
  vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", "*.internal.example");
  expect(configReport().render).toEqual([
    {
      variable: "SERVICE_IMAGE_PRIVATE_HOSTS",
      message: expect.stringContaining('got "*.internal.example", want hosts'),
    },
  ]);
});
