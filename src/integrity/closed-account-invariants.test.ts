import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeBankDetails } from "#payouts/payouts.server.ts";
import { makeTipster } from "#test/factories.ts";
import { listViolations } from "#test/integrity-checks.ts";
import { followMachineClock } from "#test/test-clock.ts";

let client: Client;
let creatorId: string;

beforeAll(async () => {
  followMachineClock();
  client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  creatorId = (await makeTipster()).id;
  await writeBankDetails(creatorId, {
    holder: "S. Dube",
    bank: "Capitec",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
  });
});

afterAll(() => client.end());

const close = (userId: string) => [
  `delete from user_roles where user_id = '${userId}'`,
  `update users set closed_at = now() where id = '${userId}'`,
];

const EMPTY = "32-closed-accounts-are-empty";

/** Corruptions of accounts, each with the invariant that reports it. */
const CORRUPTIONS: Record<string, [invariant: string, corrupt: () => string[]]> = {
  "a closed creator with bank details": [EMPTY, () => close(creatorId)],
  "a closed creator with a photo": [
    EMPTY,
    () => [
      `delete from bank_details where creator_id = '${creatorId}'`,
      `update creators set profile_image = '/uploads/photo' where user_id = '${creatorId}'`,
      ...close(creatorId),
    ],
  ],
};

it.each(Object.entries(CORRUPTIONS))(
  "the invariants report %s",
  async (_, [invariant, corrupt]) => {
    for (const reported of await listViolations(client, corrupt))
      expect(reported).toContain(invariant);
  },
);

it("the invariants report nothing about accounts that were closed in full", async () => {
  const closeInFull = () => [
    `delete from bank_details where creator_id = '${creatorId}'`,
    ...close(creatorId),
  ];
  for (const reported of await listViolations(client, closeInFull)) {
    expect(reported).not.toContain(EMPTY);
  }
});
