import { classNames } from "#ui/class-names.ts";

export type RaceStatusKind = "racing" | "next" | "upcoming";

const labels = { racing: "Racing", next: "Next", upcoming: "Upcoming" };

/** The status of a meeting: racing (a live dot), next (a full ring) or upcoming (an empty ring). */
export function RaceStatus({ status, className }: { status: RaceStatusKind; className?: string }) {
  return (
    <span
      className={classNames(
        "caps status-dot",
        status,
        status === "upcoming" ? "text-ink-3" : "text-green-ink",
        className,
      )}
    >
      {labels[status]}
    </span>
  );
}
