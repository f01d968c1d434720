import { type ChangeEvent, Fragment, type KeyboardEvent, useId, useState } from "react";
import { timeAt } from "#domain/calendar.ts";
import { MAX_SOURCE } from "#domain/race-day.ts";
import {
  formatDividend,
  formatStartingPrice,
  listPositions,
  MAX_PLACES_PAID,
  parseFinishingOrder,
  RESULT_STATUSES,
  type ResultStatus,
  type RunnerOutcome,
  standardPlacesPaid,
  toPlaced,
} from "#domain/race-result.ts";
import { MAX_HORSE_NAME, MAX_HORSE_NUMBER } from "#domain/tip.ts";
import { Button } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { FieldError } from "#ui/forms/field.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import type { DeclaredRace } from "../read-declared-races.server.ts";
import type { StoredRaceResult } from "../results/read-results.server.ts";
import { toRacePrefix } from "./meeting-form.ts";
import { PLACES_PAID_HINT, SURFACE_OPTIONS } from "./race-fields.ui.tsx";

export const STATUS_LABELS: Readonly<Record<ResultStatus, string>> = {
  official: "Official",
  unofficial: "Unofficial",
  abandoned: "Abandoned",
  void: "Void",
};

const STATUS_OPTIONS = RESULT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }));

/** The rows of the form without an order, and at least. Places are paid for at most six positions. */
const MIN_ROWS = MAX_PLACES_PAID;

type RaceResultFieldsProps = {
  race: DeclaredRace;
  /** The result that the fields start with, or null. */
  result: StoredRaceResult | null;
  lastSource: { source: string; sourceUrl: string | null } | null;
  isCorrection: boolean;
  reason: string;
  values: Record<string, string> | undefined;
  errors: Record<string, string>;
  isPending: boolean;
};

/** The race result fields. Only the status and the finishing order must be entered; the rest is prefilled or optional. */
export function RaceResultFields({
  race,
  result,
  lastSource,
  isCorrection,
  reason,
  values,
  errors,
  isPending,
}: RaceResultFieldsProps) {
  const initial = { ...toFormValues(race, result, lastSource, reason), ...values };
  const [order, setOrder] = useState(initial.order ?? "");
  const hasRunners = race.runners.length > 0;
  const field = (name: string) => ({
    name,
    defaultValue: initial[name] ?? "",
    error: errors[name],
  });
  return (
    <div className="grid gap-5">
      <SelectField
        {...field("status")}
        label="Status"
        options={STATUS_OPTIONS}
        placeholder="Select the status"
        autoFocus
        className="max-w-60"
      />
      <TextField
        {...field("order")}
        label="Finishing order"
        hint="Horse numbers with spaces between them. For a dead heat, put = between them: 4 9=7 2."
        figures
        autoComplete="off"
        onChange={(event) => setOrder(event.target.value)}
        onKeyDown={moveToRows}
      />
      <HorseFields
        horses={listHorses(order, race)}
        hasNames={!hasRunners}
        initial={initial}
        kept={(result?.runners ?? []).flatMap(({ number, horseName, startingPrice }) => {
          const details = {
            ...(startingPrice ? { price: formatStartingPrice(startingPrice) } : {}),
            ...(horseName && !hasRunners ? { name: horseName } : {}),
          };
          return Object.keys(details).length > 0 ? { number, details } : [];
        })}
        errors={errors}
      />
      <RestFields field={field} hasStarters={!hasRunners} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field("source")}
          label="Source"
          required
          maxLength={MAX_SOURCE}
          hint="Where the result comes from. Shown next to it."
        />
        <TextField
          {...field("sourceUrl")}
          label="Link to the source"
          optional
          type="url"
          maxLength={500}
        />
      </div>
      {isCorrection ? (
        <TextField
          {...field("reason")}
          label="Reason for the correction"
          required
          maxLength={500}
          hint="Shown next to the corrected result."
        />
      ) : null}
      <div>
        <Button type="submit" pending={isPending} pendingLabel="Saving">
          Save result
        </Button>
      </div>
      {hasRunners ? <DeclaredRunners race={race} /> : null}
    </div>
  );
}

type ToField = (name: string) => {
  name: string;
  defaultValue: string;
  error: string | undefined;
};

const STARTERS_FIELD = {
  label: "Starters",
  inputMode: "numeric",
  figures: true,
  hint: "No runners are declared for this race.",
} as const;

