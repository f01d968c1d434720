import { expect, it } from "vitest";
import { runOnEachPayout } from "./run-on-each-payout.server.ts";

it("runs the action on the payouts after one that fails, and reports both", async () => {
  const form = new FormData();
  for (const id of ["first", "second", "third"]) form.append("payout", id);
  const done: string[] = [];
  const result = await runOnEachPayout(form, async (payoutId) => {
    if (payoutId === "second") throw new Error("broken");
    done.push(payoutId);
    return { ok: true };
  });
  expect(done).toEqual(["first", "third"]);
  expect(result).toMatchObject({ count: 2, problems: ["A payout: failed; please try again."] });
});
