import { fork } from "node:child_process";
import { once } from "node:events";

export type NuisancesWished = {
  listeners: number;
  slow: number;
  bodies: number;
  signInsPerSecond: number;
};

/** How many of the listeners could listen, and what those who signed in were told. */
export type NuisancesEnded = { heard: number; statuses: number[] };

/** Lets another process be all these nuisances until it is told to stop. */
export async function disturb(
  origin: string,
  many: NuisancesWished,
): Promise<{ stop(): Promise<NuisancesEnded> }> {
  const child = fork("test/chaos/background-load-process.ts");
  child.send({ origin, ...many });
  await told(child);
  return {
    async stop() {
      child.send("stop");
      return (await told(child)) as NuisancesEnded;
    },
  };
}

async function told(child: ReturnType<typeof fork>): Promise<unknown> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the nuisances ended by themselves, with code ${code}`);
  });
  ended.catch(() => {}); // in its own time it is to end
  const [message] = await Promise.race([once(child, "message"), ended]);
  return message;
}
