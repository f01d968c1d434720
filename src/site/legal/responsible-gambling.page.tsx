import { Panel } from "#ui/panel.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { publicMeta } from "../public-meta.ts";
import { type Information, useInformation } from "../use-information.ts";
import type { Route } from "./+types/responsible-gambling.page.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Responsible gambling",
    description:
      "Free, confidential help with gambling in South Africa: 0800 006 008, day and night. Warning signs, limits, self-exclusion and where to turn.",
    path: "/responsible-gambling",
  });
}

export default function ResponsibleGambling() {
  return (
    <>
      <Helpline />
      <LegalDocument
        title="Responsible gambling"
        lead="We sell opinions on horse races, so it would be odd to pretend that nobody bets on them. This page is for when betting stops being a pleasure, for you or for somebody close."
        inForceFrom="2026-11-20"
        inShort={
          <p>
            18 or older, only with money you can lose, never to win back what is gone. If that has
            become difficult, ring 0800&nbsp;006&nbsp;008: it is free, confidential, and open at
            four in the morning.
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
        Toll-free, confidential, day and night. Or WhatsApp{" "}
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
              Meetings of people who have been there.{" "}
              <a className="link" href="https://gasa.org.za" rel="noreferrer">
                gasa.org.za
              </a>
            </dd>
            <dt>Suicide Crisis Helpline (SADAG)</dt>
            <dd>
              If it feels as though there is no way out, call now, at any hour:{" "}
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
              Someone to talk to, about anything, at any hour:{" "}
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
          <p>Ask yourself, honestly, over the last twelve months:</p>
          <ul>
            <li>Have I bet more than I could afford to lose?</li>
            <li>Have I gone back to win back what I lost?</li>
            <li>Have I needed larger bets for the same excitement?</li>
            <li>Have I borrowed, sold something or left a bill unpaid to bet?</li>
            <li>Have I hidden my betting, or lied about it?</li>
            <li>Have I been restless or irritable when I tried to stop?</li>
            <li>Has anyone told me that I bet too much?</li>
          </ul>
          <p>One “yes” is worth a phone call. Several are worth making it today.</p>
        </>
      ),
    },
    {
      id: "keeping-it-a-pleasure",
      title: "Keeping it a pleasure",
      body: (
        <ul>
          <li>
            Decide before the first race what the day may cost, tips included, and leave the rest at
            home.
          </li>
          <li>Treat it as the price of an outing. Money won is a surprise, not an income.</li>
          <li>Never chase. The last race is the worst adviser on the card.</li>
          <li>Don't bet when drunk, upset, bored or late at night.</li>
          <li>Don't borrow to bet, or to buy coins.</li>
          <li>Take days off. The horses do.</li>
          <li>
            A tip is one person's opinion. “High confidence” is no reason to stake more than you
            meant to.
          </li>
        </ul>
      ),
    },
    {
      id: "self-exclusion",
      title: "Excluding yourself from betting",
      body: (
        <p>
          South African law lets you exclude yourself from gambling. Ask any licensed operator or
          your provincial gambling board for the form; it is passed on to the National Gambling
          Board (
          <a className="link" href="https://www.ngb.org.za" rel="noreferrer">
            ngb.org.za
          </a>
          ), and the National Responsible Gambling Programme supports you while it lasts. Family
          members can apply to a court to have someone excluded whose gambling harms them.
        </p>
      ),
    },
    {
      id: "what-we-do",
      title: "What we do",
      body: (
        <>
          <ul>
            <li>We take no bets, and get nothing for sending you to anyone who does.</li>
            <li>
              No subscriptions, and no mails to lure you back. We write when you have bought
              something or asked for something.
            </li>
            <li>
              Every price in coins stands next to its price in rand, so that a coin never feels like
              play money.
            </li>
            <li>Losing tips stay on the record for everyone to see.</li>
            <li>Tipsters may not promise winners or urge anyone to stake more.</li>
            <li>Nobody under 18 may have an account.</li>
          </ul>
          <p>
            <strong>Want a break from us too?</strong> Delete your account from your profile. Or
            write to{" "}
            <a className="link" href={`mailto:${supportEmail}`}>
              {supportEmail}
            </a>{" "}
            that you want to stop because of gambling: we close the account, tell you what the law
            lets you cancel of your latest purchase, and don't ask twice.
          </p>
        </>
      ),
    },
    {
      id: "under-18",
      title: "Under 18",
      body: (
        <p>
          Gambling by anyone under 18 is against the law in South Africa, and so is letting them.
          Sign out on devices you share, and use the parental controls of the device or your network
          to block betting sites. If you believe that a child has an account here, tell us and we
          close it.
        </p>
      ),
    },
    {
      id: "someone-close",
      title: "When it is somebody close",
      body: (
        <p>
          Talk about what you have seen, not about what they are. Don't pay the debts for them: it
          rarely ends there. The helpline is for families too, and you may call without them. The{" "}
          <TextLink to="/disclaimer">disclaimer</TextLink> says what our tips are and are not.
        </p>
      ),
    },
  ];
}
