import type { Scenario } from "./scenario.ts";
import { backgroundLoad } from "./scenarios/background-load.ts";
import { badInput } from "./scenarios/bad-input.ts";
import { databaseOutage } from "./scenarios/database-outage.ts";
import { diskFull } from "./scenarios/disk-full.ts";
import { everyOrder } from "./scenarios/every-order.ts";
import { killedJobs } from "./scenarios/killed-jobs.ts";
import { killedProcesses } from "./scenarios/killed-processes.ts";
import { missingWebhooks } from "./scenarios/missing-webhooks.ts";
import { mixedWork } from "./scenarios/mixed-work.ts";
import { mutatedWebhooks } from "./scenarios/mutated-webhooks.ts";
import { oneCard } from "./scenarios/one-card.ts";
import { oneSession } from "./scenarios/one-session.ts";
import { oneWallet } from "./scenarios/one-wallet.ts";
import { restarts } from "./scenarios/restarts.ts";
import { unresponsiveDatabase } from "./scenarios/unresponsive-database.ts";
import { wrongPayments } from "./scenarios/wrong-payments.ts";

/** All scenarios in the order in which a run executes them. */
export const SCENARIOS: readonly Scenario[] = [
  oneWallet,
  oneCard,
  mixedWork,
  oneSession,
  everyOrder,
  mutatedWebhooks,
  missingWebhooks,
  wrongPayments,
  badInput,
  killedProcesses,
  killedJobs,
  restarts,
  backgroundLoad,
  unresponsiveDatabase,
  databaseOutage,
  diskFull,
];
