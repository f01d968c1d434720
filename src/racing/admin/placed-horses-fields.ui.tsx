import { useState } from "react";
import { MAX_PLACES_PAID, parseFinishingOrder, toPlaced } from "#domain/race-result.ts";
import { MAX_HORSE_NAME } from "#domain/tip.ts";
import { TextField } from "#ui/forms/text-field.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import { type EntryField, NAME_FIELDS } from "./second-entry.ts";

type PlacedHorsesFieldsProps = {
  /** True if no runners are declared. */
  hasNames: boolean;
  /** Returns the name, the first value and the error of a field. */
  field: (name: EntryField) => { name: string; defaultValue: string; error: string | undefined };
  /** False in the form of a whole meeting, which explains the fields once. */
  hasHints: boolean;
};

/** The numbers of the placed horses and, if no runners are declared, a field for the name of each. */
export function PlacedHorsesFields({ hasNames, field, hasHints }: PlacedHorsesFieldsProps) {
  const isHydrated = useHydrated();
  const [order, setOrder] = useState(field("order").defaultValue);
  const horses = toPlaced(parseFinishingOrder(order) ?? []).filter(
    ({ position }) => position <= MAX_PLACES_PAID,
  );
  // Without JavaScript the order is not known while it is typed.
  const rowCount = Math.max(isHydrated ? 1 : MAX_PLACES_PAID, horses.length);
  return (
    <>
      <TextField
        {...field("order")}
        label="Placed horses"
        hint={
          hasHints
            ? "Horse numbers as far as places are paid, with spaces between them. For a dead heat, put = between them: 4 9=7."
            : undefined
        }
        figures
        autoComplete="off"
        onChange={(event) => setOrder(event.target.value)}
      />
      {hasNames ? (
        <fieldset className="sm:col-span-2">
          <legend className="text-sm leading-5 font-semibold">Names of the placed horses</legend>
          {hasHints ? (
            <p className="mt-1 text-xs text-ink-3">
              No runners are declared, so enter the names as far as places are paid, in the order
              above. Spelling may differ slightly from the first entry.
            </p>
          ) : null}
          <div className="mt-2 grid gap-4 sm:grid-cols-2">
            {NAME_FIELDS.slice(0, rowCount).map((name, index) => {
              const horse = horses[index];
              return (
                <TextField
                  {...field(name)}
                  // A name stays with its horse when the order changes.
                  key={horse ? `horse ${horse.number}` : name}
                  label={
                    horse ? `Name of horse ${horse.number}` : `Name of placed horse ${index + 1}`
                  }
                  maxLength={MAX_HORSE_NAME}
                  disabled={isHydrated && !horse}
                  autoComplete="off"
                />
              );
            })}
          </div>
        </fieldset>
      ) : null}
    </>
  );
}
