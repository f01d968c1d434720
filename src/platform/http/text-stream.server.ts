import pLimit from "p-limit";

/** How many parts are generated at a time, so that downloads leave database connections free. */
const MAX_CONCURRENT_PARTS = 4;
/** How many downloads may wait for a part before further ones are refused. */
const MAX_WAITING = 16;

const limit = pLimit(MAX_CONCURRENT_PARTS);

/** Returns true when so many downloads wait that another one must be refused with 503. */
export function hasTooManyDownloads(): boolean {
  return limit.pendingCount >= MAX_WAITING;
}

/**
 * Returns a stream of text. Parts are generated as the client consumes them, a few at a time among all
 * streams. If the client disconnects, the generator is closed.
 */
export function createTextStream(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await limit(() => parts.next());
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/** Generates a JSON array of the items of all pages, one item on each line. */
export async function* formatJsonArray(pages: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  yield "[";
  let separator = "\n";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((item) => JSON.stringify(item)).join(",\n");
    separator = ",\n";
  }
  yield "\n]";
}
