import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** What the container decides itself: where it listens and keeps its data. */
const OF_THE_CONTAINER = ["PORT", "HOST", "DATA_DIR"];

it("every variable reaches the container, and is explained to whoever sets it", () => {
  const read = /^const VARIABLES = \{$(.*?)^\}/ms.exec(
    readFileSync("src/platform/env.server.ts", "utf8"),
  );
  const variables = [...(read?.[1] ?? "").matchAll(/^ {2}([A-Z_]+):/gm)].map((each) => each[1]);
  expect(variables.length).toBeGreaterThan(20);
  const compose = readFileSync("compose.yaml", "utf8");
  const passed = [...compose.matchAll(/^ {6}([A-Z_]+): \$\{([A-Z_]+):-/gm)]
    .filter(([, inside, outside]) => inside === outside)
    .map((each) => each[1]);
  const readme = readFileSync("README.md", "utf8");
  for (const name of variables) {
    if (!OF_THE_CONTAINER.includes(name ?? "")) expect(passed, name).toContain(name);
    expect(readme, name).toContain(`\`${name}\``);
  }
  for (const name of OF_THE_CONTAINER) expect(passed).not.toContain(name);
});
