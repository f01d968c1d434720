import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { dateAt } from "#domain/calendar.ts";
import { formatTilePath } from "#domain/proof/tile-paths.ts";
import { buildProofLog, type LogEvent, updateSignatures, VALID_EVENTS } from "#test/proof-log.ts";
import { checkProof } from "./proof/check-proof.ts";
import { parseEntryBundle } from "./proof/entry-bundle.ts";

/** More events than fit in one bundle, so that a full and a partial bundle are read. */
const EVENTS: readonly LogEvent[] = [
  ...VALID_EVENTS,
  ...Array.from(
    { length: 260 },
    (_, index): LogEvent => ({
      kind: "creator",
      at: "2026-11-22T11:00:00.000Z",
      creator: "aa",
      name: `Sipho ${index}`,
    }),
  ),
  { kind: "checkpoint", at: "2026-11-22T11:00:01.000Z" },
];
const NOW = new Date("2026-11-22T12:00:00.000Z");
const PARTIAL_WIDTH = buildProofLog(EVENTS).entries.length - 256;
const SUMMARY =
  /^furlong\.example\/proof\/log {2}\d+ entries, 8 checkpoints, 2 creators; 6 tips, 5 due, 5 revealed$/;

type Files = Map<string, string | Uint8Array>;

const root = mkdtempSync(join(tmpdir(), "furlong-proof-"));
const validFolder = join(root, "validFolder");
let pathCount = 0;

beforeAll(() => writeFolder(validFolder, listFiles(buildProofLog(EVENTS))));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the command in this process. */
async function run(...args: string[]) {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await checkProof(args, {
    print: (line) => lines.push(line),
    printError: (line) => errors.push(line),
    now: NOW,
  });
  return { code, lines, errors };
}

/** Returns the files that a site serves below /proof for a log. */
function listFiles(log: ReturnType<typeof buildProofLog>): Files {
  const files: Files = new Map();
  files.set("keys", toText(log.keys));
  files.set("log/checkpoint", log.checkpoints.at(-1)!.note);
  for (let first = 0; first < log.entries.length; first += 256) {
    const bundle = log.entries.slice(first, first + 256);
    const tile = { level: "entries", index: first / 256, width: bundle.length } as const;
    files.set(`log/${formatTilePath(tile)}`, toBundle(bundle));
  }
  const entries = log.entries.map((text) => JSON.parse(text));
  const addLine = (date: string, name: string, row: object) => {
    const path = `days/${date}/${name}`;
    files.set(path, `${files.get(path) ?? ""}${JSON.stringify(row)}\n`);
  };
  for (const { note, signedAt } of log.checkpoints)
    addLine(dateAt(new Date(signedAt!)), "checkpoints.jsonl", {
      size: Number(note.split("\n")[1]),
      note,
      signedAt,
    });
  const find = (row: { creator: string; seq: number }) =>
    entries.find(({ creator, seq }) => creator === row.creator && seq === row.seq);
  for (const row of log.reveals) addLine(find(row).date, "reveals.jsonl", row);
  for (const row of log.tips) addLine(find(row as never).date, "tips.jsonl", row);
  for (const row of log.names) addLine(dateAt(new Date(find(row).at)), "creators.jsonl", row);
  for (const [hash, text] of log.manifests) files.set(`files/${hash}`, text);
  return files;
}

function toText(lines: string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function toBundle(entries: string[]): Uint8Array {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(entry));
      return [length, Buffer.from(entry)];
    }),
  );
}

function writeFolder(folder: string, files: Files): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function createPath(): string {
  pathCount += 1;
  return join(root, String(pathCount));
}

function copyFolder(): string {
  const folder = createPath();
  cpSync(validFolder, folder, { recursive: true });
  return folder;
}

/** Writes a saved checkpoint to a file and returns its path. */
function writeCheckpoint(note: string): string {
  const file = createPath();
  writeFileSync(file, note);
  return file;
}

