import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pool } from "#platform/database.server.ts";
import { makeAdmin, type Person } from "#test/factories.ts";
import { addVenue } from "./add-venue.server.ts";
import { deleteVenue } from "./delete-venue.server.ts";
import { editVenue } from "./edit-venue.server.ts";
import { ensureVenues } from "./ensure-venues.server.ts";
import { setVenueActive } from "./set-venue-active.server.ts";
import { venueInput } from "./venue.input.ts";
import { findVenue, findVenueByReference, listVenues } from "./venues.server.ts";

let admin: Person;
beforeEach(async () => {
  await ensureVenues();
  admin = await makeAdmin();
});
afterEach(async () => {
  await pool().query("delete from venues");
});

const flamingo = { name: "Flamingo Park", location: "Kimberley", totalRaces: 9, isActive: true };

async function idOf(slug: string): Promise<string> {
  return (await findVenue(slug))?.id ?? "";
}

describe("the six venues that come with every installation", () => {
  it("are there by name, each with its town and races", async () => {
    expect(
      (await listVenues()).map((venue) => [venue.name, venue.location, venue.totalRaces]),
    ).toEqual([
      ["Fairview", "Gqeberha (Port Elizabeth)", 12],
      ["Greyville", "Durban", 10],
      ["Kenilworth", "Cape Town", 8],
      ["Scottsville", "Pietermaritzburg", 10],
      ["Turffontein", "Johannesburg", 12],
      ["Vaal", "Vereeniging", 12],
    ]);
  });

  it("stay as the operator has left them, start after start", async () => {
    await editVenue(admin.id, await idOf("vaal"), { ...flamingo, name: "Vaal Racecourse" });
    await deleteVenue(admin.id, await idOf("fairview"));
    await Promise.all([ensureVenues(), ensureVenues()]);
    const names = (await listVenues({ all: true })).map((venue) => venue.name);
    expect(names).toContain("Vaal Racecourse");
    expect(names).not.toContain("Vaal");
    expect(names).not.toContain("Fairview");
    expect(names).toHaveLength(5);
  });
});

describe("the operator", () => {
  it("adds a venue, which is found by its address and its id", async () => {
    const answer = await addVenue(admin.id, flamingo);
    if (!answer.ok) throw new Error(answer.refusal);
    expect(await findVenue("flamingo-park")).toEqual({
      ...flamingo,
      id: answer.venueId,
      slug: "flamingo-park",
    });
    expect(await findVenue(answer.venueId)).toMatchObject({ slug: "flamingo-park" });
    const { rows } = await pool().query(
      "select action from audit_entries where subject = $1 and actor_id = $2",
      [answer.venueId, admin.id],
    );
    expect(rows).toEqual([{ action: "add-venue" }]);
  });

  it("is found by slug, name or id, in whatever case, for a reader of the API", async () => {
    const answer = await addVenue(admin.id, flamingo);
    if (!answer.ok) throw new Error(answer.refusal);
    const { venueId } = answer;
    for (const reference of [
      "flamingo-park",
      "FLAMINGO-PARK",
      "Flamingo Park",
      " flamingo PARK ",
      venueId,
      venueId.toUpperCase(),
    ])
      expect((await findVenueByReference(reference))?.id, reference).toBe(venueId);
    for (const reference of [
      "",
      "flamingo",
      "%",
      "flamingo_park",
      "00000000-0000-4000-8000-000000000000",
    ])
      expect(await findVenueByReference(reference), reference).toBeNull();
    await deleteVenue(admin.id, venueId);
    for (const reference of ["flamingo-park", "Flamingo Park", venueId])
      expect(await findVenueByReference(reference), reference).toBeNull();
  });

  it("cannot give two venues one name, in whatever case", async () => {
    expect(await addVenue(admin.id, { ...flamingo, name: "VAAL" })).toEqual({
      ok: false,
      refusal: "name-taken",
    });
    expect(
      await editVenue(admin.id, await idOf("vaal"), { ...flamingo, name: "greyville" }),
    ).toEqual({ ok: false, refusal: "name-taken" });
  });

  it("switches a venue off and on: off, it leaves the list of venues", async () => {
    const vaal = await idOf("vaal");
    for (const _ of [1, 2])
      expect(await setVenueActive(admin.id, vaal, false)).toEqual({ ok: true });
    expect((await listVenues()).map((venue) => venue.slug)).not.toContain("vaal");
    expect((await listVenues({ all: true })).map((venue) => venue.slug)).toContain("vaal");
    await setVenueActive(admin.id, vaal, true);
    expect((await listVenues()).map((venue) => venue.slug)).toContain("vaal");
  });

  it("deletes a venue by marking it, and adding it again brings it back with its history", async () => {
    const vaal = await idOf("vaal");
    for (const _ of [1, 2]) expect(await deleteVenue(admin.id, vaal)).toEqual({ ok: true });
    expect(await findVenue("vaal")).toBeNull();
    expect(await editVenue(admin.id, vaal, flamingo)).toEqual({
      ok: false,
      refusal: "no-such-venue",
    });
    expect(await addVenue(admin.id, { ...flamingo, name: "Vaal" })).toEqual({
      ok: true,
      venueId: vaal,
    });
    expect(await findVenue("vaal")).toMatchObject({ id: vaal, location: "Kimberley" });
  });

  it("is told of a venue that is not there", async () => {
    const nobody = "00000000-0000-4000-8000-000000000000";
    for (const id of [nobody, "not an id"]) {
      const refused = { ok: false, refusal: "no-such-venue" };
      expect(await editVenue(admin.id, id, flamingo)).toEqual(refused);
      expect(await setVenueActive(admin.id, id, true)).toEqual(refused);
      expect(await deleteVenue(admin.id, id)).toEqual(refused);
    }
  });

  it("who adds the same venue ten times at once has it once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => addVenue(admin.id, flamingo)),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
  });
});

describe("the venue form", () => {
  it("takes a number of races that is not one as none, and is active unless it says otherwise", () => {
    const form = { name: " Flamingo Park ", location: "Kimberley", totalRaces: "many" };
    expect(v.parse(venueInput, form)).toEqual({ ...flamingo, totalRaces: 0 });
  });
  it.each([
    [{ name: "", location: "x", totalRaces: 1 }, "Name is required"],
    [{ name: "x", location: " ", totalRaces: 1 }, "Location is required"],
    [{ name: "x", location: "x", totalRaces: " " }, "Total races is required"],
    [{ name: "x", location: "x", totalRaces: -1 }, "Total races must be 0 or more"],
  ])("refuses %j", (form, message) => {
    expect(v.safeParse(venueInput, form).issues?.[0]?.message).toBe(message);
  });
});
