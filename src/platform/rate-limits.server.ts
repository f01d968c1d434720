import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { eq, inArray, sql } from "drizzle-orm";
import { now } from "./clock.server.ts";
import { database, queryPrepared } from "./database.server.ts";
import { rateLimits } from "./tables.server.ts";

const QUARTER_HOUR_SECONDS = 15 * 60;
const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const FREE_ATTEMPTS = 5;
/** After the free attempts each wait is twice the previous one, from a minute up to `maxWaitMs`. */
const PASSWORD_ATTEMPTS = { maxWaitMs: MINUTE_MS, expiresAfterMs: HOUR_MS };
const CODE_ATTEMPTS = { maxWaitMs: HOUR_MS, expiresAfterMs: 24 * HOUR_MS };

/**
 * Limits by client address are generous because mobile carriers put thousands of users behind one address.
 */
export const SIGN_IN_LIMIT = { max: 200, seconds: QUARTER_HOUR_SECONDS };
export const SIGN_UP_LIMIT = { max: 20, seconds: QUARTER_HOUR_SECONDS };
export const EMAIL_REQUEST_LIMIT = { max: 60, seconds: QUARTER_HOUR_SECONDS };
const EMAIL_LIMIT = { max: 3, seconds: 60 * 60 };
const FIRST_EMAIL_LIMIT = { max: 1, seconds: 60 * 60 };

/**
 * Counts one use of the key and returns true while it is within `max` per `seconds`. The count is
 * in the database and shared by all processes.
 */
export async function isWithinLimit(key: string, limit: Limit): Promise<boolean> {
  return (await countUse(key, limit)) === null;
}

type Limit = { max: number; seconds: number };

/** Counts one use of the key. Returns the seconds to wait, or null within the limit. */
async function countUse(key: string, { max, seconds }: Limit): Promise<number | null> {
  const at = now().getTime();
  const [row] = await queryPrepared<{ points: number; expire: number }>(
    "rate_limits_within_limit",
    `insert into rate_limits as l (key, points, expire) values ($1, 1, $2::bigint + $3::bigint)
     on conflict (key) do update set
       points = case when l.expire <= $2 then 1 else l.points + 1 end,
       expire = case when l.expire <= $2 then excluded.expire else l.expire end
     returning points, expire`,
    [key, at, seconds * 1000],
  );
  if (!row || row.points <= max) return null;
  return Math.max(1, Math.ceil((row.expire - at) / 1000));
}

/**
 * Counts one more email to an address among those that anyone can request. Returns null when it may
 * be sent, otherwise the seconds to wait. The first email per hour that is needed to sign in is
 * always sent, so that nobody can lock another person out by requesting emails.
 */
export async function consumeEmailLimit(
  email: string,
  purpose?: AccessPurpose,
): Promise<number | null> {
  const firstEmailWait = purpose
    ? await countUse(`${purpose}-mail:${hash(email)}`, FIRST_EMAIL_LIMIT)
    : 0;
  const waitSeconds = await countUse(`mail:${hash(email)}`, EMAIL_LIMIT);
  return firstEmailWait === null ? null : waitSeconds;
}

/** The purpose of an email that a person needs to sign in: a password reset or an account confirmation. */
type AccessPurpose = "new-password" | "new-account";

/** Counts one more email that anyone can request. Returns true when it may be sent. */
export async function tryConsumeEmailLimit(email: string): Promise<boolean> {
  return (await consumeEmailLimit(email)) === null;
}

/** Returns the key of a limit by client address. An IPv6 /64 network counts as one address. */
export function createAddressKey(action: string, clientAddress: string): string {
  return `${action}:${toNetwork(clientAddress)}`;
}

/** Returns the key of password attempts for an account; known browsers are counted separately. */
export function createPasswordKey(email: string, knownBrowserToken: string | null): string {
  return knownBrowserToken
    ? `password:known:${hash(knownBrowserToken)}`
    : `password:${hash(email)}`;
}

/**
 * Takes one password attempt: five, then one per minute. Must be called before the password is
 * verified, so that concurrent requests cannot bypass the limit. Returns null when an attempt is
 * available, otherwise the seconds to wait. A refused attempt does not extend the wait.
 */
export async function takePasswordAttempt(key: string): Promise<number | null> {
  const attempt = await takeAttempt(key, PASSWORD_ATTEMPTS);
  return attempt.ok ? null : attempt.waitSeconds;
}

/**
 * Takes one attempt at a two-step code, with waits that double up to an hour until a correct code
 * or a day without attempts. Returns the number of the attempt.
 */
export async function takeCodeAttempt(key: string): Promise<Attempt> {
  return await takeAttempt(key, CODE_ATTEMPTS);
}

type Attempt = { ok: true; count: number } | { ok: false; waitSeconds: number };

async function takeAttempt(
  key: string,
  { maxWaitMs, expiresAfterMs }: typeof PASSWORD_ATTEMPTS,
): Promise<Attempt> {
  const at = now().getTime();
  const [attempt] = await queryPrepared<{ points: number }>(
    "rate_limits_take_try",
    `insert into rate_limits as l (key, points, expire) values ($1, 1, $2::bigint + $3::bigint)
     on conflict (key) do update set
       points = case when l.expire <= $2 then 1 else l.points + 1 end, expire = excluded.expire
     where l.points < ${FREE_ATTEMPTS}
        or l.expire - $3::bigint
           + least($4::bigint, ${MINUTE_MS} * 2 ^ least(l.points - ${FREE_ATTEMPTS}, 20)) <= $2::bigint
     returning points`,
    [key, at, expiresAfterMs, maxWaitMs],
  );
  if (attempt) return { ok: true, count: attempt.points };
  const [row] = await queryPrepared<{ points: number; expire: number }>(
    "rate_limits_read_limit",
    "select points, expire from rate_limits where key = $1",
    [key],
  );
  const lastAt = row ? row.expire - expiresAfterMs : at;
  const waitMs = Math.min(
    maxWaitMs,
    MINUTE_MS * 2 ** ((row?.points ?? FREE_ATTEMPTS) - FREE_ATTEMPTS),
  );
  return { ok: false, waitSeconds: Math.max(1, Math.ceil((lastAt + waitMs - at) / 1000)) };
}

/** Returns an attempt that was taken but not used because the password was not verified. */
export async function uncountPasswordAttempt(key: string): Promise<void> {
  await database()
    .update(rateLimits)
    .set({
      points: sql`${rateLimits.points} - 1`,
      expire: sql`${rateLimits.expire} - ${MINUTE_MS}`,
    })
    .where(eq(rateLimits.key, key));
}

/** Deletes the counted password attempts, after a correct or a new password. */
export async function resetPasswordAttempts(keys: string[]): Promise<void> {
  await database().delete(rateLimits).where(inArray(rateLimits.key, keys));
}

function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [firstPart = "", lastPart] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const start = firstPart ? firstPart.split(":") : [];
  const end = lastPart ? lastPart.split(":") : [];
  const gap = lastPart === undefined ? 0 : 8 - start.length - end.length;
  const groups = [...start, ...Array<string>(Math.max(0, gap)).fill("0"), ...end];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** Hashes an address, because limits only need to recognise it. */
function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
