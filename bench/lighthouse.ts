import { availableParallelism, cpus } from "node:os";
import { chromium } from "@playwright/test";
import lighthouse, { type Result } from "lighthouse";
import { findChromium } from "#bin/chromium.ts";
import { findFreePort } from "#platform/ports.server.ts";
import { makeDataFolder } from "#test/data-folder.ts";
import { startServer } from "#test/server-process.ts";

const RUNS = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
/** The minimum performance score and the maximum LCP (ms), TBT (ms) and CLS of each page. */
const THRESHOLDS = { performance: 98, lcp: 1_300, tbt: 100, cls: 0 };

type Score = Record<(typeof CATEGORIES)[number], number> & {
  lcp: number;
  tbt: number;
  cls: number;
  bytes: number;
  /** Lighthouse's measure of this machine's speed. The thresholds are for 1,500 and more. */
  benchmarkIndex: number;
  /** The ids of audits that cost points. */
  failedAudits: string[];
};

const isDark = process.argv.includes("--dark");
const requestedPaths = process.argv.slice(2).filter((argument) => argument.startsWith("/"));
const runs = Number(/--runs=(\d+)/.exec(process.argv.join(" "))?.[1] ?? RUNS);

const { dataDir, remove } = await makeDataFolder();
const product = await startServer({ PORT: String(await findFreePort()), DATA_DIR: dataDir });
const port = await findFreePort();
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    `--remote-debugging-port=${port}`,
    ...(isDark ? ["--blink-settings=preferredColorScheme=0"] : []),
  ],
});
try {
  const paths = requestedPaths.length > 0 ? requestedPaths : await listPublicPaths(product.url);
  const rows: Record<string, Score> = {};
  for (const path of paths) {
    await fetch(product.url + path); // warms the cache
    const scores: Score[] = [];
    for (let run = 0; run < runs; run += 1) scores.push(await audit(product.url + path));
    rows[maskIds(path)] = computeMedian(scores);
    console.log(`${maskIds(path)} ${JSON.stringify(rows[maskIds(path)])}`);
  }
  print(rows);
} finally {
  await browser.close();
  await product.stop();
  await remove();
}

/**
 * Returns the paths of the public pages: the pages in the sitemap (one track and one tipster) and
 * the forms.
 */
async function listPublicPaths(origin: string): Promise<string[]> {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>[^<]*?\/\/[^/<]*([^<]*)<\/loc>/g)].map(
    ([, path]) => path || "/",
  );
  const first = (start: string) => listed.find((path) => path.startsWith(start)) ?? start;
  const { raceCards } = await (await fetch(`${origin}/api/race-cards`)).json();
  const card: string = raceCards[0].id;
  return [
    ...listed.filter((path) => !/^\/(tracks|tipsters)\//.test(path)),
    first("/tracks/"),
    first("/tipsters/"),
    `/race-cards/${card}`,
    `/unlock/${card}`,
    "/login",
    "/login?mode=register",
    "/forgot-password",
    "/resend-confirmation",
    "/analyst",
    "/admin/sign-in",
    "/offline",
  ];
}

async function audit(url: string): Promise<Score> {
  const report = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "error",
    onlyCategories: [...CATEGORIES],
  });
  if (!report) throw new Error(`Lighthouse returned no report for ${url}.`);
  return toScore(report.lhr);
}

function toScore({ categories, audits, environment }: Result): Score {
  const points = (id: string) => Math.round((categories[id]?.score ?? 0) * 100);
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const auditRefs = CATEGORIES.slice(1).flatMap((id) => categories[id]?.auditRefs ?? []);
  return {
    performance: points("performance"),
    accessibility: points("accessibility"),
    "best-practices": points("best-practices"),
    seo: points("seo"),
    lcp: Math.round(value("largest-contentful-paint")),
    tbt: Math.round(value("total-blocking-time")),
    cls: Math.round(value("cumulative-layout-shift") * 1000) / 1000,
    bytes: Math.round(value("total-byte-weight")),
    benchmarkIndex: Math.round(environment.benchmarkIndex),
    failedAudits: auditRefs
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  };
}

function computeMedian(scores: Score[]): Score {
  const median = (pick: (score: Score) => number) =>
    scores.map(pick).sort((a, b) => a - b)[Math.floor(scores.length / 2)] ?? Number.NaN;
  return {
    performance: median((score) => score.performance),
    accessibility: median((score) => score.accessibility),
    "best-practices": median((score) => score["best-practices"]),
    seo: median((score) => score.seo),
    lcp: median((score) => score.lcp),
    tbt: median((score) => score.tbt),
    cls: median((score) => score.cls),
    bytes: median((score) => score.bytes),
    benchmarkIndex: median((score) => score.benchmarkIndex),
    failedAudits: [...new Set(scores.flatMap((score) => score.failedAudits))],
  };
}

function maskIds(path: string): string {
  return path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, "…");
}

function print(rows: Record<string, Score>): void {
  console.log(
    `\n${cpus()[0]?.model}, ${availableParallelism()} cores, medians of ${runs} runs, ${isDark ? "dark" : "light"}\n`,
  );
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([path, score]) => [
        path,
        {
          performance: score.performance,
          accessibility: score.accessibility,
          "best practices": score["best-practices"],
          SEO: score.seo,
          "LCP ms": score.lcp,
          "TBT ms": score.tbt,
          CLS: score.cls,
          kB: Math.round(score.bytes / 1000),
          index: score.benchmarkIndex,
          "misses target":
            score.performance < THRESHOLDS.performance ||
            score.lcp > THRESHOLDS.lcp ||
            score.tbt > THRESHOLDS.tbt ||
            score.cls > THRESHOLDS.cls
              ? "yes"
              : "",
          "failed audits": score.failedAudits.join(", "),
        },
      ]),
    ),
  );
}
