import type { Argon2Parameters } from "node:crypto";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { env } from "#platform/env.server.ts";

type Job = {
  parameters: Argon2Parameters;
  done: (tag: Buffer) => void;
  failed: (error: unknown) => void;
};

const idle: Worker[] = [];
const waiting: Job[] = [];
let made = 0;

/** How many passwords this process looks at in one moment: four at most, and one core each, of all processes. */
export function maxConcurrentHashes(): number {
  return Math.max(1, Math.floor(Math.min(4, availableParallelism()) / env().webProcesses));
}

/** The argon2id tag of these parameters, made in a thread that gives way to everybody else's work. */
export function derive(parameters: Argon2Parameters): Promise<Buffer> {
  return new Promise((done, failed) => {
    waiting.push({ parameters, done, failed });
    workOff();
  });
}

function workOff(): void {
  while (waiting.length > 0) {
    const hasher = idle.pop() ?? (made < maxConcurrentHashes() ? makeHasher() : null);
    if (!hasher) return;
    const job = waiting.shift();
    if (job) giveTo(hasher, job);
  }
}

function makeHasher(): Worker {
  made += 1;
  return new Worker(`(${hashWhatIsAsked})()`, { eval: true, env: {} });
}

/** One job for an idle hasher. One that falls over fails its job alone: another takes its place. */
function giveTo(hasher: Worker, { parameters, done, failed }: Job): void {
  // A process may end while nothing is being hashed, and not before.
  hasher.ref();
  const settle = () => {
    hasher.off("message", answered);
    hasher.off("error", fell);
    hasher.unref();
  };
  const answered = ({ tag, error }: { tag?: Uint8Array; error?: string }) => {
    settle();
    idle.push(hasher);
    if (tag) done(Buffer.from(tag));
    else failed(new Error(error));
    workOff();
  };
  const fell = (error: unknown) => {
    settle();
    made -= 1;
    failed(error);
    workOff();
  };
  hasher.on("message", answered);
  hasher.on("error", fell);
  hasher.postMessage(parameters);
}

/**
 * What a hasher's thread does, told it as text: it can use nothing from around it. At a lower priority,
 * so that a core that is wanted goes to whoever opens a card; only Linux lets one thread lower its own.
 */
function hashWhatIsAsked(): void {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  const { argon2Sync } = process.getBuiltinModule("node:crypto");
  const { setPriority } = process.getBuiltinModule("node:os");
  if (process.platform === "linux") setPriority(0, 10);
  parentPort?.on("message", (parameters) => {
    try {
      parentPort.postMessage({ tag: argon2Sync("argon2id", parameters) });
    } catch (error) {
      parentPort.postMessage({ error: String(error) });
    }
  });
}
