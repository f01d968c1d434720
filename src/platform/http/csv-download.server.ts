import { formatCsvLine } from "#domain/csv.ts";

type Cell = string | number;

/**
 * Returns a streamed response with a CSV file. Pages are read as the browser consumes them, so that a long
 * history needs little memory. `fileName` has no extension.
 */
export function createCsvResponse(
  fileName: string,
  headings: readonly string[],
  pages: AsyncGenerator<Cell[][]>,
): Response {
  return new Response(createCsvStream(headings, pages), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

function createCsvStream(
  headings: readonly string[],
  pages: AsyncGenerator<Cell[][]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      // Spreadsheets recognise UTF-8 by the byte order mark.
      controller.enqueue(encoder.encode(`\uFEFF${formatCsvLine(headings)}`));
    },
    async pull(controller) {
      const { value, done } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map((cells) => formatCsvLine(cells)).join("")));
    },
    async cancel() {
      await pages.return(undefined);
    },
  });
}
