/** Does the work for each thing, so many at a time, and answers in the order of the things. */
export async function eachAtOnce<T, R>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(things.length);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < things.length; index = next++)
      results[index] = await work(things[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, lane));
  return results;
}

/** Looks again and again until it is so; answers whether it came to that in time. */
export async function comesTrue(
  isSo: () => Promise<boolean> | boolean,
  withinMs: number,
  everyMs = 25,
): Promise<boolean> {
  for (const until = performance.now() + withinMs; ; ) {
    if (await isSo()) return true;
    if (performance.now() > until) return false;
    await new Promise((done) => setTimeout(done, everyMs));
  }
}
