import * as v from "valibot";
import { readUsers } from "#accounts/accounts.server.ts";
import { adminAction, adminActions } from "#admin-kit/admin-kit.server.ts";
import { reasonForm } from "#admin-kit/admin-kit.ui.tsx";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { deleteVenue, findVenue } from "#racing/racing.server.ts";
import { countOnSale } from "#tips/tips.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { closeUserAccount } from "../profile/close-user-account.server.ts";
import { dismissEmail } from "./dismiss-email.server.ts";
import { resendEmailAsAdmin } from "./resend-email.server.ts";
import { resolveAlert } from "./resolve-alert.server.ts";
import { resolveFailedJobs } from "./resolve-failed-jobs.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const RELOAD = "Please reload the page and try again.";

/** When the alert that the list shows was raised. */
const resolveAlertForm = v.object({
  raised: v.pipe(
    v.string(RELOAD),
    v.isoTimestamp(RELOAD),
    v.transform((text) => new Date(text)),
  ),
});

/** The last failure of the jobs that the list shows. */
const dismissJobsForm = v.object({
  lastFailure: v.pipe(
    v.string(RELOAD),
    v.maxLength(16, RELOAD),
    v.digits(RELOAD),
    v.transform(Number),
  ),
});

export const action = adminActions({
  "/admin/attention/alerts/:alertId/resolve": adminAction({
    input: resolveAlertForm,
    run: ({ admin, params, input }) => resolveAlert(admin.id, params.alertId, input.raised),
    done: "Alert resolved.",
    refusals: {
      "no-such-alert": ["Alert not found.", 404],
      "still-open":
        "What this alert is about is still open. The alert is resolved automatically when it ends.",
      "raised-again": "This alert was raised again meanwhile. Read its new message first.",
    },
  }),
  "/admin/attention/jobs/:name/retry": adminAction({
    run: async ({ admin, params }) => ({
      ok: true,
      jobs: await resolveFailedJobs(admin.id, params.name, "retry"),
    }),
    done: ({ jobs }) => (jobs === 1 ? "Retrying the job." : `Retrying ${jobs} jobs.`),
    refusals: {},
  }),
  "/admin/attention/jobs/:name/dismiss": adminAction({
    input: dismissJobsForm,
    run: async ({ admin, params, input }) => ({
      ok: true,
      jobs: await resolveFailedJobs(admin.id, params.name, { dismissUpTo: input.lastFailure }),
    }),
    done: ({ jobs }) => (jobs === 1 ? "Job dismissed." : `${jobs} jobs dismissed.`),
    refusals: {},
  }),
  "/admin/emails/:emailId/resend": adminAction({
    run: ({ admin, params }) => resendEmailAsAdmin(admin.id, params.emailId),
    done: "Email queued.",
    refusals: {
      "no-such-email": ["Email not found.", 404],
      waiting: "This email is already being sent.",
      "no-text": "We don't keep the text of sent emails, so it can't be sent again.",
      "not-needed": "The link in this email is no longer needed.",
    },
  }),
  "/admin/emails/:emailId/dismiss": adminAction({
    run: ({ admin, params }) => dismissEmail(admin.id, params.emailId),
    done: "Email dismissed. We won't try to send it again.",
    refusals: {
      "no-such-email": ["Email not found.", 404],
      "not-failed": "This email has not failed.",
    },
  }),
  "/admin/venues/:venueId/delete": adminAction({
    confirm: async ({ params: { venueId } }) => {
      const venue = isId(venueId) ? await findVenue(venueId) : null;
      return (
        venue && {
          title: "Delete venue",
          message: `Are you sure you want to delete this venue?${await describeTipsOnSale(venue)}`,
          confirmText: "Delete",
        }
      );
    },
    run: ({ admin, params }) => deleteVenue(admin.id, params.venueId),
    done: "Venue deleted. Existing race cards and records still show its name.",
    failed: "Failed to delete venue",
    refusals: {
      "no-such-venue": ["Venue not found.", 404],
    },
  }),
  "/admin/users/:userId/close": adminAction({
    needsCode: true,
    input: reasonForm,
    confirm: async ({ params: { userId } }) => {
      const user = isId(userId) ? (await readUsers([userId])).get(userId) : undefined;
      if (!user) return null;
      const { balanceCoins } = await readWallet(userId);
      const coins =
        balanceCoins === 0
          ? "They have no coins."
          : "The coins they bought and didn't spend are refunded; the others lapse.";
      return {
        title: `Close the account of ${user.name}`,
        message: `${coins} Their name, email address and password are permanently deleted. Payment records are kept. This action cannot be undone.`,
        confirmText: "Close account",
      };
    },
    run: ({ admin, params, input }) => closeUserAccount(admin.id, params.userId, input.reason),
    done: ({ refundedCoins, refundedCents, lapsedCoins }) =>
      [
        "Account closed.",
        ...(refundedCoins > 0
          ? [`${formatCoins(refundedCoins)} refunded: ${formatRand(refundedCents)}.`]
          : []),
        ...(lapsedCoins > 0 ? [`${formatCoins(lapsedCoins)} lapsed.`] : []),
      ].join(" "),
    refusals: {
      "no-such-user": ["User not found.", 404],
      "has-a-role":
        "This account has a role. Suspend the tipster or analyst, or remove the admin, first.",
      "has-unpaid-earnings":
        "They are still owed money. Pay it first. A suspended tipster gets a payout of any amount once all of it is payable.",
      disputed: "One of their payments is in dispute. Wait until it is resolved.",
      "reason-missing": ["Please give the reason.", 422],
    },
  }),
});

/** Returns how many tips of a venue are on sale, or nothing if none are. */
async function describeTipsOnSale({ id, name }: { id: string; name: string }): Promise<string> {
  const { venues } = await countOnSale(now());
  const { tips, raceCards } = venues.find(({ venueId }) => venueId === id) ?? NONE_ON_SALE;
  if (tips === 0) return "";
  return ` ${name} has ${tips} active ${tips === 1 ? "tip" : "tips"} on ${raceCards} ${raceCards === 1 ? "race card" : "race cards"} on sale. They keep its name and get their results, but no more tips can be published there.`;
}

const NONE_ON_SALE = { tips: 0, raceCards: 0 };
