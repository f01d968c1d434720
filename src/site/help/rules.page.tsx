import type { ReactNode } from "react";
import { describeCutOff } from "#domain/batch.ts";
import { formatCents } from "#domain/format-cents.ts";
import { BETTING_TAX_PERCENT, SETTLEMENT_RULES, TIP_STAKE_CENTS } from "#domain/settlement.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useInformation } from "../layout/use-information.ts";
import { Prose } from "../legal/prose.ui.tsx";
import type { Route } from "./+types/rules.page.ts";
import {
  DEAD_HEAT_EXAMPLES,
  DEDUCTION_EXAMPLES,
  DEDUCTION_PERCENTS,
  EACH_WAY_EXAMPLES,
  PLACE_EXAMPLES,
  PLACE_TERMS,
  type RuleExample,
  TAX_EXAMPLES,
  VOID_EXAMPLES,
  WIN_EXAMPLES,
} from "./rule-examples.ts";

export const handle = { scriptStart: "use" };

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "How tips are settled",
    description:
      "The rules by which every tip on Furlong is settled: official results, win, place and each-way, dead heats, non-runners and void races, with worked examples.",
    path: "/rules",
  });
}

type RuleSource = { name: string; url: string };

/** Where the rules come from. */
const SOURCES = {
  nha: { name: "National Horseracing Authority, rules", url: "https://www.nhra.co.za" },
  citizen: {
    name: "The Citizen, 20 January 2016, on NHA rule 65.8",
    url: "https://www.citizen.co.za",
  },
  sportingPost: {
    name: "Sporting Post, August 2019, on an amended result",
    url: "https://www.sportingpost.co.za/2019/08/flamingo-park-judge-error",
  },
  tab: { name: "TAB, bet types", url: "https://news.tabonline.co.za/LearnBetting/BetTypes" },
  hollywoodbets: {
    name: "Hollywoodbets, fixed odds and starting price",
    url: "https://blog.hollywoodbets.net",
  },
  betTypes: {
    name: "Hollywoodbets Durban July, types of bets",
    url: "https://hollywoodbetsdurbanjuly.co.za/how-to-bet/types-of-bets",
  },
  deadHeat: { name: "Horse Racing QA, dead heat", url: "https://horseracingqa.com/dead-heat" },
  bet365: { name: "bet365, horse racing rules", url: "https://help.nc.bet365.com" },
  deductions: {
    name: "World Sports Betting, deductions",
    url: "https://wsb.datafree.co/terms.php?item=deductions",
  },
} satisfies Record<string, RuleSource>;

