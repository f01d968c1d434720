import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { applyAsTipster, inviteAnalyst } from "#creators/creators.server.ts";
import { startSession } from "#identity/identity.server.ts";
import { sendPurchaseMail } from "#payments/payments.server.ts";
import { listHeldEarnings } from "#payouts/payouts.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { enqueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { textOfPage } from "#test/page-text.ts";
import { markGuestDeal } from "#wallet/wallet.server.ts";

// Every admin action at its own path: its message when it is sent, when it is sent again, when a
// required field is missing, and its response to other roles.

const REASON = { reason: "Asked for by telephone, checked with the bank." };

let admin: Browser;
let punter: Browser;
beforeAll(async () => {
  admin = await browserOf((await makeAdmin()).id);
  punter = await browserOf((await makeUser()).id);
});
afterEach(() => expectInvariantsToHold());

async function browserOf(userId: string): Promise<Browser> {
  const browser = new Browser();
  browser.take(await startSession(userId));
  return browser;
}

type Press = {
  /** Creates the required records and returns the path of the action. */
  make: () => Promise<string>;
  fields?: Record<string, string>;
  said: string;
  again: { status: number; said: string };
  /** A required field, and the message when it is empty. */
  needs?: { field: string; said: string };
};

const AUDIT_ACTIONS: Record<string, Press> = {
  "resolving an alert": {
    make: async () => `/admin/attention/alerts/${await anAlert()}/resolve`,
    said: "Alert resolved.",
    again: { status: 200, said: "Alert resolved." },
  },
  "retrying failed jobs": {
    make: async () => `/admin/attention/jobs/${await aFailedJob()}/retry`,
    said: "Retrying the job.",
    again: { status: 200, said: "Retrying 0 jobs." },
  },
  "dismissing failed jobs": {
    make: async () => `/admin/attention/jobs/${await aFailedJob()}/dismiss`,
    said: "Job dismissed.",
    again: { status: 200, said: "0 jobs dismissed." },
  },
  "releasing a held earning": {
    make: async () => `/admin/attention/sales/${await aHeldSale()}/release`,
    said: "Released. It can be paid out from its payable date.",
    again: { status: 200, said: "Released. It can be paid out" },
  },
  "reversing a held earning": {
    make: async () => `/admin/attention/sales/${await aHeldSale()}/take-back`,
    fields: REASON,
    said: "Earning reversed. The tipster isn't paid for this sale. The buyer keeps the race card.",
    again: { status: 200, said: "Earning reversed. The tipster" },
    needs: { field: "reason", said: "reason" },
  },
  "declining an application": {
    make: async () => `/admin/tipsters/applications/${await anApplication()}/decline`,
    fields: REASON,
    said: "Declined. We've emailed the applicant the reason.",
    again: { status: 200, said: "Declined. We've emailed the applicant" },
    needs: { field: "reason", said: "reason" },
  },
  "approving an application": {
    make: async () => `/admin/tipsters/applications/${await anApplication()}/approve`,
    fields: { displayName: `Long Rein ${randomUUID().slice(0, 6)}` },
    said: "Approved. We've emailed them the link.",
    again: { status: 200, said: "Approved. We've emailed them" },
    needs: { field: "displayName", said: "Display name must be 2 to 60 characters long." },
  },
  "withdrawing the invitation of an analyst": {
    make: async () => `/admin/tipsters/invitations/${await anInvited()}/withdraw`,
    fields: { sure: "yes" },
    said: "Invitation withdrawn.",
    again: { status: 200, said: "Invitation withdrawn." },
  },
  "resending an email": {
    make: async () => `/admin/mails/${await aMail()}/resend`,
    said: "Email queued.",
    again: { status: 409, said: "already being sent" },
  },
  "signing a user out everywhere": {
    make: async () => {
      const { id } = await makeUser();
      for (const _ of [1, 2]) await startSession(id);
      return `/admin/users/${id}/sign-out`;
    },
    fields: { sure: "yes" },
    said: "2 sessions ended.",
    again: { status: 200, said: "0 sessions ended." },
  },
  "closing an account": {
    make: async () => `/admin/users/${(await makeUser({ coins: 3 })).id}/close`,
    fields: { ...REASON, sure: "yes" },
    said: "Account closed. 3 coins forfeited.",
    again: { status: 200, said: "Account closed. 0 coins forfeited." },
    needs: { field: "reason", said: "reason" },
  },
  "suspending a tipster": {
    make: async () => `/admin/tipsters/${(await makeTipster()).id}/standing`,
    fields: { suspended: "yes", sure: "yes", ...REASON },
    said: "Suspended. Their race cards are off sale and they can't publish. They can still see their earnings.",
    again: { status: 200, said: "Suspended. Their race cards" },
  },
};

async function anAlert(): Promise<string> {
  const subject = randomUUID();
  await raiseAlert({ kind: "payment-mismatch", subject, message: "Paid, but not as ordered." });
  const { rows } = await pool().query("select id from alerts where subject = $1", [subject]);
  return rows[0].id;
}

async function aFailedJob(): Promise<string> {
  await pool().query("delete from jobs.job");
  await transaction((tx) => enqueue(tx, sendPurchaseMail, { purchaseId: randomUUID() }));
  await pool().query("update jobs.job set state = 'failed', completed_on = now()");
  return sendPurchaseMail.name;
}

async function aHeldSale(): Promise<number> {
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

async function anApplication(): Promise<string> {
  const mark = randomUUID().slice(0, 8);
  const answer = await applyAsTipster({
    email: `${mark}@example.test`,
    fullName: "Lindiwe Sithole",
    displayName: `Rails ${mark}`,
  } as Parameters<typeof applyAsTipster>[0]);
  const { rows } = await pool().query("select id from tipster_applications where email = $1", [
    `${mark}@example.test`,
  ]);
  expect(answer.ok).toBe(true);
  return rows[0].id;
}

async function anInvited(): Promise<string> {
  const { id, name, email } = await makeUser();
  const displayName = `Rails ${randomUUID().slice(0, 8)}`;
  await inviteAnalyst((await makeAdmin()).id, { name, email, displayName });
  return id;
}

async function aMail(): Promise<string> {
  const to = `${randomUUID().slice(0, 8)}@example.test`;
  await transaction((tx) =>
    enqueueMail(tx, {
      to,
      kind: "payout-paid",
      subject: "Paid",
      html: "<p>Paid</p>",
      text: "Paid",
    }),
  );
  const { rows } = await pool().query(
    "update mails set sent_at = now() where recipient = $1 returning id",
    [to],
  );
  return rows[0].id;
}

describe.each(Object.entries(AUDIT_ACTIONS))(
  "%s",
  (_, { make, fields = {}, said, again, needs }) => {
    it("accepts only an admin, requires its fields, and reports repeats", async () => {
      const path = await make();
      const guest = await new Browser().post(path, fields);
      expect(guest.headers.get("Location")).toBe(`/admin?return=${encodeURIComponent(path)}`);
      expect((await punter.post(path, fields)).status).toBe(403);
      if (needs) {
        const refused = await admin.post(path, { ...fields, [needs.field]: "" });
        expect(refused.status).toBe(422);
        expect(await textOfPage(refused)).toContain(needs.said);
      }
      const done = await admin.post(path, fields);
      expect(await textOfPage(done)).toContain(said);
      expect(done.status).toBe(200);
      const twice = await admin.post(path, fields);
      expect(await textOfPage(twice)).toContain(again.said);
      expect(twice.status).toBe(again.status);
    });
  },
);
