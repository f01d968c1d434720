import type { ComponentProps, ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import { Field, type FieldProps } from "./field.tsx";

type TextFieldProps = FieldProps &
  Omit<ComponentProps<"input">, keyof FieldProps | "prefix"> & {
    /** Stands inside the control on the left: an icon or a currency. */
    prefix?: ReactNode;
    /** Numbers and codes are set in the condensed face. */
    figures?: boolean;
  };

/** One line of input of any text-like type. */
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
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, labelHidden, optional, className, id }}>
      {(ties) => (
        <div className="relative">
          {prefix ? (
            <span className="pointer-events-none absolute inset-y-0 left-0 flex w-10 items-center justify-center text-ink-3 [&_svg]:size-[1.125rem]">
              {prefix}
            </span>
          ) : null}
          <input
            {...input}
            {...ties}
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
