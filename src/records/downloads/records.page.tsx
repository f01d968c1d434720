import { data } from "react-router";
import { listCreators } from "#creators/creators.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/records.page.ts";
import { RECORD_COLUMNS } from "./record-columns.ts";

const CACHE_SECONDS = 60;
/** Enough for a page. The path of any other record follows from the tipster's page. */
const MAX_CREATORS = 100;

export const handle = { scriptStart: "use" };

export async function loader() {
  const { creators } = await listCreators({ limit: MAX_CREATORS });
  return data(
    { tipsters: creators.map(({ slug, name }) => ({ slug, name })) },
    { headers: { "Cache-Control": `s-maxage=${CACHE_SECONDS}` } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Download records",
    description:
      "Every tipster's record as a file: each tip with its settlement, prices, returns and number in the public log. Check our figures with your own.",
    path: "/records",
  });
}

const EXTENSIONS = ["csv", "json"] as const;

export default function Records({ loaderData: { tipsters } }: Route.ComponentProps) {
  return (
    <article className="max-w-[46rem]">
      <PageHeading
        kicker="Proof"
        lead="Every tip of a tipster in one file, winners and losers, with how it was settled. Work out the figures yourself and compare."
      >
        Download records
      </PageHeading>
      <section aria-labelledby="files" className="mt-9">
        <SectionHeading id="files">The files</SectionHeading>
        <div className="mt-2.5 space-y-3 text-ink-2">
          <p>
            A tip is in the file once its race has an official result, or at midnight after its race
            date. The CSV file opens in a spreadsheet, with amounts in rand. The JSON file has the
            same tips with amounts in cents, and our figures from them. Both are up to a minute old.
          </p>
          <p>
            Our figures use the tips whose status is <code className="font-mono">counted</code>.
            Figures and tips are read one after the other, so just after a result they can differ
            for some seconds.
          </p>
          <p>
            The official results behind them are listed by day under{" "}
            <TextLink to="/results">Results</TextLink>, with a CSV file for each meeting.
          </p>
        </div>
        {tipsters.length === 0 ? (
          <p className="mt-3 text-ink-2">There are no tipsters yet.</p>
        ) : (
          <ul className="mt-4 divide-y divide-rule border-y border-rule">
            {tipsters.map(({ slug, name }) => (
              <li key={slug} className="flex flex-wrap items-baseline justify-between gap-x-6 py-2">
                <span className="min-w-0 break-words font-semibold text-ink">{name}</span>
                <span className="flex min-w-0 flex-wrap gap-x-6 break-all text-sm">
                  {EXTENSIONS.map((extension) => (
                    <a
                      key={extension}
                      className="link inline-flex min-h-11 items-center sm:min-h-9"
                      href={`/records/${slug}.${extension}`}
                    >
                      {slug}.{extension}
                    </a>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="columns" className="mt-9">
        <SectionHeading id="columns">The columns</SectionHeading>
        <p className="mt-2.5 text-ink-2">
          Returns are for an imaginary stake of R10.00 a tip, before tax. An each-way tip stakes
          R5.00 to win and R5.00 on a place. How tips are settled is in the{" "}
          <TextLink to="/rules">settlement rules</TextLink>, and how to check an entry is on{" "}
          <TextLink to="/proof">Check our record</TextLink>.
        </p>
        <dl className="mt-4 divide-y divide-rule border-y border-rule">
          {RECORD_COLUMNS.map(({ name, field, description }) => (
            <div key={name} className="gap-x-6 py-2.5 sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
              <dt>
                <code className="font-mono text-sm font-semibold text-ink">{name}</code>
              </dt>
              <dd className="text-ink-2">
                {description}{" "}
                <span className="text-sm">
                  In JSON <code className="font-mono text-ink">{field}</code>.
                </span>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </article>
  );
}
