import { type Creator, findCreator } from "#creators/creators.server.ts";
import { ASSUMED_CARD_CENTS } from "#domain/figures/figures.ts";
import { BETTING_TAX_PERCENT, SETTLEMENT_RULES, TIP_STAKE_CENTS } from "#domain/settlement.ts";
import { SERVER_BUSY_MESSAGE } from "#platform/busy-message.ts";
import { now } from "#platform/clock.server.ts";
import { createCsvResponse } from "#platform/http/csv-download.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import {
  createTextStream,
  formatJsonArray,
  hasTooManyDownloads,
} from "#platform/http/text-stream.server.ts";
import { readTipEntries } from "#proof/proof.server.ts";
import { readRecordedTips } from "#tips/tips.server.ts";
import { countRecordedCreators, readFigures } from "../figures/read-figures.server.ts";
import { type DownloadedTip, toDownloadedTip } from "./downloaded-tip.ts";
import { RECORD_COLUMNS } from "./record-columns.ts";

const PAGE_SIZE = 500;
const CACHE_CONTROL = "public, max-age=60";

/**
 * GET /records/:file: the record of a creator as `<slug>.csv` or `<slug>.json`, with every revealed tip. Pages are
 * read as the client consumes them.
 */
export async function serveRecordFile(c: HttpContext): Promise<Response> {
  const [, slug, extension] = /^([a-z0-9-]+)\.(csv|json)$/.exec(c.req.param("file") ?? "") ?? [];
  const creator = slug ? await findCreator(slug) : null;
  if (!creator || creator.slug !== slug) return jsonError(c, 404, "No such record.");
  if (hasTooManyDownloads()) return jsonError(c, 503, SERVER_BUSY_MESSAGE);
  const pages = readPages(creator.id, now());
  if (extension === "csv")
    return createCsvResponse(
      `furlong-record-${slug}`,
      RECORD_COLUMNS.map((column) => column.name),
      toRows(pages),
      CACHE_CONTROL,
    );
  return c.body(createTextStream(await formatJson(creator, pages)), 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": CACHE_CONTROL,
  });
}

async function* toRows(
  pages: AsyncGenerator<DownloadedTip[]>,
): AsyncGenerator<(string | number)[][]> {
  for await (const page of pages)
    yield page.map((tip) => RECORD_COLUMNS.map((column) => column.cell(tip)));
}

/** Returns the parts of the JSON download: what it says about the record, then the tips, page by page. */
async function formatJson(
  creator: Pick<Creator, "id" | "slug" | "name" | "suspendedAt">,
  pages: AsyncGenerator<DownloadedTip[]>,
): Promise<AsyncGenerator<string>> {
  const [stored, creatorsRecorded] = await Promise.all([
    readFigures(creator.id),
    countRecordedCreators(),
  ]);
  const header = {
    tipster: {
      slug: creator.slug,
      name: creator.name,
      suspendedAt: creator.suspendedAt?.toISOString() ?? null,
    },
    rules: SETTLEMENT_RULES,
    stakeCents: TIP_STAKE_CENTS,
    raceCardPriceCents: ASSUMED_CARD_CENTS,
    taxPercent: BETTING_TAX_PERCENT,
    creatorsRecorded,
    computedAt: stored?.computedAt.toISOString() ?? null,
    voidTips: stored?.voidTips ?? 0,
    lateTips: stored?.lateTips ?? 0,
    figures: stored?.figures ?? null,
  };
  return (async function* () {
    yield `${JSON.stringify(header).slice(0, -1)},"tips":`;
    yield* formatJsonArray(pages);
    yield "}\n";
  })();
}

async function* readPages(creatorId: string, at: Date): AsyncGenerator<DownloadedTip[]> {
  let cursor: string | null = null;
  do {
    const { tips, next } = await readRecordedTips(creatorId, { at, cursor, limit: PAGE_SIZE });
    const entries = await readTipEntries(tips.map((tip) => tip.id));
    yield tips.map((tip) => toDownloadedTip(tip, entries.get(tip.id)));
    cursor = next;
  } while (cursor !== null);
}
