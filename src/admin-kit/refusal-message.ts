/** Returns the given messages and statuses; the types check that every error code has one. */
export function refusalMessage<Refusal extends string>(
  words: Record<Refusal, readonly [words: string, status: number]>,
) {
  return words;
}
