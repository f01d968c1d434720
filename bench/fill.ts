import pg from "pg";

const STAR = "bench-star";
const COLLECTOR = "collector@bench.test";

/**
 * Fills the database with the past of a product that has sold so many cards more: for ten sales a buyer
 * with a purchase, for twenty a card of eight settled tips, for five hundred a creator (two hundred at
 * most), paid out but for the last weeks. A star creator has a twentieth of the cards; a collector has
 * opened four hundred.
 * Written by the superuser past the row triggers, which would take hours; the books hold all the same.
 */
export async function fillHistory(adminUrl: string, sales: number): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query("set synchronous_commit = off");
    await client.query("begin");
    for (const step of STEPS) {
      const values = step.includes("$1") ? [sales] : [];
      await client.query(step, values);
    }
    await client.query("commit");
    await client.query("analyze");
  } finally {
    await client.end();
  }
}

/** The session cookies' owners that a filled database is read as. */
export const PEOPLE = { star: `${STAR}@bench.test`, collector: COLLECTOR };

const STEPS = [
  `create temp table new_creators on commit drop as
   select i, new_id() as id from generate_series(0, least(greatest($1::int / 500, 1), 200) - 1) i`,
  `create temp table numbers on commit drop as
   select (select count(*)::int from creators where slug like 'past-%') as creators,
     (select count(*)::int from race_cards c join creators k on k.user_id = c.creator_id
       where k.slug = '${STAR}') as star_cards,
     (select count(*)::int from users where email like 'past%') as buyers`,
  `insert into venues (name, slug, location, total_races, created_at, updated_at)
   select 'Past track ' || i, 'past-track-' || i, 'Nowhere', 8, now(), now()
   from generate_series(0, 19) i on conflict do nothing`,
  `with star as (
     insert into users (email, name, email_verified, created_at, updated_at)
     values ('${STAR}@bench.test', 'Star', true, now() - interval '9 years', now()),
       ('${COLLECTOR}', 'Collector', true, now() - interval '9 years', now())
     on conflict (email) do nothing returning id, name
   ), people as (
     insert into users (id, email, name, email_verified, created_at, updated_at)
     select c.id, 'pastcreator' || n.creators + c.i || '@bench.test', 'Past creator ' || n.creators + c.i,
       true, now() - interval '9 years', now()
     from new_creators c, numbers n returning id, name
   ), purses as (insert into wallets (user_id) select id from star union all select id from people)
   insert into creators (user_id, kind, display_name, slug, approved_at, created_at, updated_at)
   select id, 'tipster', 'The ' || name, '${STAR}', now() - interval '9 years', now(), now()
     from star where name = 'Star'
   union all select id, 'tipster', name, lower(replace(name, ' ', '-')), now() - interval '9 years', now(), now()
     from people`,
  `insert into user_roles (user_id, role, granted_at)
   select user_id, 'tipster', now() from creators on conflict do nothing`,
  // The creators write every fortnight of up to ten years, the star four cards a day.
  `create temp table new_cards on commit drop as
   with sizes as (
     select c.creators, n.star_cards, 1 + $1::int / 20 / c.creators / 250 as at_once
     from numbers n, (select count(*)::int as creators from new_creators) c)
   select k as i, new_id() as id, case when k % 20 = 0 then star.user_id else c.id end as creator_id,
     v.id as venue_id, current_date - day as race_date
   from generate_series(0, $1::int / 20 - 1) k cross join sizes z
   cross join lateral (select k / z.creators as turn, z.star_cards + k / 20 as star_turn) o
   cross join lateral (
     select case when k % 20 = 0 then 1 + star_turn / 4 else 1 + turn / z.at_once * 14 + (k % z.creators) % 14 end as day,
       case when k % 20 = 0 then star_turn % 4 else (k % z.creators + turn * 7) % 20 end as venue) d
   join new_creators c on c.i = k % z.creators
   join venues v on v.slug = 'past-track-' || d.venue
   join creators star on star.slug = '${STAR}'`,
  "create index on new_cards (i)",
  "analyze new_cards",
  `insert into race_cards (id, creator_id, venue_id, race_date, published_at)
   select id, creator_id, venue_id, race_date, race_date + time '06:00' from new_cards order by race_date`,
  `insert into tips (race_card_id, race_number, horse_number, horse_name, tip_type, confidence, analysis,
     tip_text, is_late, published_at, result, settled_at)
   select c.id, r, r, 'Horse ' || (c.i * 8 + r) % 5000, 'win', 'high', repeat('Well drawn and fit. ', 10),
     'Race ' || r, false, c.race_date + time '06:00',
     case when (c.i + r) % 4 = 0 then 'won' else 'lost' end, c.race_date + time '18:00'
   from new_cards c, generate_series(1, 8) r order by c.race_date`,
  `insert into creator_records (creator_id, tips, settled, won)
   select c.creator_id, count(*), count(*), count(*) filter (where t.result = 'won')
   from new_cards c join tips t on t.race_card_id = c.id group by c.creator_id
   on conflict (creator_id) do update set tips = creator_records.tips + excluded.tips,
     settled = creator_records.settled + excluded.settled, won = creator_records.won + excluded.won`,
  // Buyers with the one purchase that pays for their ten cards.
  `create temp table new_buyers on commit drop as
   select i, new_id() as id, new_id() as order_id, now() - interval '9 years' + (n.buyers + i) * interval '25 seconds' as at
   from generate_series(0, $1::int / 10 - 1) i, numbers n`,
  "create index on new_buyers (i)",
  "analyze new_buyers",
  `insert into users (id, email, name, email_verified, created_at, updated_at)
   select b.id, 'past' || n.buyers + b.i || '@bench.test', 'Buyer ' || n.buyers + b.i, true, b.at, b.at
   from new_buyers b, numbers n order by b.i`,
  "insert into wallets (user_id) select id from new_buyers order by i",
  `insert into orders (id, user_id, package_id, package_title, coins, amount_cents, request_key, status,
     session_id, created_at, updated_at)
   select order_id, id, 'thunder_strike_40', 'Pocket Power', 40, 36000, order_id, 'fulfilled',
     'cs_past_' || order_id, at, at from new_buyers order by i`,
  `create temp table bought on commit drop as
   with made as (
     insert into ledger_transactions (kind, reference, created_at)
     select 'purchase', 'cs_past_' || order_id, at from new_buyers order by i returning id, reference)
   select m.id as transaction_id, b.* from made m join new_buyers b on m.reference = 'cs_past_' || b.order_id`,
  "analyze bought",
  `insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after)
   select b.transaction_id, p.account, case when p.account = 'wallet' then b.id end, p.unit, p.amount,
     case when p.account = 'wallet' then 40 end
   from bought b, (values ('wallet', 'coin', 40), ('sold', 'coin', -40), ('provider', 'cent', 36000),
     ('coin sales', 'cent', -36000)) p (account, unit, amount) order by b.i`,
  `insert into coin_purchases (order_id, user_id, package_name, coins, amount_cents, currency,
     stripe_session_id, payment_intent_id, card_fingerprint, transaction_id, created_at)
   select order_id, id, 'Pocket Power', 40, 36000, 'zar', 'cs_past_' || order_id, 'pi_' || order_id, 'past',
     transaction_id, at from bought order by i`,
  "analyze race_cards",
  "analyze tips",
  // Ten cards each, spread so that every card has twenty buyers; the collector once, four hundred.
  `create temp table opening on commit drop as
   with total as (select count(*)::int as cards from new_cards)
   select b.id as buyer_id, c.id as race_card_id, c.creator_id,
     c.race_date + time '08:00' + b.i % 3600 * interval '1 second' as at
   from total, new_buyers b, generate_series(0, 9) j
   join new_cards c on true where c.i = (b.i + j * (total.cards / 10)) % total.cards
   union all
   select u.id, c.id, c.creator_id, c.race_date + time '08:00' from users u, new_cards c where u.email = '${COLLECTOR}' and c.i < 400
     and not exists (select from sales s where s.buyer_id = u.id)`,
  `with given as (
     select o.buyer_id, 4 * count(*) as coins from opening o join users u on u.id = o.buyer_id
     where u.email = '${COLLECTOR}' group by 1
   ), granted as (
     insert into ledger_transactions (kind, reference, created_at)
     select 'grant', 'past:collector', now() - interval '9 years' from given returning id, created_at
   ), written as (
     insert into audit_entries (act, subject, created_at)
     select 'grant-coins', 'past:collector', created_at from granted)
   insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after)
   select id, 'wallet', buyer_id, 'coin', coins, coins from granted, given
   union all select id, 'granted', null, 'coin', -coins, null from granted, given`,
  `create temp table opened on commit drop as
   with made as (
     insert into ledger_transactions (kind, reference, created_at)
     select 'unlock', buyer_id || ':' || race_card_id, at from opening order by at returning id, reference)
   select m.id as transaction_id, o.*,
     4 * (count(*) over (partition by o.buyer_id) - row_number() over (partition by o.buyer_id order by m.id)) as balance
   from opening o join made m on m.reference = o.buyer_id || ':' || o.race_card_id`,
  "analyze opened",
  `insert into ledger_postings (transaction_id, account, owner_id, unit, amount, balance_after)
   select o.transaction_id, p.account,
     case p.account when 'wallet' then o.buyer_id when 'payable' then o.creator_id end, p.unit, p.amount,
     case when p.account = 'wallet' then o.balance end
   from opened o, (values ('wallet', 'coin', -4), ('redeemed', 'coin', 4), ('payable', 'cent', 2800),
     ('commission', 'cent', -2800)) p (account, unit, amount) order by o.transaction_id`,
  `insert into sales (buyer_id, race_card_id, creator_id, price_coins, tip_ids, shares_hundredths,
     transaction_id, created_at)
   select o.buyer_id, o.race_card_id, o.creator_id, 4, t.ids, '{50,50,50,50,50,50,50,50}', o.transaction_id, o.at
   from opened o join (select race_card_id, array_agg(id order by race_number) as ids
     from tips where race_card_id in (select id from new_cards) group by race_card_id) t using (race_card_id)
   order by o.transaction_id`,
  `insert into earnings (sale_id, creator_id, amount_cents, payable_at)
   select s.id, s.creator_id, 2800, s.created_at + interval '14 days'
   from sales s join opened o on o.transaction_id = s.transaction_id order by s.id`,
  "analyze sales",
  "analyze earnings",
  // What is older than six weeks has been paid out.
  `create temp table owed on commit drop as
   select new_id() as id, e.creator_id, sum(e.amount_cents) as cents, max(e.payable_at) as at
   from earnings e join opened o on o.creator_id = e.creator_id
     join sales s on s.id = e.sale_id and s.transaction_id = o.transaction_id
   where e.payable_at < now() - interval '28 days' and e.payout_id is null
   group by e.creator_id having sum(e.amount_cents) >= 10000`,
  `create temp table paid on commit drop as
   with made as (
     insert into ledger_transactions (kind, reference, created_at)
     select 'payout', id::text, at from owed returning id, reference)
   select m.id as transaction_id, o.* from owed o join made m on m.reference = o.id::text`,
  `insert into ledger_postings (transaction_id, account, owner_id, unit, amount)
   select transaction_id, 'payable', creator_id, 'cent', -cents from paid
   union all select transaction_id, 'bank', null, 'cent', cents from paid`,
  `insert into payouts (id, creator_id, amount_cents, status, requested_at, paid_at, transaction_id)
   select id, creator_id, cents, 'paid', at, at, transaction_id from paid`,
  `update earnings e set payout_id = p.id from paid p, opened o, sales s
   where e.creator_id = p.creator_id and e.payout_id is null and e.payable_at < now() - interval '28 days'
     and s.id = e.sale_id and o.transaction_id = s.transaction_id`,
];
