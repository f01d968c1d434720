const KB = 1024;
const MB = 1024 * KB;

/** Ten times the size of the largest valid JSON body, and of most forms. */
const DEFAULT_LIMIT = 64 * KB;

/** The paths that take larger bodies, with their limits in bytes. Everything else has the default. */
const LARGER_LIMITS: readonly [RegExp, number][] = [
  // A photo of 5 MB, in Base64 for the JSON API.
  [/^\/tipster-dashboard\/photo$/, 8 * MB],
  [/^\/\.netlify\/functions\/update-tipster-profile-image$/, 8 * MB],
  // A race day file of 1 MB. Pasted text can take three bytes per byte when it is encoded as a form.
  [/^\/admin\/race-days\/import$/, 4 * MB],
  // Twelve races with an analysis of 4,000 characters, each up to nine bytes as a form.
  [/^\/tipster-dashboard\/(add|batch-day)$/, 512 * KB],
  // Twelve races with 30 runners each.
  [/^\/admin\/venues\/[^/]+\/race-days\/[^/]+$/, 512 * KB],
  // Events of the payment provider, which sets their size.
  [/^\/webhooks\//, MB],
];

/** Returns the maximum size in bytes of a request's body. */
export function maxBodyBytes(path: string): number {
  return LARGER_LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_LIMIT;
}
