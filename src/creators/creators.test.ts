import { describe, expect, it } from "vitest";
import { readRoles } from "#accounts/accounts.server.ts";
import { pool, transaction } from "#platform/database.server.ts";
import { readEmailsTo } from "#test/emails.ts";
import { makeAdmin, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { findRaceCardOnSale } from "#tips/tips.server.ts";
import { createCreator } from "./create-creator.server.ts";
import { findCreator } from "./creator.server.ts";
import { readCreatorNotices } from "./notify-creator.server.ts";
import { setCreatorPhoto } from "./profile/creator-photo.server.ts";
import { editCreator } from "./profile/edit-creator.server.ts";
import { reinstateCreator, suspendCreator } from "./suspension.server.ts";

const createTestCreator = (userId: string, displayName: string) =>
  transaction((tx) =>
    createCreator(tx, { userId, kind: "tipster", displayName, approvedBy: null }),
  );

describe("a new creator", () => {
  it("has a slug from the name and an empty record", async () => {
    const user = await makeUser();
    expect(await createTestCreator(user.id, "  Zoë   van  Wyk ")).toEqual({
      ok: true,
      slug: "zoe-van-wyk",
    });
    expect(await findCreator("zoe-van-wyk")).toMatchObject({
      id: user.id,
      name: "Zoë van Wyk",
      record: { tips: 0, settled: 0, won: 0 },
      winRate: null,
      suspendedAt: null,
    });
    expect(await findCreator(user.id)).toMatchObject({ slug: "zoe-van-wyk" });
  });

  it("refuses another creator's name, ignoring case", async () => {
    await createTestCreator((await makeUser()).id, "Front Runner");
    const otherUser = await makeUser();
    expect(await createTestCreator(otherUser.id, "front RUNNER")).toEqual({
      ok: false,
      refusal: "display-name-taken",
    });
    expect(await findCreator(otherUser.id)).toBeNull();
  });

  it("gets a numbered slug if the plain one is taken", async () => {
    expect(await createTestCreator((await makeUser()).id, "Rail Bird")).toMatchObject({
      slug: "rail-bird",
    });
    expect(await createTestCreator((await makeUser()).id, "Rail-Bird")).toMatchObject({
      slug: "rail-bird-2",
    });
    expect(await createTestCreator((await makeUser()).id, "Rail.Bird")).toMatchObject({
      slug: "rail-bird-3",
    });
    expect(await createTestCreator((await makeUser()).id, "!!")).toMatchObject({ slug: "tipster" });
  });

  it("is created once when requested again", async () => {
    const user = await makeUser();
    expect(await createTestCreator(user.id, "Once Only")).toEqual({ ok: true, slug: "once-only" });
    expect(await createTestCreator(user.id, "Another Name")).toEqual({
      ok: true,
      slug: "once-only",
    });
  });

  it("is created once when ten users request the same name at the same time", async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => makeUser()));
    const results = await Promise.all(
      users.map((user) => createTestCreator(user.id, "Everybody's Name")),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
  });
});

describe("a creator's profile", () => {
  const profile = { name: "New Name", specialization: "Sprints", bio: "Up at five." };

  it("can be edited and retains its slug", async () => {
    const tipster = await makeTipster({ name: "Old Name" });
    expect(await editCreator(tipster.id, profile)).toEqual({ ok: true });
    expect(await findCreator("old-name")).toMatchObject({
      ...profile,
      id: tipster.id,
      slug: "old-name",
    });
  });

  it("refuses another creator's name, but allows changing the case of its own", async () => {
    await makeTipster({ name: "Taken Name" });
    const tipster = await makeTipster({ name: "Own Name" });
    expect(await editCreator(tipster.id, { ...profile, name: "TAKEN name" })).toEqual({
      ok: false,
      refusal: "display-name-taken",
    });
    expect(await editCreator(tipster.id, { ...profile, name: "OWN NAME" })).toEqual({ ok: true });
  });

  it("is refused for users who are not creators", async () => {
    const user = await makeUser();
    expect(await editCreator(user.id, { ...profile, name: "Nobody's Name" })).toEqual({
      ok: false,
      refusal: "not-a-creator",
    });
    expect(await setCreatorPhoto(user.id, "/a.webp")).toEqual({
      ok: false,
      refusal: "not-a-creator",
    });
  });

  it("stores a photo and returns the previous one", async () => {
    const tipster = await makeTipster();
    expect(await setCreatorPhoto(tipster.id, "/a.webp")).toEqual({ ok: true, previous: null });
    expect(await setCreatorPhoto(tipster.id, "/b.webp")).toEqual({ ok: true, previous: "/a.webp" });
    expect(await findCreator(tipster.id)).toMatchObject({ photo: "/b.webp" });
  });
});

