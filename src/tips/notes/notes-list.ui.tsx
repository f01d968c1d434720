import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import type { RaceCardNote } from "./add-note.server.ts";

/** The notes of a race card's creator to its buyers, oldest first, each with its time. */
export function NoteList({ notes, heading }: { notes: readonly RaceCardNote[]; heading: string }) {
  if (notes.length === 0) return null;
  return (
    <section aria-labelledby="notes">
      <SectionHeading id="notes">{heading}</SectionHeading>
      <ol>
        {notes.map(({ id, body, createdAt }) => (
          <li key={id} className="border-b border-rule py-2.5">
            <p className="max-w-prose text-sm break-words whitespace-pre-line">{body}</p>
            <p className="mt-0.5 text-xs text-ink-2">
              <DateTime at={createdAt} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
