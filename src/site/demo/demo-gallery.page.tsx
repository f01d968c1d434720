import { ArrowRight, Bell, LogOut, Menu, Plus, Search, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { data } from "react-router";
import { TRACKS } from "#domain/tracks.ts";
import { env } from "#platform/env.server.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { Carousel } from "#ui/carousel.tsx";
import { BarChart } from "#ui/charts/bar-chart.tsx";
import { FormLine } from "#ui/charts/form-line.tsx";
import { ProfitChart } from "#ui/charts/profit-chart.tsx";
import { RateBar, ShareBar } from "#ui/charts/rate-bar.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { Countdown } from "#ui/countdown.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { DialogLink } from "#ui/dialog-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { CheckboxField } from "#ui/forms/checkbox-field.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PasswordField } from "#ui/forms/password-field.tsx";
import { RadioGroupField } from "#ui/forms/radio-group-field.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { LinkTabs } from "#ui/link-tabs.tsx";
import { Logo, LogoMark } from "#ui/logo.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Pagination } from "#ui/pagination.tsx";
import { Panel } from "#ui/panel.tsx";
import { Confidence } from "#ui/racing/confidence.tsx";
import { Going } from "#ui/racing/going.tsx";
import { LastResults } from "#ui/racing/last-results.tsx";
import { LevelBadge } from "#ui/racing/level-badge.tsx";
import { LockedSelection } from "#ui/racing/locked-selection.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { RaceSquares } from "#ui/racing/race-squares.tsx";
import { RaceStatus } from "#ui/racing/race-status.tsx";
import { RaceStrip } from "#ui/racing/race-strip.tsx";
import { DateTime, RaceDate, RaceTime } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { ResultBasis } from "#ui/racing/result-basis.tsx";
import { RevealAnimation } from "#ui/racing/reveal-animation.tsx";
import { ScratchedHorse } from "#ui/racing/scratched-horse.tsx";
import { Silks } from "#ui/racing/silks.tsx";
import { TrackOutline } from "#ui/racing/track-outline.tsx";
import { WeatherIcon } from "#ui/racing/weather-icon.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { Slide } from "#ui/slide.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { StatRow } from "#ui/stat.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { Tabs } from "#ui/tabs.tsx";
import { TextLink } from "#ui/text-link.tsx";

export function meta() {
  return [{ title: "Gallery | Furlong" }, { name: "robots", content: "noindex" }];
}

/** The page exists in demo mode only. */
export function loader() {
  if (env().mode !== "demo") throw data(null, { status: 404 });
  return null;
}

const sections = [
  ["race-card", "Race card"],
  ["header", "Header and carousel"],
  ["type", "Type and colour"],
  ["actions", "Buttons and links"],
  ["forms", "Forms"],
  ["messages", "Messages and dialogs"],
  ["figures", "Figures"],
  ["turf", "Turf"],
  ["silks", "Silks"],
  ["tracks", "Tracks"],
  ["lists", "Lists and tables"],
  ["charts", "Charts"],
  ["waiting", "Empty and waiting"],
] as const;

/** Every component in every state, for reviews and screenshot tests. */
export default function DemoGallery() {
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6">
      <PageHeading kicker="Demo" lead="All components in every state, in the theme of your system.">
        Gallery
      </PageHeading>
      <nav aria-label="Sections" className="mt-6 flex flex-wrap gap-x-5">
        {sections.map(([id, name]) => (
          <a
            key={id}
            href={`#${id}`}
            className="link inline-flex min-h-11 min-w-11 items-center text-sm"
          >
            {name}
          </a>
        ))}
      </nav>
      <div className="mt-8 flex flex-col gap-14">
        <Section id="race-card">
          <RaceCardExamples />
        </Section>
        <Section id="header">
          <HeaderExamples />
        </Section>
        <Section id="type">
          <TypographyExamples />
        </Section>
        <Section id="actions">
          <ButtonExamples />
        </Section>
        <Section id="forms">
          <FormExamples />
        </Section>
        <Section id="messages">
          <MessageExamples />
        </Section>
        <Section id="figures">
          <FigureExamples />
        </Section>
        <Section id="turf">
          <RacingExamples />
        </Section>
        <Section id="silks">
          <SilksExamples />
        </Section>
        <Section id="tracks">
          <TrackExamples />
        </Section>
        <Section id="lists">
          <ListExamples />
        </Section>
        <Section id="charts">
          <ChartExamples />
        </Section>
        <Section id="waiting">
          <LoadingExamples />
        </Section>
      </div>
    </div>
  );
}

