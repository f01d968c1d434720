import { useEffect, useRef } from "react";
import { data, useFetcher } from "react-router";
import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import {
  FormDraftMessage,
  toNoResponseMessage,
  useDraftUntilSaved,
  useFormDraft,
} from "#admin-kit/admin-kit.ui.tsx";
import { formatDate, timeAt } from "#domain/calendar.ts";
import { isRunStatus, RESULT_STATUSES } from "#domain/race-result.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { RaceResultTable } from "../race-result-table.ui.tsx";
import { countMovedTips } from "../results/race-result-steps.server.ts";
import { readRaceForResult } from "../results/read-race-for-result.server.ts";
import { findAuthorRefusal, readResultAuthors } from "../results/result-authors.server.ts";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";
import type { Route } from "./+types/race-result-confirm.page.ts";
import {
  type ConfirmFormResult,
  confirmRaceResultForm,
  needsNames,
} from "./race-result-confirm-form.server.ts";
import { readRaceParams } from "./read-race-params.server.ts";
import {
  Differences,
  MovedTipsWarning,
  OnePersonWarning,
  ReviewedResult,
  SourceToRead,
} from "./reviewed-result.ui.tsx";
import { ENTRY_FIELDS } from "./second-entry.ts";
import { SecondEntryFields } from "./second-entry-fields.ui.tsx";

export { revalidateAfterConflict as shouldRevalidate } from "#ui/forms/revalidate-after-conflict.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Confirm race result, Admin",
    description: "Confirm a race result.",
    isPrivate: true,
  });

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const reference = readRaceParams(params);
  const found = await readRaceForResult(reference);
  if (!found) throw data(null, { status: 404 });
  const { venue, raceDate, race, unconfirmed } = found;
  const authors = await readResultAuthors(reference);
  return {
    adminId: admin.id,
    venue: { id: venue.id, name: venue.name },
    raceDate,
    raceNumber: race.raceNumber,
    offAt: race.offAt,
    confirmed: readListParams(request).readNumber("confirmed"),
    // The entered figures are not sent: they are compared with what this admin enters.
    unconfirmed: unconfirmed && {
      id: unconfirmed.id,
      source: unconfirmed.source,
      sourceUrl: unconfirmed.sourceUrl,
      isCorrection: unconfirmed.version > 1,
      isImported: unconfirmed.enteredBy === null,
      isOnePerson: authors.isOnePerson,
      refusal: findAuthorRefusal(authors, admin.id, unconfirmed),
    },
    // A surface that was reported wrongly would void tips unnoticed.
    movedTips: unconfirmed
      ? await countMovedTips({
          raceDayId: unconfirmed.raceDayId,
          venueId: venue.id,
          raceDate,
          raceNumber: race.raceNumber,
        })
      : 0,
    surface: race.surface,
    hasNames: needsNames(found),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await confirmRaceResultForm(admin.id, await request.formData(), readRaceParams(params));
}

/** Keeps what was typed and shows a message when the server does not respond. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    const message = toNoResponseMessage(error);
    if (message === null) throw error;
    const values = Object.fromEntries(
      ENTRY_FIELDS.map((field) => [field, String(form.get(field) ?? "")]),
    ) as ConfirmFormResult["values"];
    return data<ConfirmFormResult>({ ok: false, message, values }, { status: 503 });
  }
}

/** Admin page that confirms a result: what settles tips is entered again, then the whole result is shown. */
export default function ConfirmRaceResult(props: Route.ComponentProps) {
  const { venue, raceDate, raceNumber } = props.loaderData;
  const path = `/admin/results/${venue.id}/${raceDate}/${raceNumber}`;
  return <Confirmation key={path} path={path} {...props} />;
}

function Confirmation({
  path,
  loaderData,
  actionData,
}: { path: string } & Pick<Route.ComponentProps, "loaderData" | "actionData">) {
  const { venue, raceDate, raceNumber, offAt, unconfirmed, confirmed, movedTips, surface } =
    loaderData;
  // A fetcher keeps the review and the differences when the page is revalidated, as on focus.
  const fetcher = useFetcher<ConfirmFormResult>();
  const result = fetcher.data ?? (actionData as ConfirmFormResult | undefined);
  // By the status that this admin chose, because that of the first entry is not sent. A race that was not
  // run voids its tips for that reason.
  const status = RESULT_STATUSES.find((each) => each === result?.values.status);
  const isRun = status === undefined || isRunStatus(status);
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to={path} standalone className="text-sm">
          Result of race {raceNumber}
        </TextLink>
        <SectionHeading className="mt-2" aside={<>Off {timeAt(offAt)}</>}>
          Confirm race {raceNumber}, {venue.name}, {formatDate(raceDate, "long")}
        </SectionHeading>
      </div>
      {confirmed ? (
        <FormMessage type="success">Result of race {confirmed} confirmed.</FormMessage>
      ) : null}
      {result?.message ? <FormMessage type="error">{result.message}</FormMessage> : null}
      {result?.differences ? <Differences differences={result.differences} path={path} /> : null}
      {isRun ? <MovedTipsWarning {...{ movedTips, surface, venueId: venue.id, raceDate }} /> : null}
      {unconfirmed ? (
        <Entry
          key={`${path} ${unconfirmed.id}`}
          adminId={loaderData.adminId}
          path={path}
          unconfirmed={unconfirmed}
          hasNames={loaderData.hasNames}
          result={result}
          fetcher={fetcher}
        />
      ) : (
        <p>No result of this race waits for confirmation.</p>
      )}
    </div>
  );
}