export default function Rules() {
  const stake = formatCents(TIP_STAKE_CENTS);
  const { tipCutOffMinutes } = useInformation();
  return (
    <article className="max-w-[46rem]">
      <PageHeading
        kicker="Settlement rules"
        lead="Every tip is settled by the same published rules, from the official result of its race."
      >
        How tips are settled
      </PageHeading>
      <p className="mt-2 text-sm text-ink-2">
        Rules {SETTLEMENT_RULES}. The examples are computed by the code that settles the tips.
      </p>
      <div className="mt-6 border-l-4 border-green-ink bg-green-wash px-4 py-3 text-sm text-ink">
        <p>
          Returns are for an imaginary stake of {stake} a tip. We don't take bets. Amounts are
          rounded down to the cent once, at the end.
        </p>
      </div>

      <Rule
        id="official"
        title="The official result"
        sources={[SOURCES.nha, SOURCES.citizen, SOURCES.sportingPost]}
      >
        <p>
          A result counts once it is official: after the all-clear, as declared for betting. Two of
          our admins enter it separately, with its source. Where there is only one admin, the result
          says so.
        </p>
        <p>
          If we got a result wrong, or the declared result is amended, we correct it with a reason
          and settle every tip of the race again. The earlier version is kept. A horse disqualified
          after the all-clear keeps its place here, as it does for bets.
        </p>
      </Rule>

      <Rule id="marks" title="Until there is an official result">
        <p>
          Tipsters can mark their own tips won or lost after the race. We show these results "as
          marked by the tipster". They don't count in the record until the official result, or our
          own check, confirms them. If the official result is different, what the tipster marked
          stays visible beside it.
        </p>
      </Rule>

      <Rule id="horse" title="Which horse a tip is on" sources={[SOURCES.betTypes]}>
        <p>
          The horse it names. Capitals, accents, punctuation and a country such as (SAF) don't
          matter. If no runner has that name, the runner with the number of the tip, as long as the
          name is only misspelt: one letter in a name of up to 5, two in one of up to 10, three in a
          longer one. Names of three letters must be exact, and no other runner may have a nearer
          name. Otherwise the horse of the tip did not run and the tip is void. A tip that is
          settled keeps its result unless the official result is corrected.
        </p>
        <p>
          Where no runners were declared, our two admins enter the number and the name of each
          placed horse, as far as places are paid and at least of the winner. If number and name of
          a tip both agree with a placed horse, the tip is on that horse. If neither agrees with any
          of them, its horse was not placed. If only one of the two does, the tip is void. So is a
          tip with the number of a non-runner. Results from before we entered names settle no tip
          unless they are corrected.
        </p>
      </Rule>

      <Rule id="win" title="Win tips" sources={[SOURCES.hollywoodbets, SOURCES.tab]}>
        <p>
          A win tip is won if the horse finishes first. At a starting price of 5/1 you win five
          times the stake and get the stake back. At the tote the dividend is everything you get
          back for R1. A horse that doesn't finish, or is disqualified before the result is
          official, has lost.
        </p>
        <p>
          We show the return at the starting price and at the tote separately. If a price isn't
          known, there is no return on that basis, for winners and losers alike.
        </p>
        <Examples caption="Examples of win tips" rows={WIN_EXAMPLES} />
      </Rule>

      <Rule id="dead-heats" title="Dead heats" sources={[SOURCES.deadHeat]}>
        <p>
          A tip on a horse that shares first place is won. At the starting price the stake is
          divided by the number of horses that share the place. That part is paid at full odds and
          the rest is lost, so a dead heat at short odds can lose money. A tote dividend already
          includes the dead heat and isn't divided again.
        </p>
        <Examples caption="Examples of dead heats" rows={DEAD_HEAT_EXAMPLES} />
      </Rule>

      <Rule id="place" title="Place tips" sources={[SOURCES.tab]}>
        <p>
          A place tip is won if the horse finishes in a place that the tote pays. The number of
          places depends on how many horses start. In some major races the tote pays more; the
          result says how many. Horses that share the last paid place are all placed.
        </p>
        <Table
          caption="Places that the tote pays"
          isCaptionVisible
          className="mt-3"
          columns={PLACE_COLUMNS}
          rows={PLACE_TERMS}
          rowKey={(row) => row.starters}
        />
        <p className="mt-3">
          The return is the tote's place dividend, because no South African starting price for a
          place exists. If the dividend isn't known, the tip is won or lost without a return.
        </p>
        <Examples caption="Examples of place tips" rows={PLACE_EXAMPLES} />
      </Rule>

      <Rule id="each-way" title="Each-way tips" sources={[SOURCES.tab]}>
        <p>
          Half the stake is on the win and half on the place, and each half is settled separately.
          In the record an each-way tip is won if the horse is placed. Here the win half is at the
          starting price and the place half at the tote.
        </p>
        <Examples caption="Examples of each-way tips" rows={EACH_WAY_EXAMPLES} />
      </Rule>

      <Rule
        id="void"
        title="Void tips"
        sources={[SOURCES.hollywoodbets, SOURCES.bet365, SOURCES.tab]}
      >
        <p>A void tip counts neither as won nor as lost. A tip is void if:</p>
        <ul>
          <li>the horse doesn't run;</li>
          <li>the race or the meeting is abandoned, or the race is declared void;</li>
          <li>only one horse starts (a walk-over);</li>
          <li>the race is moved to another surface after the tip was published;</li>
          <li>it is a place tip and the tote pays no places;</li>
          <li>
            no runners were declared, and only its number or only its name is that of a placed
            horse.
          </li>
        </ul>
        <p>
          The <TextLink to="/help?answer=abandoned-meeting">help centre</TextLink> explains when you
          get coins back.
        </p>
        <Examples caption="Examples of void tips" rows={VOID_EXAMPLES} />
      </Rule>

      <Rule
        id="deductions"
        title="Withdrawn horses and your own bet"
        sources={[SOURCES.deductions]}
      >
        <p>
          We settle at the starting price, which already reflects every withdrawal. If you bet at a
          fixed price before a horse is withdrawn, your bookmaker deducts part of the winnings:{" "}
          {DEDUCTION_PERCENTS[0]}% for a horse at 2/1 and {DEDUCTION_PERCENTS[1]}% for one at 7/1,
          one after the other. Your bet then returns less than our figure.
        </p>
        <Examples caption="Examples of deductions" rows={DEDUCTION_EXAMPLES} />
      </Rule>

      <Rule id="tax" title="Betting tax" sources={[SOURCES.hollywoodbets]}>
        <p>
          Our figures are before tax. South African bookmakers take {BETTING_TAX_PERCENT}% of the
          winnings on horse racing.
        </p>
        <Examples caption="Example of betting tax" rows={TAX_EXAMPLES} />
      </Rule>

      <Rule id="late" title="Late tips">
        <p>
          A race with a reported off closes for tips {describeCutOff(tipCutOffMinutes)}. A tip
          published at or after the off is settled and shown, but doesn't count in the record. The
          off is the one in the official result. Until that is confirmed, it is the reported one. If
          no off time is known, a tip published at 11:00 or later on the race day is late, unless
          the off becomes known later and was at least 120 minutes after the tip.
        </p>
      </Rule>

      <p className="mt-10 text-sm text-ink-2">
        Is a result wrong? <TextLink to="/contact">Contact us</TextLink>. More answers are in the{" "}
        <TextLink to="/help">help centre</TextLink>.
      </p>
    </article>
  );
}

