import naughtyStrings from "big-list-of-naughty-strings";
import fc from "fast-check";
import { startSession } from "#identity/identity.server.ts";
import { pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import type { Person } from "#test/cast.ts";
import { type Address, dataOf, everyAddress } from "./addresses.ts";

/** Would be an element if it were ever sent as one: then somebody's text has become a page's markup. */
export const MARK = "furlong-markup";
const MARKUP = [
  `<${MARK} onload=alert(1)>`,
  `"><${MARK}>`,
  `'><${MARK}>`,
  `</script><${MARK}>`,
  `</title></textarea><${MARK}>`,
  `--><${MARK}><!--`,
  `\${7*7}{{7*7}}<%= 7*7 %><${MARK}>`,
];
/** The same to a database, a spreadsheet, a mail server, a shell, a file system. */
const HOSTILE = [
  "' or 1=1; drop table users; --",
  "'; select pg_sleep(10); --",
  "=HYPERLINK(1)",
  "a@example.test\r\nBcc: b@example.test",
  "$(sleep 10)",
  "../../../../etc/passwd",
  "%00",
  "\u0000",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u2066",
  "1e309",
  "-0",
  "NaN",
  "9007199254740993",
  "-9223372036854775809",
  "99999999999999999999999999",
  "0x10",
  "0000-00-00",
  "2026-02-30",
  "9999-12-31",
  "+275760-09-14",
  "2026-11-21T00:00:00Z",
  "00000000-0000-0000-0000-000000000000",
  "__proto__",
  "constructor",
  "toString",
  "undefined",
  "[object Object]",
  "",
  " ",
  "\u200b",
  "on",
  "é".normalize("NFD"),
  "﷽".repeat(50),
  "a".repeat(10_000),
  "🏇".repeat(2_000),
  `${"a".repeat(5_000)}@${"b".repeat(5_000)}.test`,
  "(".repeat(3_000),
];
const PHOTO_HEADS = [
  "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
  "\xff\xd8\xff\xe0\x00\x10JFIF\x00",
  "RIFF\xff\xff\xff\x7fWEBPVP8 ",
  "GIF89a/*<script>alert(1)</script>*/",
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">',
  "%PDF-1.7",
  "II*\x00\xff\xff\xff\xff",
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...(naughtyStrings as string[])) },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 3, arbitrary: fc.constantFrom(...MARKUP) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.integer().map(String) },
  { weight: 1, arbitrary: fc.double().map(String) },
);
const json = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>([], {}, null, [[[[[[]]]]]], { __proto__: { isAdmin: true } }, 1e308, -1),
);
const photo = fc
  .tuple(fc.constantFrom(...PHOTO_HEADS), fc.uint8Array({ maxLength: 300 }))
  .map(([head, tail]) => Buffer.concat([Buffer.from(head, "latin1"), tail]));

const HEADERS = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Cookie",
  "Content-Type",
  "If-None-Match",
  "If-Modified-Since",
  "Range",
  "User-Agent",
  "Referer",
  "X-Forwarded-For",
  "X-Forwarded-Proto",
  "Authorization",
  "Stripe-Signature",
  "X-Request-Id",
];

type Try = {
  at: number;
  who: number;
  carrier: "form" | "data" | "json" | "query" | "header" | "cookie" | "path" | "photo" | "body";
  fields: [name: number, value: string][];
  values: [name: number, value: unknown][];
  bytes: Uint8Array;
};

const aTry: fc.Arbitrary<Try> = fc.record({
  at: fc.nat(),
  who: fc.nat(),
  carrier: fc.constantFrom(
    ...(["form", "form", "form", "data", "json", "query", "query"] as const),
    ...(["header", "cookie", "path", "photo", "body"] as const),
  ),
  fields: fc.array(fc.tuple(fc.nat(), text), { minLength: 1, maxLength: 3 }),
  values: fc.array(fc.tuple(fc.nat(), json), { minLength: 1, maxLength: 3 }),
  bytes: photo,
});

type World = {
  people: (Person | null)[];
  ids: Record<string, string>;
  /** A form that would be taken, before something of it is made bad. */
  good: () => Record<string, string>;
};

const PATIENCE_MS = 30_000;

/**
 * Sends the product so many requests of which something is bad, and answers what it took badly: every
 * 5xx, every answer that did not come, every text that came back as markup. The same seed sends the same.
 */