type EntryProps = {
  adminId: string;
  path: string;
  hasNames: boolean;
  unconfirmed: NonNullable<Route.ComponentProps["loaderData"]["unconfirmed"]>;
  result: ConfirmFormResult | undefined;
  fetcher: ReturnType<typeof useFetcher<ConfirmFormResult>>;
};

function Entry(props: EntryProps) {
  const { adminId, path, unconfirmed, result, fetcher } = props;
  useDraftUntilSaved({
    adminId,
    path: `${path}/confirm`,
    param: "confirmed",
    value: path.slice(path.lastIndexOf("/") + 1),
  });
  if (unconfirmed.refusal)
    return (
      <FormMessage type="info">
        {unconfirmed.refusal === "has-tips"
          ? HAS_TIPS_MESSAGE
          : "You entered this result. Another admin must confirm it. To change it, go back to the result."}
      </FormMessage>
    );
  if (result?.ok && result.result) return <Review path={path} result={result} fetcher={fetcher} />;
  return <SecondEntryForm {...props} />;
}

function SecondEntryForm({ adminId, path, unconfirmed, hasNames, result, fetcher }: EntryProps) {
  // Not while the page is revalidated, so that a corrected entry can be sent meanwhile.
  const isPending = fetcher.state === "submitting";
  const form = useRef<HTMLFormElement>(null);
  const draft = useFormDraft({ adminId, path: `${path}/confirm`, version: unconfirmed.id, form });
  const field = (name: keyof ConfirmFormResult["values"]) => ({
    name,
    defaultValue: result?.values[name] ?? draft.values?.[name] ?? "",
    error: result?.errors?.[name],
  });
  return (
    <fetcher.Form ref={form} method="post" action={`${path}/confirm`} noValidate>
      <input type="hidden" name="result" value={unconfirmed.id} />
      <Panel title={unconfirmed.isCorrection ? "Confirm the correction" : "Enter the result again"}>
        <div className="grid gap-4">
          <SourceToRead {...unconfirmed} />
          <OnePersonWarning {...unconfirmed} />
          <FormDraftMessage draft={draft.found} />
          <SecondEntryFields key={draft.fillKey} field={field} hasNames={hasNames} autoFocus />
          <div>
            <Button type="submit" pending={isPending} pendingLabel="Comparing">
              Compare
            </Button>
          </div>
        </div>
      </Panel>
    </fetcher.Form>
  );
}

/** The whole result, which agrees with the second entry, and the button that confirms it. */
function Review({
  path,
  result: { result, isOnePerson, values, official, effect },
  fetcher,
}: {
  path: string;
  result: ConfirmFormResult;
  fetcher: EntryProps["fetcher"];
}) {
  // Not while the page is revalidated after the comparison: the second Enter would be ignored.
  const isPending = fetcher.state !== "idle" && fetcher.formData?.has("confirmed") === true;
  const button = useRef<HTMLButtonElement>(null);
  // Enter confirms, after Enter has compared.
  useEffect(() => button.current?.focus(), []);
  if (!result) return null;
  const { status, runners } = result;
  return (
    <fetcher.Form method="post" action={`${path}/confirm`}>
      {/* The result that is shown: if it was replaced since, the confirmation is refused. */}
      <input type="hidden" name="result" value={result.id} />
      {ENTRY_FIELDS.map((name) =>
        values[name] ? <input key={name} type="hidden" name={name} value={values[name]} /> : null,
      )}
      <input type="hidden" name="confirmed" value="yes" />
      <Panel title="Both entries agree">
        <div className="grid gap-4">
          <ReviewedResult {...{ result, isOnePerson, official, effect }} />
          {/* Above the table: focusing a button below it would scroll the winner out of view. */}
          <div className="flex flex-wrap gap-2">
            <Button ref={button} type="submit" pending={isPending} pendingLabel="Confirming">
              Confirm result
            </Button>
            <ButtonLink to={path} variant="secondary">
              Cancel
            </ButtonLink>
          </div>
          {isRunStatus(status) ? (
            <RaceResultTable caption="Result to confirm" runners={runners} />
          ) : null}
        </div>
      </Panel>
    </fetcher.Form>
  );
}
