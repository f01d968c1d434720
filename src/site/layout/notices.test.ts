import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { grantCoins } from "#accounts/admin/grant-coins.server.ts";
import { readCreatorNotices } from "#creators/creators.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { enterTipResultAsTwo, voidRaceCardAsTwo } from "#test/admin-results.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { deleteTip, hideTip, showTip } from "#tips/tip-visibility.server.ts";

const REASON = "The horse is not entered <b>";
let admin: Person;
let creator: Person;
let otherCreator: Person;
let raceCardId: string;
let tipId: string;

beforeEach(async () => {
  admin = await makeAdmin();
  creator = await makeTipster();
  otherCreator = await makeTipster();
  await publishRaceCard({ creatorId: otherCreator.id });
  ({ raceCardId } = await publishRaceCard({ creatorId: creator.id, races: [1, 2] }));
  const { rows } = await pool().query(
    "select id from tips where race_card_id = $1 order by race_number",
    [raceCardId],
  );
  tipId = rows[0].id;
});
afterAll(expectInvariantsToHold);

const readNotices = async (person: Person) =>
  await readCreatorNotices(person.id, { since: new Date(0), limit: 20 });

async function readEmails(
  userId: string,
  kind: string,
): Promise<{ subject: string; text: string }[]> {
  const { rows } = await pool().query(
    "select subject, text from emails where user_id = $1 and kind = $2 order by created_at, id",
    [userId, kind],
  );
  return rows;
}

describe("notices to creators", () => {
  it.each([
    ["a hidden tip", "One of your tips was hidden", () => hideTip(admin.id, tipId, REASON)],
    ["a deleted tip", "One of your tips was deleted", () => deleteTip(admin.id, tipId, REASON)],
    [
      "a void result",
      "A result was entered",
      () => enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: REASON }),
    ],
    [
      "a void race card",
      "One of your race cards was voided",
      () => voidRaceCardAsTwo(admin.id, { raceCardId, reason: REASON }),
    ],
  ])("are sent once for %s, with an email and the reason", async (_, title, performAction) => {
    expect(await performAction()).toMatchObject({ ok: true });
    expect(await performAction()).toMatchObject({ ok: true });
    await Promise.all([performAction(), performAction()]);
    const notices = await readNotices(creator);
    expect(notices).toMatchObject([{ title, reason: REASON }]);
    expect(notices[0]?.message).toContain("Kenilworth");
    const emails = await readEmails(creator.id, "creator-notice");
    expect(emails).toMatchObject([{ subject: title }]);
    expect(emails[0]?.text).toContain(REASON);
    // Emails contain no locked selections.
    expect(emails[0]?.text).not.toContain("Secret Horse");
    expect(await readNotices(otherCreator)).toEqual([]);
    expect(await readEmails(otherCreator.id, "creator-notice")).toEqual([]);
  });

  it("are sent once for a suspension, with one email", async () => {
    expect(await suspendCreator(admin.id, creator.id, REASON)).toEqual({ ok: true });
    await suspendCreator(admin.id, creator.id, REASON);
    expect(await readNotices(creator)).toMatchObject([
      { title: "Your account is suspended", reason: REASON },
    ]);
    const emails = await readEmails(creator.id, "creator-suspended");
    expect(emails).toHaveLength(1);
    expect(emails[0]?.text).toContain(REASON);
    expect(await readEmails(creator.id, "creator-notice")).toEqual([]);
  });

  it("are sent once when a hidden tip is shown again, with one email", async () => {
    await hideTip(admin.id, tipId, REASON);
    expect(await showTip(admin.id, tipId)).toEqual({ ok: true });
    await Promise.all([showTip(admin.id, tipId), showTip(admin.id, tipId)]);
    const title = "One of your tips is shown again";
    const notices = await readNotices(creator);
    expect(notices).toMatchObject([
      { title, reason: "" },
      { title: "One of your tips was hidden", reason: REASON },
    ]);
    expect(notices[0]?.message).toContain("Kenilworth");
    const emails = await readEmails(creator.id, "creator-notice");
    expect(emails.map((email) => email.subject)).toEqual(["One of your tips was hidden", title]);
    expect(emails[1]?.text).not.toContain("Secret Horse");
    expect(await readNotices(otherCreator)).toEqual([]);
  });

  it("are not sent for requests that are refused or change nothing", async () => {
    expect(
      await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: " " }),
    ).toMatchObject({
      ok: false,
    });
    await showTip(admin.id, tipId);
    await hideTip(admin.id, "nonsense", REASON);
    expect(await readNotices(creator)).toEqual([]);
  });

  it("are shown on the dashboard for 30 days", async () => {
    await hideTip(admin.id, tipId, REASON);
    await pool().query(
      `insert into creator_notices (creator_id, title, message, created_at)
       values ($1, 'Long ago', 'x', $2), ($1, 'Just in time', 'x', $3)`,
      [
        creator.id,
        new Date(now().getTime() - 31 * 86_400_000),
        new Date(now().getTime() - 29 * 86_400_000),
      ],
    );
    const browser = new Browser();
    browser.applyCookies(await startSession(creator.id));
    const page = await browser.get("/tipster-dashboard");
    const text = await readVisibleText(page);
    expect(text).toContain("One of your tips was hidden");
    expect(text).toContain("Just in time");
    expect(text).not.toContain("Long ago");
    expect(text).toContain("The horse is not entered");
  });
});

describe("emails to users", () => {
  it("are sent once for granted coins, with the reason", async () => {
    const user = await makeUser({ coins: 3 });
    const grant = { amountCoins: 5, reason: "The site was slow", idempotencyKey: "one" };
    await grantCoins(admin.id, user.id, grant);
    await grantCoins(admin.id, user.id, grant);
    const emails = await readEmails(user.id, "coins-granted");
    expect(emails).toMatchObject([{ subject: "You have received 5 coins" }]);
    expect(emails[0]?.text).toContain("The site was slow");
    expect(emails[0]?.text).toContain("8 coins");
  });
});
