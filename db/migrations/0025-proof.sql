-- Proof: the salt of an analysis is never that of its horse. The salt of a horse is public after the race, and with it
-- an analysis that is still paid for could be guessed.
alter table tip_commitments add constraint tip_commitments_salts_differ check (salt <> analysis_salt);
