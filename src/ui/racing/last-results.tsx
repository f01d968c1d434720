type LastResultsProps = {
  /** W or L for each settled tip, oldest first. */
  results: string;
  className?: string;
};

const WIDTH = 6;
const STEP = 8;
const WON_HEIGHT = 14;
const LOST_HEIGHT = 6;

/** The last results as bars: high and green for won, low for lost. */
export function LastResults({ results, className }: LastResultsProps) {
  const width = Math.max(0, results.length * STEP - (STEP - WIDTH));
  const won = results.split("").filter((result) => result === "W").length;
  return (
    <svg
      viewBox={`0 0 ${width} ${WON_HEIGHT}`}
      width={width}
      height={WON_HEIGHT}
      role="img"
      aria-label={`Last ${results.length}: ${won} won`}
      className={className}
    >
      <path className="bar-lost" d={drawBars(results, "L", LOST_HEIGHT)} />
      <path className="bar-won" d={drawBars(results, "W", WON_HEIGHT)} />
    </svg>
  );
}

function drawBars(results: string, result: string, height: number): string {
  return results
    .split("")
    .map((each, index) =>
      each === result ? `M${index * STEP} ${WON_HEIGHT}v-${height}h${WIDTH}v${height}` : "",
    )
    .join("");
}
