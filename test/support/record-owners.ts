import { randomUUID } from "node:crypto";
import { hashPassword, startSession } from "#accounts/accounts.server.ts";
import { applyAsTipster } from "#creators/creators.server.ts";
import { jobs } from "#jobs.server.ts";
import { makeDemoPurchase } from "#payments/payments.server.ts";
import { requestPayout, writeBankDetails } from "#payouts/payouts.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "./browser.ts";
import { makeTipster, makeUser, type Person, publishRaceCard } from "./factories.ts";

export const PASSWORD = "correct horse battery staple 1";

export type RecordOwners = {
  tipster: Person;
  buyer: Person;
  raceDate: string;
  /** Ids for URL parameters and form fields, all owned by these users. */
  ids: Record<string, string>;
};

/** Creates a tipster and a buyer who own one record of each kind that other users must not access. */
export async function createRecordOwners(): Promise<RecordOwners> {
  const passwordHash = await hashPassword(PASSWORD);
  const tipster = await makeTipster();
  const buyer = await makeUser({ name: "Zebulon Vermeulen", coins: 40, passwordHash });
  const card = await publishRaceCard({ creatorId: tipster.id, races: [1, 2] });
  const other = await publishRaceCard({ creatorId: tipster.id, venue: "turffontein", races: [1] });
  await unlockRaceCardAs(buyer.id, card);
  const { sessionId } = await makeDemoPurchase({
    userId: buyer.id,
    coinPackId: "value_8",
    at: now(),
  });
  await writeBankDetails(tipster.id, {
    holder: "T Tipster",
    bank: "Capitec Bank",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
  });
  await requestPayout(tipster.id);
  await applyAsTipster({
    email: `applicant-${randomUUID().slice(0, 8)}@example.test`,
    fullName: "Ouma Grietjie",
    displayName: `Grietjie ${randomUUID().slice(0, 6)}`,
    phoneNumber: "",
    experienceYears: 3,
    specialization: "",
    favouriteTracks: "",
    bio: "",
  });
  await raiseAlert({ kind: "payment-mismatch", subject: sessionId, message: "The amounts differ" });
  await drainQueue(jobs());
  const queryValue = async (text: string, values: unknown[] = []) =>
    String(Object.values((await pool().query(text, values)).rows[0] ?? {})[0] ?? randomUUID());
  const ids = {
    raceCardId: other.raceCardId,
    openedCardId: card.raceCardId,
    venueId: card.venue.id,
    raceDate: card.raceDate,
    slug: tipster.slug,
    provider: "stripe",
    creatorId: tipster.id,
    userId: buyer.id,
    tipId: await queryValue("select id from tips where race_card_id = $1 order by race_number", [
      card.raceCardId,
    ]),
    purchaseId: await queryValue("select id from coin_purchases where session_id = $1", [
      sessionId,
    ]),
    sessionId,
    applicationId: await queryValue("select id from tipster_applications limit 1"),
    emailId: await queryValue("select id from emails where user_id = $1 limit 1", [buyer.id]),
    alertId: await queryValue("select id from alerts limit 1"),
    saleId: await queryValue("select id from sales limit 1"),
    payoutId: await queryValue("select id from payouts limit 1"),
    name: "send-email",
    id: card.raceCardId,
  };
  return { tipster, buyer, raceDate: card.raceDate, ids };
}

/** Returns a browser with a new session of a user. */
export async function createBrowserFor(person: Pick<Person, "id">): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(person.id));
  return browser;
}

/** Tables whose rows belong to no user. */
const SHARED_TABLES = [
  "rate_limits",
  "fake_stripe_sessions",
  "fake_stripe_events",
  "fake_paystack_transactions",
  "fake_paystack_refunds",
  "fake_paystack_disputes",
  "fake_paystack_events",
  "integrity_checks",
];

/** Returns every row that contains one of these ids, as text by table. */
export async function findRowsContaining(
  ids: readonly string[],
): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    if (SHARED_TABLES.includes(name)) continue;
    const { rows } = await pool().query<{ row: string }>(
      `select t::text as row from ${name} t where t::text ~ $1 order by 1`,
      [ids.join("|")],
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
