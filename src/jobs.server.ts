import { forgetOldImages } from "#creators/creators.server.ts";
import { keepDemo } from "#demo/demo.server.ts";
import { deleteExpired, sendAskedMail } from "#identity/identity.server.ts";
import { checkAllBooks, checkRecentBooks } from "#integrity/integrity.server.ts";
import { keepStandings } from "#leaderboard/leaderboard.server.ts";
import {
  keepPurchaseDays,
  mailAboutPurchase,
  reconcilePayments,
  standInJobs,
} from "#payments/payments.server.ts";
import { keepEarnings, payDayRun } from "#payouts/payouts.server.ts";
import { env } from "#platform/env.server.ts";
import { sendMail } from "#platform/mailer.server.ts";
import { type Job, keepFailedJobs } from "#platform/queue.server.ts";
import { returnVoidCards } from "#sales/sales.server.ts";
import { forgetWhatIsOld } from "#site/site.server.ts";
import { keepTallies } from "#tips/tips.server.ts";

/** Every background job of the product. */
export function jobs(): Job[] {
  const all = [
    sendMail as Job,
    sendAskedMail as Job,
    deleteExpired,
    mailAboutPurchase as Job,
    reconcilePayments,
    keepPurchaseDays,
    ...standInJobs(),
    returnVoidCards as Job,
    payDayRun,
    keepEarnings,
    forgetOldImages,
    forgetWhatIsOld,
    keepStandings,
    keepTallies,
    checkRecentBooks,
    checkAllBooks,
    ...(env().mode === "demo" ? [keepDemo] : []),
  ];
  return [...all, keepFailedJobs(all)];
}
