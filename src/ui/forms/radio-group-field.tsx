import { type ReactNode, useId } from "react";
import { classNames } from "#ui/class-names.ts";
import { FieldError } from "./field.tsx";
import { useErrorUntilInput } from "./use-error-until-input.ts";

type RadioGroupFieldProps = {
  label: ReactNode;
  name: string;
  options: readonly { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean }[];
  defaultValue?: string;
  value?: string;
  onChange?: (value: string) => void;
  hint?: ReactNode;
  error?: ReactNode;
  labelHidden?: boolean;
  required?: boolean;
  /** `row` for two to four short options, `list` for options with explanations. */
  layout?: "row" | "list";
  className?: string;
};

/** A radio group. */
export function RadioGroupField({
  label,
  name,
  options,
  defaultValue,
  value,
  onChange,
  hint,
  error: latestError,
  labelHidden = false,
  required,
  layout = "row",
  className,
}: RadioGroupFieldProps) {
  const { error, onChange: onFieldChange } = useErrorUntilInput(latestError);
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : null, error ? `${id}-error` : null]
    .filter(Boolean)
    .join(" ");
  return (
    <fieldset
      onChange={onFieldChange}
      aria-describedby={describedBy || undefined}
      className={classNames("flex min-w-0 flex-col gap-1.5", className)}
    >
      <legend className={labelHidden ? "sr-only" : "mb-1.5 text-sm leading-5 font-semibold"}>
        {label}
      </legend>
      <div className={layout === "row" ? "flex" : "flex flex-col"}>
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              "relative flex min-h-11 items-center gap-2.5 border border-rule-strong bg-sheet text-sm transition-colors duration-100 hover:bg-well has-checked:z-1 has-checked:border-green-ink has-checked:bg-green-wash has-checked:font-semibold has-checked:text-green-ink forced-colors:has-checked:border-3 forced-colors:has-checked:border-[Highlight] has-focus-visible:z-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-green-ink",
              layout === "row"
                ? "flex-1 justify-center px-3 not-first:-ml-px first:rounded-l-md last:rounded-r-md"
                : "px-3 py-2 not-first:-mt-px first:rounded-t-md last:rounded-b-md",
              option.disabled && "cursor-not-allowed opacity-55",
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              required={required}
              disabled={option.disabled}
              {...(value === undefined
                ? { defaultChecked: option.value === defaultValue }
                : { checked: option.value === value })}
              onChange={onChange ? () => onChange(option.value) : undefined}
              className={classNames(
                "focus-visible:outline-none focus-visible:shadow-none",
                layout === "row" ? "sr-only" : "size-5 shrink-0",
              )}
            />
            <span className="flex flex-col">
              <span>{option.label}</span>
              {option.hint ? (
                <span className="text-xs font-normal text-ink-2">{option.hint}</span>
              ) : null}
            </span>
          </label>
        ))}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      ) : null}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </fieldset>
  );
}
