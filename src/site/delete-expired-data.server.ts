import { anonymiseOldApplications } from "#creators/creators.server.ts";
import { RETENTION_YEARS, yearsBefore } from "#domain/retention.ts";
import { clearOldSessionOrigins } from "#identity/identity.server.ts";
import { deleteOldBuyers, deleteOldOrders } from "#payments/payments.server.ts";
import { forgetOldExportedDetails } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { deleteOldAlerts, deleteOldMails } from "#platform/mail/forget-mails.server.ts";
import type { Job } from "#platform/queue.server.ts";

/**
 * Keeps, each night, what the privacy policy promises: usage data no longer names anyone after two
 * years, and what names the buyer of a purchase goes after seven. Twice is once.
 */
export const deleteExpiredData: Job = {
  name: "forget-what-is-old",
  schedule: "20 2 * * *",
  async run() {
    const at = now();
    const usedBefore = yearsBefore(at, RETENTION_YEARS.usageData);
    await deleteOldMails(usedBefore);
    await deleteOldAlerts(usedBefore);
    await clearOldSessionOrigins(usedBefore);
    await anonymiseOldApplications(usedBefore);
    await deleteOldOrders(usedBefore);
    await deleteOldBuyers(yearsBefore(at, RETENTION_YEARS.transactions));
    await forgetOldExportedDetails(yearsBefore(at, RETENTION_YEARS.transactions));
  },
};
