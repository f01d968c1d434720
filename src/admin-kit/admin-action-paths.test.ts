import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { applyAsTipster } from "#creators/creators.server.ts";
import { inviteAnalyst } from "#creators/invitations/invite-analyst.server.ts";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { sendPurchaseEmails } from "#payments/payments.server.ts";
import { listHeldEarnings } from "#payouts/payouts.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now, withClockAt } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { enqueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readVisibleText } from "#test/page-text.ts";
import { markResult } from "#tips/mark-results.server.ts";
import { markGuestDeal } from "#wallet/wallet.server.ts";

// Every admin action at its own path: the confirmation that it asks for, its message when it is sent, when it is sent
// again, when a required field is missing, and its response to other roles.

const REASON = { reason: "Asked for by telephone, checked with the bank." };

let admin: Browser;
let buyer: Browser;
beforeAll(async () => {
  admin = await signInBrowser((await makeAdmin()).id);
  buyer = await signInBrowser((await makeUser()).id);
});
afterEach(() => expectInvariantsToHold());

async function signInBrowser(userId: string): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(userId, { codeVerifiedAt: now() }));
  return browser;
}

type ActionCase = {
  /** Creates the required records and returns the path of the action. */
  createPath: () => Promise<string>;
  fields?: Record<string, string>;
  /** Text of the confirmation that is asked for when `confirmed` is missing. */
  confirmation?: string;
  message: string;
  repeated: { status: number; message: string };
  /** A required field, and the message when it is empty. */
  requiredField?: { name: string; message: string };
};

const ACTIONS: Record<string, ActionCase> = {
  "resolving an alert": {
    createPath: async () => `/admin/attention/alerts/${await createAlert()}/resolve`,
    // Later than the alert is raised.
    fields: { raised: "2027-12-31T00:00:00.000Z" },
    message: "Alert resolved.",
    repeated: { status: 200, message: "Alert resolved." },
    requiredField: { name: "raised", message: "Please reload the page and try again." },
  },
  "retrying failed jobs": {
    createPath: async () => `/admin/attention/jobs/${await createFailedJob()}/retry`,
    message: "Retrying the job.",
    repeated: { status: 200, message: "Retrying 0 jobs." },
  },
  "dismissing failed jobs": {
    createPath: async () => `/admin/attention/jobs/${await createFailedJob()}/dismiss`,
    // Later than the job fails.
    fields: { lastFailure: "9000000000000000" },
    message: "Job dismissed.",
    repeated: { status: 200, message: "0 jobs dismissed." },
    requiredField: { name: "lastFailure", message: "Please reload the page and try again." },
  },
  "releasing a held earning": {
    createPath: async () => `/admin/attention/sales/${await createHeldSale()}/release`,
    fields: { confirmed: "yes" },
    confirmation: "Release earning",
    message: "Released. It can be paid out from its payable date.",
    repeated: { status: 200, message: "Released. It can be paid out" },
  },
  "reversing a held earning": {
    createPath: async () => `/admin/attention/sales/${await createHeldSale()}/reverse`,
    fields: { ...REASON, confirmed: "yes" },
    confirmation: "Reverse earning",
    message:
      "Earning reversed. The tipster isn't paid for this sale. The buyer keeps the race card.",
    repeated: { status: 200, message: "Earning reversed. The tipster" },
    requiredField: { name: "reason", message: "reason" },
  },
  "confirming a tipster's claim": {
    createPath: async () => `/admin/tips/${await createClaim()}/result`,
    fields: { result: "won", ...REASON, confirmed: "yes" },
    confirmation: "1 tip changes.",
    message: "The tipster's claim is confirmed: won.",
    repeated: { status: 200, message: "No change: the tip was already won." },
    requiredField: { name: "reason", message: "reason" },
  },
  "declining an application": {
    createPath: async () => `/admin/tipsters/applications/${await createApplication()}/decline`,
    fields: REASON,
    message: "Declined. We've emailed the applicant the reason.",
    repeated: { status: 200, message: "Declined. We've emailed the applicant" },
    requiredField: { name: "reason", message: "reason" },
  },
  "approving an application": {
    createPath: async () => `/admin/tipsters/applications/${await createApplication()}/approve`,
    fields: { displayName: `Long Rein ${randomUUID().slice(0, 6)}` },
    message: "Approved. We've emailed them the link.",
    repeated: { status: 200, message: "Approved. We've emailed them" },
    requiredField: {
      name: "displayName",
      message: "Display name must be 2 to 60 characters long.",
    },
  },
  "cancelling the invitation of an analyst": {
    createPath: async () => `/admin/tipsters/invitations/${await createInvitedAnalyst()}/cancel`,
    fields: { confirmed: "yes" },
    confirmation: "Cancel the invitation of Rails ",
    message: "Invitation cancelled.",
    repeated: { status: 200, message: "Invitation cancelled." },
  },
  "resending an email": {
    createPath: async () => `/admin/emails/${await createSentEmail()}/resend`,
    message: "Email queued.",
    repeated: { status: 409, message: "already being sent" },
  },
  "dismissing a failed email": {
    createPath: async () => `/admin/emails/${await createFailedEmail()}/dismiss`,
    message: "Email dismissed. We won't try to send it again.",
    repeated: { status: 200, message: "Email dismissed." },
  },
  "signing a user out everywhere": {
    createPath: async () => {
      const { id } = await makeUser({ name: "Johan Botha" });
      for (const _ of [1, 2]) await startSession(id);
      return `/admin/users/${id}/sign-out`;
    },
    fields: { confirmed: "yes" },
    confirmation: "Log Johan Botha out everywhere",
    message: "2 sessions ended.",
    repeated: { status: 200, message: "0 sessions ended." },
  },
  "closing an account": {
    createPath: async () =>
      `/admin/users/${(await makeUser({ name: "Johan Botha", coins: 3 })).id}/close`,
    fields: { ...REASON, confirmed: "yes" },
    confirmation: "Close the account of Johan Botha",
    message: "Account closed. 3 coins lapsed.",
    repeated: { status: 200, message: "Account closed." },
    requiredField: { name: "reason", message: "reason" },
  },
  "hiding a tip": {
    createPath: async () => `/admin/tips/${await createClaim()}/visibility`,
    fields: { active: "no", confirmed: "yes", ...REASON },
    confirmation: "Hide tip",
    message: "Tip hidden. It is off sale and off the lists. Buyers can still read it.",
    repeated: { status: 200, message: "Tip hidden." },
  },
  "suspending a tipster": {
    createPath: async () => `/admin/tipsters/${(await makeTipster()).id}/suspension`,
    fields: { suspended: "yes", confirmed: "yes", ...REASON },
    confirmation: "Suspend Tipster ",
    message:
      "Suspended. Their race cards are off sale and they can't publish. They can still see their earnings.",
    repeated: { status: 200, message: "Suspended. Their race cards" },
  },
};

