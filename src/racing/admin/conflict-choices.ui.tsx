import { useRef } from "react";
import type { AdminFormResult } from "#admin-kit/admin-kit.ui.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { RadioGroupField } from "#ui/forms/radio-group-field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";

const formatValue = (text: string) =>
  text
    .split("\t")
    .filter((part) => part !== "")
    .join(", ") || "not reported";

/**
 * Why a form was not saved, beside its button, with the values that someone else changed differently. Nothing is
 * chosen at first. Focused when a result arrives.
 */
export function ConflictChoices({ result }: { result: AdminFormResult }) {
  const element = useRef<HTMLDivElement>(null);
  useResponse(result, () => {
    element.current?.focus({ preventScroll: true });
    // With the button, which follows it.
    element.current?.parentElement?.scrollIntoView({ block: "nearest" });
  });
  return (
    <div ref={element} tabIndex={-1} className="grid gap-4">
      <FormMessage type="error">
        {result.message ?? "Not saved. Correct the marked fields above."}
      </FormMessage>
      {result.conflicts?.map(({ name, label, mine, theirs }) => (
        <div key={`${name} ${theirs}`}>
          <RadioGroupField
            label={label}
            name={`keep-${name}`}
            layout="list"
            required
            options={[
              { value: "mine", label: `Mine: ${formatValue(mine)}` },
              { value: "theirs", label: `Theirs: ${formatValue(theirs)}` },
            ]}
          />
          <input type="hidden" name={`seen-${name}`} value={theirs} />
        </div>
      ))}
    </div>
  );
}
