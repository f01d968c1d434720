import { publicMeta } from "#platform/public-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { type Information, useInformation } from "../layout/use-information.ts";
import type { Route } from "./+types/responsible-gambling.page.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Responsible gambling",
    description:
      "Free, confidential help with gambling in South Africa: 0800 006 008, 24 hours a day. Warning signs, limits, self-exclusion and where to turn.",
    path: "/responsible-gambling",
  });
}

export default function ResponsibleGambling() {
  return (
    <>
      <Helpline />
      <LegalDocument
        title="Responsible gambling"
        lead="If betting is causing problems for you or someone close to you, free help is available now."
        inForceFrom="2026-11-20"
        summary={
          <p>
            Bet only if you are 18 or older, only with money you can afford to lose, and never to
            win back losses. If that is hard, call 0800&nbsp;006&nbsp;008. It is free, confidential
            and open 24 hours.
          </p>
        }
        sections={sections(useInformation())}
      />
    </>
  );
}

function Helpline() {
  return (
    <Panel tone="green" className="mb-8 max-w-[42rem]" aria-label="Help, now">
      <p className="caps text-green-ink">National Responsible Gambling Programme</p>
      <p className="mt-1">
        <a
          href="tel:+27800006008"
          className="font-cond text-3xl font-bold text-green-ink no-underline hover:underline"
        >
          0800&nbsp;006&nbsp;008
        </a>
      </p>
      <p className="mt-1 text-sm text-ink-2">
        Free, confidential, 24 hours a day. Or WhatsApp{" "}
        <a className="link" href="https://wa.me/27766750710" rel="noreferrer">
          076&nbsp;675&nbsp;0710
        </a>
        .
      </p>
    </Panel>
  );
}

function sections({ supportEmail }: Information): LegalSection[] {
  return [
    {
      id: "get-help",
      title: "Where to get help",
      body: (
        <>
          <p>All of these are independent of us, and none of them will tell us that you called.</p>
          <dl>
            <dt>South African Responsible Gambling Foundation</dt>
            <dd>
              Runs the National Responsible Gambling Programme: counselling by phone and in person,
              free of charge, for gamblers and their families.{" "}
              <a className="link" href="tel:+27800006008">
                0800&nbsp;006&nbsp;008
              </a>
              , WhatsApp 076&nbsp;675&nbsp;0710,{" "}
              <a className="link break-words" href="mailto:helpline@responsiblegambling.org.za">
                helpline@responsiblegambling.org.za
              </a>
              ,{" "}
              <a className="link" href="https://responsiblegambling.org.za" rel="noreferrer">
                responsiblegambling.org.za
              </a>
            </dd>
            <dt>Gamblers Anonymous South Africa</dt>
            <dd>
              Peer support meetings.{" "}
              <a className="link" href="https://gasa.org.za" rel="noreferrer">
                gasa.org.za
              </a>
            </dd>
            <dt>Suicide Crisis Helpline (SADAG)</dt>
            <dd>
              If you feel there is no way out, call now. Open 24 hours:{" "}
              <a className="link" href="tel:+27800567567">
                0800&nbsp;567&nbsp;567
              </a>
              ,{" "}
              <a className="link" href="https://www.sadag.org" rel="noreferrer">
                sadag.org
              </a>
            </dd>
            <dt>LifeLine South Africa</dt>
            <dd>
              Someone to talk to, 24 hours a day:{" "}
              <a className="link" href="tel:+27861322322">
                0861&nbsp;322&nbsp;322
              </a>
            </dd>
            <dt>Debt</dt>
            <dd>
              The National Credit Regulator keeps the list of registered debt counsellors:{" "}
              <a className="link" href="https://www.ncr.org.za" rel="noreferrer">
                ncr.org.za
              </a>
            </dd>
          </dl>
        </>
      ),
    },
    {
      id: "warning-signs",
      title: "Warning signs",
      body: (
        <>
          <p>In the last 12 months:</p>
          <ul>
            <li>Have I bet more than I could afford to lose?</li>
            <li>Have I gone back to try to win back what I lost?</li>
            <li>Have I needed to bet more for the same excitement?</li>
            <li>Have I borrowed, sold something or left a bill unpaid to bet?</li>
            <li>Have I hidden my betting, or lied about it?</li>
            <li>Have I been restless or irritable when I tried to stop?</li>
            <li>Has anyone told me that I bet too much?</li>
          </ul>
          <p>
            If you answer yes to any of these, call the helpline. If you answer yes to several, call
            today.
          </p>
        </>
      ),
    },
    {
      id: "keeping-it-a-pleasure",
      title: "Staying in control",
      body: (
        <ul>
          <li>Set a limit for the day before the first race, tips included, and stick to it.</li>
          <li>Treat betting as entertainment, not income.</li>
          <li>Never chase losses.</li>
          <li>Don't bet when drunk, upset, bored or late at night.</li>
          <li>Don't borrow to bet, or to buy coins.</li>
          <li>Take days off.</li>
          <li>
            A tip is one person's opinion. High confidence is no reason to bet more than you
            planned.
          </li>
        </ul>
      ),
    },
    {
      id: "self-exclusion",
      title: "Self-exclusion",
      body: (
        <p>
          South African law lets you exclude yourself from gambling. Ask any licensed operator or
          your provincial gambling board for the form; they send it to the National Gambling Board (
          <a className="link" href="https://www.ngb.org.za" rel="noreferrer">
            ngb.org.za
          </a>
          ). The National Responsible Gambling Programme offers support while you are excluded.
          Family members harmed by someone's gambling can ask a court to exclude that person.
        </p>
      ),
    },
    {
      id: "what-we-do",
      title: "What we do",
      body: (
        <>
          <ul>
            <li>We don't take bets, and bookmakers don't pay us.</li>
            <li>
              No subscriptions and no promotional emails. We only email you about your account,
              purchases and requests.
            </li>
            <li>
              Every price in coins is shown with its price in rand, so that you know what you are
              spending.
            </li>
            <li>Losing tips stay on the record for everyone to see.</li>
            <li>Tipsters may not promise winners or urge anyone to stake more.</li>
            <li>No one under 18 may have an account.</li>
          </ul>
          <p>
            <strong>Want a break from us too?</strong> Delete your account from your profile. Or
            email{" "}
            <a className="link" href={`mailto:${supportEmail}`}>
              {supportEmail}
            </a>{" "}
            and say that you want to stop because of gambling. We will close your account and tell
            you whether you can cancel your latest purchase. We won't try to change your mind.
          </p>
        </>
      ),
    },
    {
      id: "under-18",
      title: "Under 18",
      body: (
        <p>
          It is illegal for anyone under 18 to gamble in South Africa, and illegal to let them. Log
          out on devices you share, and use the parental controls of the device or your network to
          block betting sites. If you believe that a child has an account here, tell us and we will
          close it.
        </p>
      ),
    },
    {
      id: "someone-close",
      title: "Helping someone close to you",
      body: (
        <p>
          Talk about what you have noticed, without blame. Avoid paying their debts: it rarely
          helps. Families can call the helpline too, with or without the gambler. The{" "}
          <TextLink to="/disclaimer">disclaimer</TextLink> says what our tips are and are not.
        </p>
      ),
    },
  ];
}
