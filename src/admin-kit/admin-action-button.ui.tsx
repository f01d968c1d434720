import type { ComponentProps } from "react";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { AdminActionForm } from "./admin-action-form.ui.tsx";

type Act = Pick<ComponentProps<typeof AdminActionForm>, "to" | "fields" | "question">;

type ActButtonProps = Act &
  Pick<ComponentProps<typeof Button>, "variant" | "size" | "icon" | "children"> & {
    /** The accessible name, when the visible text does not name the action and its object. */
    label?: string;
  };

/** A button that submits one admin action to its own path. */
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

/** An icon-only `AdminActionButton`, for rows without space for text. */
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
