/**
 * Does the work for each thing, things of the same lane one after the other, as many lanes at once as
 * told: order where it matters, and no waiting where it does not.
 */
export async function withLanes<T>(
  things: readonly T[],
  laneOf: (thing: T) => string,
  work: (thing: T) => Promise<unknown>,
  atOnce = 6,
): Promise<void> {
  const lanes = [...Map.groupBy(things, laneOf).values()];
  const workers = Array.from({ length: Math.min(atOnce, lanes.length) }, async () => {
    for (let lane = lanes.shift(); lane; lane = lanes.shift())
      for (const thing of lane) await work(thing);
  });
  await Promise.all(workers);
}
