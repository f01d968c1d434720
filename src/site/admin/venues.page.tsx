import { CalendarDays, Eye, EyeOff, Pencil, Plus, Trash2 } from "lucide-react";
import { Outlet } from "react-router";
import {
  listKeys,
  readListParams,
  requireAdmin,
  VENUES_ERROR_MESSAGES,
  withLoadError,
} from "#admin-kit/admin-kit.server.ts";
import {
  AdminActionIcon,
  ListBar,
  ListPagination,
  OPENED_OVER_LIST,
} from "#admin-kit/admin-kit.ui.tsx";
import { now } from "#platform/clock.server.ts";
import { listVenuePage, VENUE_ORDERS } from "#racing/racing.server.ts";
import { countOnSale } from "#tips/tips.server.ts";
import { Badge } from "#ui/badge.tsx";
import { buttonClasses } from "#ui/button-classes.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/venues.page.ts";

const STATES = { active: true, inactive: false };

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Venues, Admin", description: "Venues and race days.", isPrivate: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { readText, readChoice, cursor } = readListParams(request);
  const state = readChoice("state", listKeys(STATES));
  const [list, onSale] = await Promise.all([
    withLoadError(
      listVenuePage({
        search: readText("search"),
        isActive: state ? STATES[state] : null,
        order: readChoice("order", listKeys(VENUE_ORDERS)) ?? undefined,
        cursor,
      }),
      VENUES_ERROR_MESSAGES,
    ),
    withLoadError(countOnSale(now()), VENUES_ERROR_MESSAGES),
  ]);
  const counts = new Map(onSale.result?.venues.map((venue) => [venue.venueId, venue]));
  return {
    venues: (list.result?.venues ?? []).map((venue) => {
      const { tips = 0, raceCards = 0 } = counts.get(venue.id) ?? {};
      return { ...venue, onSale: { tips, raceCards } };
    }),
    next: list.result?.next ?? null,
    errorMessage: list.errorMessage,
  };
}

type Venue = Route.ComponentProps["loaderData"]["venues"][number];

/** The list of venues. */
export default function Venues({ loaderData }: Route.ComponentProps) {
  const { venues, next, errorMessage } = loaderData;
  return (
    <div className="grid gap-4">
      <Outlet />
      <div className="flex flex-col gap-2 sm:flex-row sm:items-end">
        <div className="min-w-0 flex-1">
          <ListBar
            searchLabel="Search by name or location"
            filters={[
              {
                name: "state",
                label: "State",
                allLabel: "All venues",
                options: [
                  { value: "active", label: "Active" },
                  { value: "inactive", label: "Inactive" },
                ],
              },
              {
                name: "order",
                label: "Order",
                options: [
                  { value: "name", label: "By name" },
                  { value: "races", label: "Most races" },
                ],
              },
            ]}
          />
        </div>
        <ButtonLink
          to="/admin/race-days/import"
          variant="secondary"
          className="self-start sm:self-auto"
        >
          Import race days
        </ButtonLink>
        <ButtonLink
          to="/admin/venues/new"
          state={OPENED_OVER_LIST}
          preventScrollReset
          icon={<Plus aria-hidden="true" />}
          className="self-start sm:self-auto"
        >
          Add venue
        </ButtonLink>
      </div>
      {errorMessage ? <FormMessage type="error">{errorMessage}</FormMessage> : null}
      <Table
        caption="Venues"
        columns={columns}
        rows={venues}
        rowKey={(venue) => venue.id}
        empty={
          errorMessage ? null : (
            <EmptyState compact drawing="paddock" title="No venues found">
              Add a venue, or change your search.
            </EmptyState>
          )
        }
      />
      <ListPagination label="Venues" nextCursor={next} />
    </div>
  );
}

const columns: readonly TableColumn<Venue>[] = [
  {
    key: "name",
    header: "Name",
    isRowHeader: true,
    cell: (venue) => (
      <TextLink to={`/admin/venues/${venue.id}/race-days`} standalone>
        {venue.name}
      </TextLink>
    ),
  },
  { key: "location", header: "Location", cell: (venue) => venue.location },
  { key: "races", header: "Total races", align: "right", cell: (venue) => venue.totalRaces },
  { key: "tips", header: "Tips on sale", align: "right", cell: (venue) => venue.onSale.tips },
  {
    key: "state",
    header: "State",
    cell: (venue) =>
      venue.isActive ? <Badge tone="green">Active</Badge> : <Badge>Inactive</Badge>,
  },
  {
    key: "actions",
    header: "Actions",
    align: "right",
    isLabelHidden: true,
    cell: (venue) => <VenueActions venue={venue} />,
  },
];

function VenueActions({ venue }: { venue: Venue }) {
  return (
    <span className="flex flex-wrap items-center justify-end">
      <ButtonLink
        to={`/admin/venues/${venue.id}/race-days`}
        variant="quiet"
        size="small"
        icon={<CalendarDays aria-hidden="true" />}
      >
        Race days
      </ButtonLink>
      <TextLink
        to={`/admin/venues/${venue.id}`}
        state={OPENED_OVER_LIST}
        preventScrollReset
        aria-label={`Edit ${venue.name}`}
        title={`Edit ${venue.name}`}
        className={buttonClasses("quiet", "medium", false, "size-11 px-0 text-ink-2")}
      >
        <Pencil aria-hidden="true" />
      </TextLink>
      <AdminActionIcon
        action={`/admin/venues/${venue.id}/status`}
        fields={{ active: venue.isActive ? "no" : "yes" }}
        label={venue.isActive ? `Deactivate ${venue.name}` : `Activate ${venue.name}`}
        icon={venue.isActive ? <Eye aria-hidden="true" /> : <EyeOff aria-hidden="true" />}
      />
      <AdminActionIcon
        action={`/admin/venues/${venue.id}/delete`}
        label={`Delete ${venue.name}`}
        icon={<Trash2 aria-hidden="true" />}
      />
    </span>
  );
}
