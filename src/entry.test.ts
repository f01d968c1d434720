import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createSender, sendAsGuest } from "#test/app.ts";
import { makeUser } from "#test/factories.ts";

const ENQUEUE = /<script[^>]*>window\.__reactRouterContext\.streamController\.enqueue\(('.*?')\);/;

it("renders a complete document that ends with the escaped data for hydration", async () => {
  const user = await makeUser({ name: "</script><b>Nandi & Zulu\u2028" });
  for (const request of [sendAsGuest, await createSender(user)]) {
    const html = await (await request("/")).text();
    expect(html.startsWith("<!DOCTYPE html><html")).toBe(true);
    expect(html.match(/<!DOCTYPE/gi)).toHaveLength(1);
    expect(html.endsWith("</body></html>")).toBe(true);
    expect(html).not.toContain("<b>Nandi");
    const pageData: string = runInNewContext(ENQUEUE.exec(html)?.[1] ?? "null");
    expect(pageData.includes("</script><b>Nandi & Zulu\u2028")).toBe(request !== sendAsGuest);
    expect(html.indexOf(".streamController.close();</script>")).toBeGreaterThan(0);
  }
});

it("returns no body for a HEAD request", async () => {
  const response = await (await createSender(await makeUser()))("/profile", { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("");
});
