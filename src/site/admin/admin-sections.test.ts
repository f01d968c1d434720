import { describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";

async function openAsAdmin(): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession((await makeAdmin()).id));
  return browser;
}

describe("the sections of the admin area", () => {
  it.each([
    ["/admin", "/admin"],
    ["/admin/tips", "/admin/tips"],
    ["/admin/venues/new", "/admin/venues"],
    ["/admin/race-days/import", "/admin/venues"],
    ["/admin/results", "/admin/results"],
  ])("mark on %s the section %s as current", async (path, section) => {
    const html = await (await (await openAsAdmin()).get(path)).text();
    const current = html.match(/<a [^>]*aria-current="page"[^>]*>/g) ?? [];
    // In the column and in the menu.
    expect(
      current
        .map((link) => /href="([^"]*)"/.exec(link)?.[1])
        .filter((href) => href?.startsWith("/admin")),
    ).toEqual(expect.arrayContaining([section, section]));
  });

  it("stay around the error of a page, without the site's footer and coins", async () => {
    const response = await (await openAsAdmin()).get("/admin/purchases/nothing");
    expect(response.status).toBe(404);
    const text = await readVisibleText(response);
    expect(text).toContain("Oops! This track doesn't exist");
    expect(text).toContain("Tips Management");
    expect(text).not.toContain("Buy Coins");
    expect(text).not.toContain("Helpline");
  });

  it("are not shown to a guest, who sees the site and the login form", async () => {
    const text = await readVisibleText(await new Browser().get("/admin"));
    expect(text).not.toContain("Tips Management");
    expect(text).toContain("Helpline");
  });

  it("lead from the earlier address of the open tasks to Today", async () => {
    const response = await (await openAsAdmin()).get("/admin/attention");
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/admin");
  });
});
