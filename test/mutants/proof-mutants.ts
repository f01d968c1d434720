import type { Mutant } from "./mutant.ts";

const VERIFIER = "src/domain/proof/verify-log.test.ts";
const LOG = "src/proof/log/append-to-log.test.ts";
const DAY = "src/proof/check-day.test.ts";
const COMMAND = "bin/proof.test.ts";

const verify = {
  area: "proof",
  file: "src/domain/proof/verify-log.js",
  tests: [VERIFIER],
} as const;
const addTips = {
  area: "proof",
  file: "src/proof/log/add-tips.server.ts",
  tests: [LOG],
} as const;
const dayFiles = {
  area: "proof",
  file: "src/proof/files/day-files.route.ts",
  tests: [LOG, DAY],
} as const;

export const PROOF_MUTANTS: Mutant[] = [
  {
    ...addTips,
    name: "commits to horse and analysis with one salt",
    find: "const analysisSalt = randomBytes(SALT_BYTES);",
    replace: "const analysisSalt = salt;",
  },
  {
    ...addTips,
    name: "leaves the reported off out of a tip's entry",
    find: "off: tip.offAt === null ? null : new Date(tip.offAt).toISOString(),",
    replace: "off: null,",
  },
  {
    area: "proof",
    file: "src/proof/log/add-withdrawals.server.ts",
    tests: [LOG],
    name: "does not enter that a hidden tip is shown again",
    find: "where n.state <> 'shown' and t.hidden_at is null",
    replace: "where n.state <> n.state",
  },
  {
    ...dayFiles,
    name: "lists hidden tips no longer",
    find: "where c.race_date = ${date} and ${isPublicNow()}\n      and",
    replace: "where c.race_date = ${date} and t.hidden_at is null and ${isPublicNow()}\n      and",
  },
  {
    ...dayFiles,
    name: "lists tips before their race",
    find: "where c.race_date = ${date} and ${isPublicNow()}\n      and",
    replace: "where c.race_date = ${date}\n      and",
  },
  {
    ...verify,
    name: "lets the site call a tip late that was signed in time",
    find: "if (isCalledLate && result?.isOfficial &&",
    replace: "if (isCalledLate && result === null &&",
  },
  {
    ...dayFiles,
    name: "reveals tips before their race",
    find: "where c.race_date = ${date} and ${isPublicNow()}\n    order",
    replace: "where c.race_date = ${date}\n    order",
  },
  {
    ...verify,
    name: "counts a tip that was signed at the off",
    find: "!isUnknown && time < end",
    replace: "!isUnknown && time <= end",
    tests: [VERIFIER],
  },
  {
    ...verify,
    name: "counts a tip before an off that was learnt less than 120 minutes after it",
    find: "if (wasOffKnown || knownOffAt === null)",
    replace: "if (true)",
    tests: [VERIFIER, "src/domain/batch.test.ts"],
  },
  {
    ...verify,
    name: "believes one of two lines that calls a tip late",
    find: "rows.every((row) => row.isLate === true)",
    replace: "rows.some((row) => row.isLate === true)",
  },
  {
    ...verify,
    name: "reports tips that the site calls late",
    find: "!isDue || isCalledLate || isUnknown",
    replace: "!isDue || isUnknown",
  },
  {
    ...verify,
    name: "compares the off that the site states before that of the log",
    find: "[result?.off, entry.off, ...rows.map((row) => row.off)]",
    replace: "[...rows.map((row) => row.off), result?.off, entry.off]",
  },
  {
    ...verify,
    name: "passes a tip that was hidden after its race and is not listed",
    find: "(withdrawnAt === undefined || isWithdrawnLater)",
    replace: "withdrawnAt === undefined",
  },
  {
    ...verify,
    name: "forgets that a tip is shown again",
    find: 'else if (entry.why === "shown") withdrawn.delete(entry.of);',
    replace: "",
  },
  {
    ...verify,
    name: "accepts the reveal of another tip",
    find: "      keyOf(parsed) === keyOf(entry) &&\n",
    replace: "",
  },
  {
    ...verify,
    name: "accepts an entry that does not follow its creator's last one",
    find: 'if (prev !== chain?.last) return "does not name the entry before it";',
    replace: "",
  },
  {
    ...verify,
    name: "accepts an unsigned checkpoint",
    find: "    if (isValid) return true;",
    replace: "    return true;",
  },
  {
    ...verify,
    name: "accepts a checkpoint of other entries",
    find: "(toBase64(root) === checkpoint.root ? fitting : wrong).push(checkpoint);",
    replace: "fitting.push(checkpoint);",
  },
  {
    ...verify,
    name: "ignores kept entries",
    find: "compareKeptHashes([...list(input.keptLeafHashes), ...kept]",
    replace: "compareKeptHashes([...list(input.keptLeafHashes)]",
    tests: [DAY, COMMAND],
  },
  {
    area: "proof",
    file: "src/proof/check-day.ts",
    tests: [DAY],
    name: "does not pass the list of tips to the verifier",
    find: "    tips: tips as ListedTip[],\n",
    replace: "",
  },
  {
    area: "proof",
    file: "bin/proof/read-log.ts",
    tests: [COMMAND],
    name: "does not read the list of tips",
    find: "    ...(tips ? { tips } : {}),\n",
    replace: "",
  },
];
