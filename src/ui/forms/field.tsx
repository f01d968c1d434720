import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "#ui/class-names.ts";
import { useErrorUntilInput } from "./use-error-until-input.ts";

/** The props of every labelled form control besides its own attributes. */
export type FieldProps = {
  label: ReactNode;
  /** A help text below the control. */
  hint?: ReactNode;
  /** The error message; marks the control as invalid. */
  error?: ReactNode;
  /** Shows the label to screen readers only, for example for a search box. */
  labelHidden?: boolean;
  /** Shows '(optional)' after the label. */
  optional?: boolean;
  className?: string;
};

/** The attributes that connect a control with its label, hint and error. */
export type ControlAttributes = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type FieldFrameProps = FieldProps & {
  id?: string;
  /** Content to the right of the hint, such as a character count. */
  aside?: ReactNode;
  children: (attributes: ControlAttributes) => ReactNode;
};

/** Label, hint, control and error in one column, connected by ids. */
export function Field({
  label,
  hint,
  error: latestError,
  labelHidden = false,
  optional = false,
  id,
  aside,
  className,
  children,
}: FieldFrameProps) {
  const { error, onChange } = useErrorUntilInput(latestError);
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const describedBy = [hint ? `${controlId}-hint` : null, error ? `${controlId}-error` : null]
    .filter(Boolean)
    .join(" ");

  return (
    <div onChange={onChange} className={classNames("flex min-w-0 flex-col gap-1.5", className)}>
      <label
        htmlFor={controlId}
        className={labelHidden ? "sr-only" : "text-sm leading-5 font-semibold"}
      >
        {label}
        {optional ? <span className="font-normal text-ink-3"> (optional)</span> : null}
      </label>
      {children({
        id: controlId,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint || aside ? (
        <div className="field-notes flex justify-between gap-4 text-xs text-ink-3">
          {hint ? <p id={`${controlId}-hint`}>{hint}</p> : <span />}
          {aside}
        </div>
      ) : null}
      {error ? <FieldError id={`${controlId}-error`}>{error}</FieldError> : null}
    </div>
  );
}

/** The error message below a control. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-1.5 text-xs font-medium text-danger-ink">
      <CircleAlert className="mt-px size-4 shrink-0" aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
