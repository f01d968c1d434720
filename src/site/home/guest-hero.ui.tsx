import { Link } from "react-router";
import { formatRand } from "#domain/coins.ts";
import { formatInteger } from "#ui/format-integer.ts";
import { usePrices } from "#ui/prices.ts";

/** What Furlong is, what it costs and the totals of all records, for visitors who are not signed in. */
export function GuestHero({
  dayName,
  summary: { tipsters, settled, won },
}: {
  /** The day of the listed race cards: 'today'. */
  dayName: string;
  summary: { tipsters: number; settled: number; won: number };
}) {
  return (
    <header className="bg-header text-on-header">
      <div className="mx-auto max-w-6xl px-4 pb-2.5 sm:px-6 sm:pt-3 sm:pb-5">
        <h1 className="font-cond text-[1.6875rem] leading-[1.875rem] font-bold tracking-[-0.01em] sm:text-3xl sm:leading-[2.375rem]">
          {`Horse-racing tips for ${dayName}. `}
          <span className="max-sm:block">
            {formatRand(usePrices().cardCents)} a card. No subscription.
          </span>
        </h1>
        <p className="mt-0.5 text-[0.875rem] leading-5 text-on-header-2">
          {settled > 0
            ? `${formatInteger(tipsters)} ${tipsters === 1 ? "tipster" : "tipsters"}, ${formatInteger(settled)} settled tips, every loser shown. ${((won / settled) * 100).toFixed(1)}% won. `
            : "Every selection and every result becomes public, losers too. "}
          <Link
            to="/rules"
            discover="none"
            className="tap whitespace-nowrap text-on-header underline underline-offset-2"
          >
            See how we count
          </Link>
        </p>
      </div>
    </header>
  );
}
