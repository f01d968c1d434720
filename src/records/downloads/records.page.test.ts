import { expect, it } from "vitest";
import { createSender } from "#test/app.ts";
import { makeTipster, makeUser } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { RECORD_COLUMNS } from "./record-columns.ts";

it("links the files of a tipster and explains every column", async () => {
  const { slug } = await makeTipster({ name: "Thandi Nkosi" });
  const response = await (await createSender(await makeUser()))("/records");
  const html = await response.clone().text();
  for (const extension of ["csv", "json"])
    expect(html).toContain(`href="/records/${slug}.${extension}"`);
  const text = await readVisibleText(response);
  for (const { name, description } of RECORD_COLUMNS) {
    expect(text).toContain(name);
    expect(text).toContain(description);
  }
});
