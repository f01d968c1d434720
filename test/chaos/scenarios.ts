import type { Trial } from "./scenario.ts";
import { nuisances } from "./scenarios/background-load.ts";
import { badInput } from "./scenarios/bad-input.ts";
import { databaseAway } from "./scenarios/database-outage.ts";
import { diskFull } from "./scenarios/disk-full.ts";
import { everyOrderTrial } from "./scenarios/every-order.ts";
import { killedJobs } from "./scenarios/killed-jobs.ts";
import { killedProcesses } from "./scenarios/killed-processes.ts";
import { mixedWork } from "./scenarios/mixed-work.ts";
import { mutatedWebhooks } from "./scenarios/mutated-webhooks.ts";
import { oneCard } from "./scenarios/one-card.ts";
import { oneSession } from "./scenarios/one-session.ts";
import { oneWallet } from "./scenarios/one-wallet.ts";
import { restarts } from "./scenarios/restarts.ts";
import { silentDatabase } from "./scenarios/silent-database.ts";
import { silentWebhooks } from "./scenarios/silent-webhooks.ts";
import { wrongPayments } from "./scenarios/wrong-payments.ts";

/** Every trial, in the order in which a run holds them. */
export const TRIALS: readonly Trial[] = [
  oneWallet,
  oneCard,
  mixedWork,
  oneSession,
  everyOrderTrial,
  mutatedWebhooks,
  silentWebhooks,
  wrongPayments,
  badInput,
  killedProcesses,
  killedJobs,
  restarts,
  nuisances,
  silentDatabase,
  databaseAway,
  diskFull,
];
