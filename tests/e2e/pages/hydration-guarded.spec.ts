import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/fixtures.ts";
import { makePerson, type Person } from "./fixtures/servers.ts";
import { makeTokens } from "./fixtures/tokens.ts";
import { type Case, check } from "./fixtures/unhydrated.ts";

// What a late click opens moves the page: it counts as a layout shift, because the input was more than half a second ago.
test.use({ tolerated: [/ shifted by /] });

const name = (page: Page) => page.getByLabel("Name", { exact: true });
const email = (page: Page) => page.getByLabel("Email", { exact: true });
const toasted = (text: string) => (page: Page) => expect(page.getByText(text).first()).toBeVisible();

type GuardedCase = Omit<Case, "path"> & { path: (person: Person) => string };

const GUARDED_CASES: GuardedCase[] = [
  {
    name: "a profile that is saved",
    path: () => "/account",
    act: async (page) => {
      await name(page).fill("Early Bird");
      await name(page).press("Enter");
    },
    expected: async (page) => {
      await toasted("Profile saved")(page);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("button", { name: "Account of Early Bird" })).toBeVisible();
    },
  },
  {
    name: "a password that is changed",
    path: () => "/account",
    act: async (page) => {
      await page.getByLabel("Current password").fill("not the one");
      await page.getByLabel("New password").fill("long enough to be taken");
      await page.getByRole("button", { name: "Change password" }).click();
    },
    expected: (page) => expect(page.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true"),
  },
  {
    name: "a password that is shown",
    path: () => "/account",
    act: async (page) => {
      await page.getByLabel("New password").fill("long enough");
      await page.getByRole("button", { name: "Show the password" }).last().click();
    },
    expected: async (page) => {
      await expect(page.getByLabel("New password")).toHaveAttribute("type", "text");
      await expect(page.getByLabel("New password")).toHaveValue("long enough");
      await expect(page.getByText("11 / 256")).toBeVisible();
    },
  },
  {
    name: "the menu of the account",
    path: () => "/account",
    act: (page) => page.getByRole("button", { name: /^Account of/ }).click(),
    expected: (page) => expect(page.getByRole("banner").getByRole("button", { name: "Sign out" })).toBeVisible(),
  },
  {
    name: "signing out",
    path: () => "/account",
    act: (page) => page.getByRole("main").getByRole("button", { name: "Sign out" }).click(),
    expected: (page) => expect(page).toHaveURL("/login"),
  },
  {
    name: "a token that is created",
    path: () => "/tokens",
    act: async (page) => {
      await name(page).fill("Early token");
      await page.getByRole("button", { name: "Create token" }).click();
    },
    expected: (page) => expect(page.getByRole("heading", { name: "“Early token” is ready" })).toBeVisible(),
  },
  {
    name: "a search for users",
    path: () => "/users",
    act: (page) => page.getByRole("searchbox").fill("grace"),
    expected: (page) => expect(page).toHaveURL("/users?search=grace"),
  },
  {
    name: "the order of users",
    path: () => "/users",
    act: async (page) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.getByLabel("Order").selectOption("role");
    },
    expected: (page) => expect(page).toHaveURL("/users?sort=role"),
  },
  {
    name: "the button that creates a user",
    path: () => "/users",
    act: (page) => page.getByRole("button", { name: "Create user" }).click(),
    expected: (page) => expect(page.getByRole("dialog", { name: "Create user" })).toBeVisible(),
  },
  {
    name: "a role and a name that are saved",
    path: ({ id }) => `/users/${id}`,
    act: async (page) => {
      await page.getByLabel("Role").selectOption("user");
      await name(page).fill("Early Bird");
      await page.getByRole("button", { name: "Save" }).click();
    },
    expected: async (page) => {
      const dialog = page.getByRole("alertdialog", { name: "Stop being an administrator?" });
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(page.getByLabel("Role")).toHaveValue("user");
      await expect(name(page)).toHaveValue("Early Bird");
    },
  },
  {
    name: "a role that is chosen while React hydrates the page because of that choice",
    path: ({ id }) => `/users/${id}`,
    act: async (page) => {
      const role = page.getByLabel("Role");
      // What React does at its listener, if it sees the first event of a choice.
      await role.evaluate((select: HTMLSelectElement) => {
        const reset = () => {
          select.value = "admin";
        };
        document.addEventListener("input", reset, { once: true });
      });
      await role.selectOption("user");
      await page.getByRole("button", { name: "Save" }).click();
    },
    expected: (page) => expect(page.getByRole("alertdialog", { name: "Stop being an administrator?" })).toBeVisible(),
  },
  {
    name: "the button that deactivates a user",
    path: ({ id }) => `/users/${id}`,
    act: (page) => page.getByRole("button", { name: "Deactivate" }).click(),
    expected: (page) => expect(page.getByRole("alertdialog")).toBeVisible(),
  },
  {
    name: "a filter of the audit trail that is sent",
    path: () => "/audit",
    act: async (page) => {
      await page.getByLabel("Action").selectOption("login");
      await page.getByRole("button", { name: "Show", exact: true }).click({ noWaitAfter: true });
    },
    expected: (page) => expect(page).toHaveURL(/\/audit\?action=login/),
  },
];

test.describe("before a page is hydrated, it takes", () => {
  test.use({ mode: "guarded" });

  for (const { path, ...each } of GUARDED_CASES) {
    test(each.name, async ({ page, guarded, signIn }) => {
      const person = await makePerson(guarded, { role: "admin" });
      await signIn(page, person);
      await check({ ...each, path: path(person) }, page);
    });
  }

  test("an email and a password, and signs in", async ({ page, guarded }) => {
    await check(
      {
        name: "login",
        path: "/login?next=/tokens",
        act: async (own) => {
          await email(own).fill(guarded.user.email);
          await own.getByLabel("Password", { exact: true }).fill(guarded.user.password);
          await own.getByRole("main").getByRole("button", { name: "Sign in" }).click();
        },
        expected: (own) => expect(own).toHaveURL("/tokens"),
      },
      page,
    );
  });

  test("the last of several sign-ins, with the email as it was corrected", async ({ page, guarded }) => {
    await check(
      {
        name: "login",
        path: "/login?next=/tokens",
        act: async (own) => {
          const signIn = own.getByRole("main").getByRole("button", { name: "Sign in" });
          await email(own).fill("a-typo@example.com");
          await own.getByLabel("Password", { exact: true }).fill(guarded.user.password);
          await signIn.dblclick();
          await email(own).fill(guarded.user.email);
          await signIn.click();
        },
        expected: (own) => expect(own).toHaveURL("/tokens"),
      },
      page,
    );
  });

  test("a search for tokens, and the button that revokes one", async ({ page, guarded, signIn }) => {
    const person = await makePerson(guarded);
    const names = Array.from({ length: 9 }, (_, at) => `Job ${at + 1}`);
    await makeTokens(guarded, person, names);
    await signIn(page, person);
    await check(
      {
        name: "tokens",
        path: "/tokens",
        act: async (own) => {
          await own.getByRole("searchbox").fill("Job 3");
          await own.getByRole("button", { name: /^Revoke “Job 3”/ }).click();
        },
        expected: async (own) => {
          await expect(own.getByRole("alertdialog", { name: "Revoke “Job 3”?" })).toBeVisible();
          await own.getByRole("button", { name: "Cancel" }).click();
          await expect(own.getByRole("button", { name: /^Revoke/ })).toHaveCount(1);
        },
      },
      page,
    );
  });
});
