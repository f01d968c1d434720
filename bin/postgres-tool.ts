import { spawn } from "node:child_process";

/**
 * Runs an installed PostgreSQL client program. Throws an Error with its stderr output if it fails.
 */
export async function runPostgresTool(
  name: "pg_dump" | "pg_restore",
  args: string[],
): Promise<void> {
  const child = spawn(name, args, { stdio: ["ignore", "inherit", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", () =>
      reject(new Error(`${name} not found. Install the PostgreSQL client tools.`)),
    );
    child.on("close", (status) => resolve(status ?? 1));
  });
  if (code !== 0) throw new Error(`${name} failed:\n${stderr.trim()}`);
}
