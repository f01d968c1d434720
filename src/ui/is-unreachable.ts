/** Whether an error says that a request got no answer at all, rather than a refusal. */
export function isUnreachable(error: unknown): boolean {
  // A fetch that fails on the way fails with a TypeError.
  return error instanceof TypeError;
}
