import { useEffect } from "react";
import { data, Form, useNavigation } from "react-router";
import * as v from "valibot";
import { requireCreator } from "#creators/creators.server.ts";
import { timeAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { SPOKEN_TIP_TYPES } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { RadioGroupField } from "#ui/forms/radio-group-field.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { RaceDate, RaceTime } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { markResults, type TipMark } from "../mark-results.server.ts";
import { type OwnTip, readOwnTips } from "../own-tips.server.ts";
import type { Route } from "./+types/results.page.ts";
import { groupTipsByRaceCard } from "./own-race-card.ui.tsx";
import { RESULT_REFUSALS } from "./result-refusals.ts";

const MAX_TIPS = 60;
const FIELD_PREFIX = "result.";

const marksInput = v.array(
  v.object({ tipId: v.pipe(v.string(), v.check(isId)), result: v.picklist(["won", "lost"]) }),
);

type MarkPassResponse = {
  ok: boolean;
  title: string;
  message?: string;
  /** The marks of a refused request, which the form keeps. */
  marks: TipMark[];
};

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Results to mark",
    description: "Your tips whose races are over.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  const creator = await requireCreator(context);
  return await readOwnTips(creator.id, { at: now(), state: "to-settle", limit: MAX_TIPS });
}

export async function action({ context, request }: Route.ActionArgs) {
  const creator = await requireCreator(context);
  const entries = [...(await request.formData())]
    .filter(([name]) => name.startsWith(FIELD_PREFIX))
    .map(([name, result]) => ({ tipId: name.slice(FIELD_PREFIX.length), result }));
  const parsed = v.safeParse(marksInput, entries);
  const refuse = (
    status: number,
    response: Omit<MarkPassResponse, "ok" | "marks">,
    marks: TipMark[] = [],
  ) => data<MarkPassResponse>({ ok: false, marks, ...response }, { status });
  if (!parsed.success || parsed.output.length === 0)
    return refuse(422, { title: "Please choose won or lost for at least one race." });
  const marks = parsed.output;
  const outcome = await markResults(creator.id, marks);
  if (outcome.ok) {
    const title = marks.length === 1 ? "1 result marked" : `${marks.length} results marked`;
    return data<MarkPassResponse>({ ok: true, title, marks: [] });
  }
  const { status, title, message } = RESULT_REFUSALS[outcome.refusal];
  const isPart = outcome.tipIds.length < marks.length;
  return refuse(
    status,
    isPart
      ? {
          title: `Nothing was saved: ${outcome.tipIds.length} of the ${marks.length} can't be marked.`,
          message: `${title} Check the others and mark them again.`,
        }
      : { title, message },
    marks.filter(({ tipId }) => !outcome.tipIds.includes(tipId)),
  );
}

export { shouldRevalidate } from "./revalidate-after-result.ts";

/** The tips whose races are over, to be marked as won or lost in one pass. */
export default function ResultsToMark({ loaderData, actionData: response }: Route.ComponentProps) {
  const { tips, next } = loaderData;
  const isPending = useNavigation().formAction === "/tipster-dashboard/results";
  useEffect(() => {
    if (response?.ok) showToast({ type: "success", title: response.title });
  }, [response]);
  const marked = new Map(response?.marks.map(({ tipId, result }) => [tipId, result]));
  return (
    <div className="grid max-w-3xl gap-6">
      <SectionHeading lead="A mark is your claim: it is shown as such and counts nowhere. Your record counts official results only. For place and each-way tips, won means placed. You can't change a mark.">
        Results to mark
      </SectionHeading>
      {response ? (
        <FormMessage type={response.ok ? "success" : "warning"} title={response.title}>
          {response.message}
        </FormMessage>
      ) : null}
      {tips.length === 0 ? (
        <EmptyState
          compact
          drawing="paddock"
          title="No results to mark"
          action={<ButtonLink to="/tipster-dashboard">Back to today</ButtonLink>}
        >
          A tip appears here after the off of its race, and from 18:00 if the off isn't known.
        </EmptyState>
      ) : (
        <Form method="post" className="grid gap-6">
          {groupTipsByRaceCard(tips).map((card) => (
            <section key={card.raceCardId} aria-label={`${card.venueName}, ${card.raceDate}`}>
              <SectionHeading level={3}>
                {card.venueName}, <RaceDate date={card.raceDate} />
              </SectionHeading>
              <ul>
                {card.tips.map((tip) => (
                  <li key={tip.id} className="border-b border-rule py-2.5">
                    <TipToMark tip={tip} mark={marked.get(tip.id)} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" pending={isPending} pendingLabel="Saving">
              Mark results
            </Button>
            <p className="text-sm text-ink-2">
              {next
                ? "More of your tips appear here after these."
                : "Leave out what you don't know yet."}
            </p>
          </div>
        </Form>
      )}
    </div>
  );
}

function TipToMark({ tip, mark }: { tip: OwnTip; mark?: "won" | "lost" }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <NumberCloth number={tip.raceNumber} isOver />
      <RaceTime
        time={tip.offAt ? timeAt(tip.offAt) : null}
        date={tip.raceDate}
        className="text-sm"
      />
      <NumberCloth number={tip.horseNumber} kind="saddle" size="small" />
      <p className="min-w-0 flex-1 basis-32">
        <span className="block leading-5 font-semibold">{tip.horseName}</span>
        <span className="block text-xs text-ink-2">{SPOKEN_TIP_TYPES[tip.tipType]}</span>
      </p>
      <RadioGroupField
        key={mark}
        label={`Race ${tip.raceNumber}, ${tip.horseName}`}
        labelHidden
        name={`${FIELD_PREFIX}${tip.id}`}
        defaultValue={mark}
        options={[
          { value: "won", label: "Won" },
          { value: "lost", label: "Lost" },
        ]}
        className="w-full sm:w-40"
      />
    </div>
  );
}
