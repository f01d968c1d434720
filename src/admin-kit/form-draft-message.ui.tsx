import { FormMessage } from "#ui/forms/form-message.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import type { FoundFormDraft } from "./use-form-draft.ts";

/** Says that a form was filled in from a draft, or that an older draft was not. */
export function FormDraftMessage({
  draft,
  className,
}: {
  draft: FoundFormDraft | null;
  className?: string;
}) {
  if (!draft) return null;
  const at = <DateTime at={draft.savedAt} />;
  return (
    <FormMessage type={draft.isFilledIn ? "info" : "warning"} className={className}>
      {draft.isFilledIn ? (
        <>What you typed until {at} is filled in again. It is not saved yet. </>
      ) : (
        <>
          What you typed until {at} is not filled in, because a newer version was saved since.{" "}
          <button type="button" onClick={draft.fillIn} className="link tap">
            Fill it in
          </button>{" "}
          or{" "}
        </>
      )}
      <button type="button" onClick={draft.discard} className="link tap">
        {draft.isFilledIn ? "Discard it" : "discard it"}
      </button>
    </FormMessage>
  );
}
