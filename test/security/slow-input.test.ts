import type { GenericSchema } from "valibot";
import * as v from "valibot";
import { expect, it } from "vitest";
import { computeHash } from "#accounts/password/password-hash.server.ts";
import { resolveReturnTarget } from "#accounts/return-target.ts";
import { isCalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { parseColumns } from "#domain/payment-file/settings.ts";
import { parseDividend, parseFinishingOrder, parseStartingPrice } from "#domain/race-result.ts";
import { fullTextQuery } from "#platform/query-parts.server.ts";
import { redactError } from "#platform/redact-error.server.ts";
import { parseRaceDayFile } from "#racing/import/parse-race-day-file.server.ts";
import { parseRunners, parseRunnersOfDay } from "#racing/parse-runners.ts";
import { SLOW_TEXTS } from "#test/slow-texts.ts";

const modules = import.meta.glob<Record<string, unknown>>("../../src/**/*.input.ts", {
  eager: true,
});
const schemas = Object.entries(modules).flatMap(([file, exports]) =>
  Object.entries(exports)
    .filter((entry): entry is [string, GenericSchema] => isSchema(entry[1]))
    .map(([name, schema]) => [`${name} of ${file.replace("../../src/", "")}`, schema] as const),
);

/** Each is validated only if the shorter one was, so that quadratic time fails within seconds. */
const LENGTHS = [10_000, 100_000, 1_000_000];
/**
 * Linear validation takes milliseconds of CPU time, which a busy machine does not change; quadratic validation of
 * a megabyte takes minutes.
 */
const MAX_CPU_MS = 5_000;

it.each(schemas)("%s validates a megabyte in linear time", async (_name, schema) => {
  await expectLinear((text) => v.safeParse(schema, fill(schema, text)));
});

it.each<{ name: string; read: (text: string) => unknown }>([
  { name: "parseStartingPrice", read: parseStartingPrice },
  { name: "parseDividend", read: parseDividend },
  { name: "parseFinishingOrder", read: parseFinishingOrder },
  { name: "parseRunners", read: parseRunners },
  { name: "parseRunnersOfDay", read: parseRunnersOfDay },
  { name: "parseRaceDayFile", read: parseRaceDayFile },
  { name: "parseRaceDayFile with a header", read: (text) => parseRaceDayFile(`date\n${text}`) },
  { name: "parseColumns", read: parseColumns },
  { name: "isCalendarDate", read: isCalendarDate },
  { name: "isId", read: isId },
  { name: "resolveReturnTarget", read: (text) => resolveReturnTarget(`/${text}`) },
  { name: "fullTextQuery", read: fullTextQuery },
  { name: "redactError", read: (text) => redactError(new Error(text)) },
])("$name reads a megabyte in linear time", async ({ read }) => {
  await expectLinear(read);
});

it("computeHash reads a megabyte in linear time", async () => {
  await expectLinear(computeHash, ["combining marks out of order"]);
});

async function expectLinear(
  read: (text: string) => unknown,
  names: readonly string[] = Object.keys(SLOW_TEXTS),
): Promise<void> {
  for (const [name, create] of Object.entries(SLOW_TEXTS).filter(([each]) => names.includes(each)))
    for (const length of LENGTHS) {
      const text = create(length);
      const start = process.threadCpuUsage();
      await read(text);
      const { user, system } = process.threadCpuUsage(start);
      expect((user + system) / 1_000, `${name}, ${length} characters`).toBeLessThan(MAX_CPU_MS);
    }
}

function isSchema(value: unknown): value is GenericSchema {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}

/** Returns input for a schema whose every text is the given one. */
function fill(schema: unknown, text: string): unknown {
  const { pipe, wrapped, entries, item } = schema as {
    pipe?: unknown[];
    wrapped?: unknown;
    entries?: Record<string, unknown>;
    item?: unknown;
  };
  if (pipe) return fill({ ...(pipe[0] as object), pipe: undefined }, text);
  if (wrapped) return fill(wrapped, text);
  if (item) return [fill(item, text)];
  if (!entries) return text;
  return Object.fromEntries(
    Object.entries(entries).map(([key, entry]) => [key, fill(entry, text)]),
  );
}
