import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useHydrated } from "../use-hydrated.ts";
import { Field, type FieldProps } from "./field.tsx";

type PasswordFieldProps = FieldProps & Omit<ComponentProps<"input">, keyof FieldProps | "type">;

/**
 * A password field with a button that reveals it. The button needs scripts; its space is reserved,
 * so that the layout does not shift when it appears.
 */
export function PasswordField({
  label,
  hint,
  error,
  labelHidden,
  optional,
  className,
  id,
  ...input
}: PasswordFieldProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  const hydrated = useHydrated();
  return (
    <Field {...{ label, hint, error, labelHidden, optional, className, id }}>
      {(attributes) => (
        <div className="relative">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...attributes}
            type={isRevealed ? "text" : "password"}
            className="control pr-12"
          />
          {hydrated ? (
            <button
              type="button"
              aria-pressed={isRevealed}
              aria-controls={attributes.id}
              aria-label="Show password"
              title={isRevealed ? "Hide password" : "Show password"}
              onClick={() => setIsRevealed(!isRevealed)}
              className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-md text-ink-3 hover:text-ink [&_svg]:size-5"
            >
              {isRevealed ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
            </button>
          ) : null}
        </div>
      )}
    </Field>
  );
}
