import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useFetcher, useNavigation } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { FormDraftMessage, useDraftUntilSaved, useFormDraft } from "#admin-kit/admin-kit.ui.tsx";
import { timeAt } from "#domain/calendar.ts";
import { formatRaceCount } from "#domain/format-races.ts";
import { MAX_SOURCE } from "#domain/race-day.ts";
import { isRunStatus } from "#domain/race-result.ts";
import { Button } from "#ui/button.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { DateTime } from "#ui/racing/race-time.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { PlacedHorses, RaceResultTable } from "../race-result-table.ui.tsx";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";
import type { Route } from "./+types/meeting-results.page.ts";
import type { MeetingFormResult } from "./confirm-meeting-results-form.server.ts";
import {
  formatConfirmed,
  formatSaved,
  listFilledRaces,
  pickRaceValues,
  toRacePrefix,
} from "./meeting-form.ts";
import type { ConfirmFormResult } from "./race-result-confirm-form.server.ts";
import { MeetingRaceFields, STATUS_LABELS } from "./race-result-fields.ui.tsx";
import {
  Differences,
  MovedTipsWarning,
  OnePersonWarning,
  ReviewedResult,
  SourceToRead,
} from "./reviewed-result.ui.tsx";
import { ENTRY_FIELDS } from "./second-entry.ts";
import { SecondEntryFields } from "./second-entry-fields.ui.tsx";

type PageData = Route.ComponentProps["loaderData"];
type MeetingRace = PageData["races"][number];

