import { type ComponentProps, useState } from "react";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import { TextField } from "./text-field.tsx";

type TimeFieldProps = Omit<
  ComponentProps<typeof TextField>,
  "type" | "figures" | "onChange" | "onBlur"
> & {
  onTime?: (text: string) => void;
};

/**
 * A 24-hour time field, independent of the browser's language. Accepts `1405`, `14:05` and `14h05`,
 * and normalises them to `14:05` on blur. `onTime` is called for every change.
 */
export function TimeField({ onTime, error, ...field }: TimeFieldProps) {
  const [isInvalid, setIsInvalid] = useState(false);
  return (
    <TextField
      {...field}
      figures
      inputMode="numeric"
      autoComplete="off"
      placeholder={field.readOnly ? undefined : "14:05"}
      maxLength={8}
      error={error ?? (isInvalid ? INVALID_OFF_TIME_MESSAGE : undefined)}
      onChange={(event) => {
        setIsInvalid(false);
        onTime?.(event.target.value);
      }}
      onBlur={({ target }) => {
        if (field.readOnly) return;
        const time = parseTime(target.value);
        setIsInvalid(time === null && target.value.trim() !== "");
        if (time === null || time === target.value) return;
        target.value = time;
        onTime?.(time);
      }}
    />
  );
}
