import { BadgeCheck, Banknote, CalendarClock, Eye, Scale, Ticket } from "lucide-react";
import type { ReactNode } from "react";
import text from "#content/help/how-it-works.mdx";
import type { CoinPack } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand } from "#domain/coins.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { Badge } from "#ui/badge.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { classNames } from "#ui/class-names.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { LIST_PATH } from "#ui/list-path.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { usePrices } from "#ui/prices.ts";
import { Confidence } from "#ui/racing/confidence.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { RaceTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { useLayoutViewer } from "../layout/use-layout-viewer.ts";
import { FIGURES } from "../texts/figures.ui.tsx";
import { isTag, readText, type TextSection } from "../texts/read-text.ts";
import type { Route } from "./+types/how-it-works.page.ts";

export const handle = { scriptStart: "use" };

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "How it works",
    description: `Create an account, buy coins, choose a race card and open it for ${formatCoins(CARD_PRICE_COINS)}. What you get, what it costs, and how to become a tipster.`,
    path: "/how-it-works",
  });
}

export default function HowItWorks() {
  const viewer = useLayoutViewer();
  const { title, lead, introduction, sections, closing } = readText(text, COMPONENTS);
  return (
    <>
      <PageHeading
        kicker="How it works"
        lead={lead}
        actions={
          <>
            {viewer ? (
              <ButtonLink to="/my-cards" size="large">
                My cards
              </ButtonLink>
            ) : (
              <ButtonLink to="/login?mode=register" size="large">
                Create an account
              </ButtonLink>
            )}
            <ButtonLink to={LIST_PATH} variant="secondary" size="large">
              See today's race cards
            </ButtonLink>
          </>
        }
      >
        {title}
      </PageHeading>
      {introduction}
      {sections.map((section) =>
        section.id === "tipsters" ? (
          <Recruitment key={section.id} section={section} />
        ) : (
          <Section key={section.id} section={section} />
        ),
      )}
      <div className="mt-12 text-center text-sm text-ink-2">{closing}</div>
      <p className="mt-3 text-center">
        <ButtonLink to="/contact" variant="secondary">
          Contact us
        </ButtonLink>
      </p>
    </>
  );
}

/** A section whose first paragraph, if it begins with one, is its lead. */
function Section({ section: { id, title, body } }: { section: TextSection }) {
  const [first, ...others] = body;
  const lead = isTag(first, "p") ? first.props.children : null;
  return (
    <section aria-labelledby={id} className="mt-14">
      <SectionHeading id={id} lead={lead}>
        {title}
      </SectionHeading>
      {lead ? others : body}
    </section>
  );
}

function Steps({ children }: { children: ReactNode }) {
  return (
    <ol className="mt-10 grid gap-px overflow-hidden rounded-md border border-rule bg-rule sm:grid-cols-2 lg:grid-cols-4">
      {children}
    </ol>
  );
}

type StepProps = { number: string; title: string; children: ReactNode };

function Step({ number, title, children }: StepProps) {
  return (
    <li className="bg-sheet p-5">
      <NumberCloth number={Number(number)} kind="saddle" size="large" />
      <h2 className="mt-4 font-cond text-xl font-bold">{title}</h2>
      <p className="mt-1.5 text-sm text-ink-2">{children}</p>
    </li>
  );
}

function BesideExample({ children }: { children: ReactNode }) {
  return (
    <div className="mt-5 grid items-start gap-8 lg:grid-cols-2">
      {children}
      <ExampleTip />
    </div>
  );
}

function IncludedList({ children }: { children: ReactNode }) {
  return <ul className="grid gap-x-8">{children}</ul>;
}

function Included({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-3 border-b border-rule py-2.5">
      <span aria-hidden="true" className="mt-2 size-2 shrink-0 rounded-full bg-green" />
      {children}
    </li>
  );
}

function ExampleTip() {
  return (
    <figure className="rounded-md border border-rule bg-sheet">
      <figcaption className="flex items-baseline justify-between gap-4 border-b border-rule px-4 py-2.5">
        <span className="font-cond text-lg font-bold">One race from an opened race card</span>
        <span className="text-xs text-ink-2">Example, not a real tip</span>
      </figcaption>
      <div className="p-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <NumberCloth number={4} />
          <RaceTime time="14:20" className="text-lg" />
          <Badge tone="green">Win</Badge>
          <Confidence level="high" />
        </div>
        <div className="mt-4 flex items-center gap-3">
          <NumberCloth number={7} kind="saddle" size="large" />
          <p className="font-cond text-2xl font-bold">Karoo Thunder</p>
        </div>
        <p className="mt-3 text-sm text-ink-2">
          Second run after a rest, when this stable's horses improve. Drawn 4 over
          1&nbsp;400&nbsp;m, which saves him the wide trip that beat him last time. The favourite
          wants further. If the going turns soft I would be less sure.
        </p>
      </div>
    </figure>
  );
}

