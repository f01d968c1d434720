import { formatDate } from "#domain/calendar.ts";
import type { KeptDraft } from "./draft-store.ts";

type KeptDraftsProps = {
  drafts: readonly KeptDraft[];
  venueName: (venueId: string) => string | undefined;
  onOpen: (batchKey: string) => void;
  /** Starts another draft; left out while the form is empty. */
  onBegin?: () => void;
  className?: string;
};

/** The other drafts on this device, by venue and day, and the way to start one more. */
export function KeptDrafts({ drafts, venueName, onOpen, onBegin, className }: KeptDraftsProps) {
  if (drafts.length === 0 && !onBegin) return null;
  return (
    <div className={className}>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-2 text-sm">
        {drafts.length > 0 ? <p className="text-ink-2">Other drafts on this device</p> : null}
        {drafts.map(({ draft }) => (
          <button
            key={draft.batchKey}
            type="button"
            onClick={() => onOpen(draft.batchKey)}
            className="link tap text-left"
          >
            {venueName(draft.venueId) ?? "No venue yet"},{" "}
            {draft.raceDate ? formatDate(draft.raceDate, "short") : "no date yet"} (
            {draft.races.length} {draft.races.length === 1 ? "race" : "races"})
          </button>
        ))}
        {onBegin ? (
          <button type="button" onClick={onBegin} className="link tap">
            Start another draft
          </button>
        ) : null}
      </div>
    </div>
  );
}
