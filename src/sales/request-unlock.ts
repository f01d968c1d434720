import type { UnlockRefusal } from "#domain/refusal.ts";
import type { OpenedTip } from "./opened-cards.server.ts";

/** The response to an unlock request. `unreachable` means that no response arrived. */
export type UnlockResponse =
  | { ok: true; balanceCoins: number; raceCount: number; tips: OpenedTip[] }
  | { ok: false; refusal: UnlockRefusal; message: string; racesRun: number }
  | { ok: false; refusal: "unreachable" };

type UnlockRequest = {
  idempotencyKey: string;
  /** How many races already run the viewer has confirmed. */
  acknowledgedRacesRun: number;
};

const TIMEOUT_MS = 15_000;
const RETRY_DELAY_MS = 800;

/** Asks the server to open a race card. Retries once if no response arrives. */
export async function requestUnlock(
  raceCardId: string,
  request: UnlockRequest,
): Promise<UnlockResponse> {
  try {
    return await postUnlock(raceCardId, request);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    return await postUnlock(raceCardId, request).catch(
      () => ({ ok: false, refusal: "unreachable" }) as const,
    );
  }
}

async function postUnlock(
  raceCardId: string,
  { idempotencyKey, acknowledgedRacesRun }: UnlockRequest,
): Promise<UnlockResponse> {
  const response = await fetch(`/api/race-cards/${raceCardId}/unlock`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
    body: JSON.stringify({ acknowledgedRacesRun: acknowledgedRacesRun }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = (await response.json()) as {
    coins: number;
    raceCount: number;
    tips: OpenedTip[];
    error: string;
    refusal?: UnlockRefusal;
    racesRun?: number;
  };
  const { coins: balanceCoins, raceCount, tips } = body;
  if (response.ok) return { ok: true, balanceCoins, raceCount, tips };
  if (!body.refusal) throw new Error(`the server answered ${response.status}`);
  return {
    ok: false,
    refusal: body.refusal,
    message: body.error,
    racesRun: body.racesRun ?? acknowledgedRacesRun,
  };
}
