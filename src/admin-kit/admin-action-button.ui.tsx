import type { ComponentProps } from "react";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { AdminActionForm } from "./admin-action-form.ui.tsx";

type ActionProps = Pick<ComponentProps<typeof AdminActionForm>, "action" | "fields">;

type AdminActionButtonProps = ActionProps &
  Pick<ComponentProps<typeof Button>, "variant" | "size" | "icon" | "children"> & {
    /** The accessible name, when the visible text does not name the action and its object. */
    label?: string;
  };

/** A button that submits one admin action to its own path. */
export function AdminActionButton({
  action,
  fields,
  label,
  variant = "secondary",
  size = "small",
  ...button
}: AdminActionButtonProps) {
  return (
    <AdminActionForm action={action} fields={fields}>
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

/** An icon-only `AdminActionButton`, for rows without space for text. */
export function AdminActionIcon({
  action,
  fields,
  ...button
}: ActionProps & Pick<ComponentProps<typeof IconButton>, "label" | "icon">) {
  return (
    <AdminActionForm action={action} fields={fields}>
      {(isPending) => <IconButton {...button} type="submit" aria-disabled={isPending} />}
    </AdminActionForm>
  );
}
