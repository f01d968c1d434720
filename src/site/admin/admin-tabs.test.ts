import { describe, expect, it } from "vitest";
import { startSession } from "#identity/identity.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin } from "#test/factories.ts";

describe("the tabs of the admin area", () => {
  it.each([
    ["/admin", "/admin"],
    ["/admin/venues/new", "/admin/venues"],
    ["/admin/race-days/import", "/admin/venues"],
    ["/admin/results", "/admin/results"],
  ])("highlights on %s the tab %s", async (path, tab) => {
    const browser = new Browser();
    browser.applyCookies(await startSession((await makeAdmin()).id));
    const html = await (await browser.get(path)).text();
    const current = html.match(/<a [^>]*aria-current="page"[^>]*>/g) ?? [];
    expect(current.map((link) => /href="([^"]*)"/.exec(link)?.[1])).toContain(tab);
  });
});