/** Serves files below /proof. Returns the site's address and the paths that were requested. */
async function serve(files: Files): Promise<{ address: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.replace(/^\/proof\//, "");
    requests.push(path);
    const content = files.get(path);
    response.statusCode = content === undefined ? 404 : content === "503" ? 503 : 200;
    response.end(content ?? "Not found");
  });
  return { address: await listen(server), requests };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("checking the log of a site", () => {
  it("reports no findings for a valid log or for its copy in a folder", async () => {
    const { address, requests } = await serve(listFiles(buildProofLog(EVENTS)));
    const folder = createPath();
    const online = await run(`${address}/proof`, folder);
    expect(online).toMatchObject({ code: 0, errors: [], lines: [expect.stringMatching(SUMMARY)] });
    expect(new Set(requests).size, "no file is downloaded twice").toBe(requests.length);
    expect(await run(folder)).toEqual(online);
    const bundle = formatTilePath({ level: "entries", index: 1, width: PARTIAL_WIDTH });
    const path = `log/${bundle}`;
    expect(readFileSync(join(folder, path))).toEqual(readFileSync(join(validFolder, path)));
  });

  it("downloads new entries when the log grows during the download", async () => {
    const files = listFiles(buildProofLog(EVENTS));
    const { checkpoints, entries } = buildProofLog(VALID_EVENTS);
    files.set("log/checkpoint", checkpoints.at(-1)!.note);
    const tile = { level: "entries", index: 0, width: entries.length } as const;
    files.set(`log/${formatTilePath(tile)}`, toBundle(entries));
    const { address } = await serve(files);
    const folder = createPath();
    const online = await run(address, folder);
    expect(online).toMatchObject({ code: 0, lines: [expect.stringMatching(SUMMARY)] });
    expect(await run(folder)).toEqual(online);
  });

  it("reports missing entries", async () => {
    const files = listFiles(buildProofLog(EVENTS));
    files.delete(`log/${formatTilePath({ level: "entries", index: 1, width: PARTIAL_WIDTH })}`);
    const { code, lines } = await run((await serve(files)).address);
    expect(code).toBe(1);
    expect(lines.join("\n")).toMatch(/^truncated +- +A checkpoint was signed for \d+ entries/m);
  });

  it("does not request paths from the fields of malformed timestamps", async () => {
    const files = listFiles(buildProofLog(EVENTS));
    const row = { size: 4, kind: "rfc3161", claimedAt: "2026-11-21T07:20:00.000Z" };
    const lines = [
      null,
      "x",
      { ...row, authority: "../..", file: "checkpoints/4/../...tsr" },
      { ...row, authority: "tsa.example", file: "../../evil" },
      { ...row, authority: "tsa.example", file: 7 },
      { ...row, size: "../4", authority: "tsa.example" },
    ];
    files.set(
      "days/2026-11-21/timestamps.jsonl",
      toText(lines.map((line) => JSON.stringify(line))),
    );
    const { address, requests } = await serve(files);
    const online = await run(address, createPath());
    expect(online).toMatchObject({ code: 0, lines: [expect.stringMatching(SUMMARY)] });
    expect(requests.filter((path) => /evil|tsr|\.\./.test(path))).toEqual([]);
  });

  it("does not request or write paths from the fields of malformed entries", async () => {
    const log = buildProofLog(EVENTS);
    log.entries.push(
      '{"at":"../../../x","kind":"tip","date":"../../../../etc/passwd","v":1}',
      '{"at":"2026-11-22T11:30:00.000Z","file":"../../evil","kind":"manifest","v":1}',
      '{"at":"+275760-09-13T00:00:00.000Z","kind":"incident","v":1}',
      "null",
    );
    const next = buildProofLog([...EVENTS, { kind: "checkpoint", at: "2026-11-22T11:30:01.000Z" }]);
    log.checkpoints.push({ ...next.checkpoints.at(-1)!, note: "" });
    log.checkpoints.at(-1)!.note = `x\n${log.entries.length}\n`;
    updateSignatures(log);
    const { address, requests } = await serve(listFiles(log));
    const { code } = await run(address, createPath());
    expect(code).toBe(1);
    expect(requests.join("\n")).not.toMatch(/\.\.|passwd|evil/);
  });

  it("exits 2 when the site is unreachable, has no log or returns an error", async () => {
    const closed = createTcpServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const unreachable = await run(`http://127.0.0.1:${port}`);
    expect(unreachable).toMatchObject({ code: 2, lines: [] });
    expect(unreachable.errors[0]).toMatch(/^Can't download http:\S+\/proof\/\S+: ECONNREFUSED\.$/);

    const empty = await run((await serve(new Map())).address);
    expect(empty).toMatchObject({ code: 2, errors: ["No log found: keys is missing."] });

    const files = listFiles(buildProofLog(EVENTS));
    files.set("days/2026-11-21/reveals.jsonl", "503");
    const failing = await run((await serve(files)).address);
    expect(failing.code).toBe(2);
    expect(failing.errors[0]).toMatch(/reveals\.jsonl: the server returned 503\.$/);
  });

  it("refuses to download into a folder that is not empty", async () => {
    const { address, requests } = await serve(listFiles(buildProofLog(EVENTS)));
    const { code, errors } = await run(address, validFolder);
    expect(code).toBe(2);
    expect(errors[0]).toContain("is not an empty folder");
    expect(requests).toEqual([]);
  });
});

describe("checking the log in a folder", () => {
  it("reports a changed entry as rewritten", async () => {
    const folder = copyFolder();
    const path = join(folder, "log", formatTilePath({ level: "entries", index: 0, width: 256 }));
    const bundle = readFileSync(path, "latin1");
    writeFileSync(path, bundle.replace('"confidence":"high"', '"confidence":"huge"'), "latin1");
    const { code, lines } = await run(folder);
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^furlong\.example/);
    expect(lines.join("\n")).toMatch(/^rewritten +- +The first \d+ entries/m);
  });

  it("reports a log with fewer entries than a saved checkpoint as truncated", async () => {
    const larger = buildProofLog([
      ...EVENTS,
      { kind: "creator", at: "2026-11-22T11:40:00.000Z", creator: "cc", name: "Thandi" },
      { kind: "checkpoint", at: "2026-11-22T11:40:01.000Z" },
    ]);
    const { code, lines } = await run(
      validFolder,
      "--kept",
      writeCheckpoint(larger.checkpoints.at(-1)!.note),
    );
    expect(code).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^truncated {8,}- {2}A checkpoint was signed for/);
  });

  it("reads a checkpoint that a mail program has quoted", async () => {
    const note = buildProofLog(EVENTS).checkpoints[2]!.note;
    const quoted = `\r\n${note.replace(/^/gm, "> ").replaceAll("\n", "  \r\n")}`;
    expect(await run(validFolder, "--kept", writeCheckpoint(quoted))).toMatchObject({ code: 0 });
  });

  it("names entries that were changed or dropped since a saved copy", async () => {
    const changed = EVENTS.map((event) =>
      event.kind === "tip" && event.horse === "Cape Doctor"
        ? { ...event, horse: "Harbour Light" }
        : event,
    );
    const site = createPath();
    writeFolder(site, listFiles(buildProofLog(changed)));
    expect(await run(validFolder, "--kept", copyFolder())).toMatchObject({ code: 0 });
    const { code, lines } = await run(site, "--kept", copyFolder());
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith("changed"))[0]).toMatch(
      /^changed +3 +Tip #1 of creator b+ .* is not the entry you kept\.$/,
    );
    const shorter = createPath();
    writeFolder(shorter, listFiles(buildProofLog(EVENTS.slice(0, 200))));
    const dropped = await run(shorter, "--kept", copyFolder());
    expect(dropped.lines.join("\n")).toMatch(/^dropped +\d+ +Entry \d+, which you kept, is gone/m);
  });

  it("reports a tip that the site does not list, and says when there is no list", async () => {
    const folder = copyFolder();
    const path = join(folder, "days/2026-11-21/tips.jsonl");
    const rows = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, rows.filter((row) => !row.includes("Long Street")).join("\n"));
    const { code, lines } = await run(folder);
    expect(code).toBe(1);
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^hidden +4 +Tip #2 .* not on the site/),
    ]);
    for (const date of ["2026-11-21", "2026-11-22"])
      rmSync(join(folder, `days/${date}/tips.jsonl`));
    expect(await run(folder)).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(SUMMARY), expect.stringMatching(/^No list of tips was found/)],
    });
  });

  it("reports a log whose entries do not match a saved checkpoint as rewritten", async () => {
    const other = buildProofLog(
      EVENTS.map((event) =>
        event.kind === "tip" && event.horse === "Cape Doctor"
          ? { ...event, horse: "Harbour Light" }
          : event,
      ),
    );
    const honestNote = buildProofLog(EVENTS).checkpoints[0]!.note;
    const { code, lines } = await run(
      validFolder,
      ...[
        "--kept",
        writeCheckpoint(honestNote),
        "--kept",
        writeCheckpoint(other.checkpoints[3]!.note),
      ],
    );
    expect(code).toBe(1);
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^rewritten .*do not fit: 1\.$/)]);
  });

  it("removes control characters from the output", async () => {
    const folder = copyFolder();
    writeFileSync(join(folder, "days/2026-11-21/reveals.jsonl"), '{"creator":"\\u001b[2J"}\n');
    writeFileSync(join(folder, "keys"), `a\u001b[2Jb+${"0".repeat(8)}+AAAA\n`);
    const { code, lines } = await run(folder);
    expect(code).toBe(1);
    expect(lines.join("\n")).not.toContain("\u001b");
  });

  it.each([
    ["a truncated bundle", formatTilePath({ level: "entries", index: 0, width: 256 })],
    ["an empty bundle", formatTilePath({ level: "entries", index: 1, width: PARTIAL_WIDTH })],
  ])("exits 2 for %s", async (name, tile) => {
    const folder = copyFolder();
    const path = join(folder, "log", tile);
    const bytes = readFileSync(path);
    writeFileSync(path, name.startsWith("an empty") ? "" : bytes.subarray(0, -1));
    const { code, errors } = await run(folder);
    expect(code).toBe(2);
    expect(errors[0]).toMatch(/^log\/tile\/entries\/\S+ is not a bundle of \d+ entries\.$/);
  });

  it("exits 2 and prints file and line for a line that is not JSON", async () => {
    const folder = copyFolder();
    const path = "days/2026-11-21/reveals.jsonl";
    writeFileSync(join(folder, path), "{}\n{\n");
    expect(await run(folder)).toMatchObject({
      code: 2,
      errors: [`${path}: line 2 is not JSON.`],
    });
  });

  it("exits 2 for a checkpoint with an implausible number of entries", async () => {
    const folder = copyFolder();
    writeFileSync(join(folder, "log/checkpoint"), "x\n999999999999999\n");
    expect((await run(folder)).code).toBe(2);
  });
});

