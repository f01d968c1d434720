import { recoveryPathOf, TILE_WIDTH } from "#domain/proof/tile-paths.ts";
import type { LogCopy } from "#proof/proof.server.ts";
import { openLogFiles, type ReadLogFile } from "./log-files.ts";
import { readLog } from "./read-log.ts";

/** Reads a copy of the log from a site, from a folder that was downloaded, or from a mirror. */
export async function readLogCopy(source: string): Promise<LogCopy> {
  const files = openLogFiles(source);
  const { entries, checkpoints, names, manifests } = await readLog(files);
  const recovery = await readRecovery(files, entries.length);
  return {
    entries,
    checkpoints: [...checkpoints.map(({ note }) => note), ...recovery.checkpoints],
    files: new Map([...manifests].map(([hash, text]) => [hash, Buffer.from(text)])),
    names: names.filter((name) => "salt" in name),
    encryptedRows: recovery.encryptedRows,
  };
}

/** Reads what only a mirror has: beside each bundle of entries its checkpoints and its rows. */
async function readRecovery(files: ReadLogFile, size: number) {
  const checkpoints: string[] = [];
  const encryptedRows: string[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    const bundle = { level: "entries", index, width } as const;
    const rows = await files(recoveryPathOf("rows", bundle));
    const notes = await files(recoveryPathOf("checkpoints", bundle));
    if (!rows || !notes) break; // not a mirror
    encryptedRows.push(Buffer.from(rows).toString("utf8"));
    for (const line of Buffer.from(notes).toString("utf8").split("\n"))
      if (line !== "") checkpoints.push(JSON.parse(line).note);
  }
  return { checkpoints, encryptedRows };
}
