import { Fragment } from "react";
import { TextLink } from "#ui/text-link.tsx";
import { publicMeta } from "../public-meta.ts";
import { type Information, useInformation } from "../use-information.ts";
import type { Route } from "./+types/cookies.page.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Cookie policy",
    description:
      "Furlong sets six cookies, all needed to sign you in and let you buy. No advertising, no analytics, no banner.",
    path: "/cookies",
  });
}

type Cookie = { name: string; purpose: string; kept: string };

const cookies: readonly Cookie[] = [
  {
    name: "furlong",
    purpose: "Keeps you signed in. Set when you sign in, gone when you sign out.",
    kept: "until you sign out; unused, it stops counting after 30 days",
  },
  {
    name: "furlong-known",
    purpose:
      "Marks a browser that has signed in before, so that a stranger guessing at your password cannot keep you out.",
    kept: "400 days",
  },
  {
    name: "furlong-registered",
    purpose:
      "Lets the confirmation link sign you in on the browser that registered, and on no other.",
    kept: "1 day",
  },
  {
    name: "furlong-onward",
    purpose: "Leads you back to where you were once you have confirmed your address.",
    kept: "1 day",
  },
  {
    name: "furlong-password-given",
    purpose:
      "Remembers that the password was right while you look up the code of two-step sign-in, for accounts that have it.",
    kept: "10 minutes",
  },
  {
    name: "furlong-order-…",
    purpose:
      "Ties a guest's purchase to the browser that began it, so that nobody else is shown the receipt or signed in.",
    kept: "1 day",
  },
];

export default function Cookies() {
  return (
    <LegalDocument
      title="Cookie policy"
      lead="A short one. We set six cookies, all of which do something you asked for."
      inForceFrom="2026-11-20"
      inShort={
        <p>
          No advertising cookies, no analytics, no trackers and no cookies of other companies on our
          pages. That is why no banner asks you to accept any.
        </p>
      }
      sections={sections(useInformation())}
    />
  );
}

function sections({ supportEmail }: Information): LegalSection[] {
  return [
    {
      id: "what-cookies-are",
      title: "What cookies are",
      body: (
        <p>
          A cookie is a line of text that a site asks your browser to keep and to send back with
          each visit. It is how a site knows that the person asking for the next page is the one who
          signed in on the last.
        </p>
      ),
    },
    {
      id: "cookies-we-set",
      title: "The cookies we set",
      body: (
        <>
          <dl>
            {cookies.map((cookie) => (
              <Fragment key={cookie.name}>
                <dt className="font-cond text-lg">{cookie.name}</dt>
                <dd>{cookie.purpose}</dd>
                <dd className="text-sm text-ink-3">Kept: {cookie.kept}</dd>
              </Fragment>
            ))}
          </dl>
          <p>
            All five are necessary, come from this site alone and cannot be read by scripts.
            DialogOverList a secure connection some names begin with “__Host-”, which binds them to
            this address. If you only look around, none is set.
          </p>
        </>
      ),
    },
    {
      id: "other-storage",
      title: "What else your browser keeps",
      body: (
        <p>
          For the length of a visit it remembers how far you had scrolled on each page. Fonts,
          pictures and scripts are kept in its ordinary cache so that they need not be fetched again
          on your data. Tipsters' unpublished cards are kept as a draft on their own device for up
          to three days, or until they log out. None of this is sent to anybody.
        </p>
      ),
    },
    {
      id: "payment-page",
      title: "The payment page",
      body: (
        <p>
          You pay on a page of Stripe's, at Stripe's address. Stripe sets cookies of its own there,
          to take the payment and to spot fraud; its policy is at{" "}
          <a className="link" href="https://stripe.com/cookies-policy/legal" rel="noreferrer">
            stripe.com/cookies-policy
          </a>
          . They do not follow you back.
        </p>
      ),
    },
    {
      id: "your-choices",
      title: "Your choices",
      body: (
        <p>
          Your browser's settings let you see, delete and refuse cookies. Without ours you can read
          everything that is public, but not sign in, so no card can be opened. Signing out removes
          the sign-in cookie.
        </p>
      ),
    },
    {
      id: "changes",
      title: "Changes and questions",
      body: (
        <p>
          Should we ever want a cookie that is not necessary, we will ask you first. The{" "}
          <TextLink to="/privacy">privacy policy</TextLink> covers everything else; questions go to{" "}
          <a className="link" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
          .
        </p>
      ),
    },
  ];
}
