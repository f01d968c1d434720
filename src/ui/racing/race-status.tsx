import { classNames } from "#ui/class-names.ts";

export type RaceStatusKind = "racing" | "next" | "upcoming";

const labels = { racing: "Racing", next: "Next", upcoming: "Upcoming" };

/** The status of a meeting: racing (a live dot), next (a full ring) or upcoming (an empty ring). */
export function RaceStatus({ status, className }: { status: RaceStatusKind; className?: string }) {
  return (
    <span
      className={classNames(
        "caps inline-flex items-center gap-1.5 whitespace-nowrap",
        status === "upcoming" ? "text-ink-3" : "text-green-ink",
        className,
      )}
    >
      <span className="relative flex size-2.5 shrink-0" aria-hidden="true">
        {status === "racing" ? (
          <>
            <span className="absolute inset-0 animate-live rounded-full bg-green-ink motion-reduce:hidden" />
            <span className="absolute inset-0 rounded-full bg-green-ink" />
          </>
        ) : (
          <span
            className={classNames(
              "absolute inset-0 rounded-full border-2",
              status === "next" ? "border-green-ink bg-green-wash" : "border-rule-strong",
            )}
          />
        )}
      </span>
      {labels[status]}
    </span>
  );
}
