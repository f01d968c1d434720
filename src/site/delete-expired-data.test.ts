import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { hashPassword, startSession } from "#accounts/accounts.server.ts";
import { declineApplication } from "#creators/applications/decline-application.server.ts";
import { applyAsTipster } from "#creators/creators.server.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now, withClockAt } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { makeAdmin, makeTipster, makeUser, type Person } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { withRefusedWrites } from "#test/refused-writes.ts";
import { deleteExpiredData } from "./delete-expired-data.server.ts";
import { deleteAccount } from "./profile/delete-account.server.ts";

const PASSWORD = "a long shot";
let person: Person;

beforeEach(async () => {
  person = await makeUser({ passwordHash: await hashPassword(PASSWORD), coins: 4 });
});

function yearsAgo({ years, days = 0 }: { years: number; days?: number }): Date {
  const at = new Date(now());
  at.setUTCFullYear(at.getUTCFullYear() - years);
  return new Date(at.getTime() - days * 24 * 60 * 60 * 1000);
}

const runJob = () => deleteExpiredData.run({}, { isLast: false } as never);

async function createEmail({ id, email }: Person, at: Date, isSent = true): Promise<string> {
  await withClockAt(at, () =>
    transaction((tx) =>
      enqueueEmail(tx, {
        to: email,
        userId: id,
        kind: "receipt",
        subject: "Your receipt",
        text: "Dear Thandi",
        html: "<p>Dear Thandi</p>",
      }),
    ),
  );
  const { rows } = await pool().query(
    "update emails set sent_at = $2 where id = (select id from emails where user_id = $1 and created_at = $3 limit 1) returning id",
    [id, isSent ? at : null, at],
  );
  return rows[0].id;
}

const readEmail = async (id: string) =>
  (await pool().query("select * from emails where id = $1", [id])).rows[0];

describe("after two years", () => {
  it("anonymises emails and keeps newer ones", async () => {
    const old = await createEmail(person, yearsAgo({ years: 2, days: 1 }));
    const recent = await createEmail(person, yearsAgo({ years: 2, days: -1 }));
    await runJob();
    const anonymised = await readEmail(old);
    expect(JSON.stringify(anonymised)).not.toMatch(
      new RegExp(`${person.email}|${person.id}|Thandi`),
    );
    expect(anonymised.kind).toBe("receipt");
    expect((await readEmail(recent)).recipient).toBe(person.email);
    await runJob();
    expect(await readEmail(old)).toEqual(anonymised);
  });

  it("deletes resolved alerts and leaves open ones", async () => {
    const subjects = [randomUUID(), randomUUID(), randomUUID()];
    const at = yearsAgo({ years: 2, days: 1 });
    for (const subject of subjects)
      await withClockAt(at, () => raiseAlert({ kind: "dispute", subject, message: "look" }));
    const resolveAlert = "update alerts set resolved_at = $2 where subject = $1";
    await pool().query(resolveAlert, [subjects[0], at]);
    await pool().query(resolveAlert, [subjects[1], yearsAgo({ years: 1 })]);
    await runJob();
    const { rows } = await pool().query("select subject from alerts where subject = any($1)", [
      subjects,
    ]);
    expect(rows.map((row) => row.subject).sort()).toEqual(subjects.slice(1).sort());
  });

  it("removes the IP address and user agent of active sessions", async () => {
    await startSession(person.id);
    await pool().query(
      "update sessions set created_at = $2, ip_address = '10.0.0.1', user_agent = 'Browser' where user_id = $1",
      [person.id, yearsAgo({ years: 2, days: 1 })],
    );
    await runJob();
    const { rows } = await pool().query(
      "select ip_address, user_agent from sessions where user_id = $1",
      [person.id],
    );
    expect(rows).toEqual([{ ip_address: null, user_agent: null }]);
  });

  it("anonymises declined applications, not open or recently declined ones", async () => {
    const admin = await makeAdmin();
    const apply = async (at: Date) => {
      const email = `${randomUUID()}@example.test`;
      await withClockAt(at, () =>
        applyAsTipster({
          email,
          fullName: "Sipho Dlamini",
          displayName: `Sipho ${email.slice(0, 8)}`,
          phoneNumber: "082 000 0000",
          experienceYears: 12,
          specialization: "Sprints",
          favouriteTracks: "Vaal",
          bio: "I live by the course.",
        }),
      );
      const { rows } = await pool().query("select id from tipster_applications where email = $1", [
        email,
      ]);
      return rows[0].id as string;
    };
    const expiredAt = yearsAgo({ years: 2, days: 1 });
    const [old, recentlyDeclined, open] = [
      await apply(expiredAt),
      await apply(expiredAt),
      await apply(expiredAt),
    ];
    await withClockAt(expiredAt, () =>
      declineApplication(admin.id, old, "Sipho writes too little"),
    );
    await declineApplication(admin.id, recentlyDeclined, "Not now");
    await runJob();
    const readApplication = async (id: string) =>
      (await pool().query("select * from tipster_applications where id = $1", [id])).rows[0];
    expect(JSON.stringify(await readApplication(old))).not.toMatch(
      /Sipho|82 ?000|example\.test|Vaal|course/,
    );
    expect((await readApplication(old)).status).toBe("declined");
    for (const id of [recentlyDeclined, open])
      expect((await readApplication(id)).full_name).toBe("Sipho Dlamini");
  });

  it("removes the buyer of failed and expired orders", async () => {
    const createOrder = async (status: string) => {
      const { rows } = await pool().query(
        `insert into orders (user_id, coin_pack_id, coin_pack_title, coins, amount_cents, idempotency_key,
           provider, status, created_at, updated_at)
         values ($1, 'starter_4', 'Horse Chestnut', 4, 4000, $2, 'stripe', $3, $4, $4) returning id`,
        [person.id, randomUUID(), status, yearsAgo({ years: 2, days: 1 })],
      );
      return rows[0].id as string;
    };
    const ids = [
      await createOrder("expired"),
      await createOrder("failed"),
      await createOrder("pending"),
    ];
    await runJob();
    const { rows } = await pool().query(
      "select status, user_id from orders where id = any($1) order by status",
      [ids],
    );
    expect(rows).toEqual([
      { status: "expired", user_id: null },
      { status: "failed", user_id: null },
      { status: "pending", user_id: person.id },
    ]);
    await pool().query("delete from orders where id = any($1)", [ids]);
  });
});

