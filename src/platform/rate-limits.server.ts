import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { eq, inArray, sql } from "drizzle-orm";
import { now } from "./clock.server.ts";
import { database, prepared } from "./database.server.ts";
import { rateLimits } from "./tables.server.ts";

const QUARTER_HOUR = 15 * 60;
const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const FREE_TRIES = 5;
/** After the free tries each wait is twice the one before, from a minute up to `maxWaitMs`. */
const PASSWORD_TRIES = { maxWaitMs: MINUTE_MS, forgottenAfterMs: HOUR_MS };
const CODE_TRIES = { maxWaitMs: HOUR_MS, forgottenAfterMs: 24 * HOUR_MS };

/** Limits by client address are generous: a mobile carrier puts thousands behind one. */
export const SIGN_INS = { max: 200, seconds: QUARTER_HOUR };
export const SIGN_UPS = { max: 20, seconds: QUARTER_HOUR };
export const REQUESTED_MAILS = { max: 60, seconds: QUARTER_HOUR };
const MAILS = { max: 3, seconds: 60 * 60 };
const FIRST = { max: 1, seconds: 60 * 60 };

/**
 * Counts one use under the key and answers whether it is within `max` for each `seconds`. Counted in
 * the database, so every process counts together.
 */
export async function withinLimit(key: string, limit: Limit): Promise<boolean> {
  return (await waitFor(key, limit)) === null;
}

type Limit = { max: number; seconds: number };

/** The same, answering how many seconds there are to wait; null within the limit. */
async function waitFor(key: string, { max, seconds }: Limit): Promise<number | null> {
  const at = now().getTime();
  const [row] = await prepared<{ points: number; expire: number }>(
    "identity_within_limit",
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
 * Counts one more mail to this address, of those that anybody can ask for. Null where it may be sent;
 * else in how many seconds the next one may be. The first one an hour that somebody needs to come in is
 * sent whatever else was asked for: nobody is kept out by a stranger who asks for mails in their place.
 */
export async function countMail(email: string, toComeIn?: WayIn): Promise<number | null> {
  const first = toComeIn ? await waitFor(`${toComeIn}-mail:${keyed(email)}`, FIRST) : 0;
  const waitSeconds = await waitFor(`mail:${keyed(email)}`, MAILS);
  return first === null ? null : waitSeconds;
}

/** What there is no coming in without: a link to a new password, the confirmation of a new account. */
type WayIn = "new-password" | "new-account";

/** Whether this address may be sent one more mail that anybody can ask for; counts it. */
export async function mayMail(email: string): Promise<boolean> {
  return (await countMail(email)) === null;
}

/** The key of a limit for a client address; all of an IPv6 network counts as one. */
export function addressKey(act: string, clientAddress: string): string {
  return `${act}:${network(clientAddress)}`;
}

/** The key under which tries at one account's password are counted, apart for a browser it knows. */
export function accountKey(email: string, readKnownBrowser: string | null): string {
  return readKnownBrowser
    ? `password:known:${keyed(readKnownBrowser)}`
    : `password:${keyed(email)}`;
}

/**
 * Takes one try at a password: five, and from then on one a minute. Taken before the password is
 * looked at, so that many at once are no way round it. Null when there is one, else how many seconds
 * until the next. A try that is refused does not push the next one away.
 */
export async function takePasswordAttempt(key: string): Promise<number | null> {
  const attempt = await takeTry(key, PASSWORD_TRIES);
  return attempt.ok ? null : attempt.waitSeconds;
}

/**
 * Takes one try at a second step in the same way, but with waits that double up to an hour, until a
 * right code or a day without a try. Returns which try it is.
 */
export async function takeCodeTry(key: string): Promise<Attempt> {
  return await takeTry(key, CODE_TRIES);
}

type Attempt = { ok: true; count: number } | { ok: false; waitSeconds: number };

async function takeTry(
  key: string,
  { maxWaitMs, forgottenAfterMs }: typeof PASSWORD_TRIES,
): Promise<Attempt> {
  const at = now().getTime();
  const [taken] = await prepared<{ points: number }>(
    "identity_take_try",
    `insert into rate_limits as l (key, points, expire) values ($1, 1, $2::bigint + $3::bigint)
     on conflict (key) do update set
       points = case when l.expire <= $2 then 1 else l.points + 1 end, expire = excluded.expire
     where l.points < ${FREE_TRIES}
        or l.expire - $3::bigint
           + least($4::bigint, ${MINUTE_MS} * 2 ^ least(l.points - ${FREE_TRIES}, 20)) <= $2::bigint
     returning points`,
    [key, at, forgottenAfterMs, maxWaitMs],
  );
  if (taken) return { ok: true, count: taken.points };
  const [row] = await prepared<{ points: number; expire: number }>(
    "identity_read_limit",
    "select points, expire from rate_limits where key = $1",
    [key],
  );
  const lastAt = row ? row.expire - forgottenAfterMs : at;
  const waitMs = Math.min(maxWaitMs, MINUTE_MS * 2 ** ((row?.points ?? FREE_TRIES) - FREE_TRIES));
  return { ok: false, waitSeconds: Math.max(1, Math.ceil((lastAt + waitMs - at) / 1000)) };
}

/** Gives a try back that was taken and not used: nobody looked at the password. */
export async function returnPasswordAttempt(key: string): Promise<void> {
  await database()
    .update(rateLimits)
    .set({
      points: sql`${rateLimits.points} - 1`,
      expire: sql`${rateLimits.expire} - ${MINUTE_MS}`,
    })
    .where(eq(rateLimits.key, key));
}

/** Forgets the tries at a password, after the right one or a new one. */
export async function resetPasswordAttempts(keys: string[]): Promise<void> {
  await database().delete(rateLimits).where(inArray(rateLimits.key, keys));
}

function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const start = head ? head.split(":") : [];
  const end = tail ? tail.split(":") : [];
  const gap = tail === undefined ? 0 : 8 - start.length - end.length;
  const groups = [...start, ...Array<string>(Math.max(0, gap)).fill("0"), ...end];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** Limits need to know an address again, not to read it. */
function keyed(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
