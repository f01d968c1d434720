import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  findUserByEmail,
  grantRole,
  listUsers,
  readAccount,
  sendConfirmation,
  startSession,
} from "#accounts/accounts.server.ts";
import { endUserSessions } from "#accounts/sessions.server.ts";
import { inviteAnalyst } from "#creators/invitations/invite-analyst.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { makeDemoPurchase, sendPurchaseEmails } from "#payments/payments.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database, pool, transaction } from "#platform/database.server.ts";
import { countOpenAlerts, listAlerts } from "#platform/list-alerts.server.ts";
import type { EmailKind } from "#platform/mail/email-kinds.ts";
import {
  countFailedEmails,
  listEmailsTo,
  listFailedEmails,
} from "#platform/mail/list-emails.server.ts";
import { enqueueEmail, sendEmail } from "#platform/mail/mailer.server.ts";
import {
  createRetainFailedJobsJob,
  drainQueue,
  enqueue,
  listFailedJobs,
} from "#platform/queue.server.ts";
import { emails } from "#platform/tables.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { readWallet, setWalletFrozen } from "#wallet/wallet.server.ts";
import { closeUserAccount } from "../profile/close-user-account.server.ts";
import { countTasks, selectJobAlerts, sumTasks } from "./count-tasks.server.ts";
import { describeAlerts } from "./describe-alerts.server.ts";
import { dismissEmail } from "./dismiss-email.server.ts";
import { resendEmailAsAdmin } from "./resend-email.server.ts";
import { resolveAlert } from "./resolve-alert.server.ts";
import { resolveFailedJobs } from "./resolve-failed-jobs.server.ts";

let admin: Person;
beforeAll(async () => {
  admin = await makeAdmin();
});
afterEach(async () => {
  freezeClock(null);
  await expectInvariantsToHold();
});

const listAuditActions = async (subject: string) =>
  (await readAudit({ subject })).entries.filter((entry) => entry.actorId === admin.id);
const sendQueuedEmails = () => drainQueue([sendEmail]);

describe("closing an account", () => {
  const reason = "Asked for it in writing";

  it("lets granted coins lapse, removes the personal data and writes the audit log", async () => {
    const user = await makeUser({ name: "Johan Botha", coins: 7 });
    expect(await closeUserAccount(admin.id, user.id, reason)).toMatchObject({
      ok: true,
      lapsedCoins: 7,
    });
    expect(await readAccount(user.id, now())).toMatchObject({
      isClosed: true,
      name: "Closed account",
    });
    expect(await findUserByEmail(user.email)).toBeNull();
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 0 });
    expect(await listAuditActions(user.id)).toMatchObject([
      { action: "close-account", details: { reason, refundedCoins: 0, lapsedCoins: 7 } },
    ]);
  });

  it("refuses a missing reason, unknown users, roles, payable amounts and open disputes", async () => {
    const closeAndReadRefusal = async (userId: string, closeReason = reason) => {
      const result = await closeUserAccount(admin.id, userId, closeReason);
      return result.ok ? "done" : result.refusal;
    };
    const user = await makeUser({ coins: 4 });
    expect(await closeAndReadRefusal(user.id, " ")).toBe("reason-missing");
    expect(await closeAndReadRefusal(randomUUID())).toBe("no-such-user");
    expect(await closeAndReadRefusal(admin.id)).toBe("has-a-role");
    const creator = await makeTipster();
    expect(await closeAndReadRefusal(creator.id)).toBe("has-a-role");
    const { raceCardId } = await publishRaceCard({ creatorId: creator.id });
    await unlockRaceCardAs(user.id, { raceCardId });
    await suspendCreator(admin.id, creator.id);
    expect(await closeAndReadRefusal(creator.id)).toBe("has-unpaid-earnings");
    await transaction((tx) => setWalletFrozen(tx, user.id, true));
    expect(await closeAndReadRefusal(user.id)).toBe("disputed");
    expect(await readAccount(user.id, now())).toMatchObject({ isClosed: false });
  });

  it("closes the account once when requests are repeated or concurrent", async () => {
    const user = await makeUser({ coins: 7 });
    const results = await Promise.all(
      Array.from({ length: 5 }, () => closeUserAccount(admin.id, user.id, reason)),
    );
    expect(results.every((result) => result.ok)).toBe(true);
    expect(results.map((result) => result.ok && result.lapsedCoins).sort()).toEqual([
      0, 0, 0, 0, 7,
    ]);
    expect(await closeUserAccount(admin.id, user.id, reason)).toMatchObject({
      ok: true,
      lapsedCoins: 0,
    });
    expect(await listAuditActions(user.id)).toHaveLength(1);
  });

  it("does not conflict with a concurrent unlock that spends the last coins", async () => {
    const user = await makeUser({ coins: 4 });
    const { raceCardId } = await publishRaceCard();
    const [closed] = await Promise.all([
      closeUserAccount(admin.id, user.id, reason),
      unlockRaceCardAs(user.id, { raceCardId }),
    ]);
    expect(closed.ok).toBe(true);
    expect(await readWallet(user.id)).toMatchObject({ balanceCoins: 0 });
  });
});

