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
import { formatCents } from "#domain/format-cents.ts";
import { isRunStatus, RESULT_STATUSES } from "#domain/race-result.ts";
import {
  findAuthorRefusal,
  readRaceForResult,
  readRaceParams,
  readResultAuthors,
} from "#racing/racing.server.ts";
import {
  compareResults,
  HAS_TIPS_MESSAGE,
  PLACES_PAID_HINT,
  PlacedHorses,
  RaceResultTable,
  SURFACE_OPTIONS,
} from "#racing/racing.ui.tsx";
import { countMovedTips } from "#tips/tips.server.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/race-result-confirm.page.ts";
import { PlacedHorsesFields } from "./placed-horses-fields.ui.tsx";
import {
  type ConfirmFormResult,
  confirmRaceResultForm,
  needsNames,
} from "./race-result-confirm-form.server.ts";
import { ENTRY_FIELDS } from "./second-entry.ts";

export { revalidateAfterConflict as shouldRevalidate } from "#admin-kit/admin-kit.ui.tsx";

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

const STATUS_OPTIONS = [
  { value: "official", label: "Official" },
  { value: "abandoned", label: "Abandoned" },
  { value: "void", label: "Void" },
];

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
      {movedTips > 0 && isRun ? (
        <FormMessage
          type="warning"
          title={`Surface changed to ${surface}: ${movedTips} ${movedTips === 1 ? "tip becomes" : "tips become"} void`}
        >
          They were published before the change. Their buyers get coins back. If the race was not
          moved,{" "}
          <TextLink to={`/admin/venues/${venue.id}/race-days/${raceDate}`}>
            correct the surface
          </TextLink>{" "}
          first.
        </FormMessage>
      ) : null}
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
          <p className="text-sm">
            Look at the source, not at the entry:{" "}
            {unconfirmed.sourceUrl ? (
              <a href={unconfirmed.sourceUrl} className="link rounded-sm" rel="noreferrer">
                {unconfirmed.source}
              </a>
            ) : (
              unconfirmed.source
            )}
            .
          </p>
          {unconfirmed.isOnePerson ? (
            <FormMessage type="warning">
              Fewer than two admins have no tips in this race, so the result will be marked as
              entered by one person. To avoid that,{" "}
              <TextLink to="/admin/admins">invite another admin</TextLink>.
            </FormMessage>
          ) : unconfirmed.isImported ? (
            <FormMessage type="warning">
              Nobody is recorded as having entered this result, so it will be marked as entered by
              one person. To avoid that, discard it, and import the file on the page.
            </FormMessage>
          ) : null}
          <FormDraftMessage draft={draft.found} />
          <div key={draft.fillKey} className="grid gap-4 sm:grid-cols-2">
            <SelectField
              {...field("status")}
              label="Status"
              autoFocus
              options={STATUS_OPTIONS}
              placeholder="Select the status"
            />
            <PlacedHorsesFields hasNames={hasNames} field={field} />
            <TextField
              {...field("nonRunners")}
              label="Non-runners"
              optional
              hint="All horses that did not run, scratched ones too."
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
            <TextField
              {...field("placesPaid")}
              label="Places paid"
              optional
              hint={PLACES_PAID_HINT}
              inputMode="numeric"
              figures
              autoComplete="off"
            />
            <SelectField {...field("surface")} label="Surface" options={SURFACE_OPTIONS} />
          </div>
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
  const { status, runners, starters, placesPaid, offAt, surface, source, reason } = result;
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
          {isRunStatus(status) ? (
            <PlacedHorses runners={runners} placesPaid={placesPaid} />
          ) : (
            <p>{status === "abandoned" ? "The race was abandoned." : "The race is void."}</p>
          )}
          <p className="text-sm break-words text-ink-2">
            {starters === null ? null : `${starters} starters, ${placesPaid} places paid. `}
            {offAt ? `Off ${timeAt(offAt)}. ` : null}
            {surface ? `Surface ${surface}. ` : null}
            Source: {source}.{reason ? ` Reason for the correction: ${reason}` : null}
          </p>
          {isOnePerson ? (
            <FormMessage type="warning">It will be marked as entered by one person.</FormMessage>
          ) : null}
          {official ? <Changes changes={compareResults(official, result)} /> : null}
          {effect ? <Effect effect={effect} /> : null}
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

/** Every difference from the official result, prices and dividends included. */
function Changes({ changes }: { changes: ReturnType<typeof compareResults> }) {
  return (
    <Table
      caption="Changes from the official result"
      rows={changes}
      rowKey={({ what }) => what}
      columns={[
        { key: "what", header: "Change", isRowHeader: true, cell: ({ what }) => what },
        {
          key: "from",
          header: "Official so far",
          isUserText: true,
          cell: ({ from }) => from ?? "–",
        },
        {
          key: "to",
          header: "New",
          isUserText: true,
          cell: ({ to }) => <strong className="font-semibold">{to ?? "–"}</strong>,
        },
      ]}
    />
  );
}

/** How many tips change, and the coins and money that move. */
function Effect({ effect }: { effect: NonNullable<ConfirmFormResult["effect"]> }) {
  const { tips, unchangedTips, coins, sales, earningsCents } = effect;
  const count = (number: number, one: string, many = `${one}s`) =>
    `${formatInteger(number)} ${number === 1 ? one : many}`;
  return (
    <FormMessage type="info" title="When you confirm it">
      <ul className="list-disc pl-5">
        {tips.map(({ from, to, count: number }) => (
          <li key={`${from} ${to}`}>
            {from
              ? `${count(number, "tip changes", "tips change")} from ${from} to ${to}`
              : `${count(number, "tip becomes", "tips become")} ${to}`}
          </li>
        ))}
        {tips.length === 0 ? <li>No tip changes its result</li> : null}
        {unchangedTips > 0 && tips.length > 0 ? (
          <li>{count(unchangedTips, "tip keeps its result", "tips keep their result")}</li>
        ) : null}
        <li>
          {coins > 0
            ? `${count(coins, "coin goes", "coins go")} back to buyers, for ${count(sales, "sale")}`
            : "No coins go back to buyers"}
        </li>
        {earningsCents === 0 ? null : (
          <li>
            Tipsters earn {formatCents(Math.abs(earningsCents))}{" "}
            {earningsCents < 0 ? "less" : "more"}
          </li>
        )}
      </ul>
    </FormMessage>
  );
}

function Differences({
  differences,
  path,
}: {
  differences: NonNullable<ConfirmFormResult["differences"]>;
  path: string;
}) {
  return (
    <FormMessage type="error" title="The two entries differ. Nothing was confirmed.">
      <ul className="list-disc pl-5">
        {differences.map(({ what, first, second }) => (
          <li key={what}>
            {what}: first entry {first || "nothing"}, your entry {second || "nothing"}
          </li>
        ))}
      </ul>
      <p className="mt-2">
        Check the source. If you mistyped, enter it again. If the first entry is wrong,{" "}
        <TextLink to={path}>discard it</TextLink> and enter the result again.
      </p>
    </FormMessage>
  );
}
