import { formatInstant } from "#domain/calendar.ts";

/**
 * The limit per client address. It is generous because mobile carriers share one address among thousands
 * of users.
 */
export const APPLICATION_LIMIT = { max: 20, seconds: 15 * 60 };

export const applicationLimitKey = (clientAddress: string) => `application:${clientAddress}`;

export const NAME_TAKEN = "That display name is taken. Please choose another.";
export const TOO_MANY_APPLICATIONS =
  "Too many applications from your network. Please try again in 15 minutes.";

/** Returns the message for an applicant whose application is undecided. */
export function pendingMessage(sentAt: Date): string {
  return `We received your application on ${formatInstant(sentAt)}. You'll be notified once it is decided.`;
}
