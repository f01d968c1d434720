import { Eye, EyeOff, Trash2 } from "lucide-react";
import { useSearchParams } from "react-router";
import {
  listKeys,
  readListParams,
  requireAdmin,
  TIPS_ERROR_MESSAGES,
  withLoadError,
} from "#admin-kit/admin-kit.server.ts";
import {
  AdminActionIcon,
  ListBar,
  ListPagination,
  ORDER_BY_AGE,
} from "#admin-kit/admin-kit.ui.tsx";
import { findCreator } from "#creators/creators.server.ts";
import { now } from "#platform/clock.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { Badge } from "#ui/badge.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Confidence } from "#ui/racing/confidence.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { type AdminTip, type AdminTipState, listTips, TIP_ORDERS } from "../list-tips.server.ts";
import type { Route } from "./+types/tips.page.ts";

const STATES: readonly AdminTipState[] = ["active", "hidden", "to-settle", "overdue"];
const PER_PAGE = 25;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Tips, Admin",
    description: "All tips on Furlong.",
    isPrivate: true,
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { readText, readChoice, cursor } = readListParams(request);
  const tipster = readText("tipster");
  const [venues, creator] = await Promise.all([
    listVenues({ includesInactive: true }),
    tipster ? findCreator(tipster) : null,
  ]);
  const list = await withLoadError(
    listTips({
      at: now(),
      search: readText("search"),
      state: readChoice("state", STATES),
      venueId: readText("venue"),
      creatorId: tipster ? (creator?.id ?? tipster) : null,
      order: readChoice("order", listKeys(TIP_ORDERS)) ?? undefined,
      cursor,
      limit: PER_PAGE,
    }),
    TIPS_ERROR_MESSAGES,
  );
  return {
    tips: list.result?.tips ?? [],
    next: list.result?.next ?? null,
    errorMessage: list.errorMessage,
    tipster: creator ? { id: creator.id, name: creator.name } : null,
    venues: venues.map(({ id, name }) => ({ id, name })),
  };
}

/** All tips, newest first, on and off sale and deleted. */
export default function Tips({ loaderData }: Route.ComponentProps) {
  const [searchParams] = useSearchParams();
  const isFiltered = [...searchParams.keys()].some((name) => name !== "order");
  const { tips, next, errorMessage, tipster, venues } = loaderData;
  return (
    <div className="grid gap-4">
      <ListBar
        searchLabel="Search by horse"
        otherParams={{ tipster: searchParams.get("tipster") }}
        filters={[
          {
            name: "state",
            label: "State",
            allLabel: "All tips",
            options: [
              { value: "active", label: "Visible" },
              { value: "hidden", label: "Hidden" },
              { value: "to-settle", label: "No result" },
              { value: "overdue", label: "Result overdue" },
            ],
          },
          {
            name: "venue",
            label: "Venue",
            allLabel: "All venues",
            options: venues.map(({ id, name }) => ({ value: id, label: name })),
          },
          ORDER_BY_AGE,
        ]}
      />
      {tipster ? (
        <p className="text-sm text-ink-2">
          Showing tips by <TextLink to={`/admin/users/${tipster.id}`}>{tipster.name}</TextLink>.{" "}
          <TextLink to="/admin/tips">Show all tips</TextLink>
        </p>
      ) : null}
      {errorMessage ? <FormMessage type="error">{errorMessage}</FormMessage> : null}
      <Table
        caption="Tips"
        columns={columns}
        rows={tips}
        rowKey={(tip) => tip.id}
        empty={
          errorMessage ? null : (
            <EmptyState compact drawing="search" title="No tips found">
              {isFiltered
                ? "No tips match. Change your search or clear the filters."
                : "Tips appear here as soon as a tipster has published them."}
            </EmptyState>
          )
        }
      />
      <ListPagination label="Tips" nextCursor={next} />
    </div>
  );
}

const columns: readonly TableColumn<AdminTip>[] = [
  {
    key: "tip",
    header: "Tip",
    isRowHeader: true,
    cell: (tip) => (
      <TextLink
        to={`/admin/race-cards/${tip.raceCardId}#race-${tip.raceNumber}`}
        standalone
        className="inline-flex items-center gap-2.5 no-underline"
      >
        <NumberCloth number={tip.raceNumber} size="small" />
        <span className="grid text-left">
          <span className="underline">{tip.venueName}</span>
          <RaceDate date={tip.raceDate} className="text-xs font-normal text-ink-2" />
        </span>
      </TextLink>
    ),
  },
  {
    key: "selection",
    header: "Selection",
    isUserText: true,
    cell: (tip) => (
      <span className="grid">
        <span>
          <span className="font-cond font-semibold">#{tip.horseNumber}</span> {tip.horseName}
        </span>
        <span className="flex items-center justify-end gap-2 text-xs text-ink-2 sm:justify-start">
          {tip.tipType} <Confidence level={tip.confidence} />
        </span>
      </span>
    ),
  },
  {
    key: "tipster",
    header: "Tipster",
    isUserText: true,
    cell: (tip) => (
      <span className="grid">
        <TextLink to={`/admin/users/${tip.creatorId}`}>{tip.creatorName}</TextLink>
        <DateTime at={tip.publishedAt} className="text-xs text-ink-2" />
      </span>
    ),
  },
  {
    key: "state",
    header: "State",
    cell: (tip) => (
      <span className="inline-flex flex-wrap justify-end gap-1 sm:justify-start">
        <TipState tip={tip} />
        {tip.isResultOverdue ? (
          <Badge tone="warn">Overdue</Badge>
        ) : (
          <ResultBadge result={tip.result} />
        )}
        {tip.isLate ? <Badge tone="warn">Late</Badge> : null}
      </span>
    ),
  },
  {
    key: "actions",
    header: "Actions",
    align: "right",
    isLabelHidden: true,
    cell: (tip) => <TipActions tip={tip} />,
  },
];

function TipState({ tip }: { tip: AdminTip }) {
  if (tip.isDeleted) return <Badge tone="danger">Deleted</Badge>;
  return tip.isHidden ? <Badge>Hidden</Badge> : <Badge tone="green">Visible</Badge>;
}

function TipActions({ tip }: { tip: AdminTip }) {
  if (tip.isDeleted) return <span className="text-xs text-ink-3">Still visible to buyers</span>;
  const description = `race ${tip.raceNumber} at ${tip.venueName}`;
  return (
    <span className="flex justify-end">
      <AdminActionIcon
        action={`/admin/tips/${tip.id}/visibility`}
        fields={{ active: tip.isHidden ? "yes" : "no" }}
        label={tip.isHidden ? `Show ${description}` : `Hide ${description}`}
        icon={tip.isHidden ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
      />
      <AdminActionIcon
        action={`/admin/tips/${tip.id}/delete`}
        label={`Delete ${description}`}
        icon={<Trash2 aria-hidden="true" />}
      />
    </span>
  );
}
