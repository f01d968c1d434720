/** Non-standard terms that were used before, and their replacements. Keep the list short. */
export const BANNED_TERMS: readonly { term: RegExp; instead: string }[] = [
  { term: /\banew\b/i, instead: "again" },
  { term: /\bnought\b/i, instead: "zero or nothing" },
  { term: /\b(thereof|therewith|wherein|wherewith)\b/i, instead: "a plain preposition" },
  { term: /(?<!npm run |scripts\.)\btorture\b/i, instead: "chaos tests" },
  { term: /\bnuisances?\b/i, instead: "background load" },
  { term: /\binTurn\b/, instead: "withConcurrencyLimit" },
  { term: /\btell away\b/i, instead: "database outage" },
  { term: /\bkept reads?\b/i, instead: "cached reads" },
  { term: /\bfailure in words\b/i, instead: "redacted error" },
  { term: /\b(told length|untold limit)\b/i, instead: "content length" },
  { term: /\bseen run\b/i, instead: "acknowledged races run" },
  { term: /\bun ?keepable\b/i, instead: "unsupported" },
  { term: /\bcuttable\b/i, instead: "TCP proxy" },
  { term: /\b(gives?|gave|given) way\b/i, instead: "yield" },
];
