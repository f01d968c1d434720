import type { UnlockRefusal } from "#domain/refusal.ts";
import type { OpenedTip } from "./opened-tip.server.ts";

/** What the browser was told when it asked to open a card; `unreachable` when it was told nothing. */
export type OpenAnswer =
  | { ok: true; balanceCoins: number; tips: OpenedTip[] }
  | { ok: false; refusal: UnlockRefusal; words: string; racesRun: number }
  | { ok: false; refusal: "unreachable" };

type Wish = {
  /** Names the wish: asked for again under the same key, it is answered the same. */
  idempotencyKey: string;
  /** How many races the viewer knows to be over. */
  racesRun: number;
};

const GIVE_UP_AFTER_MS = 15_000;
const ASK_AGAIN_AFTER_MS = 800;

/** Asks the server to open a card; an answer that is lost on the way is asked for once more. */
export async function openRaceCard(raceCardId: string, wish: Wish): Promise<OpenAnswer> {
  try {
    return await ask(raceCardId, wish);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_AFTER_MS));
    return await ask(raceCardId, wish).catch(
      () => ({ ok: false, refusal: "unreachable" }) as const,
    );
  }
}

async function ask(raceCardId: string, { idempotencyKey, racesRun }: Wish): Promise<OpenAnswer> {
  const response = await fetch(`/api/race-cards/${raceCardId}/unlock`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
    body: JSON.stringify({ racesRun }),
    signal: AbortSignal.timeout(GIVE_UP_AFTER_MS),
  });
  const body = (await response.json()) as {
    coins: number;
    tips: OpenedTip[];
    error: string;
    refusal?: UnlockRefusal;
    racesRun?: number;
  };
  if (response.ok) return { ok: true, balanceCoins: body.coins, tips: body.tips };
  if (!body.refusal) throw new Error(`the server answered ${response.status}`);
  return {
    ok: false,
    refusal: body.refusal,
    words: body.error,
    racesRun: body.racesRun ?? racesRun,
  };
}
