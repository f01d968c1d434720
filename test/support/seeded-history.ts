import pg from "pg";

const POPULAR_SLUG = "bench-popular";
const FREQUENT_BUYER_EMAIL = "frequent-buyer@bench.test";

/** The email addresses of the accounts that measurements use to read the seeded database. */
export const ACCOUNTS = {
  popularCreator: `${POPULAR_SLUG}@bench.test`,
  frequentBuyer: FREQUENT_BUYER_EMAIL,
};

/** Tables with millions of rows: filled without indexes, which are rebuilt afterwards. */
const LARGE_TABLES = [
  ...["users", "wallets", "race_cards", "tips", "race_card_offers", "orders", "coin_purchases"],
  ...["ledger_transactions", "ledger_postings", "sales", "earnings"],
];

/**
 * Fills a database once with a history of `sales` sales (a multiple of 20, at
 * least 10,000): one buyer with a purchase per ten sales, one race card of eight settled tips per
 * twenty, one creator per five hundred (at most two hundred), monthly payouts except for the last
 * weeks, and one reversal and one restored reversal per five hundred. A popular creator has a twentieth
 * of the race cards; a frequent buyer has unlocked four hundred. The totals that jobs maintain are filled
 * too. Written as superuser without triggers and indexes, which would take hours; all invariants and
 * constraints hold.
 */
export async function seedHistory(superuserUrl: string, sales: number): Promise<void> {
  if (sales % 20 !== 0 || sales < 10_000)
    throw new Error("sales must be a multiple of 20, at least 10000");
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    for (const [name, value] of Object.entries(SETTINGS))
      await client.query(`set ${name} = '${value}'`);
    await client.query("begin");
    // A table rewritten in the same transaction needs no WAL with wal_level minimal.
    for (const table of LARGE_TABLES) await client.query(`cluster ${table} using ${table}_pkey`);
    await client.query(
      "update pg_index set indisready = false, indisvalid = false where indrelid = any($1::regclass[])",
      [LARGE_TABLES],
    );
    for (const statement of STATEMENTS)
      await client.query(statement.replaceAll("$1", String(sales)));
    for (const table of ["ledger_transactions", "ledger_postings", "sales"])
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
      );
    await client.query("commit");
    // Rebuilding also marks the indexes ready and detects duplicates.
    for (const table of LARGE_TABLES) await client.query(`reindex table ${table}`);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

const SETTINGS = {
  session_replication_role: "replica",
  synchronous_commit: "off",
  work_mem: "256MB",
  maintenance_work_mem: "512MB",
  temp_buffers: "256MB",
  max_parallel_workers_per_gather: "0",
};

const CREATORS = "least(greatest($1 / 500, 1), 200)";
const CARDS = "($1 / 20)";
const BUYERS = "($1 / 10)";

