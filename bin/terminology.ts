import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BANNED_TERMS } from "./banned-terms.ts";

const FOLDERS = ["src", "content", "demo", "test", "e2e", "bench", "bin", "db", "docs"];
const CHECKED_FILES = /\.(ts|tsx|mjs|mdx|css|sql|md|json|service|timer|cfg|yml|example)$/;
/** Contains every banned term. */
const EXCLUDED_FILE = "bin/banned-terms.ts";

/**
 * Finds banned terms in the contents and names of all files. Splits `startAgain`, `start_again` and
 * `start-again` into words. Returns the number of files and a message for each finding.
 */
export function checkTerminology(root = "."): { files: number; findings: string[] } {
  const paths = FOLDERS.flatMap((folder) => listFiles(root, folder)).filter(
    (path) => CHECKED_FILES.test(path) && path !== EXCLUDED_FILE,
  );
  const findings = paths.flatMap((path) => [
    ...findTerms(path).map((message) => `${path}: ${message}`),
    ...readFileSync(join(root, path), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        findTerms(line).map((message) => `${path}:${index + 1}: ${message}`),
      ),
  ]);
  return { files: paths.length, findings };
}

function findTerms(text: string): string[] {
  const words = text.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]/g, " ");
  return BANNED_TERMS.flatMap(({ term, instead }) => {
    const match = term.exec(text) ?? term.exec(words);
    return match ? [`"${match[0]}": use ${instead}`] : [];
  });
}

function listFiles(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort();
  } catch {
    return []; // no such folder
  }
}
