import { formatCents } from "#domain/format-cents.ts";
import { BarChart } from "#ui/charts/bar-chart.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import type { TodayData } from "./today.page.tsx";

type Figures = NonNullable<TodayData["figures"]>;

/** The figures of the day, compared with the same weekday of the week before up to the same time. */
export function DayFigures(figures: Figures) {
  const { today, lastWeek, sales, salesLastWeek, priceCents, keptCents, newUsers } = figures;
  const { declinedOrders, expiredOrders } = figures;
  const share = priceCents > 0 ? ` · ${Math.round((keptCents / priceCents) * 100)}%` : "";
  return (
    <StatRow
      stats={[
        {
          label: "Taken today",
          value: <RandAmount amountCents={today.amountCents} size="large" />,
          note: `${formatSales(today.purchases)} · a week ago ${formatCents(lastWeek.amountCents)}`,
        },
        {
          label: "Race cards opened",
          value: formatInteger(sales),
          note: `a week ago ${formatInteger(salesLastWeek)}`,
        },
        {
          label: "Kept after tipsters",
          value: <RandAmount amountCents={keptCents} size="large" />,
          note: `of ${formatCents(priceCents)}${share}`,
        },
        {
          label: "New accounts",
          value: formatInteger(newUsers.users),
          note: `${formatInteger(newUsers.confirmed)} confirmed`,
        },
        {
          label: "Failed payments",
          value: (
            <span className={declinedOrders > 0 ? "text-danger-ink" : undefined}>
              {formatInteger(declinedOrders)}
            </span>
          ),
          note: `${formatInteger(expiredOrders)} not completed`,
        },
      ]}
    />
  );
}

const formatSales = (sales: number) => `${formatInteger(sales)} ${sales === 1 ? "sale" : "sales"}`;

/** Hours of the day that are always shown. */
const FIRST_HOUR = 6;
const LAST_HOUR = 20;

/** What was taken by hour, against the average of the same weekday of the last four weeks. */
export function SalesByHour({ hours }: Pick<Figures, "hours">) {
  const withSales = hours.filter((hour) => hour.amountCents > 0 || hour.usualCents > 0);
  const first = Math.min(FIRST_HOUR, withSales[0]?.hour ?? FIRST_HOUR);
  const last = Math.max(LAST_HOUR, withSales.at(-1)?.hour ?? LAST_HOUR);
  return (
    <section className="grid gap-3">
      <SectionHeading>Sales by hour</SectionHeading>
      <BarChart
        title="Bars: today. Dots: a usual day."
        valueLabel="Taken"
        usualLabel="Usual"
        labelHeading="Hour"
        formatValue={formatCents}
        points={hours.slice(first, last + 1).map(({ hour, amountCents, usualCents }) => ({
          label: `${String(hour).padStart(2, "0")}:00`,
          value: amountCents,
          usual: usualCents,
        }))}
      />
      <p className="text-xs text-ink-2">
        A usual day is the average of this weekday in the last four weeks.
      </p>
    </section>
  );
}
