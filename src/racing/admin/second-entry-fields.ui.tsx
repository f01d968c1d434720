import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { PlacedHorsesFields } from "./placed-horses-fields.ui.tsx";
import { PLACES_PAID_HINT, SURFACE_OPTIONS } from "./race-fields.ui.tsx";
import type { EntryField } from "./second-entry.ts";

const STATUS_OPTIONS = [
  { value: "official", label: "Official" },
  { value: "abandoned", label: "Abandoned" },
  { value: "void", label: "Void" },
];

type SecondEntryFieldsProps = {
  /** Returns the name, the first value and the error of a field. */
  field: (name: EntryField) => { name: string; defaultValue: string; error: string | undefined };
  /** True if no runners are declared. */
  hasNames: boolean;
  /** In the form of a whole meeting: without hints, and what is rarely needed is folded up. */
  meeting?: { hasSurface: boolean };
  autoFocus: boolean;
};

/** The fields of the confirming admin: all that tips are settled by. */
export function SecondEntryFields({ field, hasNames, meeting, autoFocus }: SecondEntryFieldsProps) {
  const placesPaid = (
    <TextField
      {...field("placesPaid")}
      label="Places paid"
      optional
      hint={PLACES_PAID_HINT}
      inputMode="numeric"
      figures
      autoComplete="off"
    />
  );
  const surface = <SelectField {...field("surface")} label="Surface" options={SURFACE_OPTIONS} />;
  return (
    <div className="grid gap-3">
      <div className={meeting ? "grid gap-4 sm:grid-cols-3" : "grid gap-4 sm:grid-cols-2"}>
        <SelectField
          {...field("status")}
          label="Status"
          autoFocus={autoFocus}
          options={STATUS_OPTIONS}
          placeholder="Select the status"
        />
        <PlacedHorsesFields hasNames={hasNames} field={field} hasHints={!meeting} />
        <TextField
          {...field("nonRunners")}
          label="Non-runners"
          optional
          hint={meeting ? undefined : "All horses that did not run, scratched ones too."}
          figures
          autoComplete="off"
        />
        <TimeField {...field("off")} label="Off" />
        <TextField
          {...field("starters")}
          label="Starters"
          inputMode="numeric"
          figures
          autoComplete="off"
        />
        {meeting ? null : placesPaid}
        {meeting?.hasSurface === false ? null : surface}
      </div>
      {meeting ? (
        <details open={field("placesPaid").error !== undefined}>
          <summary className="cursor-pointer text-sm font-semibold">
            {meeting.hasSurface ? "Places paid" : "Places paid and surface"}
          </summary>
          <div className="mt-2 grid gap-4 sm:grid-cols-2">
            {placesPaid}
            {meeting.hasSurface ? null : surface}
          </div>
        </details>
      ) : null}
    </div>
  );
}
