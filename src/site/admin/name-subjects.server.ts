import { readAdminInvitationEmails, readUsers } from "#accounts/accounts.server.ts";
import { readCreatorSummaries } from "#creators/creators.server.ts";
import { formatDate, isCalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { listPayouts } from "#payouts/payouts.server.ts";
import type { AuditEntry } from "#platform/audit/audit.server.ts";
import { auditAction } from "#platform/audit/audit.ui.tsx";
import { readVenueNames } from "#racing/racing.server.ts";
import { readTipDescriptions } from "#tips/tips.server.ts";

/**
 * Returns the display names of audit subjects by entry id: people by name, tips by venue, date,
 * race and horse, race days and races by venue and date. Omits other subjects.
 */
export async function nameSubjects(entries: readonly AuditEntry[]): Promise<Map<number, string>> {
  const collectIds = (subjectType: "user" | "payout" | "tip" | "venue" | "admin-invitation") => {
    const matching = entries.filter(
      (entry) => auditAction(entry.action).subjectType === subjectType,
    );
    return [...new Set(matching.map(readSubjectId).filter(isId))];
  };
  const payoutIds = collectIds("payout");
  const [users, { payouts }, tips, invitationEmails] = await Promise.all([
    readUsers(collectIds("user")),
    listPayouts({ payoutIds, limit: Math.max(1, payoutIds.length) }),
    readTipDescriptions(collectIds("tip")),
    readAdminInvitationEmails(collectIds("admin-invitation")),
  ]);
  const [creators, venues] = await Promise.all([
    readCreatorSummaries(payouts.map((payout) => payout.creatorId)),
    readVenueNames([...collectIds("venue"), ...tips.map((tip) => tip.venueId)]),
  ]);
  const names = new Map<string, string>([
    ...[...users].map(([id, user]) => [id, user.name] as const),
    ...payouts.map((payout) => [payout.id, creators.get(payout.creatorId)?.name ?? ""] as const),
    ...venues,
    ...invitationEmails,
    ...tips.map(({ id, venueId, raceDate, raceNumber, horseName }) => {
      const meeting = `${venues.get(venueId) ?? ""}, ${formatDate(raceDate)}`;
      return [id, `${meeting}, race ${raceNumber}, ${horseName}`] as const;
    }),
  ]);
  return new Map(
    entries.flatMap((entry) => {
      const name = auditAction(entry.action).subjectType
        ? names.get(readSubjectId(entry))
        : undefined;
      return name ? [[entry.id, `${name}${raceDaySuffix(entry)}`]] : [];
    }),
  );
}

function readSubjectId({ subject }: AuditEntry): string {
  return subject.slice(0, 36);
}

/** Returns date and race of a race day or race, whose subject is `venueId date` or `venueId date race`. */
function raceDaySuffix({ subject }: AuditEntry): string {
  const [, raceDate = "", raceNumber] = subject.split(" ");
  if (!isCalendarDate(raceDate)) return "";
  return `, ${formatDate(raceDate)}${raceNumber ? `, race ${raceNumber}` : ""}`;
}
