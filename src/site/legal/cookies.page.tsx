import { Fragment } from "react";
import { publicMeta } from "#platform/public-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { type Information, useInformation } from "../layout/use-information.ts";
import type { Route } from "./+types/cookies.page.ts";
import { formatUrl } from "./address-text.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Cookie policy",
    description: "Furlong only sets necessary cookies. No advertising, no analytics, no banner.",
    path: "/cookies",
  });
}

type Cookie = { name: string; purpose: string; retention: string };

const cookies: readonly Cookie[] = [
  {
    name: "furlong",
    purpose: "Keeps you logged in. Set when you log in, removed when you log out.",
    retention: "until you log out, or 30 days without use",
  },
  {
    name: "furlong-known",
    purpose:
      "Recognises a browser you have logged in with before, so that someone guessing your password can't keep you out.",
    retention: "400 days, also after you log out",
  },
  {
    name: "furlong-registered",
    purpose: "Lets the confirmation link log you in, in the browser you registered with only.",
    retention: "1 day",
  },
  {
    name: "furlong-onward",
    purpose: "Takes you back to where you were after you confirm your email.",
    retention: "1 day",
  },
  {
    name: "furlong-password-given",
    purpose: "Remembers that your password was correct while you enter your two-step code.",
    retention: "10 minutes",
  },
  {
    name: "furlong-order-…",
    purpose:
      "Links a guest's purchase to the browser that started it, so that no one else can see the receipt or be logged in.",
    retention: "1 day",
  },
];

export default function Cookies() {
  return (
    <LegalDocument
      title="Cookie policy"
      lead="We only set cookies that are needed to log you in, keep your account safe and take payments."
      inForceFrom="2026-11-20"
      summary={
        <p>
          We use no advertising, analytics, tracking or third-party cookies, so there is no cookie
          banner.
        </p>
      }
      sections={sections(useInformation())}
    />
  );
}

function sections({ supportEmail, provider }: Information): LegalSection[] {
  return [
    {
      id: "what-cookies-are",
      title: "What cookies are",
      body: (
        <p>
          A cookie is a small piece of text that a site stores in your browser and reads on each
          visit. It is how a site knows that you are still logged in.
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
                <dd className="text-sm text-ink-3">Kept: {cookie.retention}</dd>
              </Fragment>
            ))}
          </dl>
          <p>
            All of them are necessary, are set by this site only and can't be read by scripts. On a
            secure connection some names begin with "__Host-", which binds them to this address. If
            you only browse, we set none.
          </p>
        </>
      ),
    },
    {
      id: "other-storage",
      title: "What else your browser keeps",
      body: (
        <p>
          During a visit it remembers your scroll position. It caches fonts, images and scripts to
          save your data. If you are logged in, it also keeps copies of up to 25 pages you have paid
          for, so that you can read them offline; logging out deletes them. Tipsters' drafts, and
          what admins type into race days and results, are kept on their device for up to three
          days, or until they log out. None of this is sent to anyone.
        </p>
      ),
    },
    {
      id: "payment-page",
      title: "The payment page",
      body: (
        <p>
          You pay on the page of our payment provider, {provider.name}. It sets its own cookies
          there, to take the payment and to detect fraud. Those cookies stay on its site; its policy
          is at{" "}
          <a className="link" href={provider.cookiesUrl} rel="noreferrer">
            {formatUrl(provider.cookiesUrl)}
          </a>
          .
        </p>
      ),
    },
    {
      id: "your-choices",
      title: "Your choices",
      body: (
        <p>
          Your browser's settings let you see, delete and refuse cookies. Without ours you can read
          all public pages, but you can't log in or open race cards. Logging out removes the login
          cookie.
        </p>
      ),
    },
    {
      id: "changes",
      title: "Changes and questions",
      body: (
        <p>
          We will ask you before we set any cookie that isn't necessary. The{" "}
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