function Section({ id, children }: { id: (typeof sections)[number][0]; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <SectionHeading id={`${id}-title`}>
        {sections.find(([key]) => key === id)?.[1]}
      </SectionHeading>
      <div className="mt-4">{children}</div>
    </section>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="border-t border-rule py-4 first:border-t-0 first:pt-0 sm:grid sm:grid-cols-[9rem_1fr] sm:gap-6">
      <p className="caps mb-2 text-ink-3 sm:mb-0 sm:pt-1">{label}</p>
      <div className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-3">{children}</div>
    </div>
  );
}

const raceDay = "2026-11-21";
const eightRaces = [
  ["12:10", true],
  ["12:45", true],
  ["13:20", false],
  ["13:55", false],
  ["14:30", false],
  ["15:05", false],
  ["15:40", false],
  ["16:15", false],
].map(([time, isOver], index) => ({
  raceNumber: index + 1,
  time: time as string,
  isOver: isOver as boolean,
}));

function RaceCardExamples() {
  const [isUnlocked, setIsUnlocked] = useState(false);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <article className="rounded-md border border-rule bg-sheet">
        <RaceCardHeader venue="Kenilworth" town="Cape Town" />
        <RaceStrip races={eightRaces} date={raceDay} />
        <RaceCardTipster name="Thandi Mokoena" won={66} settled={210} confidence="high" />
        <div className="px-4 pb-4">
          {isUnlocked ? (
            <RevealAnimation isNewlyOpened>
              <SelectionExample />
            </RevealAnimation>
          ) : (
            <LockedSelection>
              Eight selections with horse, number and analysis. Two of eight races run.
            </LockedSelection>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-rule px-4 py-3">
          <CoinAmount amountCoins={4} priceCents={4000} size="large" />
          <Button
            variant={isUnlocked ? "secondary" : "coin"}
            onClick={() => setIsUnlocked(!isUnlocked)}
          >
            {isUnlocked ? "Close again" : "Open race card"}
          </Button>
        </div>
      </article>
      <article className="rounded-md border border-rule bg-sheet">
        <RaceCardHeader venue="Greyville" town="Durban" isUnlocked />
        <RaceStrip races={eightRaces.slice(3, 6)} date={raceDay} />
        <RaceCardTipster name="Sipho Dlamini" won={0} settled={0} confidence="medium" />
        <div className="flex flex-col gap-2 px-4 pb-4">
          <SelectionExample />
          <LockedSelection size="line" title="Race 5, 14:30">
            Under blinkers
          </LockedSelection>
        </div>
      </article>
    </div>
  );
}

function RaceCardHeader({
  venue,
  town,
  isUnlocked,
}: {
  venue: string;
  town: string;
  isUnlocked?: boolean;
}) {
  return (
    <header className="flex items-start justify-between gap-4 px-4 pt-3 pb-3">
      <div>
        <h3 className="font-cond text-2xl font-bold tracking-[-0.01em]">{venue}</h3>
        <p className="text-sm text-ink-2">
          {town} · <RaceDate date={raceDay} />
        </p>
      </div>
      <div className="flex flex-col items-end gap-1 pt-1 text-sm">
        {isUnlocked ? <Badge tone="green">Unlocked</Badge> : <RaceStatus status="racing" />}
        <Going going="Good" />
      </div>
    </header>
  );
}

function RaceCardTipster(props: {
  name: string;
  won: number;
  settled: number;
  confidence: "high" | "medium" | "low";
}) {
  return (
    <div className="flex items-center gap-3 px-4 py-3">
      <Avatar name={props.name} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          {props.name} <LevelBadge level={props.settled ? "Good" : null} />
        </p>
        <WinRecord wonTips={props.won} settledTips={props.settled} />
      </div>
      <Confidence level={props.confidence} />
    </div>
  );
}

function SelectionExample() {
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 rounded-md border border-rule bg-paper px-3 py-2.5">
      <NumberCloth number={7} kind="saddle" size="large" className="row-span-2" />
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="font-cond text-xl font-bold">Silver Fynbos</p>
        <p className="caps text-ink-2">
          Race 4 · <RaceTime time="13:55" date={raceDay} /> · Win
        </p>
      </div>
      <Confidence level="high" labelled />
      <p className="col-span-2 mt-1 text-sm">
        Drawn one on a track that has favoured the rail all week, and drops two kilograms from a
        second behind a subsequent winner. The pace should be honest; she stays every yard of the
        mile.
      </p>
    </div>
  );
}

