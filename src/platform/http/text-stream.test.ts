import { expect, it } from "vitest";
import { createTextStream, formatJsonArray, hasTooManyDownloads } from "./text-stream.server.ts";

async function* toPages(...pages: unknown[][]) {
  yield* pages;
}

it.each([
  ["no pages", [], []],
  ["an empty page between others", [[1], [], ["a", null]], [1, "a", null]],
  ["one page", [[{ a: [1] }, 2]], [{ a: [1] }, 2]],
])("formats %s as one JSON array", async (_, pages, items) => {
  const text = await new Response(createTextStream(formatJsonArray(toPages(...pages)))).text();
  expect(JSON.parse(text)).toEqual(items);
});

it("generates four parts at a time and reports a long queue", async () => {
  const finish: (() => void)[] = [];
  async function* slow() {
    await new Promise<void>((resolve) => finish.push(resolve));
    yield "part";
  }
  const read = () => new Response(createTextStream(slow())).text();
  const downloads = Array.from({ length: 4 + 15 }, read);
  await expect.poll(() => finish).toHaveLength(4);
  expect(hasTooManyDownloads()).toBe(false);
  downloads.push(read());
  await expect.poll(() => hasTooManyDownloads()).toBe(true);
  expect(finish).toHaveLength(4);
  for (let index = 0; index < downloads.length; index += 1) {
    await expect.poll(() => finish.length).toBeGreaterThan(index);
    finish[index]?.();
  }
  expect(new Set(await Promise.all(downloads))).toEqual(new Set(["part"]));
  expect(hasTooManyDownloads()).toBe(false);
});