describe("command-line arguments", () => {
  it.each([
    ["no arguments", []],
    ["an unknown option", ["https://furlong.example", "--yes"]],
    ["two folders", ["a", "b"]],
    ["too many arguments", ["https://furlong.example", "a", "b"]],
    ["--kept without a file", ["https://furlong.example", "--kept"]],
  ])("exits 2 with the usage for %s", async (_, args) => {
    const { code, lines, errors } = await run(...args);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(errors.at(-1)).toMatch(/^Usage: /);
  });

  it.each([
    ["ftp://furlong.example", "Not an http or https URL"],
    ["file:///etc", "Not an http or https URL"],
    ["https://", "Not an http or https URL"],
    ["no-such-folder", "neither a folder nor a URL"],
  ])("exits 2 for %s", async (source, message) => {
    const { code, errors } = await run(source);
    expect(code).toBe(2);
    expect(errors[0]).toContain(message);
  });

  it("exits 2 when the file of a saved checkpoint does not exist", async () => {
    const { code, errors } = await run(validFolder, "--kept", join(root, "no-such-file"));
    expect(code).toBe(2);
    expect(errors[0]).toMatch(/^Can't read the checkpoint .*ENOENT/);
  });
});

describe("parseEntryBundle", () => {
  it("refuses a truncated length, a truncated entry, a wrong count and invalid UTF-8", () => {
    expect(parseEntryBundle(toBundle(["a", "", "ö"]), 3)).toEqual(["a", "", "ö"]);
    expect(parseEntryBundle(toBundle(["a"]), 2)).toBeNull();
    expect(parseEntryBundle(Buffer.of(0), 1)).toBeNull();
    expect(parseEntryBundle(Buffer.of(0, 2, 97), 1)).toBeNull();
    expect(parseEntryBundle(Buffer.of(0, 1, 0xff), 1)).toBeNull();
  });
});
