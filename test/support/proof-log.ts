import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { hashLeaf } from "#domain/proof/merkle-tree.ts";
import {
  exportPublicKey,
  formatCheckpoint,
  formatVerifierKey,
  signCheckpoint,
} from "#domain/proof/signed-note.server.ts";
import type { ProofLog } from "#domain/proof/verify-log.js";
import { computeRoot } from "./merkle-root.ts";

export const TEST_ORIGIN = "furlong.example/proof/log";

type Json = string | number | null | boolean | Json[] | { [key: string]: Json };
type Race = { venue: string; date: string; race: number };

/** An event from which a test log is built. Creators are identified by the first letters of their ids. */
export type LogEvent =
  | { kind: "creator"; at: string; creator: string; name: string }
  | (Race & {
      kind: "tip";
      at: string;
      creator: string;
      off: string | null;
      horse: string;
      number: number;
    })
  /** `of` counts the tips of the log from 0. */
  | { kind: "withdrawal"; at: string; of: number; why: "hidden" | "deleted" | "shown" }
  | (Race & { kind: "result"; at: string; status: string; off: string | null })
  | { kind: "manifest"; at: string; date: string }
  | { kind: "checkpoint"; at: string };

/** Two creators, a day that is over, and a day with one official result. "Today" is 22 November. */
export const VALID_EVENTS: readonly LogEvent[] = [
  { kind: "creator", at: "2026-11-21T05:00:00.000Z", creator: "aa", name: "Sipho Dube" },
  { kind: "creator", at: "2026-11-21T05:00:00.000Z", creator: "bb", name: "Zoë van Wyk" },
  { kind: "checkpoint", at: "2026-11-21T05:00:01.000Z" },
  tip("aa", "2026-11-21T07:00:00.000Z", 1, "2026-11-21T11:00:00.000Z", "Harbour Light"),
  tip("bb", "2026-11-21T07:05:00.000Z", 1, "2026-11-21T11:00:00.000Z", "Cape Doctor"),
  { kind: "checkpoint", at: "2026-11-21T07:05:01.000Z" },
  tip("aa", "2026-11-21T07:10:00.000Z", 2, null, "Long Street"),
  { kind: "manifest", at: "2026-11-21T08:55:00.000Z", date: "2026-11-21" },
  { kind: "checkpoint", at: "2026-11-21T08:55:01.000Z" },
  tip("aa", "2026-11-21T09:30:00.000Z", 3, "2026-11-21T12:10:00.000Z", "Table Cloth"),
  { kind: "withdrawal", at: "2026-11-21T09:40:00.000Z", of: 1, why: "hidden" },
  { kind: "checkpoint", at: "2026-11-21T09:40:01.000Z" },
  result("2026-11-21T12:00:00.000Z", "2026-11-21", 1, "2026-11-21T11:03:00.000Z"),
  result("2026-11-21T12:30:00.000Z", "2026-11-21", 2, null, "abandoned"),
  { kind: "creator", at: "2026-11-21T15:00:00.000Z", creator: "bb", name: "Zoë" },
  { kind: "checkpoint", at: "2026-11-21T15:00:01.000Z" },
  tip("aa", "2026-11-22T06:00:00.000Z", 1, "2026-11-22T10:00:00.000Z", "Sea Point", "2026-11-22"),
  tip("bb", "2026-11-22T06:00:00.000Z", 2, "2026-11-22T10:30:00.000Z", "Green Dot", "2026-11-22"),
  { kind: "withdrawal", at: "2026-11-22T06:10:00.000Z", of: 4, why: "hidden" },
  { kind: "withdrawal", at: "2026-11-22T06:20:00.000Z", of: 4, why: "shown" },
  { kind: "manifest", at: "2026-11-22T08:55:00.000Z", date: "2026-11-22" },
  { kind: "checkpoint", at: "2026-11-22T08:55:01.000Z" },
  result("2026-11-22T10:20:00.000Z", "2026-11-22", 1, "2026-11-22T10:01:00.000Z"),
  { kind: "checkpoint", at: "2026-11-22T10:20:01.000Z" },
];

function tip(
  creator: string,
  at: string,
  race: number,
  off: string | null,
  horse: string,
  date = "2026-11-21",
): LogEvent & { kind: "tip" } {
  return { kind: "tip", at, creator, venue: "kenilworth", date, race, off, horse, number: race };
}

function result(
  at: string,
  date: string,
  race: number,
  off: string | null,
  status = "official",
): LogEvent {
  return { kind: "result", at, venue: "kenilworth", date, race, status, off };
}

/**
 * Builds the log of these events with everything that a site publishes: valid chains, commitments, reveals,
 * manifests and checkpoints.
 */
