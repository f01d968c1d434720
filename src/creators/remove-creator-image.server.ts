import { type SetCreatorImageAnswer, setCreatorImage } from "./set-creator-image.server.ts";

/**
 * Takes a creator's photo away, suspended or not: they are shown by their silks from then on, and the
 * file goes with the next sweep. Twice is once.
 */
export async function removeCreatorImage(creatorId: string): Promise<SetCreatorImageAnswer> {
  return await setCreatorImage(creatorId, null);
}
