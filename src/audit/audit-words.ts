type Words = {
  said: string;
  /** Whose name tells the subject. */
  about?: "user" | "payout" | "tip" | "venue";
  link?: (subject: string) => string | null;
};

const user = (subject: string) => `/admin/users/${subject}`;
const tip = (subject: string) => `/admin/tips/${subject}`;
const venue = (subject: string) => `/admin/venues/${subject}`;
const application = (subject: string) => `/admin/tipsters/applications/${subject}`;

/** Each act of the audit in words, and where its subject is to be found. */
export const AUDIT_ACTIONS: Record<string, Words> = {
  "hide-tip": { said: "Hid a tip", about: "tip", link: tip },
  "show-tip": { said: "Showed a tip again", about: "tip", link: tip },
  "delete-tip": { said: "Deleted a tip", about: "tip", link: tip },
  "correct-result": { said: "Entered or corrected a result", about: "tip", link: tip },
  "add-venue": { said: "Added a venue", about: "venue", link: venue },
  "edit-venue": { said: "Changed a venue", about: "venue", link: venue },
  "activate-venue": { said: "Activated a venue", about: "venue", link: venue },
  "deactivate-venue": { said: "Deactivated a venue", about: "venue", link: venue },
  "delete-venue": { said: "Deleted a venue", about: "venue" },
  "save-race-day": {
    said: "Entered a race day",
    about: "venue",
    link: (subject) => {
      const [venueId, raceDate] = subject.split(" ");
      return `/admin/venues/${venueId}/race-days/${raceDate}`;
    },
  },
  "approve-application": { said: "Approved an application", link: application },
  "decline-application": { said: "Declined an application", link: application },
  "invite-analyst": { said: "Invited an analyst", about: "user", link: user },
  "withdraw-invitation": { said: "Withdrew an invitation", about: "user", link: user },
  "grant-role": { said: "Added a role", about: "user", link: user },
  "revoke-role": { said: "Removed a role", about: "user", link: user },
  "grant-coins": {
    said: "Granted coins",
    about: "user",
    link: (subject) => (/^[0-9a-f-]{36}:/.test(subject) ? user(subject.slice(0, 36)) : null),
  },
  "end-sessions": { said: "Logged a user out everywhere", about: "user", link: user },
  "close-account": { said: "Closed an account", about: "user", link: user },
  "turn-on-two-step": { said: "Turned two-step sign-in on", about: "user", link: user },
  "turn-off-two-step": { said: "Turned two-step sign-in off", about: "user", link: user },
  "make-recovery-codes": { said: "Created new recovery codes", about: "user", link: user },
  "use-recovery-code": { said: "Signed in with a recovery code", about: "user", link: user },
  "change-bank-details": { said: "Changed bank details", about: "user", link: user },
  "open-bank-details": { said: "Viewed bank details", about: "user", link: user },
  "start-payout": { said: "Started processing a payout", about: "payout" },
  "make-payment-file": { said: "Created a payment file", link: () => "/admin/payouts/exports" },
  "withdraw-export": { said: "Withdrew a payout from its payment file", about: "payout" },
  "change-payment-file-settings": {
    said: "Changed the payment file settings",
    link: () => "/admin/payouts/file-settings",
  },
  "reduce-payout": { said: "Took a disputed sale out of a payout", about: "payout" },
  "stop-payout": { said: "Stopped a payout", about: "payout" },
  "mark-payout-paid": { said: "Marked a payout as paid", about: "payout" },
  "release-earning": { said: "Released a held earning" },
  "take-earning-back": { said: "Reversed a held earning" },
  "resend-mail": { said: "Resent an email" },
  "send-receipt": {
    said: "Resent a receipt",
    link: (subject) => `/admin/sales/${subject}`,
  },
  "resolve-alert": { said: "Resolved an alert" },
  "retry-jobs": { said: "Retried jobs" },
  "drop-jobs": { said: "Dismissed jobs" },
};

/** What was done, in words. */
export function auditActionLabel(act: string): string {
  return AUDIT_ACTIONS[act]?.said ?? act.replaceAll("-", " ");
}

/** The details of an entry as pairs of words. */
export function auditDetails(details: unknown): [string, string][] {
  if (typeof details !== "object" || details === null) return [];
  return Object.entries(details).map(([name, value]) => [nameOf(name), wordsOf(name, value)]);
}

function nameOf(name: string): string {
  const words = name
    .replace(/Cents$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`;
}

function wordsOf(name: string, value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && name.endsWith("Cents")) return `R${(value / 100).toFixed(2)}`;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(itemOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function itemOf(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  return Object.values(item).join(" ");
}
