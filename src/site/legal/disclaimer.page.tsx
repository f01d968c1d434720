import { publicMeta } from "#platform/public-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { type Information, useInformation } from "../layout/use-information.ts";
import type { Route } from "./+types/disclaimer.page.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Disclaimer",
    description:
      "Tips on Furlong are opinions. No bets are taken here, no result is promised, and past results say nothing certain about future ones.",
    path: "/disclaimer",
  });
}

export default function Disclaimer() {
  return (
    <LegalDocument
      title="Disclaimer"
      lead="What our tips are, and what they are not."
      inForceFrom="2026-11-20"
      summary={
        <p>
          A tip is one person's opinion and may be wrong. We don't take bets or promise results, and
          we are not liable for your betting losses.
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
          who publish them. We don't write or check them before they are published, and we may not
          share them. They are for information and entertainment. They are not financial, investment
          or betting advice: we don't know your circumstances.
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
          Most horses in a race lose. High confidence describes the tipster's view, not the horse's
          chance. We don't guarantee winners or refund losing tips.
        </p>
      ),
    },
    {
      id: "records",
      title: "What a record shows",
      body: (
        <>
          <p>
            Win rates, levels and rankings are counted from tips published here before the race and
            their official results. Results that only the tipster has marked are shown, but don't
            count. Void and late tips don't count. Losing tips always do.
          </p>
          <p>
            Even so, a record describes the past. A short record proves little, so tipsters are
            ranked only after 20 settled tips and we show the margin of error. A high strike rate at
            short odds can lose money; a low one at long odds can make money.
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
          by others, with their source and time where we have them, and "not reported" where we
          don't. They may be late, rounded or wrong. Track outlines are schematic. Horses are
          scratched and races moved at short notice. The racing operator's information takes
          precedence.
        </p>
      ),
    },
    {
      id: "links-and-names",
      title: "Links and names",
      body: (
        <p>
          We are not responsible for other sites we link to. Racecourses, races and horses are named
          to say what a tip is about; coin packs are named after champions of the South African
          turf. This doesn't mean that anyone connected with them endorses Furlong.
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
              You decide whether, where and how much you bet, and carry the risk. We are not liable
              for losses from betting, from relying on a tip or on race information, or from the
              site being unavailable at the wrong moment.
            </strong>{" "}
            This does not exclude any liability that the law does not allow us to exclude. The{" "}
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
          Gambling can be addictive. Call the National Responsible Gambling Programme free, 24 hours
          a day:{" "}
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
