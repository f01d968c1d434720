import { createHash, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { computeRoot } from "#test/merkle-root.ts";
import {
  buildProofLog,
  createTestKey,
  type LogEvent,
  signEntries,
  toCanonicalJson,
  toLeafHash,
  updateSignatures,
  VALID_EVENTS,
} from "#test/proof-log.ts";
import { hashLeaf } from "./merkle-tree.ts";
import { type ProofLog, type Verification, verifyLog } from "./verify-log.js";

const FILE = "src/domain/proof/verify-log.js";
const AA = "aa".repeat(16);
const BB = "bb".repeat(16);
const KENILWORTH = "(kenilworth, 2026-11-21, race";

/** The kinds of findings, each once, in alphabetical order. */
const kinds = ({ findings }: Verification) => [...new Set(findings.map(({ kind }) => kind))].sort();
const messages = ({ findings }: Verification) => findings.map(({ message }) => message);

/** Returns the findings of the valid log after a change to it. */
async function verifyChanged(change: (log: ReturnType<typeof buildProofLog>) => void) {
  const log = buildProofLog();
  change(log);
  return verifyLog(log);
}

/** Returns the valid events with one of them changed. */
function changeEvents(find: (event: LogEvent) => boolean, changes: object): LogEvent[] {
  return VALID_EVENTS.map((event) => (find(event) ? { ...event, ...changes } : event));
}
const isTipOn = (horse: string) => (event: LogEvent) =>
  event.kind === "tip" && event.horse === horse;
const isResultOf = (race: number, date = "2026-11-21") => {
  return (event: LogEvent) => event.kind === "result" && event.race === race && event.date === date;
};

function editEntry(log: ProofLog, index: number, changes: object): void {
  log.entries[index] = toCanonicalJson({ ...JSON.parse(log.entries[index]!), ...changes });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the test vectors of the log format", () => {
  const creator = "00112233445566778899aabbccddeeff";
  const salt = (byte: number) => Buffer.alloc(32, byte).toString("base64");
  const log: ProofLog = {
    keys: ["furlong.example/proof/log+59e82e9c+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs"],
    entries: [
      '{"at":"2026-11-21T05:00:00.000Z","creator":"00112233445566778899aabbccddeeff","kind":"creator","name":"eQiigKRXIQ4sqia4E3ndzw9fdHJMf0mUvEJYBkAi+98=","seq":0,"v":1}',
      '{"at":"2026-11-21T07:41:09.412Z","confidence":"high","creator":"00112233445566778899aabbccddeeff","date":"2026-11-21","kind":"tip","off":"2026-11-21T11:00:00.000Z","prev":"bRKUZBSF1dS1NsMDi099nV2qJ4Af3JRDjxo3kNJerr0=","race":3,"reasons":"8E6G49EP3+lGoVW5OYLg7lVmOHFxvnZNGK/khG/AFFM=","selection":"fkeAey/17TVBiy40ztgE07rR7f1oK9vR1QKuFeiz3Yc=","seq":1,"type":"win","v":1,"venue":"kenilworth"}',
    ],
    checkpoints: [
      {
        note: "furlong.example/proof/log\n2\nCK8Kf50qWyRQoSFMS+8Cam743bF8QyeUW0eBpLgq8/Y=\n\n— furlong.example/proof/log WegunAzGYXB82RXrUYXyUwxfEbjT7K0K9Jr8G9B2A8rd/KmsLubJ64ljmQAPAn+82+Pl0UrdA9G5ka6Av0dJNDWr3AI=\n",
        signedAt: "2026-11-21T07:41:11.000Z",
      },
    ],
    names: [
      {
        creator,
        seq: 0,
        salt: salt(1),
        text: `{"creator":"${creator}","name":"Sipho Dube","seq":0}`,
      },
    ],
    reveals: [
      {
        creator,
        seq: 1,
        salt: salt(2),
        text: `{"creator":"${creator}","horse":"Harbour Light","number":4,"price":null,"seq":1}`,
      },
    ],
    manifests: {},
    keptLeafHashes: [
      "bRKUZBSF1dS1NsMDi099nV2qJ4Af3JRDjxo3kNJerr0=",
      "nVkawW+hOK/KApiURop2j+RpGIrnY4yfBE2Lf8+z9w4=",
    ],
    now: "2026-11-22T06:00:00.000Z",
    today: "2026-11-22",
  };

  test("have no findings", async () => {
    expect(await verifyLog(log)).toEqual({
      origin: "furlong.example/proof/log",
      signaturesChecked: true,
      entries: 2,
      checkpoints: 1,
      creators: 1,
      tips: 1,
      timestamped: 0,
      due: 1,
      revealed: 1,
      withdrawnLater: 0,
      findings: [],
    });
  });

  test("do not match another horse", async () => {
    const reveals = log.reveals.map((reveal) => ({
      ...reveal,
      text: "text" in reveal ? reveal.text.replace("Harbour Light", "Harbour Lights") : "",
    }));
    expect(messages(await verifyLog({ ...log, reveals: reveals as ProofLog["reveals"] }))).toEqual([
      `Tip #1 of creator ${creator} (kenilworth, 2026-11-21, race 3) was revealed as something else.`,
    ]);
  });
});

/** Returns a log with an entry that introduces a new key and a later checkpoint signed by these keys. */
function buildRotatedLog(signers: KeyObject[]): ReturnType<typeof buildProofLog> {
  const log = buildProofLog();
  const [vkey = ""] = buildProofLog([], { key: createTestKey(8) }).keys;
  const at = "2026-11-22T11:00:00.000Z";
  const from = log.entries.length + 1;
  log.entries.push(toCanonicalJson({ v: 1, at, kind: "key", vkey, from, why: "yearly change" }));
  log.checkpoints.push({ note: signEntries(log.entries, ...signers), signedAt: at });
  log.keys.push(vkey);
  return log;
}

