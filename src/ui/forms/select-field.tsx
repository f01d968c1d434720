import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field.tsx";

type SelectFieldProps = FieldProps &
  Omit<ComponentProps<"select">, keyof FieldProps> & {
    /** The first, empty option: 'Select a venue'. */
    placeholder?: string;
    options: readonly { value: string; label: string; disabled?: boolean }[];
  };

/** A native select, so that phones show their own picker. */
export function SelectField({
  label,
  hint,
  error,
  labelHidden,
  optional,
  className,
  id,
  placeholder,
  options,
  ...select
}: SelectFieldProps) {
  const initialValue =
    placeholder !== undefined && select.value === undefined && select.defaultValue === undefined
      ? { defaultValue: "" }
      : {};
  return (
    <Field {...{ label, hint, error, labelHidden, optional, className, id }}>
      {(attributes) => (
        <div className="relative">
          <select
            {...initialValue}
            {...select}
            {...attributes}
            className="control appearance-none pr-10"
          >
            {placeholder === undefined ? null : <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            className="pointer-events-none absolute top-1/2 right-3 size-[1.125rem] -translate-y-1/2 text-ink-3"
            aria-hidden="true"
          />
        </div>
      )}
    </Field>
  );
}
