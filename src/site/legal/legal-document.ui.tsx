import type { ReactNode } from "react";
import type { CalendarDate } from "#domain/calendar.ts";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { Panel } from "#ui/panel.tsx";
import { usePrices } from "#ui/prices.ts";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { FIGURES } from "../texts/figures.ui.tsx";
import { readText, type Text } from "../texts/read-text.ts";
import { Prose } from "./prose.ui.tsx";

/** A legal text of `content`: date, summary, contents and numbered sections with anchors. */
export function LegalDocument({ text }: { text: Text }) {
  const { above, title, lead, introduction, sections, closing } = readText(text, LEGAL_COMPONENTS);
  return (
    <>
      {above}
      <article className="max-w-[42rem]">
        <PageHeading kicker="Legal" lead={lead}>
          {title}
        </PageHeading>
        {introduction}

        <nav aria-label="On this page" className="mt-6 print:hidden">
          <ol className="grid gap-x-6 sm:grid-cols-2">
            {sections.map((section, index) => (
              <li key={section.id} className="border-b border-rule">
                <a
                  href={`#${section.id}`}
                  className="flex min-h-11 items-center gap-3 text-sm text-green-ink no-underline hover:underline"
                >
                  <span className="w-6 shrink-0 text-right font-cond font-semibold text-ink-3">
                    {index + 1}
                  </span>
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>

        {sections.map((section, index) => (
          <section key={section.id} aria-labelledby={section.id} className="mt-9">
            <h2
              id={section.id}
              className="scotch flex items-baseline gap-3 font-cond text-xl font-bold"
            >
              <span className="text-ink-3">{index + 1}</span>
              <span>{section.title}</span>
            </h2>
            <Prose className="mt-2.5">{section.body}</Prose>
          </section>
        ))}
        {closing.length > 0 ? <Prose className="mt-9">{closing}</Prose> : null}
      </article>
    </>
  );
}

const LEGAL_COMPONENTS = {
  ...FIGURES,
  blockquote: Summary,
  CoinPacks,
  Cookie,
  Entry,
  Helpline,
  InForceFrom,
};

function InForceFrom({ date }: { date: CalendarDate }) {
  return (
    <p className="mt-2 text-sm text-ink-3">
      In force from <RaceDate date={date} style="plain" />
    </p>
  );
}

function Summary({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 border-l-4 border-green-ink bg-green-wash px-4 py-3 text-green-ink">
      <p className="caps">In short</p>
      <div className="mt-1 text-sm text-ink [&_p+p]:mt-2">{children}</div>
    </div>
  );
}

/** An entry of a list of terms. */
function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Cookie({ name, kept, children }: { name: string; kept: string; children: ReactNode }) {
  return (
    <>
      <dt className="font-cond text-lg">{name}</dt>
      <dd>{children}</dd>
      <dd className="text-sm text-ink-3">Kept: {kept}</dd>
    </>
  );
}

function CoinPacks() {
  return (
    <ul>
      {usePrices().coinPacks.map((pack) => (
        <li key={pack.id}>
          {pack.title}: {formatCoins(pack.amountCoins)} for {formatRand(pack.priceCents)}
        </li>
      ))}
    </ul>
  );
}

/** A South African phone number to call for help. */
function Helpline({ name, phone, children }: { name: string; phone: string; children: ReactNode }) {
  return (
    <Panel tone="green" className="mb-8 max-w-[42rem]" aria-label="Help, now">
      <p className="caps text-green-ink">{name}</p>
      <p className="mt-1">
        <a
          href={`tel:+27${phone.replaceAll(" ", "").slice(1)}`}
          className="font-cond text-3xl font-bold text-green-ink no-underline hover:underline"
        >
          {phone.replaceAll(" ", "\u00a0")}
        </a>
      </p>
      <p className="mt-1 text-sm text-ink-2">{children}</p>
    </Panel>
  );
}
