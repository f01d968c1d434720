import "#bind-race-result-steps.server.ts";
import { deleteExpired, sendRequestedEmail } from "#accounts/accounts.server.ts";
import { deleteOldImages } from "#creators/creators.server.ts";
import { refreshDemo } from "#demo/demo.server.ts";
import {
  fakeProviderJobs,
  reconcilePayments,
  remindOfDispute,
  returnCoins,
  rollUpPurchasesJob,
  sendPurchaseEmails,
  sendPurchaseRefund,
  sendUnspentCoinRefund,
  sumCustomersMoney,
  syncLostCoinsJob,
  syncPaymentJob,
} from "#payments/payments.server.ts";
import {
  followTransfers,
  holdGuestDealsJob,
  payDayRun,
  rollUpEarningsJob,
  sendTransfer,
} from "#payouts/payouts.server.ts";
import { env } from "#platform/env.server.ts";
import { checkAllInvariants, checkRecentInvariants } from "#platform/integrity/integrity.server.ts";
import { sendEmail } from "#platform/mail/mailer.server.ts";
import { createRetainFailedJobsJob, type Job } from "#platform/queue.server.ts";
import {
  appendToLogJob,
  emailCheckpointJob,
  timestampCheckpointsJob,
} from "#proof/proof.server.ts";
import { updateFiguresJob, updateTalliesJob } from "#records/records.server.ts";
import {
  emailResults,
  emailReturnedCoins,
  emailScratchings,
  returnSalesAfterRaces,
} from "#sales/sales.server.ts";
import { deleteExpiredData } from "#site/site.server.ts";
import { rollUpStandingsJob } from "#standings/standings.server.ts";

/** Returns every background job. */
export function jobs(): Job[] {
  const all = [
    sendEmail,
    sendRequestedEmail,
    deleteExpired,
    sendPurchaseEmails,
    sendPurchaseRefund,
    sendUnspentCoinRefund,
    remindOfDispute,
    sumCustomersMoney,
    reconcilePayments,
    rollUpPurchasesJob,
    syncLostCoinsJob,
    syncPaymentJob,
    ...fakeProviderJobs(),
    returnCoins,
    returnSalesAfterRaces,
    emailReturnedCoins,
    emailScratchings,
    emailResults,
    holdGuestDealsJob,
    payDayRun,
    sendTransfer,
    followTransfers,
    rollUpEarningsJob,
    deleteOldImages,
    deleteExpiredData,
    rollUpStandingsJob,
    updateTalliesJob,
    updateFiguresJob,
    appendToLogJob,
    emailCheckpointJob,
    timestampCheckpointsJob,
    checkRecentInvariants,
    checkAllInvariants,
    ...(env().mode === "demo" ? [refreshDemo] : []),
  ];
  return [...all, createRetainFailedJobsJob(all)];
}
