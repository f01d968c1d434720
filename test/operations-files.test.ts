import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ENVIRONMENT_VARIABLES } from "#platform/env.server.ts";
import { Browser } from "#test/browser.ts";

const FOLDER = "docs/operations";
const readOperationsFile = (file: string) => readFileSync(join(FOLDER, file), "utf8");

it("uses only exported metrics in the alerts and the dashboard", async () => {
  const exported = await (await new Browser().get("/metrics")).text();
  const names = new Set([...exported.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  for (const file of ["alerts.yml", "grafana-dashboard.json"]) {
    const used = new Set(
      [...readOperationsFile(file).matchAll(/\bfurlong_[a-z0-9_]+/g)].map(([name]) =>
        name.replace(/(?<=_seconds)_(bucket|count|sum)$/, ""),
      ),
    );
    expect(used.size, file).toBeGreaterThan(4);
    for (const name of used) expect(names, `${name} in ${file}`).toContain(name);
  }
});

it("has a query in every panel of the dashboard", () => {
  const { panels, uid } = JSON.parse(readOperationsFile("grafana-dashboard.json"));
  expect(uid).toBe("furlong");
  for (const panel of panels) expect(panel.targets[0].expr, panel.title).not.toBe("");
});

it("names every production variable and no unknown one in the example environment", () => {
  const variables = [...readOperationsFile("furlong.env.example").matchAll(/^([A-Z_]+)=/gm)].map(
    ([, name]) => name,
  );
  for (const name of variables) expect(ENVIRONMENT_VARIABLES).toContain(name);
  for (const name of [
    "APP_ENV",
    "APP_URL",
    "TRUSTED_PROXY",
    "DATABASE_URL",
    "MIGRATION_DATABASE_URL",
    "AUTH_SECRET",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "SMTP_URL",
    "MAIL_FROM",
    "COMPANY_NAME",
    "ADMIN_EMAIL",
    "ADMIN_PASSWORD",
  ])
    expect(variables).toContain(name);
});

it("mentions every file of docs/operations in docs/operations.md", () => {
  const document = readFileSync("docs/operations.md", "utf8");
  for (const file of readdirSync(FOLDER)) expect(document, file).toContain(file);
});

it("runs each command of the wrapper with a script that exists and knows it", () => {
  const wrapper = readOperationsFile("furlong");
  const [, script = "", commandArgument] =
    /^exec .* node "?(\S+?)"? (\S+) "\$@"$/m.exec(wrapper) ?? [];
  expect(existsSync(script), script).toBe(true);
  expect(commandArgument).toBe('"$command"');
  const [, usage = ""] = /usage: furlong (.*)"/.exec(wrapper) ?? [];
  const commands = usage.split(" | ").map((command) => command.split(" ")[0] ?? "");
  expect(commands).toContain("backup");
  const help = execFileSync(process.execPath, [script, "--help"], { encoding: "utf8" });
  for (const command of commands) expect(help).toMatch(new RegExp(`^  ${command} `, "m"));
});
