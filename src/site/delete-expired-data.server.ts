import { anonymiseOldSessions } from "#accounts/accounts.server.ts";
import { anonymiseOldApplications } from "#creators/creators.server.ts";
import { RETENTION_YEARS, subtractYears } from "#domain/retention.ts";
import { anonymiseOldBuyers, anonymiseOldOrders } from "#payments/payments.server.ts";
import { deleteOldExportedDetails } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { anonymiseOldEmails, deleteOldAlerts } from "#platform/mail/anonymise-emails.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";

/**
 * Enforces the retention periods of the privacy policy every night: deletes personal data from
 * usage data after two years and from purchases after seven. Idempotent.
 */
export const deleteExpiredData: Job = {
  name: "delete-expired-data",
  schedule: "20 2 * * *",
  async run() {
    const at = now();
    const usageCutoff = subtractYears(at, RETENTION_YEARS.usageData);
    const transactionCutoff = subtractYears(at, RETENTION_YEARS.transactions);
    const steps = {
      emails: () => anonymiseOldEmails(usageCutoff),
      alerts: () => deleteOldAlerts(usageCutoff),
      sessions: () => anonymiseOldSessions(usageCutoff),
      applications: () => anonymiseOldApplications(usageCutoff),
      orders: () => anonymiseOldOrders(usageCutoff),
      buyers: () => anonymiseOldBuyers(transactionCutoff),
      "payment files": () => deleteOldExportedDetails(transactionCutoff),
    };
    await runEach(
      deleteExpiredData.name,
      Object.entries(steps),
      ([name]) => name,
      ([, deleteOld]) => deleteOld(),
    );
  },
};
