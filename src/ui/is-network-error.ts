/** Returns true for the error of a request that got no response at all. */
export function isNetworkError(error: unknown): boolean {
  // Fetch reports network errors as a TypeError.
  return error instanceof TypeError;
}
