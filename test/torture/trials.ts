import type { Trial } from "./trial.ts";
import { badInput } from "./trials/bad-input.ts";
import { databaseAway } from "./trials/database-away.ts";
import { diskFull } from "./trials/disk-full.ts";
import { everyOrderTrial } from "./trials/every-order.ts";
import { killedJobs } from "./trials/killed-jobs.ts";
import { killedProcesses } from "./trials/killed-processes.ts";
import { mixedWork } from "./trials/mixed-work.ts";
import { mutatedWebhooks } from "./trials/mutated-webhooks.ts";
import { nuisances } from "./trials/nuisances.ts";
import { oneCard } from "./trials/one-card.ts";
import { oneSession } from "./trials/one-session.ts";
import { oneWallet } from "./trials/one-wallet.ts";
import { restarts } from "./trials/restarts.ts";
import { silentDatabase } from "./trials/silent-database.ts";
import { silentWebhooks } from "./trials/silent-webhooks.ts";
import { wrongPayments } from "./trials/wrong-payments.ts";

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
