import { data, Form, useNavigation } from "react-router";
import { readUsers } from "#accounts/accounts.server.ts";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { readListParams, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import {
  AdminActionButton,
  type AdminFormResult,
  FormDraftMessage,
  useDraftUntilSaved,
  useFormDraft,
} from "#admin-kit/admin-kit.ui.tsx";
import { formatDate, timeAt } from "#domain/calendar.ts";
import { isRunStatus } from "#domain/race-result.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { RaceResultTable } from "../race-result-table.ui.tsx";
import { readLastSource, readRaceForResult } from "../results/read-race-for-result.server.ts";
import { findAuthorRefusal, readResultAuthors } from "../results/result-authors.server.ts";
import { HAS_TIPS_MESSAGE } from "../results/result-authors.ts";
import type { Route } from "./+types/race-result.page.ts";
import { enterRaceResultForm } from "./enter-race-result-form.server.ts";
import { RaceResultFields, STATUS_LABELS } from "./race-result-fields.ui.tsx";
import { readRaceParams } from "./read-race-params.server.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";
export { revalidateAfterConflict as shouldRevalidate } from "#ui/forms/revalidate-after-conflict.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Race result, Admin", description: "Enter a race result.", isPrivate: true });

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const reference = readRaceParams(params);
  const found = await readRaceForResult(reference);
  if (!found) throw data(null, { status: 404 });
  const { venue, raceDate, race, unconfirmed, confirmed } = found;
  const people = [
    unconfirmed?.enteredBy,
    ...confirmed.flatMap((each) => [each.enteredBy, each.confirmedBy]),
  ];
  const [users, lastSource, authors] = await Promise.all([
    readUsers(people.flatMap((id) => id ?? [])),
    readLastSource(reference),
    readResultAuthors(reference),
  ]);
  const nameOf = (id: string | null) => (id ? (users.get(id)?.name ?? "") : null);
  const isOwn = unconfirmed?.enteredBy === admin.id;
  return {
    adminId: admin.id,
    venue: { id: venue.id, name: venue.name },
    raceDate,
    race,
    saved: readListParams(request).readNumber("saved"),
    lastSource,
    hasTips: !authors.ids.includes(admin.id),
    // Another admin's entry is not sent, because the confirming admin must enter it without seeing it.
    unconfirmed: unconfirmed && {
      id: unconfirmed.id,
      isUnofficial: unconfirmed.status === "unofficial",
      version: unconfirmed.version,
      enteredAt: unconfirmed.enteredAt,
      enteredByName: nameOf(unconfirmed.enteredBy),
      isOwn,
      mayConfirm:
        unconfirmed.status !== "unofficial" &&
        findAuthorRefusal(authors, admin.id, unconfirmed) === null,
      result: isOwn ? unconfirmed : null,
    },
    confirmed: confirmed.map((each) => ({
      ...each,
      enteredByName: nameOf(each.enteredBy),
      confirmedByName: nameOf(each.confirmedBy),
    })),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await enterRaceResultForm(admin.id, await request.formData(), readRaceParams(params));
}

type PageData = Route.ComponentProps["loaderData"];

/** Admin page to enter or correct the result of a race, with its confirmed versions. */
export default function RaceResultPage({ loaderData, actionData }: Route.ComponentProps) {
  const { venue, raceDate, race, saved, unconfirmed, confirmed, hasTips } = loaderData;
  const path = `/admin/results/${venue.id}/${raceDate}/${race.raceNumber}`;
  return (
    <div className="grid gap-5">
      <div>
        <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm">
          <TextLink to="/admin/results" standalone>
            Race results
          </TextLink>
          <TextLink to={`/admin/results/${venue.id}/${raceDate}`} standalone>
            Whole meeting
          </TextLink>
        </div>
        <SectionHeading className="mt-2" aside={<>Off {timeAt(race.offAt)}</>}>
          Race {race.raceNumber}, {venue.name}, {formatDate(raceDate, "long")}
        </SectionHeading>
      </div>
      {saved ? (
        <FormMessage type="success">
          Result of race {saved} saved. Another admin must confirm it.
        </FormMessage>
      ) : null}
      {hasTips ? <FormMessage type="info">{HAS_TIPS_MESSAGE}</FormMessage> : null}
      {unconfirmed ? <UnconfirmedPanel unconfirmed={unconfirmed} path={path} /> : null}
      {hasTips || (unconfirmed && !unconfirmed.isOwn && !actionData?.values) ? null : (
        <EntryForm
          key={`${path} ${unconfirmed?.id ?? ""} ${confirmed[0]?.id ?? ""}`}
          loaderData={loaderData}
          result={actionData}
          path={path}
        />
      )}
      {confirmed.map((result, index) => (
        <ConfirmedPanel key={result.id} result={result} isOfficial={index === 0} />
      ))}
    </div>
  );
}