/**
 * Creates an email in the given state. `hasText: false` removes the text, as production does after
 * sending.
 */
async function createEmail(
  to: Person,
  {
    kind = "welcome",
    state,
    hasText = true,
  }: { kind?: EmailKind; state: "sent" | "failed" | "waiting"; hasText?: boolean },
): Promise<string> {
  await transaction((tx) =>
    enqueueEmail(tx, { to: to.email, userId: to.id, kind, subject: "Hallo", text: "t", html: "h" }),
  );
  await sendQueuedEmails();
  const [email] = (await readEmailsTo(to.email)).slice(-1);
  if (!email) throw new Error("No email was sent.");
  await database()
    .update(emails)
    .set({
      sentAt: state === "sent" ? now() : null,
      failedAt: state === "failed" ? now() : null,
      failure: state === "failed" ? "mailbox full" : null,
      ...(hasText ? {} : { text: null, html: null }),
    })
    .where(eq(emails.id, email.id));
  return email.id;
}

const advanceClock = (seconds: number) => freezeClock(new Date(now().getTime() + seconds * 1000));

describe("resending an email", () => {
  it("delivers a failed email and clears it from the open tasks", async () => {
    const user = await makeUser();
    const before = await countFailedEmails();
    const emailId = await createEmail(user, { state: "failed" });
    expect(await countFailedEmails()).toBe(before + 1);
    expect((await listFailedEmails()).emails[0]).toMatchObject({
      id: emailId,
      failure: "mailbox full",
    });
    expect(await resendEmailAsAdmin(admin.id, emailId)).toEqual({ ok: true });
    await sendQueuedEmails();
    expect(await readEmailsTo(user.email)).toMatchObject([
      { id: emailId, failedAt: null, failure: null, sentAt: expect.any(Date) },
    ]);
    expect(await countFailedEmails()).toBe(before);
    expect(await listAuditActions(emailId)).toMatchObject([{ action: "resend-email" }]);
  });

  it("sends a copy of a sent email whose text is stored", async () => {
    const user = await makeUser();
    const emailId = await createEmail(user, { state: "sent" });
    advanceClock(90);
    expect(await resendEmailAsAdmin(admin.id, emailId)).toEqual({ ok: true });
    await sendQueuedEmails();
    const sent = await readEmailsTo(user.email);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ subject: "Hallo", text: "t", userId: user.id });
    const userEmails = await listEmailsTo({ userId: user.id, email: user.email });
    expect(userEmails).toHaveLength(2);
  });

  it("creates a new confirmation or invitation if its link is still needed", async () => {
    const user = await makeUser({ verified: false, passwordHash: "$argon2id$unused" });
    await transaction((tx) => sendConfirmation(tx, user.id));
    await sendQueuedEmails();
    const [confirmation] = await readEmailsTo(user.email);
    await database()
      .update(emails)
      .set({ text: null, html: null })
      .where(eq(emails.id, confirmation?.id ?? ""));
    advanceClock(90);
    expect(await resendEmailAsAdmin(admin.id, confirmation?.id ?? "")).toEqual({ ok: true });
    expect((await readEmailsTo(user.email)).at(-1)?.text).toContain("/auth-callback?token=");

    const email = `invited-${randomUUID().slice(0, 8)}@example.test`;
    await inviteAnalyst(admin.id, { name: "Priya", email, displayName: email.slice(0, 16) });
    await sendQueuedEmails();
    const [invitation] = await readEmailsTo(email);
    await database()
      .update(emails)
      .set({ text: null, html: null })
      .where(eq(emails.id, invitation?.id ?? ""));
    advanceClock(180);
    expect(await resendEmailAsAdmin(admin.id, invitation?.id ?? "")).toEqual({ ok: true });
    expect((await readEmailsTo(email)).at(-1)?.text).toContain("token=");
  });

  it("refuses emails that are unknown, queued, without text or with an obsolete link", async () => {
    const user = await makeUser();
    expect(await resendEmailAsAdmin(admin.id, randomUUID())).toEqual({
      ok: false,
      refusal: "no-such-email",
    });
    const waiting = await createEmail(user, { state: "waiting" });
    expect(await resendEmailAsAdmin(admin.id, waiting)).toEqual({ ok: false, refusal: "waiting" });
    const withoutText = await createEmail(await makeUser(), { state: "sent", hasText: false });
    expect(await resendEmailAsAdmin(admin.id, withoutText)).toEqual({
      ok: false,
      refusal: "no-text",
    });
    const confirmed = await createEmail(await makeUser(), {
      state: "sent",
      kind: "confirm-email",
      hasText: false,
    });
    expect(await resendEmailAsAdmin(admin.id, confirmed)).toEqual({
      ok: false,
      refusal: "not-needed",
    });
    for (const emailId of [waiting, withoutText, confirmed])
      expect(await listAuditActions(emailId)).toEqual([]);
  });

  it("queues one email when requests are repeated or concurrent", async () => {
    const user = await makeUser();
    const emailId = await createEmail(user, { state: "sent" });
    advanceClock(90);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => resendEmailAsAdmin(admin.id, emailId)),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await resendEmailAsAdmin(admin.id, emailId)).toEqual({ ok: false, refusal: "waiting" });
    expect(await readEmailsTo(user.email)).toHaveLength(2);
  });
});

