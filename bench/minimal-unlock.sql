-- The reference for the unlock benchmark: the smallest correct double-entry unlock. It locks the wallet, sells
-- each race card once to a buyer, and writes balanced postings, the sale and the earning. Compared with
-- unlock_race_card it has no append-only guards, checks, foreign keys, idempotency keys, holds or
-- acknowledged races, no share for each tip, and no index that only a list or a report needs.
drop schema if exists minimal cascade;
create schema minimal;

create table minimal.wallets (
  user_id uuid primary key,
  balance integer not null check (balance >= 0)
) with (fillfactor = 80);
create table minimal.cards (id uuid primary key, creator_id uuid not null, closes_at timestamptz not null);
create table minimal.tips (
  card_id uuid not null references minimal.cards,
  race_number smallint not null,
  horse_name text not null,
  analysis text not null,
  primary key (card_id, race_number)
);
create table minimal.transactions (
  id bigint generated always as identity primary key,
  created_at timestamptz not null
);
create table minimal.postings (
  transaction_id bigint not null,
  account text not null,
  owner_id uuid,
  amount bigint not null
);
create index postings_transaction on minimal.postings (transaction_id);
create table minimal.sales (
  buyer_id uuid not null,
  card_id uuid not null,
  transaction_id bigint not null,
  created_at timestamptz not null,
  primary key (buyer_id, card_id)
);
create table minimal.earnings (
  transaction_id bigint primary key,
  creator_id uuid not null,
  cents integer not null
);

-- Returns 'opened', 'already', or why the card cannot be opened.
create function minimal.unlock(p_buyer uuid, p_card uuid, p_at timestamptz) returns text
language plpgsql as $$
declare
  v_balance integer;
  v_creator uuid;
  v_transaction bigint;
begin
  select w.balance into v_balance from minimal.wallets w where w.user_id = p_buyer for update;
  if not found then return 'not-signed-in'; end if;
  if exists (select from minimal.sales s where s.buyer_id = p_buyer and s.card_id = p_card) then
    return 'already';
  end if;
  if v_balance < 4 then return 'too-few-coins'; end if;
  select c.creator_id into v_creator from minimal.cards c where c.id = p_card and c.closes_at > p_at;
  if not found then return 'not-on-sale'; end if;
  update minimal.wallets set balance = balance - 4 where user_id = p_buyer;
  insert into minimal.transactions (created_at) values (p_at) returning id into v_transaction;
  insert into minimal.postings values
    (v_transaction, 'wallet', p_buyer, -4), (v_transaction, 'redeemed', null, 4),
    (v_transaction, 'payable', v_creator, 2800), (v_transaction, 'commission', null, -2800);
  insert into minimal.sales values (p_buyer, p_card, v_transaction, p_at);
  insert into minimal.earnings values (v_transaction, v_creator, 2800);
  return 'opened';
end $$;

-- Returns the tips of a card as JSON.
create function minimal.tips_of(p_card uuid) returns json language plpgsql stable as $$
begin
  return (
    select json_agg(json_build_object('race', t.race_number, 'horse', t.horse_name, 'analysis', t.analysis)
      order by t.race_number)
    from minimal.tips t where t.card_id = p_card);
end $$;

insert into minimal.wallets select user_id, 1000000 from wallets;
insert into minimal.cards select id, creator_id, now() + interval '2 days' from race_cards;
insert into minimal.tips select race_card_id, race_number, horse_name, analysis from tips;

-- The sales of one round: each measured statement takes the next pair.
create table minimal.pairs (n bigint primary key, buyer_id uuid not null, card_id uuid not null);
create sequence minimal.next_pair;
analyze minimal.wallets, minimal.cards, minimal.tips;