function UnconfirmedPanel({
  unconfirmed,
  path,
}: {
  unconfirmed: NonNullable<PageData["unconfirmed"]>;
  path: string;
}) {
  const { id, isOwn, mayConfirm, enteredByName, enteredAt, isUnofficial, version } = unconfirmed;
  return (
    <Panel title={version > 1 ? "Correction to confirm" : "Result to confirm"}>
      <div className="grid gap-4">
        <p className="text-sm">
          {isOwn ? "You entered it" : enteredByName ? `${enteredByName} entered it` : "Imported"}{" "}
          <DateTime at={enteredAt} />.{" "}
          {isUnofficial
            ? "It is unofficial. Enter it again once it is official."
            : mayConfirm
              ? "To confirm it, enter it again from the source without seeing it here."
              : isOwn
                ? "Another admin must confirm it. Until then you can change it below."
                : null}
        </p>
        <div className="flex flex-wrap gap-2">
          {mayConfirm ? <ButtonLink to={`${path}/confirm`}>Confirm result</ButtonLink> : null}
          <AdminActionButton action={`${path}/discard`} fields={{ result: id }} size="medium">
            Discard
          </AdminActionButton>
        </div>
      </div>
    </Panel>
  );
}

function EntryForm({
  loaderData,
  result,
  path,
}: {
  loaderData: PageData;
  result: AdminFormResult | undefined;
  path: string;
}) {
  const { adminId, race, unconfirmed, confirmed, lastSource } = loaderData;
  const form = useFocusFirstError(result);
  const isPending = useNavigation().state !== "idle";
  const [official] = confirmed;
  const version = `${unconfirmed?.id ?? ""} ${official?.id ?? ""}`;
  const { values, fillKey, found } = useFormDraft({ adminId, path, version, form });
  useDraftUntilSaved({ adminId, path, param: "saved", value: String(race.raceNumber) });
  const title = unconfirmed
    ? "Change your entry"
    : official
      ? "Correct the result"
      : "Enter the result";
  return (
    <Form ref={form} method="post" action={path} noValidate>
      {result?.message ? (
        <FormMessage type="error" className="mb-5">
          {result.message}
        </FormMessage>
      ) : null}
      <FormDraftMessage draft={found} className="mb-5" />
      {/* After a conflict the entry that the form was opened with, so that a second submission is refused too. */}
      <input
        type="hidden"
        name="replaces"
        value={result?.values?.replaces ?? (unconfirmed?.isOwn ? unconfirmed.id : "")}
      />
      <Panel title={title}>
        <RaceResultFields
          key={fillKey}
          race={race}
          result={unconfirmed?.result ?? official ?? null}
          lastSource={lastSource}
          isCorrection={official !== undefined || result?.errors?.reason !== undefined}
          reason={unconfirmed?.result?.reason ?? ""}
          values={result?.values ?? values}
          errors={result?.errors ?? {}}
          isPending={isPending}
        />
      </Panel>
    </Form>
  );
}

function ConfirmedPanel({
  result,
  isOfficial,
}: {
  result: PageData["confirmed"][number];
  isOfficial: boolean;
}) {
  const { version, status, offAt, placesPaid, starters, surface, source, sourceUrl } = result;
  return (
    <Panel
      title={isOfficial ? "Official result" : `Version ${version}, since corrected`}
      aside={STATUS_LABELS[status]}
    >
      <div className="grid gap-3">
        {isRunStatus(status) ? (
          <RaceResultTable caption={`Result, version ${version}`} runners={result.runners} />
        ) : null}
        <p className="text-sm text-ink-2">
          {starters === null ? null : `${starters} starters, ${placesPaid} places paid. `}
          {offAt ? `Off ${timeAt(offAt)}. ` : null}
          {surface ? `Surface ${surface}. ` : null}
          Source:{" "}
          {sourceUrl ? (
            <a href={sourceUrl} className="link rounded-sm" rel="noreferrer">
              {source}
            </a>
          ) : (
            source
          )}
          . Entered by {result.enteredByName ?? "an import"}
          {result.confirmedBy === result.enteredBy
            ? null
            : `, confirmed by ${result.confirmedByName}`}
          {result.isEnteredByOnePerson ? ", marked as the work of one person" : null}.
          {result.reason ? ` Reason for the correction: ${result.reason}` : null}
        </p>
      </div>
    </Panel>
  );
}
