import { AdminActionButton } from "#admin-kit/admin-kit.ui.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";

export type UnconfirmedEntry = {
  id: string;
  reason: string;
  enteredByName: string;
  enteredAt: Date;
  isOwn: boolean;
  mayConfirm: boolean;
};

/** Who entered what another admin must enter too, with the button that discards it. */
export function UnconfirmedTipResult({ entry, what }: { entry: UnconfirmedEntry; what: string }) {
  const { id, reason, enteredByName, enteredAt, isOwn, mayConfirm } = entry;
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p className="wrap-anywhere">
        {isOwn ? "You" : enteredByName} {what}, <DateTime at={enteredAt} />: {reason}
      </p>
      <p className="text-ink-2">
        {mayConfirm
          ? "Enter it too, from the source, to confirm it."
          : isOwn
            ? "Another admin must enter it too."
            : "You have tips in this race. Another admin must confirm it."}
      </p>
      <AdminActionButton action={`/admin/tip-results/${id}/discard`} variant="quiet">
        Discard
      </AdminActionButton>
    </div>
  );
}
