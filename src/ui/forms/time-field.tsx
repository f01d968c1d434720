import { type ComponentProps, useState } from "react";
import { NOT_A_TIME, parseTime } from "#domain/parse-time.ts";
import { TextField } from "./text-field.tsx";

type TimeFieldProps = Omit<
  ComponentProps<typeof TextField>,
  "type" | "figures" | "onChange" | "onBlur"
> & {
  onTime?: (text: string) => void;
};

/**
 * A time of day in 24 hours, whatever the browser's language. Takes `1405`, `14:05` and `14h05`, and
 * writes them as `14:05` when the field is left. `onTime` reports every change of its text.
 */
export function TimeField({ onTime, error, ...field }: TimeFieldProps) {
  const [isWrong, setIsWrong] = useState(false);
  return (
    <TextField
      {...field}
      figures
      inputMode="numeric"
      autoComplete="off"
      placeholder={field.readOnly ? undefined : "14:05"}
      maxLength={8}
      error={error ?? (isWrong ? NOT_A_TIME : undefined)}
      onChange={(event) => {
        setIsWrong(false);
        onTime?.(event.target.value);
      }}
      onBlur={({ target }) => {
        if (field.readOnly) return;
        const time = parseTime(target.value);
        setIsWrong(time === null && target.value.trim() !== "");
        if (time === null || time === target.value) return;
        target.value = time;
        onTime?.(time);
      }}
    />
  );
}