function HeaderExamples() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4 rounded-md bg-header px-4 py-2.5 text-on-header">
        <Logo tone="light" />
        <div className="flex items-center gap-2">
          <CoinAmount amountCoins={50} isOnHeader />
          <ButtonLink to="#header" variant="coin" size="small">
            Buy Coins
          </ButtonLink>
          <IconButton label="Menu" variant="onHeader" icon={<Menu aria-hidden="true" />} />
        </div>
      </div>
      <div className="flex items-center gap-8">
        <Logo />
        <Logo markOnly />
        <LogoMark className="h-16 w-14 text-green-ink" />
      </div>
      <Carousel
        label="How Furlong works"
        className="rounded-md"
        slides={[
          {
            key: "card",
            name: "One card, four coins",
            content: (
              <Slide artwork="race-card" title="One card, four coins, every race">
                A tipster's whole day at one track, opened at once and yours to keep.
              </Slide>
            ),
          },
          {
            key: "straight",
            name: "Six tracks",
            content: (
              <Slide artwork="straight" title="From Kenilworth to the Vaal">
                Six tracks, the going and the off times as the course reports them.
              </Slide>
            ),
          },
          {
            key: "silks",
            name: "Records you can check",
            content: (
              <Slide
                artwork="silks"
                title="Winners and losers, both in the book"
                action={
                  <ButtonLink to="#silks" variant="secondary">
                    See the records
                  </ButtonLink>
                }
              >
                Every selection is public after the race day, so a record is what it says.
              </Slide>
            ),
          },
        ]}
      />
    </div>
  );
}

const textColours = [
  "ink",
  "ink-2",
  "ink-3",
  "green-ink",
  "gold-ink",
  "danger-ink",
  "warn-ink",
  "info-ink",
];
const backgroundColours = [
  "paper",
  "sheet",
  "well",
  "green-wash",
  "gold-wash",
  "danger-wash",
  "warn-wash",
  "info-wash",
];

function TypographyExamples() {
  return (
    <>
      <Row label="Headings">
        <div className="flex flex-col gap-2">
          <p className="font-cond text-4xl font-bold">The 14:20 at Kenilworth</p>
          <p className="font-cond text-3xl font-bold">Race cards on sale today</p>
          <p className="font-cond text-2xl font-bold">Turffontein, Standside</p>
          <p className="font-cond text-xl font-bold">Tipster Leaderboard</p>
          <p className="caps">Race 3 · 13:20 · 1200 m</p>
        </div>
      </Row>
      <Row label="Text">
        <div className="flex max-w-prose flex-col gap-3">
          <p>
            Base, sixteen pixels. The course rises twelve metres from the sixteen hundred to the
            eight hundred, the stiffest test in the country, and then there are{" "}
            <a href="#type" className="link">
              eight hundred metres
            </a>{" "}
            still to run.
          </p>
          <p className="text-sm text-ink-2">Small, in the second ink: 0123456789 · R1080 · 31.4%</p>
          <p className="text-xs text-ink-3">Very small, in the third: Schematic, not to scale.</p>
        </div>
      </Row>
      <Row label="Inks and papers">
        <div className="grid w-full grid-cols-2 gap-px overflow-hidden rounded-md border border-rule sm:grid-cols-4">
          {backgroundColours.map((paper, index) => (
            <div key={paper} className="p-3" style={{ background: `var(--${paper})` }}>
              <p
                className="text-sm font-semibold"
                style={{ color: `var(--${textColours[index]})` }}
              >
                {textColours[index]}
              </p>
              <p className="text-xs text-ink">on {paper}</p>
            </div>
          ))}
        </div>
      </Row>
    </>
  );
}

