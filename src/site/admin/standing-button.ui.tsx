import { Button } from "#ui/button.tsx";
import { ActForm } from "./act-form.ui.tsx";
import { suspendQuestion } from "./questions.ts";

/** Suspends a creator, or lets them write again. */
export function StandingButton({
  creator,
}: {
  creator: { id: string; name: string; isSuspended: boolean };
}) {
  const { id, name, isSuspended } = creator;
  return (
    <ActForm
      to={`/admin/tipsters/${id}/standing`}
      fields={{ suspended: isSuspended ? "no" : "yes" }}
      question={isSuspended ? undefined : suspendQuestion(name)}
    >
      {(isPending) => (
        <Button
          type="submit"
          variant="secondary"
          size="small"
          pending={isPending}
          aria-label={isSuspended ? `Reinstate ${name}` : `Suspend ${name}`}
        >
          {isSuspended ? "Reinstate" : "Suspend"}
        </Button>
      )}
    </ActForm>
  );
}