describe("dismissing a failed email", () => {
  const readEmail = async (id: string) =>
    (await database().select().from(emails).where(eq(emails.id, id)))[0];

  it("clears only that one from the open tasks and does not try it again", async () => {
    const before = await countFailedEmails();
    const other = await createEmail(await makeUser(), { state: "failed" });
    const emailId = await createEmail(await makeUser(), { state: "failed" });
    expect(await countFailedEmails()).toBe(before + 2);
    expect(await dismissEmail(admin.id, emailId)).toEqual({ ok: true });
    expect(await countFailedEmails()).toBe(before + 1);
    const listed = (await listFailedEmails({ limit: 100 })).emails.map(({ id }) => id);
    expect(listed).toContain(other);
    expect(listed).not.toContain(emailId);
    await sendEmail.run({ emailId }, { isLast: false });
    expect(await readEmail(emailId)).toMatchObject({ sentAt: null, failure: "mailbox full" });
    expect(await listAuditActions(emailId)).toMatchObject([{ action: "dismiss-email" }]);
    expect(await listAuditActions(other)).toEqual([]);
  });

  it("lists it again when it is resent and fails again", async () => {
    const emailId = await createEmail(await makeUser(), { state: "failed" });
    const before = await countFailedEmails();
    await dismissEmail(admin.id, emailId);
    advanceClock(90);
    expect(await resendEmailAsAdmin(admin.id, emailId)).toEqual({ ok: true });
    await database().update(emails).set({ failedAt: now() }).where(eq(emails.id, emailId));
    expect(await countFailedEmails()).toBe(before);
    await sendQueuedEmails();
    expect(await readEmail(emailId)).toMatchObject({ sentAt: expect.any(Date), failedAt: null });
  });

  it("refuses emails that are unknown, queued or sent", async () => {
    for (const emailId of [randomUUID(), "no id"])
      expect(await dismissEmail(admin.id, emailId)).toEqual({
        ok: false,
        refusal: "no-such-email",
      });
    for (const state of ["sent", "waiting"] as const) {
      const emailId = await createEmail(await makeUser(), { state });
      expect(await dismissEmail(admin.id, emailId)).toEqual({ ok: false, refusal: "not-failed" });
      expect(await listAuditActions(emailId)).toEqual([]);
    }
  });

  it("writes one audit entry when requests are repeated or concurrent", async () => {
    const emailId = await createEmail(await makeUser(), { state: "failed" });
    const results = await Promise.all(
      Array.from({ length: 4 }, () => dismissEmail(admin.id, emailId)),
    );
    expect(results).toEqual(Array.from({ length: 4 }, () => ({ ok: true })));
    expect(await dismissEmail(admin.id, emailId)).toEqual({ ok: true });
    expect(await listAuditActions(emailId)).toHaveLength(1);
  });
});

