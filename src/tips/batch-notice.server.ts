import type { Tx } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { enqueueMail } from "#platform/mailer.server.ts";
import { type BatchNotice, batchNotice } from "./batch-notice.email.tsx";

/** Tells the operator, after the commit, which races were published; never what was selected. */
export async function enqueueBatchNotice(tx: Tx, notice: BatchNotice): Promise<void> {
  await enqueueMail(tx, {
    to: env().mail.notificationTo,
    kind: "tip-notice",
    ...(await batchNotice(notice)),
  });
}