function ButtonExamples() {
  return (
    <>
      {(["primary", "secondary", "quiet", "danger", "coin"] as const).map((variant) => (
        <Row key={variant} label={variant}>
          <Button variant={variant} size="small">
            Small
          </Button>
          <Button variant={variant}>Medium</Button>
          <Button variant={variant} size="large">
            Large
          </Button>
          <Button variant={variant} icon={<Plus aria-hidden="true" />}>
            With icon
          </Button>
          <Button variant={variant} pending pendingLabel="Saving">
            Pending
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
        </Row>
      ))}
      <Row label="Links">
        <ButtonLink to="#actions">Button link</ButtonLink>
        <ButtonLink
          to="#actions"
          variant="quiet"
          className="flex-row-reverse"
          icon={<ArrowRight aria-hidden="true" />}
        >
          View All
        </ButtonLink>
        <TextLink to="#actions" standalone>
          Text link
        </TextLink>
        <DialogLink to="/buy-coins" dialogParameter="buy-coins" className="link">
          Dialog link
        </DialogLink>
      </Row>
      <Row label="Icon buttons">
        <IconButton label="Notifications" icon={<Bell aria-hidden="true" />} />
        <IconButton label="Logout" variant="outline" icon={<LogOut aria-hidden="true" />} />
        <IconButton
          label="Delete"
          variant="outline"
          disabled
          icon={<Trash2 aria-hidden="true" />}
        />
      </Row>
      <Row label="Wide">
        <div className="w-full max-w-sm">
          <Button wide size="large" variant="coin">
            Open race card for 4 coins · R40
          </Button>
        </div>
      </Row>
    </>
  );
}

const venues = TRACKS.map(({ name }) => ({ value: name, label: name }));

function FormExamples() {
  const [confidence, setConfidence] = useState("medium");
  return (
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      <TextField label="Full Name" name="name" autoComplete="name" required />
      <TextField
        label="Email"
        name="email"
        type="email"
        defaultValue="punter@furlong"
        error="Please enter a valid email address"
      />
      <PasswordField label="Password" name="password" hint="Minimum 6 characters" />
      <PasswordField
        label="New password"
        name="new-password"
        defaultValue="abc"
        error="Password must be at least 6 characters long"
      />
      <SelectField label="Venue" name="venue" placeholder="Select a venue" options={venues} />
      <SelectField
        label="Venue"
        name="venue-missing"
        placeholder="Select a venue"
        options={venues}
        error="Please select a venue and race date."
      />
      <TextField label="Race date" name="date" type="date" defaultValue={raceDay} />
      <TextField label="Horse number" name="horse" type="number" min={1} figures defaultValue={7} />
      <TimeField label="Off time" name="off" defaultValue="14:05" />
      <TextField
        label="Search"
        name="q"
        type="search"
        labelHidden
        placeholder="Search the help"
        prefix={<Search aria-hidden="true" />}
      />
      <TextField label="Phone number" name="phone" optional disabled defaultValue="082 000 0000" />
      <RadioGroupField
        label="Confidence"
        name="confidence"
        value={confidence}
        onChange={setConfidence}
        options={[
          { value: "high", label: "High" },
          { value: "medium", label: "Medium" },
          { value: "low", label: "Low" },
        ]}
      />
      <RadioGroupField
        label="Tip type"
        name="type"
        error="Please fill in all fields for each race."
        options={[
          { value: "win", label: "Win" },
          { value: "place", label: "Place" },
          { value: "each-way", label: "Each-way" },
        ]}
      />
      <RadioGroupField
        label="How to pay"
        name="pay"
        layout="list"
        defaultValue="card"
        options={[
          { value: "card", label: "Card", hint: "Visa or Mastercard, charged in rand" },
          { value: "coins", label: "Coins", hint: "You have 50", disabled: true },
        ]}
      />
      <TextAreaField
        label="Bio"
        name="bio"
        maxLength={60}
        defaultValue="Clocks the gallops at Summerveld since 2009, rain or not."
      />
      <CheckboxField label="I am 18 or older and agree to the terms of service" name="terms" />
      <CheckboxField
        label="Keep me signed in"
        hint="Not on a shared computer"
        name="keep"
        error="Please agree to the terms to go on"
        defaultChecked
      />
    </div>
  );
}

