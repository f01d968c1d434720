import { checkAllBooks, checkRecentBooks } from "#books/books.server.ts";
import { keepDemo } from "#demo/demo.server.ts";
import { deleteExpired, sendAskedMail } from "#identity/identity.server.ts";
import { keepStandings } from "#leaderboard/leaderboard.server.ts";
import {
  keepPurchaseDays,
  mailAboutPurchase,
  reconcilePayments,
  standInJobs,
} from "#payments/payments.server.ts";
import { env } from "#platform/env.server.ts";
import { sendMail } from "#platform/mailer.server.ts";
import { type Job, keepFailedJobs } from "#platform/queue.server.ts";
import { keepEarnings, payDayRun, returnVoidCards } from "#race-cards/race-cards.server.ts";
import { forgetWhatIsOld } from "#site/site.server.ts";
import { forgetOldImages, keepTallies } from "#tipping/tipping.server.ts";

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
