import type { ReactNode } from "react";
import { Badge } from "#ui/badge.tsx";
import { Panel } from "#ui/panel.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import type { PublicResult } from "./results/read-public-results.server.ts";

type OfficialResultsProps = {
  results: readonly PublicResult[];
  title?: ReactNode;
  aside?: ReactNode;
  /** Shown without results. By default, nothing is. */
  empty?: string;
  footer?: ReactNode;
};

/** The official results of races with their source. Shows nothing about tips. */
export function OfficialResults({
  results,
  title = "Official results",
  aside,
  empty,
  footer,
}: OfficialResultsProps) {
  if (results.length === 0 && !empty) return null;
  return (
    <Panel title={title} aside={aside} footer={results.length > 0 ? footer : null} flush>
      {results.length === 0 ? <p className="px-4 py-3 text-sm text-ink-2">{empty}</p> : null}
      <ol className="divide-y divide-rule">
        {results.map((result) => (
          <li key={result.raceNumber} className="flex gap-3 px-4 py-2.5">
            <span className="sr-only">Race {result.raceNumber}</span>
            <span aria-hidden="true">
              <NumberCloth number={result.raceNumber} size="small" />
            </span>
            <div className="grid min-w-0 flex-1 gap-0.5 text-sm">
              <FirstHorses result={result} />
              <p className="text-xs break-words text-ink-2">
                Source:{" "}
                {result.sourceUrl ? (
                  <a href={result.sourceUrl} className="link rounded-sm" rel="nofollow noreferrer">
                    {result.source}
                  </a>
                ) : (
                  result.source
                )}
                {result.correctedBecause ? `. Corrected: ${result.correctedBecause}` : null}
              </p>
              {result.isEnteredByOnePerson ? (
                <p>
                  <Badge tone="warn">Entered by one person</Badge>
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function FirstHorses({ result: { status, order, nonRunners } }: { result: PublicResult }) {
  if (status !== "official") return <p>{status === "abandoned" ? "Abandoned" : "Void"}</p>;
  return (
    <>
      <p className="break-words">
        {order
          .map(({ position, number, horseName }) =>
            // Prevents a line break between a position and its horse.
            horseName
              ? `${position}\u00a0${horseName}\u00a0(${number})`
              : `${position}\u00a0No.\u00a0${number}`,
          )
          .join(" · ")}
      </p>
      {nonRunners.length > 0 ? (
        <p className="text-xs text-ink-2">Non-runners: {nonRunners.join(", ")}</p>
      ) : null}
    </>
  );
}
