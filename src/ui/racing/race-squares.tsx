import { formatRaceCount } from "#domain/format-races.ts";
import type { Confidence } from "#domain/tip.ts";

type RaceSquaresProps = {
  races: readonly { raceNumber: number; confidence: Confidence; isOver: boolean }[];
};

/**
 * The races of a race card as squares: filled for high confidence, grey for medium, outlined for low,
 * and struck through once they have been run.
 */
export function RaceSquares({ races }: RaceSquaresProps) {
  return (
    <span className="race-squares" role="img" aria-label={describeRaces(races)}>
      {races.map(({ raceNumber, confidence, isOver }) => (
        <i key={raceNumber} className={isOver ? "run" : confidence}>
          {raceNumber}
        </i>
      ))}
    </span>
  );
}

/** Returns the text for screen readers: 'Races 2, 3, 5. HIGH: 3. MEDIUM: 2, 5. Run: 1.' */
function describeRaces(races: RaceSquaresProps["races"]): string {
  const list = (label: string, isListed: (race: RaceSquaresProps["races"][number]) => boolean) => {
    const numbers = races.filter(isListed).map(({ raceNumber }) => raceNumber);
    return numbers.length > 0 ? ` ${label}: ${numbers.join(", ")}.` : "";
  };
  const levels = (["high", "medium", "low"] as const).map((level) =>
    list(level.toUpperCase(), (race) => !race.isOver && race.confidence === level),
  );
  return `${formatRaceCount(races.length)}.${levels.join("")}${list("Run", (race) => race.isOver)}`;
}