describe("after seven years", () => {
  it("anonymises guest deals and keeps newer ones", async () => {
    const createGuestDeal = async (at: Date) => {
      const { rows } = await pool().query(
        `with new_order as (
           insert into orders (coin_pack_id, coin_pack_title, coins, amount_cents, idempotency_key, provider,
             status, created_at, updated_at)
           values ('unlock_tip_starter', 'This card', 4, 4000, $1, 'stripe', 'expired', $2, $2) returning id)
         insert into guest_deals (order_id, email, card_fingerprint, created_at)
         select id, $1 || '@example.test', $1, $2 from new_order returning order_id`,
        [randomUUID(), at],
      );
      return rows[0].order_id as string;
    };
    const old = await createGuestDeal(yearsAgo({ years: 7, days: 1 }));
    const recent = await createGuestDeal(yearsAgo({ years: 7, days: -1 }));
    await runJob();
    await runJob();
    const { rows } = await pool().query(
      "select order_id, email from guest_deals where order_id = any($1)",
      [[old, recent]],
    );
    const findEmail = (id: string) => rows.find((row) => row.order_id === id)?.email;
    expect(findEmail(old)).toMatch(new RegExp(`^${old}\\.[0-9a-f-]{36}@closed\\.invalid$`));
    expect(findEmail(recent)).toMatch(/@example\.test$/);
    await expectInvariantsToHold();
  });
});

describe("deleting an account", () => {
  it("anonymises the person's emails and applications immediately", async () => {
    const emailId = await createEmail(person, now());
    await applyAsTipster({
      email: person.email,
      fullName: person.name,
      displayName: `Thandi ${randomUUID().slice(0, 8)}`,
      phoneNumber: "",
      experienceYears: null,
      specialization: "",
      favouriteTracks: "",
      bio: "",
    });
    const viewer = { ...person, emailVerified: true, roles: ["user" as const] };
    expect(await deleteAccount(viewer, PASSWORD)).toMatchObject({ ok: true });
    expect(JSON.stringify(await readEmail(emailId))).not.toContain(person.email);
    const { rows } = await pool().query("select * from tipster_applications where email = $1", [
      person.email,
    ]);
    expect(rows).toEqual([]);
  });
});

describe("payment files after seven years", () => {
  it("removes the bank details from payment file lines and keeps newer ones", async () => {
    const creator = await makeTipster();
    const createExportLine = async (at: Date) => {
      const { rows } = await pool().query(
        `with new_payout as (
           insert into payouts (creator_id, amount_cents, status, requested_at, stopped_at)
           values ($1, 10000, 'stopped', $2, $2) returning id
         ), new_export as (
           insert into payment_exports (created_at, format, number, payments, total_cents)
           select $2, 'generic', 101 + count(*), 1, 10000 from payment_exports returning id
         ) select new_payout.id as payout, new_export.id as export from new_payout, new_export`,
        [creator.id, at],
      );
      const ids = [rows[0].export, rows[0].payout];
      await pool().query(
        `insert into payment_export_lines
           (export_id, payout_id, creator_id, amount_cents, reference, encrypted_details, account_last4)
         values ($1, $2, $3, 10000, 'FURLONG 1', 'v1.secret', '7890')`,
        [...ids, creator.id],
      );
      return ids[1];
    };
    const old = await createExportLine(yearsAgo({ years: 7, days: 1 }));
    const recent = await createExportLine(yearsAgo({ years: 7, days: -1 }));
    await runJob();
    await runJob();
    const readExportLine = async (payoutId: string) =>
      (await pool().query("select * from payment_export_lines where payout_id = $1", [payoutId]))
        .rows[0];
    expect(await readExportLine(old)).toMatchObject({
      encrypted_details: null,
      account_last4: "7890",
    });
    expect(await readExportLine(recent)).toMatchObject({ encrypted_details: "v1.secret" });
    await expectInvariantsToHold();
  });
});

it("deletes the other data when one kind fails, and that kind in the next run", async () => {
  const emailId = await createEmail(person, yearsAgo({ years: 2, days: 1 }));
  const { rows } = await pool().query(
    `insert into alerts (kind, subject, message, created_at, resolved_at)
     values ('integrity', $1, 'old', $2, $2) returning id`,
    [randomUUID(), yearsAgo({ years: 2, days: 1 })],
  );
  await withRefusedWrites({ table: "emails", write: "update", condition: "true" }, () =>
    expect(runJob()).rejects.toThrow("1 failed: emails"),
  );
  const { rows: alerts } = await pool().query("select from alerts where id = $1", [rows[0].id]);
  expect(alerts).toEqual([]);
  expect((await readEmail(emailId)).recipient).toBe(person.email);
  await runJob();
  expect((await readEmail(emailId)).recipient).toBe("anonymised");
});
