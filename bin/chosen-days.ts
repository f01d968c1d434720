import { runPlaywright, step } from "./check-steps.ts";

/** Instants at which the demo is most likely to break a promise, in South African time. */
const INSTANTS = [
  ["2026-11-28T12:59+02:00", "a Saturday, over an off"],
  ["2026-12-12T10:00+02:00", "a day with eleven race cards"],
  ["2026-12-14T00:01+02:00", "a Monday, just after midnight"],
  ["2026-12-20T22:30+02:00", "an evening without any more races"],
  ["2026-12-26T10:00+02:00", "26 December"],
  ["2026-12-31T23:58+02:00", "31 December, over midnight"],
  ["2027-01-15T05:29+02:00", "a pay day, before the run"],
  ["2028-02-29T10:00+02:00", "29 February"],
] as const;

/** Runs the browser tests with the tag `@day` at each chosen instant, with demo data of its own. */
export async function testChosenDays(): Promise<void> {
  for (const [instant, description] of INSTANTS)
    await step(`browser tests on ${instant.slice(0, 16)} (${description})`, () =>
      runPlaywright("plain", { tag: "@day", extraEnv: { E2E_DEMO_NOW: instant } }),
    );
}