/** What a result needs besides its finishing order and prices. Prefilled or optional where runners are declared. */
function RestFields({ field, hasStarters }: { field: ToField; hasStarters: boolean }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          {...field("nonRunners")}
          label="Non-runners"
          optional
          figures
          autoComplete="off"
        />
        <TextField
          {...field("didNotFinish")}
          label="Did not finish"
          optional
          figures
          autoComplete="off"
        />
        <TextField
          {...field("disqualified")}
          label="Disqualified"
          optional
          figures
          autoComplete="off"
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <TimeField {...field("off")} label="Off" />
        <SelectField {...field("surface")} label="Surface" options={SURFACE_OPTIONS} />
        <TextField
          {...field("placesPaid")}
          label="Places paid"
          optional
          inputMode="numeric"
          figures
          hint={PLACES_PAID_HINT}
        />
        {hasStarters ? <TextField {...field("starters")} {...STARTERS_FIELD} /> : null}
      </div>
    </>
  );
}

/**
 * The result fields of one race in the form of a whole meeting: status and finishing order, a row for each horse of it, and
 * the rest folded up. Names have the prefix of the race.
 */
export function MeetingRaceFields({
  race,
  values,
  errors,
  autoFocus,
}: {
  race: DeclaredRace;
  values: Record<string, string>;
  errors: Record<string, string>;
  autoFocus: boolean;
}) {
  const initial = { ...toFormValues(race, null, null, ""), ...values };
  const [order, setOrder] = useState(initial.order ?? "");
  const isHydrated = useHydrated();
  const prefix = toRacePrefix(race.raceNumber);
  const hasRunners = race.runners.length > 0;
  const field: ToField = (name) => ({
    name: prefix + name,
    defaultValue: initial[name] ?? "",
    error: errors[name],
  });
  const horses = listHorses(order, race);
  const names = Object.keys(errors);
  return (
    <div className="grid gap-3">
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          {...field("status")}
          label="Status"
          options={STATUS_OPTIONS}
          placeholder="Select the status"
          autoFocus={autoFocus}
        />
        <TextField
          {...field("order")}
          label="Finishing order"
          figures
          autoComplete="off"
          className={hasRunners ? "sm:col-span-2" : undefined}
          onChange={(event) => setOrder(event.target.value)}
        />
        {hasRunners ? null : <TextField {...field("starters")} {...STARTERS_FIELD} />}
      </div>
      <details open={(isHydrated && horses.length > 0) || names.some((name) => /-\d+$/.test(name))}>
        <summary className="cursor-pointer text-sm font-semibold">
          {hasRunners ? "Prices and dividends" : "Names, prices and dividends"}
        </summary>
        <HorseFields
          horses={horses}
          hasNames={!hasRunners}
          initial={initial}
          kept={[]}
          errors={errors}
          prefix={prefix}
        />
      </details>
      <details open={names.some((name) => REST_FIELDS.includes(name))}>
        <summary className="cursor-pointer text-sm font-semibold">
          Off, non-runners and others
        </summary>
        <div className="mt-2 grid gap-4">
          <RestFields field={field} hasStarters={false} />
        </div>
      </details>
    </div>
  );
}

const REST_FIELDS = ["nonRunners", "didNotFinish", "disqualified", "off", "surface", "placesPaid"];

/** Moves from the finishing order to the first row on Enter, which would save the result without it. */
function moveToRows(event: KeyboardEvent<HTMLInputElement>): void {
  const fields = event.currentTarget.form?.elements;
  const field = fields?.namedItem("name-1") ?? fields?.namedItem("price-1");
  if (event.key !== "Enter" || !(field instanceof HTMLInputElement)) return;
  event.preventDefault();
  field.focus();
}

const DETAIL_NAMES = ["name", "price", "win", "place"] as const;
type Details = Record<(typeof DETAIL_NAMES)[number], string>;

/**
 * A row for each horse of the order. Its name and prices belong to the horse: they move with it when the order changes.
 * Names and starting prices of horses that have no row are sent along, so that a correction keeps them.
 */
