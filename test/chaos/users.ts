import { createHmac, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { generateKey } from "#accounts/two-step/one-time-code.server.ts";
import type { BankDetails } from "#payouts/bank-details.input.ts";
import { encryptBankDetails } from "#payouts/encrypt-bank-details.server.ts";
import { encrypt } from "#platform/encrypt.server.ts";

// Inserts the users and race cards of a scenario by SQL, because scenarios do not test their creation.

export type TestUser = { id: string; email: string; cookie: string };

export const AUTH_SECRET = "chaos-secret-chaos-secret-chaos-secret";

const BANK_DETAILS: BankDetails = {
  holder: "T Tester",
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: "1000001234",
  accountType: "savings",
};

/** Inserts users with a session and `coins` each, posted as grants. */
export async function createUsers(db: Pool, count: number, coins = 0): Promise<TestUser[]> {
  const { rows } = await db.query<{ id: string; email: string; token: string }>(
    `with new_users as (
       insert into users (email, name, email_verified, created_at, updated_at)
       select replace(gen_random_uuid()::text, '-', '') || '@chaos.test', 'TestUser ' || i, true, now(), now()
       from generate_series(1, $1) i returning id, email
     ), new_wallets as (insert into wallets (user_id) select id from new_users),
     new_sessions as (
       insert into sessions (token, user_id, expires_at, created_at, updated_at)
       select replace(gen_random_uuid()::text, '-', ''), id, now() + interval '30 days', now(), now()
       from new_users returning user_id, token
     ) select u.id, u.email, s.token from new_users u join new_sessions s on s.user_id = u.id`,
    [count],
  );
  if (coins > 0) await grantCoins(db, rows, coins);
  return rows.map(({ id, email, token }) => ({ id, email, cookie: createSessionCookie(token) }));
}

/**
 * Signs the admin in with two-step login, and with a code that counts for the whole scenario. Sets the account that
 * payment files debit.
 */
export async function signInAsAdmin(db: Pool): Promise<TestUser> {
  const email = "admin@chaos.test";
  const { rows } = await db.query<{ id: string }>("select id from users where email = $1", [email]);
  const id = rows[0]?.id ?? "";
  await db.query(
    `insert into two_step_keys (user_id, encrypted_key, last_step, created_at) values ($1, $2, 0, now())
     on conflict do nothing`,
    [id, encrypt(generateKey(), { purpose: "two-step-key", owner: id })],
  );
  await db.query(
    `insert into payment_file_settings (settings, updated_at)
     values ('{"debitAccount": "62000000018"}', now()) on conflict do nothing`,
  );
  const cookie = await createSession(db, id, { isCodeVerified: true });
  if (!cookie) throw new Error(`there is no user ${email}`);
  return { id, email, cookie };
}

/** Returns the cookie of a new session, or null when the account is closed. */
export async function createSession(
  db: Pool,
  userId: string,
  { isCodeVerified = false } = {},
): Promise<string | null> {
  const { rows } = await db.query<{ token: string }>(
    `insert into sessions (token, user_id, expires_at, created_at, updated_at, code_verified_at)
     select replace(gen_random_uuid()::text, '-', ''), id, now() + interval '30 days', now(), now(),
       case when $2 then now() + interval '1 day' end
     from users where id = $1 and closed_at is null returning token`,
    [userId, isCodeVerified],
  );
  return rows[0] ? createSessionCookie(rows[0].token) : null;
}

async function grantCoins(db: Pool, users: { id: string }[], coins: number): Promise<void> {
  const references = users.map(() => `chaos:${randomUUID()}`);
  const ids = users.map((user) => user.id);
  await db.query(
    `select post_to_ledger('grant', reference, now(), jsonb_build_array(
       jsonb_build_object('account', 'wallet', 'owner', id, 'unit', 'coin', 'amount', $3::int),
       jsonb_build_object('account', 'granted', 'unit', 'coin', 'amount', -$3::int)))
     from unnest($1::text[], $2::uuid[]) as given (reference, id)`,
    [references, ids, coins],
  );
  await db.query(
    `insert into audit_entries (action, subject, created_at)
     select 'grant-coins', reference, now() from unnest($1::text[]) reference`,
    [references],
  );
}

/** Inserts approved tipsters with bank details. */
export async function createTipsters(db: Pool, count: number): Promise<TestUser[]> {
  const users = await createUsers(db, count);
  const ids = users.map((user) => user.id);
  await db.query(
    "insert into user_roles (user_id, role, granted_at) select unnest($1::uuid[]), 'tipster', now()",
    [ids],
  );
  await db.query(
    `insert into creators (user_id, kind, display_name, slug, approved_at, created_at, updated_at)
     select id, 'tipster', 'T ' || id, 't-' || id, now(), now(), now() from unnest($1::uuid[]) id`,
    [ids],
  );
  await db.query("insert into creator_records (creator_id, tips) select unnest($1::uuid[]), 0", [
    ids,
  ]);
  await db.query(
    `insert into bank_details (creator_id, encrypted_details, account_last4, changed_at)
     select id, details, '1234', now() - interval '10 days'
     from unnest($1::uuid[], $2::text[]) as given (id, details)`,
    [ids, ids.map((id) => encryptBankDetails(id, BANK_DETAILS))],
  );
  return users;
}

/**
 * Inserts a race card for each creator at one venue, `days` from today: 2 is on sale, -2 is in the
 * past.
 */
export async function createRaceCards(
  db: Pool,
  creators: TestUser[],
  { days = 2, races = 8 }: { days?: number; races?: number } = {},
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `insert into race_cards (creator_id, venue_id, race_date, published_at)
     select c, (select id from venues order by slug limit 1), current_date + $2::int,
       now() + ($2::int - 3) * interval '1 day'
     from unnest($1::uuid[]) c returning id`,
    [creators.map((creator) => creator.id), days],
  );
  const ids = rows.map((row) => row.id);
  await db.query(
    `insert into tips (race_card_id, race_number, horse_number, horse_name, tip_type, confidence,
       analysis, tip_text, is_late, published_at)
     select c.id, r, r, 'Horse ' || r, 'win', 'high', 'Well drawn.', 'Race ' || r, false, c.published_at
     from race_cards c, generate_series(1, $2::int) r where c.id = any($1::uuid[])`,
    [ids, races],
  );
  await db.query(
    `update creator_records k set tips = k.tips + $2
     from race_cards c where c.id = any($1::uuid[]) and k.creator_id = c.creator_id`,
    [ids, races],
  );
  return ids;
}

/** Inserts sales from three weeks ago, whose earnings are payable now. */
export async function createPastSales(
  db: Pool,
  creators: TestUser[],
  buyers: TestUser[],
): Promise<void> {
  const cards = await createRaceCards(db, creators, { days: -19 });
  const { rows } = await db.query<{ outcome: string }>(
    `select u.outcome from unnest($1::uuid[]) c, unnest($2::uuid[]) b,
       lateral unlock_race_card(b, c, null, now() - interval '21 days') u`,
    [cards, buyers.map((buyer) => buyer.id)],
  );
  const refused = rows.find((row) => row.outcome !== "opened");
  if (refused) throw new Error(`a past sale was refused: ${refused.outcome}`);
}

function createSessionCookie(token: string): string {
  const signature = createHmac("sha256", AUTH_SECRET).update(token).digest("base64");
  return `__Host-furlong=${encodeURIComponent(`${token}.${signature}`)}`;
}
