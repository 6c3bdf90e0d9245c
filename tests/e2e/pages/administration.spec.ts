import { visit } from "../addresses.ts";
import { expect, test } from "./fixtures.ts";
import { makePerson, newSession } from "./servers.ts";

const ways: { name: string; headers: Record<string, string>; status: number }[] = [
  { name: "as a document", headers: {}, status: 404 },
  // What Next's own links send: the answer is the page's data instead of its markup, and says of itself that it is a 404.
  { name: "as data", headers: { rsc: "1" }, status: 200 },
];

for (const { name, headers, status } of ways) {
  test(`an ordinary user is given nothing of an administrator's pages, ${name}`, async ({ guarded }) => {
    const other = await makePerson(guarded, { name: "Hidden Person" });
    const cookie = await newSession(guarded, guarded.user);
    for (const path of [
      "/users",
      `/users/${other.id}`,
      `/users/${guarded.user.id}`,
      "/audit",
      "/users?search=hidden",
    ]) {
      const answer = await visit(guarded.client, path, { cookie, headers });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.text).toContain("NEXT_HTTP_ERROR_FALLBACK;404");
      expect(answer.text).toContain("There is nothing at this address.");
      for (const hidden of [
        other.email,
        other.name,
        guarded.admin.email,
        "Create a user",
        "Users · Platen",
        "Audit trail",
      ])
        expect(answer.text, `${path} holds ${hidden}`).not.toContain(hidden);
    }
  });

  test(`nobody at all is asked to sign in, and led back, ${name}`, async ({ guarded }) => {
    const paths = {
      "/users": "%2Fusers",
      "/audit": "%2Faudit",
      [`/users/${guarded.user.id}`]: `%2Fusers%2F${guarded.user.id}`,
    };
    for (const [path, next] of Object.entries(paths)) {
      const answer = await visit(guarded.client, path, { headers });
      const leads = String(answer.headers.location ?? answer.text);
      expect(leads).toContain(`/login?next=${next}`);
      expect(answer.text).not.toContain(guarded.user.email);
    }
  });
}

test("what was asked for is kept for after the signing in", async ({ guarded }) => {
  const answer = await visit(guarded.client, "/audit?action=login&junk=x");
  expect(answer.headers.location).toBe("/login?next=%2Faudit%3Faction%3Dlogin");
});

test("open mode has none of these pages", async ({ open }) => {
  for (const path of ["/users", "/users/0199f000-0000-7000-8000-000000000000", "/audit"])
    expect((await visit(open.client, path)).status).toBe(404);
});

test("an id that nobody has is a page that is not there, whatever it looks like", async ({ guarded }) => {
  const cookie = await newSession(guarded, guarded.admin);
  for (const id of ["0199f000-0000-7000-8000-000000000000", "1", "%27%20or%20true--", "x".repeat(500)])
    expect([id, (await visit(guarded.client, `/users/${id}`, { cookie })).status]).toEqual([id, 404]);
});
