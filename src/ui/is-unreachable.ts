/** Returns true for the error of a request that got no response at all. */
export function isUnreachable(error: unknown): boolean {
  // Fetch reports network errors as a TypeError.
  return error instanceof TypeError;
}
