import { visit } from "../../addresses.ts";
import { expect, test } from "../fixtures/fixtures.ts";
import { makePerson } from "../fixtures/servers.ts";

const ways: { name: string; headers: Record<string, string>; status: number }[] = [
  { name: "as a document", headers: {}, status: 404 },
  // The request of a client-side navigation: the response has status 200, and contains the 404 as data.
  { name: "as data", headers: { rsc: "1" }, status: 200 },
];

for (const { name, headers, status } of ways) {
  test(`an ordinary user gets a 404 without data for the pages of administrators, ${name}`, async ({ guarded }) => {
    const other = await makePerson(guarded, { name: "Hidden Person" });
    const cookie = guarded.sessions.user;
    for (const path of [
      "/users",
      `/users/${other.id}`,
      `/users/${guarded.user.id}`,
      "/audit",
      "/users?search=hidden",
    ]) {
      const answer = await visit(guarded.client, path, { cookie, headers });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.text).toContain("Page not found");
      for (const hidden of [
        other.email,
        other.name,
        guarded.admin.email,
        "Create user",
        "Users · Platen",
        "Audit trail",
      ])
        expect(answer.text, `${path} holds ${hidden}`).not.toContain(hidden);
    }
  });

  test(`visitors are redirected to the sign-in page, which leads back, ${name}`, async ({ guarded }) => {
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

test("signing in leads back to the page with its filter", async ({ guarded }) => {
  const answer = await visit(guarded.client, "/audit?action=login&junk=x");
  expect(answer.headers.location).toBe("/login?next=%2Faudit%3Faction%3Dlogin");
});

test("open mode has none of these pages", async ({ open }) => {
  for (const path of ["/users", "/users/0199f000-0000-7000-8000-000000000000", "/audit"])
    expect((await visit(open.client, path)).status).toBe(404);
});

test("an unknown or malformed user id is a 404", async ({ guarded }) => {
  const cookie = guarded.sessions.admin;
  for (const id of ["0199f000-0000-7000-8000-000000000000", "1", "%27%20or%20true--", "x".repeat(500)])
    expect([id, (await visit(guarded.client, `/users/${id}`, { cookie })).status]).toEqual([id, 404]);
});
