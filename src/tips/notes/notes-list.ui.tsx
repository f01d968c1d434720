import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { RaceCardNote } from "./add-note.server.ts";

type NoteListProps = {
  /** `from` names the race card, where the list has notes of several. */
  notes: readonly (RaceCardNote & { from?: string })[];
  heading: string;
};

/** The notes of creators to the buyers of their race cards, oldest first, each with its time. */
export function NoteList({ notes, heading }: NoteListProps) {
  if (notes.length === 0) return null;
  return (
    <section aria-labelledby="notes">
      <SectionHeading id="notes">{heading}</SectionHeading>
      <ol>
        {notes.map(({ id, raceCardId, body, createdAt, from }) => (
          <li key={id} className="border-b border-rule py-2.5">
            <p className="max-w-prose text-sm break-words whitespace-pre-line">{body}</p>
            <p className="mt-0.5 text-xs text-ink-2">
              {from ? (
                <>
                  <TextLink to={`/race-cards/${raceCardId}`}>{from}</TextLink>,{" "}
                </>
              ) : null}
              <DateTime at={createdAt} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