async function createAlert(subject: string): Promise<string> {
  await raiseAlert({ kind: "payment-mismatch", subject, message: `Session ${subject} differs.` });
  const { alerts } = await listAlerts();
  return alerts.find((alert) => alert.subject === subject)?.id ?? "";
}

async function readRaisedAt(id: string): Promise<Date> {
  const { alerts } = await listAlerts({ limit: 100 });
  return alerts.find((alert) => alert.id === id)?.raisedAt ?? now();
}

/** Resolves an alert, as an admin does who is shown it as it is now. */
const resolveShownAlert = async (id: string) =>
  await resolveAlert(admin.id, id, await readRaisedAt(id));

describe("resolving an alert", () => {
  it("removes it from the list and writes its message to the audit log", async () => {
    const before = await countOpenAlerts();
    const id = await createAlert("cs_1");
    expect(await countOpenAlerts()).toBe(before + 1);
    expect(await resolveShownAlert(id)).toEqual({ ok: true });
    expect(await countOpenAlerts()).toBe(before);
    expect(await listAuditActions(id)).toMatchObject([
      { action: "resolve-alert", details: { kind: "payment-mismatch", about: "cs_1" } },
    ]);
  });

  it("reopens it when it is raised again", async () => {
    const id = await createAlert("cs_2");
    await resolveShownAlert(id);
    expect(await createAlert("cs_2")).toBe(id);
  });

  it("refuses one that was raised again since it was shown", async () => {
    const id = await createAlert("cs_4");
    const shownAt = await readRaisedAt(id);
    advanceClock(1);
    await createAlert("cs_4");
    const again = { ok: false, refusal: "raised-again" };
    expect(
      await Promise.all([
        resolveAlert(admin.id, id, shownAt),
        resolveAlert(admin.id, id, shownAt),
        resolveAlert(admin.id, id, new Date((await readRaisedAt(id)).getTime() - 1)),
      ]),
    ).toEqual([again, again, again]);
    expect((await listAlerts({ limit: 100 })).alerts.map((alert) => alert.id)).toContain(id);
    expect(await listAuditActions(id)).toEqual([]);
    expect(await resolveAlert(admin.id, id, await readRaisedAt(id))).toEqual({ ok: true });
    // Sent again, it is resolved still.
    expect(await resolveAlert(admin.id, id, shownAt)).toEqual({ ok: true });
  });

  it("refuses that of an open dispute, which links to its purchase, until the dispute ends", async () => {
    const user = await makeUser({ name: "Zanele Nkosi" });
    const paid = { userId: user.id, coinPackId: "starter_4", at: now() } as const;
    const { sessionId } = await makeDemoPurchase(paid);
    const setDispute = async (status: "open" | "won") =>
      (
        await pool().query(
          "update coin_purchases set dispute_status = $2 where session_id = $1 returning id",
          [sessionId, status],
        )
      ).rows[0].id as string;
    const purchaseId = await setDispute("open");
    await raiseAlert({ kind: "dispute", subject: purchaseId, message: "R40 is disputed." });
    const describeAlert = async () =>
      (await describeAlerts((await listAlerts()).alerts)).find(
        ({ subject }) => subject === purchaseId,
      );
    const alert = await describeAlert();
    expect(alert).toMatchObject({
      about: { path: `/admin/purchases/${purchaseId}`, text: "Purchase of Zanele Nkosi, R40.00" },
      isStillOpen: true,
    });
    const id = alert?.id ?? "";
    for (let press = 1; press <= 2; press += 1)
      expect(await resolveShownAlert(id)).toEqual({ ok: false, refusal: "still-open" });
    expect(await describeAlert()).toMatchObject({ id });
    await setDispute("won");
    expect(await describeAlert()).toMatchObject({ isStillOpen: false });
    expect(await resolveShownAlert(id)).toEqual({ ok: true });
    expect(await describeAlert()).toBeUndefined();
  });

  it("refuses an unknown alert", async () => {
    for (const id of [randomUUID(), "no id"])
      expect(await resolveShownAlert(id)).toEqual({ ok: false, refusal: "no-such-alert" });
  });

  it("writes one audit entry when requests are repeated or concurrent", async () => {
    const id = await createAlert("cs_3");
    const results = await Promise.all(Array.from({ length: 4 }, () => resolveShownAlert(id)));
    expect(results).toEqual(Array.from({ length: 4 }, () => ({ ok: true })));
    expect(await resolveShownAlert(id)).toEqual({ ok: true });
    expect(await listAuditActions(id)).toHaveLength(1);
  });
});

