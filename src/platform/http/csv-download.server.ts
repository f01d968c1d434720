import { formatCsvLine } from "#domain/csv.ts";
import { createTextStream } from "./text-stream.server.ts";

type Cell = string | number;

/**
 * Returns a streamed response with a CSV file. Pages are read as the browser consumes them, so that a long
 * history needs little memory. `fileName` has no extension.
 */
export function createCsvResponse(
  fileName: string,
  headings: readonly string[],
  pages: AsyncGenerator<Cell[][]>,
  cacheControl = "private, no-store",
): Response {
  return new Response(createTextStream(formatCsv(headings, pages)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}.csv"`,
      "Cache-Control": cacheControl,
    },
  });
}

async function* formatCsv(
  headings: readonly string[],
  pages: AsyncGenerator<Cell[][]>,
): AsyncGenerator<string> {
  // Spreadsheets recognise UTF-8 by the byte order mark.
  yield `\uFEFF${formatCsvLine(headings)}`;
  for await (const page of pages) yield page.map((cells) => formatCsvLine(cells)).join("");
}
