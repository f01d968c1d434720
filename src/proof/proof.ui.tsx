import { formatInstant } from "#domain/calendar.ts";
import { formatInteger } from "#ui/format-integer.ts";
import { TextLink } from "#ui/text-link.tsx";
import { formatDuration } from "./format-duration.ts";
import type { CreatorEntries } from "./read-creator-entries.server.ts";
import type { RaceCardEntries } from "./read-race-card-entries.server.ts";

// Public interface of proof for pages.

/** When the tips of a race card were entered in the public log, with a link to check it. */
export function RaceCardProof({
  entries: { tips, entries, recorded, firstSeen, firstOffAt },
  downloadPath,
}: {
  entries: RaceCardEntries;
  /** The address of the buyer's file; null if it would be empty. */
  downloadPath: string | null;
}) {
  return (
    <p className="text-sm text-ink-2">
      {recorded && entries === tips ? (
        <>
          Entered in the public log as{" "}
          {entries === 1
            ? `#${recorded.firstSeq}`
            : `#${recorded.firstSeq} to #${recorded.lastSeq}`}{" "}
          on <time dateTime={recorded.at.toISOString()}>{formatInstant(recorded.at)}</time>
          {firstOffAt && recorded.at < firstOffAt
            ? `, ${formatDuration(firstOffAt.getTime() - recorded.at.getTime())} before the first race`
            : ""}
          .
          {firstSeen ? (
            <>
              {" "}
              First seen by {firstSeen.authority} on{" "}
              <time dateTime={firstSeen.at.toISOString()}>{formatInstant(firstSeen.at)}</time>.
            </>
          ) : null}
        </>
      ) : (
        "Being entered in the public log."
      )}{" "}
      <TextLink to="/proof">Check our record</TextLink>
      {downloadPath ? (
        <>
          {" · "}
          <TextLink to={downloadPath} reloadDocument>
            Download your proof
          </TextLink>
        </>
      ) : null}
    </p>
  );
}

/** How many of a creator's entries in the public log are revealed, with a link to check them. */
export function CreatorProof({
  entries: { lastSeq, revealed, beforeRace, missing },
}: {
  entries: CreatorEntries;
}) {
  return (
    <p className="text-sm text-ink-2">
      {lastSeq === 0 ? (
        "No tip in the public log yet."
      ) : (
        <>
          Public log, {lastSeq === 1 ? "#1" : `#1 to #${formatInteger(lastSeq)}`}:{" "}
          <b className="font-semibold text-ink">
            {formatInteger(revealed)} revealed, {formatInteger(beforeRace)} before their race,{" "}
            {formatInteger(missing)} missing
          </b>
          .
        </>
      )}{" "}
      <TextLink to="/proof">Check our record</TextLink>
    </p>
  );
}
