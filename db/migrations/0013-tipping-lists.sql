-- The lists of tips walk these in their order, so a page costs the same however many there are.
create index race_cards_creator_newest on race_cards (creator_id, race_date desc, id desc);
create index tips_newest on tips (published_at desc, id desc);
