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

async function stateOf(tipId: string) {
  const { rows } = await pool().query(
    `select is_active, deleted_at is not null as is_deleted,
      (select array_agg(a.action order by a.id) from audit_entries a
        where a.subject = t.id::text and a.actor_id = $2) as acts
     from tips t where t.id = $1`,
    [tipId, admin.id],
  );
  return rows[0];
}

describe("tip visibility", () => {
  it("hides a tip and shows it again, with an audit entry for each", async () => {
    const tipId = await publishTip();
    expect(await hideTip(admin.id, tipId)).toEqual({ ok: true });
    expect(await stateOf(tipId)).toMatchObject({ is_active: false, acts: ["hide-tip"] });
    expect(await showTip(admin.id, tipId)).toEqual({ ok: true });
    expect(await stateOf(tipId)).toMatchObject({ is_active: true, acts: ["hide-tip", "show-tip"] });
  });

  it("marks a tip as deleted, keeps the row and refuses to show it again", async () => {
    const tipId = await publishTip();
    expect(await deleteTip(admin.id, tipId)).toEqual({ ok: true });
    expect(await stateOf(tipId)).toEqual({
      is_active: false,
      is_deleted: true,
      acts: ["delete-tip"],
    });
    expect(await showTip(admin.id, tipId)).toEqual({ ok: false, refusal: "deleted" });
  });

  it.each([
    ["hide", hideTip],
    ["show", showTip],
    ["delete", deleteTip],
  ])("refuses to %s an unknown tip", async (_, mark) => {
    for (const id of ["00000000-0000-4000-8000-000000000000", "not an id"])
      expect(await mark(admin.id, id)).toEqual({ ok: false, refusal: "no-such-tip" });
  });

  it("changes a tip once when the action is repeated", async () => {
    const tipId = await publishTip();
    for (const mark of [hideTip, hideTip, showTip, showTip, deleteTip, deleteTip])
      expect(await mark(admin.id, tipId)).toEqual({ ok: true });
    expect((await stateOf(tipId)).acts).toEqual(["hide-tip", "show-tip", "delete-tip"]);
  });

  it("changes a tip once when two operators act together", async () => {
    const tipId = await publishTip();
    await Promise.all(Array.from({ length: 6 }, () => deleteTip(admin.id, tipId)));
    expect(await stateOf(tipId)).toEqual({
      is_active: false,
      is_deleted: true,
      acts: ["delete-tip"],
    });
  });
});
