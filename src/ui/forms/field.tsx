import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "#ui/class-names.ts";

/** What every labelled form control can be given besides its own attributes. */
export type FieldProps = {
  label: ReactNode;
  /** One line below the label that helps before anything goes wrong. */
  hint?: ReactNode;
  /** What is wrong with the value, in words; marks the control as invalid. */
  error?: ReactNode;
  /** The label is only for screen readers (a search box with a button beside it). */
  labelHidden?: boolean;
  /** Shown after the label of a field that may stay empty. */
  optional?: boolean;
  className?: string;
};

/** What a control must carry so that its label, hint and error are read out with it. */
export type ControlAttributes = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type FieldFrameProps = FieldProps & {
  id?: string;
  /** Stands right of the hint line: the counter of a text area. */
  aside?: ReactNode;
  children: (ties: ControlAttributes) => ReactNode;
};

/** Label, hint, control and error in one column, tied together by ids. */
export function Field({
  label,
  hint,
  error,
  labelHidden = false,
  optional = false,
  id,
  aside,
  className,
  children,
}: FieldFrameProps) {
  const own = useId();
  const controlId = id ?? own;
  const described = [hint ? `${controlId}-hint` : null, error ? `${controlId}-error` : null]
    .filter(Boolean)
    .join(" ");

  return (
    <div className={classNames("flex min-w-0 flex-col gap-1.5", className)}>
      <label
        htmlFor={controlId}
        className={labelHidden ? "sr-only" : "text-sm leading-5 font-semibold"}
      >
        {label}
        {optional ? <span className="font-normal text-ink-3"> (optional)</span> : null}
      </label>
      {children({
        id: controlId,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint || aside ? (
        <div className="flex justify-between gap-4 text-xs text-ink-3">
          {hint ? <p id={`${controlId}-hint`}>{hint}</p> : <span />}
          {aside}
        </div>
      ) : null}
      {error ? <FieldError id={`${controlId}-error`}>{error}</FieldError> : null}
    </div>
  );
}

/** The line in red below a control. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-1.5 text-xs font-medium text-danger-ink">
      <CircleAlert className="mt-px size-4 shrink-0" aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
