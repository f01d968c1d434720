// Viewers of the standings' live events, which report when each received the next change.
import { request } from "node:http";

const [firstUrl = "", secondUrl = "", count = "1000"] = process.argv.slice(2);
const viewerCount = Number(count);
let receivedAt: number[] = [];
let isRecording = false;
let round = 0;

await Promise.all(
  Array.from({ length: viewerCount }, (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let lastRound = -1;
    request(
      `${index % 2 ? secondUrl : firstUrl}/events/leaderboard`,
      { agent: false },
      (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${response.statusCode}`));
        response.on("data", (chunk) => {
          resolve();
          if (!isRecording || lastRound === round || !String(chunk).includes("event: leaderboard"))
            return;
          lastRound = round;
          receivedAt.push(performance.timeOrigin + performance.now());
          if (receivedAt.length < viewerCount) return;
          isRecording = false;
          process.send?.(receivedAt);
        });
      },
    )
      .on("error", reject)
      .end();
    return promise;
  }),
);

process.on("message", () => {
  round += 1;
  receivedAt = [];
  isRecording = true;
});
process.on("SIGTERM", () => process.exit(0));
process.send?.("ready");