function MessageExamples() {
  const { notify, confirm } = useNotification();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Row label="In forms">
        <div className="grid w-full gap-3 sm:grid-cols-2">
          <FormMessage type="success">
            Please check your email for the confirmation link!
          </FormMessage>
          <FormMessage type="error" title="Authentication Failed">
            Invalid email or password. Please check your credentials.
          </FormMessage>
          <FormMessage type="warning">3 of 8 races run</FormMessage>
          <FormMessage type="info">Coins never expire.</FormMessage>
        </div>
      </Row>
      <Row label="Toasts">
        {(["success", "error", "warning", "info"] as const).map((type) => (
          <Button
            key={type}
            variant="secondary"
            onClick={() =>
              showToast({
                type,
                title: "Tip unlocked! 46 coins remaining",
                message: "8 races available",
              })
            }
          >
            {type}
          </Button>
        ))}
      </Row>
      <Row label="Dialogs">
        <Button variant="secondary" onClick={() => setOpen(true)}>
          Dialog
        </Button>
        {(["success", "error", "warning", "info"] as const).map((type) => (
          <Button
            key={type}
            variant="secondary"
            onClick={() => notify({ type, title: "Tip submitted", message: "It is on sale now." })}
          >
            {type} notification
          </Button>
        ))}
        <Button
          variant="secondary"
          onClick={() =>
            confirm({
              title: "Delete venue",
              message: "Are you sure you want to delete this venue?",
              destructive: true,
            })
          }
        >
          Confirmation
        </Button>
        <Dialog
          open={open}
          onOpenChange={setOpen}
          title="Buy Coins"
          description="Coins never expire."
          footer={<Button onClick={() => setOpen(false)}>Done</Button>}
        >
          <FormExamples />
        </Dialog>
      </Row>
    </>
  );
}

