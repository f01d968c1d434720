import { TextLink } from "#ui/text-link.tsx";
import { publicMeta } from "../public-meta.ts";
import { type Information, useInformation } from "../use-information.ts";
import type { Route } from "./+types/disclaimer.page.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Disclaimer",
    description:
      "Tips on Furlong are opinions. No bets are taken here, no result is promised, and a record of the past is not a forecast.",
    path: "/disclaimer",
  });
}

export default function Disclaimer() {
  return (
    <LegalDocument
      title="Disclaimer"
      lead="Horses cannot read, and form guides cannot run. Please keep both in mind."
      inForceFrom="2026-11-20"
      inShort={
        <p>
          A tip is an opinion that you paid to read. It may be well informed and still finish sixth.
          We take no bets, promise no result, and are not liable for what you stake elsewhere.
        </p>
      }
      sections={sections(useInformation())}
    />
  );
}

function sections({ company, supportEmail }: Information): LegalSection[] {
  return [
    {
      id: "opinion",
      title: "Tips are opinion",
      body: (
        <p>
          Selections, confidence and analysis are the honest opinions of the tipsters and analysts
          who publish them. We don't write or check them before they appear, and they need not be
          ours. They are for information and entertainment and are no financial, investment or
          betting advice made for you: nobody here knows your means.
        </p>
      ),
    },
    {
      id: "no-bets",
      title: "No bets are taken here",
      body: (
        <p>
          {company.name} is neither a bookmaker nor a totalisator. Nothing on Furlong is a bet, an
          offer of odds or an invitation to bet with a particular operator. Coins buy race cards;
          they cannot be staked or won. If you bet, do so with an operator licensed in South Africa,
          and only if you are 18 or older.
        </p>
      ),
    },
    {
      id: "no-guarantee",
      title: "No result is promised",
      body: (
        <p>
          Most horses in most races lose. High confidence means that a tipster is confident, not
          that the horse has been told. Opening a card does not entitle you to a winner, and a
          losing tip to a refund.
        </p>
      ),
    },
    {
      id: "records",
      title: "What a record tells you",
      body: (
        <>
          <p>
            Win rates, levels and rankings are counted from tips published here before the race and
            the results entered for them. Results are marked by the tipsters, reviewed and where
            needed corrected by us; void and late tips are left out, and the losers stay in.
          </p>
          <p>
            Even so, a record describes the past. A short one says very little, which is why
            rankings wait for enough settled tips and show the range that a rate may really lie in.
            A high strike rate at short odds can lose money, and a low one at long odds can make it.
          </p>
        </>
      ),
    },
    {
      id: "race-information",
      title: "Race information",
      body: (
        <p>
          Off times, going, weather and facts about tracks are given as reported to us or published
          by others, with their source and time where we have them, and “not reported” where we
          don't. They may be late, rounded or wrong. Track outlines are schematic. Runners are
          scratched and races moved at short notice: the racing operator's own information decides.
        </p>
      ),
    },
    {
      id: "links-and-names",
      title: "Links and names",
      body: (
        <p>
          We link to other sites because they are useful, and answer for none of them. Racecourses,
          races and horses are named to say what a tip is about; coin packs are named after
          champions of the South African turf out of admiration. Neither means that anyone connected
          with them endorses Furlong.
        </p>
      ),
    },
    {
      id: "liability",
      title: "Liability",
      body: (
        <>
          <p>
            <strong>
              You decide whether, where and how much you bet, and bear the outcome. We are not
              liable for losses from betting, from relying on a tip or on race information, or from
              the site being unavailable at the wrong moment.
            </strong>{" "}
            This does not limit liability that the law does not allow to be limited. The{" "}
            <TextLink to="/terms-of-service#liability">terms of service</TextLink> say more.
          </p>
        </>
      ),
    },
    {
      id: "when-it-stops-being-fun",
      title: "When it stops being fun",
      body: (
        <p>
          Gambling can be addictive. The National Responsible Gambling Programme listens free of
          charge, day and night:{" "}
          <a className="link" href="tel:+27800006008">
            0800&nbsp;006&nbsp;008
          </a>
          . More under <TextLink to="/responsible-gambling">responsible gambling</TextLink>.
          Questions about this page go to{" "}
          <a className="link" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
          .
        </p>
      ),
    },
  ];
}
