import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { jobs } from "#jobs.server.ts";
import { now } from "#platform/clock.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { enqueueBulkEmails, enqueueEmail, readMailbox, sendEmail } from "./mailer.server.ts";

const received: string[] = [];
let isRejecting = false;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, _session, callback) {
    const parts: Buffer[] = [];
    stream.on("data", (part) => parts.push(part));
    stream.on("end", () => {
      if (isRejecting) return callback(new Error("mailbox unavailable"));
      received.push(Buffer.concat(parts).toString());
      callback();
    });
  },
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const { env } = await import("#platform/env.server.ts");
  vi.spyOn(env(), "mail", "get").mockReturnValue({
    ...env().mail,
    smtpUrl: `smtp://127.0.0.1:${port}`,
  });
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const createEmail = (to: string, subject = "A receipt") => ({
  to,
  kind: "receipt" as const,
  subject,
  text: "Thank you.",
  html: "<p>Thank you.</p>",
});

describe("the mailer", () => {
  it("sends an email once when its job runs twice", async () => {
    await transaction((tx) => enqueueEmail(tx, createEmail("once@example.test")));
    await drainQueue(jobs());
    const { rows } = await pool().query("select id, sent_at from emails where recipient = $1", [
      "once@example.test",
    ]);
    expect(rows[0].sent_at).not.toBeNull();
    await sendEmail.run({ emailId: rows[0].id }, { isLast: false });
    expect(received.filter((each) => each.includes("once@example.test"))).toHaveLength(1);
    expect((await readMailbox())[0]).toMatchObject({ to: "once@example.test", text: "Thank you." });
  });

  it("sends bulk emails after other emails, with an address to unsubscribe in one click", async () => {
    received.length = 0;
    const unsubscribeUrl = "https://furlong.example/unsubscribe?token=v1.abc";
    await transaction(async (tx) => {
      const emails = ["bulk1@example.test", "bulk2@example.test"].map((to) => ({
        ...createEmail(to, "Bulk"),
        unsubscribeUrl,
      }));
      await enqueueBulkEmails(tx, emails);
      await enqueueEmail(tx, createEmail("first@example.test"));
      const { rows } = await tx.execute(sql`
        select m.recipient from jobs.job j join emails m on m.id::text = j.data ->> 'emailId'
        where j.state = 'created' order by j.priority desc, m.recipient`);
      expect(rows.map(({ recipient }) => recipient)).toEqual([
        "first@example.test",
        "bulk1@example.test",
        "bulk2@example.test",
      ]);
    });
    await drainQueue([sendEmail]);
    expect(received).toHaveLength(3);
    const bulkEmail = received.find((each) => each.includes("bulk1@example.test"));
    expect(bulkEmail?.replace(/\r\n\s+/g, " ")).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`);
    expect(bulkEmail).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const otherEmail = received.find((each) => each.includes("first@example.test"));
    expect(otherEmail).not.toContain("List-Unsubscribe");
  });

  it("stores and enqueues each of many bulk emails once", async () => {
    const emails = Array.from({ length: 1_100 }, (_, index) =>
      createEmail(`many${index}@example.test`, "Bulk"),
    );
    const counts: unknown[] = [];
    await transaction(async (tx) => {
      await enqueueBulkEmails(tx, emails);
      const { rows } = await tx.execute(sql`
        select count(distinct m.recipient)::integer as recipients, count(*)::integer as jobs
        from emails m join jobs.job j on j.data ->> 'emailId' = m.id::text
        where m.recipient like 'many%'`);
      counts.push(...rows);
      throw new Error("undone");
    }).catch(() => {});
    expect(counts).toEqual([{ recipients: 1_100, jobs: 1_100 }]);
  });

  it("does not send an email when its transaction is rolled back", async () => {
    await transaction(async (tx) => {
      await enqueueEmail(tx, createEmail("undone@example.test"));
      throw new Error("undone");
    }).catch(() => {});
    await drainQueue(jobs());
    expect(received.some((each) => each.includes("undone@example.test"))).toBe(false);
  });

  it("marks an email as failed after its last attempt or a quarter of an hour, until it is delivered", async () => {
    isRejecting = true;
    const [{ id }] = (
      await pool().query(
        `insert into emails (recipient, kind, subject, text, html, created_at)
         values ('late@example.test', 'receipt', 'Late', 'x', 'x', $1) returning id`,
        [now()],
      )
    ).rows;
    const readFailure = async () =>
      (await pool().query("select failed_at, failure from emails where id = $1", [id])).rows[0];
    await expect(sendEmail.run({ emailId: id }, { isLast: false })).rejects.toThrow();
    expect((await readFailure()).failed_at).toBeNull();
    await expect(sendEmail.run({ emailId: id }, { isLast: true })).rejects.toThrow();
    expect((await readFailure()).failure).toMatch(/mailbox unavailable/);
    for (const [seconds, failure] of [
      [-10, null],
      [0, expect.stringContaining("mailbox unavailable")],
    ] as const) {
      await pool().query(
        "update emails set failed_at = null, failure = null, created_at = $2 where id = $1",
        [id, new Date(now().getTime() - (15 * 60 + seconds) * 1000)],
      );
      await expect(sendEmail.run({ emailId: id }, { isLast: false })).rejects.toThrow();
      expect((await readFailure()).failure).toEqual(failure);
    }
    isRejecting = false;
    await sendEmail.run({ emailId: id }, { isLast: false });
    expect(await readFailure()).toEqual({ failed_at: null, failure: null });
  });

  it("prevents header injection through the subject", async () => {
    await transaction((tx) =>
      enqueueEmail(tx, createEmail("plain@example.test", "Hello\r\nBcc: everyone@example.test")),
    );
    await drainQueue(jobs());
    const sent = received.find((each) => each.includes("plain@example.test"));
    expect(sent).not.toMatch(/^Bcc:/im);
  });
});
