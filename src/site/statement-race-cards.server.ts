import { readRaceCardsOfSales } from "#sales/sales.server.ts";
import { type RaceCardSummary, readRaceCardSummaries } from "#tips/tips.server.ts";
import type { StatementLine } from "#wallet/wallet.server.ts";

/** Returns the race cards that lines of a statement paid for, or whose coins they returned, by the id of the line. */
export async function readRaceCardsOfStatement(
  lines: readonly StatementLine[],
): Promise<Map<number, RaceCardSummary>> {
  const raceCardsBySale = await readRaceCardsOfSales(
    lines.flatMap((line) => parseSaleId(line) ?? []),
  );
  const ids = new Map(
    lines.flatMap((line): [number, string][] => {
      const raceCardId = parseRaceCardId(line) ?? raceCardsBySale.get(parseSaleId(line) ?? 0);
      return raceCardId ? [[line.id, raceCardId]] : [];
    }),
  );
  const summaries = await readRaceCardSummaries([...new Set(ids.values())]);
  return new Map(
    [...ids].flatMap(([lineId, raceCardId]) => {
      const summary = summaries.get(raceCardId);
      return summary ? [[lineId, summary] as const] : [];
    }),
  );
}

/** Returns the id of the race card that an unlock paid for. The reference is `buyer:raceCard`. */
function parseRaceCardId(line: StatementLine): string | null {
  if (line.kind !== "unlock") return null;
  return line.reference.split(":")[1] ?? null;
}

/** Returns the id of the sale whose coins were returned. The reference is `void:sale:step`. */
function parseSaleId(line: StatementLine): number | null {
  const saleId = line.kind === "reversal" && /^void:(\d+):/.exec(line.reference)?.[1];
  return saleId ? Number(saleId) : null;
}
