import type { APIRequestContext, Page } from "@playwright/test";
import { expectReadableEmail } from "./accessibility.ts";
import { holdRedirects } from "./redirects.ts";
import { expect, test } from "./test.ts";
import { createUniqueNumber } from "./users.ts";

const PASSWORD = "a long shot";

const createPerson = () => ({
  name: "Lerato Molefe",
  email: `lerato.${createUniqueNumber()}@example.test`,
});

/** Waits for an email with a link to this path and returns the link. */
async function waitForEmailLink(
  request: APIRequestContext,
  email: string,
  path: string,
): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const emails: { to: string; text: string }[] = await (
      await request.get("/demo/mail.json")
    ).json();
    const message = emails.find(({ to, text }) => to === email && text.includes(path));
    link = new RegExp(`https?://[^/\\s]+(${path}\\S+)`).exec(message?.text ?? "")?.[1];
    expect(link).toBeTruthy();
  }).toPass();
  return link ?? "";
}

async function register(
  page: Page,
  person: { name: string; email: string },
  path = "/login?mode=register",
) {
  await page.goto(path);
  await page.getByLabel("Full Name").fill(person.name);
  await page.getByLabel("Email").fill(person.email);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
}

async function fillLogin(page: Page, email: string, password: string) {
  await page.getByLabel("Email").fill(email);
  await page.locator("input[name=password]").fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
}

const readSessionStatus = async (page: Page) => (await page.request.get("/api/me")).status();