function FigureExamples() {
  return (
    <>
      <Row label="Coins">
        <CoinAmount amountCoins={4} size="small" />
        <CoinAmount amountCoins={4} priceCents={4000} />
        <CoinAmount amountCoins={1} />
        <CoinAmount amountCoins={-4} hasSign />
        <CoinAmount amountCoins={400} hasSign />
        <CoinAmount amountCoins={50} isUnitVisible={false} />
        <CoinAmount amountCoins={120} priceCents={108000} size="large" />
        <CoinAmount amountCoins={12480} size="huge" />
      </Row>
      <Row label="Rand">
        <RandAmount amountCents={4000} size="small" />
        <RandAmount amountCents={2800} areCentsShown />
        <RandAmount amountCents={108000} />
        <RandAmount amountCents={-2800} areCentsShown />
        <RandAmount amountCents={20000} isStruckThrough />
        <RandAmount amountCents={1234567} size="large" />
      </Row>
      <Row label="Result basis">
        <ResultBasis
          result="won"
          basis={{ isClaim: true, isOfficial: false, claimedResult: "won" }}
        />
        <ResultBasis
          result="lost"
          basis={{ isClaim: false, isOfficial: true, claimedResult: "won" }}
        />
        <ResultBasis
          result="lost"
          basis={{ isClaim: false, isOfficial: false, claimedResult: "won" }}
        />
      </Row>
      <Row label="Times">
        <RaceTime time="14:20" date={raceDay} />
        <RaceTime time={null} />
        <RaceDate date={raceDay} />
        <RaceDate date={raceDay} style="long" />
        <DateTime at="2026-11-21T12:20:00Z" />
        <span className="text-sm text-ink-2">
          Off in{" "}
          <Countdown now="2026-11-21T10:00:00Z" until="2026-11-21T12:20:00Z" className="text-ink" />
        </span>
        <Countdown now="2026-11-21T10:00:00Z" until="2026-11-21T10:09:30Z" />
        <Countdown now="2026-11-21T10:00:00Z" until="2026-11-21T10:00:00Z" />
      </Row>
      <Row label="Record">
        <WinRecord wonTips={66} settledTips={210} size="large" />
        <WinRecord wonTips={66} settledTips={210} />
        <WinRecord wonTips={3} settledTips={9} label="Place" />
        <WinRecord wonTips={66} settledTips={210} hasOnePersonResults />
        <WinRecord wonTips={0} settledTips={0} />
      </Row>
      <Row label="Statistics">
        <StatRow
          className="w-full"
          stats={[
            { label: "Total Users", value: "1 284" },
            { label: "Racing Tips", value: "612", note: "48 active" },
            { label: "Total Sales", value: "3 907" },
            { label: "Revenue", value: <RandAmount amountCents={15628000} size="large" /> },
          ]}
        />
      </Row>
    </>
  );
}

function RacingExamples() {
  return (
    <>
      <Row label="Number cloths">
        <NumberCloth number={1} size="small" />
        <NumberCloth number={4} />
        <NumberCloth number={12} size="large" />
        <NumberCloth number={2} isOver />
        <NumberCloth number={7} kind="saddle" size="small" />
        <NumberCloth number={7} kind="saddle" />
        <NumberCloth number={18} kind="saddle" size="large" />
      </Row>
      <Row label="Confidence">
        <Confidence level="high" />
        <Confidence level="medium" />
        <Confidence level="low" labelled />
      </Row>
      <Row label="Level and result">
        <LevelBadge level="Expert" />
        <LevelBadge level="Advanced" />
        <LevelBadge level="Good" />
        <LevelBadge level="Developing" />
        <ResultBadge result="won" />
        <ResultBadge result="lost" />
        <ResultBadge result="void" />
        <ResultBadge result={null} />
        <span>
          <ScratchedHorse isScratched>Sea Mist</ScratchedHorse>
        </span>
      </Row>
      <Row label="Badges">
        <Badge>Inactive</Badge>
        <Badge tone="green">Active</Badge>
        <Badge tone="solid">Popular</Badge>
        <Badge tone="danger">Owing</Badge>
        <Badge tone="warn">Late</Badge>
        <Badge tone="info">Processing</Badge>
      </Row>
      <Row label="Going">
        <Going going="Fast" />
        <Going going="Good" />
        <Going going="Soft" />
        <Going going="Heavy" />
        <Going going={null} />
      </Row>
      <Row label="Weather">
        <WeatherIcon weather="sunny" />
        <WeatherIcon weather="cloudy" />
        <WeatherIcon weather="rainy" />
        <WeatherIcon weather="windy" />
      </Row>
      <Row label="Status">
        <RaceStatus status="racing" />
        <RaceStatus status="next" />
        <RaceStatus status="upcoming" />
      </Row>
      <Row label="Blinkers">
        <div className="grid w-full gap-3 sm:grid-cols-2">
          <LockedSelection>Horse, number and analysis open with this card.</LockedSelection>
          <LockedSelection size="line">Opens with this card</LockedSelection>
        </div>
      </Row>
      <Row label="Strip">
        <RaceStrip races={eightRaces} date={raceDay} className="w-full" />
        <RaceStrip races={[{ raceNumber: 5, time: null, isOver: false }]} className="w-full" />
      </Row>
      <Row label="Squares">
        <RaceSquares
          races={eightRaces.map(({ raceNumber, isOver }) => ({
            raceNumber,
            isOver,
            confidence: (["high", "medium", "low"] as const)[raceNumber % 3] ?? "low",
          }))}
        />
      </Row>
      <Row label="Last results">
        <LastResults results="LLWLWLLLWL" />
        <FormLine
          label="Last 8 tips: 2 won, 1 placed, 5 lost"
          outcomes={["lost", "won", "lost", "placed", "lost", "lost", "won", "lost"]}
        />
      </Row>
      <Row label="Rate">
        <RateBar
          percent={28.5}
          range={{ lowPercent: 23.4, highPercent: 34.2 }}
          referencePercent={25}
          maxPercent={60}
          className="h-5 w-60"
        />
        <ShareBar percent={28.5} maxPercent={60} className="h-3 w-60" />
      </Row>
    </>
  );
}