function HorseFields({
  horses,
  hasNames,
  initial,
  kept,
  errors: fieldErrors,
  prefix = "",
}: {
  horses: readonly { number: number; position: number; label: string }[];
  /** True if no runners are declared. */
  hasNames: boolean;
  initial: Readonly<Record<string, string>>;
  kept: readonly { number: number; details: Partial<Details> }[];
  errors: Readonly<Record<string, string>>;
  /**
   * Stands before the names of the fields in the form of a whole meeting. There only the horses of the order have a row,
   * and only winners a win dividend.
   */
  prefix?: string;
}) {
  const id = useId();
  const isHydrated = useHydrated();
  // Every horse for which a place may be paid has a row, because it needs a name.
  const isOfMeeting = prefix !== "";
  const rowCount = Math.max(
    isOfMeeting && isHydrated ? Math.min(MIN_ROWS, horses.length) : MIN_ROWS,
    hasNames ? horses.filter(({ position }) => position <= MAX_PLACES_PAID).length : 0,
  );
  const rows = Array.from({ length: rowCount }, (_, index) => index + 1);
  const [detailsByHorse, setDetails] = useState(() => readDetails(initial, rows, horses));
  const rowHorses = horses.slice(0, rowCount).map(({ number }) => number);
  const others = kept.filter(({ number }) => !rowHorses.includes(number));
  return (
    <fieldset>
      <legend className={isOfMeeting ? "sr-only" : "text-sm leading-5 font-semibold"}>
        {hasNames ? (
          "Names, starting prices and tote dividends"
        ) : (
          <>
            Starting prices and tote dividends{" "}
            <span className="font-normal text-ink-3">(optional)</span>
          </>
        )}
      </legend>
      {isOfMeeting ? null : (
        <p className="mt-1 text-xs text-ink-3">
          A row for each horse of the finishing order, from the winner on.{" "}
          {hasNames
            ? "No runners are declared, so enter the names as far as places are paid. Names and prices stay"
            : "Prices stay"}{" "}
          with their horse when you change the order. Dividends are for R1.
        </p>
      )}
      <ul className={classNames("mt-2 grid", hasNames ? "gap-4 sm:gap-2" : "gap-2")}>
        {rows.map((row) => {
          const horse = horses[row - 1];
          const errors = DETAIL_NAMES.flatMap((name) => fieldErrors[`${name}-${row}`] ?? []);
          const errorId = `${id}-${row}`;
          // The error is not shown below the narrow field but across the whole row.
          const detailField = (
            name: keyof Details,
            label: string,
            props: {
              placeholder: string;
              figures?: boolean;
              maxLength?: number;
              className?: string;
            },
          ) => {
            const error = fieldErrors[`${name}-${row}`];
            return (
              <TextField
                name={`${prefix}${name}-${row}`}
                {...(horse
                  ? {
                      value: detailsByHorse[horse.number]?.[name] ?? "",
                      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
                        const details = { ...NO_DETAILS, ...detailsByHorse[horse.number] };
                        setDetails({
                          ...detailsByHorse,
                          [horse.number]: { ...details, [name]: target.value },
                        });
                      },
                    }
                  : { defaultValue: initial[`${name}-${row}`] ?? "", disabled: isHydrated })}
                key={`${name} ${horse ? "horse" : "empty"}`}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? errorId : undefined}
                label={`${label} ${row}`}
                labelHidden
                autoComplete="off"
                {...props}
                {...(isOfMeeting && name === "win" && horse && horse.position > 1
                  ? { disabled: true, placeholder: "" }
                  : {})}
              />
            );
          };
          return (
            <li key={row} className="grid gap-1">
              <input type="hidden" name={`${prefix}horse-${row}`} value={horse?.number ?? ""} />
              <div
                className={classNames(
                  "grid grid-cols-3 items-center gap-2",
                  hasNames
                    ? "sm:grid-cols-[8rem_minmax(0,1fr)_repeat(3,6.5rem)]"
                    : "sm:grid-cols-[minmax(0,1fr)_repeat(3,7rem)]",
                )}
              >
                <span className="col-span-3 truncate text-sm sm:col-span-1">
                  {horse?.label ?? `Horse ${row} of the order`}
                </span>
                {hasNames
                  ? detailField("name", "Name", {
                      placeholder: "Name",
                      maxLength: MAX_HORSE_NAME,
                      className: "col-span-3 sm:col-span-1",
                    })
                  : null}
                {detailField("price", "Starting price", { placeholder: "SP 5/1", figures: true })}
                {detailField("win", "Win dividend", { placeholder: "Win 6.40", figures: true })}
                {detailField("place", "Place dividend", {
                  placeholder: "Place 1.90",
                  figures: true,
                })}
              </div>
              {errors.length > 0 ? (
                <FieldError id={errorId}>{[...new Set(errors)].join(". ")}</FieldError>
              ) : null}
            </li>
          );
        })}
      </ul>
      {others.map(({ number, details }, index) => (
        <Fragment key={number}>
          {Object.entries({ horse: String(number), ...details }).map(([name, value]) => (
            <input
              key={name}
              type="hidden"
              name={`${prefix}${name}-${rowCount + index + 1}`}
              value={value}
            />
          ))}
        </Fragment>
      ))}
    </fieldset>
  );
}

