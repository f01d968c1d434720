import { data } from "react-router";
import { readUsers } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { AdminActionForm } from "#admin-kit/admin-kit.ui.tsx";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { computeSettleableAt } from "#domain/race-day.ts";
import { now } from "#platform/clock.server.ts";
import {
  listTips,
  listUnconfirmedTipResults,
  readRaceCardSummaries,
  readResultEntries,
} from "#tips/tips.server.ts";
import { TipPanel, UnconfirmedTipResult } from "#tips/tips.ui.tsx";
import { Button } from "#ui/button.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { countSales } from "../sales-totals.server.ts";
import type { Route } from "./+types/race-card.page.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Race card, Admin",
    description: "A race card with its tips and results.",
    isPrivate: true,
  });

export async function loader({ params, context }: Route.LoaderArgs) {
  const admin = await requireAdmin(context);
  const { raceCardId } = params;
  const at = now();
  const summary = isId(raceCardId)
    ? (await readRaceCardSummaries([raceCardId])).get(raceCardId)
    : undefined;
  if (!summary) throw data(null, { status: 404 });
  const [{ tips }, sales, unconfirmed] = await Promise.all([
    listTips({ at, raceCardId, limit: 12 }),
    countSales([raceCardId]),
    listUnconfirmedTipResults(admin.id, { raceCardId }),
  ]);
  const entries = await readResultEntries(...tips.map((tip) => tip.id));
  const users = await readUsers([
    ...new Set([
      ...entries.map((entry) => entry.actorId),
      ...unconfirmed.map((entry) => entry.enteredBy),
    ]),
  ]);
  const findUnconfirmed = (tipId: string | null) => {
    const entry = unconfirmed.find((each) => each.tipId === tipId);
    if (!entry) return null;
    const { id, reason, enteredBy, enteredAt, mayConfirm } = entry;
    const enteredByName = users.get(enteredBy)?.name ?? "";
    return { id, reason, enteredByName, enteredAt, isOwn: enteredBy === admin.id, mayConfirm };
  };
  return {
    raceCardId,
    venueName: summary.venue.name,
    raceDate: summary.raceDate,
    creator: { id: summary.creator.id, name: summary.creator.name },
    sales: sales.get(raceCardId) ?? 0,
    unconfirmedVoid: findUnconfirmed(null),
    tips: tips
      .sort((a, b) => a.raceNumber - b.raceNumber)
      .map((tip) => ({
        ...tip,
        unconfirmed: findUnconfirmed(tip.id),
        canSettle: computeSettleableAt(tip.raceDate, tip.offAt) <= at,
        history: entries
          .filter((entry) => entry.tipId === tip.id)
          .map((entry) => ({
            result: entry.result,
            reason: entry.reason,
            at: entry.createdAt,
            by: users.get(entry.actorId)?.name ?? "",
          })),
      })),
  };
}

/** A race card with its races and the admin actions on each. */
export default function AdminRaceCard({ loaderData }: Route.ComponentProps) {
  const { raceCardId, venueName, raceDate, creator, sales, tips, unconfirmedVoid } = loaderData;
  const isVoid = tips.every((tip) => tip.result === "void");
  return (
    <div className="grid gap-6">
      <div>
        <TextLink to="/admin/tips" standalone className="text-sm">
          All tips
        </TextLink>
        <SectionHeading
          className="mt-2"
          aside={<TextLink to={`/admin/users/${creator.id}`}>{creator.name}</TextLink>}
        >
          {venueName}, <RaceDate date={raceDate} style="long" />
        </SectionHeading>
      </div>
      <StatRow
        stats={[
          { label: "Races", value: tips.length },
          { label: "Settled", value: tips.filter((tip) => tip.result !== null).length },
          { label: "Sold", value: sales },
          {
            label: "Coins spent",
            value: (
              <CoinAmount
                amountCoins={sales * CARD_PRICE_COINS}
                isUnitVisible={false}
                size="large"
              />
            ),
          },
        ]}
      />
      <ul className="grid gap-4">
        {tips.map((tip) => (
          <li key={tip.id} id={`race-${tip.raceNumber}`} className="scroll-mt-20">
            <TipPanel tip={tip} />
          </li>
        ))}
      </ul>
      {isVoid ? null : (
        <Panel title="Void this race card" tone="well" className="max-w-xl">
          <p className="mb-3 text-sm text-ink-2">
            Void the race card if the whole meeting was abandoned. All its tips become void and
            don't count in the record. {creator.name} earns nothing from it, and buyers get their
            coins back.
          </p>
          {unconfirmedVoid ? (
            <UnconfirmedTipResult entry={unconfirmedVoid} what="voided this race card" />
          ) : null}
          {unconfirmedVoid?.mayConfirm === false ? null : (
            <AdminActionForm
              key={unconfirmedVoid?.id}
              action={`/admin/race-cards/${raceCardId}/void`}
              fields={unconfirmedVoid ? { reason: unconfirmedVoid.reason } : undefined}
              className="mt-3 flex flex-wrap items-end gap-2"
            >
              {(isPending) => (
                <>
                  {unconfirmedVoid ? null : (
                    <TextField
                      label="Reason"
                      name="reason"
                      required
                      maxLength={300}
                      className="min-w-48 flex-1"
                    />
                  )}
                  <Button type="submit" variant="danger" pending={isPending}>
                    Void race card
                  </Button>
                </>
              )}
            </AdminActionForm>
          )}
        </Panel>
      )}
    </div>
  );
}
