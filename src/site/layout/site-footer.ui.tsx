import { Phone } from "lucide-react";
import { Link } from "react-router";
import { Logo } from "#ui/logo.tsx";

const linkColumns = [
  {
    title: "Racing",
    links: [
      ["/racing-tracks", "Racing tracks"],
      ["/top-analysts", "Top analysts"],
      ["/leaderboard", "Leaderboard"],
      ["/results", "Results"],
      ["/tipster-auth", "For tipsters"],
    ],
  },
  {
    title: "Help",
    links: [
      ["/how-it-works", "How it works"],
      ["/rules", "How tips are settled"],
      ["/proof", "Check our record"],
      ["/records", "Download records"],
      ["/help", "Help centre"],
      ["/contact", "Contact us"],
      ["/responsible-gambling", "Responsible gambling"],
    ],
  },
  {
    title: "Legal",
    links: [
      ["/terms-of-service", "Terms of service"],
      ["/terms", "Tipster terms"],
      ["/privacy", "Privacy"],
      ["/cookies", "Cookies"],
      ["/disclaimer", "Disclaimer"],
    ],
  },
] as const;

/** The footer: site links and the responsible gambling message. */
export function SiteFooter({ company }: { company?: string }) {
  return (
    <footer className="mt-10 border-t-4 sm:mt-16 border-header bg-well">
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-8 px-4 py-1.5 sm:px-6 sm:py-10 lg:grid-cols-[1.2fr_2fr]">
        <div className="max-sm:hidden">
          <Logo />
          <p className="mt-3 max-w-[38ch] text-sm text-ink-2">
            South African racing tips, one race card at a time. No subscription.
          </p>
        </div>
        <nav
          aria-label="Footer"
          className="footer-links flex flex-wrap gap-x-4 sm:grid sm:grid-cols-3 sm:gap-x-6 sm:gap-y-6"
        >
          {linkColumns.map((column) => (
            <div key={column.title}>
              <p className="caps text-ink-2">{column.title}</p>
              <ul className="mt-1">
                {column.links.map(([to, label]) => (
                  <li key={to}>
                    <Link to={to} discover="none">
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className="border-t border-rule">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-1.5 text-xs text-ink-2 sm:gap-x-4 sm:px-6 sm:py-5 sm:text-sm">
          <p className="flex min-w-0 flex-1 basis-80 items-center gap-1.5 sm:gap-3">
            <span className="flex size-6.5 shrink-0 items-center justify-center rounded-full border-2 border-ink font-cond text-xs font-bold text-ink sm:size-11 sm:text-lg">
              18+
            </span>
            <span>
              Gambling can be addictive. 18+ only. Never bet more than you can afford to lose.{" "}
              <Link
                to="/responsible-gambling"
                discover="none"
                className="link py-1 whitespace-nowrap"
              >
                Get help
              </Link>
            </span>
          </p>
          <a
            href="tel:+27800006008"
            className="inline-flex min-h-6 items-center gap-1.5 font-semibold whitespace-nowrap sm:min-h-11 sm:gap-2 text-ink no-underline hover:underline"
          >
            <Phone className="size-4" aria-hidden="true" />
            <span className="font-normal text-ink-2">Helpline</span> 0800 006 008
          </a>
          {company ? (
            <p className="text-2xs text-ink-3 sm:basis-full sm:text-xs">© {company}</p>
          ) : null}
        </div>
      </div>
    </footer>
  );
}
