import { expect, it } from "vitest";
import { createSquareImages } from "./images.server.ts";

it("processes two images at once, queues twenty, refuses more, and accepts images again later", async () => {
  const uploads = Array.from({ length: 25 }, () => createSquareImages(new Uint8Array(), [64]));
  const results = await Promise.all(uploads);
  const refusals = results.map((result) => (result.ok ? null : result.refusal));
  expect(refusals.slice(0, 22)).toEqual(new Array(22).fill("not-an-image"));
  expect(refusals.slice(22)).toEqual(["busy", "busy", "busy"]);
  expect(await createSquareImages(new Uint8Array(), [64])).toEqual({
    ok: false,
    refusal: "not-an-image",
  });
});