function Features({ children }: { children: ReactNode }) {
  return <ul className="mt-5 grid gap-x-8 gap-y-7 sm:grid-cols-2 lg:grid-cols-3">{children}</ul>;
}

const ICONS = {
  badge: BadgeCheck,
  banknote: Banknote,
  clock: CalendarClock,
  eye: Eye,
  scale: Scale,
  ticket: Ticket,
};

type FeatureProps = { icon: keyof typeof ICONS; title: string; children: ReactNode };

function Feature({ icon, title, children }: FeatureProps) {
  const Icon = ICONS[icon];
  return (
    <li className="flex gap-3.5">
      <Icon
        className="mt-0.5 size-6 shrink-0 text-green-ink"
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <div>
        <h3 className="font-semibold">{title}</h3>
        <p className="mt-1 text-sm text-ink-2">{children}</p>
      </div>
    </li>
  );
}

function CoinPacks() {
  return (
    <ul className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      {usePrices().coinPacks.map((pack) => (
        <Pack key={pack.id} pack={pack} />
      ))}
    </ul>
  );
}

function Pack({ pack }: { pack: CoinPack }) {
  const raceCardCount = pack.amountCoins / CARD_PRICE_COINS;
  return (
    <li
      className={classNames(
        "flex flex-col rounded-md border bg-sheet p-4",
        pack.popular ? "border-green-ink" : "border-rule",
      )}
    >
      <div className="flex items-baseline justify-between gap-2">
        <h3 className="font-cond text-lg font-bold">{pack.title}</h3>
        {pack.popular ? <Badge tone="solid">Popular</Badge> : null}
      </div>
      <p className="text-sm text-ink-2">{pack.description}</p>
      <p className="mt-3 flex items-baseline justify-between gap-3">
        <CoinAmount amountCoins={pack.amountCoins} size="large" />
        <RandAmount amountCents={pack.priceCents} size="large" />
      </p>
      <p className="mt-1 flex justify-between gap-3 text-sm text-ink-2">
        <span>{raceCardCount === 1 ? "1 race card" : `${raceCardCount} race cards`}</span>
        <span>{pack.savingCents > 0 ? `saves ${formatRand(pack.savingCents)}` : ""}</span>
      </p>
    </li>
  );
}

function BuyCoins({ children }: { children: ReactNode }) {
  const path = useLayoutViewer() ? "/buy-coins" : "/login?mode=register&return=buy-coins";
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
      <ButtonLink to={path} variant="coin" size="large">
        Buy Coins
      </ButtonLink>
      <p className="max-w-prose text-sm text-ink-2">{children}</p>
    </div>
  );
}

function Recruitment({ section: { id, title, body } }: { section: TextSection }) {
  return (
    <section
      aria-labelledby={id}
      className="mt-14 rounded-md bg-header px-5 py-8 text-on-header sm:px-10 sm:py-10"
    >
      <div className="grid items-center gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <h2 id={id} className="font-cond text-2xl font-bold sm:text-3xl">
            {title}
          </h2>
          <div className="mt-2 max-w-[60ch] text-on-header-2 [&_strong]:font-semibold [&_strong]:text-on-header">
            {body}
          </div>
        </div>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/tipster-auth" variant="secondary" size="large">
            Become a tipster
          </ButtonLink>
          <ButtonLink
            to="/terms"
            variant="quiet"
            size="large"
            className="text-on-header hover:bg-green-strong"
          >
            Tipster terms
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

const COMPONENTS = {
  ...FIGURES,
  BesideExample,
  BuyCoins,
  CardPrice: () => <CoinAmount amountCoins={CARD_PRICE_COINS} priceCents={usePrices().cardCents} />,
  CoinPacks,
  Feature,
  Features,
  li: Included,
  LowestPackPrice: () =>
    formatRand(Math.min(...usePrices().coinPacks.map((pack) => pack.priceCents))),
  Step,
  Steps,
  ul: IncludedList,
};
