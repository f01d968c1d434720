import { expect, it } from "vitest";
import { sendAsGuest } from "#test/app.ts";
import { readVisibleText } from "#test/page-text.ts";

const readPageText = async (path: string) => await readVisibleText(await sendAsGuest(path));

it("explains that buying coins requires an account", async () => {
  const registering = await readPageText("/login?mode=register&return=buy-coins");
  expect(registering).toContain("Account Required");
  expect(registering).toContain("Create an account to purchase coins");
  expect(registering).not.toContain("Please log in to purchase coins");
  const loggingIn = await readPageText("/login?return=buy-coins");
  expect(loggingIn).toContain("Account Required");
  expect(loggingIn).toContain("Please log in to purchase coins");
  expect(await readPageText("/login?return=/help")).not.toContain("Account Required");
});

it("shows the minimum length only where a password is chosen", async () => {
  expect(await readPageText("/login?mode=register")).toContain("Minimum 6 characters");
  expect(await readPageText("/login")).not.toContain("Minimum 6 characters");
});

it("distinguishes malformed addresses from ones that mail servers reject", async () => {
  const register = async (email: string) =>
    await readVisibleText(
      await sendAsGuest("/login?mode=register", {
        method: "POST",
        body: new URLSearchParams({ name: "Thandi", email, password: "a long shot", agreed: "on" }),
      }),
    );
  expect(await register("thandi at home")).toContain("Please enter a valid email address");
  for (const email of ["thandi..m@example.test", ".thandi@example.test", "thandi@-example.test"])
    expect(await register(email)).toContain("Invalid email address. Please check your email.");
});

it("caches the page for guests, but not a refused form", async () => {
  const page = await sendAsGuest("/login?return=/help");
  expect(page.headers.get("ETag")).not.toBeNull();
  expect((await sendAsGuest("/login?return=/help")).headers.get("ETag")).toBe(
    page.headers.get("ETag"),
  );
  const response = await sendAsGuest("/login?return=/help", {
    method: "POST",
    body: new URLSearchParams({ email: "nobody@example.test", password: "a long shot" }),
  });
  expect(response.status).toBe(401);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(await readPageText("/login?return=/help")).not.toContain("nobody@example.test");
});
