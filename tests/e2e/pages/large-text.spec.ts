import { expect, test } from "./fixtures/fixtures.ts";
import { applyLook, expectFits } from "./fixtures/looks.ts";
import { makePerson } from "./fixtures/servers.ts";
import { makeTokens } from "./fixtures/tokens.ts";

test.use({ mode: "guarded" });

const LARGE_PX = 32;

// Playwright sets the size of letters through the protocol of Chromium only.
test("no page scrolls sideways in a narrow window with letters of twice the size", { tag: "@chromium" }, async ({
  page,
  guarded,
  signIn,
}) => {
  test.slow();
  const person = await makePerson(guarded, { role: "admin" });
  const own = `/users/${person.id}`;
  for (const { token } of await makeTokens(guarded, person, ["Newsletter script"]))
    expect((await guarded.client.render({ authorization: `Bearer ${token}` })).status).toBe(200);
  await signIn(page, person);
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Page.setFontSizes", { fontSizes: { standard: LARGE_PX } });
  await applyLook(page, { theme: "light", width: 320 });
  await expect(async () => {
    await page.goto(own);
    await expect(page.getByRole("img", { name: "1 render in 30 days" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const paths = ["/", "/templates/social/quote", "/account", "/tokens", "/users", own, `/users/${guarded.user.id}`];
  for (const path of [...paths, "/audit", "/status"]) {
    await page.goto(path);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${LARGE_PX}px`);
    await test.step(path, () => expectFits(page));
  }
});

test("code of the documentation is printed whole", async ({ page, signIn }) => {
  await signIn(page, "user");
  await applyLook(page, { theme: "light", width: 768 });
  await page.emulateMedia({ media: "print" });
  await page.goto("/docs/operations");
  const isCut = await page
    .getByRole("main")
    .locator("section:has(> pre)")
    .evaluateAll((blocks) => blocks.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  expect(isCut.length).toBeGreaterThan(0);
  expect(isCut).not.toContain(true);
});