/** Enters and confirms the results of the races of a meeting. Each race is a few lines. */
export function MeetingResultsForm({
  path,
  loaderData,
  actionData,
}: {
  path: string;
  loaderData: PageData;
  actionData: Route.ComponentProps["actionData"];
}) {
  const { adminId, races, saved, confirmed, lastSource } = loaderData;
  // A fetcher keeps the messages when the page is revalidated, as on focus.
  const fetcher = useFetcher<MeetingFormResult>();
  const result = fetcher.data ?? (actionData as MeetingFormResult | undefined);
  const form = useFocusFirstError(result);
  const draft = useFormDraft({ adminId, path, version: "", form });
  const savedParam = useSubmittedParam("saved");
  useDraftUntilSaved({ adminId, path, param: "saved", value: savedParam });
  const confirmedParam = useSubmittedParam("confirmed");
  useDraftUntilSaved({ adminId, path, param: "confirmed", value: confirmedParam });
  // As JSON, so that typing renders the page again only if the races change.
  const [filledJson, setFilledJson] = useState("[[],[],[]]");
  const updateFilled = () => {
    if (!form.current) return;
    const values = new FormData(form.current);
    const second = listFilledRaces(values, "c");
    const ticked = second.filter((each) => values.has(`${toRacePrefix(each, "c")}ticked`));
    setFilledJson(JSON.stringify([listFilledRaces(values), second, ticked]));
  };
  // After every render, because fields may have been filled in or removed.
  useEffect(updateFilled);
  const [filled, second, ticked] = JSON.parse(filledJson) as [number[], number[], number[]];
  const end = useRef<HTMLDivElement>(null);
  const done = [...saved, ...confirmed].join();
  const focusEnd = useEffectEvent(() => {
    if (!form.current?.querySelector("[aria-invalid=true]")) end.current?.focus();
  });
  useResponse(result, () => focusEnd());
  useEffect(() => {
    if (done !== "") focusEnd();
  }, [done]);
  const errors = result?.errors ?? {};
  const values = result?.values ?? draft.values;
  const hasFields = (each: MeetingRace) =>
    !each.hasTips &&
    (each.state === "due" ||
      // Someone else was faster. What was typed stays.
      ((each.state === "other" || each.state === "official") &&
        (filled.includes(each.race.raceNumber) || `r${each.race.raceNumber}-` in errors)));
  const withFields = races.filter(hasFields);
  const toConfirm = races.filter(({ toConfirm }) => toConfirm);
  const focused = withFields[0] ?? toConfirm[0];
  const isPending = fetcher.state !== "idle";
  const isPressed = (name: string, value?: string) =>
    isPending && (value ? fetcher.formData?.get(name) === value : fetcher.formData?.has(name));
  const source = values?.source ?? lastSource?.source ?? "";
  return (
    <fetcher.Form
      ref={form}
      method="post"
      // Without JavaScript the browser scrolls to the result of the submission.
      action={`${path}#end`}
      noValidate
      preventScrollReset
      className="grid gap-5"
      onInput={updateFilled}
      onKeyDown={(event) => moveOnEnter(event, end.current)}
      onSubmit={(event) => {
        // Not while the page is read again after an answer, whose buttons can be pressed already.
        if (fetcher.state === "submitting") event.preventDefault();
      }}
    >
      {/* Without JavaScript, Enter presses the first button of a form, and does nothing if it is disabled. */}
      <button type="submit" disabled hidden />
      <FormDraftMessage draft={draft.found} />
      {withFields.length > 0 ? (
        <div key={draft.fillKey} className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="source"
            label="Source"
            required
            maxLength={MAX_SOURCE}
            hint="Of all results that you enter here. Shown next to them."
            defaultValue={source}
            error={errors.source}
            autoFocus={source === ""}
          />
          <TextField
            name="sourceUrl"
            label="Link to the source"
            optional
            type="url"
            maxLength={500}
            defaultValue={values?.sourceUrl ?? lastSource?.sourceUrl ?? ""}
            error={errors.sourceUrl}
          />
        </div>
      ) : null}
      <ol className="divide-y divide-rule rounded-md border border-rule bg-sheet">
        {races.map((each) => {
          const { race, state, hasTips } = each;
          const { raceNumber } = race;
          const raceErrors = pickRaceValues(errors, raceNumber);
          const confirmation = result?.confirmations?.[raceNumber];
          const refusal = raceErrors[""] ?? confirmation?.message;
          const id = `race-${raceNumber}`;
          return (
            <li key={raceNumber} id={id} className="@container px-4 py-3">
              <fieldset aria-labelledby={`${id}-title`} className="grid gap-3">
                <RaceHeading id={`${id}-title`} each={each} path={path} />
                {refusal ? <FormMessage type="error">{refusal}</FormMessage> : null}
                {confirmation?.differences ? (
                  <Differences
                    differences={confirmation.differences}
                    path={`${path}/${raceNumber}`}
                  />
                ) : null}
                {hasTips && state !== "official" ? (
                  <p className="text-sm text-ink-2">{HAS_TIPS_MESSAGE}</p>
                ) : null}
                {hasFields(each) ? (
                  <>
                    <MeetingRaceFields
                      key={draft.fillKey}
                      race={race}
                      values={pickRaceValues(values, raceNumber)}
                      errors={raceErrors}
                      autoFocus={source !== "" && each === focused}
                    />
                    <div>
                      <Button
                        type="submit"
                        variant="secondary"
                        size="small"
                        name="only"
                        value={raceNumber}
                        pending={isPressed("only", String(raceNumber))}
                        pendingLabel="Saving"
                      >
                        Save race {raceNumber}
                      </Button>
                    </div>
                  </>
                ) : each.toConfirm ? (
                  <>
                    <EnteredBy each={each} />
                    <SecondEntry
                      key={`${draft.fillKey} ${each.toConfirm.id}`}
                      race={race}
                      toConfirm={each.toConfirm}
                      path={path}
                      values={pickRaceValues(values, raceNumber, "c")}
                      result={confirmation}
                      autoFocus={each === focused}
                    />
                  </>
                ) : (
                  <EnteredResult each={each} />
                )}
              </fieldset>
            </li>
          );
        })}
      </ol>
      <div ref={end} id="end" tabIndex={-1} className="grid gap-4">
        {result?.message ? (
          <FormMessage type={result.ok ? "success" : "error"}>{result.message}</FormMessage>
        ) : saved.length > 0 ? (
          <FormMessage type="success">{formatSaved(saved)}</FormMessage>
        ) : confirmed.length > 0 ? (
          <FormMessage type="success">{formatConfirmed(confirmed)}</FormMessage>
        ) : null}
        <div className="flex flex-wrap gap-2">
          {withFields.length > 0 ? (
            <Button
              type="submit"
              pending={isPending && !["only", "compare", "confirm"].some((name) => isPressed(name))}
              pendingLabel="Saving"
            >
              Save {countRaces(filled)}
            </Button>
          ) : null}
          {Object.values(result?.confirmations ?? {}).some(({ ok }) => ok) ? (
            <Button
              type="submit"
              name="confirm"
              value="yes"
              pending={isPressed("confirm")}
              pendingLabel="Confirming"
            >
              Confirm {countRaces(ticked)}
            </Button>
          ) : null}
          {toConfirm.length > 0 ? (
            <Button
              type="submit"
              name="compare"
              value="yes"
              variant={ticked.length > 0 ? "secondary" : "primary"}
              pending={isPressed("compare")}
              pendingLabel="Comparing"
            >
              Compare {countRaces(second)}
            </Button>
          ) : null}
        </div>
      </div>
    </fetcher.Form>
  );
}

/** Returns the races in the address that a submission leads to, because it saved or confirmed everything that was typed. */
const useSubmittedParam = (name: string) =>
  new URLSearchParams(useNavigation().location?.search).get(name) ?? "none";

const countRaces = ({ length }: readonly number[]) =>
  length === 0 ? "races" : formatRaceCount(length);

const TEXT_INPUTS = "input:not([type=hidden],:disabled), select";

/** Moves to the next field on Enter: past folded and disabled ones, to the next race, and after the last one to the end. */
function moveOnEnter(event: KeyboardEvent<HTMLFormElement>, end: HTMLElement | null): void {
  const { target, currentTarget: form } = event;
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  event.preventDefault();
  const fields = [...form.querySelectorAll<HTMLElement>(TEXT_INPUTS)].filter(
    (field) => field.closest("details:not([open])") === null,
  );
  const next = fields[fields.indexOf(target) + 1] ?? end;
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}