const tipsterNames = [
  "Thandi Mokoena",
  "Sipho Dlamini",
  "Pieter van Wyk",
  "Ayesha Khan",
  "Johan Botha",
  "Lerato Nkosi",
  "Riaan Fourie",
  "Naledi Khumalo",
  "Marcus Bell",
  "Zanele Zulu",
  "Deon Jacobs",
  "Priya Naidoo",
  "The Clocker",
  "Highveld Eye",
  "Rail Runner",
  "First Past The Post",
];

function SilksExamples() {
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-4">
        {tipsterNames.map((name) => (
          <li
            key={name}
            className="flex flex-col items-center gap-1 text-center text-xs text-ink-2"
          >
            <Silks name={name} className="size-20" />
            {name}
          </li>
        ))}
      </ul>
      <div className="mt-6">
        <Row label="Avatars">
          <Avatar name="Thandi Mokoena" size="small" />
          <Avatar name="Thandi Mokoena" />
          <Avatar name="Sipho Dlamini" size="large" />
          <Avatar name="Ayesha Khan" size="huge" />
        </Row>
      </div>
    </>
  );
}

function TrackExamples() {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {TRACKS.map((track) => (
        <Panel key={track.slug} title={track.name} level={3} aside={track.town}>
          <TrackOutline name={track.name} labelled />
          <p className="mt-3 text-sm text-ink-2">{track.characteristics}</p>
        </Panel>
      ))}
    </div>
  );
}

type Purchase = { id: string; at: string; pack: string; coins: number; cents: number };

const purchases: readonly Purchase[] = [
  { id: "a", at: "2026-11-20T08:05:00Z", pack: "Jet Master", coins: 12, cents: 10000 },
  { id: "b", at: "2026-11-14T10:41:00Z", pack: "Horse Chestnut", coins: 4, cents: 4000 },
  { id: "c", at: "2026-11-01T15:20:00Z", pack: "Igugu", coins: 120, cents: 108000 },
];

const purchaseColumns: readonly TableColumn<Purchase>[] = [
  { key: "pack", header: "Coin pack", isRowHeader: true, cell: (row) => row.pack },
  { key: "at", header: "Bought", cell: (row) => <DateTime at={row.at} /> },
  {
    key: "coins",
    header: "Coins",
    align: "right",
    cell: (row) => <CoinAmount amountCoins={row.coins} isUnitVisible={false} />,
  },
  {
    key: "paid",
    header: "Paid",
    align: "right",
    cell: (row) => <RandAmount amountCents={row.cents} areCentsShown />,
  },
  {
    key: "actions",
    header: "Receipt",
    align: "right",
    isLabelHidden: true,
    cell: () => (
      <Button variant="quiet" size="small">
        Receipt
      </Button>
    ),
  },
];

