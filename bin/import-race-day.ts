import { readFileSync, statSync } from "node:fs";
import { formatDate } from "#domain/calendar.ts";
import { closeDatabase } from "#platform/database.server.ts";
import {
  type ImportPreview,
  importRaceDays,
  previewRaceDayImport,
} from "#racing/import/import-race-days.server.ts";
import { decodeRaceDayFile, MAX_FILE_BYTES } from "#racing/import/read-race-day-rows.server.ts";
import { printError } from "./print-error.ts";
import { withDatabase } from "./with-database.ts";

// Imports the races, runners and results of a file (docs/race-day-files.md). Prints the changes, and writes them
// with --yes. Exits with 1 if the file is refused, and with 2 if the arguments are wrong.

const USAGE = "Usage: node bin/furlong.mjs import-race-day FILE [--yes]";

const args = process.argv.slice(2);
const isAccepted = args.includes("--yes");
const [path, ...rest] = args.filter((arg) => arg !== "--yes");
if (!path || rest.length > 0 || path.startsWith("-")) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await importFile(path);
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}

/** Returns the exit code. */
async function importFile(path: string): Promise<number> {
  // A file over the limit is not read; the empty array is refused because of its length.
  const bytes =
    statSync(path).size > MAX_FILE_BYTES ? new Uint8Array(MAX_FILE_BYTES + 1) : readFileSync(path);
  const decoded = decodeRaceDayFile(bytes);
  if (!decoded.ok) return refuse(decoded.problems);
  return await withDatabase(async () => {
    try {
      const result = await previewRaceDayImport(null, decoded.text);
      if (!result.ok) return refuse(result.problems);
      printPreview(result.preview);
      if (!isAccepted) {
        console.log("\nNothing written. Add --yes to import it.");
        return 0;
      }
      const imported = await importRaceDays(null, decoded.text, result.preview.digest);
      if (imported.ok) {
        const hasChanges = result.preview.meetings.some(({ changes }) => changes.length > 0);
        console.log(hasChanges ? "\nImported." : "\nNothing has changed.");
        return 0;
      }
      return refuse(
        imported.refusal === "invalid-file"
          ? imported.problems
          : ["A race day of the file was saved in the meantime. Run the command again."],
      );
    } finally {
      await closeDatabase();
    }
  });
}

function refuse(problems: readonly string[]): number {
  for (const problem of problems) console.error(problem);
  console.error("Nothing was imported.");
  return 1;
}

function printPreview({ meetings }: ImportPreview): void {
  for (const { venueName, raceDate, changes } of meetings) {
    console.log(`\n${venueName}, ${formatDate(raceDate, "long")}`);
    for (const change of changes.length > 0 ? changes : ["no changes"]) console.log(`  ${change}`);
  }
}
