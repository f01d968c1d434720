import { Search as SearchIcon } from "lucide-react";
import { data, Form, Link } from "react-router";
import { listCreators } from "#creators/creators.server.ts";
import { foldSearchText } from "#domain/fold-search-text.ts";
import { now } from "#platform/clock.server.ts";
import { getRequestDetails } from "#platform/http/request.server.ts";
import { createAddressKey, isWithinLimit } from "#platform/rate-limits.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { searchPublicTips } from "#tips/tips.server.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { ResultBasis } from "#ui/racing/result-basis.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { readPrices } from "#wallet/wallet.server.ts";
import { listHelpCategories, searchHelp } from "../help/help-answers.ts";
import type { Route } from "./+types/search.page.ts";
import { RESULT_ROW_CLASSES, ResultGroup } from "./result-group.ui.tsx";
import { MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH, parseSearch } from "./search-query.ts";

const MAX_TIPSTERS = 10;
const MAX_TIPS = 20;
const MAX_ANSWERS = 8;
/** The limit by address is high, because thousands of users of a mobile carrier can share one. */
const SEARCH_LIMIT = { max: 600, seconds: 15 * 60 };

type SearchResults = Awaited<ReturnType<typeof searchPublicData>>;
const NO_RESULTS: SearchResults = { tipsters: [], venues: [], tips: [], answers: [] };

export const handle = { scriptStart: "use" };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { text, state } = parseSearch(new URL(request.url).searchParams.get("q"));
  if (state !== "searchable") return data({ text, state, ...NO_RESULTS });
  const { clientAddress } = getRequestDetails(context);
  if (!(await isWithinLimit(createAddressKey("search", clientAddress), SEARCH_LIMIT)))
    return data({ text, state: "rate-limited" as const, ...NO_RESULTS }, { status: 429 });
  return data({ text, state: "found" as const, ...(await searchPublicData(text)) });
}

/** Results are not cached, because searches vary. */
export function headers() {
  return { "Cache-Control": "no-store" };
}

/** Searches what everyone may see. That does not include the horses of tips that are still locked. */
async function searchPublicData(text: string) {
  const folded = foldSearchText(text).trim();
  const [{ creators }, venues, tips, prices] = await Promise.all([
    listCreators({ search: text, limit: MAX_TIPSTERS }),
    listVenues(),
    searchPublicTips(text, { at: now(), limit: MAX_TIPS }),
    readPrices(),
  ]);
  return {
    tipsters: creators.map(({ slug, name, photo, specialization }) => ({
      slug,
      name,
      photo,
      specialization,
    })),
    venues: venues
      .filter(({ name, location }) => foldSearchText(`${name} ${location}`).includes(folded))
      .map(({ slug, name, location }) => ({ slug, name, location })),
    tips,
    answers: searchHelp(text, listHelpCategories(prices))
      .flatMap((category) => category.answers)
      .slice(0, MAX_ANSWERS)
      .map(({ id, question }) => ({ id, question })),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta({
    title: loaderData?.text ? `Search: ${loaderData.text}` : "Search",
    description: "Search tipsters, tracks, horses in public tips, and the help centre.",
    isPrivate: true,
  });

/** The search over tipsters, tracks, public tips and help answers. Works without JavaScript. */
export default function Search({ loaderData }: Route.ComponentProps) {
  const { text, state, tipsters, venues, tips, answers } = loaderData;
  const count = tipsters.length + venues.length + tips.length + answers.length;
  const isCut =
    tipsters.length === MAX_TIPSTERS || tips.length === MAX_TIPS || answers.length === MAX_ANSWERS;
  return (
    <div className="max-w-[46rem]">
      <PageHeading lead="Tipsters, tracks, horses in public tips, and answers from the help centre.">
        Search
      </PageHeading>
      <Form role="search" action="/search" className="mt-6 flex items-end gap-2">
        <TextField
          // Without a key, the box would keep its first text when Back leads to another search.
          key={text}
          label="Search for"
          labelHidden
          name="q"
          type="search"
          defaultValue={text}
          maxLength={MAX_SEARCH_LENGTH}
          autoComplete="off"
          enterKeyHint="search"
          prefix={<SearchIcon aria-hidden="true" />}
          placeholder="Tipster, track, horse or question"
          className="min-w-0 flex-1"
        />
        <Button type="submit">Search</Button>
      </Form>
      <p role="status" className="mt-2 min-h-5 text-sm text-ink-2">
        {state === "too-short"
          ? `Enter at least ${MIN_SEARCH_LENGTH} letters or digits.`
          : state === "too-long"
            ? `Enter at most ${MAX_SEARCH_LENGTH} characters.`
            : state === "found" && count > 0
              ? `${isCut ? "The first " : ""}${count} ${count === 1 ? "result" : "results"} for “${text}”`
              : null}
      </p>
      {state === "rate-limited" ? (
        <FormMessage type="error" title="Too many searches" className="mt-4">
          Too many searches came from your network. Try again in a few minutes.
        </FormMessage>
      ) : null}
      {state === "found" && count === 0 ? (
        <EmptyState drawing="post" title={`Nothing found for “${text}”`} className="mt-4">
          Check the spelling. The horses of a race card can be found once the official results of
          their races are in, or from midnight after the race date.
        </EmptyState>
      ) : null}
      <ResultGroup title="Tipsters" id="tipsters" count={tipsters.length}>
        {tipsters.map(({ slug, name, photo, specialization }) => (
          <li key={slug}>
            <Link to={`/tipsters/${slug}`} className={RESULT_ROW_CLASSES}>
              <Avatar name={name} photo={photo} size="small" />
              <span className="min-w-0 wrap-anywhere">
                <b>{name}</b>
                {specialization ? (
                  <span className="block text-sm text-ink-2">{specialization}</span>
                ) : null}
              </span>
            </Link>
          </li>
        ))}
      </ResultGroup>
      <ResultGroup title="Tracks" id="tracks" count={venues.length}>
        {venues.map(({ slug, name, location }) => (
          <li key={slug}>
            <Link to={`/tracks/${slug}`} className={RESULT_ROW_CLASSES}>
              <span className="min-w-0 wrap-anywhere">
                <b>{name}</b> <span className="text-sm text-ink-2">{location}</span>
              </span>
            </Link>
          </li>
        ))}
      </ResultGroup>
      <ResultGroup title="Horses in public tips" id="horses" count={tips.length}>
        {tips.map((tip) => (
          <li key={tip.id}>
            <Link to={`/race-cards/${tip.raceCardId}`} className={RESULT_ROW_CLASSES}>
              <NumberCloth number={tip.horseNumber} kind="saddle" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <b>{tip.horseName}</b>
                <span className="block text-sm text-ink-2">
                  <RaceDate date={tip.raceDate} />, {tip.venueName} race {tip.raceNumber} ·{" "}
                  {tip.creatorName}
                </span>
                <ResultBasis result={tip.result} basis={tip} />
              </span>
              <ResultBadge result={tip.result} className="shrink-0" />
            </Link>
          </li>
        ))}
      </ResultGroup>
      <ResultGroup title="Help" id="answers" count={answers.length}>
        {answers.map(({ id, question }) => (
          <li key={id}>
            <Link to={`/help?answer=${id}#${id}`} className={RESULT_ROW_CLASSES}>
              {question}
            </Link>
          </li>
        ))}
      </ResultGroup>
      {state === "empty" ? (
        <p className="mt-4 text-sm text-ink-2">
          Looking for an answer? <TextLink to="/help">Browse the help centre</TextLink>
        </p>
      ) : null}
    </div>
  );
}