test.describe("with JavaScript", () => {
  test.use({ expectedConsoleErrors: [/status of (401|403|410|422)/] });

  test("a user registers, confirms in the same browser and is signed in", async ({ page }) => {
    const redirect = await holdRedirects(page);
    const person = createPerson();
    await register(page, person);
    await page.getByRole("button", { name: "Resend Confirmation Email" }).click();
    await expect(page.getByText("Confirmation email resent!")).toBeVisible();
    await page.goto(await waitForEmailLink(page.request, person.email, "/auth-callback"));
    await expect(page.getByText("Email confirmed successfully! Welcome to Furlong!")).toBeVisible();
    await expect(
      page.getByText(`Welcome ${person.name}! Account created successfully!`),
    ).toBeVisible();
    await redirect();
    await expect(page).toHaveURL("/");
    expect(await readSessionStatus(page)).toBe(200);
  });

  test("emails have sufficient contrast in light and dark mail programs", async ({ page }) => {
    const person = createPerson();
    await register(page, person);
    await waitForEmailLink(page.request, person.email, "/auth-callback");
    const emails: { subject: string; html: string }[] = await (
      await page.request.get("/demo/mail.json")
    ).json();
    const htmlBySubject = new Map(
      emails.map(({ subject, html }) => [subject.replace(/\d/g, ""), html]),
    );
    await page.goto("about:blank");
    for (const html of [...htmlBySubject.values()].slice(0, 12))
      await expectReadableEmail(page, html);
  });

  test("registering during a coin purchase returns to the purchase, even after a reload", async ({
    page,
  }) => {
    const person = createPerson();
    await register(page, person, "/login?mode=register&return=buy-coins");
    await page.reload();
    await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
    await expect(page.getByText(person.email)).toBeVisible();
    await page.goto(await waitForEmailLink(page.request, person.email, "/auth-callback"));
    await expect(page.getByRole("dialog")).toContainText("Jet Master");
    await expect(page).toHaveURL("/?buy-coins");
  });

  test("a confirmation link in another browser requires a click and redirects to the login page", async ({
    page,
    browser,
  }) => {
    const person = createPerson();
    await register(page, person);
    const link = await waitForEmailLink(page.request, person.email, "/auth-callback");
    const otherPage = await (await browser.newContext()).newPage();
    const redirect = await holdRedirects(otherPage);
    await otherPage.goto(link);
    await otherPage.getByRole("button", { name: "Confirm Email" }).click();
    await expect(otherPage.getByText("Email confirmed successfully!")).toBeVisible();
    await redirect();
    await expect(otherPage).toHaveURL("/login");
    expect(await readSessionStatus(otherPage)).toBe(401);
    await otherPage.context().close();
  });

  test("the login form shows errors, clears them when the mode changes, and redirects after three seconds", async ({
    page,
  }) => {
    const redirect = await holdRedirects(page);
    const person = createPerson();
    await register(page, person);
    await page.getByRole("link", { name: "Back to Login" }).click();
    await expect(page.getByRole("button", { name: "Log In" })).toBeVisible();
    await fillLogin(page, "lerato@", "12345");
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
    await expect(page.getByText("Password must be at least 6 characters long")).toBeVisible();
    await expect(page.getByLabel("Email")).toBeFocused();
    await page.getByRole("link", { name: "Create one" }).click();
    await expect(page.getByLabel("Email")).toHaveValue("");
    await expect(page.getByText("Please enter a valid email address")).toBeHidden();

    await page.goto("/login?return=%2Fhelp");
    await fillLogin(page, person.email, PASSWORD);
    await expect(
      page.getByText("Please confirm your email address before logging in."),
    ).toBeVisible();
    await page.request.post("/auth-callback", {
      form: {
        token:
          (await waitForEmailLink(page.request, person.email, "/auth-callback")).split(
            "token=",
          )[1] ?? "",
      },
    });
    await page.context().clearCookies();
    await fillLogin(page, person.email, "not it at all");
    await expect(
      page.getByText("Invalid email or password. Please check your credentials."),
    ).toBeVisible();
    await fillLogin(page, person.email, PASSWORD);
    await expect(page.getByText("Login successful")).toBeVisible();
    await expect(page.getByText(`Welcome back, ${person.name}!`)).toBeVisible();
    await redirect();
    await expect(page).toHaveURL("/help");
  });

  test("a password link that was used in another tab is reported when the form is sent", async ({
    page,
    context,
  }) => {
    const { email } = createPerson();
    await register(page, { name: "Lerato Molefe", email });
    await page.goto("/forgot-password");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send link" }).click();
    const link = await waitForEmailLink(page.request, email, "/reset-password");
    const otherTab = await context.newPage();
    for (const tab of [page, otherTab]) {
      await tab.goto(link);
      await tab.locator("input[name=password]").fill(`${PASSWORD} again`);
    }
    await otherTab.getByRole("button", { name: "Save password" }).click();
    await expect(otherTab.getByRole("heading", { name: "Password saved" })).toBeVisible();
    await page.getByRole("button", { name: "Save password" }).click();
    await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Send a new link" })).toBeVisible();
  });

  test("signing in and out updates other tabs", async ({ page, context }) => {
    const redirect = await holdRedirects(page);
    const otherTab = await context.newPage();
    await otherTab.goto("/help");
    await page.goto("/login");
    await fillLogin(page, "admin@furlong.test", "furlong-demo");
    await expect(page.getByText("Login successful")).toBeVisible();
    await expect(otherTab.getByRole("banner").getByRole("link", { name: "Login" })).toHaveCount(0);
    await page.goto("/logout");
    await expect(page.getByRole("heading", { name: "You have been logged out" })).toBeVisible();
    await expect(
      otherTab.getByRole("banner").getByRole("link", { name: "Login" }).first(),
    ).toBeVisible();
    await redirect();
    await expect(page).toHaveURL("/");
    expect(await readSessionStatus(page)).toBe(401);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, expectedConsoleErrors: [/status of (401|422)/] });

  test("a user registers, confirms, signs out and signs in again", async ({ page }) => {
    const person = createPerson();
    await page.goto("/login?mode=register");
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page.getByText("Please enter your full name")).toBeVisible();
    await register(page, person);
    await page.getByRole("button", { name: "Resend Confirmation Email" }).click();
    await expect(page.getByText("Confirmation email resent!")).toBeVisible();
    await page.goto(await waitForEmailLink(page.request, person.email, "/auth-callback"));
    await page.getByRole("button", { name: "Confirm Email" }).click();
    await expect(page.getByText("Email confirmed successfully!")).toBeVisible();
    expect(await readSessionStatus(page)).toBe(200);
    await page.goto("/logout");
    expect(await readSessionStatus(page)).toBe(200);
    await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
    await expect(page.getByText("You have been logged out")).toBeVisible();
    expect(await readSessionStatus(page)).toBe(401);
    await page.goto("/login?return=%2Fhelp");
    await fillLogin(page, person.email, PASSWORD);
    await expect(page.getByText("Login successful")).toBeVisible();
    await expect(page).toHaveURL("/help");
    expect(await readSessionStatus(page)).toBe(200);
  });
});
