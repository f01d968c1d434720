import type { ReactNode } from "react";
import type { CalendarDate } from "#domain/calendar.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { Prose } from "./prose.ui.tsx";

export type LegalSection = {
  /** The anchor. Stays stable when sections move. */
  id: string;
  title: string;
  body: ReactNode;
};

type LegalDocumentProps = {
  title: string;
  lead: ReactNode;
  inForceFrom: CalendarDate;
  /** A summary in one paragraph. */
  summary: ReactNode;
  sections: readonly LegalSection[];
};

/** A legal text: date, summary, contents and numbered sections with anchors. */
export function LegalDocument({ title, lead, inForceFrom, summary, sections }: LegalDocumentProps) {
  return (
    <article className="max-w-[42rem]">
      <PageHeading kicker="Legal" lead={lead}>
        {title}
      </PageHeading>
      <p className="mt-2 text-sm text-ink-3">
        In force from <RaceDate date={inForceFrom} style="plain" />
      </p>

      <div className="mt-6 border-l-4 border-green-ink bg-green-wash px-4 py-3 text-green-ink">
        <p className="caps">In short</p>
        <div className="mt-1 text-sm text-ink [&_p+p]:mt-2">{summary}</div>
      </div>

      <nav aria-label="On this page" className="mt-6 print:hidden">
        <ol className="grid gap-x-6 sm:grid-cols-2">
          {sections.map((section, index) => (
            <li key={section.id} className="border-b border-rule">
              <a
                href={`#${section.id}`}
                className="flex min-h-11 items-center gap-3 text-sm text-green-ink no-underline hover:underline"
              >
                <span className="w-6 shrink-0 text-right font-cond font-semibold text-ink-3">
                  {index + 1}
                </span>
                {section.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>

      {sections.map((section, index) => (
        <section key={section.id} aria-labelledby={section.id} className="mt-9">
          <h2
            id={section.id}
            className="scotch flex items-baseline gap-3 font-cond text-xl font-bold"
          >
            <span className="text-ink-3">{index + 1}</span>
            <span>{section.title}</span>
          </h2>
          <Prose className="mt-2.5">{section.body}</Prose>
        </section>
      ))}
    </article>
  );
}
