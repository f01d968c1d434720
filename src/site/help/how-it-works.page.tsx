import { BadgeCheck, Banknote, CalendarClock, Eye, Scale, Ticket } from "lucide-react";
import type { ReactNode } from "react";
import type { CoinPack, PriceList } from "#domain/coin-packs.ts";
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
import { TextLink } from "#ui/text-link.tsx";
import { useInformation } from "../layout/use-information.ts";
import { useLayoutViewer } from "../layout/use-layout-viewer.ts";
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
  return (
    <>
      <PageHeading
        kicker="How it works"
        lead="Buy a tipster's race card for one track and one day. No subscription."
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
        How Furlong works
      </PageHeading>
      <Steps />
      <OpenedRaceCard />
      <Features />
      <Pricing isSignedIn={viewer !== null} />
      <Recruitment />
      <p className="mt-12 text-center text-sm text-ink-2">
        Questions? The <TextLink to="/help">help centre</TextLink> has most answers.
      </p>
      <p className="mt-3 text-center">
        <ButtonLink to="/contact" variant="secondary">
          Contact us
        </ButtonLink>
      </p>
    </>
  );
}

const listSteps = ({
  coinPacks,
  cardCents,
}: PriceList): readonly { title: string; text: ReactNode }[] => [
  {
    title: "Create an account",
    text: "Enter your name, email address and a password, then confirm your email. It's free. You must be 18 or older.",
  },
  {
    title: "Buy coins",
    text: `Packs from ${formatRand(Math.min(...coinPacks.map((pack) => pack.priceCents)))}, paid in rand on our payment provider's secure page. Coins never expire, and we never charge you automatically.`,
  },
  {
    title: "Choose a race card",
    text: "Track, race numbers and times, confidence, and the tipster's record are free to see.",
  },
  {
    title: "Open it",
    text: (
      <>
        <CoinAmount amountCoins={CARD_PRICE_COINS} priceCents={cardCents} /> opens the whole race
        card, whether it has one race or twelve. It stays in your account.
      </>
    ),
  },
];

function Steps() {
  return (
    <ol className="mt-10 grid gap-px overflow-hidden rounded-md border border-rule bg-rule sm:grid-cols-2 lg:grid-cols-4">
      {listSteps(usePrices()).map((step, index) => (
        <li key={step.title} className="bg-sheet p-5">
          <NumberCloth number={index + 1} kind="saddle" size="large" />
          <h2 className="mt-4 font-cond text-xl font-bold">{step.title}</h2>
          <p className="mt-1.5 text-sm text-ink-2">{step.text}</p>
        </li>
      ))}
    </ol>
  );
}

const included = [
  "Every tip by that tipster at that track that day",
  "Horse, saddle-cloth number and off time",
  "Win, place or each-way",
  "The tipster's confidence: HIGH, MEDIUM or LOW",
  "The full analysis, in the tipster's own words",
  "Races added later, at no extra cost",
  "The result, once it is entered",
  "The race card under My cards, whenever you need it",
];

function OpenedRaceCard() {
  return (
    <section aria-labelledby="what-you-get" className="mt-14">
      <SectionHeading
        id="what-you-get"
        lead="A locked race card hides the selections and the analysis. Open it to see:"
      >
        What an opened race card includes
      </SectionHeading>
      <div className="mt-5 grid items-start gap-8 lg:grid-cols-2">
        <ul className="grid gap-x-8">
          {included.map((line) => (
            <li key={line} className="flex gap-3 border-b border-rule py-2.5">
              <span aria-hidden="true" className="mt-2 size-2 shrink-0 rounded-full bg-green" />
              {line}
            </li>
          ))}
        </ul>
        <ExampleTip />
      </div>
    </section>
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

const features: readonly { icon: typeof Ticket; title: string; text: string }[] = [
  {
    icon: Ticket,
    title: "No subscription",
    text: "Buy coins and open race cards when you want. We don't store your card details and there are no monthly charges.",
  },
  {
    icon: CalendarClock,
    title: "Published before the race",
    text: "A published tip can't be changed, and we show when it was published.",
  },
  {
    icon: Eye,
    title: "Losers stay on the record",
    text: "Selections become public with the official result of their race, winners and losers alike.",
  },
  {
    icon: Scale,
    title: "Real figures",
    text: "Win rates count settled tips only. Tipsters are ranked once they have 20, and we show the margin of error.",
  },
  {
    icon: BadgeCheck,
    title: "Approved tipsters",
    text: "We review every tipster's application and invite every analyst. We can suspend either.",
  },
  {
    icon: Banknote,
    title: "Prices in rand",
    text: "We show the rand price next to every coin price.",
  },
];

function Features() {
  return (
    <section aria-labelledby="features" className="mt-14">
      <SectionHeading id="features">Why use Furlong</SectionHeading>
      <ul className="mt-5 grid gap-x-8 gap-y-7 sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-3.5">
            <Icon
              className="mt-0.5 size-6 shrink-0 text-green-ink"
              strokeWidth={1.75}
              aria-hidden="true"
            />
            <div>
              <h3 className="font-semibold">{title}</h3>
              <p className="mt-1 text-sm text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pricing({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <section aria-labelledby="pricing" className="mt-14">
      <SectionHeading
        id="pricing"
        lead={`Eight packs, each named after a South African champion. A race card costs ${formatCoins(CARD_PRICE_COINS)}.`}
      >
        Pricing
      </SectionHeading>
      <ul className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {usePrices().coinPacks.map((pack) => (
          <Pack key={pack.id} pack={pack} />
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <ButtonLink
          to={isSignedIn ? "/buy-coins" : "/login?mode=register&return=buy-coins"}
          variant="coin"
          size="large"
        >
          Buy Coins
        </ButtonLink>
        <p className="max-w-prose text-sm text-ink-2">
          Purchases are final, except where the law gives you a right to cancel:{" "}
          <TextLink to="/terms-of-service#refunds">refunds and cancelling</TextLink>. Coins never
          expire.
        </p>
      </div>
    </section>
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

function Recruitment() {
  const { earningCents, sharePercent } = useInformation().saleTerms;
  return (
    <section
      aria-labelledby="tipsters"
      className="mt-14 rounded-md bg-header px-5 py-8 text-on-header sm:px-10 sm:py-10"
    >
      <div className="grid items-center gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <h2 id="tipsters" className="font-cond text-2xl font-bold sm:text-3xl">
            Good at picking winners?
          </h2>
          <p className="mt-2 max-w-[60ch] text-on-header-2">
            Publish under your display name and build a public record. You earn{" "}
            <strong className="font-semibold text-on-header">{sharePercent}%</strong>:{" "}
            {formatRand(earningCents)} each time someone opens one of your race cards. Paid by bank
            transfer on the 15th, once R100 is payable. We read every application.
          </p>
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
