import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { findViewer } from "#accounts/accounts.server.ts";
import { dateAt } from "#domain/calendar.ts";
import { CONFIDENCES, TIP_RESULTS, TIP_TYPES } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { readTipEntries } from "#proof/proof.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { readCreatorProfile } from "#records/records.server.ts";
import { parseRecordDate, RECORD_PARTS, readPublicRecord } from "#tips/tips.server.ts";
import { isDialogNavigation } from "#ui/dialog-navigation.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/tipster-tips.page.ts";
import { PublicRecordSection } from "./public-record.ui.tsx";

const CACHE_SECONDS = 60;

export const handle = { scriptStart: "use" };

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const at = now();
  const [profile, viewer, venues] = await Promise.all([
    readCreatorProfile(params.slug),
    findViewer(context),
    listVenues({ includesInactive: true }),
  ]);
  if (!profile) throw data(null, { status: 404 });
  const search = new URL(request.url).searchParams;
  const until = parseRecordDate(search.get("until"), at);
  const { venueId, ...filter } = parseFilter(search, venues);
  const record = await readPublicRecord(profile.id, {
    at,
    until,
    filter: {
      venueId,
      tipType: filter.type,
      confidence: filter.confidence,
      result: filter.result,
      part: filter.tips,
    },
  });
  const tipIds = record.days.flatMap(({ tips }) => tips.map((tip) => tip.id));
  return data(
    {
      tipster: {
        slug: profile.slug,
        name: profile.name,
        isSuspended: profile.suspendedAt !== null,
      },
      venues: venues.map(({ slug, name }) => ({ slug, name })),
      filter,
      record: { ...record, until, latest: dateAt(at) },
      entryNumbers: Object.fromEntries(
        [...(await readTipEntries(tipIds))].map(([tipId, { entry }]) => [tipId, entry]),
      ),
    },
    viewer ? undefined : { headers: { "Cache-Control": `public, s-maxage=${CACHE_SECONDS}` } },
  );
}

/** Parses the filter of the URL. Unknown values are ignored. */
function parseFilter(search: URLSearchParams, venues: readonly { id: string; slug: string }[]) {
  const find = <T extends string>(values: readonly T[], value: string | null): T | null =>
    values.find((each) => each === value) ?? null;
  const venue = venues.find(({ slug }) => slug === search.get("venue"));
  return {
    venue: venue?.slug ?? null,
    venueId: venue?.id ?? null,
    type: find(TIP_TYPES, search.get("type")),
    confidence: find(CONFIDENCES, search.get("confidence")),
    result: find(TIP_RESULTS, search.get("result")),
    tips: find(RECORD_PARTS, search.get("tips")),
  };
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.defaultShouldRevalidate && !isDialogNavigation(args);
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? publicMeta(matches, {
        path: `/tipsters/${loaderData.tipster.slug}/tips`,
        imagePath: `/share/tipsters/${loaderData.tipster.slug}.png`,
        crumbs: [{ name: loaderData.tipster.name, path: `/tipsters/${loaderData.tipster.slug}` }],
        title: `Tips of ${loaderData.tipster.name}`,
        description: `Every public tip of ${loaderData.tipster.name} with its result, winners and losers.`,
      })
    : [];

export default function TipsterTips({ loaderData }: Route.ComponentProps) {
  const { tipster, venues, filter, record, entryNumbers } = loaderData;
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6">
      <PageHeading
        kicker={
          <TextLink to={`/tipsters/${tipster.slug}`} className="tap">
            {tipster.name}
            {tipster.isSuspended ? ", suspended" : ""}
          </TextLink>
        }
        lead="Every selection, losers like winners, public once its race has an official result, at midnight after the race day at the latest."
      >
        Tips and results
      </PageHeading>
      <div className="mt-6 max-w-3xl">
        <PublicRecordSection slug={tipster.slug} {...{ venues, filter, record, entryNumbers }} />
      </div>
    </div>
  );
}