describe("a valid log", () => {
  test("has no findings", async () => {
    expect(await verifyLog(buildProofLog())).toEqual({
      origin: "furlong.example/proof/log",
      signaturesChecked: true,
      entries: 17,
      checkpoints: 7,
      creators: 2,
      tips: 6,
      timestamped: 0,
      due: 5,
      revealed: 5,
      withdrawnLater: 0,
      findings: [],
    });
  });

  test("has no findings when compared with leaf hashes and checkpoints saved earlier", async () => {
    const result = await verifyChanged((log) => {
      log.keptLeafHashes = log.entries.slice(0, 9).map(toLeafHash);
      // Mail programs convert line ends to CRLF and add blank lines.
      log.keptCheckpoints = log.checkpoints.map(
        ({ note }) => `\r\n${note.replace(/\n/g, "\r\n")}\r\n`,
      );
    });
    expect(result.findings).toEqual([]);
    expect(result.checkpoints).toBe(14);
  });

  test("has no findings with manifests keyed by hash or with signatures of others", async () => {
    const log = buildProofLog();
    const other = `— other.example ${Buffer.alloc(76, 5).toString("base64")}\n`;
    const result = await verifyLog({
      ...log,
      manifests: Object.fromEntries(log.manifests),
      checkpoints: log.checkpoints.map((row) => ({ ...row, note: row.note + other })),
    });
    expect(result.findings).toEqual([]);
  });

  test("has no findings after the key was changed", async () => {
    const log = buildRotatedLog([createTestKey(8), createTestKey(7)]);
    expect((await verifyLog(log)).findings).toEqual([]);
    expect((await verifyLog(buildRotatedLog([createTestKey(8)]))).findings).toEqual([]);
  });

  test("has no findings when the site does not list withdrawn tips", async () => {
    const result = await verifyChanged((log) => {
      log.tips = log.tips.filter(({ horse }) => horse !== "Cape Doctor" && horse !== "Green Dot");
    });
    expect(result.findings).toEqual([]);
  });

  test("has no findings for any sequence of valid events", async () => {
    const kindsOfEvent = fc.constantFrom(
      "creator",
      "tip",
      "withdrawal",
      "result",
      "manifest",
      "checkpoint",
    );
    const steps = fc.array(fc.record({ kind: kindsOfEvent, n: fc.nat(5) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const log = buildProofLog(createEvents(history));
        log.keptLeafHashes = log.entries.slice(0, history.length).map(toLeafHash);
        expect((await verifyLog(log)).findings).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

/** Returns events a minute apart before the off of every race at 15:00 UTC, and a last checkpoint. */
function createEvents(history: { kind: string; n: number }[]): LogEvent[] {
  const date = "2026-11-21";
  const off = `${date}T15:00:00.000Z`;
  const events: LogEvent[] = [
    { kind: "creator", at: `${date}T05:00:00.000Z`, creator: "00", name: "The first" },
  ];
  const names = new Set(["00"]);
  let tips = 0;
  for (const [minute, { kind, n }] of history.entries()) {
    const at = `${date}T06:${String(minute).padStart(2, "0")}:00.000Z`;
    const creator = `${n}${n}`;
    const race = { venue: "turffontein", date, race: n };
    if (kind === "creator") {
      events.push({ kind, at, creator, name: `Name ${minute}` });
      names.add(creator);
    } else if (kind === "tip" && names.has(creator)) {
      events.push({ kind, at, creator, ...race, off, horse: `Horse ${minute}`, number: n });
      tips++;
    } else if (kind === "withdrawal" && n < tips)
      events.push({ kind, at, of: n, why: minute % 2 ? "hidden" : "shown" });
    else if (kind === "result") events.push({ kind, at, ...race, status: "official", off });
    else if (kind === "manifest") events.push({ kind, at, date });
    else if (kind === "checkpoint") events.push({ kind, at });
  }
  return [...events, { kind: "checkpoint", at: `${date}T07:00:00.000Z` }];
}

describe("a part of the log", () => {
  /** Returns the log from an entry onwards, with the left edge in place of the entries before it. */
  function sliceLog(first: number): ProofLog {
    const log = buildProofLog();
    const hashes = log.entries.map((entry) => hashLeaf(Buffer.from(entry)));
    const leftEdge: string[] = [];
    for (let start = 0, rest = first; rest > 0; ) {
      const width = 2 ** Math.floor(Math.log2(rest));
      leftEdge.push(computeRoot(hashes.slice(start, start + width)).toString("base64"));
      start += width;
      rest -= width;
    }
    const entries = log.entries.slice(first);
    const keys = new Set(
      entries.map((text) => JSON.parse(text)).map((entry) => `${entry.creator} ${entry.seq}`),
    );
    const isIn = ({ creator, seq }: { creator: string | null; seq: number | null }) =>
      keys.has(`${creator} ${seq}`);
    return {
      ...log,
      first,
      leftEdge,
      entries,
      checkpoints: log.checkpoints.filter(({ note }) => Number(note.split("\n")[1]) > first),
      reveals: log.reveals.filter(isIn),
      names: log.names.filter(isIn),
      tips: log.tips.filter(isIn),
    };
  }
  const SPLITS = Array.from({ length: 17 }, (_, index) => index);

  test.each(SPLITS)("from entry %i on has no findings", async (first) => {
    const { findings, entries } = await verifyLog(sliceLog(first));
    expect(findings).toEqual([]);
    expect(entries).toBe(17 - first);
  });

  test.each(SPLITS)("from entry %i on detects a changed entry", async (first) => {
    const log = sliceLog(first);
    log.entries[0] = log.entries[0]!.replace('"at":"2026', '"at":"2025');
    expect(kinds(await verifyLog(log))).toContain("rewritten");
  });

  test.each(SPLITS.slice(1))(
    "from entry %i on detects a different history before it",
    async (first) => {
      const log = sliceLog(first);
      log.leftEdge![0] = toLeafHash("another past");
      expect(kinds(await verifyLog(log))).toEqual(["rewritten"]);
      expect(kinds(await verifyLog({ ...log, leftEdge: [] }))).toEqual(["rewritten"]);
    },
  );

  test("does not report a tip as late when the result with its off is in another part", async () => {
    const events: LogEvent[] = [
      { kind: "creator", at: "2026-11-21T05:00:00.000Z", creator: "aa", name: "Sipho Dube" },
      {
        kind: "tip",
        at: "2026-11-21T10:00:00.000Z",
        creator: "aa",
        venue: "kenilworth",
        date: "2026-11-21",
        race: 1,
        off: null,
        horse: "Long Street",
        number: 1,
      },
      { kind: "checkpoint", at: "2026-11-21T10:00:01.000Z" },
    ];
    const log = buildProofLog(events);
    expect(kinds(await verifyLog(log))).toEqual(["late"]);
    expect(kinds(await verifyLog({ ...log, leftEdge: [] }))).toEqual([]);
  });

  test("names entries by their index in the log", async () => {
    const log = sliceLog(6);
    log.reveals = [];
    expect((await verifyLog(log)).findings.map(({ index }) => index)).toEqual(
      (
        await verifyChanged((whole) => {
          whole.reveals = whole.reveals.filter(({ creator, seq }) =>
            sliceLog(6).reveals.every((reveal) => reveal.creator !== creator || reveal.seq !== seq),
          );
        })
      ).findings.map(({ index }) => index),
    );
  });
});

describe("verifyLog detects a change after signing", () => {
  test("of one entry", async () => {
    const change = (log: ProofLog) => editEntry(log, 2, { confidence: "low" });
    const result = await verifyChanged(change);
    expect(kinds(result)).toEqual(["missing", "rewritten"]);
    expect(messages(result)).toContain(
      `Tip #2 of creator ${AA} ${KENILWORTH} 2) does not name the entry before it.`,
    );
    const known = await verifyChanged((log) => {
      log.keptLeafHashes = log.entries.map(toLeafHash);
      change(log);
    });
    expect(kinds(known)).toEqual(["changed", "missing", "rewritten"]);
    expect(known.findings).toContainEqual({
      kind: "changed",
      index: 2,
      message: `Tip #1 of creator ${AA} ${KENILWORTH} 1) is not the entry you kept.`,
    });
  });

  test("of any character of any entry", async () => {
    const honest = buildProofLog();
    const place = fc.tuple(
      fc.nat(honest.entries.length - 1),
      fc.nat(1_000),
      fc.constantFrom("0", "é"),
    );
    await fc.assert(
      fc.asyncProperty(place, async ([index, at, character]) => {
        const log = buildProofLog();
        const entry = log.entries[index]!;
        const cut = at % entry.length;
        log.entries[index] = entry.slice(0, cut) + character + entry.slice(cut + 1);
        fc.pre(log.entries[index] !== entry);
        expect(kinds(await verifyLog(log))).toContain("rewritten");
      }),
      { numRuns: 60 },
    );
  });

  test("that removes an entry in the middle", async () => {
    const result = await verifyChanged((log) => {
      log.keptLeafHashes = log.entries.map(toLeafHash);
      log.entries.splice(4, 1);
    });
    expect(kinds(result)).toEqual(["dropped", "missing", "never logged", "rewritten", "truncated"]);
    expect(messages(result)).toContain(
      "Entry 4, which you kept, is gone, before the manifest of 2026-11-21.",
    );
    expect(messages(result)).toContain(
      `Tip #3 of creator ${AA} ${KENILWORTH} 3) follows #1: #2 is missing.`,
    );
  });

  test("that removes the last entry", async () => {
    const result = await verifyChanged((log) => {
      log.entries.pop();
    });
    expect(messages(result)).toEqual([
      "A checkpoint was signed for 17 entries, but the log has 16.",
    ]);
    expect(kinds(result)).toEqual(["truncated"]);
  });

  test("that inserts an entry", async () => {
    const result = await verifyChanged((log) => {
      log.keptLeafHashes = log.entries.map(toLeafHash);
      log.entries.splice(16, 0, log.entries[8]!.replace("11:03", "11:04"));
    });
    expect(kinds(result)).toEqual(["changed", "rewritten", "unsigned"]);
    expect(messages(result)).toContain(
      "The result of kenilworth, 2026-11-21, race 1 was put before entries you kept.",
    );
  });

  test("that swaps two entries", async () => {
    const swap = (log: ProofLog) => {
      [log.entries[0], log.entries[1]] = [log.entries[1]!, log.entries[0]!];
    };
    expect(kinds(await verifyChanged(swap))).toEqual(["rewritten"]);
    const known = await verifyChanged((log) => {
      log.keptLeafHashes = log.entries.map(toLeafHash);
      swap(log);
    });
    expect(known.findings.filter(({ kind }) => kind === "changed")).toEqual([
      { kind: "changed", index: 0, message: `Entry #0 of creator ${BB} was moved.` },
    ]);
  });
});

describe("a log that was rebuilt and signed with its own key", () => {
  const otherHorse = changeEvents(isTipOn("Harbour Light"), { horse: "Cape Doctor" });
  const withoutTip = VALID_EVENTS.filter((event) => !isTipOn("Table Cloth")(event));

  test("is not detected without saved checkpoints or leaf hashes", async () => {
    expect((await verifyLog(buildProofLog(otherHorse))).findings).toEqual([]);
    expect((await verifyLog(buildProofLog(withoutTip))).findings).toEqual([]);
  });

  test("does not match a saved checkpoint", async () => {
    const log = buildProofLog(otherHorse);
    log.keptCheckpoints = [buildProofLog().checkpoints[1]!.note];
    expect(messages(await verifyLog(log))).toEqual([
      "The first 4 entries are not those that were signed in a checkpoint of 4; checkpoints that do not fit: 1.",
    ]);
  });

  test("does not match a saved checkpoint with more entries", async () => {
    const log = buildProofLog(VALID_EVENTS.slice(0, 12));
    log.keptCheckpoints = [buildProofLog().checkpoints[5]!.note];
    expect(kinds(await verifyLog(log))).toEqual(["truncated"]);
  });

  test("does not match the saved leaf hashes", async () => {
    const log = buildProofLog(otherHorse);
    log.keptLeafHashes = buildProofLog().entries.map(toLeafHash);
    const result = await verifyLog(log);
    expect(kinds(result)).toEqual(["changed"]);
    expect(result.findings[0]?.index).toBe(2);
  });

  test("lacks entries whose leaf hashes were saved", async () => {
    const log = buildProofLog(VALID_EVENTS.filter((event) => !isResultOf(2)(event)));
    log.keptLeafHashes = buildProofLog().entries.slice(0, 12).map(toLeafHash);
    expect(await verifyLog(log)).toMatchObject({
      findings: [
        {
          kind: "dropped",
          index: 9,
          message: `Entry 9, which you kept, is gone, before entry #3 of creator ${BB}.`,
        },
      ],
    });
  });
});

describe("signatures", () => {
  test("of another key are refused", async () => {
    const result = await verifyChanged((log) => updateSignatures(log, createTestKey(9)));
    expect(kinds(result)).toEqual(["unsigned"]);
    expect(result.checkpoints).toBe(0);
    expect(messages(result)).toEqual([
      "Checkpoints that prove nothing: 7. The first (2 entries) is not signed by a key of this log.",
      "No checkpoint covers entry 0 and those after it.",
    ]);
  });

  test.each([
    ["text", (note: string) => note.replace("\n2\n", "\n3\n")],
    ["signature", (note: string) => note.replace(/.{6}\n$/, "AAAAA=\n")],
    ["origin", (note: string) => note.replaceAll("furlong.example", "furlong.invalid")],
    ["signer", (note: string) => note.replace("— furlong", "— other")],
    ["form", (note: string) => note.replace("\n\n", "\n")],
    ["size", (note: string) => note.replace("\n2\n", "\n02\n")],
  ])("of a note with another %s are refused", async (_, change) => {
    const result = await verifyChanged((log) => {
      log.checkpoints[0]!.note = change(log.checkpoints[0]!.note);
    });
    expect(kinds(result)).toEqual(["unsigned"]);
    expect(result.checkpoints).toBe(6);
  });

  test("are refused with a verifier key whose id does not match", async () => {
    const result = await verifyChanged((log) => {
      log.keys = log.keys.map((key) => key.replace("59e82e9c", "59e82e9d"));
    });
    expect(kinds(result)).toEqual(["unsigned"]);
    expect(result.origin).toBeNull();
  });

  test("are not checked in a browser without Ed25519", async () => {
    const error = new DOMException("Unrecognized name", "NotSupportedError");
    vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(error);
    const log = buildProofLog();
    updateSignatures(log, createTestKey(9));
    const result = await verifyLog(log);
    expect(result).toMatchObject({ signaturesChecked: false, checkpoints: 7, findings: [] });
    editEntry(log, 2, { confidence: "low" });
    expect(kinds(await verifyLog(log))).toEqual(["missing", "rewritten"]);
  });

  test("are required for every entry", async () => {
    const result = await verifyChanged((log) => {
      log.checkpoints.pop();
    });
    expect(result.findings).toEqual([
      { kind: "unsigned", index: 16, message: "No checkpoint covers entry 16 and those after it." },
    ]);
  });
});

describe("creators and manifests", () => {
  test("a repeated number in the chain of a creator is reported", async () => {
    const result = await verifyChanged((log) => {
      log.entries.push(log.entries[12]!.replace('"race":2', '"race":5'));
      log.checkpoints.at(-1)!.note = signEntries(log.entries, createTestKey(7));
    });
    expect(result.findings).toEqual([
      {
        kind: "missing",
        index: 17,
        message: `Tip #4 of creator ${BB} (kenilworth, 2026-11-22, race 5) repeats #4.`,
      },
    ]);
  });

  test("a creator must begin with a name", async () => {
    const result = await verifyChanged((log) => {
      const { prev: _, ...tip } = JSON.parse(log.entries[12]!);
      log.entries.push(toCanonicalJson({ ...tip, creator: "cc".repeat(16), seq: 0 }));
      log.checkpoints.at(-1)!.note = signEntries(log.entries, createTestKey(7));
    });
    expect(kinds(result)).toEqual(["missing"]);
  });

  test("a withdrawal must name a tip of its creator", async () => {
    for (const tip of [0, 3, 8, 14, 16, 99]) {
      const result = await verifyChanged((log) => {
        editEntry(log, 14, { of: tip });
        // The last entry of its creator, so that nothing else changes.
        log.entries.splice(14 + 1);
        log.checkpoints = [
          {
            note: signEntries(log.entries, createTestKey(7)),
            signedAt: "2026-11-21T07:00:00.000Z",
          },
        ];
        log.manifests.delete([...log.manifests.keys()][1]!);
      });
      expect(kinds(result)).toEqual(["missing"]);
    }
  });

  const MANIFEST = 5;
  test("a manifest that omits a creator is reported", async () => {
    const result = await verifyChanged((log) => {
      const [[hash, text]] = log.manifests as unknown as [[string, string]];
      const shorter = text.split("\n").slice(1).join("\n");
      const file = hashText(shorter);
      log.manifests.delete(hash);
      log.manifests.set(file, shorter);
      editEntry(log, MANIFEST, { creators: 1, file });
      updateSignatures(log);
    });
    expect(result.findings).toEqual([
      {
        kind: "missing",
        index: MANIFEST,
        message: "The manifest of 2026-11-21 does not list the 2 creators and 5 entries before it.",
      },
    ]);
  });

  test("a manifest with another count, another file or no file is reported", async () => {
    const otherCount = await verifyChanged((log) => {
      editEntry(log, MANIFEST, { entries: 4 });
      updateSignatures(log);
    });
    expect(kinds(otherCount)).toEqual(["missing"]);
    const fewerCreators = await verifyChanged((log) => {
      editEntry(log, MANIFEST, { creators: 1 });
      updateSignatures(log);
    });
    expect(kinds(fewerCreators)).toEqual(["missing"]);
    const otherFile = await verifyChanged((log) => {
      for (const [hash, text] of log.manifests) log.manifests.set(hash, `${text}\n`);
    });
    expect(messages(otherFile)).toEqual([
      "The manifest of 2026-11-21 is another file.",
      "The manifest of 2026-11-22 is another file.",
    ]);
    const noFile = await verifyChanged((log) => log.manifests.clear());
    expect(messages(noFile)).toEqual([
      "The manifest of 2026-11-21 is not there.",
      "The manifest of 2026-11-22 is not there.",
    ]);
  });
});

describe("reveals", () => {
  test.each([
    ["another salt", { salt: Buffer.alloc(32).toString("base64") }],
    ["a short salt", { salt: "AAAA" }],
    ["no salt", { salt: undefined }],
    ["another text", { text: '{"creator":"x","horse":"Winner","number":1,"price":null,"seq":1}' }],
  ])("with %s do not count", async (_, changes) => {
    const result = await verifyChanged((log) => {
      Object.assign(log.reveals[0]!, changes);
    });
    expect(result.findings).toEqual([
      {
        kind: "not revealed",
        index: 2,
        message: `Tip #1 of creator ${AA} ${KENILWORTH} 1) was revealed as something else.`,
      },
    ]);
    expect(result.revealed).toBe(4);
  });

  test("are due for every tip, withdrawn or not", async () => {
    const result = await verifyChanged((log) => {
      log.reveals = log.reveals.filter(({ creator }) => creator !== BB);
    });
    expect(messages(result)).toEqual([
      `Tip #1 of creator ${BB} ${KENILWORTH} 1) was not revealed.`,
    ]);
  });

  test("are due after an official result, else on the next day", async () => {
    const { reveals: _, ...log } = buildProofLog();
    const before = await verifyLog({ ...log, reveals: [], today: "2026-11-21" });
    expect(before).toMatchObject({ due: 3, revealed: 0 });
    const after = await verifyLog({ ...log, reveals: [], today: "2026-11-23" });
    expect(after).toMatchObject({ due: 6, revealed: 0 });
    expect(kinds(after)).toEqual(["not revealed"]);
  });

  test("that were erased are reported with the date and the reason", async () => {
    const result = await verifyChanged((log) => {
      const { creator, seq } = log.reveals[0]!;
      const erased = { creator, seq, erased: "2027-01-05", why: "on\u001b[2J request" };
      log.reveals = [erased, ...log.reveals.slice(1)] as typeof log.reveals;
    });
    expect(messages(result)).toEqual([
      `Tip #1 of creator ${AA} ${KENILWORTH} 1) was not revealed: erased on 2027-01-05, on [2J request.`,
    ]);
  });

  test("of another tip do not match, even with its number", async () => {
    const result = await verifyChanged((log) => {
      const [first, second] = log.reveals as { salt: string; text: string }[];
      Object.assign(first!, { salt: second!.salt, text: second!.text });
    });
    expect(kinds(result)).toEqual(["not revealed"]);
  });

  test.each([
    ["of another creator", { creator: BB, horse: "Winner", number: 1, price: null, seq: 1 }],
    ["of another number", { creator: AA, horse: "Winner", number: 1, price: null, seq: 2 }],
    ["of two horses", { creator: AA, horse: "A", horse2: "B", number: 1, price: null, seq: 1 }],
    ["of no horse", { creator: AA, seq: 1 }],
  ])("%s do not count, even if they were committed to", async (_, value) => {
    const log = buildProofLog(VALID_EVENTS.slice(0, 4));
    const text = toCanonicalJson(value);
    const salt = Buffer.alloc(32, 1);
    const parts = [Buffer.from("furlong.proof/v1 selection\n"), salt, Buffer.from(text)];
    const selection = createHash("sha256").update(Buffer.concat(parts)).digest("base64");
    editEntry(log, 2, { selection });
    const note = signEntries(log.entries, createTestKey(7));
    log.checkpoints = [{ note, signedAt: "2026-11-21T07:00:01.000Z" }];
    log.reveals = [{ creator: AA, seq: 1, salt: salt.toString("base64"), text }];
    expect(kinds(await verifyLog(log))).toEqual(["not revealed"]);
  });

  test("remain due after an official result was replaced", async () => {
    const [result] = VALID_EVENTS.filter(isResultOf(1, "2026-11-22"));
    const events = [...VALID_EVENTS, { ...result, status: "void" }, VALID_EVENTS.at(-1)];
    const log = buildProofLog(events as LogEvent[]);
    expect(await verifyLog(log)).toMatchObject({ due: 5, revealed: 5, findings: [] });
  });

  test("of names are due on the next day", async () => {
    const { names: _, ...log } = buildProofLog();
    const late = await verifyLog({ ...log, names: [] });
    expect(messages(late)).toEqual([
      `Name #0 of creator ${AA} was not revealed.`,
      `Name #0 of creator ${BB} was not revealed.`,
      `Name #3 of creator ${BB} was not revealed.`,
    ]);
    const sameDay = await verifyLog({ ...log, names: [], today: "2026-11-21" });
    expect(kinds(sameDay)).toEqual([]);
  });

  test("of names must match", async () => {
    const result = await verifyChanged((log) => {
      Object.assign(log.names[0]!, {
        salt: log.names[1] && "salt" in log.names[1] && log.names[1].salt,
      });
    });
    expect(messages(result)).toEqual([`Name #0 of creator ${AA} was revealed as something else.`]);
  });
});

describe("timestamps of authorities", () => {
  const verifyTimestamps = (...timestamps: [size: number, claimedAt: string][]) =>
    verifyChanged((log) => {
      log.timestamps = timestamps.map(([size, claimedAt]) => ({ size, claimedAt }));
    });

  test("count the tips that they saw before the off", async () => {
    const result = await verifyTimestamps(
      [4, "2026-11-21T07:20:00.000Z"],
      [8, "2026-11-21T09:45:00.000Z"],
      [17, "2026-11-22T10:25:00.000Z"],
    );
    expect(result.findings).toEqual([]);
    // Both tips on race 1, race 3, and race 2 of the next day. The others were seen after their off, or 11:00.
    expect(result.timestamped).toBe(4);
  });

  test("of a larger checkpoint count for the tips of smaller ones", async () => {
    const result = await verifyTimestamps([8, "2026-11-21T08:59:59.000Z"]);
    expect(result.findings).toEqual([]);
    expect(result.timestamped).toBe(4);
  });

  test("prove a tip in time that is late by the site's own clock", async () => {
    const log = buildProofLog(changeEvents(isTipOn("Table Cloth"), { off: null }));
    log.timestamps = [{ size: 8, claimedAt: "2026-11-21T08:59:00.000Z" }];
    expect((await verifyLog(log)).findings).toEqual([]);
  });

  test("after the off have no effect, so that the site's own clock decides", async () => {
    const result = await verifyTimestamps([17, "2026-11-22T23:00:00.000Z"]);
    expect(result.findings).toEqual([]);
    expect(result.timestamped).toBe(0);
  });

  test("of a checkpoint without a tip show that its signing was backdated", async () => {
    // The log says that Table Cloth was signed at 09:40, before its off at 12:10.
    const result = await verifyTimestamps([6, "2026-11-21T12:26:00.000Z"]);
    expect(messages(result)).toEqual([
      `Tip #3 of creator ${AA} ${KENILWORTH} 3) is said to be signed before 2026-11-21T12:10:00.000Z, but a timestamp authority saw the log without it at 2026-11-21T12:26:00.000Z.`,
    ]);
    expect(kinds(result)).toEqual(["late"]);
  });

  test("may be a quarter of an hour after the signing of the next checkpoint", async () => {
    expect((await verifyTimestamps([6, "2026-11-21T12:24:00.000Z"])).findings).toEqual([]);
  });

  test("prove nothing for a size without a checkpoint or with one that does not match the entries", async () => {
    expect((await verifyTimestamps([5, "2026-11-21T07:20:00.000Z"])).timestamped).toBe(0);
    const log = buildProofLog();
    const other = buildProofLog(changeEvents(isTipOn("Cape Doctor"), { horse: "Winner" }));
    log.checkpoints[1] = other.checkpoints[1]!;
    log.timestamps = [{ size: 4, claimedAt: "2026-11-21T07:20:00.000Z" }];
    expect((await verifyLog(log)).timestamped).toBe(0);
  });

  test("that are malformed are ignored", async () => {
    const odd = [
      null,
      1,
      {},
      { size: 4 },
      { size: "4", claimedAt: 1 },
      { size: 4, claimedAt: "x" },
    ];
    const result = await verifyLog({ ...buildProofLog(), timestamps: odd as never });
    expect(result).toMatchObject({ findings: [], timestamped: 0 });
  });
});

describe("a tip", () => {
  const verifyEvents = (events: readonly LogEvent[]) => verifyLog(buildProofLog(events));

  test("is late when it was first signed after the actual off", async () => {
    const off = "2026-11-21T07:04:59.000Z";
    const result = await verifyEvents(changeEvents(isResultOf(1), { off }));
    expect(result.findings).toEqual([
      {
        kind: "late",
        index: 2,
        message: `Tip #1 of creator ${AA} ${KENILWORTH} 1) was first signed at 2026-11-21T07:05:01.000Z, after ${off}.`,
      },
      {
        kind: "late",
        index: 3,
        message: `Tip #1 of creator ${BB} ${KENILWORTH} 1) was first signed at 2026-11-21T07:05:01.000Z, after ${off}.`,
      },
    ]);
  });

  test("is not late when the race started later than planned", async () => {
    const off = "2026-11-21T07:00:00.000Z";
    expect((await verifyEvents(changeEvents(isTipOn("Cape Doctor"), { off }))).findings).toEqual(
      [],
    );
  });

  test("is not late when a larger checkpoint was signed in time", async () => {
    const result = await verifyChanged((log) => {
      log.checkpoints[1]!.signedAt = "2026-11-21T12:00:00.000Z";
    });
    expect(result.findings).toEqual([]);
  });

  test("is compared with the off of the newest result", async () => {
    const [result] = VALID_EVENTS.filter(isResultOf(1));
    const corrected = { ...result, off: "2026-11-21T07:00:00.000Z" } as LogEvent;
    const events = [
      ...VALID_EVENTS,
      corrected,
      { kind: "checkpoint", at: "2026-11-22T11:00:00.000Z" },
    ];
    expect(kinds(await verifyEvents(events as LogEvent[]))).toEqual(["late"]);
  });

  test("is late when it was first signed after the planned off and no result has an off", async () => {
    const off = "2026-11-21T09:40:00.000Z";
    const result = await verifyEvents(changeEvents(isTipOn("Table Cloth"), { off }));
    expect(kinds(result)).toEqual(["late"]);
  });

  test("is late when it was first signed after 11:00 in South Africa and no off is known", async () => {
    const result = await verifyEvents(changeEvents(isTipOn("Table Cloth"), { off: null }));
    expect(messages(result)).toEqual([
      `Tip #3 of creator ${AA} ${KENILWORTH} 3) was first signed at 2026-11-21T09:40:01.000Z, after 2026-11-21T09:00:00.000Z.`,
    ]);
  });

  test("cannot have an off on another day", async () => {
    const off = "2026-11-22T12:00:00.000Z";
    const result = await verifyEvents(changeEvents(isTipOn("Table Cloth"), { off }));
    expect(kinds(result)).toEqual(["late"]);
  });

  test("is reported when no checkpoint with a time covers it", async () => {
    const result = await verifyChanged((log) => {
      log.checkpoints = log.checkpoints.map(({ note }) => ({ note }));
    });
    expect(kinds(result)).toEqual(["late"]);
    expect(result.findings).toHaveLength(result.due);
  });

  test("is late at the instant of the off", async () => {
    const signedAt = "2026-11-21T09:40:01.000Z";
    const verify = async (off: string) =>
      kinds(await verifyEvents(changeEvents(isTipOn("Table Cloth"), { off })));
    expect(await verify(signedAt)).toEqual(["late"]);
    expect(await verify("2026-11-21T09:40:01.001Z")).toEqual([]);
  });

  test("is no finding when the site calls it late", async () => {
    const log = buildProofLog(changeEvents(isTipOn("Table Cloth"), { off: null }));
    const isLate = (horse?: string) => horse === "Table Cloth";
    const tips = log.tips.map((tip) => ({ ...tip, isLate: isLate(tip.horse) }));
    expect((await verifyLog({ ...log, tips })).findings).toEqual([]);
    const others = log.tips.map((tip) => ({ ...tip, isLate: !isLate(tip.horse) }));
    expect(kinds(await verifyLog({ ...log, tips: others }))).toEqual(["late"]);
    const twice = [...tips, ...others.filter(({ horse }) => isLate(horse))];
    expect(kinds(await verifyLog({ ...log, tips: twice }))).toEqual(["late"]);
  });

  test("is reported when the site calls it late although it was signed before the official off", async () => {
    const log = buildProofLog(VALID_EVENTS);
    const tips = log.tips.map((tip) => ({ ...tip, isLate: true }));
    const { findings } = await verifyLog({ ...log, tips });
    expect(findings.length).toBeGreaterThan(0);
    for (const { kind, message } of findings) {
      expect(kind).toBe("late");
      expect(message).toMatch(/ is called late by the site, but was signed before .*Z\.$/);
    }
  });

  test("is compared with the off that the site learnt later when the log has none", async () => {
    const log = buildProofLog(changeEvents(isTipOn("Table Cloth"), { off: null }));
    const verify = async (off: string) =>
      kinds(await verifyLog({ ...log, tips: log.tips.map((tip) => ({ ...tip, off })) }));
    expect(await verify("2026-11-21T12:10:00.000Z")).toEqual([]);
    expect(await verify("2026-11-21T09:35:00.000Z")).toEqual(["late"]);
    expect(await verify("2026-11-22T12:10:00.000Z")).toEqual(["late"]);
    // Signed at 09:40:01, at most 15 minutes after it had to be published: 120 minutes before the off.
    expect(await verify("2026-11-21T11:25:02.000Z")).toEqual([]);
    expect(await verify("2026-11-21T11:25:01.000Z")).toEqual(["late"]);
    const valid = buildProofLog();
    const tips = valid.tips.map((tip) => ({ ...tip, off: "2026-11-21T07:00:00.000Z" }));
    const late = (await verifyLog({ ...valid, tips })).findings;
    expect(late, "only the tip of race 2, whose off is not in the log").toHaveLength(1);
  });

  test("is not reported as late before it is due", async () => {
    const off = "2026-11-22T06:10:00.000Z";
    const log = buildProofLog(changeEvents(isTipOn("Green Dot"), { off }));
    expect((await verifyLog(log)).findings).toEqual([]);
    const later = { ...log, today: "2026-11-23", now: "2026-11-23T12:00:00.000Z" };
    expect(kinds(await verifyLog(later))).toEqual(["late", "not revealed"]);
  });

  test("is late even if a checkpoint that does not match the entries is in time", async () => {
    const log = buildProofLog(changeEvents(isResultOf(1), { off: "2026-11-21T07:04:59.000Z" }));
    const other = buildProofLog(changeEvents(isTipOn("Cape Doctor"), { horse: "Winner" }));
    log.checkpoints.push({ ...other.checkpoints[1]!, signedAt: "2026-11-21T07:00:00.000Z" });
    expect(kinds(await verifyLog(log))).toEqual(["late", "rewritten"]);
  });
});

describe("the list of tips of the site", () => {
  test("must contain every tip that is due", async () => {
    const result = await verifyChanged((log) => {
      log.tips = log.tips.filter(({ horse }) => horse !== "Long Street");
    });
    expect(result.findings).toEqual([
      {
        kind: "hidden",
        index: 4,
        message: `Tip #2 of creator ${AA} ${KENILWORTH} 2) is in the log but not on the site.`,
      },
    ]);
  });

  test("must contain a tip that is shown again", async () => {
    const result = await verifyChanged((log) => {
      log.tips = log.tips.filter(({ horse }) => horse !== "Sea Point");
    });
    expect(kinds(result)).toEqual(["hidden"]);
  });

  test("must contain a tip that was hidden after its off, and need not contain one hidden before", async () => {
    const at = "2026-11-22T09:00:00.000Z";
    const hide = (of: number, why: "hidden" | "deleted" | "shown"): LogEvent[] => [
      { kind: "withdrawal", at, of, why },
      { kind: "checkpoint", at: "2026-11-22T10:20:02.000Z" },
    ];
    const verifyWithout = async (horse: string, events: LogEvent[]) => {
      const log = buildProofLog([...VALID_EVENTS, ...events]);
      return await verifyLog({ ...log, tips: log.tips.filter((tip) => tip.horse !== horse) });
    };
    const lost = await verifyWithout("Harbour Light", hide(0, "deleted"));
    expect(lost).toMatchObject({ withdrawnLater: 1, findings: [{ kind: "hidden", index: 2 }] });
    expect((await verifyWithout("", hide(0, "hidden"))).findings).toEqual([]);
    expect(await verifyWithout("Cape Doctor", [])).toMatchObject({
      withdrawnLater: 0,
      findings: [],
    });
    const hiddenAgain = await verifyWithout("Cape Doctor", [
      ...hide(1, "shown"),
      ...hide(1, "hidden"),
    ]);
    expect(kinds(hiddenAgain)).toEqual(["hidden"]);
  });

  test("is optional", async () => {
    const { tips: _, ...log } = buildProofLog();
    expect((await verifyLog(log)).findings).toEqual([]);
  });

  test.each([
    ["a number that does not exist", { seq: 17 }],
    ["no number", { seq: null }],
    ["another creator", { creator: "cc".repeat(16) }],
    ["another race", { race: 4 }],
    ["another horse", { horse: "Winner" }],
  ])("must not contain a tip with %s", async (_, changes) => {
    const result = await verifyChanged((log) => {
      log.tips.push({ ...log.tips[0]!, ...changes });
    });
    expect(kinds(result)).toEqual(["never logged"]);
  });

  test("must not reveal a tip that is not in the log", async () => {
    const result = await verifyChanged((log) => {
      log.reveals.push({ creator: AA, seq: 17, salt: "", text: "" });
    });
    expect(messages(result)).toEqual([
      `The site reveals tip #17 of creator ${AA} (), which is not in the log.`,
    ]);
  });
});

describe("keys", () => {
  test("refuses a checkpoint above the entry of a new key that only the old key signed", async () => {
    const log = buildRotatedLog([createTestKey(7)]);
    expect((await verifyLog(log)).findings.map(({ kind }) => kind)).toEqual([
      "unsigned",
      "unsigned",
    ]);
  });

  test("refuses a key that the site lists and no entry names", async () => {
    const log = buildProofLog();
    log.checkpoints.at(-1)!.note = signEntries(log.entries, createTestKey(8));
    log.keys.push(...buildProofLog([], { key: createTestKey(8) }).keys);
    expect((await verifyLog(log)).findings.map(({ kind }) => kind)).toContain("unsigned");
  });

  test("refuses the new key below its entry, in a part of the log as well", async () => {
    const log = buildRotatedLog([createTestKey(8)]);
    const early = log.checkpoints[0]!;
    early.note = signEntries(log.entries.slice(0, 2), createTestKey(8));
    for (const part of [log, { ...log, first: 0, leftEdge: [] }])
      expect((await verifyLog(part)).findings).toContainEqual(
        expect.objectContaining({ kind: "unsigned" }),
      );
  });
});

describe("malformed input", () => {
  const [tip] = buildProofLog().entries.slice(2);
  test.each([
    ["no text", 7],
    ["empty text", ""],
    ["no JSON", "{"],
    ["null", "null"],
    ["a list", "[1]"],
    ["spaces", tip!.replace('"race":1', '"race": 1')],
    ["a key twice", tip!.replace('"race":1', '"race":1,"race":1')],
    ["a huge number", tip!.replace('"race":1', '"race":1e400')],
    ["a large number", tip!.replace('"seq":1', '"seq":9007199254740993')],
    ["a negative number", tip!.replace('"seq":1', '"seq":-1')],
    ["another version", tip!.replace('"v":1', '"v":2')],
    ["a day that does not exist", tip!.replace('"2026-11-21"', '"2026-02-30"')],
    ["an off that is no time", tip!.replace('"off":"2026', '"off":"2026-13')],
    ["markup for a venue", tip!.replace("kenilworth", "<b>kenilworth</b>")],
    ["a creator that is no id", tip!.replace(AA, "__proto__")],
    ["a kind from the prototype", '{"at":"2026-11-21T07:00:00.000Z","kind":"constructor"}'],
    ["deep nesting", "[".repeat(30_000) + "]".repeat(30_000)],
    ["too many bytes", toCanonicalJson({ ...JSON.parse(tip!), reasons: "é".repeat(33_000) })],
  ])("an entry with %s is a finding", async (_, entry) => {
    const result = await verifyChanged((log) => {
      log.entries.push(entry as string);
      const texts = log.entries.map((text) => (typeof text === "string" ? text : ""));
      log.checkpoints.at(-1)!.note = signEntries(texts, createTestKey(7));
    });
    expect(result.findings).toEqual([
      { kind: "missing", index: 17, message: "Entry 17 cannot be read." },
    ]);
  });

  test("never throws", async () => {
    const fields = Object.keys(buildProofLog());
    const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withMap: true });
    const rows = fc.array(
      fc.record(
        Object.fromEntries(
          ["creator", "seq", "salt", "text", "erased", "why", "note", "signedAt", "venue"].map(
            (field) => [field, fc.oneof(anything, fc.constantFrom(AA, 1, "AAAA"))],
          ),
        ),
        { requiredKeys: [] },
      ),
    );
    const changes = fc.tuple(
      fc.constantFrom(...fields),
      fc.oneof(anything, fc.array(anything), rows),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { maxLength: 3 }), async (changed) => {
        const log = { ...buildProofLog(), ...Object.fromEntries(changed) };
        const result = await verifyLog(log as ProofLog);
        expect(Array.isArray(result.findings)).toBe(true);
      }),
      { numRuns: 60 },
    );
    for (const log of [null, undefined, 7, "", [], {}])
      expect(await verifyLog(log as unknown as ProofLog)).toMatchObject({
        entries: 0,
        findings: [],
      });
  });

  test("never throws for entries with any value in any field", async () => {
    const honest = buildProofLog();
    const change = fc.tuple(
      fc.nat(honest.entries.length - 1),
      fc.constantFrom(...new Set(honest.entries.flatMap((text) => Object.keys(JSON.parse(text))))),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const log = buildProofLog();
        for (const [index, field, value] of changes) editEntry(log, index, { [field]: value });
        updateSignatures(log);
        expect((await verifyLog(log)).findings).toBeInstanceOf(Array);
      }),
      { numRuns: 60 },
    );
  });
});

test("the verifier is one file without imports", () => {
  const source = readFileSync(FILE, "utf8");
  expect(source).not.toMatch(
    /^\s*import\b|\bimport\(|\brequire\(|\bprocess\b|\bdocument\b|\bfetch\b/m,
  );
  expect(source).not.toContain("\r");
});

test("verifies a log of 3,000 entries within seconds", async () => {
  const events: LogEvent[] = [
    { kind: "creator", at: "2026-11-21T05:00:00.000Z", creator: "aa", name: "A" },
  ];
  for (let number = 1; number < 3_000; number++)
    events.push({
      ...{ kind: "tip", at: "2026-11-21T06:00:00.000Z", creator: "aa", venue: "vaal", off: null },
      ...{ date: "2026-11-21", race: 1, horse: `Horse ${number}`, number },
    });
  events.push({ kind: "checkpoint", at: "2026-11-21T06:00:01.000Z" });
  const result = await verifyLog(buildProofLog(events));
  expect(result).toMatchObject({ entries: 3_000, due: 2_999, revealed: 2_999, findings: [] });
});

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
