import { isId } from "#domain/id.ts";

type AuditActionEntry = {
  label: string;
  /** The type of entity that the subject identifies, whose name is shown. */
  subjectType?: "user" | "payout" | "tip" | "venue" | "admin-invitation";
  link?: (subject: string) => string | null;
};

const user = (subject: string) => `/admin/users/${subject}`;
const tip = (subject: string) => `/admin/tips/${subject}`;
const tipOrRaceCard = (subject: string) => (isId(subject) ? tip(subject) : `/admin/${subject}`);
const venue = (subject: string) => `/admin/venues/${subject}`;
const raceResult = (subject: string) => `/admin/results/${subject.replaceAll(" ", "/")}`;
const admins = () => "/admin/admins";
const application = (subject: string) => `/admin/tipsters/applications/${subject}`;

/** Every audit action, with its label and the page of its subject. */
export const AUDIT_ACTIONS = {
  "hide-tip": { label: "Hid a tip", subjectType: "tip", link: tip },
  "show-tip": { label: "Showed a tip again", subjectType: "tip", link: tip },
  "delete-tip": { label: "Deleted a tip", subjectType: "tip", link: tip },
  "correct-result": { label: "Entered or corrected a result", subjectType: "tip", link: tip },
  "enter-tip-result": {
    label: "Entered a result that another admin must enter too",
    subjectType: "tip",
    link: tipOrRaceCard,
  },
  "differ-on-tip-result": {
    label: "Entered the result of a tip differently",
    subjectType: "tip",
    link: tipOrRaceCard,
  },
  "discard-tip-result": {
    label: "Discarded the result of a tip or race card",
    subjectType: "tip",
    link: tipOrRaceCard,
  },
  "add-venue": { label: "Added a venue", subjectType: "venue", link: venue },
  "edit-venue": { label: "Changed a venue", subjectType: "venue", link: venue },
  "activate-venue": { label: "Activated a venue", subjectType: "venue", link: venue },
  "deactivate-venue": { label: "Deactivated a venue", subjectType: "venue", link: venue },
  "delete-venue": { label: "Deleted a venue", subjectType: "venue" },
  "save-race-day": {
    label: "Entered a race day",
    subjectType: "venue",
    link: (subject) => {
      const [venueId, raceDate] = subject.split(" ");
      return `/admin/venues/${venueId}/race-days/${raceDate}`;
    },
  },
  "enter-race-result": {
    label: "Entered a race result",
    subjectType: "venue",
    link: raceResult,
  },
  "correct-race-result": {
    label: "Corrected a race result",
    subjectType: "venue",
    link: raceResult,
  },
  "differ-on-race-result": {
    label: "Entered a race result differently",
    subjectType: "venue",
    link: raceResult,
  },
  "confirm-race-result": {
    label: "Confirmed a race result",
    subjectType: "venue",
    link: raceResult,
  },
  "confirm-log": { label: "Confirmed the public log after a restore" },
  "begin-log": { label: "Began another public log" },
  "rotate-log-key": { label: "Changed the signing key of the public log" },
  "discard-race-result": {
    label: "Discarded a race result",
    subjectType: "venue",
    link: raceResult,
  },
  "approve-application": { label: "Approved an application", link: application },
  "decline-application": { label: "Declined an application", link: application },
  "invite-analyst": { label: "Invited an analyst", subjectType: "user", link: user },
  "withdraw-invitation": {
    label: "Cancelled the invitation of an analyst",
    subjectType: "user",
    link: user,
  },
  "invite-admin": { label: "Invited an admin", subjectType: "admin-invitation", link: admins },
  "resend-admin-invitation": {
    label: "Resent the invitation of an admin",
    subjectType: "admin-invitation",
    link: admins,
  },
  "cancel-admin-invitation": {
    label: "Cancelled the invitation of an admin",
    subjectType: "admin-invitation",
    link: admins,
  },
  "accept-admin-invitation": { label: "Accepted the admin role", subjectType: "user", link: user },
  "remove-admin": { label: "Removed an admin", subjectType: "user", link: user },
  "grant-role": { label: "Added a role", subjectType: "user", link: user },
  "revoke-role": { label: "Removed a role", subjectType: "user", link: user },
  "refund-purchase": {
    label: "Refunded a purchase",
    link: (subject) => `/admin/purchases/${subject}`,
  },
  "grant-coins": {
    label: "Granted coins",
    subjectType: "user",
    link: (subject) => {
      const [userId = "", ...rest] = subject.split(":");
      return isId(userId) && rest.length > 0 ? user(userId) : null;
    },
  },
  "write-note": { label: "Wrote a note", subjectType: "user", link: user },
  "record-complaint": { label: "Recorded a complaint", subjectType: "user", link: user },
  "end-sessions": { label: "Logged a user out everywhere", subjectType: "user", link: user },
  "close-account": { label: "Closed an account", subjectType: "user", link: user },
  "redeem-claim-code": {
    label: "Redeemed the claim code of a closed account",
    subjectType: "user",
    link: user,
  },
  "pay-claim-code": {
    label: "Paid the claim code of a closed account",
    subjectType: "user",
    link: user,
  },
  "turn-on-two-step": { label: "Turned on two-step login", subjectType: "user", link: user },
  "turn-off-two-step": { label: "Turned off two-step login", subjectType: "user", link: user },
  "make-recovery-codes": { label: "Created new recovery codes", subjectType: "user", link: user },
  "use-recovery-code": { label: "Logged in with a recovery code", subjectType: "user", link: user },
  "change-bank-details": { label: "Changed bank details", subjectType: "user", link: user },
  "start-payout": { label: "Started processing a payout", subjectType: "payout" },
  "make-payment-file": { label: "Created a payment file", link: () => "/admin/payouts/exports" },
  "release-transfers": {
    label: "Released payouts as transfers",
    link: () => "/admin/payouts/exports",
  },
  "ask-payout-provider": {
    label: "Asked the provider about a payout's transfer",
    subjectType: "payout",
  },
  "fail-transfer": { label: "A payout's transfer failed", subjectType: "payout" },
  "return-transfer": { label: "A paid payout came back from the bank", subjectType: "payout" },
  "resolve-transfer": {
    label: "Resolved a transfer that Paystack reports differently",
    subjectType: "payout",
  },
  "check-bank-account": { label: "Had the bank account checked", subjectType: "user", link: user },
  "withdraw-export": { label: "Withdrew a payout from its payment file", subjectType: "payout" },
  "change-price": {
    label: "Changed a price or the tipsters' share",
    link: () => "/admin/purchases/coin-packs",
  },
  "change-payment-file-settings": {
    label: "Changed the payment file settings",
    link: () => "/admin/payouts/file-settings",
  },
  "reduce-payout": { label: "Took earnings out of a payout", subjectType: "payout" },
  "stop-payout": { label: "Stopped a payout", subjectType: "payout" },
  "mark-payout-paid": { label: "Marked a payout as paid", subjectType: "payout" },
  "release-earning": { label: "Released a held earning" },
  "reverse-earning": { label: "Reversed a held earning" },
  "resend-email": { label: "Resent an email" },
  "dismiss-email": { label: "Dismissed a failed email" },
  "send-receipt": {
    label: "Resent a receipt",
    link: (subject) => `/admin/purchases/${subject}`,
  },
  "ask-provider": { label: "Asked the payment provider about an order" },
  "resolve-alert": { label: "Resolved an alert" },
  "retry-jobs": { label: "Retried jobs" },
  "drop-jobs": { label: "Dismissed jobs" },
} as const satisfies Record<string, AuditActionEntry>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Returns the label and links of an action. */
export function auditAction(action: AuditAction): AuditActionEntry {
  return AUDIT_ACTIONS[action];
}

/** Returns the details of an entry as pairs of label and text. */
export function auditDetails(details: unknown): [string, string][] {
  if (typeof details !== "object" || details === null) return [];
  return Object.entries(details).map(([name, value]) => [
    formatName(name),
    formatValue(name, value),
  ]);
}

function formatName(name: string): string {
  const words = name
    .replace(/Cents$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`;
}

function formatValue(name: string, value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && name.endsWith("Cents")) return `R${(value / 100).toFixed(2)}`;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(formatItem).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function formatItem(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  return Object.values(item).join(" ");
}
