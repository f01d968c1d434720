import { createHmac } from "node:crypto";
import pg from "pg";

/**
 * Buyers and race cards for benchmarks, inserted by SQL.
 * `popularRaceCardIds` all belong to one creator.
 */
export type BenchData = {
  buyers: { id: string; cookie: string }[];
  raceCardIds: string[];
  popularRaceCardIds: string[];
};

const COINS_PER_BUYER = 200_000;

/**
 * Fills an empty, migrated database with signed-in buyers and eight-race cards on sale tomorrow.
 */
export async function fillBenchData(
  url: string,
  authSecret: string,
  { buyers, raceCards, creators }: { buyers: number; raceCards: number; creators: number },
): Promise<BenchData> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: people } = await client.query<{ id: string; token: string }>(
      `with new_users as (
         insert into users (email, name, email_verified, created_at, updated_at)
         select 'buyer' || i || '@bench.test', 'Buyer ' || i, true, now(), now()
         from generate_series(1, $1) i returning id
       ), new_wallets as (insert into wallets (user_id) select id from new_users)
       insert into sessions (token, user_id, expires_at, created_at, updated_at)
       select replace(gen_random_uuid()::text, '-', ''), id, now() + interval '30 days', now(), now()
       from new_users returning user_id as id, token`,
      [buyers],
    );
    await client.query(
      `select post_to_ledger('grant', 'bench:' || user_id, now(), jsonb_build_array(
         jsonb_build_object('account', 'wallet', 'owner', user_id, 'unit', 'coin', 'amount', $1::int),
         jsonb_build_object('account', 'granted', 'unit', 'coin', 'amount', -$1::int)))
       from wallets`,
      [COINS_PER_BUYER],
    );
    await client.query(
      `insert into audit_entries (action, subject, created_at)
       select 'grant-coins', reference, now() from ledger_transactions where reference like 'bench:%'`,
    );
    await client.query(
      `with new_users as (
         insert into users (email, name, email_verified, created_at, updated_at)
         select 'creator' || i || '@bench.test', 'Creator ' || i, true, now(), now()
         from generate_series(1, $1) i returning id, name
       ), new_wallets as (insert into wallets (user_id) select id from new_users),
       new_roles as (
         insert into user_roles (user_id, role, granted_at) select id, 'tipster', now() from new_users
       )
       insert into creators (user_id, kind, display_name, slug, approved_at, created_at, updated_at)
       select id, 'tipster', name, 'bench-' || lower(replace(name, ' ', '-')), now(), now(), now() from new_users`,
      [creators],
    );
    await client.query(
      `insert into venues (name, slug, location, total_races, created_at, updated_at)
       select 'Bench track ' || i, 'bench-track-' || i, 'Nowhere', 8, now(), now()
       from generate_series(1, ceil($1::numeric / $2)::int) i`,
      [raceCards, creators],
    );
    const { rows: cards } = await client.query<{ id: string; creator_id: string }>(
      `insert into race_cards (creator_id, venue_id, race_date, published_at)
       select c.user_id, v.id, current_date + 2, now() from venues v, creators c
       where v.slug like 'bench-%' and c.slug like 'bench-%' limit $1 returning id, creator_id`,
      [raceCards],
    );
    await client.query(
      `insert into tips (race_card_id, race_number, horse_number, horse_name, tip_type, confidence,
         analysis, tip_text, is_late, published_at)
       select c.id, r, r, 'Horse ' || r, 'win', 'high', repeat('Well drawn and fit. ', 10), 'Race ' || r,
         false, now()
       from race_cards c, generate_series(1, 8) r where c.race_date = current_date + 2`,
    );
    await client.query(
      `insert into creator_records (creator_id, tips)
       select c.creator_id, count(*) from tips t join race_cards c on c.id = t.race_card_id
       join creators k on k.user_id = c.creator_id where k.slug like 'bench-%' group by c.creator_id`,
    );
    await client.query("analyze");
    const popularCreatorId = cards[0]?.creator_id;
    return {
      buyers: people.map((person) => ({
        id: person.id,
        cookie: formatSessionCookie(person.token, authSecret),
      })),
      raceCardIds: cards
        .filter((card) => card.creator_id !== popularCreatorId)
        .map((card) => card.id),
      popularRaceCardIds: cards
        .filter((card) => card.creator_id === popularCreatorId)
        .map((card) => card.id),
    };
  } finally {
    await client.end();
  }
}

/** Inserts a session for an account and returns its cookie. */
export async function createSessionCookie(
  url: string,
  secret: string,
  email: string,
): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ token: string }>(
      `insert into sessions (token, user_id, expires_at, created_at, updated_at)
       select replace(gen_random_uuid()::text, '-', ''), id, now() + interval '30 days', now(), now()
       from users where email = $1 returning token`,
      [email],
    );
    if (!rows[0]) throw new Error(`there is no ${email}`);
    return formatSessionCookie(rows[0].token, secret);
  } finally {
    await client.end();
  }
}

function formatSessionCookie(token: string, secret: string): string {
  const signature = createHmac("sha256", secret).update(token).digest("base64");
  return `furlong=${encodeURIComponent(`${token}.${signature}`)}`;
}

/** Returns a generator of distinct pairs of buyer and race card, spread over all race cards. */
export function createSaleGenerator({ buyers, raceCardIds }: BenchData): () => Sale {
  let index = 0;
  return () => {
    const [round, buyerIndex] = [Math.floor(index / buyers.length), index % buyers.length];
    index += 1;
    return toSale(
      buyers[buyerIndex],
      round < raceCardIds.length && raceCardIds[(buyerIndex + round) % raceCardIds.length],
    );
  };
}

/**
 * Returns a generator of distinct pairs for one creator, race card after race card: all buyers
 * compete for the same one.
 */
export function createPopularSaleGenerator({ buyers, popularRaceCardIds }: BenchData): () => Sale {
  let index = 0;
  return () => {
    const [round, buyerIndex] = [Math.floor(index / buyers.length), index % buyers.length];
    index += 1;
    return toSale(buyers[buyerIndex], popularRaceCardIds[round]);
  };
}

export type Sale = { buyer: BenchData["buyers"][number]; raceCardId: string };

function toSale(buyer: Sale["buyer"] | undefined, raceCardId: string | false | undefined): Sale {
  if (!buyer || !raceCardId) throw new Error("no pairs of buyer and race card are left");
  return { buyer, raceCardId };
}