async function createAlert(): Promise<string> {
  const subject = randomUUID();
  await raiseAlert({ kind: "payment-mismatch", subject, message: "Paid, but not as ordered." });
  const { rows } = await pool().query("select id from alerts where subject = $1", [subject]);
  return rows[0].id;
}

/** Returns a tip of a past race of which the tipster claimed that it won. */
async function createClaim(): Promise<string> {
  const raceDate = addDays(dateAt(now()), -2);
  const { raceCardId, creatorId } = await withClockAt(instantAt(raceDate, "08:00"), () =>
    publishRaceCard({ raceDate }),
  );
  const { rows } = await pool().query("select id from tips where race_card_id = $1 limit 1", [
    raceCardId,
  ]);
  const tipId = rows[0].id;
  expect(await markResult(creatorId, { tipId, result: "won" })).toMatchObject({ ok: true });
  return tipId;
}

async function createFailedJob(): Promise<string> {
  await pool().query("delete from jobs.job");
  await transaction((tx) => enqueue(tx, sendPurchaseEmails, { purchaseId: randomUUID() }));
  await pool().query("update jobs.job set state = 'failed', completed_on = now()");
  return sendPurchaseEmails.name;
}

async function createHeldSale(): Promise<number> {
  const creator = await makeTipster();
  const buyer = await makeUser({ coins: 20 });
  await transaction((tx) => markGuestDeal(tx, buyer.id));
  for (const venue of ["kenilworth", "greyville"]) {
    const { raceCardId } = await publishRaceCard({ creatorId: creator.id, venue });
    await unlockRaceCardAs(buyer.id, { raceCardId });
  }
  const { earnings } = await listHeldEarnings({ heldFor: "review", limit: 100 });
  return earnings.find((earning) => earning.buyerId === buyer.id)?.saleId ?? 0;
}

async function createApplication(): Promise<string> {
  const uniqueSuffix = randomUUID().slice(0, 8);
  const result = await applyAsTipster({
    email: `${uniqueSuffix}@example.test`,
    fullName: "Lindiwe Sithole",
    displayName: `Rails ${uniqueSuffix}`,
  } as Parameters<typeof applyAsTipster>[0]);
  const { rows } = await pool().query("select id from tipster_applications where email = $1", [
    `${uniqueSuffix}@example.test`,
  ]);
  expect(result.ok).toBe(true);
  return rows[0].id;
}

async function createInvitedAnalyst(): Promise<string> {
  const { id, name, email } = await makeUser();
  const displayName = `Rails ${randomUUID().slice(0, 8)}`;
  await inviteAnalyst((await makeAdmin()).id, { name, email, displayName });
  return id;
}

async function createSentEmail(): Promise<string> {
  const to = `${randomUUID().slice(0, 8)}@example.test`;
  await transaction((tx) =>
    enqueueEmail(tx, {
      to,
      kind: "payout-paid",
      subject: "Paid",
      html: "<p>Paid</p>",
      text: "Paid",
    }),
  );
  const { rows } = await pool().query(
    "update emails set sent_at = now() where recipient = $1 returning id",
    [to],
  );
  return rows[0].id;
}

async function createFailedEmail(): Promise<string> {
  const id = await createSentEmail();
  await pool().query("update emails set sent_at = null, failed_at = now() where id = $1", [id]);
  return id;
}

describe.each(Object.entries(ACTIONS))(
  "%s",
  (_, { createPath, fields = {}, confirmation, message, repeated, requiredField }) => {
    it("accepts only an admin, requires its fields, asks first, and reports repeats", async () => {
      const path = await createPath();
      const guestResponse = await new Browser().post(path, fields);
      expect(guestResponse.headers.get("Location")).toBe(
        `/admin?return=${encodeURIComponent(path)}`,
      );
      expect((await buyer.post(path, fields)).status).toBe(403);
      if (requiredField) {
        const missingField = await admin.post(path, { ...fields, [requiredField.name]: "" });
        expect(missingField.status).toBe(422);
        expect(await readVisibleText(missingField)).toContain(requiredField.message);
      }
      if (confirmation) {
        const { confirmed: _, ...unconfirmed } = fields;
        const question = await admin.post(path, unconfirmed);
        expect(question.status).toBe(200);
        expect(await readVisibleText(question)).toContain(confirmation);
      }
      const first = await admin.post(path, fields);
      expect(await readVisibleText(first)).toContain(message);
      expect(first.status).toBe(200);
      const second = await admin.post(path, fields);
      expect(await readVisibleText(second)).toContain(repeated.message);
      expect(second.status).toBe(repeated.status);
    });
  },
);
