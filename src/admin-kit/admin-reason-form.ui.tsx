import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { AdminActionForm } from "./admin-action-form.ui.tsx";

type AdminReasonFormProps = {
  /** The path of the action, which reads `reason`. */
  action: string;
  /** The label of the field, for screen readers. */
  label: string;
  submitText: string;
};

/** The form of an admin action in a row of a list, with the reason that it requires. */
export function AdminReasonForm({ action, label, submitText }: AdminReasonFormProps) {
  return (
    <AdminActionForm action={action} className="flex items-end justify-end gap-2">
      {(isPending) => (
        <>
          <TextField
            label={label}
            labelHidden
            name="reason"
            placeholder="Reason"
            required
            maxLength={300}
            className="w-36"
          />
          <Button type="submit" variant="quiet" size="small" pending={isPending}>
            {submitText}
          </Button>
        </>
      )}
    </AdminActionForm>
  );
}
