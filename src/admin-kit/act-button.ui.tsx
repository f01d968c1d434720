import type { ComponentProps } from "react";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { ActForm } from "./act-form.ui.tsx";

type Act = Pick<ComponentProps<typeof ActForm>, "to" | "fields" | "question">;

type ActButtonProps = Act &
  Pick<ComponentProps<typeof Button>, "variant" | "size" | "icon" | "children"> & {
    /** What it does and to what, where its words alone do not say. */
    label?: string;
  };

/** A button that does one thing at an address of its own. */
export function ActButton({
  to,
  fields,
  question,
  label,
  variant = "secondary",
  size = "small",
  ...button
}: ActButtonProps) {
  return (
    <ActForm to={to} fields={fields} question={question}>
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
    </ActForm>
  );
}

/** The same as a picture alone, in a row that has room for no words. */
export function ActIcon({
  to,
  fields,
  question,
  ...button
}: Act & Pick<ComponentProps<typeof IconButton>, "label" | "icon">) {
  return (
    <ActForm to={to} fields={fields} question={question}>
      {(isPending) => <IconButton {...button} type="submit" aria-disabled={isPending} />}
    </ActForm>
  );
}
