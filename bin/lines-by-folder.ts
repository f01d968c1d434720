import { execFileSync } from "node:child_process";

/** Git's name of a tree without files, from which every line is an addition. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const CODE = ["src/", "content/", "demo/", "bin/", "test/", "e2e/", "bench/"];

function git(...args: string[]): string[] {
  // Without a message of git's on the terminal.
  return execFileSync("git", args, { maxBuffer: 2 ** 26, stdio: "pipe" })
    .toString()
    .trim()
    .split("\n");
}

/** Returns the lines of a commit, or of the working tree, by folder and by whether they are product code. */
function countLines(...commit: string[]): Map<string, number> {
  const lines = new Map<string, number>();
  const numstat = ["diff", "--numstat", "--no-renames", EMPTY_TREE, ...commit, "--", ...CODE];
  for (const row of git(...numstat)) {
    const [added = "", , path = ""] = row.split("\t");
    const [folder = "", feature = ""] = path.split("/");
    const isSource = /^(src|content|demo)\//.test(path) && !path.includes(".test.");
    const count = Number.parseInt(added, 10) || 0; // a binary file has "-"
    for (const key of [folder === "src" && path.split("/")[2] ? `src/${feature}` : folder, "all"])
      lines.set(`${key} ${isSource}`, (lines.get(`${key} ${isSource}`) ?? 0) + count);
  }
  return lines;
}

/**
 * Returns a table of the lines of source and of tests and tools in each folder, beside those at the end of the first
 * day of this month with a commit, or else of the newest commit. Returns null without git.
 */
export function formatLinesByFolder(): string | null {
  try {
    const month = new Date().toISOString().slice(0, 7);
    const commits = git("log", "--format=%cs %H").map((line) => line.split(" "));
    const [day] = commits.findLast(([date]) => date?.startsWith(month)) ?? commits[0] ?? [];
    const [, base = "HEAD"] = commits.find(([date]) => date === day) ?? [];
    const [before, now] = [countLines(base), countLines()];
    const folders = new Set(
      [...before.keys(), ...now.keys()].map((key) => key.split(" ")[0] ?? ""),
    );
    const rows = [...folders]
      .sort()
      .map((folder) => [
        folder,
        ...[true, false].flatMap((isSource) =>
          [now, before].map((lines) => String(lines.get(`${folder} ${isSource}`) ?? 0)),
        ),
      ]);
    const head = ["lines", "source", `(${day})`, "tests, tools", `(${day})`];
    return [head, ...rows]
      .map(([name = "", ...cells]) => name.padEnd(16) + cells.map((it) => it.padStart(14)).join(""))
      .join("\n");
  } catch {
    return null;
  }
}