/** Creates jobs that have used all attempts. */
async function createFailedJobs(count: number): Promise<string> {
  const { name } = sendPurchaseEmails;
  await transaction(async (tx) => {
    for (let index = 0; index < count; index += 1)
      await enqueue(tx, sendPurchaseEmails, { purchaseId: randomUUID() });
  });
  await pool().query(
    `update jobs.job set state = 'failed', completed_on = now(),
       output = '{"message": "no connection"}' where name = $1 and state = 'created'`,
    [name],
  );
  return name;
}

async function dismissShownJobs(name: string): Promise<number> {
  const shown = (await listFailedJobs()).find((job) => job.name === name);
  return await resolveFailedJobs(admin.id, name, { dismissUpTo: shown?.lastFailure ?? 0 });
}

async function readJobStates(name: string): Promise<string[]> {
  const { rows } = await pool().query("select state from jobs.job where name = $1", [name]);
  return rows.map((row) => row.state);
}

describe("failed jobs", () => {
  afterEach(() => pool().query("delete from jobs.job"));

  it("are listed by name with their last error", async () => {
    const name = await createFailedJobs(3);
    expect(await listFailedJobs()).toMatchObject([
      { name, jobs: 3, lastError: "no connection", lastFailedAt: expect.any(Date) },
    ]);
  });

  it("are not listed and counted again as alerts", async () => {
    const name = await createFailedJobs(1);
    await raiseAlert({ kind: "job-failed", subject: name, message: "A job failed." });
    await raiseAlert({ kind: "job-failed", subject: "another-job", message: "A job failed." });
    const except = selectJobAlerts(await listFailedJobs());
    const { alerts } = await listAlerts({ limit: 100, except });
    const subjects = alerts.filter(({ kind }) => kind === "job-failed").map((each) => each.subject);
    expect(subjects).toEqual(["another-job"]);
    expect(await countOpenAlerts(except)).toBe(alerts.length);
  });

  it("can be retried or dismissed", async () => {
    const name = await createFailedJobs(2);
    expect(await resolveFailedJobs(admin.id, name, "retry")).toBe(2);
    expect(await readJobStates(name)).toEqual(["retry", "retry"]);
    expect(await listFailedJobs()).toEqual([]);
    await pool().query("update jobs.job set state = 'failed', completed_on = now()");
    expect(await dismissShownJobs(name)).toBe(2);
    expect(await readJobStates(name)).toEqual([]);
    const entries = (await listAuditActions(name)).map((entry) => entry.action);
    expect(entries).toEqual(["drop-jobs", "retry-jobs"]);
  });

  it.each([
    ["retry", "retry-jobs", 1],
    ["retry", "retry-jobs", 2],
    ["dismiss", "drop-jobs", 1],
    ["dismiss", "drop-jobs", 2],
  ] as const)(
    "write one audit entry for %s, %s, with the number of jobs, %i",
    async (action, auditAction, jobs) => {
      const otherName = "return-coins";
      await pool().query(
        `insert into jobs.job (name, state, completed_on)
         values ($1, 'failed', now()), ('send-purchase-email', 'completed', now())`,
        [otherName],
      );
      const name = await createFailedJobs(jobs);
      const countBefore = (await listAuditActions(name)).length;
      const resolve =
        action === "retry" ? resolveFailedJobs(admin.id, name, "retry") : dismissShownJobs(name);
      expect(await resolve).toBe(jobs);
      const entries = await listAuditActions(name);
      expect(entries).toHaveLength(countBefore + 1);
      expect(entries[0]).toMatchObject({ action: auditAction, details: { jobs } });
      expect(await readJobStates(otherName)).toEqual(["failed"]);
      expect(await readJobStates(name)).toContain("completed");
      expect(await listAuditActions(otherName)).toEqual([]);
    },
  );

  it("are counted as 0 and not audited when there are none", async () => {
    expect(await resolveFailedJobs(admin.id, "no-such-job", "retry")).toBe(0);
    expect(await listAuditActions("no-such-job")).toEqual([]);
  });

  it("are dismissed by the button of their row", async () => {
    const name = await createFailedJobs(2);
    const browser = new Browser();
    browser.applyCookies(await startSession(admin.id));
    const path = `/admin/attention/jobs/${name}/dismiss`;
    const html = await (await browser.get("/admin")).text();
    const form = html.split("<form").find((each) => each.includes(`action="${path}"`)) ?? "";
    const lastFailure = /name="lastFailure" value="(\d+)"/.exec(form)?.[1] ?? "";
    expect(await (await browser.post(path, { lastFailure })).text()).toContain("2 jobs dismissed.");
    expect(await readJobStates(name)).toEqual([]);
  });

  it("stay when they failed after the list was shown, and the others are dismissed", async () => {
    const name = await createFailedJobs(1);
    const shown = (await listFailedJobs()).find((job) => job.name === name);
    // The next failure is as close as the queue's clock can tell.
    await pool().query(
      `insert into jobs.job (name, state, completed_on)
       select name, state, completed_on + interval '1 microsecond' from jobs.job where name = $1 and state = 'failed'`,
      [name],
    );
    const dismissUpTo = shown?.lastFailure ?? 0;
    expect(await resolveFailedJobs(admin.id, name, { dismissUpTo })).toBe(1);
    expect(await resolveFailedJobs(admin.id, name, { dismissUpTo })).toBe(0);
    expect(await listFailedJobs()).toMatchObject([{ name, jobs: 1, lastFailure: dismissUpTo + 1 }]);
  });

  it("are retried once by concurrent requests", async () => {
    const name = await createFailedJobs(3);
    const before = (await listAuditActions(name)).length;
    const counts = await Promise.all(
      Array.from({ length: 4 }, () => resolveFailedJobs(admin.id, name, "retry")),
    );
    expect(counts.sort()).toEqual([0, 0, 0, 3]);
    expect(await resolveFailedJobs(admin.id, name, "retry")).toBe(0);
    expect(await listAuditActions(name)).toHaveLength(before + 1);
  });

  it("count once together with their alert, and not when they are dismissed", async () => {
    const before = await countTasks();
    const name = await createFailedJobs(2);
    await createRetainFailedJobsJob([sendPurchaseEmails]).run({}, { isLast: false });
    const { alerts } = await listAlerts();
    expect(alerts).toContainEqual(expect.objectContaining({ kind: "job-failed", subject: name }));
    const counts = await countTasks();
    expect(sumTasks(counts)).toBe(sumTasks(before) + 1);
    expect(counts).toMatchObject({ alerts: before.alerts, jobs: before.jobs + 1 });
    await dismissShownJobs(name);
    expect(await countTasks()).toEqual(before);
  });
});