export function buildProofLog(
  events: readonly LogEvent[] = VALID_EVENTS,
  { key = createTestKey(7), today = "2026-11-22" } = {},
): Required<Omit<ProofLog, "first" | "leftEdge">> & { manifests: Map<string, string> } {
  const log = {
    keys: [formatVerifierKey(TEST_ORIGIN, exportPublicKey(key))],
    entries: [] as string[],
    checkpoints: [] as { note: string; signedAt: string }[],
    timestamps: [] as { size: number; claimedAt: string }[],
    reveals: [] as { creator: string; seq: number; salt: string; text: string }[],
    names: [] as { creator: string; seq: number; salt: string; text: string }[],
    manifests: new Map<string, string>(),
    keptCheckpoints: [],
    keptLeafHashes: [],
    keptEntries: [],
    tips: [] as (Race & { creator: string; seq: number; horse: string })[],
    now: `${today}T12:00:00.000Z`,
    today,
  };
  const chains = new Map<string, { entries: number; last: string }>();
  const tips: { index: number; creator: string }[] = [];
  const official = new Set(
    events.flatMap((event) =>
      event.kind === "result" && event.status === "official" ? [raceKey(event)] : [],
    ),
  );

  const append = (body: { [key: string]: Json }): void => {
    log.entries.push(toCanonicalJson({ v: 1, ...body }));
  };
  const appendToChain = (creator: string, body: { [key: string]: Json }): void => {
    const chain = chains.get(creator);
    const number = { creator, seq: chain?.entries ?? 0 };
    append(chain ? { ...body, ...number, prev: chain.last } : { ...body, ...number });
    const last = toLeafHash(log.entries.at(-1)!);
    chains.set(creator, { entries: (chain?.entries ?? 0) + 1, last });
  };

  for (const event of events) {
    const { at, kind } = event;
    if (event.kind === "checkpoint") {
      log.checkpoints.push({ note: signEntries(log.entries, key), signedAt: at });
    } else if (event.kind === "creator") {
      const creator = creatorId(event.creator);
      const seq = chains.get(creator)?.entries ?? 0;
      const { commitment, ...reveal } = commit("name", { creator, name: event.name, seq });
      log.names.push({ creator, seq, ...reveal });
      appendToChain(creator, { at, kind, name: commitment });
    } else if (event.kind === "tip") {
      const { venue, date, race, off, horse, number } = event;
      const creator = creatorId(event.creator);
      const seq = chains.get(creator)?.entries ?? 0;
      const selection = { creator, horse, number, price: null, seq };
      const { commitment, ...reveal } = commit("selection", selection);
      if (date < today || official.has(raceKey(event)))
        log.reveals.push({ creator, seq, ...reveal });
      log.tips.push({ creator, seq, venue, date, race, horse });
      tips.push({ index: log.entries.length, creator });
      appendToChain(creator, {
        ...{ at, kind, venue, date, race, off, type: "win", confidence: "high" },
        selection: commitment,
        reasons: hash(`reasons ${horse}`).toString("base64"),
      });
    } else if (event.kind === "withdrawal") {
      const { index, creator } = tips[event.of]!;
      appendToChain(creator, { at, kind, of: index, why: event.why });
    } else if (event.kind === "result") {
      const { venue, date, race, status, off } = event;
      const outcome = { starters: 12, placesPaid: 3, source: "4Racing", sourceUrl: null };
      const people = { entered: "A1", confirmed: "A2", rules: "2026-12" };
      const runners = [{ number: 1, horse: "Harbour Light", position: 1, outcome: "finished" }];
      const versions = { version: 1, replaces: null };
      append({
        at,
        kind,
        venue,
        date,
        race,
        status,
        off,
        ...versions,
        ...outcome,
        ...people,
        runners,
      });
    } else {
      const lines = [...chains].map(([creator, chain]) => toCanonicalJson({ creator, ...chain }));
      const text = lines
        .sort()
        .map((line) => `${line}\n`)
        .join("");
      const file = hash(text).toString("hex");
      log.manifests.set(file, text);
      const counts = { creators: chains.size, entries: log.entries.length };
      append({ at, kind, date: event.date, ...counts, file });
    }
  }
  return log;
}

/** Signs every checkpoint of a log again, for its size or for all entries if there are fewer. */
export function updateSignatures(log: ProofLog, key = createTestKey(7)): void {
  for (const checkpoint of log.checkpoints) {
    const size = Number(checkpoint.note.split("\n")[1]);
    checkpoint.note = signEntries(log.entries.slice(0, size), key);
  }
}

/** Returns the base64 leaf hash of an entry. */
export function toLeafHash(entry: string): string {
  return hashLeaf(Buffer.from(entry)).toString("base64");
}

/** Returns the Ed25519 key whose seed consists of 32 copies of a byte. */
export function createTestKey(byte: number): KeyObject {
  const header = Buffer.from("302e020100300506032b657004220420", "hex"); // RFC 8410
  const key = Buffer.concat([header, Buffer.alloc(32, byte)]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** Returns JSON with sorted keys and no spaces. */
export function toCanonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${toCanonicalJson(value[key]!)}`).join(",")}}`;
}

/** Returns the signed checkpoint of these entries. */
export function signEntries(entries: readonly string[], ...keys: KeyObject[]): string {
  const root = computeRoot(entries.map((entry) => hashLeaf(Buffer.from(entry))));
  const text = formatCheckpoint({ origin: TEST_ORIGIN, size: entries.length, root });
  return signCheckpoint(text, TEST_ORIGIN, ...keys);
}

/** Derives the salt from the text, so that the same events produce the same log. */
function commit(name: "name" | "selection", value: { [key: string]: Json }) {
  const text = toCanonicalJson(value);
  const salt = hash(`salt of ${text}`);
  const commitment = hash(`furlong.proof/v1 ${name}\n`, salt, text);
  return { salt: salt.toString("base64"), text, commitment: commitment.toString("base64") };
}

function hash(...parts: (string | Uint8Array)[]): Buffer {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest();
}

function creatorId(letters: string): string {
  return letters.repeat(16);
}

function raceKey({ venue, date, race }: Race): string {
  return `${venue} ${date} ${race}`;
}