function ListExamples() {
  return (
    <div className="flex flex-col gap-8">
      <LinkTabs
        label="Admin"
        tabs={[
          { to: "?tab=tips", label: "Tips Management", current: true, count: 48 },
          { to: "?tab=venues", label: "Venues Management", current: false },
          { to: "?tab=sales", label: "Sales Overview", current: false },
          { to: "?tab=tipsters", label: "Tipsters", current: false, count: 2 },
        ]}
      />
      <Panel title="Recent purchases" aside="3 of 41">
        <Table
          caption="Recent purchases"
          columns={purchaseColumns}
          rows={purchases}
          rowKey={(row) => row.id}
        />
        <Pagination label="Purchases" newerHref="?newer" olderHref="?older" className="mt-4" />
      </Panel>
      <Panel title="Sales" flush>
        <Table
          caption="Sales"
          columns={purchaseColumns}
          rows={[]}
          rowKey={(row) => row.id}
          empty={
            <EmptyState compact drawing="ledger" title="No sales data found">
              Sales appear here as soon as somebody opens a card.
            </EmptyState>
          }
        />
      </Panel>
      <Tabs
        label="Tips"
        tabs={[
          { value: "today", label: "Today", count: 8, content: <p>Eight tips today.</p> },
          { value: "all", label: "All", content: <p>All tips.</p> },
        ]}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <Panel title="Sheet">On lighter paper.</Panel>
        <Panel title="Well" tone="well">
          Lower than the page.
        </Panel>
        <Panel title="Yours" tone="green" footer={<Button size="small">Act</Button>}>
          What belongs to the viewer.
        </Panel>
      </div>
    </div>
  );
}

const profitPoints = [0, 40, 25, 60, 140, 110, 125, 80, 95].map((profit, index, profits) => ({
  label: `${index + 1} Nov`,
  tips: index * 8,
  profit,
  drawdown: Math.max(...profits.slice(0, index + 1)) - profit,
  comparison: -index * 6,
}));
const earningsByWeek = Array.from({ length: 12 }, (_, index) => ({
  label: `Week ${index + 36}`,
  value: index === 4 ? -5600 : ((index * 37) % 11) * 2800,
}));

function ChartExamples() {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Panel>
        <ProfitChart
          title="Running profit"
          description="The profit rises to R140 and ends at R95."
          comparisonLabel="Favourites"
          points={profitPoints}
          formatValue={(value) => (value < 0 ? `\u2212R${-value}` : `R${value}`)}
        />
      </Panel>
      <Panel>
        <BarChart
          title="Earnings"
          valueLabel="Rand"
          labelHeading="Week"
          points={earningsByWeek}
          formatValue={(value) => (value < 0 ? `\u2212R${-value / 100}` : `R${value / 100}`)}
        />
      </Panel>
    </div>
  );
}

function LoadingExamples() {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {(
          [
            ["paddock", "No cards on sale", "The next ones come in the evening before racing."],
            ["raceCard", "No cards opened yet", "What you open stays here for ever."],
            ["search", "No results found", "Try another word, or ask us."],
            ["ledger", "No purchases yet", "Coins never expire."],
            ["post", "Racing is over for today", "Results are in from five tracks."],
            ["offline", "You are offline", "This page comes back when the line does."],
            ["error", "Something went wrong", "It is written down. Please try again."],
            ["mail", "Check Your Email", "We sent a confirmation link."],
            ["lost", "Oops! This track doesn't exist", "The page seems to have left the paddock."],
          ] as const
        ).map(([drawing, title, text]) => (
          <Panel key={drawing} flush>
            <EmptyState drawing={drawing} title={title}>
              {text}
            </EmptyState>
          </Panel>
        ))}
      </div>
      <div className="mt-6">
        <Row label="Waiting">
          <Spinner label="Loading" className="text-xl text-green-ink" />
          <div className="flex w-full max-w-sm flex-col gap-2">
            <Skeleton className="h-7 w-2/3" label="Loading race cards" />
            <Skeleton className="h-4" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        </Row>
      </div>
    </>
  );
}