// Race cards are numbered by day and sales follow them, so that ids are chronological, as in
// production. Sale k is of race card k / 20 and buyer k mod BUYERS: ten distinct race cards per
// buyer.
const STATEMENTS = [
  `create temp table new_creators on commit drop as
   select i, new_id() as id from generate_series(0, ${CREATORS} - 1) i`,
  `insert into venues (name, slug, location, total_races, created_at, updated_at)
   select 'Past track ' || i, 'past-track-' || i, 'Nowhere', 8, now(), now()
   from generate_series(0, 19) i`,
  `with people as (
     insert into users (email, name, email_verified, created_at, updated_at)
     select '${POPULAR_SLUG}@bench.test', 'Popular Creator', true, now() - interval '9 years', now()
     union all select '${FREQUENT_BUYER_EMAIL}', 'Frequent Buyer', true, now() - interval '9 years', now()
     returning id, name
   ), other_creators as (
     insert into users (id, email, name, email_verified, created_at, updated_at)
     select c.id, 'pastcreator' || c.i || '@bench.test', 'Past creator ' || c.i,
       true, now() - interval '9 years', now()
     from new_creators c returning id, name
   ), new_wallets as (
     insert into wallets (user_id, balance_coins) select id, 0 from people union all select id, 0 from other_creators)
   insert into creators (user_id, kind, display_name, slug, approved_at, created_at, updated_at)
   select id, 'tipster', 'The ' || name, '${POPULAR_SLUG}', now() - interval '9 years', now(), now()
     from people where name = 'Popular Creator'
   union all select id, 'tipster', name, lower(replace(name, ' ', '-')), now() - interval '9 years', now(), now()
     from other_creators`,
  `insert into user_roles (user_id, role, granted_at)
   select user_id, 'tipster', now() from creators on conflict do nothing`,
  // Creators publish every two weeks for up to ten years, the popular one four race cards a day.
  `create temp table new_cards on commit drop as
   select (row_number() over (order by current_date - day, k))::int - 1 as i, new_id() as id,
     case when k % 20 = 0 then popular.user_id else c.id end as creator_id, v.id as venue_id,
     current_date - day as race_date
   from generate_series(0, ${CARDS} - 1) k
   cross join lateral (select k / ${CREATORS} as round, k / 20 as popular_round) o
   cross join lateral (
     select case when k % 20 = 0 then 1 + popular_round / 4
         else 1 + round / (1 + ${CARDS} / ${CREATORS} / 250) * 14 + (k % ${CREATORS}) % 14 end as day,
       case when k % 20 = 0 then popular_round % 4 else (k % ${CREATORS} + round * 7) % 20 end as venue) d
   join new_creators c on c.i = k % ${CREATORS}
   join venues v on v.slug = 'past-track-' || d.venue
   join creators popular on popular.slug = '${POPULAR_SLUG}'`,
  "analyze new_cards",
  `insert into race_cards (id, creator_id, venue_id, race_date, published_at)
   select id, creator_id, venue_id, race_date, race_date + time '06:00' from new_cards order by i`,
  `insert into race_days (venue_id, race_date, going, source, reported_at)
   select distinct venue_id, race_date, 'Good', 'operator', race_date + time '05:00' from new_cards`,
  `insert into races (race_day_id, race_number, off_at)
   select d.id, r, d.race_date + time '10:00' + r * interval '35 minutes'
   from race_days d, generate_series(1, 8) r
   where not exists (select from races o where o.race_day_id = d.id)`,
  // A ninth race without tips, which was abandoned.
  `insert into races (race_day_id, race_number, off_at)
   select d.id, 9, d.race_date + time '15:50' from race_days d
   where exists (select from new_cards c where c.venue_id = d.venue_id and c.race_date = d.race_date)`,
  `insert into race_results (race_day_id, race_number, version, status, places_paid, source, via, entered_at,
     confirmed_by, confirmed_at, is_entered_by_one_person)
   select d.id, 9, 1, 'abandoned', 0, 'NHA', 'feed', d.race_date + time '16:00',
     (select min(creator_id::text)::uuid from new_cards), d.race_date + time '16:05', true
   from race_days d join races r on r.race_day_id = d.id and r.race_number = 9
   where exists (select from new_cards c where c.venue_id = d.venue_id and c.race_date = d.race_date)`,
  `create temp table new_tips on commit drop as
   select c.i, r, new_id() as id from new_cards c, generate_series(1, 8) r order by c.i`,
  `insert into tips (id, race_card_id, race_number, horse_number, horse_name, tip_type, confidence, analysis,
     tip_text, is_late, published_at, result, settled_at)
   select t.id, c.id, r, r, 'Horse ' || (c.i * 8 + r) % 5000, 'win', 'high', repeat('Well drawn and fit. ', 10),
     'Race ' || r, false, c.race_date + time '06:00',
     case when (c.i + r) % 4 = 0 then 'won' else 'lost' end, c.race_date + time '18:00'
   from new_tips t join new_cards c using (i)`,
  `insert into race_card_offers (race_card_id, creator_id, race_date, is_suspended, tip_ids, off_times, closes_at)
   select c.id, c.creator_id, c.race_date, false, t.ids, t.off_times, t.off_times[8]
   from new_cards c join (
     select i, array_agg(n.id order by r) as ids,
       array_agg((o.race_date + time '10:00' + r * interval '35 minutes')::timestamptz order by r) as off_times
     from new_tips n join new_cards o using (i) group by i) t using (i)`,
  `insert into creator_records (creator_id, tips, settled, won, has_one_person_results)
   select c.creator_id, count(*), count(*), count(*) filter (where (c.i + r) % 4 = 0), false
   from new_cards c, generate_series(1, 8) r group by c.creator_id`,
  // Buyers, each with one purchase that pays for ten race cards.
  `create temp table new_buyers on commit drop as
   select i, new_id() as id, new_id() as order_id, now() - interval '9 years' + i * interval '25 seconds' as at
   from generate_series(0, ${BUYERS} - 1) i`,
  "analyze new_buyers",
  `create temp table next_ids on commit drop as
   select (select coalesce(max(id), 0) + 1 from ledger_transactions) as transactions,
     (select coalesce(max(id), 0) + 1 from ledger_postings) as postings,
     (select coalesce(max(id), 0) + 1 from sales) as sales`,
  `insert into users (id, email, name, email_verified, created_at, updated_at)
   select id, 'past' || i || '@bench.test', 'Buyer ' || i, true, at, at from new_buyers`,
  "insert into wallets (user_id) select id from new_buyers",
  `insert into orders (id, user_id, coin_pack_id, coin_pack_title, coins, amount_cents, idempotency_key, status,
     provider, session_id, created_at, updated_at)
   select order_id, id, 'thunder_strike_40', 'Pocket Power', 40, 36000, order_id, 'fulfilled',
     'stripe', 'cs_past_' || order_id, at, at from new_buyers`,
  `insert into ledger_transactions (id, kind, reference, created_at) overriding system value
   select next_ids.transactions + i, 'purchase', 'cs_past_' || order_id, at from new_buyers, next_ids`,
  `insert into ledger_postings (id, transaction_id, account, owner_id, unit, amount, balance_after)
   overriding system value
   select next_ids.postings + 4 * b.i + p.n, next_ids.transactions + b.i, p.account,
     case when p.n = 0 then b.id end, p.unit, p.amount, case when p.n = 0 then 40 end
   from next_ids, new_buyers b, (values (0, 'wallet', 'coin', 40), (1, 'sold', 'coin', -40),
     (2, 'provider', 'cent', 36000), (3, 'coin sales', 'cent', -36000)) p (n, account, unit, amount)`,
  `insert into coin_purchases (order_id, user_id, coin_pack_title, coins, amount_cents, currency,
     provider, session_id, payment_id, card_fingerprint, transaction_id, created_at)
   select order_id, id, 'Pocket Power', 40, 36000, 'zar', 'stripe', 'cs_past_' || order_id, 'pi_' || order_id, 'past',
     next_ids.transactions + i, at from new_buyers, next_ids`,
  // The coins and then the unlocks of the frequent buyer.
  `create temp table frequent_buyer_grant on commit drop as
   with granted as (
     insert into ledger_transactions (id, kind, reference, created_at) overriding system value
     select next_ids.transactions + ${BUYERS}, 'grant', 'past:frequent-buyer', now() - interval '9 years' from next_ids
     returning id, created_at
   ), written as (
     insert into audit_entries (action, subject, created_at)
     select 'grant-coins', 'past:frequent-buyer', created_at from granted)
   select g.id, u.id as buyer_id from granted g, users u where u.email = '${FREQUENT_BUYER_EMAIL}'`,
  `insert into ledger_postings (id, transaction_id, account, owner_id, unit, amount, balance_after)
   overriding system value
   select next_ids.postings + 4 * ${BUYERS}, g.id, 'wallet', buyer_id, 'coin', 1600, 1600 from next_ids, frequent_buyer_grant g
   union all
   select next_ids.postings + 4 * ${BUYERS} + 1, g.id, 'granted', null, 'coin', -1600, null from next_ids, frequent_buyer_grant g`,
  `update next_ids set transactions = transactions + ${BUYERS} + 1, postings = postings + 4 * ${BUYERS} + 2`,
  `create temp table new_unlocks on commit drop as
   select k, c.i, b.id as buyer_id, c.id as race_card_id, c.creator_id, 36 - 4 * (k / ${BUYERS}) as balance,
     c.race_date + time '08:00' + k % 20 * interval '7 minutes' as at
   from generate_series(0, $1 - 1) k
   join new_cards c on c.i = k / 20 join new_buyers b on b.i = k % ${BUYERS}
   union all
   select $1 + c.i - (${CARDS} - 400), c.i, g.buyer_id, c.id, c.creator_id, 1596 - 4 * (c.i - (${CARDS} - 400)),
     c.race_date + time '11:00'
   from new_cards c, frequent_buyer_grant g where c.i >= ${CARDS} - 400`,
  "analyze new_unlocks",
  `insert into ledger_transactions (id, kind, reference, created_at) overriding system value
   select next_ids.transactions + k, 'unlock', buyer_id || ':' || race_card_id, at from new_unlocks, next_ids`,
  `insert into ledger_postings (id, transaction_id, account, owner_id, unit, amount, balance_after)
   overriding system value
   select next_ids.postings + 4 * o.k + p.n, next_ids.transactions + o.k, p.account,
     case p.n when 0 then o.buyer_id when 2 then o.creator_id end, p.unit, p.amount,
     case when p.n = 0 then o.balance end
   from next_ids, new_unlocks o, (values (0, 'wallet', 'coin', -4), (1, 'redeemed', 'coin', 4),
     (2, 'payable', 'cent', 2800), (3, 'commission', 'cent', -2800)) p (n, account, unit, amount)`,
  `insert into sales (id, buyer_id, race_card_id, creator_id, price_coins, tip_ids, shares_hundredths,
     transaction_id, created_at) overriding system value
   select next_ids.sales + o.k, o.buyer_id, o.race_card_id, o.creator_id, 4, t.ids, '{50,50,50,50,50,50,50,50}',
     next_ids.transactions + o.k, o.at
   from next_ids, new_unlocks o join (select i, array_agg(id order by r) as ids from new_tips group by i) t using (i)`,
  // One in five hundred is reversed. Earnings payable for over a month have been paid out.
  `create temp table new_payouts on commit drop as
   select new_id() as id, *, row_number() over (order by month) as i from (
     select creator_id, date_trunc('month', at + interval '14 days') as month, 2800 * count(*) as cents
     from new_unlocks where k % 500 <> 7 or k >= $1 group by 1, 2) m
   where month < now() - interval '60 days' and cents >= 10000`,
  "analyze new_payouts",
  `insert into earnings (sale_id, creator_id, amount_cents, payable_at, payout_id)
   select next_ids.sales + o.k, o.creator_id, 2800, o.at + interval '14 days',
     case when o.k % 500 <> 7 or o.k >= $1 then d.id end
   from next_ids, new_unlocks o left join new_payouts d on d.creator_id = o.creator_id
     and d.month = date_trunc('month', o.at + interval '14 days')`,
  "update next_ids set transactions = transactions + $1 + 400, postings = postings + 4 * ($1 + 400)",
  `create temp table reversed_earnings on commit drop as
   select k / 500 as i, b.sales + k as sale_id, creator_id, at + interval '1 day' as at
   from new_unlocks, next_ids b where k % 500 = 7 and k < $1`,
  `insert into ledger_transactions (id, kind, reference, created_at) overriding system value
   select next_ids.transactions + i, 'reversal', 'sale:' || sale_id, at from reversed_earnings, next_ids`,
  `insert into ledger_postings (id, transaction_id, account, owner_id, unit, amount) overriding system value
   select next_ids.postings + 2 * i, next_ids.transactions + i, 'payable', creator_id, 'cent', -2800 from reversed_earnings, next_ids
   union all
   select next_ids.postings + 2 * i + 1, next_ids.transactions + i, 'commission', null, 'cent', 2800 from reversed_earnings, next_ids`,
  `insert into earning_reversals (sale_id, amount_cents, reason, transaction_id, created_at)
   select sale_id, 2800, 'review', next_ids.transactions + i, at from reversed_earnings, next_ids`,
  `insert into coin_returns (sale_id, step, coins, total_coins, reduced_cents, tip_ids, transaction_id,
     created_at)
   select sale_id, 1, 0, 0, 0, '{}', next_ids.transactions + i, at from reversed_earnings, next_ids`,
  "update next_ids set transactions = transactions + $1 / 500 + 1, postings = postings + 2 * ($1 / 500 + 1)",
  // Another one in five hundred was reversed and restored: two transactions each.
  `create temp table restored_earnings on commit drop as
   select 2 * (k / 500) + step as i, step, b.sales + k as sale_id, creator_id,
     at + (step + 1) * interval '1 day' as at
   from new_unlocks, next_ids b, (values (0), (1)) s (step) where k % 500 = 8 and k < $1`,
  `insert into ledger_transactions (id, kind, reference, created_at) overriding system value
   select next_ids.transactions + i, 'reversal', case step when 1 then 'restored:' else '' end || 'sale:' || sale_id, at
   from restored_earnings, next_ids`,
  `insert into ledger_postings (id, transaction_id, account, owner_id, unit, amount) overriding system value
   select next_ids.postings + 2 * i, next_ids.transactions + i, 'payable', creator_id, 'cent', 2800 * (2 * step - 1)
   from restored_earnings, next_ids
   union all
   select next_ids.postings + 2 * i + 1, next_ids.transactions + i, 'commission', null, 'cent', 2800 * (1 - 2 * step)
   from restored_earnings, next_ids`,
  `insert into earning_restorations (sale_id, amount_cents, reversal_transaction_id, reversed_xid, transaction_id,
     created_at)
   select sale_id, 2800, next_ids.transactions + i - 1, pg_current_xact_id(), next_ids.transactions + i, at
   from restored_earnings, next_ids where step = 1`,
  `update next_ids set transactions = transactions + 2 * ($1 / 500 + 1), postings = postings + 4 * ($1 / 500 + 1)`,
  `insert into ledger_transactions (id, kind, reference, created_at) overriding system value
   select next_ids.transactions + i, 'payout', id::text, month + interval '45 days' from new_payouts, next_ids`,
  `insert into ledger_postings (id, transaction_id, account, owner_id, unit, amount) overriding system value
   select next_ids.postings + 2 * i, next_ids.transactions + i, 'payable', creator_id, 'cent', -cents from new_payouts, next_ids
   union all
   select next_ids.postings + 2 * i + 1, next_ids.transactions + i, 'bank', null, 'cent', cents from new_payouts, next_ids`,
  `insert into payment_exports (id, created_at, format, number, payments, total_cents)
   select id, month + interval '45 days', 'generic',
     (select coalesce(max(number), 0) from payment_exports) + row_number() over (order by i), 1, cents from new_payouts`,
  `insert into payment_export_lines (export_id, payout_id, creator_id, amount_cents, reference,
     account_last4)
   select id, id, creator_id, cents, 'FURLONG ' || upper(right(id::text, 8)), '7890' from new_payouts`,
  `insert into payouts (id, creator_id, amount_cents, status, requested_at, paid_at, transaction_id,
     export_id)
   select id, creator_id, cents, 'paid', month + interval '44 days', month + interval '45 days',
     next_ids.transactions + i, id from new_payouts, next_ids order by i`,
  // The totals of all rows, as the jobs that maintain them would have stored them.
  "delete from earning_days",
  `insert into earning_days (creator_id, day, sales, earned_cents, reversed_sales, reversed_cents)
   select s.creator_id, (s.created_at at time zone 'Africa/Johannesburg')::date, count(*), 2800 * count(*),
     count(r.sale_id), coalesce(sum(r.amount_cents), 0) + coalesce(sum(c.reduced_cents), 0)
   from sales s left join earning_reversals r on r.sale_id = s.id
   left join (select sale_id, sum(reduced_cents) as reduced_cents from coin_returns group by 1) c
     on c.sale_id = s.id group by 1, 2`,
  "delete from earning_totals",
  `insert into earning_totals (creator_id, sales, earned_cents, reversed_sales, reversed_cents)
   select creator_id, sum(sales), sum(earned_cents), sum(reversed_sales), sum(reversed_cents)
   from earning_days group by 1`,
  "delete from payout_totals",
  "insert into payout_totals select creator_id, sum(amount_cents) from payouts group by 1",
  "delete from standings",
  `insert into standings (creator_id, month, sales, coins_earned)
   select creator_id, p.month, sum(sales - reversed_sales), 4 * sum(sales - reversed_sales)
   from earning_days, lateral (values (date_trunc('month', day)::date), ('0001-01-01'::date)) p (month)
   group by 1, 2`,
  "delete from purchase_days",
  `insert into purchase_days (day, coin_pack_title, purchases, coins, amount_cents)
   select (created_at at time zone 'Africa/Johannesburg')::date, coin_pack_title, count(*), sum(coins),
     sum(amount_cents) from coin_purchases group by 1, 2`,
  // Two of a card's eight tips have won. Streaks are constants, because computing them takes too long.
  `insert into creator_tallies (creator_id, venue_id, tip_type, settled, won, streak_result, streak_length,
     longest_won)
   select c.creator_id, v.id, k.type, 8 * count(*), 2 * count(*), 'lost', 1, 1
   from new_cards c, lateral (values (c.venue_id), ('00000000-0000-0000-0000-000000000000')) v (id),
     (values (''), ('win')) k (type)
   group by 1, 2, 3`,
  `update creator_records set is_tallied = true
   where creator_id in (select creator_id from new_cards)`,
  // Limits the next integrity check to recent rows, so that it does not slow down measured pages.
  `insert into integrity_checks (scope, checked_since, checked_at, failures)
   values ('recent', now(), now(), '[]')`,
  ...["roll_up_positions", "earning_days_position", "purchase_days_position"].map(
    (table) =>
      `update ${table} set before_xid = (pg_current_xact_id()::text::bigint + 1)::text::xid8`,
  ),
];
