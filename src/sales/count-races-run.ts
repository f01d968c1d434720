/** Returns the number of a race card's races that are off at an instant. */
export function countRacesRun(races: readonly { offAt: Date | null }[], now: Date): number {
  return races.filter((race) => race.offAt !== null && race.offAt <= now).length;
}
