import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "#ui/class-names.ts";
import { FieldError } from "./field.tsx";
import { useErrorUntilInput } from "./use-error-until-input.ts";

type CheckboxFieldProps = Omit<ComponentProps<"input">, "type"> & {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
};

/** A checkbox with its label to the right and a touch target of 44 px. */
export function CheckboxField({
  label,
  hint,
  error: latestError,
  className,
  id,
  ...input
}: CheckboxFieldProps) {
  const { error, onChange } = useErrorUntilInput(latestError);
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const describedBy = [hint ? `${controlId}-hint` : null, error ? `${controlId}-error` : null]
    .filter(Boolean)
    .join(" ");
  return (
    <div onChange={onChange} className={classNames("flex flex-col gap-1", className)}>
      <div className="grid grid-cols-[auto_1fr] gap-x-3">
        <span className="flex min-h-11 items-start pt-[0.6875rem]">
          <input
            {...input}
            id={controlId}
            type="checkbox"
            aria-describedby={describedBy || undefined}
            aria-invalid={error ? true : undefined}
            className="size-[1.375rem] shrink-0 rounded-sm"
          />
        </span>
        <span className="flex min-h-11 flex-col justify-center py-2">
          <label htmlFor={controlId} className="text-sm">
            {label}
          </label>
          {hint ? (
            <span id={`${controlId}-hint`} className="text-xs text-ink-3">
              {hint}
            </span>
          ) : null}
        </span>
      </div>
      {error ? <FieldError id={`${controlId}-error`}>{error}</FieldError> : null}
    </div>
  );
}
