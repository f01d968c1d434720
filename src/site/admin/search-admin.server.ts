import { listUsers, readUsers } from "#accounts/accounts.server.ts";
import {
  findApplication,
  listAllCreators,
  listApplications,
  listApplicationsByPhone,
} from "#creators/creators.server.ts";
import { dateAt, formatDate } from "#domain/calendar.ts";
import { foldSearchText } from "#domain/fold-search-text.ts";
import { formatCents } from "#domain/format-cents.ts";
import { findIdInText } from "#domain/id.ts";
import { findPayments } from "#payments/payments.server.ts";
import { listPayouts } from "#payouts/payouts.server.ts";
import { findLogEntries } from "#proof/proof.server.ts";
import { listVenues, readMeetings, readVenueNames } from "#racing/racing.server.ts";
import {
  listRaceCardsOfMeetings,
  readRaceCardSummaries,
  readTipDescriptions,
} from "#tips/tips.server.ts";
import { parseDay } from "./parse-day.ts";

/** Maximum number of hits of each kind. */
const MAX_HITS = 10;
/** The number of a log entry. Without a word before it, it may be meant as something else. */
const LOG_ENTRY = /^(#|log ?|entry ?|log entry ?)?(\d{1,12})$/i;

/** Something that a search found, with its page. */
type Hit = {
  path: string;
  name: string;
  note: string;
  /** True if the search is the whole of a reference: an id, a number, an email address or a display name. */
  isExact?: boolean;
};
type HitGroup = { title: string; hits: Hit[] };
type Meeting = Awaited<ReturnType<typeof readMeetings>>[number];
type AdminSearchResult = {
  groups: HitGroup[];
  /** The reported meetings of the day in the search. */
  meetings: Meeting[];
};

/** Searches people, tipsters, payments, race cards, meetings and the log: by id if there is one in the text. */
export async function searchAdmin(text: string, at: Date): Promise<AdminSearchResult> {
  const id = findIdInText(text);
  const { groups, meetings = [] } = id ? await searchById(id) : await searchByText(text, at);
  return { groups: groups.filter(({ hits }) => hits.length > 0), meetings };
}

/** Returns the page to open without showing the results: the only exact hit. */
export function findOnlyExactHit({ groups, meetings }: AdminSearchResult): string | null {
  const paths = new Set(
    groups.flatMap(({ hits }) => hits.flatMap(({ isExact, path }) => (isExact ? [path] : []))),
  );
  const [path = null] = paths;
  return paths.size === 1 && meetings.length === 0 ? path : null;
}

async function searchById(id: string): Promise<{ groups: HitGroup[]; meetings?: Meeting[] }> {
  const [people, application, payments, raceCards, tips, { payouts }, venues] = await Promise.all([
    findPeople(id),
    findApplication(id),
    findPaymentHits(id),
    readRaceCardSummaries([id]),
    readTipDescriptions([id]),
    listPayouts({ payoutIds: [id], limit: 1 }),
    readVenueNames([id]),
  ]);
  return {
    groups: [
      people,
      {
        title: "Applications",
        hits: application ? [{ ...toApplicationHit(application), isExact: true }] : [],
      },
      payments,
      {
        title: "Race cards",
        hits: [
          ...[...raceCards.values()].map(({ venue, raceDate, creator }) => ({
            path: `/admin/race-cards/${id}`,
            name: `${venue.name}, ${formatDate(raceDate)}`,
            note: creator.name,
            isExact: true,
          })),
          ...tips.map(({ raceCardId, raceDate, raceNumber, horseName }) => ({
            path: `/admin/race-cards/${raceCardId}#race-${raceNumber}`,
            name: `Race ${raceNumber}, ${formatDate(raceDate)}`,
            note: horseName,
            isExact: true,
          })),
        ],
      },
      {
        title: "Payouts",
        hits: payouts.map(({ creatorId, amountCents, requestedAt }) => ({
          path: `/admin/users/${creatorId}`,
          name: `Payout of ${formatCents(amountCents)}`,
          note: `Requested ${formatDate(dateAt(requestedAt))}`,
          isExact: true,
        })),
      },
      {
        title: "Tracks",
        hits: [...venues].map(([venueId, name]) => ({
          path: `/admin/venues/${venueId}/race-days`,
          name,
          note: "Race days",
          isExact: true,
        })),
      },
    ],
  };
}

async function searchByText(text: string, at: Date) {
  const { date, rest } = parseDay(text, dateAt(at));
  const [, logWord, entryNumber] = LOG_ENTRY.exec(text) ?? [];
  const [people, creators, applications, phones, payments, venues, entries] = await Promise.all([
    findPeople(text),
    listAllCreators({ search: text, limit: MAX_HITS }),
    listApplications({ search: text, limit: MAX_HITS }),
    listApplicationsByPhone(text, MAX_HITS),
    findPaymentHits(text),
    listVenues({ includesInactive: true }),
    entryNumber ? findLogEntryHits(Number(entryNumber), Boolean(logWord)) : [],
  ]);
  const folded = foldSearchText(rest).trim();
  const matchingVenues = venues.filter(
    ({ name }) => folded !== "" && foldSearchText(name).includes(folded),
  );
  // A day alone means every track.
  const venueIds = (folded === "" ? venues : matchingVenues).map(({ id }) => id);
  const [meetings, raceCards] =
    date && venueIds.length > 0
      ? await Promise.all([
          readMeetings(date, at),
          listRaceCardsOfMeetings(venueIds, date, MAX_HITS),
        ])
      : [[], []];
  const allApplications = new Map(
    [...applications.applications, ...phones].map((application) => [application.id, application]),
  );
  return {
    meetings: meetings.filter(({ venueId }) => venueIds.includes(venueId)),
    groups: [
      people,
      {
        title: "Tipsters and analysts",
        hits: creators.creators.map(({ id, name, kind }) => ({
          path: `/admin/users/${id}`,
          name,
          note: kind === "analyst" ? "Analyst" : "Tipster",
          isExact: foldSearchText(name) === foldSearchText(text),
        })),
      },
      {
        title: "Applications",
        hits: [...allApplications.values()].map((application) => ({
          ...toApplicationHit(application),
          isExact: phones.some(({ id }) => id === application.id),
        })),
      },
      {
        title: "Tracks",
        hits: matchingVenues.slice(0, MAX_HITS).map(({ id, name, location }) => ({
          path: date ? `/admin/venues/${id}/race-days/${date}` : `/admin/venues/${id}/race-days`,
          name,
          note: date ? `Race day, ${formatDate(date)}` : `Race days, ${location}`,
        })),
      },
      {
        title: "Race cards",
        hits: raceCards.map(({ id, venueName, creatorName, raceDate }) => ({
          path: `/admin/race-cards/${id}`,
          name: `${creatorName}, ${venueName}`,
          note: formatDate(raceDate),
        })),
      },
      payments,
      { title: "Log entries", hits: entries },
    ],
  };
}

async function findPeople(search: string): Promise<HitGroup> {
  const { users } = await listUsers({ search, limit: MAX_HITS });
  return {
    title: "People",
    hits: users.map(({ id, name, email, isClosed }) => ({
      path: `/admin/users/${id}`,
      name: isClosed ? "Closed account" : name,
      note: email,
      isExact: id === search || email === search.toLowerCase(),
    })),
  };
}

async function findPaymentHits(reference: string): Promise<HitGroup> {
  const payments = await findPayments(reference, MAX_HITS);
  const buyers = await readUsers(payments.flatMap(({ userId }) => userId ?? []));
  return {
    title: "Payments",
    hits: payments.map(
      ({ orderId, purchaseId, userId, coinPackTitle, amountCents, orderedAt, isExact }) => ({
        path: purchaseId
          ? `/admin/purchases/${purchaseId}`
          : userId
            ? `/admin/users/${userId}`
            : `/admin/orders/${orderId}/status`,
        name: `${purchaseId ? "Purchase" : "Order, not paid"}: ${coinPackTitle}, ${formatCents(amountCents)}`,
        note: [buyers.get(userId ?? "")?.email ?? "Guest", formatDate(dateAt(orderedAt))].join(
          ", ",
        ),
        isExact,
      }),
    ),
  };
}

async function findLogEntryHits(entryNumber: number, isCalledEntry: boolean): Promise<Hit[]> {
  const entries = await findLogEntries(entryNumber);
  const tips = await readTipDescriptions(entries.flatMap(({ tipId }) => tipId ?? []));
  const venues = await readVenueNames(entries.flatMap(({ race }) => race?.venueId ?? []));
  return entries.map(({ closedLog, appendedAt, tipId, race, creatorId }) => {
    const log = closedLog === null ? "" : ` of closed log ${closedLog}`;
    const entry = {
      name: `Entry ${entryNumber}${log}`,
      note: `Entered ${formatDate(dateAt(appendedAt))}`,
      isExact: isCalledEntry && closedLog === null,
    };
    const tip = tips.find(({ id }) => id === tipId);
    if (tip)
      return {
        ...entry,
        name: `${entry.name}: race ${tip.raceNumber}, ${formatDate(tip.raceDate)}`,
        path: `/admin/race-cards/${tip.raceCardId}#race-${tip.raceNumber}`,
      };
    if (race)
      return {
        ...entry,
        name: `${entry.name}: result of race ${race.raceNumber}, ${venues.get(race.venueId) ?? ""}, ${formatDate(race.raceDate)}`,
        path: `/admin/results/${race.venueId}/${race.raceDate}/${race.raceNumber}`,
      };
    return { ...entry, path: creatorId ? `/admin/users/${creatorId}` : "/proof" };
  });
}

function toApplicationHit({
  id,
  displayName,
  fullName,
  phoneNumber,
}: {
  id: string;
  displayName: string;
  fullName: string;
  phoneNumber: string;
}): Hit {
  return {
    path: `/admin/tipsters/applications/${id}`,
    name: displayName,
    note: [fullName, phoneNumber].filter(Boolean).join(", "),
  };
}
