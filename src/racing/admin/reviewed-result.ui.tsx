import { timeAt } from "#domain/calendar.ts";
import { formatCents } from "#domain/format-cents.ts";
import { isRunStatus } from "#domain/race-result.ts";
import { formatInteger } from "#ui/format-integer.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { Table } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { PlacedHorses } from "../race-result-table.ui.tsx";
import { listResultChanges } from "../results/list-result-changes.ts";
import type { StoredRaceResult } from "../results/read-results.server.ts";
import type { ConfirmFormResult } from "./race-result-confirm-form.server.ts";

/** The source that the confirming admin reads, with its link. */
export function SourceToRead({ source, sourceUrl }: { source: string; sourceUrl: string | null }) {
  return (
    <p className="text-sm">
      Look at the source, not at the entry:{" "}
      {sourceUrl ? (
        <a href={sourceUrl} className="link rounded-sm" rel="noreferrer">
          {source}
        </a>
      ) : (
        source
      )}
      .
    </p>
  );
}

/** Says that a result will be marked as the work of one person, and how to avoid that. */
export function OnePersonWarning({
  isOnePerson,
  isImported,
}: {
  isOnePerson: boolean;
  isImported: boolean;
}) {
  if (isOnePerson)
    return (
      <FormMessage type="warning">
        Fewer than two admins have no tips in this race, so the result will be marked as entered by
        one person. To avoid that, <TextLink to="/admin/admins">invite another admin</TextLink>.
      </FormMessage>
    );
  return isImported ? (
    <FormMessage type="warning">
      Nobody is recorded as having entered this result, so it will be marked as entered by one
      person. To avoid that, discard it, and import the file on the page.
    </FormMessage>
  ) : null;
}

/** Says how many tips become void because the surface of the race was changed. */
export function MovedTipsWarning({
  movedTips,
  surface,
  venueId,
  raceDate,
}: {
  movedTips: number;
  surface: string | null;
  venueId: string;
  raceDate: string;
}) {
  return movedTips > 0 ? (
    <FormMessage
      type="warning"
      title={`Surface changed to ${surface}: ${movedTips} ${movedTips === 1 ? "tip becomes" : "tips become"} void`}
    >
      They were published before the change. Their buyers get coins back. If the race was not moved,{" "}
      <TextLink to={`/admin/venues/${venueId}/race-days/${raceDate}`}>correct the surface</TextLink>{" "}
      first.
    </FormMessage>
  ) : null;
}

type ReviewedResultProps = {
  result: StoredRaceResult;
} & Pick<ConfirmFormResult, "isOnePerson" | "official" | "effect">;

/** The result that both entries agree on, its differences from the official one, and what its confirmation changes. */
export function ReviewedResult({ result, isOnePerson, official, effect }: ReviewedResultProps) {
  const { status, runners, starters, placesPaid, offAt, surface, source, reason } = result;
  return (
    <>
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
      {official ? <Changes changes={listResultChanges(official, result)} /> : null}
      {effect ? <Effect effect={effect} /> : null}
    </>
  );
}

/** Every difference from the official result, prices and dividends included. */
function Changes({ changes }: { changes: ReturnType<typeof listResultChanges> }) {
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

/** The values that the two admins entered differently. */
export function Differences({
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
