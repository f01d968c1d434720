import { beforeEach, describe, expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { makeAdmin, type Person, publishRaceCard } from "#test/factories.ts";
import { deleteTip, hideTip, showTip } from "./tip-visibility.server.ts";

let admin: Person;
beforeEach(async () => {
  admin = await makeAdmin();
});

async function publishTip(): Promise<string> {
  const { raceCardId } = await publishRaceCard();
  const { rows } = await pool().query("select id from tips where race_card_id = $1", [raceCardId]);
  return rows[0].id;
}

async function readTipState(tipId: string) {
  const { rows } = await pool().query(
    `select is_active, deleted_at is not null as is_deleted,
      (select array_agg(a.action order by a.id) from audit_entries a
        where a.subject = t.id::text and a.actor_id = $2) as actions
     from tips t where t.id = $1`,
    [tipId, admin.id],
  );
  return rows[0];
}

describe("tip visibility", () => {
  it("hides a tip and shows it again, with an audit entry for each", async () => {
    const tipId = await publishTip();
    expect(await hideTip(admin.id, tipId)).toEqual({ ok: true });
    expect(await readTipState(tipId)).toMatchObject({ is_active: false, actions: ["hide-tip"] });
    expect(await showTip(admin.id, tipId)).toEqual({ ok: true });
    expect(await readTipState(tipId)).toMatchObject({
      is_active: true,
      actions: ["hide-tip", "show-tip"],
    });
  });

  it("marks a tip as deleted, keeps the row and refuses to show it again", async () => {
    const tipId = await publishTip();
    expect(await deleteTip(admin.id, tipId)).toEqual({ ok: true });
    expect(await readTipState(tipId)).toEqual({
      is_active: false,
      is_deleted: true,
      actions: ["delete-tip"],
    });
    expect(await showTip(admin.id, tipId)).toEqual({ ok: false, refusal: "deleted" });
  });

  it.each([
    ["hide", hideTip],
    ["show", showTip],
    ["delete", deleteTip],
  ])("refuses to %s an unknown tip", async (_, changeVisibility) => {
    for (const id of ["00000000-0000-4000-8000-000000000000", "not an id"])
      expect(await changeVisibility(admin.id, id)).toEqual({ ok: false, refusal: "no-such-tip" });
  });

  it("writes one audit entry when an action is repeated", async () => {
    const tipId = await publishTip();
    for (const changeVisibility of [hideTip, hideTip, showTip, showTip, deleteTip, deleteTip])
      expect(await changeVisibility(admin.id, tipId)).toEqual({ ok: true });
    expect((await readTipState(tipId)).actions).toEqual(["hide-tip", "show-tip", "delete-tip"]);
  });

  it("deletes a tip once when six requests arrive together", async () => {
    const tipId = await publishTip();
    await Promise.all(Array.from({ length: 6 }, () => deleteTip(admin.id, tipId)));
    expect(await readTipState(tipId)).toEqual({
      is_active: false,
      is_deleted: true,
      actions: ["delete-tip"],
    });
  });
});
