-- Tips: notes of a creator to the buyers of a published race card.

-- Append-only: a note is never changed or deleted. Only the creator and buyers of the race card can read it.
create table race_card_notes (
  id uuid primary key default new_id(),
  race_card_id uuid not null references race_cards,
  idempotency_key text not null
    constraint race_card_notes_key check (length(idempotency_key) between 8 and 100),
  body text not null constraint race_card_notes_body
    check (length(body) <= 500 and length(btrim(body)) > 0),
  created_at timestamptz not null,
  constraint race_card_notes_once unique (race_card_id, idempotency_key)
);
create index race_card_notes_oldest on race_card_notes (race_card_id, created_at, id);
create trigger race_card_notes_append_only before update or delete on race_card_notes
  for each row execute function refuse_change();
create trigger race_card_notes_no_truncate before truncate on race_card_notes
  for each statement execute function refuse_change();