describe("suspending a creator", () => {
  it("takes race cards off sale, revokes the role and ends sessions; reinstating restores cards and role", async () => {
    const admin = await makeAdmin();
    const card = await publishRaceCard();
    await pool().query(
      `insert into sessions (token, user_id, expires_at, created_at, updated_at)
       values ($1, $2, now() + interval '1 day', now(), now())`,
      [`token of ${card.creatorId}`, card.creatorId],
    );
    expect(await suspendCreator(admin.id, card.creatorId)).toEqual({ ok: true });
    expect(await findRaceCardOnSale(card.raceCardId)).toBeNull();
    expect(await readRoles(card.creatorId)).toEqual([]);
    const { rows } = await pool().query("select 1 from sessions where user_id = $1", [
      card.creatorId,
    ]);
    expect(rows).toEqual([]);

    expect(await reinstateCreator(admin.id, card.creatorId)).toEqual({ ok: true });
    expect(await findRaceCardOnSale(card.raceCardId)).not.toBeNull();
    expect(await readRoles(card.creatorId)).toEqual(["tipster"]);
  });

  it("emails the creator about suspension and reinstatement", async () => {
    const admin = await makeAdmin();
    const tipster = await makeTipster();
    await suspendCreator(admin.id, tipster.id);
    await reinstateCreator(admin.id, tipster.id);
    await reinstateCreator(admin.id, tipster.id);
    const [suspended, reinstated, ...more] = await readEmailsTo(tipster.email);
    expect(more).toEqual([]);
    expect(suspended?.text).toContain("You keep what you have earned");
    expect(suspended?.text).toContain("/tipster-dashboard/earnings");
    expect(reinstated).toMatchObject({ kind: "creator-reinstated" });
  });

  it("shows the creator one notice of the suspension and one of its end", async () => {
    const admin = await makeAdmin();
    const tipster = await makeTipster();
    await reinstateCreator(admin.id, tipster.id);
    await suspendCreator(admin.id, tipster.id, "Late off times");
    await Promise.all([
      reinstateCreator(admin.id, tipster.id),
      reinstateCreator(admin.id, tipster.id),
    ]);
    expect(await readCreatorNotices(tipster.id, { since: new Date(0) })).toMatchObject([
      { title: "Your suspension has been lifted", reason: "" },
      { title: "Your account is suspended", reason: "Late off times" },
    ]);
  });

  it("writes the reason of a suspension to the audit log", async () => {
    const admin = await makeAdmin();
    const [tipster, other] = [await makeTipster(), await makeTipster()];
    await suspendCreator(admin.id, tipster.id, " Late off times ");
    await suspendCreator(admin.id, other.id);
    const readDetails = async (id: string) =>
      (
        await pool().query(
          "select actor_id, details from audit_entries where subject = $1 and action = 'revoke-role'",
          [id],
        )
      ).rows;
    expect(await readDetails(tipster.id)).toEqual([
      { actor_id: admin.id, details: { role: "tipster", reason: "Late off times" } },
    ]);
    expect(await readDetails(other.id)).toEqual([
      { actor_id: admin.id, details: { role: "tipster" } },
    ]);
  });

  it("is idempotent and refuses users who are not creators", async () => {
    const admin = await makeAdmin();
    const tipster = await makeTipster();
    await suspendCreator(admin.id, tipster.id);
    const { suspendedAt } = (await findCreator(tipster.id)) ?? {};
    expect(await suspendCreator(admin.id, tipster.id)).toEqual({ ok: true });
    expect((await readEmailsTo(tipster.email)).map(({ kind }) => kind)).toEqual([
      "creator-suspended",
    ]);
    expect((await findCreator(tipster.id))?.suspendedAt).toEqual(suspendedAt);
    const notACreator = { ok: false, refusal: "not-a-creator" };
    expect(await suspendCreator(admin.id, (await makeUser()).id)).toEqual(notACreator);
    expect(await suspendCreator(admin.id, "not an id")).toEqual(notACreator);
    expect(await reinstateCreator(admin.id, "not an id")).toEqual(notACreator);
  });

  it("is refused to the creator who is the admin, and so is its end", async () => {
    const [admin, tipster] = [await makeAdmin(), await makeTipster()];
    const refused = { ok: false, refusal: "yourself" };
    expect(await suspendCreator(tipster.id, tipster.id)).toEqual(refused);
    expect((await findCreator(tipster.id))?.suspendedAt).toBeNull();
    await suspendCreator(admin.id, tipster.id);
    expect(await reinstateCreator(tipster.id, tipster.id)).toEqual(refused);
    expect((await findCreator(tipster.id))?.suspendedAt).not.toBeNull();
    expect(await readRoles(tipster.id)).toEqual([]);
  });

  it("ends in a consistent state when suspending and reinstating arrive together", async () => {
    const admin = await makeAdmin();
    const tipster = await makeTipster();
    await Promise.all([
      suspendCreator(admin.id, tipster.id),
      reinstateCreator(admin.id, tipster.id),
      suspendCreator(admin.id, tipster.id),
      reinstateCreator(admin.id, tipster.id),
    ]);
    const creator = await findCreator(tipster.id);
    expect(await readRoles(tipster.id)).toEqual(creator?.suspendedAt ? [] : ["tipster"]);
  });
});
