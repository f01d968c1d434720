import { fork } from "node:child_process";
import { once } from "node:events";

export type BackgroundLoadSize = {
  eventStreams: number;
  slowConnections: number;
  endlessBodies: number;
  signInsPerSecond: number;
};

/** The number of event streams that connected, and the statuses of the sign-ins. */
export type BackgroundLoadResult = { connected: number; statuses: number[] };

/** Runs the background load in a child process until `stop` is called. */
export async function startBackgroundLoad(
  origin: string,
  size: BackgroundLoadSize,
): Promise<{ stop(): Promise<BackgroundLoadResult> }> {
  const child = fork("test/chaos/background-load-process.ts");
  child.send({ origin, ...size });
  await waitForMessage(child);
  return {
    async stop() {
      child.send("stop");
      return (await waitForMessage(child)) as BackgroundLoadResult;
    },
  };
}

async function waitForMessage(child: ReturnType<typeof fork>): Promise<unknown> {
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`the background load process exited with code ${code}`);
  });
  exited.catch(() => {}); // expected after `stop`
  const [message] = await Promise.race([once(child, "message"), exited]);
  return message;
}
