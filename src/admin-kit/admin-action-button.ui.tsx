import type { ComponentProps } from "react";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { AdminActionForm } from "./admin-action-form.ui.tsx";

type Act = Pick<ComponentProps<typeof AdminActionForm>, "to" | "fields" | "question">;

type ActButtonProps = Act &
  Pick<ComponentProps<typeof Button>, "variant" | "size" | "icon" | "children"> & {
    /** What it does and to what, where its words alone do not say. */
    label?: string;
  };

/** A button that does one thing at an address of its own. */
export function AdminActionButton({
  to,
  fields,
  question,
  label,
  variant = "secondary",
  size = "small",
  ...button
}: ActButtonProps) {
  return (
    <AdminActionForm to={to} fields={fields} question={question}>
      {(isPending) => (
        <Button
          {...button}
          type="submit"
          variant={variant}
          size={size}
          pending={isPending}
          aria-label={label}
        />
      )}
    </AdminActionForm>
  );
}

/** The same as a picture alone, in a row that has room for no words. */
export function AdminActionIcon({
  to,
  fields,
  question,
  ...button
}: Act & Pick<ComponentProps<typeof IconButton>, "label" | "icon">) {
  return (
    <AdminActionForm to={to} fields={fields} question={question}>
      {(isPending) => <IconButton {...button} type="submit" aria-disabled={isPending} />}
    </AdminActionForm>
  );
}
