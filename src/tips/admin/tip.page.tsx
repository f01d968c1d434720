import { data, redirect } from "react-router";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { isId } from "#domain/id.ts";
import { findRaceCardOfTip } from "../race-cards.server.ts";
import type { Route } from "./+types/tip.page.ts";

/** Redirects a tip's URL to its race card, where it is shown. */
export async function loader({ params, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const raceCardId = isId(params.tipId) ? await findRaceCardOfTip(params.tipId) : null;
  if (!raceCardId) throw data(null, { status: 404 });
  throw redirect(`/admin/race-cards/${raceCardId}`);
}

export default function Tip() {
  return null;
}
