import type { ComponentProps, ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import { Field, type FieldProps } from "./field.tsx";

type TextFieldProps = FieldProps &
  Omit<ComponentProps<"input">, keyof FieldProps | "prefix"> & {
    /** An icon or currency at the left inside the control. */
    prefix?: ReactNode;
    /** Uses the condensed font, for numbers and codes. */
    figures?: boolean;
  };

/**
 * A single-line text field of any text-like type. Where its error is shown elsewhere, `aria-invalid` and
 * `aria-describedby` mark it.
 */
export function TextField({
  label,
  hint,
  error,
  labelHidden,
  optional,
  className,
  id,
  prefix,
  figures,
  type = "text",
  "aria-invalid": isInvalid,
  "aria-describedby": describedBy,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, labelHidden, optional, className, id }}>
      {(attributes) => (
        <div className="relative">
          {prefix ? (
            <span className="pointer-events-none absolute inset-y-0 left-0 flex w-10 items-center justify-center text-ink-3 [&_svg]:size-[1.125rem]">
              {prefix}
            </span>
          ) : null}
          <input
            {...input}
            {...attributes}
            aria-invalid={attributes["aria-invalid"] ?? isInvalid}
            aria-describedby={attributes["aria-describedby"] ?? describedBy}
            type={type}
            className={classNames(
              "control",
              prefix ? "pl-10" : null,
              figures && "font-cond text-lg font-semibold",
            )}
          />
        </div>
      )}
    </Field>
  );
}
