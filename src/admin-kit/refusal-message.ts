/** Returns the given messages and statuses, checked to cover each refusal. */
export function refusalMessage<Refusal extends string>(
  words: Record<Refusal, readonly [words: string, status: number]>,
) {
  return words;
}
