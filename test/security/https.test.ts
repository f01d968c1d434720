import { beforeAll, describe, expect, it } from "vitest";

// The application with an https APP_URL. The environment is read once, so this file sets it first.

beforeAll(() => {
  process.env.APP_URL = "https://furlong.example";
  process.env.DEMO_PUBLIC = "yes";
});

const loadModules = async () => ({
  ...(await import("#test/browser.ts")),
  ...(await import("#test/factories.ts")),
  ...(await import("#test/gateway.ts")),
  ...(await import("#accounts/accounts.server.ts")),
});

describe("over https", () => {
  it("sets Strict-Transport-Security for a year in every response", async () => {
    const { Browser } = await loadModules();
    for (const path of ["/", "/login", "/api/venues", "/health/live", "/nowhere", "/_root.data"]) {
      const { headers } = await new Browser().get(path);
      expect(headers.get("Strict-Transport-Security"), path).toBe(
        "max-age=31536000; includeSubDomains",
      );
    }
    const page = await new Browser().get("/");
    expect(page.headers.get("Content-Security-Policy")).toContain("upgrade-insecure-requests");
  });

  it("sets every cookie with the __Host- prefix, Secure and HttpOnly", async () => {
    const { Browser, makeUser, hashPassword, publishRaceCard, stubFetchInProcess } =
      await loadModules();
    stubFetchInProcess();
    const password = "steady as she goes";
    const person = await makeUser({ passwordHash: await hashPassword(password) });
    const browser = new Browser();
    const responses = [
      await browser.post("/login", { email: person.email, password }),
      await new Browser().post("/login?mode=register", {
        name: "Naledi Khumalo",
        email: "naledi@example.test",
        password,
        agreed: "on",
      }),
      await new Browser().postJson("/api/sign-in", { email: person.email, password }),
      await new Browser().postJson("/.netlify/functions/create-checkout-session", {
        packageId: "unlock_tip_starter",
        tipToUnlock: (await publishRaceCard()).raceCardId,
        userRegistration: { email: "guest@example.test", name: "Guest", password, agreed: true },
      }),
    ];
    const lines = responses.flatMap((response) => response.headers.getSetCookie());
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) {
      expect(line).toMatch(/^__Host-furlong(-[\w-]+)?=/);
      expect(line).toMatch(/;\s*Secure/);
      expect(line).toMatch(/;\s*HttpOnly/);
      expect(line).toMatch(/;\s*Path=\/(;|$)/);
      expect(line).not.toMatch(/;\s*Domain=/i);
      expect(line).toMatch(/;\s*SameSite=Lax/);
    }
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  it("ignores a cookie without the __Host- prefix, which a sibling domain could set", async () => {
    const { Browser, makeUser, startSession } = await loadModules();
    const browser = new Browser();
    browser.applyCookies(await startSession((await makeUser()).id));
    const value = browser.cookies.get("__Host-furlong") ?? "";
    expect(value).not.toBe("");
    const forged = new Browser();
    forged.cookies.set("furlong", value);
    expect((await forged.get("/api/me")).status).toBe(401);
  });

  it("refuses a form from the same host over plain http", async () => {
    const { Browser } = await loadModules();
    const signOut = (origin: string) =>
      new Browser().post("/api/sign-out", {}, { Origin: origin, Host: "furlong.example" });
    expect((await signOut("https://furlong.example")).status).toBe(200);
    expect((await signOut("http://furlong.example")).status).toBe(403);
    expect((await signOut("https://furlong.example:8443")).status).toBe(403);
  });
});
