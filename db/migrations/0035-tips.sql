-- Tips: the public search finds horses with and without accents.

-- Returns a text as it is searched: in lower case, without accents, with spaces for punctuation. The same rule as
-- foldSearchText in src/domain/fold-search-text.ts.
create function fold_search_text(p_text text) returns text language sql immutable parallel safe as $$
  select lower(regexp_replace(regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f]', '', 'g'),
    '[!-/:-@\[-`{-~\u2018\u2019]+', ' ', 'g'))
$$;

create index tips_search_folded on tips using gin (to_tsvector('simple', fold_search_text(horse_name)));
