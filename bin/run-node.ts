import { spawn } from "node:child_process";

type Options = {
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** Keeps the output back instead of showing it as it comes. */
  quiet?: boolean;
};

/** Runs a script on this Node and answers with its exit code, and its output where that is kept back. */
export function runNode(args: string[], options: Options = {}) {
  const { env = process.env, signal, quiet = false } = options;
  const out = quiet ? "pipe" : "inherit";
  const child = spawn(process.execPath, args, { env, signal, stdio: ["ignore", out, out] });
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  return new Promise<{ code: number; output: string }>((done, fail) => {
    child.on("error", (error) => {
      if (error.name !== "AbortError") fail(error);
    });
    child.on("close", (code) => done({ code: code ?? 1, output }));
  });
}
