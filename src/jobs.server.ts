import { deleteOldImages } from "#creators/creators.server.ts";
import { refreshDemo } from "#demo/demo.server.ts";
import { deleteExpired, sendRequestedEmail } from "#identity/identity.server.ts";
import { checkAllInvariants, checkRecentInvariants } from "#integrity/integrity.server.ts";
import { rollUpStandingsJob } from "#leaderboard/leaderboard.server.ts";
import {
  fakeStripeJobs,
  reconcilePayments,
  rollUpPurchasesJob,
  sendPurchaseEmails,
} from "#payments/payments.server.ts";
import { payDayRun, rollUpEarningsJob } from "#payouts/payouts.server.ts";
import { env } from "#platform/env.server.ts";
import { sendEmail } from "#platform/mail/mailer.server.ts";
import { type Job, retainFailedJobs } from "#platform/queue.server.ts";
import { refundVoidRaceCards } from "#sales/sales.server.ts";
import { deleteExpiredData } from "#site/site.server.ts";
import { updateTalliesJob } from "#tips/tips.server.ts";

/** Returns every background job. */
export function jobs(): Job[] {
  const all = [
    sendEmail,
    sendRequestedEmail,
    deleteExpired,
    sendPurchaseEmails,
    reconcilePayments,
    rollUpPurchasesJob,
    ...fakeStripeJobs(),
    refundVoidRaceCards,
    payDayRun,
    rollUpEarningsJob,
    deleteOldImages,
    deleteExpiredData,
    rollUpStandingsJob,
    updateTalliesJob,
    checkRecentInvariants,
    checkAllInvariants,
    ...(env().mode === "demo" ? [refreshDemo] : []),
  ];
  return [...all, retainFailedJobs(all)];
}
