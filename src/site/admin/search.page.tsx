import { Link, redirect } from "react-router";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { ListBar } from "#admin-kit/admin-kit.ui.tsx";
import { now } from "#platform/clock.server.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { RESULT_ROW_CLASSES, ResultGroup } from "../search/result-group.ui.tsx";
import { parseSearch } from "../search/search-query.ts";
import type { Route } from "./+types/search.page.ts";
import { MeetingStrips, RACE_STATES_LEGEND } from "./meetings.ui.tsx";
import { findOnlyExactHit, searchAdmin } from "./search-admin.server.ts";

/** Ids of checkouts have 66 characters and more. */
const LENGTHS = { min: 1, max: 100 };

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta({
    title: loaderData?.text ? `Search: ${loaderData.text}, Admin` : "Search, Admin",
    description: "Search people, payments, race cards, meetings and the log.",
    isPrivate: true,
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { text, state } = parseSearch(new URL(request.url).searchParams.get("search"), LENGTHS);
  if (state !== "searchable") return { text, state, groups: [], meetings: [] };
  const found = await searchAdmin(text, now());
  const path = findOnlyExactHit(found);
  if (path) throw redirect(path);
  return { text, state, ...found };
}

/** The search over everything an admin may look for. An exact hit is opened without showing this page. */
export default function AdminSearch({ loaderData }: Route.ComponentProps) {
  const { text, state, groups, meetings } = loaderData;
  const results = groups.reduce((sum, { hits }) => sum + hits.length, meetings.length);
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <ListBar searchLabel="Person, payment, race card, track and day" />
      <p className="text-sm text-ink-2">
        A name, email address or phone number; a receipt, order, payment or session number; a
        tipster; a track, a day or both; the address of a race card; or the number of a log entry.
      </p>
      <p role="status" className="min-h-5 text-sm">
        {state === "too-long"
          ? `Enter at most ${LENGTHS.max} characters.`
          : state === "too-short"
            ? "Enter at least one letter or digit."
            : results > 0
              ? `${results} ${results === 1 ? "result" : "results"} for “${text}”`
              : null}
      </p>
      {state === "searchable" && results === 0 ? (
        <EmptyState compact drawing="post" title={`Nothing found for “${text}”`}>
          Check the spelling. Names are found by the beginning of each word, session ids by their
          beginning, and other numbers only complete.
        </EmptyState>
      ) : null}
      {meetings.length > 0 ? (
        <section className="mt-4 grid gap-3">
          <SectionHeading lead={RACE_STATES_LEGEND}>Meetings</SectionHeading>
          <MeetingStrips meetings={meetings} />
        </section>
      ) : null}
      {groups.map(({ title, hits }) => (
        <ResultGroup key={title} title={title} id={toElementId(title)} count={hits.length}>
          {hits.map(({ path, name, note }) => (
            <li key={`${path} ${name}`}>
              <Link to={path} className={RESULT_ROW_CLASSES}>
                <span className="min-w-0 wrap-anywhere">
                  <b>{name}</b> <span className="text-sm text-ink-2">{note}</span>
                </span>
              </Link>
            </li>
          ))}
        </ResultGroup>
      ))}
      {text ? (
        <p className="flex flex-wrap gap-x-4 text-sm">
          {ELSEWHERE.map(({ path, label }) => (
            <TextLink key={path} to={`${path}?search=${encodeURIComponent(text)}`} standalone>
              {label}
            </TextLink>
          ))}
        </p>
      ) : null}
    </div>
  );
}

const toElementId = (title: string) => title.toLowerCase().replaceAll(" ", "-");

const ELSEWHERE = [
  { path: "/admin/tips", label: "Search horses in tips" },
  { path: "/admin/purchases", label: "Search sales" },
  { path: "/admin/audit", label: "Search the audit log" },
];
