// Viewers of the standings' live events, which report when each received the next change.
import { request } from "node:http";

const [one = "", other = "", count = "1000"] = process.argv.slice(2);
const size = Number(count);
let heard: number[] = [];
let listening = false;
let turn = 0;

await Promise.all(
  Array.from({ length: size }, (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let seen = -1;
    request(`${index % 2 ? other : one}/events/leaderboard`, { agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${response.statusCode}`));
      response.on("data", (chunk) => {
        resolve();
        if (!listening || seen === turn || !String(chunk).includes("event: leaderboard")) return;
        seen = turn;
        heard.push(performance.timeOrigin + performance.now());
        if (heard.length < size) return;
        listening = false;
        process.send?.(heard);
      });
    })
      .on("error", reject)
      .end();
    return promise;
  }),
);

process.on("message", () => {
  turn += 1;
  heard = [];
  listening = true;
});
process.on("SIGTERM", () => process.exit(0));
process.send?.("ready");
