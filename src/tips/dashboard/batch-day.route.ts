import { requireCreator } from "#creators/creators.server.ts";
import { readBatchDay } from "../publishing/read-batch-day.server.ts";
import type { Route } from "./+types/batch-day.route.ts";

/** Returns the details of a venue and day for the daily batch form. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const creator = await requireCreator(context);
  const { searchParams } = new URL(request.url);
  return await readBatchDay(creator.id, {
    venueId: searchParams.get("venue") ?? "",
    raceDate: searchParams.get("date") ?? "",
  });
}
