import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHUNK_GROUPS, findMissingModules, toModulePattern } from "#bin/chunk-groups.ts";

describe.each(CHUNK_GROUPS)("the chunk group $name", (group) => {
  it("names only existing files and installed packages", () => {
    expect(findMissingModules(group, existsSync)).toEqual([]);
  });

  it("matches the absolute path of each of its modules", () => {
    const { files = [], packages = [] } = group;
    const modules = [...files, ...packages.map((name) => `node_modules/${name}/index.js`)];
    expect(modules.length).toBeGreaterThan(0);
    for (const path of modules) expect(join(process.cwd(), path)).toMatch(toModulePattern(group));
  });
});

describe("a chunk group", () => {
  it("reports a file that was moved and a package that is not installed", () => {
    const group = {
      name: "site-layout",
      priority: 1,
      files: ["src/no-such-file.tsx"],
      packages: ["no-such-package"],
    };
    expect(findMissingModules(group, existsSync)).toEqual([
      "src/no-such-file.tsx",
      "node_modules/no-such-package/package.json",
    ]);
  });

  it("does not match a package or file with a longer name", () => {
    const group = { name: "router", priority: 1, files: ["src/root.tsx"], packages: ["react"] };
    expect("/app/node_modules/react-aria/index.js").not.toMatch(toModulePattern(group));
    expect("/app/src/root.tsx.bak").not.toMatch(toModulePattern(group));
  });

  it("matches the ids that the router gives to route modules", () => {
    const group = { name: "home", priority: 1, files: ["src/root.tsx"] };
    expect("/app/src/root.tsx?__react-router-build-client-route").toMatch(toModulePattern(group));
  });

  it("matches paths with backslashes", () => {
    const group = { name: "site-layout", priority: 1, files: ["src/root.tsx"] };
    expect("C:\\app\\src\\root.tsx").toMatch(toModulePattern(group));
  });
});