const NO_DETAILS: Details = { name: "", price: "", win: "", place: "" };

/** Returns the form values by horse. A row without a number belongs to the horse at that place of the order. */
function readDetails(
  values: Readonly<Record<string, string>>,
  rows: readonly number[],
  horses: readonly { number: number }[],
): Record<number, Details> {
  const detailsByHorse: Record<number, Details> = {};
  for (const row of rows) {
    const number = Number(values[`horse-${row}`] || horses[row - 1]?.number);
    const {
      name = "",
      price = "",
      win = "",
      place = "",
    } = Object.fromEntries(DETAIL_NAMES.map((each) => [each, values[`${each}-${row}`]]));
    if (number) detailsByHorse[number] = { name, price, win, place };
  }
  return detailsByHorse;
}

function DeclaredRunners({ race }: { race: DeclaredRace }) {
  return (
    <details open>
      <summary className="cursor-pointer text-sm font-semibold">
        Declared runners ({race.runners.length})
      </summary>
      <ul className="mt-2 grid gap-x-5 gap-y-1 text-sm sm:grid-cols-2 lg:grid-cols-3">
        {race.runners.map(({ number, horseName, isScratched }) => (
          <li key={number} className="break-words">
            {number} {horseName}
            {isScratched ? <span className="text-ink-3">, scratched</span> : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Returns the number and name of each horse in a finishing order that may still be incomplete. */
function listHorses(
  order: string,
  race: DeclaredRace,
): { number: number; position: number; label: string }[] {
  const names = new Map(race.runners.map(({ number, horseName }) => [number, horseName]));
  return toPlaced(parseFinishingOrder(order) ?? []).map(({ number, position }) => ({
    number,
    position,
    label: names.has(number)
      ? `${number} ${names.get(number)}`
      : race.runners.length > 0
        ? `${number}, not declared`
        : `${number}`,
  }));
}

/** Converts a result to form values. */
function toFormValues(
  race: DeclaredRace,
  result: StoredRaceResult | null,
  lastSource: RaceResultFieldsProps["lastSource"],
  reason: string,
): Record<string, string> {
  const shared = {
    off: timeAt(result?.offAt ?? race.offAt),
    surface: race.surface ?? "",
    status: result?.status ?? "",
    source: result?.source ?? lastSource?.source ?? "",
    sourceUrl: (result ? result.sourceUrl : lastSource?.sourceUrl) ?? "",
    reason,
  };
  if (!result) return shared;
  const list = (outcome: RunnerOutcome) =>
    result.runners
      .filter((runner) => runner.outcome === outcome)
      .map(({ number }) => number)
      .join(" ");
  const values: Record<string, string> = {
    ...shared,
    order: listPositions(result.runners, MAX_HORSE_NUMBER)
      .filter((numbers) => numbers.length > 0)
      .map((numbers) => numbers.join("="))
      .join(" "),
    nonRunners: list("non-runner"),
    didNotFinish: list("did-not-finish"),
    disqualified: list("disqualified"),
    // The tote's standard number of places is omitted, so that it follows a correction of the starters.
    placesPaid:
      result.starters === null || result.placesPaid === standardPlacesPaid(result.starters)
        ? ""
        : String(result.placesPaid),
    starters: String(result.starters ?? ""),
  };
  result.runners
    .filter(({ position }) => position !== null)
    .forEach(({ horseName, startingPrice, winDividendCents, placeDividendCents }, index) => {
      if (horseName) values[`name-${index + 1}`] = horseName;
      if (startingPrice) values[`price-${index + 1}`] = formatStartingPrice(startingPrice);
      if (winDividendCents) values[`win-${index + 1}`] = formatDividend(winDividendCents);
      if (placeDividendCents) values[`place-${index + 1}`] = formatDividend(placeDividendCents);
    });
  return values;
}
