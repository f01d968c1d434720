import { beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { signOutEverywhere } from "#accounts/sign-in/sign-out.server.ts";
import { database } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";

// A tab stays open while its session is ended in another browser. Actions in the tab change
// nothing, show an error, and return to the same page after signing in.

const EXPIRED = "Session Expired: Your session has expired. Please log in again.";

async function openEndedTab(userId: string): Promise<Browser> {
  const tab = new Browser();
  tab.applyCookies(await startSession(userId));
  await signOutEverywhere(userId, tab.request());
  return tab;
}

let tab: Browser;

beforeEach(async () => {
  tab = await openEndedTab((await makeUser({ coins: 8 })).id);
});

async function expectSignIn(response: Response, target: string) {
  expect(response.status).toBe(302);
  const location = response.headers.get("Location") ?? "";
  expect(location).toBe(`/login?return=${encodeURIComponent(target)}&expired`);
  const page = await (await tab.get(location)).text();
  expect(page).toContain(EXPIRED);
  // The form carries the return path.
  expect(page).toContain(`name="return" value="${target}"`);
}

describe("with a session that was ended in another browser", () => {
  it.each(["/profile", "/profile/name", "/my-cards", "/profile/password"])(
    "redirects %s to the sign-in page and back",
    async (path) => {
      await expectSignIn(await tab.get(path), path);
    },
  );

  it("redirects page data to sign-in, with the page as the return path", async () => {
    for (const response of [
      await tab.get("/my-cards.data?before=x&_routes=sales%2Fmy-cards.page"),
      await tab.get("/profile/name.data"),
    ]) {
      expect(response.status).toBe(202);
      const body = await response.text();
      expect(body).toMatch(/return=%2F(my-cards%3Fbefore%3Dx|profile%2Fname)&expired/);
    }
    const submitted = await tab.post("/profile/name.data", { name: "Somebody" });
    expect(await submitted.text()).toContain("/login?return=%2Fprofile%2Fname&expired");
  });

  it.each([
    ["/profile/name", { name: "Somebody Else" }],
    ["/profile/email", { email: "else@example.test" }],
    ["/profile/password", { currentPassword: "a", newPassword: "b", confirmPassword: "c" }],
    ["/profile/delete", { password: "whatever it was", agreed: "on" }],
  ] as [string, Record<string, string>][])(
    "refuses the form of %s and redirects to sign-in",
    async (path, fields) => {
      await expectSignIn(await tab.post(path, fields), path);
    },
  );

  it("refuses to unlock a race card, with or without JavaScript", async () => {
    const { raceCardId } = await publishRaceCard();
    const response = await tab.postJson(`/api/race-cards/${raceCardId}/unlock`, {});
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ refusal: "not-signed-in" });
    const path = `/race-cards/${raceCardId}`;
    await expectSignIn(
      await tab.post(path, { idempotencyKey: "here", acknowledgedRacesRun: "0" }),
      path,
    );
  });

  it("reports the expired session on the coin packs page and creates no order", async () => {
    const fields = { coinPackId: "starter_4", idempotencyKey: crypto.randomUUID(), returnTo: "/" };
    const response = await tab.post("/buy-coins.data", fields);
    expect(response.status).toBe(401);
    expect(await response.text()).toContain(EXPIRED);
    await expectSignIn(await tab.post("/buy-coins", fields), "buy-coins");
    const { rows } = await database().execute("select count(*)::int as orders from orders");
    expect(rows).toEqual([{ orders: 0 }]);
    // A guest without an expired session is only asked to sign in.
    const guest = await new Browser().post("/buy-coins.data", fields);
    expect(await guest.text()).toContain("Please log in to purchase coins");
  });

  it("publishes no batch, and returns to its form after signing in", async () => {
    const tipster = await makeTipster();
    tab = await openEndedTab(tipster.id);
    await expectSignIn(await tab.post("/tipster-dashboard/add", {}), "/tipster-dashboard/add");
    const response = await tab.get("/tipster-dashboard/batch-day?venue=x&date=2026-01-01");
    await expectSignIn(response, "/tipster-dashboard/add");
    await expectSignIn(
      await tab.post("/tipster-dashboard/payout", {}),
      "/tipster-dashboard/payout",
    );
    const apiResponse = await tab.postJson("/.netlify/functions/update-tipster-profile", {
      name: "Else",
    });
    expect(apiResponse.status).toBe(401);
    expect(await apiResponse.json()).toEqual({ error: "Not authenticated" });
    expect((await tab.get("/tipster-dashboard")).headers.get("Location")).toBe("/tipster-auth");
  });

  it("refuses admin actions, and returns to each page after signing in", async () => {
    tab = await openEndedTab((await makeAdmin()).id);
    const path = `/admin/users/${(await makeUser()).id}/grant`;
    const grant = { amountCoins: "8", reason: "Because" };
    await expectSignIn(await tab.post(path, grant), path);
    expect(await (await tab.post(`${path}.data`, grant)).text()).toContain("&expired");
    await expectSignIn(await tab.get("/admin/venues"), "/admin/venues");
    // A client without any session gets the admin sign-in form.
    const guest = await new Browser().get("/admin/venues");
    expect(guest.headers.get("Location")).toBe("/admin?return=%2Fadmin%2Fvenues");
  });
});