export async function sendBadInput(
  world: World,
  { runs, seed }: { runs: number; seed: number },
): Promise<{ answered: number; faults: string[] }> {
  const addresses = await everyAddress(world.ids);
  const writing = addresses.filter(({ method }) => method === "POST");
  const faults: string[] = [];
  let answered = 0;
  for (const each of fc.sample(aTry, { numRuns: runs, seed })) {
    const isWrite = ["form", "data", "json", "photo", "body"].includes(each.carrier);
    const among = isWrite ? writing : addresses;
    const address = among[each.at % among.length] as Address;
    const person = world.people[each.who % world.people.length] ?? null;
    // What was tried before is not to stand in the way.
    await pool().query("delete from rate_limits");
    const browser = new Browser();
    if (person) browser.take(await startSession(person.id));
    const sent = await answerTo(each, address, world, browser);
    if (sent === null) continue;
    answered += 1;
    const where = `${each.carrier} ${address.method} ${address.path} ${toldOf(each)}`;
    if (sent === "late") faults.push(`no answer: ${where}`);
    else if (sent.status >= 500) faults.push(`${sent.status}: ${where}`);
    else if (sent.isMarkup) faults.push(`markup: ${where}`);
  }
  return { answered, faults };
}

type Sent = { status: number; isMarkup: boolean } | "late" | null;

async function answerTo(
  each: Try,
  address: Address,
  world: World,
  browser: Browser,
): Promise<Sent> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), PATIENCE_MS);
  });
  try {
    return await Promise.race([late, send(each, address, world, browser).then(looked)]);
  } catch (error) {
    // What no client could have sent either: a header that is none, an address that cannot be written.
    if (error instanceof TypeError || error instanceof URIError) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function looked(answer: Response): Promise<Sent> {
  const isHtml = answer.headers.get("Content-Type")?.includes("text/html") ?? false;
  const body = await answer.text();
  return { status: answer.status, isMarkup: isHtml && body.includes(`<${MARK}`) };
}

async function send(each: Try, address: Address, world: World, browser: Browser) {
  const { path } = address;
  const good = world.good();
  const names = Object.keys(good);
  const named = (index: number) => names[index % names.length] ?? "name";
  const bad = Object.fromEntries(each.fields.map(([index, value]) => [named(index), value]));
  const [[, first = ""] = []] = each.fields;
  switch (each.carrier) {
    case "form":
      return await browser.post(path, { ...good, ...bad });
    case "data":
      return await browser.post(dataOf(path), { ...good, ...bad });
    case "json":
      return await browser.postJson(path, {
        ...good,
        ...Object.fromEntries(each.values.map(([index, value]) => [named(index), value])),
      });
    case "query":
      return await browser.get(`${path}?${new URLSearchParams(bad)}`);
    case "path": {
      const parts = path.split("/");
      parts[1 + ((each.fields[0]?.[0] ?? 0) % Math.max(1, parts.length - 1))] =
        encodeURIComponent(first);
      return await browser.get(parts.join("/"));
    }
    case "header":
      return await browser.send(path, {
        method: "GET",
        headers: { [HEADERS[(each.fields[0]?.[0] ?? 0) % HEADERS.length] ?? "Accept"]: first },
      });
    case "cookie":
      for (const name of [...browser.cookies.keys(), "furlong", "furlong-known"])
        browser.cookies.set(name, encodeURIComponent(first).slice(0, 3_000));
      return await browser.get(path);
    case "photo": {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...good, ...bad })) body.set(name, value);
      body.set("photo", new File([Buffer.from(each.bytes)], first.slice(0, 100)));
      return await browser.send(path, { method: "POST", body });
    }
    case "body":
      return await browser.send(path, {
        method: "POST",
        body: Buffer.from(each.bytes),
        headers: {
          "Content-Type":
            [
              "application/json",
              "application/x-www-form-urlencoded",
              "multipart/form-data",
              "text/plain",
            ][each.at % 4] ?? "",
        },
      });
  }
}

function toldOf(each: Try): string {
  const told = each.carrier === "json" ? each.values : each.fields;
  return JSON.stringify(told, (_name, value) =>
    typeof value === "string" && value.length > 80 ? `${value.slice(0, 80)}…` : value,
  );
}
