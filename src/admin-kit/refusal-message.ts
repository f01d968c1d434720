/** What the admin is told of each refusal, with the status of the answer. */
export function refusalMessage<Refusal extends string>(
  words: Record<Refusal, readonly [words: string, status: number]>,
) {
  return words;
}
