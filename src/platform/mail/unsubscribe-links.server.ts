import { isId } from "#domain/id.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { env } from "#platform/env.server.ts";

/** The emails that a user can stop: the day's checkpoint of the public log, and the results of opened race cards. */
export const EMAIL_LISTS = ["checkpoint", "results"] as const;
export type EmailList = (typeof EMAIL_LISTS)[number];

const createTokenContext = (list: EmailList) => ({ purpose: "unsubscribe", owner: list });

/** Returns the address with which a user stops these emails without signing in. It does not expire. */
export function createUnsubscribeUrl(list: EmailList, userId: string): string {
  return `${env().appUrl}/unsubscribe?token=${encrypt(userId, createTokenContext(list))}`;
}

/** Returns the list and the user whose unsubscribe link has this token, or null. */
export function parseUnsubscribeToken(token: string): { list: EmailList; userId: string } | null {
  for (const list of EMAIL_LISTS) {
    try {
      const userId = decrypt(token, createTokenContext(list));
      if (isId(userId)) return { list, userId };
    } catch {
      // The token is of another list, or invalid.
    }
  }
  return null;
}