/** The number, off and name of a race, its state, and a link to the page of the race. */
function RaceHeading({ id, each, path }: { id: string; each: MeetingRace; path: string }) {
  const { race, state, isCorrection, isUnofficial } = each;
  const { raceNumber, offAt, name } = race;
  const label = {
    "to-come": "Not off yet",
    due: "No result",
    own: isUnofficial ? "Unofficial" : isCorrection ? "Correction to confirm" : "To confirm",
    other: isUnofficial ? "Unofficial" : isCorrection ? "Correction to confirm" : "To confirm",
    official: each.result ? STATUS_LABELS[each.result.status] : "",
  }[state];
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h3 id={id} className="font-cond text-lg font-bold">
        Race {raceNumber}, {timeAt(offAt)}
        {name ? <span className="text-sm font-normal text-ink-2"> {name}</span> : null}
      </h3>
      <span className="inline-flex flex-wrap items-baseline gap-x-3 text-sm text-ink-2">
        {label}
        {state === "own" || state === "official" ? (
          <TextLink
            to={`${path}/${raceNumber}`}
            standalone
            aria-label={`${state === "own" ? "Change" : "Correct"} race ${raceNumber}`}
          >
            {state === "own" ? "Change" : "Correct"}
          </TextLink>
        ) : null}
      </span>
    </div>
  );
}

/** What was entered, and by whom. The entry of another admin is not shown before it is official. */
function EnteredResult({ each }: { each: MeetingRace }) {
  const { race, state, result, enteredAt } = each;
  if (enteredAt === null) return null;
  return (
    <>
      {result && isRunStatus(result.status) ? (
        <>
          <PlacedHorses runners={result.runners} placesPaid={result.placesPaid} />
          <details>
            <summary className="cursor-pointer text-sm font-semibold">
              All horses, prices and dividends
            </summary>
            <RaceResultTable
              caption={`Result of race ${race.raceNumber}`}
              runners={result.runners}
            />
          </details>
        </>
      ) : result && state === "own" ? (
        <p>{STATUS_LABELS[result.status]}</p>
      ) : null}
      <EnteredBy each={each} />
    </>
  );
}

function EnteredBy({ each }: { each: MeetingRace }) {
  const { state, result, enteredAt, enteredByName, confirmedByName, toConfirm } = each;
  if (enteredAt === null) return null;
  const isConfirmedByOther = confirmedByName !== null && confirmedByName !== enteredByName;
  return (
    <p className="text-sm break-words text-ink-2">
      {state === "own" ? "You entered it" : `${enteredByName ?? "An import"} entered it`}{" "}
      <DateTime at={enteredAt} />
      {isConfirmedByOther ? `, ${confirmedByName} confirmed it` : null}.
      {result && !toConfirm ? ` Source: ${result.source}.` : null}
    </p>
  );
}

/** The second entry of a result, or once it agrees with the first the whole result and what its confirmation changes. */
function SecondEntry({
  race,
  toConfirm,
  path,
  values,
  result,
  autoFocus,
}: {
  race: MeetingRace["race"];
  toConfirm: NonNullable<MeetingRace["toConfirm"]>;
  path: string;
  values: Record<string, string>;
  result: ConfirmFormResult | undefined;
  autoFocus: boolean;
}) {
  const { raceNumber, surface, runners } = race;
  const prefix = toRacePrefix(raceNumber, "c");
  const [, , venueId = "", raceDate = ""] = path.slice(1).split("/");
  if (result?.ok && result.result)
    return (
      <>
        {/* The result that is shown: if it was replaced since, the confirmation is refused. */}
        <input type="hidden" name={`${prefix}result`} value={result.result.id} />
        {ENTRY_FIELDS.map((name) =>
          result.values[name] ? (
            <input key={name} type="hidden" name={prefix + name} value={result.values[name]} />
          ) : null,
        )}
        <ReviewedResult {...result} result={result.result} />
        {isRunStatus(result.result.status) ? (
          <RaceResultTable
            caption={`Result to confirm of race ${raceNumber}`}
            runners={result.result.runners}
          />
        ) : null}
        <CheckboxField
          name={`${prefix}ticked`}
          value="yes"
          defaultChecked
          label={`Confirm race ${raceNumber}`}
        />
      </>
    );
  return (
    <>
      <input type="hidden" name={`${prefix}result`} value={toConfirm.id} />
      <SourceToRead {...toConfirm} />
      <OnePersonWarning {...toConfirm} />
      <MovedTipsWarning {...{ movedTips: toConfirm.movedTips, surface, venueId, raceDate }} />
      <SecondEntryFields
        field={(name) => ({
          name: prefix + name,
          defaultValue: values[name] ?? "",
          error: result?.errors?.[name],
        })}
        hasNames={runners.length === 0}
        meeting={{ hasSurface: surface !== null }}
        autoFocus={autoFocus}
      />
    </>
  );
}
