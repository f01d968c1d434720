import { formatDate } from "#domain/calendar.ts";
import type { SavedDraft } from "#platform/draft-store.ts";
import type { BatchDraft } from "./batch-form.ts";

type SavedDraftsProps = {
  drafts: readonly SavedDraft<BatchDraft>[];
  venueName: (venueId: string) => string | undefined;
  onOpen: (idempotencyKey: string) => void;
  /** Starts another draft. Undefined while the form is empty. */
  onStart?: () => void;
  className?: string;
};

/** Lists the other drafts on this device by venue and day, with a button that starts a new one. */
export function SavedDrafts({ drafts, venueName, onOpen, onStart, className }: SavedDraftsProps) {
  if (drafts.length === 0 && !onStart) return null;
  return (
    <div className={className}>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-2 text-sm">
        {drafts.length > 0 ? <p className="text-ink-2">Other drafts on this device</p> : null}
        {drafts.map(({ draft }) => (
          <button
            key={draft.idempotencyKey}
            type="button"
            onClick={() => onOpen(draft.idempotencyKey)}
            className="link tap text-left"
          >
            {venueName(draft.venueId) ?? "No venue yet"},{" "}
            {draft.raceDate ? formatDate(draft.raceDate, "short") : "no date yet"} (
            {draft.races.length} {draft.races.length === 1 ? "race" : "races"})
          </button>
        ))}
        {onStart ? (
          <button type="button" onClick={onStart} className="link tap">
            Start another draft
          </button>
        ) : null}
      </div>
    </div>
  );
}
