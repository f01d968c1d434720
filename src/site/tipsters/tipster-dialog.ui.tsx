import { useEffect } from "react";
import { Link, useFetcher } from "react-router";
import { formatRaceCount } from "#domain/format-races.ts";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import type { loader } from "./tipster.page.tsx";
import { RecordByType, Results, TipsterHead, TipsterStats } from "./tipster-profile.ui.tsx";

/** A short version of a creator's page. */
export default function TipsterDialog({ slug }: { slug: string }) {
  const { load, data } = useFetcher<typeof loader>();
  useEffect(() => {
    void load(`/tipsters/${slug}`);
  }, [load, slug]);
  if (!data) {
    return (
      <div className="grid gap-4">
        <Skeleton label="Loading" className="h-16 w-full" />
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-32 w-full" />
      </div>
    );
  }
  const { tipster, raceCards, results } = data;
  return (
    <div className="grid gap-6">
      <TipsterHead tipster={tipster} />
      <TipsterStats tipster={tipster} />
      {raceCards.length > 0 ? (
        <section aria-labelledby="dialog-on-sale">
          <SectionHeading id="dialog-on-sale" level={3}>
            Race cards on sale
          </SectionHeading>
          <ul className="mt-1 divide-y divide-rule">
            {raceCards.map(({ raceCard, tips }) => (
              <li key={raceCard.id}>
                <Link
                  to={`/race-cards/${raceCard.id}`}
                  className="flex min-h-11 items-center justify-between gap-4 py-1.5 no-underline hover:underline hover:underline-offset-4"
                >
                  <span>
                    <b className="font-semibold">{raceCard.venue.name}</b>,{" "}
                    <RaceDate date={raceCard.raceDate} />
                  </span>
                  <span className="text-sm text-ink-2">
                    {tips ? "Unlocked" : formatRaceCount(raceCard.races.length)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <section aria-labelledby="dialog-by-type">
        <SectionHeading id="dialog-by-type" level={3}>
          Record by type
        </SectionHeading>
        <RecordByType byType={tipster.byType} className="mt-1" />
      </section>
      <section aria-labelledby="dialog-results">
        <SectionHeading id="dialog-results" level={3}>
          Last results
        </SectionHeading>
        <Results results={results} hasDate className="mt-1" />
      </section>
      <p>
        <Link to={`/tipsters/${slug}`} className="link tap">
          See full record
        </Link>
      </p>
    </div>
  );
}
