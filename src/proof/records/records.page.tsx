import { data } from "react-router";
import { listCreators } from "#creators/creators.server.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { Route } from "./+types/records.page.ts";
import { RECORD_COLUMNS, type RecordColumn } from "./record-columns.ts";

const CACHE_SECONDS = 60;
/** Enough for a page. The path of any other record follows from the tipster's page. */
const MAX_CREATORS = 100;

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

type Tipster = Route.ComponentProps["loaderData"]["tipsters"][number];

const TIPSTER_COLUMNS: TableColumn<Tipster>[] = [
  {
    key: "tipster",
    header: "Tipster",
    isRowHeader: true,
    cell: (tipster) => <TextLink to={`/tipsters/${tipster.slug}`}>{tipster.name}</TextLink>,
  },
  ...(["csv", "json"] as const).map(
    (extension): TableColumn<Tipster> => ({
      key: extension,
      header: extension.toUpperCase(),
      cell: ({ slug, name }) => (
        <a
          className="link"
          href={`/records/${slug}.${extension}`}
          aria-label={`${name}, ${extension.toUpperCase()}`}
        >
          {slug}.{extension}
        </a>
      ),
    }),
  ),
];

const COLUMN_COLUMNS: TableColumn<RecordColumn>[] = [
  {
    key: "name",
    header: "CSV column",
    isRowHeader: true,
    isUserText: true,
    cell: (column) => <code className="font-mono text-sm">{column.name}</code>,
  },
  {
    key: "field",
    header: "JSON field",
    isUserText: true,
    cell: (column) => <code className="font-mono text-sm">{column.field}</code>,
  },
  { key: "description", header: "What it is", cell: (column) => column.description },
];

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
        </div>
        <Table
          className="mt-4"
          caption="Records"
          columns={TIPSTER_COLUMNS}
          rows={tipsters}
          rowKey={(tipster) => tipster.slug}
          empty={<p className="text-ink-2">There are no tipsters yet.</p>}
        />
      </section>
      <section aria-labelledby="columns" className="mt-9">
        <SectionHeading id="columns">The columns</SectionHeading>
        <p className="mt-2.5 text-ink-2">
          Returns are for an imaginary stake of R10.00 a tip, before tax. An each-way tip stakes
          R5.00 to win and R5.00 on a place. How tips are settled is in the{" "}
          <TextLink to="/rules">settlement rules</TextLink>, and how to check an entry is on{" "}
          <TextLink to="/proof">Check our record</TextLink>.
        </p>
        <Table
          className="mt-4"
          caption="Columns of the files"
          columns={COLUMN_COLUMNS}
          rows={RECORD_COLUMNS}
          rowKey={(column) => column.name}
        />
      </section>
    </article>
  );
}
