import { randomUUID } from "node:crypto";
import { data, Form, useNavigation } from "react-router";
import { requireCreator } from "#creators/creators.server.ts";
import { formatDate } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import type { RefusedForm } from "#platform/form-result.ts";
import { handleForm } from "#platform/handle-form.server.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { addNote, MAX_NOTES, readNotes } from "../notes/add-note.server.ts";
import { MAX_NOTE_LENGTH, noteInput } from "../notes/note.input.ts";
import { NoteList } from "../notes/notes-list.ui.tsx";
import { readOwnCard } from "../own-day.server.ts";
import type { Route } from "./+types/note.page.ts";

const REFUSALS = {
  suspended: ["You can't add notes while your account is suspended.", 403],
  "races-run": "The last race is off. Notes can't be added any more.",
  "too-many-notes": `A race card has at most ${MAX_NOTES} notes.`,
  "text-changed":
    "Your note was added before you changed it. It is below and can't be changed. You can add this text as another note.",
} as const;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Note to buyers",
    description: "A note to the buyers of a race card.",
    isPrivate: true,
  });

export async function loader({ context, params }: Route.LoaderArgs) {
  const { id } = await requireCreator(context);
  const raceCard = await readOwnCard(id, params.raceCardId);
  if (!raceCard) throw data(null, { status: 404 });
  const { venueName, raceDate } = raceCard;
  return {
    venueName,
    raceDate,
    isOpen: raceCard.closesAt > now(),
    notes: await readNotes([raceCard.id]),
    idempotencyKey: randomUUID(),
  };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const { id } = await requireCreator(context);
  return await handleForm(await request.formData(), {
    input: noteInput,
    run: (note) => addNote(id, params.raceCardId, note),
    done: () => ({ ok: true as const, message: "Note added." }),
    refusals: ({ refusal }) => {
      if (refusal === "no-such-race-card") throw data(null, { status: 404 });
      return REFUSALS[refusal];
    },
    keep: ["body"],
  });
}

// After a conflict the page shows a note that was added without a response, and has another key.
export { revalidateAfterConflict as shouldRevalidate } from "#ui/forms/revalidate-after-conflict.ts";

/** The notes to the buyers of one of the creator's race cards, and the form that adds one. */
export default function Note({ loaderData, actionData: response }: Route.ComponentProps) {
  const { venueName, raceDate, isOpen, notes, idempotencyKey } = loaderData;
  const { errors, values }: Partial<RefusedForm> = response?.ok === false ? response : {};
  const isPending = useNavigation().formData?.get("idempotencyKey") === idempotencyKey;
  return (
    <div className="grid max-w-2xl gap-6">
      <SectionHeading lead="Everyone who has opened or opens this race card can read your notes there, with their time. A note can't be changed or deleted.">
        Note to the buyers of {venueName}, {formatDate(raceDate, "short")}
      </SectionHeading>
      {response?.message ? (
        <FormMessage type={response.ok ? "success" : "warning"}>{response.message}</FormMessage>
      ) : null}
      {isOpen ? (
        // A new form after each note, because its key is used up.
        <Form
          key={notes.length}
          method="post"
          noValidate
          className="grid justify-items-start gap-4"
        >
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          <TextAreaField
            label="Note"
            name="body"
            required
            maxLength={MAX_NOTE_LENGTH}
            defaultValue={values?.body}
            error={errors?.body}
            className="w-full"
          />
          <Button type="submit" pending={isPending} pendingLabel="Adding">
            Add note
          </Button>
        </Form>
      ) : notes.length === 0 ? (
        <EmptyState compact drawing="post" title="No notes">
          The last race is off. Notes can't be added any more.
        </EmptyState>
      ) : null}
      <NoteList notes={notes} heading="Your notes" />
      <p>
        <TextLink to="/tipster-dashboard" standalone>
          Back to today
        </TextLink>
      </p>
    </div>
  );
}
