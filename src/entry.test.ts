import { expect, it } from "vitest";
import { as, asGuest } from "#test/app.ts";
import { makeUser } from "#test/factories.ts";

const ENQUEUE = /<script[^>]*>window\.__reactRouterContext\.streamController\.enqueue\((".*?")\);/;

it("renders a complete document that ends with the escaped data for hydration", async () => {
  const reader = await makeUser({ name: "</script><b>Nandi & Zulu\u2028" });
  for (const ask of [asGuest, await as(reader)]) {
    const html = await (await ask("/")).text();
    expect(html.startsWith("<!DOCTYPE html><html")).toBe(true);
    expect(html.match(/<!DOCTYPE/gi)).toHaveLength(1);
    expect(html.endsWith("</body></html>")).toBe(true);
    expect(html).not.toContain("<b>Nandi");
    const told = JSON.parse(ENQUEUE.exec(html)?.[1] ?? "null");
    expect(told.includes("</script><b>Nandi & Zulu\u2028")).toBe(ask !== asGuest);
    expect(html.indexOf(".streamController.close();</script>")).toBeGreaterThan(0);
  }
});

it("returns no body for a HEAD request", async () => {
  const answer = await (await as(await makeUser()))("/profile", { method: "HEAD" });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("");
});
