import { expect, it } from "vitest";
import { createSender, sendAsGuest } from "#test/app.ts";
import { makeUser } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";

it("shows a 404 page with a link to the home page for an unknown URL", async () => {
  for (const path of ["/nowhere", "/race-cards/nothing", "/tipsters/nobody", "/tracks/none"]) {
    const response = await sendAsGuest(path);
    expect(response.status, path).toBe(404);
    const text = await readVisibleText(response);
    expect(text, path).toContain("Oops! This track doesn't exist");
    expect(text, path).toContain("The page you're looking for seems to have left the paddock.");
    expect(text, path).toContain("Return to Home");
  }
});

it("shows a 403 page that reveals nothing about the content", async () => {
  const response = await (await createSender(await makeUser()))("/admin/purchases");
  expect(response.status).toBe(403);
  expect(await readVisibleText(response)).toContain("You don't have access to this page");
});
