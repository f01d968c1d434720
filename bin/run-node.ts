import { spawn } from "node:child_process";

type Options = {
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** Captures the output instead of printing it. */
  quiet?: boolean;
};

/**
 * Runs a script with the current Node. Returns its exit code and, with `quiet`, its output. An
 * aborted script does not throw.
 */
export function runNode(args: string[], options: Options = {}) {
  const { env = process.env, signal, quiet = false } = options;
  const stdio = quiet ? "pipe" : "inherit";
  const child = spawn(process.execPath, args, { env, signal, stdio: ["ignore", stdio, stdio] });
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    child.on("error", (error) => {
      if (error.name !== "AbortError") reject(error);
    });
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
