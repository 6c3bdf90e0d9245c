import type { LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import { isAllowedIp } from "#lib/images/remote/allowed-ip.ts";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { host, remoteOf, serve } from "./remote-server.ts";

/** A server that must never be connected to. */
const untouched = () => serve((_, response) => response.end("secret"));

const REFUSED = { fault: "Got an address that images may not come from." };

describe("an invalid address, or one that URL parsers read differently", () => {
  test.each([
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "view-source:http://images.example/",
    "chrome://version",
    "blob:http://images.example/1",
    "ftp://images.example/a.png",
    "javascript:alert(1)",
    "//images.example/a.png",
    "\\\\images.example\\a.png",
    "http:\\\\images.example\\a.png",
    "http:images.example/a.png",
    "http:///images.example/a.png",
    "http://user@images.example/a.png",
    "http://user:password@images.example/a.png",
    "http://@images.example/a.png",
    "http://images.example:PORT@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT\\@images.example/",
    " http://images.example/a.png",
    "http://images.example/a b.png",
    "ht\ntp://images.example/a.png",
    "http://images.example\u0000.evil.example/",
    "http://",
    "images.example/a.png",
    `http://images.example/${"a".repeat(5_000)}`,
  ])("%s is refused", async (address) => {
    const seen = await untouched();
    const { port } = seen;
    const hosts = [host("images.example", { port, isPrivate: true })];
    const answer = await fetchImage(address.replaceAll("PORT", String(port)), remoteOf(hosts));
    expect(answer).toEqual({ fault: expect.stringMatching(/^Got ".+", want an address such as https:/s) });
    expect(seen.connections).toBe(0);
  });
});

describe("a host that the operator does not allow", () => {
  test.each([
    ["another", "http://evil.example:PORT/"],
    ["the allowed one as a prefix", "http://images.example.evil.example:PORT/"],
    ["the allowed one as an ending", "http://evilimages.example:PORT/"],
    ["a sub-domain of it", "http://a.images.example:PORT/"],
    ["the same with a dot behind it", "http://images.example.:PORT/"],
    ["the parent domain of a wildcard", "http://wild.example:PORT/"],
    ["another port", "http://images.example/"],
    ["another scheme", "https://images.example:PORT/"],
    ["loopback", "http://127.0.0.1:PORT/"],
    ["loopback, in short", "http://127.1:PORT/"],
    ["loopback, as one number", "http://2130706433:PORT/"],
    ["loopback, in hexadecimal", "http://0x7f.1:PORT/"],
    ["loopback, in full-width digits", "http://１２７.０.０.１:PORT/"],
    ["every address", "http://0.0.0.0:PORT/"],
    ["loopback of IPv6", "http://[::1]:PORT/"],
    ["localhost", "http://localhost:PORT/"],
    ["a cloud metadata service", "http://169.254.169.254/latest/meta-data/"],
  ])("is refused, with the variable that would allow it: %s", async (_, address) => {
    const seen = await untouched();
    const { port } = seen;
    const hosts = [
      host("images.example", { port, isPrivate: true }),
      host("wild.example", { port, isWildcard: true, isPrivate: true }),
    ];
    const answer = await fetchImage(address.replace("PORT", String(port)), remoteOf(hosts));
    expect(answer).toEqual({ fault: expect.stringMatching(/^Got an image of http.*SERVICE_IMAGE_HOSTS/) });
    expect(seen.connections).toBe(0);
  });

  test("is every host where none is configured", async () => {
    expect(await fetchImage("https://example.com/a.png", remoteOf([]))).toEqual({
      fault: expect.stringMatching(/not accepted: the operator has to name the hosts in SERVICE_IMAGE_HOSTS/),
    });
  });
});

const INWARD = [
  "127.0.0.1",
  "127.1.2.3",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "169.254.169.254",
  "192.0.0.192",
  "198.18.0.1",
  "192.88.99.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "2002:7f00:1::",
  "2001::1",
  "2001:db8::1",
  "fe80::1",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
  "fd00:42::42",
  "ff02::1",
  "4000::1",
  "nonsense",
];

describe("an allowed host with an IP address that is not public", () => {
  test.each(INWARD)("is refused after the lookup of its name: %s", async (address) => {
    const seen = await untouched();
    const { port } = seen;
    const find = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
    const answer = await fetchImage(
      `http://images.example:${port}/`,
      remoteOf([host("images.example", { port })], { find }),
    );
    expect(answer).toEqual(REFUSED);
    expect(seen.connections).toBe(0);
  });

  test.each(["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0.0.0.0", "10.0.0.1"])(
    "is refused without a lookup where it is an IP address: %s",
    async (hostname) => {
      const seen = await untouched();
      const { port } = seen;
      const find = () => expect.fail("looked up");
      const answer = await fetchImage(`http://${hostname}:${port}/`, remoteOf([host(hostname, { port })], { find }));
      expect(answer).toEqual(REFUSED);
      expect(seen.connections).toBe(0);
    },
  );

  test("is refused where the lookup returns nothing", async () => {
    const remote = remoteOf([host("images.example", { isPrivate: true })], { find: async () => [] });
    expect(await fetchImage("http://images.example/", remote)).toEqual(REFUSED);
  });

  test("is refused where one of several IP addresses is not public", async () => {
    const seen = await untouched();
    const { port } = seen;
    const find = async () => [
      { address: "93.184.215.14", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const answer = await fetchImage(
      `http://images.example:${port}/`,
      remoteOf([host("images.example", { port })], { find }),
    );
    expect(answer).toEqual(REFUSED);
    expect(seen.connections).toBe(0);
  });

  test("is looked up once: the connection uses the IP addresses that were checked", async () => {
    const seen = await untouched();
    const { port } = seen;
    const answers: LookupAddress[][] = [[{ address: "127.0.0.1", family: 4 }]];
    // This IP address is not assigned, so nothing answers.
    const outward = [{ address: "2d00::1", family: 6 }];
    const find = async () => answers.shift() ?? outward;
    const remote = remoteOf([host("images.example", { port })], { find, timeoutMs: 200 });
    const address = `http://images.example:${port}/`;
    expect(await fetchImage(address, remote)).toEqual(REFUSED);
    // Now the first lookup returns a public IP address, and every later one loopback.
    const turned = [outward];
    let lookups = 0;
    const turning = async () => {
      lookups++;
      return turned.shift() ?? [{ address: "127.0.0.1", family: 4 }];
    };
    expect(await fetchImage(address, { ...remote, find: turning })).toMatchObject({ isServerFault: true });
    expect(lookups).toBe(1);
    expect(seen.connections).toBe(0);
  });
});

describe("a redirect", () => {
  const hosts = (port: number, inner: number) => [
    host("images.example", { port, isPrivate: true }),
    host("outside.example", { port: inner }),
    host("127.0.0.1", { port: inner }),
  ];
  test.each([
    ["to loopback", "http://127.0.0.1:INNER/", REFUSED],
    ["to an allowed host with a loopback IP address", "http://outside.example:INNER/", REFUSED],
    [
      "to a host that is not allowed",
      "http://localhost:INNER/",
      { fault: expect.stringContaining("redirects to an address that images may not come from") },
    ],
    ["to a file", "file:///etc/passwd", { fault: expect.stringContaining("redirects to an address") }],
    [
      "to a name with a password",
      "http://a:b@images.example:PORT/",
      { fault: expect.stringContaining("redirects to an address") },
    ],
    ["without a scheme", "//localhost:INNER/", { fault: expect.stringContaining("redirects to an address") }],
  ])("is checked like the first address: %s", async (_, location, expected) => {
    const inner = await untouched();
    const outer = await serve((_request, response) => {
      response
        .writeHead(302, { Location: location.replace("INNER", String(inner.port)).replace("PORT", String(outer.port)) })
        .end();
    });
    const answer = await fetchImage(`http://images.example:${outer.port}/`, remoteOf(hosts(outer.port, inner.port)));
    expect(answer).toEqual(expected);
    expect(JSON.stringify(answer)).not.toMatch(/127\.0|localhost|passwd/);
    expect([outer.connections, inner.connections]).toEqual([1, 0]);
  });
});

test("a private host may have a private IP address, but not one of a metadata service", () => {
  const open = INWARD.filter((address) => isAllowedIp(address, true));
  expect(open).toEqual([
    "127.0.0.1",
    "127.1.2.3",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "fc00::1",
  ]);
  expect(["8.8.8.8", "2606:4700::1111"].map((address) => isAllowedIp(address, false))).toEqual([true, true]);
});