describe("suspending and reinstating oneself", () => {
  it("is refused, and the pages offer no button for it", async () => {
    const tipster = await makeTipster();
    await transaction((tx) =>
      grantRole(tx, { userId: tipster.id, role: "admin", actorId: admin.id }),
    );
    const path = `/admin/tipsters/${tipster.id}/suspension`;
    for (const suspended of ["yes", "no"]) {
      const browser = new Browser();
      browser.applyCookies(await startSession(tipster.id));
      for (const page of ["/admin/tipsters?order=newest", `/admin/users/${tipster.id}`])
        expect(await (await browser.get(page)).text()).not.toContain(path);
      const response = await browser.post(path, { suspended, confirmed: "yes" });
      expect(response.status).toBe(403);
      expect(await response.text()).toContain("Another admin must suspend or reinstate you.");
      await suspendCreator(admin.id, tipster.id);
    }
  });
});

describe("the list of users", () => {
  it("finds users by name, email address, id and role", async () => {
    // Starts with a letter, because PostgreSQL parses 12e45678 as a number in a text search.
    const unique = `u${randomUUID().slice(0, 8)}`;
    const user = await makeUser({ name: `Lerato Van-der-Merwe ${unique}` });
    await transaction((tx) => grantRole(tx, { userId: user.id, role: "admin", actorId: null }));
    const findUserIds = async (search: Parameters<typeof listUsers>[0]) =>
      (await listUsers(search)).users.map((match) => match.id);
    expect(await findUserIds({ search: `lerato ${unique.slice(0, 5)}` })).toEqual([user.id]);
    expect(await findUserIds({ search: user.email.slice(0, -3).toUpperCase() })).toEqual([user.id]);
    expect(await findUserIds({ search: user.id })).toEqual([user.id]);
    expect(await findUserIds({ search: unique, role: "admin" })).toEqual([user.id]);
    expect(await findUserIds({ search: unique, role: "tipster" })).toEqual([]);
    expect(await findUserIds({ search: "%" })).toEqual([]);
    expect(await findUserIds({ search: "nobody-of-that-name" })).toEqual([]);
  });

  it("lists every user once across pages, newest or oldest first", async () => {
    for (const order of ["newest", "oldest"] as const) {
      const allIds = (await listUsers({ order, limit: 1000 })).users.map((user) => user.id);
      const paged: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof listUsers>> = await listUsers({
          order,
          cursor,
          limit: 4,
        });
        paged.push(...page.users.map((user) => user.id));
        cursor = page.next;
      } while (cursor);
      expect(paged).toEqual(allIds);
      expect(new Set(paged).size).toBe(allIds.length);
    }
  });
});

