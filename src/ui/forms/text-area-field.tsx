import { type ComponentProps, useEffect, useRef, useState } from "react";
import { classNames } from "#ui/class-names.ts";
import { Field, type FieldProps } from "./field.tsx";

type TextAreaFieldProps = FieldProps & Omit<ComponentProps<"textarea">, keyof FieldProps | "ref">;

/** A multi-line text field; with `maxLength` it shows a character count. */
export function TextAreaField({
  label,
  hint,
  error,
  labelHidden,
  optional,
  className,
  id,
  maxLength,
  rows = 4,
  onChange,
  ...textArea
}: TextAreaFieldProps) {
  const [length, setLength] = useState(
    String(textArea.value ?? textArea.defaultValue ?? "").length,
  );
  const element = useRef<HTMLTextAreaElement>(null);
  // What was typed or pasted before the scripts started.
  useEffect(() => setLength(element.current?.value.length ?? 0), []);
  const isNearLimit = maxLength !== undefined && length >= maxLength * 0.9;

  return (
    <Field
      {...{ label, hint, error, labelHidden, optional, className, id }}
      aside={
        maxLength === undefined ? null : (
          <span className={classNames("shrink-0", isNearLimit && "font-semibold text-ink")}>
            <span aria-hidden="true">
              {length} / {maxLength}
            </span>
            <span className="sr-only" aria-live="polite">
              {isNearLimit ? `${maxLength - length} characters left` : ""}
            </span>
          </span>
        )
      }
    >
      {(attributes) => (
        <textarea
          {...textArea}
          {...attributes}
          ref={element}
          rows={rows}
          maxLength={maxLength}
          onChange={(event) => {
            setLength(event.target.value.length);
            onChange?.(event);
          }}
          className="control resize-y"
        />
      )}
    </Field>
  );
}
