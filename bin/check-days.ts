import { buildStep, finish } from "./check-steps.ts";
import { testChosenDays } from "./chosen-days.ts";

// `npm run test:days`: browser tests on chosen days of the calendar, also part of `npm run test:more`.

if (await buildStep()) await testChosenDays();
finish({ failsOnFlaky: true });
