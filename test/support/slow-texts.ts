/** Texts that take a backtracking pattern, a normalisation or a nested loop quadratic time. */
export const SLOW_TEXTS: Record<string, (length: number) => string> = {
  "an address of dots": (length) => `a@${".".repeat(length)}@`,
  "an address of labels": (length) => `a@${"a.".repeat(length / 2)}@`,
  "at signs": (length) => "@".repeat(length),
  "one long word": (length) => "a".repeat(length),
  digits: (length) => "1".repeat(length),
  spaces: (length) => `a${" ".repeat(length)}b`,
  "line breaks": (length) => `a${"\n".repeat(length)}b`,
  commas: (length) => `a${", ".repeat(length / 2)}b`,
  "a dead heat": (length) => `${"1=".repeat(length / 2)}1`,
  "runners of one race": (length) => "1,1,A\n".repeat(length / 6),
  "scratched runners": (length) => `1,A${",scratched".repeat(length / 10)}x`,
  "open quotes": (length) => ', "'.repeat(length / 3),
  "messages of PostgreSQL": (length) => "invalid input ".repeat(length / 14),
  links: (length) => `https://${"a/".repeat(length / 2)}<`,
  "combining marks out of order": (length) =>
    `a${"\u0301".repeat(length / 2)}${"\u0327".repeat(length / 2)}`,
};