describe("ending all sessions of a user", () => {
  async function createUserWithTwoSessions() {
    const user = await makeUser();
    const browsers = [new Browser(), new Browser()];
    for (const browser of browsers) browser.applyCookies(await startSession(user.id));
    return { user, browsers };
  }
  const isSignedIn = async (browser: Browser) => (await browser.get("/api/me")).status === 200;

  it("ends every session of that user only and writes the audit log", async () => {
    const { user, browsers } = await createUserWithTwoSessions();
    const [otherBrowser] = (await createUserWithTwoSessions()).browsers;
    expect(await endUserSessions(admin.id, user.id)).toEqual({ ok: true, endedCount: 2 });
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(otherBrowser as Browser)).toBe(true);
    expect(await listAuditActions(user.id)).toMatchObject([
      { action: "end-sessions", details: { ended: 2 } },
    ]);
  });

  it("writes one audit entry when requests are concurrent", async () => {
    const { user } = await createUserWithTwoSessions();
    const results = await Promise.all(
      Array.from({ length: 5 }, () => endUserSessions(admin.id, user.id)),
    );
    expect(results.map((result) => (result.ok ? result.endedCount : -1)).sort()).toEqual([
      0, 0, 0, 0, 2,
    ]);
    expect(await listAuditActions(user.id)).toHaveLength(1);
  });

  it("requires confirmation, an existing user and an admin", async () => {
    const { user, browsers } = await createUserWithTwoSessions();
    const path = `/admin/users/${user.id}/sign-out`;
    const adminBrowser = new Browser();
    adminBrowser.applyCookies(await startSession(admin.id));
    expect(await (await adminBrowser.post(path, {})).text()).toContain(
      "logged out on every device",
    );
    for (const unknownId of [randomUUID(), "nobody"])
      expect(
        (await adminBrowser.post(`/admin/users/${unknownId}/sign-out`, { confirmed: "yes" }))
          .status,
      ).toBe(404);
    const tipsterBrowser = new Browser();
    tipsterBrowser.applyCookies(await startSession((await makeTipster()).id));
    expect((await tipsterBrowser.post(path, { confirmed: "yes" })).status).toBe(403);
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(true);
    expect(await listAuditActions(user.id)).toEqual([]);
  });
});
