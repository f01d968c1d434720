import { isValidElement, type ReactNode } from "react";
import text from "#content/help/rules.mdx";
import { formatCents } from "#domain/format-cents.ts";
import { BETTING_TAX_PERCENT, SETTLEMENT_RULES, TIP_STAKE_CENTS } from "#domain/settlement.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { Prose } from "../legal/prose.ui.tsx";
import { FIGURES } from "../texts/figures.ui.tsx";
import { readText } from "../texts/read-text.ts";
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

export default function Rules() {
  const { title, lead, introduction, sections, closing } = readText(text, RULE_COMPONENTS);
  return (
    <article className="max-w-[46rem]">
      <PageHeading kicker="Settlement rules" lead={lead}>
        {title}
      </PageHeading>
      {introduction}
      {sections.map((section) => (
        <section key={section.id} aria-labelledby={section.id} className="mt-9">
          <SectionHeading id={section.id}>{section.title}</SectionHeading>
          <Prose className="mt-2.5">{section.body.filter((node) => !isSources(node))}</Prose>
          {section.body.filter(isSources)}
        </section>
      ))}
      <div className="mt-10 text-sm text-ink-2">{closing}</div>
    </article>
  );
}

const isSources = (node: ReactNode) => isValidElement(node) && node.type === Sources;

function Version({ children }: { children: ReactNode }) {
  return <p className="mt-2 text-sm text-ink-2">{children}</p>;
}

function Basis({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 border-l-4 border-green-ink bg-green-wash px-4 py-3 text-sm text-ink">
      {children}
    </div>
  );
}

/** Where a rule comes from, below its text. */
function Sources({ children }: { children: ReactNode }) {
  return <p className="mt-3 text-xs text-ink-2">{children}</p>;
}

function PlaceTerms() {
  return (
    <Table
      caption="Places that the tote pays"
      isCaptionVisible
      className="my-3"
      columns={PLACE_COLUMNS}
      rows={PLACE_TERMS}
      rowKey={(row) => row.starters}
    />
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

const RULE_COMPONENTS = {
  ...FIGURES,
  blockquote: Basis,
  BettingTax: () => `${BETTING_TAX_PERCENT}%`,
  DeadHeatExamples: () => <Examples caption="Examples of dead heats" rows={DEAD_HEAT_EXAMPLES} />,
  DeductionExamples: () => <Examples caption="Examples of deductions" rows={DEDUCTION_EXAMPLES} />,
  EachWayExamples: () => <Examples caption="Examples of each-way tips" rows={EACH_WAY_EXAMPLES} />,
  FavouriteDeduction: () => `${DEDUCTION_PERCENTS[0]}%`,
  OutsiderDeduction: () => `${DEDUCTION_PERCENTS[1]}%`,
  PlaceExamples: () => <Examples caption="Examples of place tips" rows={PLACE_EXAMPLES} />,
  PlaceTerms,
  SettlementRules: () => SETTLEMENT_RULES,
  Sources,
  Stake: () => formatCents(TIP_STAKE_CENTS),
  TaxExamples: () => <Examples caption="Example of betting tax" rows={TAX_EXAMPLES} />,
  Version,
  VoidExamples: () => <Examples caption="Examples of void tips" rows={VOID_EXAMPLES} />,
  WinExamples: () => <Examples caption="Examples of win tips" rows={WIN_EXAMPLES} />,
};