function Rule({
  id,
  title,
  sources = [],
  children,
}: {
  /** The anchor. Stays stable when the rules move. */
  id: string;
  title: string;
  sources?: readonly RuleSource[];
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="mt-9">
      <SectionHeading id={id}>{title}</SectionHeading>
      <Prose className="mt-2.5">{children}</Prose>
      {sources.length > 0 ? (
        <p className="mt-3 text-xs text-ink-2">
          {sources.length === 1 ? "Source: " : "Sources: "}
          {sources.map((source, index) => (
            <span key={source.url}>
              {index > 0 ? "; " : ""}
              <a className="link" href={source.url} rel="noreferrer">
                {source.name}
              </a>
            </span>
          ))}
        </p>
      ) : null}
    </section>
  );
}

const PLACE_COLUMNS: readonly TableColumn<(typeof PLACE_TERMS)[number]>[] = [
  { key: "starters", header: "Starters", isRowHeader: true, cell: (row) => row.starters },
  { key: "places", header: "Places", cell: (row) => row.places },
];

const EXAMPLE_COLUMNS: readonly TableColumn<RuleExample>[] = [
  { key: "tip", header: "Example", isRowHeader: true, cell: (row) => row.description },
  { key: "outcome", header: "Result", cell: (row) => row.outcome },
  { key: "return", header: "Return", align: "right", cell: (row) => row.returned },
  { key: "profit", header: "Profit", align: "right", cell: (row) => row.profit },
];

function Examples({ caption, rows }: { caption: string; rows: readonly RuleExample[] }) {
  return (
    <Table
      caption={caption}
      className="mt-3"
      columns={EXAMPLE_COLUMNS}
      rows={rows}
      rowKey={(row) => row.description}
    />
  );
}
