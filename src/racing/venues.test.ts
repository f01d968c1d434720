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

const flamingoPark = {
  name: "Flamingo Park",
  location: "Kimberley",
  totalRaces: 9,
  isActive: true,
};

async function findVenueId(slug: string): Promise<string> {
  return (await findVenue(slug))?.id ?? "";
}

describe("the built-in venues", () => {
  it("are listed by name with location and total races", async () => {
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

  it("retain the admins' changes across restarts", async () => {
    await editVenue(admin.id, await findVenueId("vaal"), {
      ...flamingoPark,
      name: "Vaal Racecourse",
    });
    await deleteVenue(admin.id, await findVenueId("fairview"));
    await Promise.all([ensureVenues(), ensureVenues()]);
    const names = (await listVenues({ includesInactive: true })).map((venue) => venue.name);
    expect(names).toContain("Vaal Racecourse");
    expect(names).not.toContain("Vaal");
    expect(names).not.toContain("Fairview");
    expect(names).toHaveLength(5);
  });
});

describe("managing venues", () => {
  it("adds a venue that can be found by slug and id", async () => {
    const result = await addVenue(admin.id, flamingoPark);
    if (!result.ok) throw new Error(result.refusal);
    expect(await findVenue("flamingo-park")).toEqual({
      ...flamingoPark,
      id: result.venueId,
      slug: "flamingo-park",
    });
    expect(await findVenue(result.venueId)).toMatchObject({ slug: "flamingo-park" });
    const { rows } = await pool().query(
      "select action from audit_entries where subject = $1 and actor_id = $2",
      [result.venueId, admin.id],
    );
    expect(rows).toEqual([{ action: "add-venue" }]);
  });

  it("finds a venue by slug, name or id, ignoring case", async () => {
    const result = await addVenue(admin.id, flamingoPark);
    if (!result.ok) throw new Error(result.refusal);
    const { venueId } = result;
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

  it("refuses a venue name that is taken, ignoring case", async () => {
    expect(await addVenue(admin.id, { ...flamingoPark, name: "VAAL" })).toEqual({
      ok: false,
      refusal: "name-taken",
    });
    expect(
      await editVenue(admin.id, await findVenueId("vaal"), { ...flamingoPark, name: "greyville" }),
    ).toEqual({ ok: false, refusal: "name-taken" });
  });

  it("refuses a name that gives the address of another venue, and says which", async () => {
    const added = await addVenue(admin.id, { ...flamingoPark, name: "Old Mill" });
    if (!added.ok) throw new Error(added.refusal);
    const refusal = { ok: false, refusal: "address-taken", slug: "old-mill" };
    const add = (name: string) => addVenue(admin.id, { ...flamingoPark, name });
    expect(await add("Old-Mill")).toEqual({ ...refusal, venueName: "Old Mill" });
    await editVenue(admin.id, added.venueId, { ...flamingoPark, name: "New Mill" });
    expect(await add("Old Mill")).toEqual({ ...refusal, venueName: "New Mill" });
    expect(await add("NEW mill")).toEqual({ ok: false, refusal: "name-taken" });
    await deleteVenue(admin.id, added.venueId);
    expect(await add("Old Mill")).toEqual({ ...refusal, venueName: "New Mill" });
  });

  it("removes a deactivated venue from the list and restores it when activated", async () => {
    const vaal = await findVenueId("vaal");
    for (const _ of [1, 2])
      expect(await setVenueActive(admin.id, vaal, false)).toEqual({ ok: true });
    expect((await listVenues()).map((venue) => venue.slug)).not.toContain("vaal");
    expect((await listVenues({ includesInactive: true })).map((venue) => venue.slug)).toContain(
      "vaal",
    );
    await setVenueActive(admin.id, vaal, true);
    expect((await listVenues()).map((venue) => venue.slug)).toContain("vaal");
  });

  it("marks a venue as deleted, and restores it with its history when added again", async () => {
    const vaal = await findVenueId("vaal");
    for (const _ of [1, 2]) expect(await deleteVenue(admin.id, vaal)).toEqual({ ok: true });
    expect(await findVenue("vaal")).toBeNull();
    expect(await editVenue(admin.id, vaal, flamingoPark)).toEqual({
      ok: false,
      refusal: "no-such-venue",
    });
    expect(await addVenue(admin.id, { ...flamingoPark, name: "Vaal" })).toEqual({
      ok: true,
      venueId: vaal,
    });
    expect(await findVenue("vaal")).toMatchObject({ id: vaal, location: "Kimberley" });
  });

  it("refuses an unknown venue", async () => {
    const unknownId = "00000000-0000-4000-8000-000000000000";
    for (const id of [unknownId, "not an id"]) {
      const noSuchVenue = { ok: false, refusal: "no-such-venue" };
      expect(await editVenue(admin.id, id, flamingoPark)).toEqual(noSuchVenue);
      expect(await setVenueActive(admin.id, id, true)).toEqual(noSuchVenue);
      expect(await deleteVenue(admin.id, id)).toEqual(noSuchVenue);
    }
  });

  it("adds a venue once when ten requests arrive together", async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, () => addVenue(admin.id, flamingoPark)),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
  });
});

describe("the venue form", () => {
  it("reads an invalid total of races as 0 and defaults to active", () => {
    const form = { name: " Flamingo Park ", location: "Kimberley", totalRaces: "many" };
    expect(v.parse(venueInput, form)).toEqual({ ...flamingoPark, totalRaces: 0 });
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
